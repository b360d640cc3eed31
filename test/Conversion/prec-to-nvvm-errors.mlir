// RUN: prec-opt %s -convert-prec-to-nvvm -verify-diagnostics

func.func @remainder(%x: f32) -> f32 {
  // expected-error @below {{'arith.remf' op has no exact form on GPUs}}
  %0 = arith.remf %x, %x : f32
  return %0 : f32
}
