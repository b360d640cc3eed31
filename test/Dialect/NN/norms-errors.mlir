// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @f64(%x: tensor<4x8xf64>) {
  // expected-error @+1 {{'nn.rms_norm' op operand #0 must be ranked tensor of bfloat16 type or 16-bit float or 32-bit float values, but got 'tensor<4x8xf64>'}}
  %0 = nn.rms_norm %x : tensor<4x8xf64> to tensor<4x8xf64>
  return
}

// -----

// (C2)
func.func @point(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected a rounding point (mean, centered, square, variance, eps, radicand, sqrt, rstd, normalized, scaled, result) but got 'bias'}}
  %0 = nn.layer_norm %x points {bias = false} : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C3)
func.func @element_type(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.rms_norm %x : tensor<4x8xbf16> to tensor<4x8xf16>
  return
}

// -----

// (C4)
func.func @result_shape(%x: tensor<?x8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected result type 'tensor<?x8xbf16>' but got 'tensor<8xbf16>'}}
  %0 = nn.layer_norm %x : tensor<?x8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C7)
func.func @rank(%x: tensor<bf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected an input of rank 1 or more but got 'tensor<bf16>'}}
  %0 = nn.rms_norm %x : tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C7)
func.func @layer_norm_rank(%x: tensor<bf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected an input of rank 1 or more but got 'tensor<bf16>'}}
  %0 = nn.layer_norm %x : tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C8)
func.func @weight_shape(%x: tensor<?x8xbf16>, %w: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected a weight shaped as the last dimensions of 'tensor<?x8xbf16>' but got 'tensor<4xbf16>'}}
  %0 = nn.rms_norm %x weight(%w : tensor<4xbf16>) : tensor<?x8xbf16> to tensor<?x8xbf16>
  return
}

// -----

// (C8)
func.func @weight_rank(%x: tensor<8xbf16>, %w: tensor<1x8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected a weight shaped as the last dimensions of 'tensor<8xbf16>' but got 'tensor<1x8xbf16>'}}
  %0 = nn.layer_norm %x weight(%w : tensor<1x8xbf16>) : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C8)
func.func @scalar_weight(%x: tensor<8xbf16>, %w: tensor<bf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected a weight shaped as the last dimensions of 'tensor<8xbf16>' but got 'tensor<bf16>'}}
  %0 = nn.rms_norm %x weight(%w : tensor<bf16>) : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C8)
func.func @weight_type(%x: tensor<8xbf16>, %w: tensor<8xf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected a weight of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.rms_norm %x weight(%w : tensor<8xf16>) : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C8)
func.func @bias_shape(%x: tensor<?x8xbf16>, %b: tensor<9xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected a bias shaped as the last dimensions of 'tensor<?x8xbf16>' but got 'tensor<9xbf16>'}}
  %0 = nn.layer_norm %x bias(%b : tensor<9xbf16>) : tensor<?x8xbf16> to tensor<?x8xbf16>
  return
}

// -----

// (C9)
func.func @negative_eps(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected an eps that is finite and not negative}}
  %0 = nn.rms_norm %x eps -1.0 : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C9)
func.func @nan_eps(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected an eps that is finite and not negative}}
  %0 = nn.layer_norm %x eps 0x7fc00000 : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @sqrt_of_rsqrt(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op rounding point 'sqrt' needs rstd one_over_sqrt}}
  %0 = nn.rms_norm %x rstd rsqrt points {sqrt = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @layer_norm_sqrt_of_rsqrt(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op rounding point 'sqrt' needs rstd one_over_sqrt}}
  %0 = nn.layer_norm %x rstd rsqrt points {sqrt = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @weight_point(%x: tensor<8xbf16>, %w: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op rounding point 'weight' needs one_plus}}
  %0 = nn.rms_norm %x weight(%w : tensor<8xbf16>) points {weight = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @normalized_in_fma(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op rounding point 'normalized' needs form center or center_fma}}
  %0 = nn.layer_norm %x points {normalized = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C10)
func.func @scaled_in_fma(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op rounding point 'scaled' needs form center}}
  %0 = nn.layer_norm %x form center_fma points {scaled = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C13)
func.func @one_plus_nothing(%x: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected a weight with one_plus}}
  %0 = nn.rms_norm %x one_plus : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C15)
func.func @rms_norm_order(%x: tensor<64xbf16>) {
  // expected-error @+1 {{'nn.rms_norm' op expected an order of 64 elements but got one of 8}}
  %0 = nn.rms_norm %x order <digits [8] steps [0 adjacent]> : tensor<64xbf16> to tensor<64xbf16>
  return
}

// -----

// (C15)
func.func @layer_norm_order(%x: tensor<?xbf16>) {
  // expected-error @+1 {{'nn.layer_norm' op expected an order of any number of elements but got one of 8}}
  %0 = nn.layer_norm %x order <digits [8] steps [0 adjacent]> : tensor<?xbf16> to tensor<?xbf16>
  return
}
