// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --canonicalize --cse -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: prec-opt %t.once --prec-promote-moe="activation=true combine=true" --canonicalize --cse -o %t.twice
// RUN: cmp %t.once %t.twice
// RUN: prec-opt %s --canonicalize --cse --prec-promote-moe="activation=true combine=true" --canonicalize --cse -o %t.between
// RUN: cmp %t.once %t.between
// RUN: prec-opt %s --prec-make-rounding-explicit --prec-promote-moe="activation=true combine=true" --canonicalize --cse | FileCheck %s --check-prefix=LEVELR
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --remarks-filter=prec-.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

// Forward and gradients; the roundings left are those of the results.
// CHECK-LABEL: func @both
// CHECK-COUNT-3: arith.truncf
// CHECK-NOT:     arith.truncf
// CHECK:         return
// LEVELR-LABEL: func @both
// LEVELR-COUNT-3: prec.round
// LEVELR-NOT:     prec.round
// LEVELR:         return
// REMARK-NOT:  it has uses before
// REMARK-DAG:  how="inner roundings dropped, one at the result", what=activation
// REMARK-DAG:  how="the probability's gradient a sum of f32 products", what="activation's gradient"
// REMARK-DAG:  how="inner roundings dropped, one at the result", what="activation's gradient"
// REMARK-DAG:  how="inner roundings dropped, one at the result", what="activation's gradient"
func.func @both(%g: tensor<66x64xbf16>, %u: tensor<66x64xbf16>, %p: tensor<66xf32>, %dy: tensor<66x64xbf16>, %to: tensor<66x64xbf16>, %tof: tensor<66x64xf32>) -> (tensor<66x64xbf16>, tensor<66x64xbf16>, tensor<66x64xbf16>, tensor<66xf32>) {
  %s = nn.silu %g : tensor<66x64xbf16>
  %m = arith.mulf %s, %u : tensor<66x64xbf16>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<66x64xbf16>, tensor<66xf32>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<66x64xbf16>
  %d = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dy, %p : tensor<66x64xbf16>, tensor<66xf32>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<66x64xbf16>
  %terms = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dy, %m : tensor<66x64xbf16>, tensor<66x64xbf16>) outs(%tof : tensor<66x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<66x64xf32>
  %dp = nn.sum %terms dim 1 : tensor<66x64xf32> to tensor<66xf32>
  %du = arith.mulf %d, %s : tensor<66x64xbf16>
  %c = arith.mulf %d, %u : tensor<66x64xbf16>
  %dg = nn.silu_grad %c, %g : tensor<66x64xbf16>
  return %y, %dg, %du, %dp : tensor<66x64xbf16>, tensor<66x64xbf16>, tensor<66x64xbf16>, tensor<66xf32>
}

// The gradient of a gate alone: silu comes as an argument, so that of up does not say what it is of.
// CHECK-LABEL: func @saved
// CHECK:         arith.mulf %{{.*}} : tensor<8x64xf16>
// CHECK:         math.fma
// CHECK:         arith.truncf
// REMARK-DAG:  :[[#@LINE+2]]:9: remark: {{.*}} what="activation's gradient", why="the gradient of up is a product with an argument, and nothing says that this is silu of the gate"
func.func @saved(%dy: tensor<8x64xf16>, %g: tensor<8x64xf16>, %u: tensor<8x64xf16>, %silu: tensor<8x64xf16>) -> (tensor<8x64xf16>, tensor<8x64xf16>) {
  %gu = arith.mulf %dy, %silu : tensor<8x64xf16>
  %c = arith.mulf %dy, %u : tensor<8x64xf16>
  %gg = nn.silu_grad %c, %g : tensor<8x64xf16>
  return %gg, %gu : tensor<8x64xf16>, tensor<8x64xf16>
}

