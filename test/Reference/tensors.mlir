// RUN: prec-run %s --function=slices --print | FileCheck %s --check-prefix=SLICES
// RUN: prec-run %s --function=shapes --print | FileCheck %s --check-prefix=SHAPES
// RUN: prec-run %s --function=made --print | FileCheck %s --check-prefix=MADE
// RUN: prec-run %s --function=elements --print | FileCheck %s --check-prefix=ELEMENTS
// RUN: prec-run %s --function=select_tensors --print | FileCheck %s --check-prefix=SELECT
// RUN: prec-run %s --function=vectors --print | FileCheck %s --check-prefix=VECTORS

// SLICES: result0: I32[2, 2] 1 3 9 11
// SLICES: result1: I32[3] 4 5 6
// SLICES: result2: I32[2, 4] 0 7 2 8 4 5 6 7
// SLICES: result3: I32[3, 6] 0 1 2 3 1 3 4 5 6 7 4 5 8 9 10 11
// SLICES: result4: I32[0, 4]{{$}}
func.func @slices() -> (tensor<2x2xi32>, tensor<3xi32>, tensor<2x4xi32>, tensor<3x6xi32>, tensor<?x4xi32>) {
  %x = arith.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %0 = tensor.extract_slice %x[0, 1] [2, 2] [2, 2] : tensor<3x4xi32> to tensor<2x2xi32>
  // The dimension of size 1 goes.
  %1 = tensor.extract_slice %x[1, 0] [1, 3] [1, 1] : tensor<3x4xi32> to tensor<3xi32>
  %part = arith.constant dense<[7, 8]> : tensor<2xi32>
  %head = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<3x4xi32> to tensor<2x4xi32>
  %2 = tensor.insert_slice %part into %head[0, 1] [1, 2] [1, 2] : tensor<2xi32> into tensor<2x4xi32>
  %y = arith.constant dense<[[1, 3], [4, 5], [9, 9]]> : tensor<3x2xi32>
  %3 = tensor.concat dim(1) %x, %y : (tensor<3x4xi32>, tensor<3x2xi32>) -> tensor<3x6xi32>
  %c0 = arith.constant 0 : index
  %4 = tensor.extract_slice %x[%c0, 0] [%c0, 4] [1, 1] : tensor<3x4xi32> to tensor<?x4xi32>
  return %0, %1, %2, %3, %4 : tensor<2x2xi32>, tensor<3xi32>, tensor<2x4xi32>, tensor<3x6xi32>, tensor<?x4xi32>
}

// SHAPES: result0: I16[2, 1, 3] 0 1 2 3 4 5
// SHAPES: result1: I16[6] 0 1 2 3 4 5
// SHAPES: result2: I16[3, 2] 0 1 2 3 4 5
// SHAPES: result3: I64[] 3
// SHAPES: result4: I64[] 2
func.func @shapes() -> (tensor<?x1x3xi16>, tensor<?xi16>, tensor<3x2xi16>, i64, i64) {
  %x = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi16>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.cast %x : tensor<2x3xi16> to tensor<?x3xi16>
  %0 = tensor.expand_shape %d [[0, 1], [2]] output_shape [%c2, 1, 3] : tensor<?x3xi16> into tensor<?x1x3xi16>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<?x1x3xi16> into tensor<?xi16>
  %shape = arith.constant dense<[3, 2]> : tensor<2xi32>
  %2 = tensor.reshape %x(%shape) : (tensor<2x3xi16>, tensor<2xi32>) -> tensor<3x2xi16>
  %3 = tensor.dim %d, %c1 : tensor<?x3xi16>
  %4 = tensor.rank %x : tensor<2x3xi16>
  %5 = arith.index_cast %3 : index to i64
  %6 = arith.index_cast %4 : index to i64
  return %0, %1, %2, %5, %6 : tensor<?x1x3xi16>, tensor<?xi16>, tensor<3x2xi16>, i64, i64
}

