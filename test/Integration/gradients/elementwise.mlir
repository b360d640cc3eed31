// nn's gradients of one element. TYPE is filled in.

func.func @sigmoid(%g: tensor<?xTYPE> {prec.name = "g"}, %y: tensor<?xTYPE> {prec.name = "y"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.sigmoid_grad %g, %y : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @sigmoid_one_rounding(%g: tensor<?xTYPE> {prec.name = "g"}, %y: tensor<?xTYPE> {prec.name = "y"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.sigmoid_grad %g, %y points {complement = false, product = false} : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @tanh(%g: tensor<?xTYPE> {prec.name = "g"}, %y: tensor<?xTYPE> {prec.name = "y"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.tanh_grad %g, %y : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @tanh_one_rounding(%g: tensor<?xTYPE> {prec.name = "g"}, %y: tensor<?xTYPE> {prec.name = "y"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.tanh_grad %g, %y points {complement = false, square = false} : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @silu(%g: tensor<?xTYPE> {prec.name = "g"}, %x: tensor<?xTYPE> {prec.name = "x"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.silu_grad %g, %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @silu_separate(%g: tensor<?xTYPE> {prec.name = "g"}, %x: tensor<?xTYPE> {prec.name = "x"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.silu_grad %g, %x multiply_add separate : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @gelu(%g: tensor<?xTYPE> {prec.name = "g"}, %x: tensor<?xTYPE> {prec.name = "x"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.gelu_grad %g, %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @gelu_tanh(%g: tensor<?xTYPE> {prec.name = "g"}, %x: tensor<?xTYPE> {prec.name = "x"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.gelu_grad %g, %x approximate tanh : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @softplus(%g: tensor<?xTYPE> {prec.name = "g"}, %x: tensor<?xTYPE> {prec.name = "x"})
    -> (tensor<?xTYPE> {prec.name = "gx"}) {
  %0 = nn.softplus_grad %g, %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}
