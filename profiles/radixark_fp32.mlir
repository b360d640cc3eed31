// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prec.profile @radixark_fp32 extends @megatron "Megatron-LM with the routed experts in fp32 (radixark)" {
  // R(silu(g) * (u + offset) * p)
  prec.rule "moe.activation"
    {points = {bias = false, clamp = false, scaled = false, sigmoid = false, silu = false, offset = false, product = false,
               probability = false}}
  // R(sum of (z + bias) * p), in order of the slots.
  prec.rule "moe.combine" {sequence = #moe<sequence slots>, points = {bias = false, weight = false, term = false, accumulate = false}}

  // (d * (u + offset)) * (s + si * (1 - s)), si = g * s
  prec.rule "moe.activation_grad" {derivative = #moe<derivative closed>, form = #moe<silu_form product>,
    points = {weighted = false, bias = false, clamp = false, scaled = false, sigmoid = false, silu = false, offset = false, term = false}}
}
