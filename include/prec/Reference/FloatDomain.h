// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a float is to the evaluator: its parameter. The evaluator itself handles
// integers, shapes and control flow, which stay concrete, and asks a domain for
// everything that computes with floats and with the truth values made from
// them.
#ifndef PREC_REFERENCE_FLOATDOMAIN_H
#define PREC_REFERENCE_FLOATDOMAIN_H

#include "prec/Numerics/Format.h"
#include "prec/Numerics/Rounding.h"
#include "prec/Numerics/SumOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace prec::ref {

enum class FloatUnary {
  Neg,
  Abs,
  Ceil,
  Floor,
  Trunc,
  RoundEven,
  RoundAway,
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Erf,
  Erfc,
  Cbrt,
};

enum class FloatBinary {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Minimum, ///< NaN if an operand is NaN; -0 < +0
  Maximum,
  MinNum, ///< the other operand if one is NaN; -0 < +0
  MaxNum,
  CopySign,
  Pow,
  Atan2,
};

enum class FloatClass { NaN, Infinite, Finite, Normal };

enum class Logic { And, Or, Xor };

/// Works on arrays of n elements. An array of floats has bytes(format) bytes an
/// element, one of truth values boolBytes(); elements are copied as bytes.
/// `out` may be one of the operands, and overlaps none otherwise.
///
/// Functions that return bool give false when the domain has no answer, say for
/// the bits of an expression; the evaluator reports that at the operation.
/// Arithmetic (unary, binary, powi, toInteger, comparisons, sums) is asked
/// for in f32 and f64 only: the evaluator widens narrower operands first and
/// rounds the result, which is what an operation on a narrow type means.
class FloatDomain {
public:
  virtual ~FloatDomain();

  /// The operation that the following calls are for.
  virtual void at(mlir::Operation *) {}

  /// For messages: "the NAME domain ...".
  virtual llvm::StringRef name() const = 0;

  virtual unsigned bytes(const num::Format &format) const = 0;
  virtual unsigned boolBytes() const = 0;

  virtual void fromBits(const num::Format &format, const uint64_t *bits,
                        size_t n, void *out) = 0;
  virtual bool toBits(const num::Format &format, const void *in, size_t n,
                      uint64_t *bits) = 0;
  /// The elements of a tensor that nothing was written to.
  virtual void undefined(const num::Format &format, size_t n, void *out) = 0;

  virtual bool unary(FloatUnary op, const num::Format &format, const void *a,
                     size_t n, void *out) = 0;
  /// CUDA's own function of f32 (#prec.math<libdevice>), where it is known.
  virtual bool libdevice(FloatUnary, const void *, size_t, void *) {
    return false;
  }
  virtual bool binary(FloatBinary op, const num::Format &format, const void *a,
                      const void *b, size_t n, void *out) = 0;
  /// a * b + c, rounded once; asked for in every format.
  virtual bool fma(const num::Format &format, const void *a, const void *b,
                   const void *c, size_t n, void *out) = 0;
  /// The power with an integer exponent, rounded once.
  virtual bool powi(const num::Format &format, const void *a,
                    const int64_t *exponents, size_t n, void *out) = 0;

  virtual bool convert(const num::Format &from, const num::Format &to,
                       num::Rounding mode, bool saturate, const void *in,
                       size_t n, void *out) = 0;
  /// Rounded once, to every format. `isUnsigned`: the elements are uint64_t.
  virtual bool fromInteger(const num::Format &to, bool isUnsigned,
                           const int64_t *in, size_t n, void *out) = 0;
  /// Toward zero; beyond the integers of `width` bits the nearest one, NaN 0.
  virtual bool toInteger(const num::Format &from, bool isUnsigned,
                         unsigned width, const void *in, size_t n,
                         int64_t *out) = 0;

  virtual bool compare(mlir::arith::CmpFPredicate predicate,
                       const num::Format &format, const void *a, const void *b,
                       size_t n, void *bools) = 0;
  virtual bool classify(FloatClass kind, const num::Format &format,
                        const void *a, size_t n, void *bools) = 0;
  /// The sum of `count` elements that lie `stride` elements apart.
  virtual bool sum(const num::SumOrder &order, const num::Format &format,
                   const void *in, size_t count, size_t stride, void *out) = 0;

  virtual void fromBools(const uint8_t *in, size_t n, void *bools) = 0;
  virtual bool toBools(const void *bools, size_t n, uint8_t *out) = 0;
  virtual bool logic(Logic op, const void *a, const void *b, size_t n,
                     void *bools) = 0;
  /// `format`: of the operands; null when they are truth values themselves.
  virtual bool select(const void *condition, const num::Format *format,
                      const void *a, const void *b, size_t n, void *out) = 0;
};

} // namespace prec::ref

#endif // PREC_REFERENCE_FLOATDOMAIN_H