// Where the forward is there, what it keeps is computed again, in f32.
// CHECK-LABEL: func @kept
// CHECK-COUNT-3: arith.truncf
// CHECK-NOT:     arith.truncf
// CHECK:         return
func.func @kept(%dy: tensor<8x64xf16>, %g: tensor<8x64xf16>, %u: tensor<8x64xf16>)
    -> (tensor<8x64xf16>, tensor<8x64xf16>, tensor<8x64xf16>, tensor<8x64xf16>) {
  %s = nn.silu %g : tensor<8x64xf16>
  %silu = prec.materialize %s : tensor<8x64xf16>
  %h = arith.mulf %silu, %u : tensor<8x64xf16>
  %gu = arith.mulf %dy, %silu : tensor<8x64xf16>
  %c = arith.mulf %dy, %u : tensor<8x64xf16>
  %gg = nn.silu_grad %c, %g : tensor<8x64xf16>
  return %h, %silu, %gg, %gu : tensor<8x64xf16>, tensor<8x64xf16>, tensor<8x64xf16>, tensor<8x64xf16>
}

// No gradient of up.
// REMARK-DAG:  :[[#@LINE+3]]:9: remark: {{.*}} what="activation's gradient", why="the gradient of up is not computed from the gate"
func.func @gate_only(%dy: tensor<8x64xf16>, %g: tensor<8x64xf16>, %u: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %c = arith.mulf %dy, %u : tensor<8x64xf16>
  %gg = nn.silu_grad %c, %g : tensor<8x64xf16>
  return %gg : tensor<8x64xf16>
}

// A silu's gradient that is of no gated activation; a sigmoid's.
// CHECK-LABEL: func @others
// CHECK-NEXT:    nn.silu_grad
// CHECK-NEXT:    nn.sigmoid_grad
// CHECK-NEXT:    return
func.func @others(%dy: tensor<8x64xf16>, %g: tensor<8x64xf16>) -> (tensor<8x64xf16>, tensor<8x64xf16>) {
  %0 = nn.silu_grad %dy, %g : tensor<8x64xf16>
  %1 = nn.sigmoid_grad %dy, %g : tensor<8x64xf16>
  return %0, %1 : tensor<8x64xf16>, tensor<8x64xf16>
}

// Limits, with their masks, alpha and the offset of up.
// CHECK-LABEL: func @limited
// CHECK:         linalg.generic
// CHECK-NOT:       arith.truncf
// CHECK:           arith.select
// CHECK-NEXT:      arith.truncf
// CHECK-NEXT:      linalg.yield
func.func @limited(%dy: tensor<8x64xbf16>, %g0: tensor<8x64xbf16>, %u: tensor<8x64xbf16>, %to: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %y = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dy, %g0, %u : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) outs(%to : tensor<8x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16, %out: bf16):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %limit = arith.constant 7.0 : f32
    %alpha = arith.constant 1.702 : f32
    %b32 = arith.extf %b : bf16 to f32
    %g = arith.minimumf %b32, %limit : f32
    %ag = arith.mulf %g, %alpha : f32
    %minus = arith.negf %ag : f32
    %e = math.exp %minus : f32
    %divisor = arith.addf %e, %one : f32
    %s = arith.divf %one, %divisor : f32
    %u32 = arith.extf %c : bf16 to f32
    %o = arith.addf %u32, %one : f32
    %o16 = arith.truncf %o : f32 to bf16
    %o2 = arith.extf %o16 : bf16 to f32
    %dy32 = arith.extf %a : bf16 to f32
    %d = arith.mulf %dy32, %o2 : f32
    %rest = arith.subf %one, %s : f32
    %inner = arith.mulf %ag, %rest : f32
    %slope = arith.addf %inner, %one : f32
    %ds = arith.mulf %d, %s : f32
    %v = arith.mulf %ds, %slope : f32
    %in = arith.cmpf ole, %b32, %limit : f32
    %masked = arith.select %in, %v, %zero : f32
    %r = arith.truncf %masked : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// What is left alone, and why.
