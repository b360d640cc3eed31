// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prec.profile @huggingface extends @torch_cuda "Hugging Face transformers, eager on CUDA" {
  // Llama, Qwen3, Mixtral: R(R(x * r) * w). Gemma, Qwen3-Next: R((x * r) * (1 + w)).
  prec.rule "nn.rms_norm" where {one_plus = false} {points = {normalized = true}}

  // R(R(silu g) * u); a = R(a + R(z * R(p))), an index_add for each expert.
  prec.rule "moe.activation" {points = {silu = true, product = true}}
  prec.rule "moe.combine" {sequence = #moe<sequence keys>, points = {weight = true, term = true, accumulate = true}}

  // The gradients of R(R(x * r) * w); Gemma's are torch_cuda's.
  prec.rule "nn.rms_norm_grad" where {weight = true, one_plus = false} {points = {weighted = true}}
}
