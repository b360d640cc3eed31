// RUN: prec-run %s --random=1 --check | FileCheck %s
// RUN: prec-run %s --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --engine=ptx --random=1 --check | FileCheck %s
// RUN: prec-opt %s --prec-make-rounding-explicit | FileCheck %s --check-prefix=NONE

// Parts of tensors of which it is known that they have no elements: a slice of
// one would start behind its end.
// NONE-NOT: tensor.extract_slice

// CHECK: rotated: 0 elements, 0 mismatches
// CHECK: flat: 0 elements, 0 mismatches
// CHECK: halves: 0 elements, 0 mismatches
// CHECK: pairs: 0 elements, 0 mismatches
// CHECK: dx: 0 elements, 0 mismatches
// CHECK: weights: 0 elements, 0 mismatches
// CHECK: experts: 0 elements, 0 mismatches
func.func @none(%x: tensor<0x32xf16>, %c: tensor<32xf16>, %z: tensor<3x0xbf16>, %e: tensor<0xbf16>,
                %dy: tensor<0x16xf16>, %l: tensor<0x8xf32>)
    -> (tensor<0x32xf16> {prec.name = "rotated"}, tensor<3x0xbf16> {prec.name = "flat"},
        tensor<0x16xf16> {prec.name = "halves"}, tensor<3x0xbf16> {prec.name = "pairs"},
        tensor<0x32xf16> {prec.name = "dx"},
        tensor<0x2xf32> {prec.name = "weights"}, tensor<0x2xi32> {prec.name = "experts"}) {
  %0 = nn.rope %x cos(%c : tensor<32xf16>) sin(%c : tensor<32xf16>) : tensor<0x32xf16> to tensor<0x32xf16>
  %1 = nn.rope %z cos(%e : tensor<0xbf16>) sin(%e : tensor<0xbf16>) : tensor<3x0xbf16> to tensor<3x0xbf16>
  %2 = moe.activation silu %x layout halves : tensor<0x32xf16> to tensor<0x16xf16>
  %3 = moe.activation silu %z layout interleaved bias(%e : tensor<0xbf16>) : tensor<3x0xbf16> to tensor<3x0xbf16>
  %4 = moe.activation_grad silu %dy, %x layout halves : tensor<0x16xf16>, tensor<0x32xf16> to tensor<0x32xf16>
  %w, %i = moe.router %l softmax top_k 2 groups 4 top_groups 2 : tensor<0x8xf32> to tensor<0x2xf32>, tensor<0x2xi32>
  return %0, %1, %2, %3, %4, %w, %i : tensor<0x32xf16>, tensor<3x0xbf16>, tensor<0x16xf16>, tensor<3x0xbf16>, tensor<0x32xf16>, tensor<0x2xf32>, tensor<0x2xi32>
}
