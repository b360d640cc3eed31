// RUN: prec-run %s --function=tail --engine=ptx --random=1 --check | FileCheck %s --check-prefix=TAIL
// RUN: prec-run %s --function=tail --engine=ptx --chip=sm_100 --random=1 --check | FileCheck %s --check-prefix=TAIL
// RUN: prec-run %s --function=wide --engine=ptx --random=1 --check | FileCheck %s --check-prefix=WIDE
// RUN: prec-run %s --function=shared --engine=ptx --random=1 --check | FileCheck %s --check-prefix=SHARED
// RUN: prec-run %s --function=seven --engine=ptx --random=1 --check | FileCheck %s --check-prefix=SEVEN
// RUN: precc %s --function=seven --target=sm_90 | FileCheck %s --check-prefix=PTX

// LLVM's load vectorizer would read four elements where three are left. The
// evaluator reports each read behind the end of a tensor, and each of shared
// memory that nothing was written to.

// TAIL: 195 elements, 0 mismatches
func.func @tail(%x: tensor<3x65xf16>) -> tensor<3x65xf16> {
  %y = arith.addf %x, %x : tensor<3x65xf16>
  return %y : tensor<3x65xf16>
}

// WIDE: 67 elements, 0 mismatches
func.func @wide(%x: tensor<67xf32>) -> tensor<67xf32> {
  %y = arith.mulf %x, %x : tensor<67xf32>
  return %y : tensor<67xf32>
}

// Partial sums of three digits in shared memory.
// SHARED: 513 elements, 0 mismatches
func.func @shared(%x: tensor<513xf16>) -> tensor<513xf16> {
  %y = nn.softmax %x dim 0 order <digits [2, 3, *] steps [0 sequential, 2 sequential, 1 sequential]>
         : tensor<513xf16> to tensor<513xf16>
  return %y : tensor<513xf16>
}

// Four, two and one.
// SEVEN: 71 elements, 0 mismatches
// PTX-LABEL: .entry seven(
// PTX: ld.global.nc.v4.b32
// PTX: ld.global.nc.v4.b16 {{.*}}+128];
// PTX: ld.global.nc.v2.b16 {{.*}}+136];
// PTX: ld.global.nc.b16 {{.*}}+140];
// PTX: .entry seven_any(
func.func @seven(%x: tensor<71xbf16>) -> tensor<71xbf16> {
  %y = arith.addf %x, %x : tensor<71xbf16>
  return %y : tensor<71xbf16>
}
