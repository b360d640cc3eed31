// RUN: prec-opt %s -split-input-file -verify-diagnostics

// prec.round, C1
func.func @round_operand(%x: f16) {
  // expected-error @below {{'prec.round' op operand #0 must be f32 or f64, or a vector or tensor of it, but got 'f16'}}
  %0 = prec.round %x : f16 to f8E4M3FN
  return
}

// -----

// prec.round, C1
func.func @round_result(%x: f32) {
  // expected-error @below {{'prec.round' op result #0 must be bf16, f16, f8E4M3FN, f8E5M2 or f32, or a vector or tensor of it, but got 'f8E4M3FNUZ'}}
  %0 = prec.round %x : f32 to f8E4M3FNUZ
  return
}

// -----

// prec.round, C1: no memory
func.func @round_memory(%x: memref<4xf32>) {
  // expected-error @below {{'prec.round' op operand #0 must be f32 or f64, or a vector or tensor of it, but got 'memref<4xf32>'}}
  %0 = prec.round %x : memref<4xf32> to memref<4xbf16>
  return
}

// -----

// prec.round, C2
func.func @round_dynamic(%x: tensor<?xf32>) {
  // expected-error @below {{'prec.round' op expected the result to have the operand's shape but got 'tensor<?xf32>' and 'tensor<4xbf16>'}}
  %0 = prec.round %x : tensor<?xf32> to tensor<4xbf16>
  return
}

// -----

// prec.round, C2
func.func @round_kind(%x: tensor<4xf32>) {
  // expected-error @below {{'prec.round' op all non-scalar operands/results must have the same shape and base type}}
  %0 = prec.round %x : tensor<4xf32> to vector<4xbf16>
  return
}

// -----

// prec.round, C3
func.func @round_wider(%x: f32) {
  // expected-error @below {{'prec.round' op expected a format narrower than 'f32' but got 'f32'}}
  %0 = prec.round %x : f32 to f32
  return
}

// -----

func.func @round_mode(%x: f32) {
  // expected-error @below {{expected ':'}}
  %0 = prec.round %x up : f32 to bf16
  return
}

// -----

func.func @materialize(%x: f32) {
  // expected-error @below {{invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = prec.materialize %x : f32
  return
}

// -----

// prec.observe, C1
func.func @observe(%x: f32) {
  // expected-error @below {{'prec.observe' op expected a name that is not empty}}
  %0 = prec.observe %x "" : f32
  return
}

// -----

// prec.sum, C1
func.func @sum_dimension(%t: tensor<2x3xf32>) {
  // expected-error @below {{'prec.sum' op expected a dimension of the operand, 0 to 1 but got 2}}
  %0 = prec.sum %t dim 2 <sequential> : tensor<2x3xf32> to tensor<2xf32>
  return
}

// -----

// prec.sum, C1
func.func @sum_negative(%t: tensor<2x3xf32>) {
  // expected-error @below {{'prec.sum' op expected a dimension of the operand, 0 to 1 but got -1}}
  %0 = prec.sum %t dim -1 <sequential> : tensor<2x3xf32> to tensor<2xf32>
  return
}

// -----

// prec.sum, C2
func.func @sum_shape(%t: tensor<2x?xf32>) {
  // expected-error @below {{'prec.sum' op expected the result type 'tensor<?xf32>' but got 'tensor<2xf32>'}}
  %0 = prec.sum %t dim 0 <sequential> : tensor<2x?xf32> to tensor<2xf32>
  return
}

// -----

// prec.sum, C3
func.func @sum_element(%t: tensor<2x3xf32>) {
  // expected-error @below {{'prec.sum' op expected the result type 'tensor<2xf32>' but got 'tensor<2xf64>'}}
  %0 = prec.sum %t dim 1 <sequential> : tensor<2x3xf32> to tensor<2xf64>
  return
}

// -----

func.func @sum_narrow(%t: tensor<2x3xbf16>) {
  // expected-error @below {{'prec.sum' op operand #0 must be 1D/2D/3D/4D/5D/6D/7D/8D tensor of 32-bit float or 64-bit float values, but got 'tensor<2x3xbf16>'}}
  %0 = prec.sum %t dim 1 <sequential> : tensor<2x3xbf16> to tensor<2xbf16>
  return
}

// -----

// prec.kernel, C1
func.func @kernel_name() {
  // expected-error @below {{'prec.kernel' op expected a name that is not empty}}
  prec.kernel ""() : () -> () {
    prec.yield
  }
  return
}

// -----

// prec.kernel, C2
func.func @kernel_arguments(%t: tensor<4xf32>) {
  // expected-error @below {{'prec.kernel' op expected block arguments of the types 'tensor<4xf32>' but got 'tensor<8xf32>'}}
  prec.kernel "k"(%t) : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<8xf32>):
    prec.yield
  }
  return
}

// -----

// prec.kernel, C3
func.func @kernel_results(%t: tensor<4xf32>) {
  %0 = prec.kernel "k"(%t) : (tensor<4xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{'prec.yield' op expected the kernel's result types 'tensor<8xf32>' but got 'tensor<4xf32>'}}
    prec.yield %a : tensor<4xf32>
  }
  return
}

// -----

// prec.kernel, C3
func.func @kernel_end(%t: tensor<4xf32>) {
  // expected-error @below {{'prec.kernel' op expects regions to end with 'prec.yield', found 'llvm.unreachable'}}
  // expected-note @below {{in custom textual format, the absence of terminator implies 'prec.yield'}}
  prec.kernel "k"() : () -> () {
    llvm.unreachable
  }
  return
}

// -----

func.func @kernel_isolated(%t: tensor<4xf32>) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = prec.kernel "k"() : () -> tensor<4xf32> {
    // expected-error @below {{'prec.yield' op using value defined outside the region}}
    prec.yield %t : tensor<4xf32>
  }
  return
}

// -----

// expected-error @below {{'prec.yield' op expects parent op 'prec.kernel'}}
prec.yield

// -----

// C4 of prec.sum
func.func @sum_order(%x: tensor<2x64xf32>) -> tensor<2xf32> {
  // expected-error @below {{'prec.sum' op expected an order of 64 elements but got one of 8}}
  %0 = prec.sum %x dim 1 <digits [8] steps [0 sequential]> : tensor<2x64xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// C4 of prec.sum
func.func @sum_order_dynamic(%x: tensor<?x64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'prec.sum' op expected an order of any number of elements but got one of 8}}
  %0 = prec.sum %x dim 0 <digits [8] steps [0 sequential]> : tensor<?x64xf32> to tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// prec.lookup, C1
func.func @lookup_short(%x: i32) {
  // expected-error @below {{'prec.lookup' op expected a table of 32 words but got 3}}
  %0 = prec.lookup %x in [1, 2, 3] : i32
  return
}

// -----

func.func @lookup_type(%x: i64) {
  // expected-error @below {{'prec.lookup' op operand #0 must be i32, or a vector or tensor of it, but got 'i64'}}
  %0 = prec.lookup %x in [] : i64
  return
}
