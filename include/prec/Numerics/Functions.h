// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions defined by mathematics: each returns the f32 number nearest to the
// exact value (ties to even), for every f32 argument.
#ifndef PREC_NUMERICS_FUNCTIONS_H
#define PREC_NUMERICS_FUNCTIONS_H

namespace prec::num::cr {

float exp(float x);
float exp2(float x);
float expm1(float x);
float log(float x);
float log2(float x);
float log10(float x);
float log1p(float x);
float tanh(float x);
float erf(float x);
float sin(float x);
float cos(float x);
float sqrt(float x);
float rsqrt(float x);
float pow(float x, float y);
/// x to an integer power; 1 for a power of 0, of a NaN too.
float powi(float x, int n);
float fma(float a, float b, float c);
double fma(double a, double b, double c);

} // namespace prec::num::cr

#endif // PREC_NUMERICS_FUNCTIONS_H
