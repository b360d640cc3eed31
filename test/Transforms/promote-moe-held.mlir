// What cannot be promoted holds back its forward or its gradients, operations and written-out ones: nothing is promoted by half.
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true on-unsupported=warn" --remarks-filter=prec-.* --remark-policy=all --verify-diagnostics --split-input-file -o %t.mlir
// RUN: prec-opt %s --split-input-file -o %t.before 2>%t.txt
// RUN: cmp %t.before %t.mlir
// RUN: not prec-opt %s --prec-promote-moe="activation=true combine=true" --split-input-file -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: cannot promote this combination's gradient to f32: expected router probabilities in f32 but got 'bf16'

// The weights were saved in bf16.
func.func @combination(%z: tensor<8x2x64xbf16>, %p: tensor<8x2xf32>, %saved: tensor<8x2xbf16>, %dy: tensor<8x64xbf16>)
    -> (tensor<8x64xbf16>, tensor<8x2x64xbf16>, tensor<8x2xbf16>, tensor<8x2x64xbf16>, tensor<8x2xf32>) {
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what=combination, why="its gradient cannot be promoted"}}
  %y = moe.combine %z weights(%p : tensor<8x2xf32>) : tensor<8x2x64xbf16> to tensor<8x64xbf16>
  // expected-warning @below {{cannot promote this combination's gradient to f32: expected router probabilities in f32 but got 'bf16'}}
  %a:2 = moe.combine_grad %dy, %z weights(%saved : tensor<8x2xbf16>) : tensor<8x64xbf16>, tensor<8x2x64xbf16> to tensor<8x2x64xbf16> weights tensor<8x2xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what="combination's gradient", why="its combination cannot be promoted"}}
  %b:2 = moe.combine_grad %dy, %z weights(%p : tensor<8x2xf32>) : tensor<8x64xbf16>, tensor<8x2x64xbf16> to tensor<8x2x64xbf16> weights tensor<8x2xf32>
  return %y, %a#0, %a#1, %b#0, %b#1 : tensor<8x64xbf16>, tensor<8x2x64xbf16>, tensor<8x2xbf16>, tensor<8x2x64xbf16>, tensor<8x2xf32>
}

// -----

func.func @activation(%x: tensor<8x128xf16>, %dy: tensor<8x64xf16>, %dz: tensor<8x64xf16>) -> (tensor<8x64xf16>, tensor<8x128xf16>, tensor<8x128xf16>) {
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what=activation, why="its gradient cannot be promoted"}}
  %h = moe.activation silu %x layout halves : tensor<8x128xf16> to tensor<8x64xf16>
  // expected-warning @below {{cannot promote this activation's gradient to f32: expected a gated silu but got gelu}}
  %a = moe.activation_grad gelu %dy, %x layout halves : tensor<8x64xf16>, tensor<8x128xf16> to tensor<8x128xf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what="activation's gradient", why="its activation cannot be promoted"}}
  %b = moe.activation_grad silu %dz, %x layout halves : tensor<8x64xf16>, tensor<8x128xf16> to tensor<8x128xf16>
  return %h, %a, %b : tensor<8x64xf16>, tensor<8x128xf16>, tensor<8x128xf16>
}

// -----

#all = affine_map<(i, j) -> (i, j)>

// What is left of the gradient is decided in a region.
func.func @written(%g: tensor<8x64xbf16>, %u: tensor<8x64xbf16>, %dy: tensor<8x64xbf16>, %c: i1, %to: tensor<8x64xbf16>)
    -> (tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) {
  %s = nn.silu %g : tensor<8x64xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what=activation, why="its gradient cannot be promoted"}}
  %h = arith.mulf %s, %u : tensor<8x64xbf16>
  %du = arith.mulf %dy, %s : tensor<8x64xbf16>
  %dg = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u, %dy : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) outs(%to : tensor<8x64xbf16>) {
  ^bb0(%g0: bf16, %u0: bf16, %d0: bf16, %out: bf16):
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %g1 = arith.extf %g0 : bf16 to f32
    %u1 = arith.extf %u0 : bf16 to f32
    %d1 = arith.extf %d0 : bf16 to f32
    %c1 = arith.mulf %d1, %u1 : f32
    %c2 = arith.truncf %c1 : f32 to bf16
    %c3 = arith.extf %c2 : bf16 to f32
    %minus = arith.negf %g1 : f32
    %e = math.exp %minus : f32
    %divisor = arith.addf %one, %e : f32
    %sig = arith.divf %one, %divisor : f32
    %rest = arith.subf %one, %sig : f32
    %inner = arith.mulf %g1, %rest : f32
    %slope = arith.addf %one, %inner : f32
    %ds = arith.mulf %c3, %sig : f32
    %r = arith.mulf %ds, %slope : f32
    %keep = scf.if %c -> i1 {
      %most = arith.constant 7.0 : f32
      %below = arith.cmpf olt, %g1, %most : f32
      scf.yield %below : i1
    } else {
      scf.yield %c : i1
    }
    %kept = arith.select %keep, %r, %zero : f32
    // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what="activation's gradient", why="its operands cannot be read in one place"}}
    %rounded = arith.truncf %kept : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<8x64xbf16>
  return %h, %dg, %du : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>
}

// -----

