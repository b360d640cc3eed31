// No rounding is added: NVIDIA/Megatron-LM#7562.
// RUN: %eval
// RUN: %ptx | %check

// bf16(relu(x)^2 * p) with p in f32; 0x4051 when the square is rounded.
// EVAL @squared_relu(bf16 [0x4006], f32 [0x3F3F3B64]) = bf16 [0x4052]
// CHECK-LABEL: .entry squared_relu
// CHECK-NOT: cvt.rn.bf16
// CHECK: mul.rn.f32
// CHECK-NOT: cvt.rn.bf16
// CHECK: mul.rn.f32
// CHECK: cvt.rn.bf16
func.func @squared_relu(%x: tensor<?xbf16>, %p: tensor<?xf32>) -> tensor<?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %h = linalg.map ins(%x, %p : tensor<?xbf16>, tensor<?xf32>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %prob: f32, %o: bf16) {
      %relu = arith.maximumf %in, %zero : bf16
      %w = arith.extf %relu : bf16 to f32
      %q = arith.mulf %w, %w : f32
      %r = arith.mulf %q, %prob : f32
      %b = arith.truncf %r : f32 to bf16
      linalg.yield %b : bf16
    }
  return %h : tensor<?xbf16>
}

// Both as one operation.
// EVAL @engines(bf16 [[0x4006]], f32 [0x3F3F3B64]) = bf16 [[0x4052]], bf16 [[0x4051]]
// CHECK-LABEL: .entry engines
func.func @engines(%x: tensor<?x1xbf16>, %p: tensor<?xf32>) -> (tensor<?x1xbf16>, tensor<?x1xbf16>) {
  %0 = moe.activation relu_squared %x probability(%p : tensor<?xf32>) points {silu = false} : tensor<?x1xbf16> to tensor<?x1xbf16>
  %1 = moe.activation relu_squared %x probability(%p : tensor<?xf32>) : tensor<?x1xbf16> to tensor<?x1xbf16>
  return %0, %1 : tensor<?x1xbf16>, tensor<?x1xbf16>
}
