// What run.py promotes. TYPE is bf16 or f16. Probabilities are those of 8 slots, of which activations have the first 2.

// Megatron, eager.
func.func @activation(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x8xf32>) -> tensor<?x2x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xf32>
  %two = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %0 = moe.activation silu %gu layout halves probability(%two : tensor<?x2xf32>) : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  return %0 : tensor<?x2x64xTYPE>
}

// The same, operation by operation.
func.func @activation_written(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x8xf32>) -> tensor<?x2x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xf32>
  %two = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %g = tensor.extract_slice %gu[0, 0, 0] [%n, 2, 64] [1, 1, 1] : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  %u = tensor.extract_slice %gu[0, 0, 64] [%n, 2, 64] [1, 1, 1] : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  %s = nn.silu %g : tensor<?x2x64xTYPE>
  %m = arith.mulf %s, %u : tensor<?x2x64xTYPE>
  %to = tensor.empty(%n) : tensor<?x2x64xTYPE>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%m, %two : tensor<?x2x64xTYPE>, tensor<?x2xf32>) outs(%to : tensor<?x2x64xTYPE>) {
  ^bb0(%a: TYPE, %b: f32, %out: TYPE):
    %0 = arith.extf %a : TYPE to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to TYPE
    linalg.yield %2 : TYPE
  } -> tensor<?x2x64xTYPE>
  return %y : tensor<?x2x64xTYPE>
}

// Hugging Face: 16-bit weights, ascending experts, a rounding after each step.
func.func @combine(%z: tensor<?x8x64xTYPE>, %p: tensor<?x8xf32>, %ids: tensor<?x8xi32>) -> tensor<?x64xTYPE> {
  %w = arith.truncf %p : tensor<?x8xf32> to tensor<?x8xTYPE>
  %0 = moe.combine %z weights(%w : tensor<?x8xTYPE>) by(%ids : tensor<?x8xi32>) : tensor<?x8x64xTYPE> to tensor<?x64xTYPE>
  return %0 : tensor<?x64xTYPE>
}

func.func @combine_written(%z: tensor<?x8x64xTYPE>, %p: tensor<?x8xf32>) -> tensor<?x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %z, %c0 : tensor<?x8x64xTYPE>
  %zero = arith.constant 0.0 : TYPE
  %w = arith.truncf %p : tensor<?x8xf32> to tensor<?x8xTYPE>
  %terms = tensor.empty(%n) : tensor<?x8x64xTYPE>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %w : tensor<?x8x64xTYPE>, tensor<?x8xTYPE>) outs(%terms : tensor<?x8x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: TYPE):
    %0 = arith.mulf %b, %a : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<?x8x64xTYPE>
  %to = tensor.empty(%n) : tensor<?x64xTYPE>
  %init = linalg.fill ins(%zero : TYPE) outs(%to : tensor<?x64xTYPE>) -> tensor<?x64xTYPE>
  %y = linalg.reduce ins(%t : tensor<?x8x64xTYPE>) outs(%init : tensor<?x64xTYPE>) dimensions = [1]
    (%a: TYPE, %acc: TYPE) {
      %0 = arith.addf %acc, %a : TYPE
      linalg.yield %0 : TYPE
    }
  return %y : tensor<?x64xTYPE>
}

// Megatron, probabilities applied by the experts, whose second product is left out.
func.func @block(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x2xf32>) -> tensor<?x64xTYPE> {
  %h = moe.activation silu %gu layout halves probability(%p : tensor<?x2xf32>) : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  %y = moe.combine %h : tensor<?x2x64xTYPE> to tensor<?x64xTYPE>
  return %y : tensor<?x64xTYPE>
}

