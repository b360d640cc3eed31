// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @types_differ(%g: tensor<4xbf16>, %y: tensor<4xf16>) {
  // expected-error @+1 {{'nn.sigmoid_grad' op requires the same type for all operands and results}}
  %0 = "nn.sigmoid_grad"(%g, %y) : (tensor<4xbf16>, tensor<4xf16>) -> tensor<4xbf16>
  return
}

// -----

// (C2)
func.func @point(%g: tensor<4xbf16>, %y: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.tanh_grad' op expected a rounding point (square, complement, result) but got 'product'}}
  %0 = nn.tanh_grad %g, %y points {product = true} : tensor<4xbf16>
  return
}

// -----

// (C3)
func.func @mean_type(%g: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.mean_grad' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.mean_grad %g dim 0 : tensor<4xbf16> to tensor<8x4xf16>
  return
}

// -----

// (C3)
func.func @weight_grad_type(%g: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_weight_grad' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.rms_norm_weight_grad %g, %g : tensor<4x8xbf16> to tensor<8xf16>
  return
}

// -----

// (C4)
func.func @softmax_shape(%g: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.softmax_grad' op expected result type 'tensor<4x8xbf16>' but got 'tensor<8xbf16>'}}
  %0 = nn.softmax_grad %g, %g dim 0 : tensor<4x8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C4)
func.func @rms_norm_shape(%g: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op expected result type 'tensor<4x8xbf16>' but got 'tensor<8xbf16>'}}
  %0 = nn.rms_norm_grad %g, %g : tensor<4x8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C5)
func.func @sum_dimension(%g: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.sum_grad' op expected a dimension of 'tensor<4x8xbf16>' but got 2}}
  %0 = nn.sum_grad %g dim 2 : tensor<4xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C5)
func.func @softmax_dimension(%g: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.softmax_grad' op expected a dimension of 'tensor<4xbf16>' but got -1}}
  %0 = nn.softmax_grad %g, %g dim -1 : tensor<4xbf16> to tensor<4xbf16>
  return
}

// -----

// (C7)
func.func @rank(%g: tensor<bf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op expected an input of rank 1 or more but got 'tensor<bf16>'}}
  %0 = nn.rms_norm_grad %g, %g : tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C8)
func.func @weight_shape(%g: tensor<?x8xbf16>, %w: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op expected a weight shaped as the last dimensions of 'tensor<?x8xbf16>' but got 'tensor<4xbf16>'}}
  %0 = nn.rms_norm_grad %g, %g weight(%w : tensor<4xbf16>) : tensor<?x8xbf16> to tensor<?x8xbf16>
  return
}

// -----

// (C9)
func.func @eps(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_weight_grad' op expected an eps that is finite and not negative}}
  %0 = nn.rms_norm_weight_grad %g, %g eps -1.0 : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @sqrt_of_rsqrt(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op rounding point 'sqrt' needs rstd one_over_sqrt}}
  %0 = nn.rms_norm_grad %g, %g rstd rsqrt points {sqrt = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @weighted_by_nothing(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op rounding point 'weighted' needs a weight}}
  %0 = nn.rms_norm_grad %g, %g points {weighted = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @weight_point(%g: tensor<8xbf16>, %w: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op rounding point 'weight' needs one_plus}}
  %0 = nn.rms_norm_grad %g, %g weight(%w : tensor<8xbf16>) points {weight = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C11)
func.func @beta(%g: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.softplus_grad' op expected a beta that is finite and not zero}}
  %0 = nn.softplus_grad %g, %g beta 0.0 : tensor<4xbf16>
  return
}

// -----

// (C12)
func.func @threshold(%g: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.softplus_grad' op expected a threshold that is a number}}
  %0 = nn.softplus_grad %g, %g threshold 0x7fc00000 : tensor<4xbf16>
  return
}

// -----

// (C13)
func.func @one_plus_nothing(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op expected a weight with one_plus}}
  %0 = nn.rms_norm_grad %g, %g one_plus : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C15)
func.func @softmax_order(%g: tensor<64xbf16>) {
  // expected-error @+1 {{'nn.softmax_grad' op expected an order of 64 elements but got one of 8}}
  %0 = nn.softmax_grad %g, %g dim 0 order <digits [8] steps [0 adjacent]> : tensor<64xbf16> to tensor<64xbf16>
  return
}

// -----

// (C15)
func.func @rms_norm_order(%g: tensor<?xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op expected an order of any number of elements but got one of 8}}
  %0 = nn.rms_norm_grad %g, %g order <digits [8] steps [0 adjacent]> : tensor<?xbf16> to tensor<?xbf16>
  return
}

// -----

// (C15)
func.func @rows_order(%g: tensor<4x5x64xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_weight_grad' op expected an order of 20 elements but got one of 8}}
  %0 = nn.rms_norm_weight_grad %g, %g rows_order <digits [8] steps [0 adjacent]> : tensor<4x5x64xbf16> to tensor<64xbf16>
  return
}

