// maximum hands a NaN on, maxnum drops it: NVIDIA/numba-cuda-mlir#229, llvm/llvm-project#189976, #114977, tracel-ai/burn#5658.
// RUN: %eval
// RUN: %ptx | %check

// maximumf(1, NaN), maxnumf(1, NaN), relu(NaN), and select(x > 0, x, 0), which gives 0.
// EVAL @max(f32 [0x3F800000], f32 [0x7FC00000]) = f32 [0x7FC00000], f32 [0x3F800000], f32 [0x7FC00000], f32 [0x00000000]
// CHECK-LABEL: .entry max
// CHECK-DAG: max.NaN.f32
// CHECK-DAG: max.f32
func.func @max(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %maximum = arith.maximumf %a, %b : tensor<?xf32>
  %maxnum = arith.maxnumf %a, %b : tensor<?xf32>
  %relu = linalg.map ins(%b : tensor<?xf32>) outs(%empty : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %m = arith.maximumf %in, %zero : f32
      linalg.yield %m : f32
    }
  %select = linalg.map ins(%b : tensor<?xf32>) outs(%empty : tensor<?xf32>)
    (%in: f32, %o: f32) {
      %positive = arith.cmpf ogt, %in, %zero : f32
      %m = arith.select %positive, %in, %zero : f32
      linalg.yield %m : f32
    }
  return %maximum, %maxnum, %relu, %select : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
