// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prec.profile @sglang extends @torch_cuda "SGLang on CUDA" {
  // flashinfer: R(x * r * (bias + w)), bias 0 or 1.
  prec.rule "nn.rms_norm" {divide = #nn<divide quotient>, points = {normalized = false, weight = false}}
  // In f32, one rounding; so is the table of cos and sin.
  prec.rule "nn.rope" {points = {product = false}}

  // R(silu(g) * u); R((sum of R(z * p)) * scale), in order of the slots.
  prec.rule "moe.activation" {points = {silu = false}}
  prec.rule "moe.combine" {sequence = #moe<sequence slots>,
    points = {weight = false, term = true, accumulate = false, sum = false}}
}
