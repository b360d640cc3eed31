// RUN: prec-run %s --function=combine --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s
// RUN: prec-run %s --function=small --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s
// RUN: prec-run %s --function=one --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s
// RUN: prec-run %s --function=residual --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s
// RUN: prec-run %s --function=positive --engine=host --random=1 --cpu=x86-64-v3 --check | FileCheck %s

// Products and sums of bf16 numbers from the least to the largest, of infinity and of NaN: with the exponents and signs
// of %k, one for a row, and those of %l, from 2^-7 to 1, for the weights. On processors with AVX2 alone their roundings are arithmetic,
// or integers where a sum leaves its range.
// CHECK-NOT: {{[1-9][0-9]*}} mismatches
// CHECK: 0 mismatches
// CHECK-NOT: {{[1-9][0-9]*}} mismatches

#all = affine_map<(row, slot, column) -> (row, slot, column)>
#token = affine_map<(row, slot, column) -> (row, slot)>
#pair = affine_map<(row, slot) -> (row, slot)>

func.func @combine(%z: tensor<128x8x256xbf16>, %k: tensor<128x8xi32>, %w: tensor<128x8xbf16>, %l: tensor<128x8xi32>) -> tensor<128x256xbf16> {
  %seven = arith.constant 7 : i32
  %least = arith.constant 120 : i32
  %step = arith.constant 36 : i32
  %two = arith.constant 2 : i32
  %kept = arith.constant 0x807f : i16
  %one = arith.constant 0x3f80 : i16
  %none = tensor.empty() : tensor<128x8xbf16>
  %empty = tensor.empty() : tensor<128x8x256xbf16>
  %zk = linalg.generic {indexing_maps = [#all, #token, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %k : tensor<128x8x256xbf16>, tensor<128x8xi32>) outs(%empty : tensor<128x8x256xbf16>) {
  ^bb0(%ze: bf16, %ke: i32, %o: bf16):
    %times = arith.muli %ke, %step : i32
    %spread = arith.addi %times, %two : i32
    %wide = arith.shli %spread, %seven : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to bf16
    %old = arith.bitcast %ze : bf16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to bf16
    %m = arith.mulf %number, %power : bf16
    linalg.yield %m : bf16
  } -> tensor<128x8x256xbf16>
  %wl = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<128x8xbf16>, tensor<128x8xi32>) outs(%none : tensor<128x8xbf16>) {
  ^bb0(%we: bf16, %le: i32, %o: bf16):
    %low = arith.andi %le, %seven : i32
    %exponent = arith.addi %low, %least : i32
    %wide = arith.shli %exponent, %seven : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to bf16
    %old = arith.bitcast %we : bf16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to bf16
    %m = arith.mulf %number, %power : bf16
    linalg.yield %m : bf16
  } -> tensor<128x8xbf16>
  %y = moe.combine %zk weights(%wl : tensor<128x8xbf16>) : tensor<128x8x256xbf16> to tensor<128x256xbf16>
  return %y : tensor<128x256xbf16>
}

// Sums that overflow with one sign, one beside the other.
func.func @positive(%z: tensor<128x8x256xbf16>, %k: tensor<128x8xi32>, %w: tensor<128x8xbf16>, %l: tensor<128x8xi32>) -> tensor<128x256xbf16> {
  %seven = arith.constant 7 : i32
  %least = arith.constant 120 : i32
  %step = arith.constant 36 : i32
  %two = arith.constant 2 : i32
  %kept = arith.constant 0x807f : i16
  %one = arith.constant 0x3f80 : i16
  %none = tensor.empty() : tensor<128x8xbf16>
  %empty = tensor.empty() : tensor<128x8x256xbf16>
  %zk = linalg.generic {indexing_maps = [#all, #token, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %k : tensor<128x8x256xbf16>, tensor<128x8xi32>) outs(%empty : tensor<128x8x256xbf16>) {
  ^bb0(%ze: bf16, %ke: i32, %o: bf16):
    %times = arith.muli %ke, %step : i32
    %spread = arith.addi %times, %two : i32
    %wide = arith.shli %spread, %seven : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to bf16
    %old = arith.bitcast %ze : bf16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to bf16
    %m = arith.mulf %number, %power : bf16
    %a = math.absf %m : bf16
    linalg.yield %a : bf16
  } -> tensor<128x8x256xbf16>
  %wl = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<128x8xbf16>, tensor<128x8xi32>) outs(%none : tensor<128x8xbf16>) {
  ^bb0(%we: bf16, %le: i32, %o: bf16):
    %low = arith.andi %le, %seven : i32
    %exponent = arith.addi %low, %least : i32
    %wide = arith.shli %exponent, %seven : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to bf16
    %old = arith.bitcast %we : bf16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to bf16
    %m = arith.mulf %number, %power : bf16
    %a = math.absf %m : bf16
    linalg.yield %a : bf16
  } -> tensor<128x8xbf16>
  %y = moe.combine %zk weights(%wl : tensor<128x8xbf16>) : tensor<128x8x256xbf16> to tensor<128x256xbf16>
  return %y : tensor<128x256xbf16>
}

