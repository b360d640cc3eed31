// RUN: prec-run %s --function=norm --engine=host --random=1 --check | FileCheck %s --check-prefix=NORM
// RUN: prec-run %s --function=norm --engine=ptx --random=1 --check | FileCheck %s --check-prefix=NORM
// RUN: prec-run %s --function=middle --engine=host --random=1 --check | FileCheck %s --check-prefix=MIDDLE
// RUN: prec-run %s --function=middle --engine=ptx --random=1 --check | FileCheck %s --check-prefix=MIDDLE
// RUN: prec-run %s --function=one --engine=host --random=1 --check | FileCheck %s --check-prefix=ONE
// RUN: prec-run %s --function=one --engine=ptx --random=1 --check | FileCheck %s --check-prefix=ONE
// RUN: prec-run %s --function=column --engine=host --random=1 --check | FileCheck %s --check-prefix=COLUMN
// RUN: prec-run %s --function=column --engine=ptx --random=1 --check | FileCheck %s --check-prefix=COLUMN

// A dimension of one row is no dimension that a reduction depends on.
// NORM: 67 elements, 0 mismatches
func.func @norm(%x: tensor<1x67xbf16>) -> tensor<1x67xbf16> {
  %y = nn.rms_norm %x : tensor<1x67xbf16> to tensor<1x67xbf16>
  return %y : tensor<1x67xbf16>
}

// Two results, one of them without the row's elements.
// MIDDLE: 192 elements, 0 mismatches
// MIDDLE: 3 elements, 0 mismatches
func.func @middle(%x: tensor<3x1x64xf16>) -> (tensor<3x1x64xf16>, tensor<3x1xf32>) {
  %y = nn.softmax %x dim 2 order <lanes<8>> : tensor<3x1x64xf16> to tensor<3x1x64xf16>
  %s = nn.sum %x dim 2 order <lanes<8>> : tensor<3x1x64xf16> to tensor<3x1xf32>
  return %y, %s : tensor<3x1x64xf16>, tensor<3x1xf32>
}

// Nothing but one element.
// ONE: 1 elements, 0 mismatches
func.func @one(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %y = nn.layer_norm %x : tensor<1x1xf32> to tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// A flat kernel counts its elements along the last dimension, also if that is 1.
// COLUMN: 64 elements, 0 mismatches
func.func @column(%x: tensor<1x64x1xbf16>) -> tensor<1x64x1xf32> {
  %y = arith.extf %x : tensor<1x64x1xbf16> to tensor<1x64x1xf32>
  return %y : tensor<1x64x1xf32>
}