// REMARK-DAG: what=activation, why="expected a gated silu but got gelu_tanh"
func.func @gelu(%g: tensor<8x64xbf16>, %u: tensor<8x64xbf16>, %p: tensor<8xf32>, %to: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %y = linalg.generic {indexing_maps = [#all, #all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u, %p : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>) outs(%to : tensor<8x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32, %out: bf16):
    %h = arith.constant 0.5 : bf16
    %t = math.tanh %a : bf16
    %0 = arith.mulf %t, %h : bf16
    %1 = arith.mulf %0, %b : bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.mulf %2, %c : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
// REMARK-DAG: what=activation, why="expected a gated silu but got relu"
func.func @relu2(%g: tensor<8x64xbf16>, %p: tensor<8xf32>, %to: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%g, %p : tensor<8x64xbf16>, tensor<8xf32>) outs(%to : tensor<8x64xbf16>) {
  ^bb0(%a: bf16, %c: f32, %out: bf16):
    %h = arith.constant 0.0 : bf16
    %t = arith.maximumf %a, %h : bf16
    %1 = arith.mulf %t, %t : bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.mulf %2, %c : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
// REMARK-DAG: what=activation, why="expected a gated silu but got silu without up"
func.func @plain(%g: tensor<8x64xbf16>, %p: tensor<8xf32>, %to: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %s = nn.silu %g : tensor<8x64xbf16>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %p : tensor<8x64xbf16>, tensor<8xf32>) outs(%to : tensor<8x64xbf16>) {
  ^bb0(%a: bf16, %c: f32, %out: bf16):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.mulf %2, %c : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
// REMARK-DAG: what=activation, why="it has more factors than a gate, an up and a probability"
func.func @three(%g: tensor<8x64xbf16>, %u: tensor<8x64xbf16>, %v: tensor<8x64xbf16>, %p: tensor<8xf32>, %to: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %s = nn.silu %g : tensor<8x64xbf16>
  %a = arith.mulf %s, %u : tensor<8x64xbf16>
  %b = arith.mulf %a, %v : tensor<8x64xbf16>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%b, %p : tensor<8x64xbf16>, tensor<8xf32>) outs(%to : tensor<8x64xbf16>) {
  ^bb0(%a0: bf16, %c: f32, %out: bf16):
    %2 = arith.extf %a0 : bf16 to f32
    %3 = arith.mulf %2, %c : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// A combination's gradients without it: both are there, and the first is returned.
// CHECK-LABEL: func @combine_gradients
// CHECK-SAME:    %{{.*}}: tensor<4x64xbf16>, %{{.*}}: tensor<4x2x64xbf16>, %[[P:.*]]: tensor<4x2xf32>
// CHECK:         ins({{.*}}, %[[P]] :
// CHECK:         nn.sum %{{.*}} : tensor<4x2x64xf32> to tensor<4x2xf32>
// CHECK-NEXT:    arith.truncf
// REMARK-DAG:  how="products in f32, one rounding for each gradient", what="combination's gradient"
func.func @combine_gradients(%gout: tensor<4x64xbf16>, %z: tensor<4x2x64xbf16>, %p: tensor<4x2xf32>, %to: tensor<4x2x64xbf16>)
    -> (tensor<4x2x64xbf16>, tensor<4x2xbf16>) {
  %w = arith.truncf %p : tensor<4x2xf32> to tensor<4x2xbf16>
  %gz = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %w : tensor<4x64xbf16>, tensor<4x2xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %z : tensor<4x64xbf16>, tensor<4x2x64xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %gw = nn.sum %t dim 2 : tensor<4x2x64xbf16> to tensor<4x2xbf16>
  return %gz, %gw : tensor<4x2x64xbf16>, tensor<4x2xbf16>
}

// One of them without the combination and without the other.
// CHECK-LABEL: func @term_gradient
// CHECK-SAME:    %{{.*}}: tensor<4x64xbf16>, %[[P:.*]]: tensor<4x2xf32>
// CHECK:         ins({{.*}}%[[P]]
// CHECK:         arith.mulf %{{.*}} : f32
// LEVELR-LABEL: func @term_gradient
// LEVELR-COUNT-1: prec.round
// LEVELR-NOT:   prec.round
// LEVELR:       return
func.func @term_gradient(%gout: tensor<4x64xbf16>, %p: tensor<4x2xf32>, %to: tensor<4x2x64xbf16>) -> tensor<4x2x64xbf16> {
  %w = arith.truncf %p : tensor<4x2xf32> to tensor<4x2xbf16>
  %gz = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %w : tensor<4x64xbf16>, tensor<4x2xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  return %gz : tensor<4x2x64xbf16>
}
// CHECK-LABEL: func @weight_gradient
// CHECK:         nn.sum %{{.*}} : tensor<4x2x64xf32> to tensor<4x2xf32>
// LEVELR-LABEL: func @weight_gradient
// LEVELR-COUNT-1: prec.round
// LEVELR-NOT:   prec.round
// LEVELR:       return
func.func @weight_gradient(%gout: tensor<4x64xbf16>, %z: tensor<4x2x64xbf16>, %to: tensor<4x2x64xbf16>) -> tensor<4x2xbf16> {
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %z : tensor<4x64xbf16>, tensor<4x2x64xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %gw = nn.sum %t dim 2 : tensor<4x2x64xbf16> to tensor<4x2xbf16>
  return %gw : tensor<4x2xbf16>
}

// Both, of weights that are 16-bit.
// CHECK-LABEL: func @narrow_gradients
// CHECK-COUNT-2: arith.mulf %{{.*}} : bf16
// REMARK-DAG:  :[[#@LINE+15]]:9: remark: {{.*}} what="combination's gradient", why="its router probabilities are not f32"
func.func @narrow_gradients(%gout: tensor<4x64xbf16>, %z: tensor<4x2x64xbf16>, %w: tensor<4x2xbf16>, %to: tensor<4x2x64xbf16>)
    -> (tensor<4x2x64xbf16>, tensor<4x2xbf16>) {
  %gz = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %w : tensor<4x64xbf16>, tensor<4x2xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %z : tensor<4x64xbf16>, tensor<4x2x64xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %gw = nn.sum %t dim 2 : tensor<4x2x64xbf16> to tensor<4x2xbf16>
  return %gz, %gw : tensor<4x2x64xbf16>, tensor<4x2xbf16>
}

// The gated residual's, of the same form: its first product is summed.
// REMARK-DAG:  :[[#@LINE+11]]:10: remark: {{.*}} what="combination's gradient", why="nothing says that it is a combination's: its result has other uses"
// REMARK-DAG:  :[[#@LINE+20]]:9: remark: {{.*}} what="combination's gradient", why="nothing says that it is a combination's: another product of the same gradient has other uses"
// CHECK-LABEL: func @write_back
// CHECK-COUNT-2: arith.mulf %{{.*}} : bf16
// CHECK:         nn.sum {{.*}} : tensor<4x2x64xbf16> to tensor<4x2xbf16>
func.func @write_back(%h: tensor<4x64xbf16>, %gm: tensor<4x2x64xbf16>, %c0: tensor<4x2xf32>, %to: tensor<4x2x64xbf16>)
    -> (tensor<4x64xbf16>, tensor<4x2xbf16>) {
  %c = arith.truncf %c0 : tensor<4x2xf32> to tensor<4x2xbf16>
  %t0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%h, %c : tensor<4x64xbf16>, tensor<4x2xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %s = nn.sum %t0 dim 1 : tensor<4x2x64xbf16> to tensor<4x64xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%h, %gm : tensor<4x64xbf16>, tensor<4x2x64xbf16>) outs(%to : tensor<4x2x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x2x64xbf16>
  %gw = nn.sum %t dim 2 : tensor<4x2x64xbf16> to tensor<4x2xbf16>
  return %s, %gw : tensor<4x64xbf16>, tensor<4x2xbf16>
}

// Ascending experts, at level R: in the order that the program has.
// LEVELR-LABEL: func @by_keys
// LEVELR:         tensor.extract %{{.*}} : tensor<?x4xf32>
// LEVELR:         arith.addf
// LEVELR-NEXT:    linalg.yield
func.func @by_keys(%z: tensor<?x4x64xbf16>, %p: tensor<?x4xf32>, %ids: tensor<?x4xi32>) -> tensor<?x64xbf16> {
  %w = arith.truncf %p : tensor<?x4xf32> to tensor<?x4xbf16>
  %0 = moe.combine %z weights(%w : tensor<?x4xbf16>) by(%ids : tensor<?x4xi32>) : tensor<?x4x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