// An operation, its gradients written out.
func.func @operation_and_written(%x: tensor<8x128xbf16>, %dy: tensor<8x64xbf16>) -> (tensor<8x64xf8E4M3FN>, tensor<8x64xbf16>, tensor<8x64xbf16>) {
  // expected-warning @below {{cannot promote this activation to f32: its result is quantized to 'f8E4M3FN'}}
  %h = moe.activation silu %x layout halves : tensor<8x128xbf16> to tensor<8x64xbf16>
  // expected-note @below {{quantized here}}
  %q = arith.truncf %h : tensor<8x64xbf16> to tensor<8x64xf8E4M3FN>
  %g = tensor.extract_slice %x[0, 0] [8, 64] [1, 1] : tensor<8x128xbf16> to tensor<8x64xbf16>
  %u = tensor.extract_slice %x[0, 64] [8, 64] [1, 1] : tensor<8x128xbf16> to tensor<8x64xbf16>
  %s = nn.silu %g : tensor<8x64xbf16>
  %du = arith.mulf %dy, %s : tensor<8x64xbf16>
  %c = arith.mulf %dy, %u : tensor<8x64xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what="activation's gradient", why="its activation cannot be promoted"}}
  %dg = nn.silu_grad %c, %g : tensor<8x64xbf16>
  return %q, %dg, %du : tensor<8x64xf8E4M3FN>, tensor<8x64xbf16>, tensor<8x64xbf16>
}

// -----

// Written out, its gradient an operation.
func.func @written_and_operation(%g: tensor<8x64xbf16>, %u: tensor<8x64xbf16>, %dy: tensor<8x64xbf16>) -> (tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) {
  %s = nn.silu %g : tensor<8x64xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what=activation, why="its gradient cannot be promoted"}}
  %h = arith.mulf %s, %u : tensor<8x64xbf16>
  // expected-warning @below {{cannot promote this activation's gradient to f32: expected a gated silu but got gelu}}
  %a:2 = moe.activation_grad gelu %dy, %g up(%u : tensor<8x64xbf16>) : tensor<8x64xbf16>, tensor<8x64xbf16> to tensor<8x64xbf16> up tensor<8x64xbf16>
  return %h, %a#0, %a#1 : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>
}

// -----

// A combination whose weights are f32, its gradients with weights that were saved in bf16: all written out.
#token = affine_map<(i, j, k) -> (i, k)>
#slot = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j, k) -> (i, j, k)>

func.func @written_combination(%z: tensor<8x2x64xbf16>, %p: tensor<8x2xf32>, %saved: tensor<8x2xbf16>, %dy: tensor<8x64xbf16>, %to: tensor<8x2x64xbf16>)
    -> (tensor<8x64xbf16>, tensor<8x2x64xbf16>, tensor<8x2xbf16>) {
  %w = arith.truncf %p : tensor<8x2xf32> to tensor<8x2xbf16>
  %t = linalg.generic {indexing_maps = [#all, #slot, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %w : tensor<8x2x64xbf16>, tensor<8x2xbf16>) outs(%to : tensor<8x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<8x2x64xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what=combination, why="its gradient cannot be promoted"}}
  %y = nn.sum %t dim 1 : tensor<8x2x64xbf16> to tensor<8x64xbf16>
  %dz = linalg.generic {indexing_maps = [#token, #slot, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dy, %saved : tensor<8x64xbf16>, tensor<8x2xbf16>) outs(%to : tensor<8x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    // expected-warning @below {{cannot promote this combination's gradient to f32: expected router probabilities in f32 but got 'bf16'}}
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<8x2x64xbf16>
  %products = linalg.generic {indexing_maps = [#token, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dy, %z : tensor<8x64xbf16>, tensor<8x2x64xbf16>) outs(%to : tensor<8x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<8x2x64xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what="combination's gradient", why="its combination cannot be promoted"}}
  %dw = nn.sum %products dim 2 : tensor<8x2x64xbf16> to tensor<8x2xbf16>
  return %y, %dz, %dw : tensor<8x64xbf16>, tensor<8x2x64xbf16>, tensor<8x2xbf16>
}

// -----

// The combination is an operation.
#token = affine_map<(i, j, k) -> (i, k)>
#all = affine_map<(i, j, k) -> (i, j, k)>

func.func @combination_and_written(%z: tensor<8x2x64xbf16>, %w: tensor<8x2xbf16>, %dy: tensor<8x64xbf16>, %to: tensor<8x2x64xbf16>)
    -> (tensor<8x64xbf16>, tensor<8x2xbf16>) {
  // expected-warning @below {{cannot promote this combination to f32: expected router probabilities in f32 but got 'bf16'}}
  %y = moe.combine %z weights(%w : tensor<8x2xbf16>) : tensor<8x2x64xbf16> to tensor<8x64xbf16>
  %products = linalg.generic {indexing_maps = [#token, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dy, %z : tensor<8x64xbf16>, tensor<8x2x64xbf16>) outs(%to : tensor<8x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<8x2x64xbf16>
  // expected-remark @below {{[Missed] left-alone | Category:prec-promote-moe | what="combination's gradient", why="its combination cannot be promoted"}}
  %dw = nn.sum %products dim 2 : tensor<8x2x64xbf16> to tensor<8x2xbf16>
  return %y, %dw : tensor<8x64xbf16>, tensor<8x2xbf16>
}
