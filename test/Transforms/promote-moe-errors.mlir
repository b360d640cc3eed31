// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --split-input-file --verify-diagnostics
// RUN: sed 's/expected-error/expected-warning/' %s > %t.mlir
// RUN: prec-opt %t.mlir --prec-promote-moe="activation=true combine=true on-unsupported=warn" --split-input-file --verify-diagnostics -o %t.out
// RUN: prec-opt %s --split-input-file -o %t.before
// RUN: cmp %t.before %t.out
// RUN: not prec-opt %s --prec-promote-moe="activation=true on-unsupported=maybe" --split-input-file 2>&1 | FileCheck %s
// CHECK: error: expected on-unsupported error or warn but got maybe

func.func @f32(%x: tensor<?x128xf32>) -> tensor<?x64xf32> {
  // expected-error @below {{cannot promote this activation to f32: expected bf16 or f16 operands but got 'f32'}}
  %0 = moe.activation silu %x layout halves : tensor<?x128xf32> to tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

func.func @f32_combine(%z: tensor<?x8x64xf32>, %p: tensor<?x8xf32>) -> tensor<?x64xf32> {
  // expected-error @below {{cannot promote this combination to f32: expected bf16 or f16 operands but got 'f32'}}
  %0 = moe.combine %z weights(%p : tensor<?x8xf32>) : tensor<?x8x64xf32> to tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

func.func @gelu(%x: tensor<?x128xbf16>) -> tensor<?x64xbf16> {
  // expected-error @below {{cannot promote this activation to f32: expected a gated silu but got gelu_tanh}}
  %0 = moe.activation gelu_tanh %x layout halves : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

func.func @plain(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // expected-error @below {{cannot promote this activation to f32: expected a gated silu but got silu without up}}
  %0 = moe.activation silu %x : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

func.func @quantized(%x: tensor<?x128xbf16>) -> tensor<?x64xf8E4M3FN> {
  // expected-error @below {{cannot promote this activation to f32: its result is quantized to 'f8E4M3FN'}}
  %0 = moe.activation silu %x layout halves : tensor<?x128xbf16> to tensor<?x64xbf16>
  %1 = arith.extf %0 : tensor<?x64xbf16> to tensor<?x64xf32>
  // expected-note @below {{quantized here}}
  %2 = arith.truncf %1 : tensor<?x64xf32> to tensor<?x64xf8E4M3FN>
  return %2 : tensor<?x64xf8E4M3FN>
}

// -----

// A scale for each row, in the body of a linalg operation.
func.func @quantized_scaled(%x: tensor<?x128xbf16>, %scale: tensor<?xf32>, %to: tensor<?x64xf4E2M1FN>) -> tensor<?x64xf4E2M1FN> {
  // expected-error @below {{cannot promote this activation to f32: its result is quantized to 'f4E2M1FN'}}
  %0 = moe.activation silu %x layout halves : tensor<?x128xbf16> to tensor<?x64xbf16>
  // expected-note @below {{quantized here}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%0, %scale : tensor<?x64xbf16>, tensor<?xf32>) outs(%to : tensor<?x64xf4E2M1FN>) {
  ^bb0(%a: bf16, %s: f32, %out: f4E2M1FN):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.mulf %2, %s : f32
    %4 = arith.truncf %3 : f32 to f4E2M1FN
    linalg.yield %4 : f4E2M1FN
  } -> tensor<?x64xf4E2M1FN>
  return %1 : tensor<?x64xf4E2M1FN>
}

// -----

func.func @narrow(%z: tensor<?x8x64xbf16>, %w: tensor<?x8xbf16>) -> tensor<?x64xbf16> {
  // expected-error @below {{cannot promote this combination to f32: expected router probabilities in f32 but got 'bf16'}}
  %0 = moe.combine %z weights(%w : tensor<?x8xbf16>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

func.func @none(%z: tensor<?x8x64xbf16>) -> tensor<?x64xbf16> {
  // expected-error @below {{cannot promote this combination to f32: expected router probabilities, as weights or in an activation that feeds it}}
  %0 = moe.combine %z : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

func.func @twice(%x: tensor<?x8x128xf16>, %p: tensor<?x8xf32>) -> tensor<?x64xf16> {
  // expected-note @below {{applied here too}}
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>)
         points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
         : tensor<?x8x128xf16> to tensor<?x8x64xf16>
  // expected-error @below {{cannot promote this combination to f32: the probability is applied twice}}
  %0 = moe.combine %h weights(%p : tensor<?x8xf32>) : tensor<?x8x64xf16> to tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// -----

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// The permutation to tokens multiplies by probabilities.
func.func @fused_permutation(%z: tensor<?x64xbf16>, %p: tensor<?xf32>, %order: tensor<?xi32>, %to: tensor<?x64xbf16>, %i: tensor<?x8xi32>)
    -> tensor<?x64xbf16> {
  %0 = linalg.generic {indexing_maps = [#rows, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%order, %p : tensor<?xi32>, tensor<?xf32>) outs(%to : tensor<?x64xbf16>) {
  ^bb0(%row: i32, %w: f32, %out: bf16):
    %1 = arith.index_cast %row : i32 to index
    %2 = linalg.index 1 : index
    %3 = tensor.extract %z[%1, %2] : tensor<?x64xbf16>
    %4 = arith.extf %3 : bf16 to f32
    // expected-note @below {{applied here}}
    %5 = arith.mulf %4, %w : f32
    %6 = arith.truncf %5 : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<?x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: the permutation between the experts and it applies probabilities already}}
  %y = moe.combine %0 indices(%i : tensor<?x8xi32>) : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// -----

func.func @weighted(%z: tensor<?x8x64xbf16>, %p: tensor<?x8xbf16>, %to: tensor<?x8x64xbf16>) -> tensor<?x64xbf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %p : tensor<?x8x64xbf16>, tensor<?x8xbf16>) outs(%to : tensor<?x8x64xbf16>) {
  ^bb0(%a: bf16, %w: bf16, %out: bf16):
    // expected-note @below {{applied here}}
    %1 = arith.mulf %a, %w : bf16
    linalg.yield %1 : bf16
  } -> tensor<?x8x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: expected the outputs of experts but got products with probabilities}}
  %y = moe.combine %0 : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// -----

func.func @other_uses(%x: tensor<?x8x128xf16>, %p: tensor<?x8xf32>) -> (tensor<?x64xf16>, tensor<?x8x64xf16>) {
  // expected-note @below {{the activation is here}}
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>)
         points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
         : tensor<?x8x128xf16> to tensor<?x8x64xf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: the activation has other uses}}
  %0 = moe.combine %h : tensor<?x8x64xf16> to tensor<?x64xf16>
  return %0, %h : tensor<?x64xf16>, tensor<?x8x64xf16>
}

// -----

func.func @narrow_activation(%x: tensor<?x8x128xf16>, %p: tensor<?x8xf16>) -> tensor<?x64xf16> {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf16>)
         points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
         : tensor<?x8x128xf16> to tensor<?x8x64xf16>
  // expected-error @below {{cannot promote this combination to f32: expected router probabilities in f32 but got 'f16'}}
  %0 = moe.combine %h : tensor<?x8x64xf16> to tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// -----

#slots = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j, k) -> (i, j, k)>
#sum = affine_map<(i, j, k) -> (i, k)>

// Written out.
func.func @written_narrow(%z: tensor<?x8x64xbf16>, %w: tensor<?x8xbf16>, %to: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: expected router probabilities in f32 but got 'bf16'}}
  %y = linalg.generic {indexing_maps = [#all, #slots, #sum], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%z, %w : tensor<?x8x64xbf16>, tensor<?x8xbf16>) outs(%init : tensor<?x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %0 = arith.mulf %a, %b : bf16
    %1 = arith.addf %0, %acc : bf16
    linalg.yield %1 : bf16
  } -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// -----

#slots = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j, k) -> (i, j, k)>
#sum = affine_map<(i, j, k) -> (i, k)>

func.func @written_twice(%x: tensor<?x8x64xbf16>, %w: tensor<?x8xf32>, %t: tensor<?x8x64xbf16>, %to: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%to : tensor<?x64xf32>) -> tensor<?x64xf32>
  %z = linalg.generic {indexing_maps = [#all, #slots, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<?x8x64xbf16>, tensor<?x8xf32>) outs(%t : tensor<?x8x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    // expected-note @below {{applied here too}}
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x8x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: the probability is applied twice}}
  %y = linalg.generic {indexing_maps = [#all, #slots, #sum], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%z, %w : tensor<?x8x64xbf16>, tensor<?x8xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%a: bf16, %b: f32, %acc: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    %3 = arith.extf %2 : bf16 to f32
    %4 = arith.addf %3, %acc : f32
    linalg.yield %4 : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_activation_twice(%g: tensor<?x64xf16>, %u: tensor<?x64xf16>, %p: tensor<?xf16>, %q: tensor<?xf16>, %to: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %s = nn.silu %g : tensor<?x64xf16>
  %m = arith.mulf %s, %u : tensor<?x64xf16>
  %y = linalg.generic {indexing_maps = [#all, #rows, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p, %q : tensor<?x64xf16>, tensor<?xf16>, tensor<?xf16>) outs(%to : tensor<?x64xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %out: f16):
    %0 = arith.mulf %a, %b : f16
    // expected-error @below {{cannot promote this activation to f32: the probability is applied twice}}
    %1 = arith.mulf %0, %c : f16
    linalg.yield %1 : f16
  } -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_gelu(%g: tensor<?x64xf16>, %u: tensor<?x64xf16>, %p: tensor<?xf16>, %to: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %s = nn.gelu %g : tensor<?x64xf16>
  %m = arith.mulf %s, %u : tensor<?x64xf16>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<?x64xf16>, tensor<?xf16>) outs(%to : tensor<?x64xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    // expected-error @below {{cannot promote this activation to f32: expected a gated silu but got gelu}}
    %0 = arith.mulf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

func.func @written_quantized(%g: tensor<?x64xf16>, %u: tensor<?x64xf16>) -> tensor<?x64xf8E5M2> {
  %s = nn.silu %g : tensor<?x64xf16>
  // expected-error @below {{cannot promote this activation to f32: its result is quantized to 'f8E5M2'}}
  %m = arith.mulf %s, %u : tensor<?x64xf16>
  // expected-note @below {{quantized here}}
  %y = arith.truncf %m : tensor<?x64xf16> to tensor<?x64xf8E5M2>
  return %y : tensor<?x64xf8E5M2>
}

// -----

func.func @bias(%x: tensor<?x8x128xf16>, %p: tensor<?x8xf32>, %b: tensor<64xf16>) -> tensor<?x64xf16> {
  // expected-note @below {{the activation is here}}
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>)
         points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
         : tensor<?x8x128xf16> to tensor<?x8x64xf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: it has a bias}}
  %0 = moe.combine %h bias(%b : tensor<64xf16>) : tensor<?x8x64xf16> to tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// -----

// Rows of experts, of which nothing says what token they are of.
func.func @other_rows(%x: tensor<?x128xf16>, %p: tensor<?xf32>, %n: index, %k: index) -> tensor<?x64xf16> {
  // expected-note @below {{the activation is here}}
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>)
         points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
         : tensor<?x128xf16> to tensor<?x64xf16>
  %c = tensor.empty(%n, %k) : tensor<?x?x64xf16>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%c : tensor<?x?x64xf16>) {
  ^bb0(%out: f16):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = arith.addi %0, %1 : index
    %4 = tensor.extract %h[%3, %2] : tensor<?x64xf16>
    linalg.yield %4 : f16
  } -> tensor<?x?x64xf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: its rows are not those of the activation}}
  %y = moe.combine %z : tensor<?x?x64xf16> to tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

func.func @grad_f32(%dy: tensor<?x64xf32>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  // expected-error @below {{cannot promote this activation's gradient to f32: expected bf16 or f16 operands but got 'f32'}}
  %0 = moe.activation_grad silu %dy, %x layout halves : tensor<?x64xf32>, tensor<?x128xf32> to tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// -----

func.func @grad_gelu(%dy: tensor<?x64xf16>, %x: tensor<?x128xf16>) -> tensor<?x128xf16> {
  // expected-error @below {{cannot promote this activation's gradient to f32: expected a gated silu but got gelu}}
  %0 = moe.activation_grad gelu %dy, %x layout halves : tensor<?x64xf16>, tensor<?x128xf16> to tensor<?x128xf16>
  return %0 : tensor<?x128xf16>
}

// -----

func.func @grad_plain(%dy: tensor<?x64xf16>, %x: tensor<?x64xf16>) -> tensor<?x64xf16> {
  // expected-error @below {{cannot promote this activation's gradient to f32: expected a gated silu but got silu without up}}
  %0 = moe.activation_grad silu %dy, %x : tensor<?x64xf16>, tensor<?x64xf16> to tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// -----

func.func @combine_grad_f32(%dy: tensor<?x64xf32>, %z: tensor<?x8x64xf32>) -> tensor<?x8x64xf32> {
  // expected-error @below {{cannot promote this combination's gradient to f32: expected bf16 or f16 operands but got 'f32'}}
  %0 = moe.combine_grad %dy, %z : tensor<?x64xf32>, tensor<?x8x64xf32> to tensor<?x8x64xf32>
  return %0 : tensor<?x8x64xf32>
}

// -----

func.func @combine_grad_none(%dy: tensor<?x64xf16>, %z: tensor<?x8x64xf16>) -> tensor<?x8x64xf16> {
  // expected-error @below {{cannot promote this combination's gradient to f32: expected router probabilities as weights}}
  %0 = moe.combine_grad %dy, %z : tensor<?x64xf16>, tensor<?x8x64xf16> to tensor<?x8x64xf16>
  return %0 : tensor<?x8x64xf16>
}

// -----

func.func @combine_grad_narrow(%dy: tensor<?x64xf16>, %z: tensor<?x8x64xf16>, %w: tensor<?x8xf16>) -> (tensor<?x8x64xf16>, tensor<?x8xf16>) {
  // expected-error @below {{cannot promote this combination's gradient to f32: expected router probabilities in f32 but got 'f16'}}
  %0:2 = moe.combine_grad %dy, %z weights(%w : tensor<?x8xf16>)
           : tensor<?x64xf16>, tensor<?x8x64xf16> to tensor<?x8x64xf16> weights tensor<?x8xf16>
  return %0#0, %0#1 : tensor<?x8x64xf16>, tensor<?x8xf16>
}

// -----

// The activation's gradient without the combination's.
func.func @one_gradient(%x: tensor<?x8x128xf16>, %p: tensor<?x8xf32>, %dh: tensor<?x8x64xf16>) -> (tensor<?x64xf16>, tensor<?x8x128xf16>, tensor<?x8xf32>) {
  // expected-note @below {{the activation is here}}
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>)
         points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
         : tensor<?x8x128xf16> to tensor<?x8x64xf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: that of its gradient cannot move to the gradient of the combination}}
  %y = moe.combine %h : tensor<?x8x64xf16> to tensor<?x64xf16>
  %0:2 = moe.activation_grad silu %dh, %x layout halves probability(%p : tensor<?x8xf32>) derivative closed form product
           points {activated = false, bias = false, chained = false, clamp = false, complement = false, gated = false, inner = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false, slope = false, sloped = false, term = false, weighted = false}
           : tensor<?x8x64xf16>, tensor<?x8x128xf16> to tensor<?x8x128xf16> probability tensor<?x8xf32>
  return %y, %0#0, %0#1 : tensor<?x64xf16>, tensor<?x8x128xf16>, tensor<?x8xf32>
}
