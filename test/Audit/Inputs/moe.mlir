// The moe operations as engines round them. own.py compiles and audits every function.

func.func @eager(%x: tensor<?x128xbf16> {prec.name = "x"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @narrow_probability(%x: tensor<?x128xbf16> {prec.name = "x"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) points {probability = true}
         : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @promoted(%x: tensor<?x128xbf16> {prec.name = "x"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) points {silu = false, product = false}
         : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @transformer_engine(%x: tensor<?x128xbf16> {prec.name = "x"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) form product
         points {sigmoid = false, silu = false, product = false} : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @one_rounding(%x: tensor<?x128xbf16> {prec.name = "x"}) -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout halves points {silu = false} : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @clamped(%x: tensor<?x128xbf16> {prec.name = "x"}) -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout interleaved form product alpha 1.702 limit 7.0 offset 1.0
         : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @gelu(%x: tensor<?x128xbf16> {prec.name = "x"}) -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation gelu %x layout halves : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

func.func @relu_squared(%x: tensor<?x64xbf16> {prec.name = "x"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?x64xbf16> {prec.name = "h"}) {
  %h = moe.activation relu_squared %x probability(%p : tensor<?xf32>) points {silu = false}
         : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %h : tensor<?x64xbf16>
}

// SLOTS is 2, 4 or 8.
func.func @rounded_sums(%z: tensor<?xSLOTSx64xbf16> {prec.name = "z"}, %w: tensor<?xSLOTSxbf16> {prec.name = "w"},
                        %ids: tensor<?xSLOTSxi32> {prec.name = "ids"}) -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?xSLOTSxbf16>) by(%ids : tensor<?xSLOTSxi32>)
         : tensor<?xSLOTSx64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

func.func @rounded_terms(%z: tensor<?xSLOTSx64xbf16> {prec.name = "z"}, %w: tensor<?xSLOTSxf32> {prec.name = "w"})
    -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?xSLOTSxf32>) scale 2.5
         points {weight = false, accumulate = false, sum = false} : tensor<?xSLOTSx64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

func.func @promoted_sum(%z: tensor<?xSLOTSx64xbf16> {prec.name = "z"}, %w: tensor<?xSLOTSxf32> {prec.name = "w"})
    -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?xSLOTSxf32>) points {weight = false, term = false, accumulate = false}
         : tensor<?xSLOTSx64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

func.func @rows(%z: tensor<?x64xbf16> {prec.name = "z"}, %w: tensor<?xSLOTSxf32> {prec.name = "w"},
                %i: tensor<?xSLOTSxi32> {prec.name = "i"}, %s: tensor<?x64xbf16> {prec.name = "s"},
                %l: tensor<?x1xbf16> {prec.name = "l"}) -> (tensor<?x64xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?xSLOTSxf32>) indices(%i : tensor<?xSLOTSxi32>) shared(%s : tensor<?x64xbf16>)
         shared_logit(%l : tensor<?x1xbf16>) : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
