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
