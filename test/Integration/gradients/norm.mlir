// Golden cases normHIDDEN.TYPE, gradients. HIDDEN is 64 or 2560, TYPE is bf16 or f16.

func.func @llama(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}, tensor<HIDDENxTYPE> {prec.name = "gw"}) {
  %0 = nn.rms_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>) points {weighted = true}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %1 = nn.rms_norm_weight_grad %g, %x points {normalized = true, product = true}
         : tensor<?xHIDDENxTYPE> to tensor<HIDDENxTYPE>
  return %0, %1 : tensor<?xHIDDENxTYPE>, tensor<HIDDENxTYPE>
}

func.func @gemma(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}, tensor<HIDDENxTYPE> {prec.name = "gw"}) {
  %0 = nn.rms_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>) one_plus
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %1 = nn.rms_norm_weight_grad %g, %x : tensor<?xHIDDENxTYPE> to tensor<HIDDENxTYPE>
  return %0, %1 : tensor<?xHIDDENxTYPE>, tensor<HIDDENxTYPE>
}

func.func @frms(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"}, %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}, tensor<HIDDENxTYPE> {prec.name = "gw"}) {
  %0 = nn.rms_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>)
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %1 = nn.rms_norm_weight_grad %g, %x : tensor<?xHIDDENxTYPE> to tensor<HIDDENxTYPE>
  return %0, %1 : tensor<?xHIDDENxTYPE>, tensor<HIDDENxTYPE>
}

func.func @softmax(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %y: tensor<?xHIDDENxTYPE> {prec.name = "y"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}) {
  %0 = nn.softmax_grad %g, %y dim 1 form difference points {product = false}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

// Formulas of other engines. HIDDEN is a multiple of 128.

func.func @softmax_cuda(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %y: tensor<?xHIDDENxTYPE> {prec.name = "y"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}) {
  %0 = nn.softmax_grad %g, %y dim 1
         order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

func.func @closed(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"},
                  %w: tensor<HIDDENxTYPE> {prec.name = "w"}) -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}) {
  %0 = nn.rms_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>) form closed rstd rsqrt divide reciprocal
         order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

func.func @layer_scaled(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"},
                        %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}, tensor<HIDDENxTYPE> {prec.name = "gw"}) {
  %0 = nn.layer_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>) form scaled rstd rsqrt divide reciprocal
         order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %1 = nn.layer_norm_weight_grad %g, %x rows_order <sequential from_zero> rstd rsqrt divide reciprocal
         order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
         : tensor<?xHIDDENxTYPE> to tensor<HIDDENxTYPE>
  return %0, %1 : tensor<?xHIDDENxTYPE>, tensor<HIDDENxTYPE>
}

func.func @layer_closed(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"},
                        %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}, tensor<HIDDENxTYPE> {prec.name = "gw"}) {
  %0 = nn.layer_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>) form closed
         order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
         points {saved_mean = true, rstd = true, weighted = true, normalized = true}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %1 = nn.layer_norm_weight_grad %g, %x rows_order <sequential from_zero>
         order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
         points {saved_mean = true, rstd = true, normalized = true, product = true}
         : tensor<?xHIDDENxTYPE> to tensor<HIDDENxTYPE>
  return %0, %1 : tensor<?xHIDDENxTYPE>, tensor<HIDDENxTYPE>
}

// Under a profile.
func.func @layer(%g: tensor<?xHIDDENxTYPE> {prec.name = "g"}, %x: tensor<?xHIDDENxTYPE> {prec.name = "x"},
                 %w: tensor<HIDDENxTYPE> {prec.name = "w"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "gx"}, tensor<HIDDENxTYPE> {prec.name = "gw"}) {
  %0 = nn.layer_norm_grad %g, %x weight(%w : tensor<HIDDENxTYPE>) : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %1 = nn.layer_norm_weight_grad %g, %x : tensor<?xHIDDENxTYPE> to tensor<HIDDENxTYPE>
  return %0, %1 : tensor<?xHIDDENxTYPE>, tensor<HIDDENxTYPE>
}
