// RUN: prec-opt %s --split-input-file --verify-diagnostics

// (C1)
func.func @index_type(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op result #1 must be ranked tensor of 32-bit signless integer or 64-bit signless integer values, but got 'tensor<4x2xindex>'}}
  %0:2 = moe.router %l softmax top_k 2 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xindex>
  return
}

// -----

// (C2)
func.func @point(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected a rounding point (logit, shifted, exponential, sum, score, bias, biased, group_score, total, normalized, result) but got 'weight'}}
  %0:2 = moe.router %l softmax top_k 2 points {weight = true} : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C3)
func.func @element_type(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected a result of 'bf16' or f32 elements but got 'f16'}}
  %0:2 = moe.router %l softmax top_k 2 : tensor<4x8xbf16> to tensor<4x2xf16>, tensor<4x2xi32>
  return
}

// -----

// (C4)
func.func @bias_type(%l: tensor<4x8xf32>, %b: tensor<8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected bias of f32 elements but got 'bf16'}}
  %0:2 = moe.router %l bias(%b : tensor<8xbf16>) softmax top_k 2 : tensor<4x8xf32> to tensor<4x2xf32>, tensor<4x2xi32>
  return
}

// -----

// (C20)
func.func @rank(%l: tensor<8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected logits of rank 2 but got 'tensor<8xbf16>'}}
  %0:2 = moe.router %l softmax top_k 2 : tensor<8xbf16> to tensor<2xbf16>, tensor<2xi32>
  return
}

// -----

// (C21)
func.func @top_k(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected top_k from 1 to 8 but got 9}}
  %0:2 = moe.router %l softmax top_k 9 : tensor<4x8xbf16> to tensor<4x9xbf16>, tensor<4x9xi32>
  return
}

// -----

// (C21)
func.func @top_k_dynamic(%l: tensor<4x?xbf16>) {
  // expected-error @+1 {{'moe.router' op expected top_k from 1 to 64 but got 65}}
  %0:2 = moe.router %l softmax top_k 65 : tensor<4x?xbf16> to tensor<4x65xbf16>, tensor<4x65xi32>
  return
}

// -----

// (C22)
func.func @weights_shape(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected result type 'tensor<4x2xbf16>' but got 'tensor<4x3xbf16>'}}
  %0:2 = moe.router %l softmax top_k 2 : tensor<4x8xbf16> to tensor<4x3xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C22)
func.func @indices_shape(%l: tensor<?x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected result type 'tensor<?x2xi32>' but got 'tensor<4x2xi32>'}}
  %0:2 = moe.router %l softmax top_k 2 : tensor<?x8xbf16> to tensor<?x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C23)
func.func @bias_shape(%l: tensor<4x8xbf16>, %b: tensor<4xbf16>) {
  // expected-error @+1 {{'moe.router' op expected bias of type 'tensor<8xbf16>' but got 'tensor<4xbf16>'}}
  %0:2 = moe.router %l bias(%b : tensor<4xbf16>) softmax top_k 2 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C24)
func.func @groups_alone(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected groups and top_groups together}}
  %0:2 = moe.router %l softmax top_k 2 groups 2 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C24)
func.func @groups(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected a static number of experts that 3 groups divide but got 'tensor<4x8xbf16>'}}
  %0:2 = moe.router %l softmax top_k 2 groups 3 top_groups 2 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C24)
func.func @groups_dynamic(%l: tensor<4x?xbf16>) {
  // expected-error @+1 {{'moe.router' op expected a static number of experts that 2 groups divide but got 'tensor<4x?xbf16>'}}
  %0:2 = moe.router %l softmax top_k 2 groups 2 top_groups 2 : tensor<4x?xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C24)
func.func @top_groups(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected top_groups from 1 to 2 but got 3}}
  %0:2 = moe.router %l softmax top_k 2 groups 2 top_groups 3 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C24)
func.func @top2_sum(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op top2_sum needs two experts a group but there is 1}}
  %0:2 = moe.router %l softmax top_k 2 groups 8 top_groups 3 group_score top2_sum : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C24)
func.func @top_k_in_groups(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected top_k of at most 4 experts in the selected groups but got 5}}
  %0:2 = moe.router %l softmax top_k 5 groups 4 top_groups 2 : tensor<4x8xbf16> to tensor<4x5xbf16>, tensor<4x5xi32>
  return
}

// -----

// (C25)
func.func @renormalize(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op renormalize needs scoring softmax or sigmoid}}
  %0:2 = moe.router %l softmax_of_top top_k 2 renormalize : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C25)
func.func @epsilon_alone(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op epsilon needs renormalize}}
  %0:2 = moe.router %l softmax top_k 2 epsilon 1.0e-20 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C25)
func.func @epsilon(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected an epsilon that is finite and not negative}}
  %0:2 = moe.router %l softmax top_k 2 renormalize epsilon -1.0 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C25)
func.func @scale(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected a scale that is finite}}
  %0:2 = moe.router %l softmax top_k 2 scale 0x7fc00000 : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C26)
func.func @order(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected an order of 8 elements but got one of 2}}
  %0:2 = moe.router %l softmax top_k 2 order <digits [2] steps [0 sequential]> : tensor<4x8xbf16> to tensor<4x2xbf16>, tensor<4x2xi32>
  return
}

// -----

// (C26)
func.func @total_order(%l: tensor<4x8xbf16>) {
  // expected-error @+1 {{'moe.router' op expected an order of 3 elements but got one of 2}}
  %0:2 = moe.router %l softmax top_k 3 renormalize total_order <digits [2] steps [0 sequential]> : tensor<4x8xbf16> to tensor<4x3xbf16>, tensor<4x3xi32>
  return
}