// Most products are subnormal.
func.func @small(%z: tensor<128x8x256xbf16>, %k: tensor<128x8xi32>, %w: tensor<128x8xbf16>, %l: tensor<128x8xi32>) -> tensor<128x256xbf16> {
  %seven = arith.constant 7 : i32
  %least = arith.constant 120 : i32
  %step = arith.constant 36 : i32
  %two = arith.constant 2 : i32
  %kept = arith.constant 0x807f : i16
  %one = arith.constant 0x3f80 : i16
  %none = tensor.empty() : tensor<128x8xbf16>
  %empty = tensor.empty() : tensor<128x8x256xbf16>
  %zk = linalg.generic {indexing_maps = [#all, #token, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %k : tensor<128x8x256xbf16>, tensor<128x8xi32>) outs(%empty : tensor<128x8x256xbf16>) {
  ^bb0(%ze: bf16, %ke: i32, %o: bf16):
    %last = arith.andi %ke, %two : i32
    %times = arith.muli %last, %two : i32
    %spread = arith.addi %times, %two : i32
    %wide = arith.shli %spread, %seven : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to bf16
    %old = arith.bitcast %ze : bf16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to bf16
    %m = arith.mulf %number, %power : bf16
    linalg.yield %m : bf16
  } -> tensor<128x8x256xbf16>
  %wl = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%w, %l : tensor<128x8xbf16>, tensor<128x8xi32>) outs(%none : tensor<128x8xbf16>) {
  ^bb0(%we: bf16, %le: i32, %o: bf16):
    %low = arith.andi %le, %seven : i32
    %exponent = arith.addi %low, %least : i32
    %wide = arith.shli %exponent, %seven : i32
    %bits = arith.trunci %wide : i32 to i16
    %power = arith.bitcast %bits : i16 to bf16
    %old = arith.bitcast %we : bf16 to i16
    %fraction = arith.andi %old, %kept : i16
    %new = arith.ori %fraction, %one : i16
    %number = arith.bitcast %new : i16 to bf16
    %m = arith.mulf %number, %power : bf16
    linalg.yield %m : bf16
  } -> tensor<128x8xbf16>
  %y = moe.combine %zk weights(%wl : tensor<128x8xbf16>) : tensor<128x8x256xbf16> to tensor<128x256xbf16>
  return %y : tensor<128x256xbf16>
}

#element = affine_map<(row, column) -> (row, column)>
#column = affine_map<(row, column) -> (column)>
#one = affine_map<(row, column) -> (row)>

// A row's number times others, most of them subnormal, added to zeros of either sign, or to numbers as small as they are.
func.func @residual(%x: tensor<128x256xbf16>, %k: tensor<128xi32>, %h: tensor<256xbf16>, %c: tensor<128xbf16>) -> tensor<128x256xbf16> {
  %sign = arith.constant 0x8000 : i16
  %small = arith.constant 0x81ff : i16
  %fraction = arith.constant 0x807f : i16
  %five = arith.constant 5 : i32
  %exponent = arith.constant 0x3580 : i16
  %none = tensor.empty() : tensor<256xbf16>
  %factor = tensor.empty() : tensor<128xbf16>
  %empty = tensor.empty() : tensor<128x256xbf16>
  %xs = linalg.generic {indexing_maps = [#element, #one, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %k : tensor<128x256xbf16>, tensor<128xi32>) outs(%empty : tensor<128x256xbf16>) {
  ^bb0(%xe: bf16, %ke: i32, %o: bf16):
    %few = arith.cmpi ult, %ke, %five : i32
    %kept = arith.select %few, %sign, %small : i16
    %old = arith.bitcast %xe : bf16 to i16
    %new = arith.andi %old, %kept : i16
    %number = arith.bitcast %new : i16 to bf16
    linalg.yield %number : bf16
  } -> tensor<128x256xbf16>
  // 2^-20 to 2^-19, and 2^-125 to 2^-111.
  %cs = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%c : tensor<128xbf16>) outs(%factor : tensor<128xbf16>) {
  ^bb0(%ce: bf16, %o: bf16):
    %old = arith.bitcast %ce : bf16 to i16
    %low = arith.andi %old, %fraction : i16
    %new = arith.ori %low, %exponent : i16
    %number = arith.bitcast %new : i16 to bf16
    linalg.yield %number : bf16
  } -> tensor<128xbf16>
  %hs = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%h : tensor<256xbf16>) outs(%none : tensor<256xbf16>) {
  ^bb0(%he: bf16, %o: bf16):
    %mask = arith.constant 0x87ff : i16
    %old = arith.bitcast %he : bf16 to i16
    %new = arith.andi %old, %mask : i16
    %number = arith.bitcast %new : i16 to bf16
    linalg.yield %number : bf16
  } -> tensor<256xbf16>
  %out = linalg.generic {indexing_maps = [#element, #column, #one, #element], iterator_types = ["parallel", "parallel"]}
      ins(%xs, %hs, %cs : tensor<128x256xbf16>, tensor<256xbf16>, tensor<128xbf16>) outs(%empty : tensor<128x256xbf16>) {
  ^bb0(%xe: bf16, %he: bf16, %ce: bf16, %o: bf16):
    %m = arith.mulf %he, %ce : bf16
    %r = arith.addf %xe, %m : bf16
    linalg.yield %r : bf16
  } -> tensor<128x256xbf16>
  return %out : tensor<128x256xbf16>
}

// A constant that is not zero, beside the product.
func.func @one(%x: tensor<64x256xbf16>, %w: tensor<64xbf16>) -> tensor<64x256xbf16> {
  %bias = arith.constant 1.0 : bf16
  %empty = tensor.empty() : tensor<64x256xbf16>
  %out = linalg.generic {indexing_maps = [#element, #one, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w : tensor<64x256xbf16>, tensor<64xbf16>) outs(%empty : tensor<64x256xbf16>) {
  ^bb0(%xe: bf16, %we: bf16, %o: bf16):
    %m = arith.mulf %xe, %we : bf16
    %r = arith.addf %m, %bias : bf16
    linalg.yield %r : bf16
  } -> tensor<64x256xbf16>
  return %out : tensor<64x256xbf16>
}
