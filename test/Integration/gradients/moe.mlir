// Golden cases moe.TYPE, gradients. TYPE is bf16 or f16; probabilities are those of 8 slots, of which the
// activations have the first 2.

func.func @swiglu(%gm: tensor<?x2x64xTYPE> {prec.name = "gm"}, %gu: tensor<?x2x128xTYPE> {prec.name = "gu"})
    -> (tensor<?x2x128xTYPE> {prec.name = "ggu"}) {
  %0 = moe.activation_grad silu %gm, %gu layout halves pack add
         : tensor<?x2x64xTYPE>, tensor<?x2x128xTYPE> to tensor<?x2x128xTYPE>
  return %0 : tensor<?x2x128xTYPE>
}

func.func @act_p32(%gm: tensor<?x2x64xTYPE> {prec.name = "gm"}, %gu: tensor<?x2x128xTYPE> {prec.name = "gu"},
                   %p: tensor<?x8xf32> {prec.name = "p32"})
    -> (tensor<?x2x128xTYPE> {prec.name = "ggu"}, tensor<?x2xf32> {prec.name = "gp"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xf32>
  %q = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %0:2 = moe.activation_grad silu %gm, %gu layout halves probability(%q : tensor<?x2xf32>) pack add
         : tensor<?x2x64xTYPE>, tensor<?x2x128xTYPE> to tensor<?x2x128xTYPE> probability tensor<?x2xf32>
  return %0#0, %0#1 : tensor<?x2x128xTYPE>, tensor<?x2xf32>
}

func.func @act_p16(%gm: tensor<?x2x64xTYPE> {prec.name = "gm"}, %gu: tensor<?x2x128xTYPE> {prec.name = "gu"},
                   %p: tensor<?x8xTYPE> {prec.name = "p16"})
    -> (tensor<?x2x128xTYPE> {prec.name = "ggu"}, tensor<?x2xTYPE> {prec.name = "gp"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xTYPE>
  %q = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xTYPE> to tensor<?x2xTYPE>
  %0:2 = moe.activation_grad silu %gm, %gu layout halves probability(%q : tensor<?x2xTYPE>) pack add
         : tensor<?x2x64xTYPE>, tensor<?x2x128xTYPE> to tensor<?x2x128xTYPE> probability tensor<?x2xTYPE>
  return %0#0, %0#1 : tensor<?x2x128xTYPE>, tensor<?x2xTYPE>
}

// Autograd of the activation in f32.
func.func @radix_act(%gm: tensor<?x2x64xTYPE> {prec.name = "gm"}, %gu: tensor<?x2x128xTYPE> {prec.name = "gu"},
                     %p: tensor<?x8xf32> {prec.name = "p32"})
    -> (tensor<?x2x128xTYPE> {prec.name = "ggu"}, tensor<?x2xf32> {prec.name = "gp"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x8xf32>
  %q = tensor.extract_slice %p[0, 0] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %0:2 = moe.activation_grad silu %gm, %gu layout halves probability(%q : tensor<?x2xf32>) pack add_f32
         points {weighted = false, silu = false, product = false, activated = false}
         : tensor<?x2x64xTYPE>, tensor<?x2x128xTYPE> to tensor<?x2x128xTYPE> probability tensor<?x2xf32>
  return %0#0, %0#1 : tensor<?x2x128xTYPE>, tensor<?x2xf32>
}

func.func @hf_combine(%gout: tensor<?x64xTYPE> {prec.name = "gout"}, %z: tensor<?x8x64xTYPE> {prec.name = "z"},
                      %w: tensor<?x8xTYPE> {prec.name = "p16"})
    -> (tensor<?x8x64xTYPE> {prec.name = "gz"}, tensor<?x8xTYPE> {prec.name = "gw"}) {
  %0:2 = moe.combine_grad %gout, %z weights(%w : tensor<?x8xTYPE>)
         : tensor<?x64xTYPE>, tensor<?x8x64xTYPE> to tensor<?x8x64xTYPE> weights tensor<?x8xTYPE>
  return %0#0, %0#1 : tensor<?x8x64xTYPE>, tensor<?x8xTYPE>
}

func.func @radix_combine(%gout: tensor<?x64xTYPE> {prec.name = "gout"}, %z: tensor<?x8x64xTYPE> {prec.name = "z"},
                         %p: tensor<?x8xf32> {prec.name = "p32"})
    -> (tensor<?x8x64xTYPE> {prec.name = "gz"}, tensor<?x8xf32> {prec.name = "gp"}) {
  %0:2 = moe.combine_grad %gout, %z weights(%p : tensor<?x8xf32>) points {weight = false, product = false}
         : tensor<?x64xTYPE>, tensor<?x8x64xTYPE> to tensor<?x8x64xTYPE> weights tensor<?x8xf32>
  return %0#0, %0#1 : tensor<?x8x64xTYPE>, tensor<?x8xf32>
}

// As a profile has it. HIDDEN is a multiple of 128.

func.func @activation(%gm: tensor<?xHIDDENxTYPE> {prec.name = "gm"}, %g: tensor<?xHIDDENxTYPE> {prec.name = "g"},
                      %u: tensor<?xHIDDENxTYPE> {prec.name = "u"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gg"}, tensor<?xHIDDENxTYPE> {prec.name = "gu"},
        tensor<?xf32> {prec.name = "gp"}) {
  %0:3 = moe.activation_grad silu %gm, %g up(%u : tensor<?xHIDDENxTYPE>) probability(%p : tensor<?xf32>)
           : tensor<?xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>
             to tensor<?xHIDDENxTYPE> up tensor<?xHIDDENxTYPE> probability tensor<?xf32>
  return %0#0, %0#1, %0#2 : tensor<?xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>, tensor<?xf32>
}
