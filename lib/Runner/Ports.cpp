// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/Ports.h"

#include "prec/Target/Common/Signature.h"
#include "prec/TensorIO/Files.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>

using namespace mlir;
using namespace prec;

llvm::Error prec::usageError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string Port::describe() const {
  std::string text = dtype ? io::name(*dtype) : "any type";
  text += '[';
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") +
            (shape[i] == kAny ? std::string("?") : std::to_string(shape[i]));
  return text + ']';
}

std::optional<io::DType> prec::dtypeOf(Type type) {
  using io::DType;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return DType::Bool;
    case 8:
      return isUnsigned ? DType::U8 : DType::I8;
    case 16:
      return isUnsigned ? DType::U16 : DType::I16;
    case 32:
      return isUnsigned ? DType::U32 : DType::I32;
    case 64:
      return isUnsigned ? DType::U64 : DType::I64;
    default:
      return std::nullopt;
    }
  }
  return TypeSwitch<Type, std::optional<DType>>(type)
      .Case([](BFloat16Type) { return DType::BF16; })
      .Case([](Float16Type) { return DType::F16; })
      .Case([](Float32Type) { return DType::F32; })
      .Case([](Float64Type) { return DType::F64; })
      .Case([](Float8E4M3FNType) { return DType::F8E4M3; })
      .Case([](Float8E5M2Type) { return DType::F8E5M2; })
      .Case([](IndexType) { return DType::I64; })
      .Default([](Type) { return std::nullopt; });
}

