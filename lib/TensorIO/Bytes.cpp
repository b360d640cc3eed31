// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bytes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace prec::io;

std::string prec::io::fileError(const std::string &path,
                                const std::string &message) {
  return path + ": " + message;
}

static std::string systemError(const std::string &path, const char *what) {
  return fileError(path, std::string(what) + ": " + std::strerror(errno));
}

InputFile::~InputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

std::string InputFile::open(const std::string &name) {
  path = name;
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(path, "cannot open");
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return systemError(path, "cannot read");
  if (!S_ISREG(status.st_mode))
    return fileError(path, "not a regular file");
  fileSize = static_cast<uint64_t>(status.st_size);
  return {};
}

std::string InputFile::read(uint64_t offset, uint64_t count, void *out) {
  char *to = static_cast<char *>(out);
  while (count) {
    ssize_t got = ::pread(descriptor, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(path, "cannot read");
    if (got == 0)
      return fileError(path, "file became shorter while it was read");
    to += got;
    offset += static_cast<uint64_t>(got);
    count -= static_cast<uint64_t>(got);
  }
  return {};
}

std::string
prec::io::writeAtomically(const std::string &path,
                          const std::vector<std::string_view> &pieces) {
  // Renaming onto a device, say /dev/null, would replace it.
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return fileError(path, "cannot write: not a regular file");
  std::string temporary = path + ".tmp" + std::to_string(::getpid());
  int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError(path, "cannot write");
  auto fail = [&] {
    std::string message = systemError(path, "cannot write");
    ::unlink(temporary.c_str());
    return message;
  };
  for (std::string_view piece : pieces) {
    while (!piece.empty()) {
      ssize_t put = ::write(descriptor, piece.data(), piece.size());
      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0) {
        std::string message = fail();
        ::close(descriptor);
        return message;
      }
      piece.remove_prefix(static_cast<size_t>(put));
    }
  }
  if (::close(descriptor) != 0)
    return fail();
  if (std::rename(temporary.c_str(), path.c_str()) != 0)
    return fail();
  return {};
}