// By rows, in the order of the slots.
func.func @block_rows(%gu: tensor<66x128xTYPE>, %p: tensor<66xf32>) -> tensor<33x64xTYPE> {
  %h = moe.activation silu %gu layout halves probability(%p : tensor<66xf32>) : tensor<66x128xTYPE> to tensor<66x64xTYPE>
  %z = tensor.expand_shape %h [[0, 1], [2]] output_shape [33, 2, 64] : tensor<66x64xTYPE> into tensor<33x2x64xTYPE>
  %y = moe.combine %z : tensor<33x2x64xTYPE> to tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

// By rows, in any order; a slot may have none.
func.func @block_indexed(%gu: tensor<?x128xTYPE>, %p: tensor<?xf32>, %i: tensor<?x2xi32>) -> tensor<?x64xTYPE> {
  %h = moe.activation silu %gu layout halves probability(%p : tensor<?xf32>) : tensor<?x128xTYPE> to tensor<?x64xTYPE>
  %y = moe.combine %h indices(%i : tensor<?x2xi32>) : tensor<?x64xTYPE> to tensor<?x64xTYPE>
  return %y : tensor<?x64xTYPE>
}

// The gradients, each operation's in turn.
func.func @activation_grad(%gm: tensor<?x2x64xTYPE>, %gu: tensor<?x2x128xTYPE>, %p: tensor<?x2xf32>) -> (tensor<?x2x128xTYPE>, tensor<?x2xTYPE>) {
  %w = arith.truncf %p : tensor<?x2xf32> to tensor<?x2xTYPE>
  %0:2 = moe.activation_grad silu %gm, %gu layout halves probability(%w : tensor<?x2xTYPE>) order <sequential>
           : tensor<?x2x64xTYPE>, tensor<?x2x128xTYPE> to tensor<?x2x128xTYPE> probability tensor<?x2xTYPE>
  return %0#0, %0#1 : tensor<?x2x128xTYPE>, tensor<?x2xTYPE>
}

func.func @combine_grad(%gout: tensor<?x64xTYPE>, %z: tensor<?x8x64xTYPE>, %p: tensor<?x8xf32>) -> (tensor<?x8x64xTYPE>, tensor<?x8xTYPE>) {
  %w = arith.truncf %p : tensor<?x8xf32> to tensor<?x8xTYPE>
  %0:2 = moe.combine_grad %gout, %z weights(%w : tensor<?x8xTYPE>) order <sequential>
           : tensor<?x64xTYPE>, tensor<?x8x64xTYPE> to tensor<?x8x64xTYPE> weights tensor<?x8xTYPE>
  return %0#0, %0#1 : tensor<?x8x64xTYPE>, tensor<?x8xTYPE>
}

// Forward and gradients: the probability moves in both.
func.func @block_grad(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x2xf32>, %gout: tensor<?x64xTYPE>)
    -> (tensor<?x64xTYPE>, tensor<?x2x128xTYPE>, tensor<?x2xf32>) {
  %h = moe.activation silu %gu layout halves probability(%p : tensor<?x2xf32>) : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  %y = moe.combine %h : tensor<?x2x64xTYPE> to tensor<?x64xTYPE>
  %gh = moe.combine_grad %gout, %h order <sequential> : tensor<?x64xTYPE>, tensor<?x2x64xTYPE> to tensor<?x2x64xTYPE>
  %0:2 = moe.activation_grad silu %gh, %gu layout halves probability(%p : tensor<?x2xf32>)
           : tensor<?x2x64xTYPE>, tensor<?x2x128xTYPE> to tensor<?x2x128xTYPE> probability tensor<?x2xf32>
  return %y, %0#0, %0#1 : tensor<?x64xTYPE>, tensor<?x2x128xTYPE>, tensor<?x2xf32>
}

func.func @block_rows_grad(%gu: tensor<66x128xTYPE>, %p: tensor<66xf32>, %gout: tensor<33x64xTYPE>, %i: tensor<33x2xi32>, %slots: tensor<66xi32>)
    -> (tensor<33x64xTYPE>, tensor<66x128xTYPE>, tensor<66xf32>) {
  %h = moe.activation silu %gu layout halves probability(%p : tensor<66xf32>) : tensor<66x128xTYPE> to tensor<66x64xTYPE>
  %y = moe.combine %h indices(%i : tensor<33x2xi32>) : tensor<66x64xTYPE> to tensor<33x64xTYPE>
  %gh = moe.combine_grad %gout, %h indices(%i : tensor<33x2xi32>) slots(%slots : tensor<66xi32>) order <sequential>
          : tensor<33x64xTYPE>, tensor<66x64xTYPE> to tensor<66x64xTYPE>
  %0:2 = moe.activation_grad silu %gh, %gu layout halves probability(%p : tensor<66xf32>)
           : tensor<66x64xTYPE>, tensor<66x128xTYPE> to tensor<66x128xTYPE> probability tensor<66xf32>
  return %y, %0#0, %0#1 : tensor<33x64xTYPE>, tensor<66x128xTYPE>, tensor<66xf32>
}

// Written out: the activation with its gradients, as autograd has them.
func.func @gradients_written(%gm: tensor<?x64xTYPE>, %g: tensor<?x64xTYPE>, %u: tensor<?x64xTYPE>, %p: tensor<?xf32>)
    -> (tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %g, %c0 : tensor<?x64xTYPE>
  %to = tensor.empty(%n) : tensor<?x64xTYPE>
  %s = nn.silu %g : tensor<?x64xTYPE>
  %m = arith.mulf %s, %u : tensor<?x64xTYPE>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%m, %p : tensor<?x64xTYPE>, tensor<?xf32>) outs(%to : tensor<?x64xTYPE>) {
  ^bb0(%a: TYPE, %b: f32, %out: TYPE):
    %0 = arith.extf %a : TYPE to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to TYPE
    linalg.yield %2 : TYPE
  } -> tensor<?x64xTYPE>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%gm, %p : tensor<?x64xTYPE>, tensor<?xf32>) outs(%to : tensor<?x64xTYPE>) {
  ^bb0(%a: TYPE, %b: f32, %out: TYPE):
    %0 = arith.extf %a : TYPE to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to TYPE
    linalg.yield %2 : TYPE
  } -> tensor<?x64xTYPE>
  %wide = tensor.empty(%n) : tensor<?x64xf32>
  %terms = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%gm, %m : tensor<?x64xTYPE>, tensor<?x64xTYPE>) outs(%wide : tensor<?x64xf32>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: f32):
    %0 = arith.extf %a : TYPE to f32
    %1 = arith.extf %b : TYPE to f32
    %2 = arith.mulf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x64xf32>
  %gp = nn.sum %terms dim 1 order <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %gu = arith.mulf %d, %s : tensor<?x64xTYPE>
  %c = arith.mulf %d, %u : tensor<?x64xTYPE>
  %gg = nn.silu_grad %c, %g : tensor<?x64xTYPE>
  return %h, %gg, %gu, %gp : tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?xf32>
}

