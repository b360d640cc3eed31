// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model function takes and gives, as its callers see it.
#ifndef PREC_TARGET_COMMON_SIGNATURE_H
#define PREC_TARGET_COMMON_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>
#include <vector>

namespace prec {

/// A tensor or a scalar.
struct SignatureValue {
  /// Its `prec.name`, else arg0, ..., result0, ...
  std::string name;
  /// A name for C and for expressions, made from `name`; unique.
  std::string identifier;
  mlir::Type elementType;
  /// Nothing for a scalar; mlir::ShapedType::kDynamic for a `?`.
  std::optional<llvm::SmallVector<int64_t>> shape;

  bool isTensor() const { return shape.has_value(); }
};

/// A size that callers pass: one `?` of an argument.
struct SignatureSize {
  unsigned argument;
  unsigned dimension;
  /// `x_0` for dimension 0 of x; unique among all identifiers.
  std::string identifier;
};

struct Signature {
  std::string function;
  /// The function's name in C: the same, unless C cannot have that name.
  std::string symbol;
  std::vector<SignatureValue> arguments;
  /// All tensors: a scalar result is a tensor without dimensions.
  std::vector<SignatureValue> results;
  /// In the order in which they are passed, after all tensors and scalars.
  std::vector<SignatureSize> sizes;

  /// The signature of a function over tensors and scalars. Emits an error at
  /// the function for a type that cannot be passed or a name that occurs twice.
  static mlir::FailureOr<Signature> get(mlir::func::FuncOp function);
};

} // namespace prec

#endif // PREC_TARGET_COMMON_SIGNATURE_H
