// What a mixture of experts computes between its matrix products: the router, the experts' activation, the sum of
// a token's experts with the shared one; and @block, all of it with the permutation that groups tokens by expert.
// How each rounds is left open: a profile says it (prec-run --profile=vllm), or else PyTorch's eager rules hold.
//
// The element type stands in the types only: sed 's/bf16/f16/g' moe-block.mlir

#row = affine_map<(row, column) -> (row)>
#row_and_column = affine_map<(row, column) -> (row, column)>
#one = affine_map<(row, slot) -> (row)>
#other = affine_map<(row, slot) -> (slot)>

// 8 of 16 experts: the largest probabilities, then made to sum to 1.
func.func @route(%logits: tensor<?x16xbf16> {prec.name = "logits"})
    -> (tensor<?x8xf32> {prec.name = "weights"}, tensor<?x8xi32> {prec.name = "experts"}) {
  %w, %ids = moe.router %logits softmax top_k 8 renormalize : tensor<?x16xbf16> to tensor<?x8xf32>, tensor<?x8xi32>
  return %w, %ids : tensor<?x8xf32>, tensor<?x8xi32>
}

// silu(gate) * up
func.func @activate(%gu: tensor<?x2x128xbf16> {prec.name = "gu"}) -> (tensor<?x2x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %gu layout halves : tensor<?x2x128xbf16> to tensor<?x2x64xbf16>
  return %h : tensor<?x2x64xbf16>
}

// silu(gate) * up * p
func.func @activate_weighted(%gu: tensor<?x2x128xbf16> {prec.name = "gu"}, %p: tensor<?x2xf32> {prec.name = "p"})
    -> (tensor<?x2x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %gu layout halves probability(%p : tensor<?x2xf32>) : tensor<?x2x128xbf16> to tensor<?x2x64xbf16>
  return %h : tensor<?x2x64xbf16>
}

// The sum of z * w.
func.func @combine(%z: tensor<?x8x64xbf16> {prec.name = "z"}, %w: tensor<?x8xf32> {prec.name = "w"},
                   %ids: tensor<?x8xi32> {prec.name = "ids"}) -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?x8xf32>) by(%ids : tensor<?x8xi32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// The same with 16-bit weights.
func.func @combine_narrow(%z: tensor<?x8x64xbf16> {prec.name = "z"}, %w: tensor<?x8xbf16> {prec.name = "w"},
                          %ids: tensor<?x8xi32> {prec.name = "ids"}) -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?x8xbf16>) by(%ids : tensor<?x8xi32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// With the shared expert and its gate.
func.func @combine_shared(%z: tensor<?x8x64xbf16> {prec.name = "z"}, %w: tensor<?x8xf32> {prec.name = "w"},
                          %ids: tensor<?x8xi32> {prec.name = "ids"}, %shared: tensor<?x64xbf16> {prec.name = "shared"},
                          %logit: tensor<?x1xbf16> {prec.name = "shared_logit"}) -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?x8xf32>) by(%ids : tensor<?x8xi32>)
         shared(%shared : tensor<?x64xbf16>) shared_logit(%logit : tensor<?x1xbf16>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// The router's weights, the experts on their own rows (their products with matrices left out), the sum.
func.func @block(%logits: tensor<?x16xbf16> {prec.name = "logits"}, %gu: tensor<?x8x128xbf16> {prec.name = "gu"},
                 %shared: tensor<?x64xbf16> {prec.name = "shared"}, %logit: tensor<?x1xbf16> {prec.name = "shared_logit"})
    -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %w, %ids = moe.router %logits softmax top_k 8 renormalize : tensor<?x16xbf16> to tensor<?x8xf32>, tensor<?x8xi32>

  // The place of every slot among the rows: those of expert 0 first, then of 1, ...
  %experts = tensor.collapse_shape %ids [[0, 1]] : tensor<?x8xi32> into tensor<?xi32>
  %inputs = tensor.collapse_shape %gu [[0, 1], [2]] : tensor<?x8x128xbf16> into tensor<?x128xbf16>
  %n = tensor.dim %inputs, %c0 : tensor<?x128xbf16>
  %integers = tensor.empty(%n) : tensor<?xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%integers : tensor<?xi32>) -> tensor<?xi32>
  %places = linalg.generic {indexing_maps = [#one, #other, #one], iterator_types = ["parallel", "reduction"]}
      ins(%experts, %experts : tensor<?xi32>, tensor<?xi32>) outs(%zeros : tensor<?xi32>) {
  ^bb0(%mine: i32, %theirs: i32, %count: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %less = arith.cmpi slt, %theirs, %mine : i32
    %same = arith.cmpi eq, %theirs, %mine : i32
    %before = arith.cmpi ult, %j, %i : index
    %tie = arith.andi %same, %before : i1
    %is = arith.ori %less, %tie : i1
    %one = arith.extui %is : i1 to i32
    %next = arith.addi %count, %one : i32
    linalg.yield %next : i32
  } -> tensor<?xi32>

  // The slot at every place, and its row.
  %slots = linalg.generic {indexing_maps = [#other, #one], iterator_types = ["parallel", "reduction"]}
      ins(%places : tensor<?xi32>) outs(%zeros : tensor<?xi32>) {
  ^bb0(%place: i32, %found: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %slot = arith.index_cast %j : index to i32
    %is = arith.cmpi eq, %place, %row : i32
    %next = arith.select %is, %slot, %found : i32
    linalg.yield %next : i32
  } -> tensor<?xi32>
  %empty = tensor.empty(%n) : tensor<?x128xbf16>
  %rows = linalg.generic {indexing_maps = [#row, #row_and_column], iterator_types = ["parallel", "parallel"]}
      ins(%slots : tensor<?xi32>) outs(%empty : tensor<?x128xbf16>) {
  ^bb0(%slot: i32, %out: bf16):
    %r = arith.index_cast %slot : i32 to index
    %c = linalg.index 1 : index
    %value = tensor.extract %inputs[%r, %c] : tensor<?x128xbf16>
    linalg.yield %value : bf16
  } -> tensor<?x128xbf16>

  %h = moe.activation silu %rows layout halves : tensor<?x128xbf16> to tensor<?x64xbf16>

  %tokens = tensor.dim %logits, %c0 : tensor<?x16xbf16>
  %index = tensor.expand_shape %places [[0, 1]] output_shape [%tokens, 8] : tensor<?xi32> into tensor<?x8xi32>
  %y = moe.combine %h weights(%w : tensor<?x8xf32>) indices(%index : tensor<?x8xi32>) by(%ids : tensor<?x8xi32>)
         shared(%shared : tensor<?x64xbf16>) shared_logit(%logit : tensor<?x1xbf16>) : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
