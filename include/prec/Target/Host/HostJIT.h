// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles functions for this processor into this process and calls them.
#ifndef PREC_TARGET_HOST_HOSTJIT_H
#define PREC_TARGET_HOST_HOSTJIT_H

#include "prec/Target/Host/ParallelLoops.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace prec {

/// One module, compiled. The code lives as long as the object.
///
/// A host function has the C ABI
///   int NAME(T *in0, ..., T *out0, ..., int64_t dyn0, ...)
/// Pointers stand in argument order, then results, then one size for every `?`
/// of the arguments in order of appearance; a scalar argument stands by value
/// at its place. It returns 0, or k > 0 if its k-th run-time check failed.
class HostJIT {
public:
  /// One argument: a pointer, an int64_t, or a scalar in the low bytes.
  using Slot = uint64_t;

  static Slot slot(const void *pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
  }
  static Slot slot(int64_t size) { return static_cast<uint64_t>(size); }

  /// Compiles a module of LLVM-dialect functions, as `prec-to-host` leaves it,
  /// for `cpu` ("host": this processor). Parallel loops call `parallelFor`;
  /// null: they run in the calling thread. Emits an error and fails where that
  /// is not possible.
  static mlir::FailureOr<std::unique_ptr<HostJIT>>
  compile(mlir::ModuleOp module, llvm::StringRef cpu = "host",
          ParallelFor *parallelFor = nullptr);

  ~HostJIT();

  /// The address of a function by its C name, to be called with the C ABI;
  /// null if there is none.
  void *lookup(llvm::StringRef name) const;

  template <typename Function> Function *lookupAs(llvm::StringRef name) const {
    return reinterpret_cast<Function *>(lookup(name));
  }

  /// Calls the function `name` with arguments counted at run time. Gives its
  /// status, or an error text for an unknown function or a wrong number of
  /// arguments.
  llvm::Expected<int> call(llvm::StringRef name,
                           llvm::ArrayRef<Slot> arguments) const;

  /// What the status `status` > 0 of function `name` means.
  std::string message(llvm::StringRef name, int status) const;

private:
  struct Function {
    int (*packed)(const Slot *) = nullptr;
    unsigned numArguments = 0;
    std::vector<std::string> checks;
  };

  HostJIT();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::StringMap<Function> functions;
};

} // namespace prec

#endif // PREC_TARGET_HOST_HOSTJIT_H
