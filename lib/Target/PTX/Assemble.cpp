// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cubin and fatbin: NVIDIA's assembler and packer, run as programs.
#include "prec/Target/PTX/PTXTarget.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static Expected<std::string> findTool(StringRef name) {
  // The named place first, then PATH, then where CUDA installs itself.
  if (std::optional<std::string> home = sys::Process::GetEnv("CUDA_HOME"))
    if (ErrorOr<std::string> path =
            sys::findProgramByName(name, {*home + "/bin"}))
      return *path;
  if (ErrorOr<std::string> path = sys::findProgramByName(name))
    return *path;
  if (ErrorOr<std::string> path =
          sys::findProgramByName(name, {"/usr/local/cuda/bin"}))
    return *path;
  return createStringError(
      "'" + name +
      "' not found in CUDA_HOME, PATH or /usr/local/cuda/bin; install the CUDA "
      "toolkit (nvidia-cuda-toolkit), or use --emit=ptx, which needs none");
}

namespace {
/// A folder for one run of a tool, removed with everything in it at the end.
class WorkFolder {
public:
  static Expected<WorkFolder> create() {
    WorkFolder folder;
    if (std::error_code error =
            sys::fs::createUniqueDirectory("prec", folder.path))
      return createStringError("cannot make a temporary folder: " +
                               error.message());
    return std::move(folder);
  }
  WorkFolder(WorkFolder &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~WorkFolder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }

  std::string file(StringRef name) const {
    SmallString<128> result(path);
    sys::path::append(result, name);
    return result.str().str();
  }
  Error write(StringRef name, StringRef contents) const {
    std::error_code error;
    raw_fd_ostream stream(file(name), error);
    if (!error) {
      stream << contents;
      stream.close();
      error = stream.error();
      stream.clear_error();
    }
    if (error)
      return createStringError("cannot write '" + file(name) +
                               "': " + error.message());
    return Error::success();
  }
  Expected<std::string> read(StringRef name) const {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
        file(name), /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return createStringError("cannot read '" + file(name) +
                               "': " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }
  /// Runs `tool`; an error carries the first line it printed.
  Error run(StringRef tool, ArrayRef<std::string> arguments) const {
    Expected<std::string> program = findTool(tool);
    if (!program)
      return program.takeError();
    SmallVector<StringRef> argv = {*program};
    argv.append(arguments.begin(), arguments.end());
    std::string log = file("log"), reason;
    std::optional<StringRef> redirects[] = {StringRef(), StringRef(log),
                                            StringRef(log)};
    int status =
        sys::ExecuteAndWait(*program, argv, std::nullopt, redirects,
                            /*SecondsToWait=*/0, /*MemoryLimit=*/0, &reason);
    if (status == 0)
      return Error::success();
    if (reason.empty()) {
      Expected<std::string> said = read("log");
      reason = said ? StringRef(*said).split('\n').first.str()
                    : toString(said.takeError());
    }
    return createStringError(tool + " failed: " + reason);
  }

private:
  WorkFolder() = default;
  SmallString<128> path;
};
} // namespace

/// Writes `kernel.ptx` and assembles it to `kernel.cubin` in `folder`.
static Error assemble(const WorkFolder &folder, StringRef ptx,
                      const prec::GPUTarget &target) {
  if (Error error = folder.write("kernel.ptx", ptx))
    return error;
  // The second lock against contraction: the text already names each rounding.
  return folder.run(
      "ptxas", {"--fmad=false", "-O3", ("-arch=" + target.chip).str(),
                folder.file("kernel.ptx"), "-o", folder.file("kernel.cubin")});
}

Expected<std::string> prec::assembleCubin(StringRef ptx,
                                          const GPUTarget &target) {
  Expected<WorkFolder> folder = WorkFolder::create();
  if (!folder)
    return folder.takeError();
  if (Error error = assemble(*folder, ptx, target))
    return std::move(error);
  return folder->read("kernel.cubin");
}

Expected<std::string> prec::assembleFatbin(StringRef ptx,
                                           const GPUTarget &target) {
  Expected<WorkFolder> folder = WorkFolder::create();
  if (!folder)
    return folder.takeError();
  if (Error error = assemble(*folder, ptx, target))
    return std::move(error);
  StringRef number = target.chip.drop_front(3);
  std::vector<std::string> arguments = {
      "-64", "--create", folder->file("kernel.fatbin"),
      ("--image3=kind=elf,sm=" + number + ",file=").str() +
          folder->file("kernel.cubin"),
      ("--image3=kind=ptx,sm=" + number + ",file=").str() +
          folder->file("kernel.ptx")};
  if (Error error = folder->run("fatbinary", arguments))
    return std::move(error);
  return folder->read("kernel.fatbin");
}
