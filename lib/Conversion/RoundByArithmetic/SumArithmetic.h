// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How f32 arithmetic rounds products, and sums of numbers of one format, to
// that format. docs/elision.md has the theorems.
#ifndef PREC_LIB_CONVERSION_ROUNDBYARITHMETIC_SUMARITHMETIC_H
#define PREC_LIB_CONVERSION_ROUNDBYARITHMETIC_SUMARITHMETIC_H

#include "prec/Analysis/Representability.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <memory>

namespace prec {

/// The arithmetic of the sums of one loop. Its values stand for numbers of the
/// format, and may be multiples of them; where it does not round right, and
/// in all sums after that, they are infinite or NaN. Rounded products are what
/// they are but for the sign of a zero.
class SumArithmetic {
public:
  explicit SumArithmetic(const num::Format &format) : format(format) {}
  virtual ~SumArithmetic() = default;

  /// Whether it rounds f32 vectors to `type`.
  virtual bool canRoundTo(mlir::VectorType type) const = 0;
  /// The factors of a product that it rounds in `loop`, both numbers of the
  /// format; one is the same for all elements, and for the whole loop.
  std::optional<std::pair<mlir::Value, mlir::vector::BroadcastOp>>
  factors(mlir::arith::MulFOp product, mlir::scf::ForOp loop,
          const Representability &facts) const;

  /// What stands for R(x * w). All of these emit where the builder stands.
  virtual mlir::Value product(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                              mlir::vector::BroadcastOp w,
                              mlir::scf::ForOp loop) = 0;
  /// What stands for u + 0, u a rounded product.
  virtual mlir::Value addZero(mlir::ImplicitLocOpBuilder &b, mlir::Value u) = 0;
  /// What stands for u + v.
  virtual mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value u,
                          mlir::Value v) = 0;
  /// Whether `x`, which is no value of this arithmetic, can be added to a
  /// product. Where it is -0, the sum may lose its sign.
  virtual bool isTerm(mlir::Value x, const Representability &facts) const = 0;
  /// What stands for R(u), u a sum.
  virtual mlir::Value round(mlir::ImplicitLocOpBuilder &b, mlir::Value u) = 0;

  /// Whether it gains anything where so many roundings go on, for so many
  /// results.
  virtual bool pays(size_t roundings, size_t results) const = 0;
  /// Of a sum whose rounding is a result, what is infinite or NaN if that is
  /// wrong.
  virtual mlir::Value last(mlir::ImplicitLocOpBuilder &b, mlir::Value u) = 0;
  /// The result, from that.
  virtual mlir::Value result(mlir::ImplicitLocOpBuilder &b, mlir::Value last,
                             mlir::VectorType type) = 0;

protected:
  /// A number of the row times `factor`, computed before the loop.
  static mlir::Value times(mlir::ImplicitLocOpBuilder &b,
                           mlir::vector::BroadcastOp w, float factor,
                           mlir::scf::ForOp loop);
  /// c u - fl((c - 1) u), c a power of two.
  static mlir::Value roundSum(mlir::ImplicitLocOpBuilder &b, mlir::Value u,
                              float c);

private:
  const num::Format &format;
};

/// For processors with FMA and conversions of f16; with the range operation of
/// AVX512DQ, products are rounded by arithmetic, too, else converted.
std::unique_ptr<SumArithmetic> makeF16SumArithmetic(bool hasRange);
/// For processors with FMA.
std::unique_ptr<SumArithmetic> makeBF16SumArithmetic();

/// `value` as a constant of the f32 scalar or vector type of `like`.
mlir::Value f32Constant(mlir::ImplicitLocOpBuilder &b, mlir::Value like,
                        float value);

} // namespace prec

#endif
