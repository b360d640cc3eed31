// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C2)
func.func @point(%dy: tensor<?x64xbf16>, %z: tensor<?x8x64xbf16>) {
  // expected-error @+1 {{'moe.combine_grad' op expected a rounding point (weight, scaled, product, result) but got 'term'}}
  %0 = moe.combine_grad %dy, %z points {term = true} : tensor<?x64xbf16>, tensor<?x8x64xbf16> to tensor<?x8x64xbf16>
  return
}

// -----

// (C4)
func.func @gradient_type(%dy: tensor<4x8xf16>, %x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected a gradient of 'bf16' or f32 elements but got 'f16'}}
  %0 = moe.activation_grad relu %dy, %x : tensor<4x8xf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C5)
func.func @rank(%dy: tensor<bf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected an input of rank 1 or more but got 'tensor<bf16>'}}
  %0 = moe.activation_grad relu %dy, %dy : tensor<bf16>, tensor<bf16> to tensor<bf16>
  return
}

// -----

// (C6)
func.func @up_and_layout(%dy: tensor<4x4xbf16>, %x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected up or a layout but got both}}
  %0:2 = moe.activation_grad silu %dy, %x up(%dy : tensor<4x4xbf16>) layout halves
           : tensor<4x4xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16> up tensor<4x4xbf16>
  return
}

// -----

// (C11)
func.func @probability(%dy: tensor<4x8xbf16>, %p: tensor<8xf32>) {
  // expected-error @+1 {{'moe.activation_grad' op expected probability of type 'tensor<4xf32>' but got 'tensor<8xf32>'}}
  %0:2 = moe.activation_grad silu %dy, %dy probability(%p : tensor<8xf32>)
           : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16> probability tensor<8xf32>
  return
}

// -----

// (C12)
func.func @form(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op form product needs the function silu}}
  %0 = moe.activation_grad relu %dy, %dy form product : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C13)
func.func @limit(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected a limit that is finite and positive}}
  %0 = moe.activation_grad silu %dy, %dy limit 0.0 : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C13)
func.func @offset(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op offset needs an up}}
  %0 = moe.activation_grad silu %dy, %dy offset 1.0 : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C14)
func.func @terms(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.combine_grad' op expected terms of rank 3 but got 'tensor<4x8xbf16>'}}
  %0 = moe.combine_grad %dy, %dy : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C14)
func.func @indices(%dy: tensor<4x8xbf16>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'moe.combine_grad' op expected indices of rank 2 but got 'tensor<4xi32>'}}
  %0 = moe.combine_grad %dy, %dy indices(%i : tensor<4xi32>) slots(%i : tensor<4xi32>)
         : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C15)
func.func @weights(%dy: tensor<4x8xbf16>, %z: tensor<4x2x8xbf16>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'moe.combine_grad' op expected weights of type 'tensor<4x2xf32>' but got 'tensor<4x3xf32>'}}
  %0:2 = moe.combine_grad %dy, %z weights(%w : tensor<4x3xf32>)
           : tensor<4x8xbf16>, tensor<4x2x8xbf16> to tensor<4x2x8xbf16> weights tensor<4x3xf32>
  return
}

// -----

// (C18)
func.func @scale(%dy: tensor<4x8xbf16>, %z: tensor<4x2x8xbf16>) {
  // expected-error @+1 {{'moe.combine_grad' op expected a scale that is finite}}
  %0 = moe.combine_grad %dy, %z scale 0x7f800000 : tensor<4x8xbf16>, tensor<4x2x8xbf16> to tensor<4x2x8xbf16>
  return
}

// -----

// (C26)
func.func @order(%dy: tensor<4x?xbf16>, %z: tensor<4x2x?xbf16>) {
  // expected-error @+1 {{'moe.combine_grad' op expected an order of any number of elements but got one of 8}}
  %0 = moe.combine_grad %dy, %z order <digits [8] steps [0 adjacent]>
         : tensor<4x?xbf16>, tensor<4x2x?xbf16> to tensor<4x2x?xbf16>
  return
}

// -----

// (C26)
func.func @activation_order(%dy: tensor<4x64xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected an order of 64 elements but got one of 8}}
  %0 = moe.activation_grad silu %dy, %dy order <digits [8] steps [0 adjacent]>
         : tensor<4x64xbf16>, tensor<4x64xbf16> to tensor<4x64xbf16>
  return
}

// -----

// (C27)
func.func @gradient_shape(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected a gradient of type 'tensor<4x4xbf16>' but got 'tensor<4x8xbf16>'}}
  %0 = moe.activation_grad silu %dy, %dy layout halves : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C27)
