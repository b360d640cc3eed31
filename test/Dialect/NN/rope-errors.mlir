// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @f64(%x: tensor<8xf64>, %c: tensor<8xf64>) {
  // expected-error @+1 {{'nn.rope' op operand #0 must be ranked tensor of bfloat16 type or 16-bit float or 32-bit float values, but got 'tensor<8xf64>'}}
  %0 = nn.rope %x cos(%c : tensor<8xf64>) sin(%c : tensor<8xf64>) : tensor<8xf64> to tensor<8xf64>
  return
}

// -----

// (C2)
func.func @point(%x: tensor<8xbf16>, %c: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rope' op expected a rounding point (product, result) but got 'sum'}}
  %0 = nn.rope %x cos(%c : tensor<8xbf16>) sin(%c : tensor<8xbf16>) points {sum = true} : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C3)
func.func @element_type(%x: tensor<8xbf16>, %c: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rope' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.rope %x cos(%c : tensor<8xbf16>) sin(%c : tensor<8xbf16>) : tensor<8xbf16> to tensor<8xf16>
  return
}

// -----

// (C4)
func.func @result_shape(%x: tensor<2x8xbf16>, %c: tensor<8xbf16>) {
  // expected-error @+1 {{'nn.rope' op expected result type 'tensor<2x8xbf16>' but got 'tensor<8xbf16>'}}
  %0 = nn.rope %x cos(%c : tensor<8xbf16>) sin(%c : tensor<8xbf16>) : tensor<2x8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C7)
func.func @rank(%x: tensor<bf16>) {
  // expected-error @+1 {{'nn.rope' op expected an input of rank 1 or more but got 'tensor<bf16>'}}
  %0 = nn.rope %x cos(%x : tensor<bf16>) sin(%x : tensor<bf16>) : tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C8)
func.func @cos_shape(%x: tensor<3x8xbf16>, %c: tensor<2x8xbf16>, %s: tensor<3x8xbf16>) {
  // expected-error @+1 {{'nn.rope' op expected a cos shaped as the last dimensions of 'tensor<3x8xbf16>' but got 'tensor<2x8xbf16>'}}
  %0 = nn.rope %x cos(%c : tensor<2x8xbf16>) sin(%s : tensor<3x8xbf16>) : tensor<3x8xbf16> to tensor<3x8xbf16>
  return
}

// -----

// (C8)
func.func @sin_type(%x: tensor<8xbf16>, %c: tensor<8xbf16>, %s: tensor<8xf16>) {
  // expected-error @+1 {{'nn.rope' op expected a sin of 'bf16' or f32 elements but got 'f16'}}
  %0 = nn.rope %x cos(%c : tensor<8xbf16>) sin(%s : tensor<8xf16>) : tensor<8xbf16> to tensor<8xbf16>
  return
}

// -----

// (C14)
func.func @odd(%x: tensor<7xbf16>, %c: tensor<7xbf16>) {
  // expected-error @+1 {{'nn.rope' op expected a last dimension that is static and even but got 'tensor<7xbf16>'}}
  %0 = nn.rope %x cos(%c : tensor<7xbf16>) sin(%c : tensor<7xbf16>) : tensor<7xbf16> to tensor<7xbf16>
  return
}

// -----

// (C14)
func.func @dynamic(%x: tensor<?xbf16>, %c: tensor<?xbf16>) {
  // expected-error @+1 {{'nn.rope' op expected a last dimension that is static and even but got 'tensor<?xbf16>'}}
  %0 = nn.rope %x cos(%c : tensor<?xbf16>) sin(%c : tensor<?xbf16>) : tensor<?xbf16> to tensor<?xbf16>
  return
}