// An element that nothing was written to is NaN.
// MADE: result0: BF16[2] 0xffff 0xffff
// MADE: result1: F16[2, 2] 0x3c00 0x3c00 0x3c00 0x3c00
// MADE: result2: I64[2, 3] 0 1 2 10 11 12
// MADE: result3: I64[4, 3] 0 1 2 10 7 12 20 8 22 30 31 32
// MADE: result4: I32[3] 5 6 7
func.func @made() -> (tensor<?xbf16>, tensor<2x2xf16>, tensor<2x?xi64>, tensor<4x3xi64>, tensor<3xi32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %0 = tensor.empty(%c2) : tensor<?xbf16>
  %one = arith.constant 1.0 : f16
  %1 = tensor.splat %one : tensor<2x2xf16>
  %2 = tensor.generate %c3 {
  ^bb0(%i: index, %j: index):
    %a = arith.muli %i, %c10 : index
    %b = arith.addi %a, %j : index
    tensor.yield %b : index
  } : tensor<2x?xindex>
  %in = arith.constant dense<[[7], [8]]> : tensor<2x1xindex>
  %3 = tensor.pad %in low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %a = arith.muli %i, %c10 : index
    %b = arith.addi %a, %j : index
    tensor.yield %b : index
  } : tensor<2x1xindex> to tensor<4x3xindex>
  %e5 = arith.constant 5 : i32
  %e6 = arith.constant 6 : i32
  %e7 = arith.constant 7 : i32
  %4 = tensor.from_elements %e5, %e6, %e7 : tensor<3xi32>
  %5 = arith.index_cast %2 : tensor<2x?xindex> to tensor<2x?xi64>
  %6 = arith.index_cast %3 : tensor<4x3xindex> to tensor<4x3xi64>
  return %0, %1, %5, %6, %4 : tensor<?xbf16>, tensor<2x2xf16>, tensor<2x?xi64>, tensor<4x3xi64>, tensor<3xi32>
}

// Writing to a copy leaves the original as it is.
// ELEMENTS: result0: I8[] 3
// ELEMENTS: result1: I8[2, 2] 1 2 9 4
// ELEMENTS: result2: I8[2, 2] 1 2 3 4
func.func @elements() -> (i8, tensor<2x2xi8>, tensor<2x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %0 = tensor.extract %x[%c1, %c0] : tensor<2x2xi8>
  %nine = arith.constant 9 : i8
  %1 = tensor.insert %nine into %x[%c1, %c0] : tensor<2x2xi8>
  return %0, %1, %x : i8, tensor<2x2xi8>, tensor<2x2xi8>
}

// SELECT: result0: BF16[3] 0x3f80 0xc040 0x4040
// SELECT: result1: BF16[3] 0xbf80 0xc000 0xc040
// SELECT: result2: BOOL[3] 1 0 1
// SELECT: result3: I32[2] 1 20
func.func @select_tensors() -> (tensor<3xbf16>, tensor<3xbf16>, tensor<3xi1>, tensor<2xi32>) {
  %c = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %no = arith.constant false
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %b = arith.constant dense<[-1.0, -2.0, -3.0]> : tensor<3xbf16>
  %b2 = arith.constant dense<[-1.0, -3.0, -3.0]> : tensor<3xbf16>
  %0 = arith.select %c, %a, %b2 : tensor<3xi1>, tensor<3xbf16>
  %1 = arith.select %no, %a, %b : tensor<3xbf16>
  %2 = arith.select %c, %c, %c : tensor<3xi1>, tensor<3xi1>
  %d = arith.constant dense<[true, false]> : tensor<2xi1>
  %i = arith.constant dense<[1, 2]> : tensor<2xi32>
  %j = arith.constant dense<[10, 20]> : tensor<2xi32>
  %3 = arith.select %d, %i, %j : tensor<2xi1>, tensor<2xi32>
  return %0, %1, %2, %3 : tensor<3xbf16>, tensor<3xbf16>, tensor<3xi1>, tensor<2xi32>
}

// VECTORS: result0: F32[] 0x40a00000
// VECTORS: result1: BF16[] 0x4040
// VECTORS: result2: I32[] 7
func.func @vectors() -> (f32, bf16, i32) {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %two = arith.constant 2.0 : f32
  %b = vector.broadcast %two : f32 to vector<2xf32>
  %one = arith.constant 1.0 : f32
  %m = vector.from_elements %one, %one : vector<2xf32>
  %c = math.fma %a, %b, %m : vector<2xf32>
  %0 = vector.extract %c[1] : f32 from vector<2xf32>
  %r = prec.round %c : vector<2xf32> to vector<2xbf16>
  %1 = vector.extract %r[0] : bf16 from vector<2xbf16>
  %v = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %row = arith.constant dense<[7, 8]> : vector<2xi32>
  %w = vector.insert %row, %v[1] : vector<2xi32> into vector<2x2xi32>
  %flat = vector.shape_cast %w : vector<2x2xi32> to vector<4xi32>
  %2 = vector.extract %flat[2] : i32 from vector<4xi32>
  return %0, %1, %2 : f32, bf16, i32
}
