// RUN: prec-opt %s -convert-prec-to-llvm -verify-diagnostics
// RUN: prec-opt %s -convert-prec-to-nvvm -verify-diagnostics
// RUN: not prec-opt %s -convert-prec-to-nvvm=sm=75 2>&1 | FileCheck %s
// CHECK: error: convert-prec-to-nvvm: expected sm of at least 80 but got 75

func.func @tensor(%x: tensor<4xf32>) -> tensor<4xbf16> {
  // expected-error @below {{'prec.round' op expected a scalar or a vector but got 'tensor<4xbf16>'; lower tensors to loops first}}
  %0 = prec.round %x : tensor<4xf32> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
