// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prec.profile @megatron extends @torch_cuda "Megatron-LM, eager, Transformer Engine's norms" {
  // One rounding: R((w [+ 1]) * (x * r)), the mean a true quotient.
  prec.rule "nn.rms_norm" {divide = #nn<divide quotient>, points = {normalized = false, weight = false}}

  // R(R(R(silu g) * u) * p); a = R(a + z), or with the probabilities here R(sum of z * p) in f32.
  prec.rule "moe.activation" {points = {silu = true, product = true, probability = false}}
  prec.rule "moe.combine" {sequence = #moe<sequence keys>, points = {weight = false, term = false, accumulate = true}}
  prec.rule "moe.combine" where {weights = true} {points = {accumulate = false}}

  prec.rule "nn.rms_norm_grad" {divide = #nn<divide quotient>, form = #nn<norm_grad_form closed>}
  prec.rule "nn.rms_norm_weight_grad" {divide = #nn<divide quotient>}

  // ((d * s) * (1 + g * (1 - s))) * u, s rounded; with f32 probabilities d = dy * p and what it meets are f32.
  prec.rule "moe.activation_grad" {derivative = #moe<derivative chain>,
    points = {sigmoid = true, complement = true, inner = true, slope = true, gated = true, sloped = true}}
  prec.rule "moe.activation_grad" where {probability = true} {points = {weighted = false, gated = false, sloped = false}}
  prec.rule "moe.combine_grad" {points = {weight = false, product = false}}
}
