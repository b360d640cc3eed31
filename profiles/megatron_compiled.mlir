// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// torch.compile drops the roundings inside of each function that is compiled.
prec.profile @megatron_compiled extends @megatron "Megatron-LM with its compiled fusions (the default)" {
  // R(silu(g) * u * p), the bias inside as well.
  prec.rule "moe.activation"
    {points = {bias = false, clamp = false, scaled = false, sigmoid = false, silu = false, offset = false, product = false}}
  prec.rule "moe.activation_grad"
    {points = {weighted = false, bias = false, clamp = false, scaled = false, sigmoid = false, silu = false, offset = false, product = false,
               complement = false, inner = false, slope = false, gated = false, sloped = false, term = false}}
}
