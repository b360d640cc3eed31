// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the CUDA kernels differ from the CPU's. Functions are correctly rounded;
// profiles/README.md says what CUDA's own are.
prec.profile @torch_cuda extends @torch_cpu "PyTorch 2.15, eager on CUDA" {
  // Rows: loads of 4, a warp a row, shuffles by 1, 2, 4, ... Columns: 4 accumulators.
  prec.rule "nn.sum" along rows
    {order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "nn.sum" along columns
    {order = #prec.order<digits [4, *] steps [1 sequential, 0 sequential] from_zero>}

  prec.rule "nn.mean" {divide = #nn<divide reciprocal>}
  prec.rule "nn.mean" along rows
    {order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "nn.mean" along columns
    {order = #prec.order<digits [4, *] steps [1 sequential, 0 sequential] from_zero>}

  // Rows of up to 1024: every 32nd element in a thread, then shuffles by 16, 8, 4, ...
  prec.rule "nn.softmax" along rows {order = #prec.order<lanes<32> from_zero>}
  prec.rule "nn.softmax" along columns {order = #prec.order<sequential from_zero>}

  prec.rule "nn.rsqrt" {rule = #nn<rsqrt_rule rsqrt>}
  prec.rule "nn.rms_norm" {divide = #nn<divide reciprocal>, rstd = #nn<rsqrt_rule rsqrt>,
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "nn.layer_norm" {divide = #nn<divide reciprocal>, rstd = #nn<rsqrt_rule rsqrt>,
    form = #nn<layer_norm_form center_fma>,
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}

  // A python scalar that is added stays in f32.
  prec.rule "moe.activation" {points = {offset_scalar = false}}
  // 16-bit additions, each rounded.
  prec.rule "moe.combine" {points = {accumulate = true}}
  prec.rule "moe.router" {order = #prec.order<lanes<32> from_zero>,
    total_order = #prec.order<digits [32, *] steps [1 sequential, 0 adjacent] from_zero>}

  // Gradients: sigmoid's and tanh's kernels compute in the element type.
  prec.rule "nn.sigmoid_grad" {points = {complement = true, product = true}}
  prec.rule "nn.tanh_grad" {points = {square = true, complement = true}}
  prec.rule "nn.mean_grad" {divide = #nn<divide reciprocal>}
  prec.rule "nn.softmax_grad" {form = #nn<softmax_grad_form product_fma>, points = {product = true}}
  prec.rule "nn.softmax_grad" along rows {order = #prec.order<lanes<32> from_zero>}
  prec.rule "nn.softmax_grad" along columns {order = #prec.order<sequential from_zero>}
  prec.rule "nn.rms_norm_grad" {divide = #nn<divide reciprocal>, rstd = #nn<rsqrt_rule rsqrt>,
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "nn.rms_norm_weight_grad" {divide = #nn<divide reciprocal>, rstd = #nn<rsqrt_rule rsqrt>,
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "nn.layer_norm_grad" {divide = #nn<divide reciprocal>, rstd = #nn<rsqrt_rule rsqrt>,
    form = #nn<layer_norm_grad_form scaled>, points = {saved_mean = false, rstd = false},
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "nn.layer_norm_weight_grad" {divide = #nn<divide reciprocal>, rstd = #nn<rsqrt_rule rsqrt>,
    points = {saved_mean = false, rstd = false},
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "moe.activation_grad" {points = {offset_scalar = false, complement = true, slope = true},
    order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
  prec.rule "moe.combine_grad"
    {order = #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>}
}
