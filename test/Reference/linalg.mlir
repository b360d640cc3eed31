// RUN: prec-run %s --function=elementwise --print | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: prec-run %s --function=reductions --print | FileCheck %s --check-prefix=REDUCTIONS
// RUN: prec-run %s --function=order --print | FileCheck %s --check-prefix=ORDER
// RUN: prec-run %s --function=moves --print | FileCheck %s --check-prefix=MOVES
// RUN: prec-run %s --function=matmul --print | FileCheck %s --check-prefix=MATMUL
// RUN: prec-run %s --function=windows --print | FileCheck %s --check-prefix=WINDOWS
// RUN: prec-run %s --function=bodies --print | FileCheck %s --check-prefix=BODIES
// RUN: prec-run %s --function=empty --print | FileCheck %s --check-prefix=EMPTY
// The same bits at level R.
// RUN: prec-opt %s --prec-make-rounding-explicit -o %t.mlir
// RUN: prec-run %t.mlir --function=elementwise --print | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: prec-run %t.mlir --function=reductions --print | FileCheck %s --check-prefix=REDUCTIONS
// RUN: prec-run %t.mlir --function=order --print | FileCheck %s --check-prefix=ORDER
// RUN: prec-run %t.mlir --function=moves --print | FileCheck %s --check-prefix=MOVES
// RUN: prec-run %t.mlir --function=matmul --print | FileCheck %s --check-prefix=MATMUL
// RUN: prec-run %t.mlir --function=windows --print | FileCheck %s --check-prefix=WINDOWS
// RUN: prec-run %t.mlir --function=bodies --print | FileCheck %s --check-prefix=BODIES
// RUN: prec-run %t.mlir --function=empty --print | FileCheck %s --check-prefix=EMPTY

// Named operations are evaluated by their bodies.
// ELEMENTWISE: result0: BF16[3] 0x4080 0x40c0 0x4100
// ELEMENTWISE: result1: BF16[3] 0x3f80 0x3fb5 0x3fde
// ELEMENTWISE: result2: BF16[3] 0x3f80 0x4080 0x4110
// ELEMENTWISE: result3: BF16[3] 0xbf80 0xc000 0xc040
func.func @elementwise() -> (tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) {
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %y = arith.constant dense<[3.0, 4.0, 5.0]> : tensor<3xbf16>
  %e = tensor.empty() : tensor<3xbf16>
  %0 = linalg.add ins(%x, %y : tensor<3xbf16>, tensor<3xbf16>) outs(%e : tensor<3xbf16>) -> tensor<3xbf16>
  %1 = linalg.sqrt ins(%x : tensor<3xbf16>) outs(%e : tensor<3xbf16>) -> tensor<3xbf16>
  %2 = linalg.map { arith.mulf } ins(%x, %x : tensor<3xbf16>, tensor<3xbf16>) outs(%e : tensor<3xbf16>)
  %3 = linalg.map ins(%x : tensor<3xbf16>) outs(%e : tensor<3xbf16>)
    (%in: bf16, %out: bf16) {
      %n = arith.negf %in : bf16
      linalg.yield %n : bf16
    }
  return %0, %1, %2, %3 : tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>
}

// 256 + 1 + ... + 1: in bf16 every 1 is lost, in f32 none is.
// REDUCTIONS: result0: BF16[] 0x4380
// REDUCTIONS: result1: F32[] 0x43840000
// REDUCTIONS: result2: BF16[2] 0x4040 0x40c0
// REDUCTIONS: result3: I32[3] 4 2 6
// REDUCTIONS: result4: I32[3] 0 0 1
func.func @reductions() -> (tensor<bf16>, tensor<f32>, tensor<2xbf16>, tensor<3xi32>, tensor<3xi32>) {
  %x = arith.constant dense<[256.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<9xbf16>
  %zero = arith.constant dense<0.0> : tensor<bf16>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<9xbf16>) outs(%zero : tensor<bf16>) dimensions = [0]
  %zero32 = arith.constant dense<0.0> : tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<9xbf16>) outs(%zero32 : tensor<f32>) {
  ^bb0(%in: bf16, %out: f32):
    %w = arith.extf %in : bf16 to f32
    %s = arith.addf %out, %w : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  // Over the first dimension; the initial value takes part.
  %y = arith.constant dense<[[1.0, 2.0], [1.0, 3.0]]> : tensor<2x2xbf16>
  %one = arith.constant dense<1.0> : tensor<2xbf16>
  %2 = linalg.reduce { arith.addf } ins(%y : tensor<2x2xbf16>) outs(%one : tensor<2xbf16>) dimensions = [0]
  // Maximum and its position.
  %z = arith.constant dense<[[4, 1], [2, 2], [5, 6]]> : tensor<3x2xi32>
  %low = arith.constant dense<-100> : tensor<3xi32>
  %at = arith.constant dense<0> : tensor<3xi32>
  %3:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%z : tensor<3x2xi32>) outs(%low, %at : tensor<3xi32>, tensor<3xi32>) {
  ^bb0(%in: i32, %max: i32, %pos: i32):
    %j = linalg.index 1 : index
    %j32 = arith.index_cast %j : index to i32
    %more = arith.cmpi sgt, %in, %max : i32
    %m = arith.select %more, %in, %max : i32
    %p = arith.select %more, %j32, %pos : i32
    linalg.yield %m, %p : i32, i32
  } -> (tensor<3xi32>, tensor<3xi32>)
  return %0, %1, %2, %3#0, %3#1 : tensor<bf16>, tensor<f32>, tensor<2xbf16>, tensor<3xi32>, tensor<3xi32>
}

