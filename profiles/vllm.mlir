// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prec.profile @vllm extends @torch_cuda "vLLM on CUDA" {
  // rms_norm: R(R(x * rsqrtf(var / H + eps)) * w). GemmaRMSNorm: f32, one rounding.
  prec.rule "nn.rms_norm" {divide = #nn<divide quotient>}
  prec.rule "nn.rms_norm" where {one_plus = false} {points = {normalized = true}}
  // In f32, one rounding; the table of cos and sin has the model's type.
  prec.rule "nn.rope" {points = {product = false}}

  // R(R(silu g) * u); R(sum of R(z * p)), z the second product's f32 accumulator,
  // in order of the slots.
  prec.rule "moe.activation" {points = {silu = true, product = true}}
  prec.rule "moe.combine" {sequence = #moe<sequence slots>, points = {weight = false, term = true, accumulate = false}}
}
