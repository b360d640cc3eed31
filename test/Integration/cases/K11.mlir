// Whether silu's result is rounded before the gate: vllm-project/vllm-omni#6283, EricLBuehler/mistral.rs#1867, NVIDIA/TransformerEngine#717.
// RUN: %eval
// RUN: %ptx | FileCheck %s '--implicit-check-not={{(add|sub|mul|fma|cvt|div)[.][a-z0-9.]*ftz}}' '--implicit-check-not={{(sin|cos|lg2|tanh|div|sqrt|rsqrt)[.]approx}}'

// bf16(bf16(silu(g)) * u)
// EVAL @two_roundings(bf16 [0xC090], bf16 [0xBF9E]) = bf16 [0x3D7B]
// CHECK-LABEL: .entry two_roundings
// CHECK: cvt.rn.bf16
// CHECK: cvt.rn.bf16
func.func @two_roundings(%g: tensor<?xbf16>, %u: tensor<?xbf16>) -> tensor<?xbf16> {
  %s = nn.silu %g : tensor<?xbf16>
  %h = arith.mulf %s, %u : tensor<?xbf16>
  return %h : tensor<?xbf16>
}

// bf16(silu(g) * u): the other contract.
// EVAL @one_rounding(bf16 [0xC090], bf16 [0xBF9E]) = bf16 [0x3D7A]
// CHECK-LABEL: .entry one_rounding
// CHECK: cvt.rn.bf16
func.func @one_rounding(%g: tensor<?xbf16>, %u: tensor<?xbf16>) -> tensor<?xbf16> {
  %gf = arith.extf %g : tensor<?xbf16> to tensor<?xf32>
  %uf = arith.extf %u : tensor<?xbf16> to tensor<?xf32>
  %s = nn.silu %gf : tensor<?xf32>
  %p = arith.mulf %s, %uf : tensor<?xf32>
  %h = arith.truncf %p : tensor<?xf32> to tensor<?xbf16>
  return %h : tensor<?xbf16>
}

// Both as one operation: Hugging Face's and vLLM's, SGLang's.
// EVAL @engines(bf16 [0xC090], bf16 [0xBF9E]) = bf16 [0x3D7B], bf16 [0x3D7A]
// CHECK-LABEL: .entry engines
func.func @engines(%g: tensor<?xbf16>, %u: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %0 = moe.activation silu %g up(%u : tensor<?xbf16>) : tensor<?xbf16> to tensor<?xbf16>
  %1 = moe.activation silu %g up(%u : tensor<?xbf16>) points {silu = false} : tensor<?xbf16> to tensor<?xbf16>
  return %0, %1 : tensor<?xbf16>, tensor<?xbf16>
}
