// A private function with composite operations, a rounding and an ordered sum becomes part of its caller.
// RUN: precc %s --target=sm_90 | FileCheck %s
// RUN: prec-run %s --random=1 --check --engine=host | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --random=1 --check --engine=ptx | FileCheck %s --check-prefix=SAME
// RUN: precc %s --target=sm_90 --promote-moe-activation -o %t.ptx

// CHECK:     .entry model
// CHECK-NOT: .entry gate
// SAME: y: 4 elements, 0 mismatches
func.func @model(%x: tensor<4x32xbf16>, %w: tensor<32xbf16>) -> (tensor<4xbf16> {prec.name = "y"}) {
  %n = nn.rms_norm %x weight(%w : tensor<32xbf16>) : tensor<4x32xbf16> to tensor<4x32xbf16>
  %y = call @gate(%n) : (tensor<4x32xbf16>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}

func.func private @gate(%x: tensor<4x32xbf16>) -> tensor<4xbf16> {
  %h = moe.activation silu %x layout halves : tensor<4x32xbf16> to tensor<4x16xbf16>
  %wide = arith.extf %h : tensor<4x16xbf16> to tensor<4x16xf32>
  %s = prec.sum %wide dim 1 <sequential> : tensor<4x16xf32> to tensor<4xf32>
  %y = prec.round %s : tensor<4xf32> to tensor<4xbf16>
  return %y : tensor<4xbf16>
}
