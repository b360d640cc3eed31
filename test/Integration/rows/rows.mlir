// Kernels that reduce rows. TYPE is bf16, f16 or f32, HIDDEN the length of a row, ORDER an order of sums.

func.func @rms_norm(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "y"}) {
  %y = nn.rms_norm %x weight(%w : tensor<HIDDENxTYPE>) order <ORDER> : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %y : tensor<?xHIDDENxTYPE>
}

// The normalized element is rounded before it meets the weight.
func.func @rms_norm_two(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "y"}) {
  %y = nn.rms_norm %x weight(%w : tensor<HIDDENxTYPE>) order <ORDER> points {normalized = true}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %y : tensor<?xHIDDENxTYPE>
}

// The sum of the residual stream is an output as well.
func.func @residual_rms_norm(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %r: tensor<?xHIDDENxTYPE> {prec.name = "r"},
                             %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "y"}, tensor<?xHIDDENxTYPE> {prec.name = "z"}) {
  %z = arith.addf %x, %r : tensor<?xHIDDENxTYPE>
  %y = nn.rms_norm %z weight(%w : tensor<HIDDENxTYPE>) order <ORDER> points {normalized = true}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %y, %z : tensor<?xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>
}

func.func @layer_norm(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %w: tensor<HIDDENxTYPE> {prec.name = "w"},
                      %b: tensor<HIDDENxTYPE> {prec.name = "b"}) -> (tensor<?xHIDDENxTYPE> {prec.name = "y"}) {
  %y = nn.layer_norm %x weight(%w : tensor<HIDDENxTYPE>) bias(%b : tensor<HIDDENxTYPE>) order <ORDER>
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %y : tensor<?xHIDDENxTYPE>
}

func.func @softmax(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}) -> (tensor<?xHIDDENxTYPE> {prec.name = "y"}) {
  %y = nn.softmax %x dim 1 order <ORDER> : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %y : tensor<?xHIDDENxTYPE>
}

func.func @row_sum(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}) -> (tensor<?xTYPE> {prec.name = "y"}) {
  %y = nn.sum %x dim 1 order <ORDER> : tensor<?xHIDDENxTYPE> to tensor<?xTYPE>
  return %y : tensor<?xTYPE>
}

// The largest number, as torch-mlir writes it. ORDER has nothing to say.
func.func @row_max(%x: tensor<?xHIDDENxTYPE> {prec.name = "x"}) -> (tensor<?xTYPE> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xHIDDENxTYPE>
  %lowest = arith.constant LOWEST : TYPE
  %e = tensor.empty(%n) : tensor<?xTYPE>
  %f = linalg.fill ins(%lowest : TYPE) outs(%e : tensor<?xTYPE>) -> tensor<?xTYPE>
  %y = linalg.reduce { arith.maximumf } ins(%x : tensor<?xHIDDENxTYPE>) outs(%f : tensor<?xTYPE>) dimensions = [1]
  return %y : tensor<?xTYPE>
}
