// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -prec-expand-math -split-input-file -verify-diagnostics

func.func @f64(%x: f64) -> f64 {
  // expected-error @below {{'math.exp' op expected f32 or a vector of f32 but got 'f64'}}
  %0 = math.exp %x : f64
  return %0 : f64
}

// -----

func.func @bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  // expected-error @below {{'math.tanh' op expected f32 or a vector of f32 but got 'vector<4xbf16>'}}
  %0 = math.tanh %x : vector<4xbf16>
  return %0 : vector<4xbf16>
}

// -----

func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'math.log' op expected f32 or a vector of f32 but got 'tensor<4xf32>'}}
  %0 = math.log %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One error an operation, not only the first.
func.func @no_expansion(%x: f32, %y: f32) -> (f32, f32, f32) {
  // expected-error @below {{'math.powf' op has no correctly rounded expansion}}
  %0 = math.powf %x, %y : f32
  // expected-error @below {{'math.atan' op has no correctly rounded expansion}}
  %1 = math.atan %x : f32
  // expected-error @below {{'math.sincos' op has no correctly rounded expansion}}
  %2, %3 = math.sincos %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

func.func @power(%x: f32, %n: i32) -> (f32, f32) {
  // expected-error @below {{'math.fpowi' op expected a constant exponent from -7 to 7}}
  %0 = math.fpowi %x, %n : f32, i32
  %eight = arith.constant 8 : i32
  // expected-error @below {{'math.fpowi' op expected a constant exponent from -7 to 7}}
  %1 = math.fpowi %x, %eight : f32, i32
  return %0, %1 : f32, f32
}