// -----

// (C15)
func.func @dynamic_rows_order(%g: tensor<4x?x64xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_weight_grad' op expected an order of any number of elements but got one of 8}}
  %0 = nn.rms_norm_weight_grad %g, %g rows_order <digits [8] steps [0 adjacent]> : tensor<4x?x64xbf16> to tensor<64xbf16>
  return
}

// -----

// (C16)
func.func @gradient_shape(%g: tensor<?x64xbf16>) {
  // expected-error @+1 {{'nn.mean_grad' op expected a gradient of type 'tensor<?x32xbf16>' but got 'tensor<?x64xbf16>'}}
  %0 = nn.mean_grad %g dim 1 : tensor<?x64xbf16> to tensor<?x4x32xbf16>
  return
}

// -----

// (C16)
func.func @gradient_without_keepdim(%g: tensor<?x64xbf16>) {
  // expected-error @+1 {{'nn.sum_grad' op expected a gradient of type 'tensor<?x1xbf16>' but got 'tensor<?x64xbf16>'}}
  %0 = nn.sum_grad %g dim 1 keepdim : tensor<?x64xbf16> to tensor<?x64xbf16>
  return
}

// -----

// (C17)
func.func @no_size(%g: tensor<64xbf16>) {
  // expected-error @+1 {{'nn.sum_grad' op expected a size exactly if dimension 1 of the result is dynamic}}
  %0 = nn.sum_grad %g dim 1 : tensor<64xbf16> to tensor<64x?xbf16>
  return
}

// -----

// (C17)
func.func @two_sizes(%g: tensor<64xbf16>, %n: index) {
  // expected-error @+1 {{'nn.mean_grad' op expected a size exactly if dimension 1 of the result is dynamic}}
  %0 = nn.mean_grad %g dim 1 size %n : tensor<64xbf16> to tensor<64x4xbf16>
  return
}

// -----

// (C18)
func.func @weight_grad_shape(%g: tensor<?x64xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_weight_grad' op expected a result of the last dimensions of 'tensor<?x64xbf16>' but got 'tensor<32xbf16>'}}
  %0 = nn.rms_norm_weight_grad %g, %g : tensor<?x64xbf16> to tensor<32xbf16>
  return
}

// -----

// (C18)
func.func @scalar_weight_grad(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm_weight_grad' op expected a result of the last dimensions of 'tensor<8xbf16>' but got 'tensor<bf16>'}}
  %0 = nn.rms_norm_weight_grad %g, %g : tensor<8xbf16> to tensor<bf16>
  return
}

// -----

// (C19)
func.func @operands_differ(%g: tensor<8xbf16>, %x: tensor<8xf16>) {
  // expected-error @+1 {{'nn.rms_norm_grad' op failed to verify that all of {gradient, input} have same type}}
  %0 = "nn.rms_norm_grad"(%g, %x) : (tensor<8xbf16>, tensor<8xf16>) -> tensor<8xf16>
  return
}

// -----

// (C19)
func.func @softmax_operands_differ(%g: tensor<8xbf16>, %y: tensor<9xbf16>) {
  // expected-error @+1 {{'nn.softmax_grad' op failed to verify that all of {gradient, output} have same type}}
  %0 = "nn.softmax_grad"(%g, %y) <{dimension = 0 : i64}> : (tensor<8xbf16>, tensor<9xbf16>) -> tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @layer_norm_weighted(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm_grad' op rounding point 'weighted' needs a weight}}
  %0 = nn.layer_norm_grad %g, %g points {weighted = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @layer_norm_normalized(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm_grad' op rounding point 'normalized' needs form closed}}
  %0 = nn.layer_norm_grad %g, %g form scaled points {normalized = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C4)
func.func @layer_norm_shape(%g: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm_grad' op expected result type 'tensor<4x8xbf16>' but got 'tensor<8xbf16>'}}
  %0 = nn.layer_norm_grad %g, %g : tensor<4x8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C9)
func.func @layer_norm_eps(%g: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm_weight_grad' op expected an eps that is finite and not negative}}
  %0 = nn.layer_norm_weight_grad %g, %g eps -1.0 : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C15)
func.func @layer_norm_rows(%g: tensor<4x5x64xbf16>) {
  // expected-error @+1 {{'nn.layer_norm_weight_grad' op expected an order of 20 elements but got one of 8}}
  %0 = nn.layer_norm_weight_grad %g, %g rows_order <digits [8] steps [0 adjacent]> : tensor<4x5x64xbf16> to tensor<64xbf16>
  return
}

// -----

// (C18)
func.func @layer_norm_weight_shape(%g: tensor<?x64xbf16>) {
  // expected-error @+1 {{'nn.layer_norm_weight_grad' op expected a result of the last dimensions of 'tensor<?x64xbf16>' but got 'tensor<32xbf16>'}}
  %0 = nn.layer_norm_weight_grad %g, %g : tensor<?x64xbf16> to tensor<32xbf16>
  return
}
