// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @f64(%x: tensor<4x8xf64>) {
  // expected-error @+1 {{'moe.activation' op operand #0 must be ranked tensor of bfloat16 type or 16-bit float or 32-bit float values, but got 'tensor<4x8xf64>'}}
  %0 = moe.activation silu %x : tensor<4x8xf64> to tensor<4x8xf64>
  return
}

// -----

// (C2)
func.func @point(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected a rounding point (gate_cast, up_cast, bias, clamp, scaled, sigmoid, silu, offset_scalar, offset, product, probability, result) but got 'gate'}}
  %0 = moe.activation silu %x points {gate = true} : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C3)
func.func @element_type(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.activation silu %x : tensor<4x8xbf16> to tensor<4x8xf16>
  return
}

// -----

// (C4)
func.func @probability_type(%x: tensor<4x8xbf16>, %p: tensor<4xf16>) {
  // expected-error @+1 {{'moe.activation' op expected probability of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.activation silu %x probability(%p : tensor<4xf16>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C4)
func.func @bias_type(%x: tensor<4x8xf32>, %b: tensor<8xf16>) {
  // expected-error @+1 {{'moe.activation' op expected bias of f32 elements but got 'f16'}}
  %0 = moe.activation silu %x bias(%b : tensor<8xf16>) : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----

// (C5)
func.func @rank(%x: tensor<bf16>) {
  // expected-error @+1 {{'moe.activation' op expected an input of rank 1 or more but got 'tensor<bf16>'}}
  %0 = moe.activation silu %x : tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C6)
func.func @both(%x: tensor<4x8xbf16>, %u: tensor<4x4xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected up or a layout but got both}}
  %0 = moe.activation silu %x up(%u : tensor<4x4xbf16>) layout halves : tensor<4x8xbf16> to tensor<4x4xbf16>
  return
}

// -----

// (C7)
func.func @odd(%x: tensor<4x7xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected a last dimension that is static and even but got 'tensor<4x7xbf16>'}}
  %0 = moe.activation silu %x layout halves : tensor<4x7xbf16> to tensor<4x3xbf16>
  return
}

// -----

// (C7)
func.func @dynamic(%x: tensor<4x?xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected a last dimension that is static and even but got 'tensor<4x?xbf16>'}}
  %0 = moe.activation silu %x layout interleaved : tensor<4x?xbf16> to tensor<4x?xbf16>
  return
}

// -----

// (C8)
func.func @up_shape(%x: tensor<4x8xbf16>, %u: tensor<4x4xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected up of type 'tensor<4x8xbf16>' but got 'tensor<4x4xbf16>'}}
  %0 = moe.activation silu %x up(%u : tensor<4x4xbf16>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C8)
func.func @up_type(%x: tensor<4x8xbf16>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{'moe.activation' op expected up of 'bf16' elements but got 'f32'}}
  %0 = moe.activation silu %x up(%u : tensor<4x8xf32>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C9)
func.func @result_shape(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected result type 'tensor<4x4xbf16>' but got 'tensor<4x8xbf16>'}}
  %0 = moe.activation silu %x layout halves : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C10)
func.func @bias_shape(%x: tensor<4x8xbf16>, %b: tensor<4xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected bias shaped as the last dimensions of 'tensor<4x8xbf16>' but got 'tensor<4xbf16>'}}
  %0 = moe.activation silu %x layout halves bias(%b : tensor<4xbf16>) : tensor<4x8xbf16> to tensor<4x4xbf16>
  return
}

// -----

// (C10)
func.func @up_bias_without_up(%x: tensor<4x8xbf16>, %b: tensor<8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected up with up_bias}}
  %0 = moe.activation silu %x up_bias(%b : tensor<8xbf16>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C10)
func.func @up_bias_shape(%x: tensor<4x8xbf16>, %b: tensor<5x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected up_bias shaped as the last dimensions of 'tensor<4x8xbf16>' but got 'tensor<5x8xbf16>'}}
  %0 = moe.activation silu %x up(%x : tensor<4x8xbf16>) up_bias(%b : tensor<5x8xbf16>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C11)
func.func @probability_shape(%x: tensor<4x8xbf16>, %p: tensor<4x1xf32>) {
  // expected-error @+1 {{'moe.activation' op expected probability of type 'tensor<4xf32>' but got 'tensor<4x1xf32>'}}
  %0 = moe.activation silu %x probability(%p : tensor<4x1xf32>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C12)
func.func @alpha(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op alpha needs the function silu}}
  %0 = moe.activation gelu %x alpha 1.5 : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C12)
func.func @form(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op form product needs the function silu}}
  %0 = moe.activation relu %x form product : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C13)
func.func @zero_alpha(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected an alpha that is finite and not zero}}
  %0 = moe.activation silu %x alpha 0.0 : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C13)
func.func @limit(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected a limit that is finite and positive}}
  %0 = moe.activation silu %x limit -7.0 : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C13)
func.func @offset(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op offset needs an up}}
  %0 = moe.activation silu %x offset 1.0 : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C13)
func.func @infinite_offset(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation' op expected an offset that is finite}}
  %0 = moe.activation silu %x layout halves offset 0x7f800000 : tensor<4x8xbf16> to tensor<4x4xbf16>
  return
}
