// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @index_type(%z: tensor<9x8xbf16>, %i: tensor<4x2xi16>) {
  // expected-error @+1 {{'moe.combine' op operand #1 must be ranked tensor of 32-bit signless integer or 64-bit signless integer values, but got 'tensor<4x2xi16>'}}
  %0 = moe.combine %z indices(%i : tensor<4x2xi16>) : tensor<9x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C2)
func.func @point(%z: tensor<4x2x8xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected a rounding point (bias, weight, term, accumulate, sum, scaled, shared_gate, shared, combined, result) but got 'product'}}
  %0 = moe.combine %z points {product = true} : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C3)
func.func @element_type(%z: tensor<4x2x8xf16>) {
  // expected-error @+1 {{'moe.combine' op expected a result of 'f16' or f32 elements but got 'bf16'}}
  %0 = moe.combine %z : tensor<4x2x8xf16> to tensor<4x8xbf16>
  return
}

// -----

// (C4)
func.func @weights_type(%z: tensor<4x2x8xbf16>, %w: tensor<4x2xf16>) {
  // expected-error @+1 {{'moe.combine' op expected weights of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.combine %z weights(%w : tensor<4x2xf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C4)
func.func @shared_type(%z: tensor<4x2x8xbf16>, %s: tensor<4x8xf16>) {
  // expected-error @+1 {{'moe.combine' op expected shared of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.combine %z shared(%s : tensor<4x8xf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C4)
func.func @logit_type(%z: tensor<4x2x8xbf16>, %s: tensor<4x8xbf16>, %l: tensor<4xf16>) {
  // expected-error @+1 {{'moe.combine' op expected shared_logit of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.combine %z shared(%s : tensor<4x8xbf16>) shared_logit(%l : tensor<4xf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C4)
func.func @residual_type(%z: tensor<4x2x8xbf16>, %s: tensor<4x8xf16>) {
  // expected-error @+1 {{'moe.combine' op expected residual of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.combine %z residual(%s : tensor<4x8xf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C14)
func.func @rank(%z: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected terms of rank 3 but got 'tensor<4x8xbf16>'}}
  %0 = moe.combine %z : tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C14)
func.func @rank_of_rows(%z: tensor<4x2x8xbf16>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{'moe.combine' op expected terms of rank 2 but got 'tensor<4x2x8xbf16>'}}
  %0 = moe.combine %z indices(%i : tensor<4x2xi32>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C14)
func.func @rank_of_indices(%z: tensor<9x8xbf16>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'moe.combine' op expected indices of rank 2 but got 'tensor<4xi32>'}}
  %0 = moe.combine %z indices(%i : tensor<4xi32>) : tensor<9x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C15)
func.func @weights_shape(%z: tensor<9x8xbf16>, %i: tensor<4x2xi32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'moe.combine' op expected weights of type 'tensor<4x2xf32>' but got 'tensor<4x3xf32>'}}
  %0 = moe.combine %z weights(%w : tensor<4x3xf32>) indices(%i : tensor<4x2xi32>) : tensor<9x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C15)
func.func @keys_shape(%z: tensor<4x2x8xbf16>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'moe.combine' op expected keys of type 'tensor<4x2xi32>' but got 'tensor<4xi32>'}}
  %0 = moe.combine %z by(%i : tensor<4xi32>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C15)
func.func @bias_shape(%z: tensor<4x2x8xbf16>, %b: tensor<4xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected bias shaped as the last dimensions of 'tensor<4x2x8xbf16>' but got 'tensor<4xbf16>'}}
  %0 = moe.combine %z bias(%b : tensor<4xbf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C16)
func.func @result_shape(%z: tensor<9x8xbf16>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{'moe.combine' op expected result type 'tensor<4x8xbf16>' but got 'tensor<9x8xbf16>'}}
  %0 = moe.combine %z indices(%i : tensor<4x2xi32>) : tensor<9x8xbf16> to tensor<9x8xbf16>
  return
}

// -----

// (C17)
func.func @shared_shape(%z: tensor<4x2x8xbf16>, %s: tensor<4x2xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected shared of type 'tensor<4x8xbf16>' but got 'tensor<4x2xbf16>'}}
  %0 = moe.combine %z shared(%s : tensor<4x2xbf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C17)
func.func @residual_shape(%z: tensor<4x2x8xbf16>, %s: tensor<8xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected residual of type 'tensor<4x8xbf16>' but got 'tensor<8xbf16>'}}
  %0 = moe.combine %z residual(%s : tensor<8xbf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C17)
func.func @logit_without_shared(%z: tensor<4x2x8xbf16>, %l: tensor<4xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected shared with shared_logit}}
  %0 = moe.combine %z shared_logit(%l : tensor<4xbf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C17)
func.func @logit_shape(%z: tensor<4x2x8xbf16>, %s: tensor<4x8xbf16>, %l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected shared_logit of type 'tensor<4x1xbf16>' but got 'tensor<4x8xbf16>'}}
  %0 = moe.combine %z shared(%s : tensor<4x8xbf16>) shared_logit(%l : tensor<4x8xbf16>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C18)
func.func @scale(%z: tensor<4x2x8xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected a scale that is finite}}
  %0 = moe.combine %z scale 0x7f800000 : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C19)
func.func @order_and_keys(%z: tensor<4x2x8xbf16>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{'moe.combine' op expected order or by but got both}}
  %0 = moe.combine %z by(%i : tensor<4x2xi32>) order <sequential> points {accumulate = false} : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C19)
func.func @order_and_rounding(%z: tensor<4x2x8xbf16>) {
  // expected-error @+1 {{'moe.combine' op order needs points {accumulate = false}}}
  %0 = moe.combine %z order <sequential> : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C19)
func.func @order_too_short(%z: tensor<4x3x8xbf16>) {
  // expected-error @+1 {{'moe.combine' op expected an order of 3 elements but got one of 2}}
  %0 = moe.combine %z order <digits [2] steps [0 sequential]> points {accumulate = false} : tensor<4x3x8xbf16> to tensor<4x8xbf16>
  return
}
