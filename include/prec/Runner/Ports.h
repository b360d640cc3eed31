// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensors that go into a function and come out of it, and the files that
// hold them.
#ifndef PREC_RUNNER_PORTS_H
#define PREC_RUNNER_PORTS_H

#include "prec/TensorIO/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace prec {

/// An argument or a result.
struct Port {
  /// -1 in `shape`: any size.
  static constexpr int64_t kAny = -1;

  /// `prec.name`, else arg0, arg1, ... and result0, result1, ...
  std::string name;
  /// Nothing: whatever the file has (a launch description has no types).
  std::optional<io::DType> dtype;
  std::vector<int64_t> shape;

  /// "BF16[?, 64]".
  std::string describe() const;
};

/// What a function takes and gives.
struct Ports {
  std::vector<Port> arguments, results;

  /// Emits an error and fails on types that no file holds.
  static mlir::FailureOr<Ports> of(mlir::func::FuncOp function);
};

/// The element type of a file for an MLIR scalar type.
std::optional<io::DType> dtypeOf(mlir::Type type);

/// The name of an element type in launch descriptions, and back.
std::string launchTypeName(io::DType dtype);
std::optional<io::DType> dtypeNamed(llvm::StringRef name,
                                    mlir::MLIRContext &context);

llvm::Expected<std::string> readTextFile(const std::string &path);

/// Reads the files, each `PATH.safetensors`, `NAME=PATH.npy` or `PATH.npy` (for
/// the first port that has no tensor yet). `kind` is "argument" or "result" and
/// stands in messages. A port without a tensor stays empty.
llvm::Expected<std::vector<std::optional<io::Tensor>>>
readTensors(llvm::ArrayRef<Port> ports, llvm::StringRef kind,
            llvm::ArrayRef<std::string> files);

/// All tensors of the files, under the names that they have there or are given:
/// for readers that know no ports.
llvm::Expected<std::vector<io::NamedTensor>>
readNamedTensors(llvm::ArrayRef<std::string> files);

/// Fails when the tensor is not what the port takes; bit patterns get the
/// port's type.
llvm::Error fitTensor(const Port &port, llvm::StringRef kind,
                      io::Tensor &tensor);

/// Gives a tensor the bytes of its type and shape, all zero. False where there
/// is no memory for so many, as where a size is a mistake.
bool allocate(io::Tensor &tensor);

/// A file to write.
struct OutputFile {
  std::string path;
  std::optional<size_t> port; ///< nothing: a .safetensors with all of them
};

/// Finds out what goes into files that are named in the same way.
llvm::Expected<std::vector<OutputFile>>
planOutputs(llvm::ArrayRef<Port> ports, llvm::ArrayRef<std::string> files);

/// Writes the planned files from one tensor per port.
llvm::Error writeTensors(llvm::ArrayRef<Port> ports,
                         llvm::ArrayRef<io::Tensor> tensors,
                         llvm::ArrayRef<OutputFile> files);

/// The position of the port with this name; `where` stands before the error.
llvm::Expected<size_t> findPort(llvm::ArrayRef<Port> ports,
                                llvm::StringRef kind, llvm::StringRef name,
                                llvm::StringRef where);

/// An error with this text.
llvm::Error usageError(const llvm::Twine &message);

} // namespace prec

#endif // PREC_RUNNER_PORTS_H
