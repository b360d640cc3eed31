// Golden cases moe.TYPE. TYPE is bf16 or f16; probabilities and expert ids are those of 8 slots, of which the
// activations have the first 2.

// Eager: each operation rounds.
func.func @swiglu(%gu: tensor<?x2x128xTYPE>) -> tensor<?x2x64xTYPE> {
  %0 = moe.activation silu %gu layout halves : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  return %0 : tensor<?x2x64xTYPE>
}

func.func @act_p32(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x8xf32>) -> tensor<?x2x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xf32>
  %two = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %0 = moe.activation silu %gu layout halves probability(%two : tensor<?x2xf32>)
         : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  return %0 : tensor<?x2x64xTYPE>
}

func.func @act_p16(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x8xTYPE>) -> tensor<?x2x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xTYPE>
  %two = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xTYPE> to tensor<?x2xTYPE>
  %0 = moe.activation silu %gu layout halves probability(%two : tensor<?x2xTYPE>)
         : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  return %0 : tensor<?x2x64xTYPE>
}

// All in f32, one rounding.
func.func @radix_act(%gu: tensor<?x2x128xTYPE>, %p: tensor<?x8xf32>) -> tensor<?x2x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xf32>
  %two = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %0 = moe.activation silu %gu layout halves probability(%two : tensor<?x2xf32>)
         points {silu = false, product = false} : tensor<?x2x128xTYPE> to tensor<?x2x64xTYPE>
  return %0 : tensor<?x2x64xTYPE>
}

// Ascending expert id, a rounding after each addition.
func.func @hf_combine(%z: tensor<?x8x64xTYPE>, %w: tensor<?x8xTYPE>, %ids: tensor<?x8xi32>) -> tensor<?x64xTYPE> {
  %0 = moe.combine %z weights(%w : tensor<?x8xTYPE>) by(%ids : tensor<?x8xi32>)
         : tensor<?x8x64xTYPE> to tensor<?x64xTYPE>
  return %0 : tensor<?x64xTYPE>
}

// Rounded terms, summed in f32 in order of the slots.
func.func @flat_index_add(%z: tensor<?x8x64xTYPE>, %w: tensor<?x8xTYPE>) -> tensor<?x64xTYPE> {
  %0 = moe.combine %z weights(%w : tensor<?x8xTYPE>) points {accumulate = false}
         : tensor<?x8x64xTYPE> to tensor<?x64xTYPE>
  return %0 : tensor<?x64xTYPE>
}

func.func @radix_combine(%z: tensor<?x8x64xTYPE>, %p: tensor<?x8xf32>) -> tensor<?x64xTYPE> {
  %0 = moe.combine %z weights(%p : tensor<?x8xf32>) points {weight = false, term = false, accumulate = false}
         : tensor<?x8x64xTYPE> to tensor<?x64xTYPE>
  return %0 : tensor<?x64xTYPE>
}

// The shared expert alone: a sum over no slot.
func.func @shared_gate(%s: tensor<?x64xTYPE>, %logit: tensor<?x1xTYPE>) -> tensor<?x64xTYPE> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %s, %c0 : tensor<?x64xTYPE>
  %none = tensor.empty(%n) : tensor<?x0x64xTYPE>
  %0 = moe.combine %none shared(%s : tensor<?x64xTYPE>) shared_logit(%logit : tensor<?x1xTYPE>)
         : tensor<?x0x64xTYPE> to tensor<?x64xTYPE>
  return %0 : tensor<?x64xTYPE>
}
