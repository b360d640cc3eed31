// RUN: prec-run %s --function=combine --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --function=combine --engine=host --random=123 --check | FileCheck %s
// RUN: prec-run %s --function=small --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --function=combine --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s
// RUN: prec-run %s --function=small --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s

// Products and sums of f16 numbers from the least to the largest: with the exponents of %k, one for a row, and those of
// %l, from 2^-7 to 1, for the weights. On processors with AVX-512 their roundings are
// arithmetic, or conversions where a sum leaves its range.
// CHECK-NOT: {{[1-9][0-9]*}} mismatches
// CHECK: 0 mismatches
// CHECK-NOT: {{[1-9][0-9]*}} mismatches

#all = affine_map<(row, slot, column) -> (row, slot, column)>
#token = affine_map<(row, slot, column) -> (row, slot)>
#pair = affine_map<(row, slot) -> (row, slot)>

func.func @combine(%z: tensor<128x8x256xf16>, %k: tensor<128x8xi32>, %w: tensor<128x8xf16>, %l: tensor<128x8xi32>) -> tensor<128x256xf16> {
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %eight = arith.constant 8 : i32
  %kept = arith.constant 0x83ff : i16
  %one = arith.constant 0x3c00 : i16
  %none = tensor.empty() : tensor<128x8xf16>
  %empty = tensor.empty() : tensor<128x8x256xf16>
  %zk = linalg.generic {indexing_maps = [#all, #token, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %k : tensor<128x8x256xf16>, tensor<128x8xi32>) outs(%empty : tensor<128x8x256xf16>) {
  ^bb0(%ze: f16, %ke: i32, %o: f16):
    %times = arith.shli %ke, %two : i32
    %exponent = arith.addi %times, %two : i32
    %wide = arith.shli %exponent, %ten : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to f16
    %old = arith.bitcast %ze : f16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to f16
    %m = arith.mulf %number, %power : f16
    linalg.yield %m : f16
  } -> tensor<128x8x256xf16>
  %wl = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<128x8xf16>, tensor<128x8xi32>) outs(%none : tensor<128x8xf16>) {
  ^bb0(%we: f16, %le: i32, %o: f16):
    %exponent = arith.addi %le, %eight : i32
    %wide = arith.shli %exponent, %ten : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to f16
    %old = arith.bitcast %we : f16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to f16
    %m = arith.mulf %number, %power : f16
    linalg.yield %m : f16
  } -> tensor<128x8xf16>
  %y = moe.combine %zk weights(%wl : tensor<128x8xf16>) : tensor<128x8x256xf16> to tensor<128x256xf16>
  return %y : tensor<128x256xf16>
}

// Most products are subnormal.
func.func @small(%z: tensor<128x8x256xf16>, %k: tensor<128x8xi32>, %w: tensor<128x8xf16>, %l: tensor<128x8xi32>) -> tensor<128x256xf16> {
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %eight = arith.constant 8 : i32
  %kept = arith.constant 0x83ff : i16
  %one = arith.constant 0x3c00 : i16
  %none = tensor.empty() : tensor<128x8xf16>
  %empty = tensor.empty() : tensor<128x8x256xf16>
  %zk = linalg.generic {indexing_maps = [#all, #token, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %k : tensor<128x8x256xf16>, tensor<128x8xi32>) outs(%empty : tensor<128x8x256xf16>) {
  ^bb0(%ze: f16, %ke: i32, %o: f16):
    %last = arith.andi %ke, %two : i32
    %times = arith.shli %last, %two : i32
    %exponent = arith.addi %times, %two : i32
    %wide = arith.shli %exponent, %ten : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to f16
    %old = arith.bitcast %ze : f16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to f16
    %m = arith.mulf %number, %power : f16
    linalg.yield %m : f16
  } -> tensor<128x8x256xf16>
  %wl = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<128x8xf16>, tensor<128x8xi32>) outs(%none : tensor<128x8xf16>) {
  ^bb0(%we: f16, %le: i32, %o: f16):
    %exponent = arith.addi %le, %eight : i32
    %wide = arith.shli %exponent, %ten : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to f16
    %old = arith.bitcast %we : f16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to f16
    %m = arith.mulf %number, %power : f16
    linalg.yield %m : f16
  } -> tensor<128x8xf16>
  %y = moe.combine %zk weights(%wl : tensor<128x8xf16>) : tensor<128x8x256xf16> to tensor<128x256xf16>
  return %y : tensor<128x256xf16>
}