// The gradient of a gate as its chain of factors, in 16 bits, the probability first; no forward beside it.
func.func @chain_written(%gm: tensor<?x64xTYPE>, %g: tensor<?x64xTYPE>, %u: tensor<?x64xTYPE>, %p: tensor<?xTYPE>)
    -> (tensor<?x64xTYPE>, tensor<?x64xTYPE>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %g, %c0 : tensor<?x64xTYPE>
  %to = tensor.empty(%n) : tensor<?x64xTYPE>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%gm, %g, %u, %p : tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?xTYPE>) outs(%to, %to : tensor<?x64xTYPE>, tensor<?x64xTYPE>) {
  ^bb0(%dy: TYPE, %x: TYPE, %y: TYPE, %w: TYPE, %out: TYPE, %out2: TYPE):
    %one = arith.constant 1.0 : TYPE
    %minus = arith.negf %x : TYPE
    %e = math.exp %minus : TYPE
    %divisor = arith.addf %one, %e : TYPE
    %s = arith.divf %one, %divisor : TYPE
    %d = arith.mulf %w, %dy : TYPE
    %gated = arith.mulf %d, %s : TYPE
    %complement = arith.subf %one, %s : TYPE
    %inner = arith.mulf %x, %complement : TYPE
    %slope = arith.addf %one, %inner : TYPE
    %sloped = arith.mulf %gated, %slope : TYPE
    %gg = arith.mulf %sloped, %y : TYPE
    %silu = arith.mulf %x, %s : TYPE
    %gu = arith.mulf %silu, %d : TYPE
    linalg.yield %gg, %gu : TYPE, TYPE
  } -> (tensor<?x64xTYPE>, tensor<?x64xTYPE>)
  return %0#0, %0#1 : tensor<?x64xTYPE>, tensor<?x64xTYPE>
}

// gpt-oss: limits, alpha, an offset of up.
func.func @clamped_written(%g0: tensor<?x64xTYPE>, %u0: tensor<?x64xTYPE>, %p: tensor<?xf32>) -> tensor<?x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %g0, %c0 : tensor<?x64xTYPE>
  %to = tensor.empty(%n) : tensor<?x64xTYPE>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%g0, %u0, %p : tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?xf32>) outs(%to : tensor<?x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %w: f32, %out: TYPE):
    %one = arith.constant 1.0 : TYPE
    %alpha = arith.constant 1.702 : TYPE
    %limit = arith.constant 0.5 : TYPE
    %least = arith.constant -0.5 : TYPE
    %g = arith.minimumf %a, %limit : TYPE
    %u1 = arith.minimumf %b, %limit : TYPE
    %u = arith.maximumf %u1, %least : TYPE
    %scaled = arith.mulf %alpha, %g : TYPE
    %minus = arith.negf %scaled : TYPE
    %e = math.exp %minus : TYPE
    %divisor = arith.addf %one, %e : TYPE
    %s = arith.divf %one, %divisor : TYPE
    %glu = arith.mulf %g, %s : TYPE
    %o = arith.addf %u, %one : TYPE
    %m = arith.mulf %o, %glu : TYPE
    %wide = arith.extf %m : TYPE to f32
    %v = arith.mulf %wide, %w : f32
    %r = arith.truncf %v : f32 to TYPE
    linalg.yield %r : TYPE
  } -> tensor<?x64xTYPE>
  return %y : tensor<?x64xTYPE>
}

