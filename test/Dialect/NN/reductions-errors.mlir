// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @f64(%x: tensor<4x8xf64>) {
  // expected-error @+1 {{'nn.sum' op operand #0 must be ranked tensor of bfloat16 type or 16-bit float or 32-bit float values, but got 'tensor<4x8xf64>'}}
  %0 = nn.sum %x dim 0 : tensor<4x8xf64> to tensor<8xf64>
  return
}

// -----

// (C2)
func.func @point(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.softmax' op expected a rounding point (shifted, exponential, sum, result) but got 'mean'}}
  %0 = nn.softmax %x dim 0 points {mean = true} : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C3)
func.func @element_type(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.mean' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.mean %x dim 0 : tensor<4x8xbf16> to tensor<8xf16>
  return
}

// -----

// (C3)
func.func @narrowing(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'nn.softmax' op expected a result of 'f32' or f32 elements but got 'bf16'}}
  %0 = nn.softmax %x dim 0 : tensor<4x8xf32> to tensor<4x8xbf16>
  return
}

// -----

// (C4)
func.func @softmax_shape(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.softmax' op expected result type 'tensor<4x8xbf16>' but got 'tensor<4x?xbf16>'}}
  %0 = nn.softmax %x dim 0 : tensor<4x8xbf16> to tensor<4x?xbf16>
  return
}

// -----

// (C5)
func.func @dimension(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.sum' op expected a dimension of 'tensor<4x8xbf16>' but got 2}}
  %0 = nn.sum %x dim 2 : tensor<4x8xbf16> to tensor<4xbf16>
  return
}

// -----

// (C5)
func.func @negative_dimension(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'nn.softmax' op expected a dimension of 'tensor<4x8xbf16>' but got -1}}
  %0 = nn.softmax %x dim -1 : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C5)
func.func @no_dimension(%x: tensor<bf16>) {
  // expected-error @+1 {{'nn.mean' op expected a dimension of 'tensor<bf16>' but got 0}}
  %0 = nn.mean %x dim 0 : tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C6)
func.func @dropped(%x: tensor<?x4x8xbf16>) {
  // expected-error @+1 {{'nn.mean' op expected result type 'tensor<?x8xbf16>' but got 'tensor<?x4xbf16>'}}
  %0 = nn.mean %x dim 1 : tensor<?x4x8xbf16> to tensor<?x4xbf16>
  return
}

// -----

// (C6)
func.func @kept(%x: tensor<?x4x8xbf16>) {
  // expected-error @+1 {{'nn.sum' op expected result type 'tensor<?x1x8xbf16>' but got 'tensor<?x8xbf16>'}}
  %0 = nn.sum %x dim 1 keepdim : tensor<?x4x8xbf16> to tensor<?x8xbf16>
  return
}

// -----

func.func @order(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{expected sequential, aten_cpu, lanes or digits}}
  %0 = nn.sum %x dim 0 order <backwards> : tensor<4x8xbf16> to tensor<8xbf16>
  return
}

// -----

func.func @accumulate(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{expected one of [f32, f64] for the format in which a sum is taken, got: bf16}}
  %0 = nn.sum %x dim 0 accumulate bf16 : tensor<4x8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C15)
func.func @short_order(%x: tensor<4x64xbf16>) {
  // expected-error @+1 {{'nn.mean' op expected an order of 64 elements but got one of 8}}
  %0 = nn.mean %x dim 1 order <digits [8] steps [0 adjacent]> : tensor<4x64xbf16> to tensor<4xbf16>
  return
}

// -----

// (C15)
func.func @order_of_dynamic(%x: tensor<4x?xbf16>) {
  // expected-error @+1 {{'nn.softmax' op expected an order of any number of elements but got one of 8}}
  %0 = nn.softmax %x dim 1 order <digits [8] steps [0 adjacent]> : tensor<4x?xbf16> to tensor<4x?xbf16>
  return
}
