// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The defaults of nn's operations, said. What it can say of `sum` to 16 bits, rsqrt
// and gelu on other than contiguous tensors is in dialects/NN/README.md.
prec.profile @torch_cpu "PyTorch 2.15, eager on a CPU" {
  prec.rule "nn.sum" {accumulate = #nn<accumulate f32>}
  prec.rule "nn.sum" along rows {order = #prec.order<aten_cpu>}
  prec.rule "nn.sum" along columns {order = #prec.order<digits [*] steps [0 cascade] from_zero>}

  prec.rule "nn.mean" {accumulate = #nn<accumulate f32>, divide = #nn<divide quotient>, points = {sum = false}}
  prec.rule "nn.mean" along rows {order = #prec.order<aten_cpu>}
  prec.rule "nn.mean" along columns {order = #prec.order<digits [*] steps [0 cascade] from_zero>}

  prec.rule "nn.softmax" {accumulate = #nn<accumulate f32>, divide = #nn<divide quotient>,
    points = {shifted = false, exponential = false, sum = false}}
  prec.rule "nn.softmax" along rows {order = #prec.order<aten_cpu>}
  prec.rule "nn.softmax" along columns {order = #prec.order<digits [*] steps [0 cascade] from_zero>}

  // 1 / sqrt(x), two f32 roundings.
  prec.rule "nn.rsqrt" {rule = #nn<rsqrt_rule one_over_sqrt>}
  prec.rule "nn.rms_norm" {accumulate = #nn<accumulate f32>, order = #prec.order<aten_cpu>,
    divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>, points = {eps = false, normalized = false}}
  prec.rule "nn.layer_norm" {accumulate = #nn<accumulate f32>, order = #prec.order<aten_cpu>,
    divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>, form = #nn<layer_norm_form shift_fma>}

  prec.rule "nn.rope" {points = {product = true}}

  // Eager: every operation rounds. A python scalar that is added is rounded first.
  prec.rule "moe.activation" {form = #moe<silu_form quotient>,
    points = {gate_cast = true, up_cast = true, bias = true, clamp = true, scaled = true, sigmoid = true, silu = true,
              offset_scalar = true, offset = true, product = true, probability = false}}
  // One index_add of all slots, in their order: f32 inside.
  prec.rule "moe.combine" {sequence = #moe<sequence slots>, accumulate = #nn<accumulate f32>,
    points = {bias = true, weight = true, term = true, accumulate = false, sum = true, scaled = true, shared_gate = true,
              shared = true, combined = true}}
  // In f32.
  prec.rule "moe.router" {divide = #nn<divide quotient>, order = #prec.order<aten_cpu>, total_order = #prec.order<aten_cpu>,
    points = {logit = false, shifted = false, exponential = false, sum = false, score = false, bias = false,
              biased = false, group_score = false, total = false, normalized = false}}

  // Gradients. The sigmoid's kernel computes in f32 for bf16, and in f16 for f16.
  prec.rule "nn.sigmoid_grad" {points = {complement = true, product = true}}
  prec.rule "nn.sigmoid_grad" for [bf16] {points = {complement = false, product = false}}
  prec.rule "nn.tanh_grad" {points = {square = false, complement = false}}
  prec.rule "nn.silu_grad" {multiply_add = #nn<multiply_add fused>}
  prec.rule "nn.mean_grad" {divide = #nn<divide quotient>}
  prec.rule "nn.softmax_grad" {accumulate = #nn<accumulate f32>, form = #nn<softmax_grad_form difference>,
    points = {product = false, sum = false}}
  prec.rule "nn.softmax_grad" along rows {order = #prec.order<aten_cpu>}
  prec.rule "nn.softmax_grad" along columns {order = #prec.order<digits [*] steps [0 cascade] from_zero>}
  prec.rule "nn.rms_norm_grad" {accumulate = #nn<accumulate f32>, order = #prec.order<aten_cpu>,
    divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>, form = #nn<norm_grad_form steps>}
  prec.rule "nn.rms_norm_weight_grad" {accumulate = #nn<accumulate f32>, order = #prec.order<aten_cpu>,
    divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>}
  // The forward keeps mean and reciprocal deviation in 16 bits.
  prec.rule "nn.layer_norm_grad" {accumulate = #nn<accumulate f32>, order = #prec.order<aten_cpu>,
    divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>, form = #nn<layer_norm_grad_form closed>,
    points = {saved_mean = true, rstd = true}}
  prec.rule "nn.layer_norm_weight_grad" {accumulate = #nn<accumulate f32>, order = #prec.order<aten_cpu>,
    divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>, points = {saved_mean = true, rstd = true}}
  prec.rule "moe.activation_grad" {derivative = #moe<derivative steps>, form = #moe<silu_form quotient>,
    order = #prec.order<aten_cpu>,
    points = {probability = false, weighted = true, clamp = true, sigmoid = true, silu = true, offset_scalar = true,
              offset = true, product = true, activated = true, term = true}}
  prec.rule "moe.activation_grad" {points = {bias = true, scaled = true, chained = true, inner = true, gated = true, sloped = true,
                                             complement = true, slope = true}}
  prec.rule "moe.activation_grad" for [bf16] {points = {complement = false, slope = false}}
  prec.rule "moe.combine_grad" {order = #prec.order<aten_cpu>, points = {weight = true, scaled = true, product = true}}
}