// A combination without weights that a written activation feeds.
func.func @block_written(%g: tensor<66x64xTYPE>, %u: tensor<66x64xTYPE>, %p: tensor<66x1xf32>, %i: tensor<33x2xi32>) -> tensor<33x64xTYPE> {
  %to = tensor.empty() : tensor<66x64xTYPE>
  %s = nn.silu %g : tensor<66x64xTYPE>
  %m = arith.mulf %s, %u : tensor<66x64xTYPE>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%m, %p : tensor<66x64xTYPE>, tensor<66x1xf32>) outs(%to : tensor<66x64xTYPE>) {
  ^bb0(%a: TYPE, %b: f32, %out: TYPE):
    %0 = arith.extf %a : TYPE to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to TYPE
    linalg.yield %2 : TYPE
  } -> tensor<66x64xTYPE>
  %y = moe.combine %h indices(%i : tensor<33x2xi32>) : tensor<66x64xTYPE> to tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

// nn.sum over the slots.
func.func @combine_summed(%z: tensor<33x8x64xTYPE>, %p: tensor<33x8xf32>) -> tensor<33x64xTYPE> {
  %w = arith.truncf %p : tensor<33x8xf32> to tensor<33x8xTYPE>
  %to = tensor.empty() : tensor<33x8x64xTYPE>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %w : tensor<33x8x64xTYPE>, tensor<33x8xTYPE>) outs(%to : tensor<33x8x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: TYPE):
    %0 = arith.mulf %b, %a : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<33x8x64xTYPE>
  %y = nn.sum %t dim 1 : tensor<33x8x64xTYPE> to tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

// A combination's gradients: without the combination, both are there and the first is a result.
func.func @combine_gradients_written(%gout: tensor<33x64xTYPE>, %z: tensor<33x8x64xTYPE>, %p: tensor<33x8xf32>)
    -> (tensor<33x8x64xTYPE>, tensor<33x8xTYPE>) {
  %w = arith.truncf %p : tensor<33x8xf32> to tensor<33x8xTYPE>
  %to = tensor.empty() : tensor<33x8x64xTYPE>
  %gz = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %w : tensor<33x64xTYPE>, tensor<33x8xTYPE>) outs(%to : tensor<33x8x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: TYPE):
    %0 = arith.mulf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<33x8x64xTYPE>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %z : tensor<33x64xTYPE>, tensor<33x8x64xTYPE>) outs(%to : tensor<33x8x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: TYPE):
    %0 = arith.mulf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<33x8x64xTYPE>
  %gw = nn.sum %t dim 2 order <sequential> : tensor<33x8x64xTYPE> to tensor<33x8xTYPE>
  return %gz, %gw : tensor<33x8x64xTYPE>, tensor<33x8xTYPE>
}

// One of them alone.
func.func @term_gradient_written(%gout: tensor<33x64xTYPE>, %p: tensor<33x8xf32>) -> tensor<33x8x64xTYPE> {
  %w = arith.truncf %p : tensor<33x8xf32> to tensor<33x8xTYPE>
  %to = tensor.empty() : tensor<33x8x64xTYPE>
  %gz = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %w : tensor<33x64xTYPE>, tensor<33x8xTYPE>) outs(%to : tensor<33x8x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: TYPE):
    %0 = arith.mulf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<33x8x64xTYPE>
  return %gz : tensor<33x8x64xTYPE>
}

func.func @weight_gradient_written(%gout: tensor<33x64xTYPE>, %z: tensor<33x8x64xTYPE>) -> tensor<33x8xTYPE> {
  %to = tensor.empty() : tensor<33x8x64xTYPE>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%gout, %z : tensor<33x64xTYPE>, tensor<33x8x64xTYPE>) outs(%to : tensor<33x8x64xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %out: TYPE):
    %0 = arith.mulf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<33x8x64xTYPE>
  %gw = nn.sum %t dim 2 order <sequential> : tensor<33x8x64xTYPE> to tensor<33x8xTYPE>
  return %gw : tensor<33x8xTYPE>
}

// The forward keeps silu for the gradient of up, and gives it away as it is.
func.func @kept_written(%dy: tensor<?x64xTYPE>, %g: tensor<?x64xTYPE>, %u: tensor<?x64xTYPE>)
    -> (tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>) {
  %s = nn.silu %g : tensor<?x64xTYPE>
  %silu = prec.materialize %s : tensor<?x64xTYPE>
  %h = arith.mulf %silu, %u : tensor<?x64xTYPE>
  %gu = arith.mulf %dy, %silu : tensor<?x64xTYPE>
  %c = arith.mulf %dy, %u : tensor<?x64xTYPE>
  %gg = nn.silu_grad %c, %g : tensor<?x64xTYPE>
  return %h, %silu, %gg, %gu : tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>, tensor<?x64xTYPE>
}
