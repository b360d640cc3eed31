// An epilogue rounds its accumulators before the activation: flashinfer-ai/flashinfer#4640, sgl-project/sglang#28366.
// RUN: %eval
// RUN: %ptx | FileCheck %s

// bf16(silu(bf16(a)) * bf16(u)); 0x3F45 when the accumulators stay in f32.
// EVAL @swiglu_epilogue(f32 [0xBEF51C00], f32 [0xC086C700]) = bf16 [0x3F46]
// CHECK-LABEL: .entry swiglu_epilogue
// CHECK: cvt.rn.bf16
func.func @swiglu_epilogue(%a: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xbf16> {
  %one = arith.constant 1.0 : f32
  %ab = arith.truncf %a : tensor<?xf32> to tensor<?xbf16>
  %ub = arith.truncf %u : tensor<?xf32> to tensor<?xbf16>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %h = linalg.map ins(%ab, %ub : tensor<?xbf16>, tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%g: bf16, %v: bf16, %o: bf16) {
      %x = arith.extf %g : bf16 to f32
      %w = arith.extf %v : bf16 to f32
      %neg = arith.negf %x : f32
      %e = math.exp %neg : f32
      %d = arith.addf %e, %one : f32
      %silu = arith.divf %x, %d : f32
      %p = arith.mulf %silu, %w : f32
      %r = arith.truncf %p : f32 to bf16
      linalg.yield %r : bf16
    }
  return %h : tensor<?xbf16>
}

// The epilogue as one operation: accumulators in f32, rounded before the activation, and not.
// EVAL @accumulators(f32 [0xBEF51C00], f32 [0xC086C700]) = bf16 [0x3F46], bf16 [0x3F45]
// CHECK-LABEL: .entry accumulators
// CHECK: cvt.rn.bf16
func.func @accumulators(%a: tensor<?xf32>, %u: tensor<?xf32>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %0 = moe.activation silu %a up(%u : tensor<?xf32>) points {silu = false} : tensor<?xf32> to tensor<?xbf16>
  %1 = moe.activation silu %a up(%u : tensor<?xf32>) points {gate_cast = false, up_cast = false, silu = false}
         : tensor<?xf32> to tensor<?xbf16>
  return %0, %1 : tensor<?xbf16>, tensor<?xbf16>
}
