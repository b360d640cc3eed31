// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @f64(%x: tensor<4xf64>) {
  // expected-error @+1 {{'nn.sigmoid' op operand #0 must be ranked tensor of bfloat16 type or 16-bit float or 32-bit float values, but got 'tensor<4xf64>'}}
  %0 = nn.sigmoid %x : tensor<4xf64>
  return
}

// -----

// (C1)
func.func @unranked(%x: tensor<*xbf16>) {
  // expected-error @+1 {{'nn.exp' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xbf16>'}}
  %0 = nn.exp %x : tensor<*xbf16>
  return
}

// -----

// (C1)
func.func @types_differ(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.tanh' op requires the same type for all operands and results}}
  %0 = "nn.tanh"(%x) : (tensor<4xbf16>) -> tensor<4xf16>
  return
}

// -----

// (C2)
func.func @unknown_point(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.rsqrt' op expected a rounding point (sqrt, result) but got 'square'}}
  %0 = nn.rsqrt %x points {square = true} : tensor<4xbf16>
  return
}

// -----

// (C2)
func.func @result_is_no_switch(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.silu' op rounding point 'result' follows from the result type and cannot be set}}
  %0 = nn.silu %x points {result = false} : tensor<4xbf16>
  return
}

// -----

// (C2)
func.func @not_a_boolean(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.rsqrt' op expected true or false for rounding point 'sqrt' but got 1 : i64}}
  %0 = nn.rsqrt %x points {sqrt = 1} : tensor<4xbf16>
  return
}

// -----

// (C10)
func.func @point_of_another_rule(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.rsqrt' op rounding point 'sqrt' needs rule one_over_sqrt}}
  %0 = nn.rsqrt %x rule rsqrt points {sqrt = true} : tensor<4xbf16>
  return
}

// -----

// (C11)
func.func @beta(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.softplus' op expected a beta that is finite and not zero}}
  %0 = nn.softplus %x beta 0.0 : tensor<4xbf16>
  return
}

// -----

// (C11)
func.func @infinite_beta(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.softplus' op expected a beta that is finite and not zero}}
  %0 = nn.softplus %x beta 0x7f800000 : tensor<4xbf16>
  return
}

// -----

// (C12)
func.func @threshold(%x: tensor<4xbf16>) {
  // expected-error @+1 {{'nn.softplus' op expected a threshold that is a number}}
  %0 = nn.softplus %x threshold 0x7fc00000 : tensor<4xbf16>
  return
}

// -----

func.func @unknown_approximation(%x: tensor<4xbf16>) {
  // expected-error @+1 {{expected one of [none, tanh] for which formula of gelu, got: sigmoid}}
  %0 = nn.gelu %x approximate sigmoid : tensor<4xbf16>
  return
}