// A reduction is sequential, in ascending order of the loops: 1 + 2^-24 + 2^-24
// stays 1, the other way round it grows. prec.sum takes the order that it says.
// ORDER: result0: F32[] 0x3f800000
// ORDER: result1: F32[] 0x3f800001
// ORDER: result2: F32[] 0x3f800000
// ORDER: result3: F32[] 0x3f800001
// ORDER: result4: F32[2] 0x40800000 0x40c00000
func.func @order() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) {
  %x = arith.constant dense<[1.0, 0x33800000, 0x33800000]> : tensor<3xf32>
  %y = arith.constant dense<[0x33800000, 0x33800000, 1.0]> : tensor<3xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<3xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  %1 = linalg.reduce { arith.addf } ins(%y : tensor<3xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  %2 = prec.sum %x dim 0 <sequential> : tensor<3xf32> to tensor<f32>
  // Lane 0 is 1 + 0, lane 1 is 2^-24 + 2^-24; in sequence the sum stays 1.
  %z = arith.constant dense<[1.0, 0x33800000, 0.0, 0x33800000]> : tensor<4xf32>
  %3 = prec.sum %z dim 0 <lanes<2>> : tensor<4xf32> to tensor<f32>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %4 = prec.sum %w dim 0 <sequential> : tensor<2x2xf32> to tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>
}

// MOVES: result0: I32[3, 2] 1 4 2 5 3 6
// MOVES: result1: I32[2, 2, 3] 1 2 3 1 2 3 4 5 6 4 5 6
// MOVES: result2: I32[2, 3] 7 7 7 7 7 7
// MOVES: result3: I32[2, 3] 1 2 3 4 5 6
// MOVES: result4: I32[2, 2] 3 3 6 6
func.func @moves() -> (tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xi32>) {
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %e0 = tensor.empty() : tensor<3x2xi32>
  %0 = linalg.transpose ins(%x : tensor<2x3xi32>) outs(%e0 : tensor<3x2xi32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<2x2x3xi32>
  %1 = linalg.broadcast ins(%x : tensor<2x3xi32>) outs(%e1 : tensor<2x2x3xi32>) dimensions = [1]
  %seven = arith.constant 7 : i32
  %e2 = tensor.empty() : tensor<2x3xi32>
  %2 = linalg.fill ins(%seven : i32) outs(%e2 : tensor<2x3xi32>) -> tensor<2x3xi32>
  %3 = linalg.copy ins(%x : tensor<2x3xi32>) outs(%e2 : tensor<2x3xi32>) -> tensor<2x3xi32>
  // A constant index.
  %e3 = tensor.empty() : tensor<2x2xi32>
  %4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 2)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi32>) outs(%e3 : tensor<2x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<2x2xi32>
  return %0, %1, %2, %3, %4 : tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xi32>
}

// MATMUL: result0: F32[2, 2] 0x40e00000 0x41200000 0x41700000 0x41b00000
func.func @matmul() -> tensor<2x2xf32> {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x2xbf16>, tensor<2x2xbf16>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// WINDOWS: result0: I32[3] 5 8 11
func.func @windows() -> tensor<3xi32> {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %k = arith.constant dense<[1, 2]> : tensor<2xi32>
  %zero = arith.constant dense<0> : tensor<3xi32>
  %0 = linalg.conv_1d ins(%x, %k : tensor<4xi32>, tensor<2xi32>) outs(%zero : tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Bodies with control flow run point by point; tensor.extract gathers.
// BODIES: result0: I32[4] 30 10 20 10
// BODIES: result1: I32[2, 2] 0 1 2 103
func.func @bodies() -> (tensor<4xi32>, tensor<2x2xi32>) {
  %ids = arith.constant dense<[2, 0, 1, 0]> : tensor<4xi32>
  %table = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = arith.index_cast %in : i32 to index
    %v = tensor.extract %table[%i] : tensor<3xi32>
    linalg.yield %v : i32
  } -> tensor<4xi32>
  %c100 = arith.constant 100 : i32
  %f = tensor.empty() : tensor<2x2xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%f : tensor<2x2xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %both = arith.andi %i, %j : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %is = arith.cmpi ne, %both, %c0 : index
    %r = scf.if %is -> i32 {
      %b = arith.muli %i, %c2 : index
      %d = arith.addi %b, %j : index
      %g = arith.index_cast %d : index to i32
      %h = arith.addi %g, %c100 : i32
      scf.yield %h : i32
    } else {
      %b = arith.muli %i, %c2 : index
      %d = arith.addi %b, %j : index
      %g = arith.index_cast %d : index to i32
      scf.yield %g : i32
    }
    linalg.yield %r : i32
  } -> tensor<2x2xi32>
  return %0, %1 : tensor<4xi32>, tensor<2x2xi32>
}

// Empty iteration spaces leave the initial values.
// EMPTY: result0: F32[2] 0x3f800000 0x40000000
// EMPTY: result1: F32[] 0x00000000
func.func @empty() -> (tensor<2xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %x = tensor.empty(%c0) : tensor<2x?xf32>
  %init = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x?xf32>) outs(%init : tensor<2xf32>) dimensions = [1]
  %y = tensor.empty(%c0) : tensor<?xf32>
  %1 = prec.sum %y dim 0 <lanes<8>> : tensor<?xf32> to tensor<f32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}