llvm::Expected<std::string> prec::readTextFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return usageError("cannot open input file '" + path +
                      "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

std::optional<io::DType> prec::dtypeNamed(StringRef name,
                                          MLIRContext &context) {
  bool isUnsigned = name.consume_front("u");
  unsigned width;
  StringRef digits = name;
  if (isUnsigned || digits.consume_front("i")) {
    if (digits.getAsInteger(10, width))
      return std::nullopt;
    return dtypeOf(IntegerType::get(&context, width,
                                    isUnsigned ? IntegerType::Unsigned
                                               : IntegerType::Signless));
  }
  using io::DType;
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Case("bf16", DType::BF16)
      .Case("f16", DType::F16)
      .Case("f32", DType::F32)
      .Case("f64", DType::F64)
      .Case("f8E4M3FN", DType::F8E4M3)
      .Case("f8E5M2", DType::F8E5M2)
      .Default(std::nullopt);
}

std::string prec::launchTypeName(io::DType dtype) {
  switch (dtype) {
  case io::DType::Bool:
    return "i1";
  case io::DType::F8E4M3:
    return "f8E4M3FN";
  case io::DType::F8E5M2:
    return "f8E5M2";
  default:
    return StringRef(io::name(dtype)).lower();
  }
}

static Port makePort(const SignatureValue &value) {
  Port port;
  port.name = value.name;
  port.dtype = dtypeOf(value.elementType);
  assert(port.dtype && "a type that can be passed but not be in a file");
  for (int64_t dim : value.shape.value_or(SmallVector<int64_t>()))
    port.shape.push_back(ShapedType::isDynamic(dim) ? Port::kAny : dim);
  return port;
}

FailureOr<Ports> Ports::of(func::FuncOp function) {
  FailureOr<Signature> signature = Signature::get(function);
  if (failed(signature))
    return failure();
  Ports ports;
  for (const SignatureValue &argument : signature->arguments)
    ports.arguments.push_back(makePort(argument));
  for (const SignatureValue &result : signature->results)
    ports.results.push_back(makePort(result));
  return ports;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// One --in, --out or --expect.
struct FileArgument {
  StringRef name; ///< empty if none is given
  StringRef path;
  bool isSafetensors;

  static llvm::Expected<FileArgument> parse(StringRef text) {
    FileArgument file;
    file.path = text;
    // A name ends before the first '/' of a path.
    auto [name, path] = text.split('=');
    if (!path.empty() && !name.contains('/')) {
      file.name = name;
      file.path = path;
    }
    file.isSafetensors = file.path.ends_with(".safetensors");
    if (!file.isSafetensors && !file.path.ends_with(".npy"))
      return usageError("expected a .npy or .safetensors file but got '" +
                        file.path + "'");
    if (file.isSafetensors && !file.name.empty())
      return usageError("'" + file.path +
                        "' holds tensors with names of their own; expected it "
                        "without '" +
                        file.name + "='");
    return file;
  }
};
} // namespace

llvm::Expected<size_t> prec::findPort(ArrayRef<Port> ports, StringRef kind,
                                      StringRef name, StringRef where) {
  std::string known;
  for (auto [i, port] : llvm::enumerate(ports)) {
    if (port.name == name)
      return i;
    known += (i ? ", " : "") + port.name;
  }
  return usageError(where + ": there is no " + kind + " named '" + name +
                    "' (there are: " + (known.empty() ? "none" : known) + ")");
}

bool prec::allocate(io::Tensor &tensor) {
  uint64_t size;
  // More than any machine's memory.
  constexpr uint64_t kLimit = uint64_t(1) << 40;
  if (!io::byteSize(tensor.dtype, tensor.shape, size) || size > kLimit)
    return false;
  // A vector has no way to fail; malloc does. What is volatile is not optimized
  // away.
  void *volatile probe = std::malloc(size + 1);
  if (!probe)
    return false;
  std::free(probe);
  tensor.bytes.resize(size);
  return true;
}

llvm::Error prec::fitTensor(const Port &port, StringRef kind,
                            io::Tensor &tensor) {
  bool fits = !port.dtype || io::sameBits(tensor.dtype, *port.dtype);
  if (port.dtype)
    fits &=
        port.shape.size() == tensor.shape.size() &&
        llvm::all_of_zip(port.shape, tensor.shape, [](int64_t a, int64_t b) {
          return a == Port::kAny || a == b;
        });
  if (!fits)
    return usageError(kind + " '" + port.name + "': expected " +
                      port.describe() + " but got " + io::describe(tensor));
  if (port.dtype)
    tensor.dtype = *port.dtype;
  if (tensor.dtype == io::DType::Bool)
    for (uint8_t &byte : tensor.bytes)
      byte = byte != 0;
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::optional<io::Tensor>>>
prec::readTensors(ArrayRef<Port> ports, StringRef kind,
                  ArrayRef<std::string> files) {
  std::vector<std::optional<io::Tensor>> tensors(ports.size());
  auto put = [&](size_t i, io::Tensor tensor, StringRef path) -> llvm::Error {
    if (tensors[i])
      return usageError(path + ": " + kind + " '" + ports[i].name +
                        "' is given twice");
    if (llvm::Error error = fitTensor(ports[i], kind, tensor))
      return usageError(path + ": " + llvm::toString(std::move(error)));
    tensors[i] = std::move(tensor);
    return llvm::Error::success();
  };
  for (const std::string &text : files) {
    llvm::Expected<FileArgument> file = FileArgument::parse(text);
    if (!file)
      return file.takeError();
    std::string path = file->path.str();
    if (file->isSafetensors) {
      std::vector<io::NamedTensor> named;
      if (std::string error = io::readSafetensors(path, named); !error.empty())
        return usageError(error);
      for (io::NamedTensor &tensor : named) {
        llvm::Expected<size_t> i = findPort(ports, kind, tensor.name, path);
        if (!i)
          return i.takeError();
        if (llvm::Error error = put(*i, std::move(tensor.tensor), path))
          return std::move(error);
      }
      continue;
    }
    size_t i = static_cast<size_t>(llvm::find(tensors, std::nullopt) -
                                   tensors.begin());
    if (!file->name.empty()) {
      llvm::Expected<size_t> named = findPort(ports, kind, file->name, path);
      if (!named)
        return named.takeError();
      i = *named;
    } else if (i == ports.size()) {
      return usageError(path + ": all " + std::to_string(ports.size()) + " " +
                        kind + "s have a tensor already");
    }
    io::Tensor tensor;
    if (std::string error = io::readNpy(path, tensor); !error.empty())
      return usageError(error);
    if (llvm::Error error = put(i, std::move(tensor), path))
      return std::move(error);
  }
  return tensors;
}

llvm::Expected<std::vector<io::NamedTensor>>
prec::readNamedTensors(ArrayRef<std::string> files) {
  std::vector<io::NamedTensor> tensors;
  for (const std::string &text : files) {
    llvm::Expected<FileArgument> file = FileArgument::parse(text);
    if (!file)
      return file.takeError();
    std::string path = file->path.str(), error;
    if (file->isSafetensors) {
      std::vector<io::NamedTensor> more;
      error = io::readSafetensors(path, more);
      llvm::append_range(tensors, std::move(more));
    } else if (file->name.empty()) {
      return usageError(path + ": expected NAME=" + path);
    } else {
      io::NamedTensor &named = tensors.emplace_back();
      named.name = file->name.str();
      error = io::readNpy(path, named.tensor);
    }
    if (!error.empty())
      return usageError(error);
  }
  return tensors;
}

llvm::Expected<std::vector<OutputFile>>
prec::planOutputs(ArrayRef<Port> ports, ArrayRef<std::string> files) {
  std::vector<OutputFile> plan;
  size_t next = 0;
  for (const std::string &text : files) {
    llvm::Expected<FileArgument> file = FileArgument::parse(text);
    if (!file)
      return file.takeError();
    OutputFile &output = plan.emplace_back();
    output.path = file->path.str();
    if (file->isSafetensors)
      continue;
    output.port = next;
    if (!file->name.empty()) {
      llvm::Expected<size_t> found =
          findPort(ports, "result", file->name, output.path);
      if (!found)
        return found.takeError();
      output.port = *found;
    } else if (next++ == ports.size()) {
      return usageError(output.path + ": there are only " +
                        std::to_string(ports.size()) + " results");
    }
  }
  return plan;
}

llvm::Error prec::writeTensors(ArrayRef<Port> ports,
                               ArrayRef<io::Tensor> tensors,
                               ArrayRef<OutputFile> files) {
  for (const OutputFile &file : files) {
    std::string error;
    if (file.port) {
      error = io::writeNpy(file.path, tensors[*file.port]);
    } else {
      std::vector<io::NamedTensor> named;
      for (auto [port, tensor] : llvm::zip_equal(ports, tensors))
        named.push_back({port.name, tensor});
      error = io::writeSafetensors(file.path, named);
    }
    if (!error.empty())
      return usageError(error);
  }
  return llvm::Error::success();
}