func.func @combine_gradient_shape(%dy: tensor<4x7xbf16>, %z: tensor<4x2x8xbf16>) {
  // expected-error @+1 {{'moe.combine_grad' op expected a gradient of type 'tensor<4x8xbf16>' but got 'tensor<4x7xbf16>'}}
  %0 = moe.combine_grad %dy, %z : tensor<4x7xbf16>, tensor<4x2x8xbf16> to tensor<4x2x8xbf16>
  return
}

// -----

// (C28)
func.func @derivative(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op derivative chain needs the function silu}}
  %0 = moe.activation_grad gelu %dy, %dy derivative chain : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C29)
func.func @pack(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op pack add needs a layout}}
  %0 = moe.activation_grad silu %dy, %dy pack add : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C30)
func.func @no_gradient_of_up(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected the gradient of up exactly if there is one}}
  %0 = moe.activation_grad silu %dy, %dy up(%dy : tensor<4x8xbf16>)
         : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C30)
func.func @gradient_of_nothing(%dy: tensor<4x8xbf16>, %z: tensor<4x2x8xbf16>) {
  // expected-error @+1 {{'moe.combine_grad' op expected the gradient of the weights exactly if there is one}}
  %0:2 = moe.combine_grad %dy, %z : tensor<4x8xbf16>, tensor<4x2x8xbf16> to tensor<4x2x8xbf16> weights tensor<4x2xf32>
  return
}

// -----

// (C30)
func.func @input_gradient(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected the gradient of the input of type 'tensor<4x8xbf16>' but got 'tensor<4x8xf32>'}}
  %0 = moe.activation_grad silu %dy, %dy : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xf32>
  return
}

// -----

// (C31)
func.func @indices_alone(%dy: tensor<4x8xbf16>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{'moe.combine_grad' op expected indices and slots together}}
  %0 = moe.combine_grad %dy, %dy indices(%i : tensor<4x2xi32>) : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C31)
func.func @slots(%dy: tensor<4x8xbf16>, %z: tensor<6x8xbf16>, %i: tensor<4x2xi32>, %s: tensor<5xi32>) {
  // expected-error @+1 {{'moe.combine_grad' op expected slots of type 'tensor<6xi32>' but got 'tensor<5xi32>'}}
  %0 = moe.combine_grad %dy, %z indices(%i : tensor<4x2xi32>) slots(%s : tensor<5xi32>)
         : tensor<4x8xbf16>, tensor<6x8xbf16> to tensor<6x8xbf16>
  return
}

// -----

func.func @alpha_function(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op alpha needs the function silu}}
  %0 = moe.activation_grad relu %dy, %dy alpha 2.0 : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

func.func @alpha_zero(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected an alpha that is finite and not zero}}
  %0 = moe.activation_grad silu %dy, %dy alpha 0.0 : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

func.func @up_bias(%dy: tensor<4x8xbf16>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'moe.activation_grad' op expected up with up_bias}}
  %0 = moe.activation_grad silu %dy, %dy up_bias(%b : tensor<8xf32>) : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

func.func @bias_shape(%dy: tensor<4x8xbf16>, %b: tensor<7xf32>) {
  // expected-error @+1 {{'moe.activation_grad' op expected bias shaped as the last dimensions of 'tensor<4x8xbf16>' but got 'tensor<7xf32>'}}
  %0 = moe.activation_grad silu %dy, %dy bias(%b : tensor<7xf32>) : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16>
  return
}

// -----

// (C30)
func.func @gradient_of_no_bias(%dy: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op a gradient of bias needs a bias}}
  %0:2 = moe.activation_grad silu %dy, %dy : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16> bias tensor<8xbf16>
  return
}

// -----

// (C30)
func.func @bias_gradient(%dy: tensor<4x8xbf16>, %b: tensor<8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected the gradient of bias of type 'tensor<8xbf16>' but got 'tensor<8xf32>'}}
  %0:2 = moe.activation_grad silu %dy, %dy bias(%b : tensor<8xbf16>) : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16> bias tensor<8xf32>
  return
}

// -----

// (C26)
func.func @rows_order(%dy: tensor<20x8xbf16>, %b: tensor<8xbf16>) {
  // expected-error @+1 {{'moe.activation_grad' op expected an order of 20 elements but got one of 8}}
  %0:2 = moe.activation_grad silu %dy, %dy bias(%b : tensor<8xbf16>) rows_order <digits [8] steps [0 adjacent]>
           : tensor<20x8xbf16>, tensor<20x8xbf16> to tensor<20x8xbf16> bias tensor<8xbf16>
  return
}
