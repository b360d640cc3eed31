// RUN: prec-opt %s -prec-make-rounding-explicit -split-input-file -verify-diagnostics

func.func @eight_bits(%a: f8E4M3FN) -> f8E4M3FN {
  // expected-error @below {{'arith.addf' op computes in 'f8E4M3FN'; expected f32 or f64 and 'prec.round'}}
  %0 = arith.addf %a, %a : f8E4M3FN
  return %0 : f8E4M3FN
}

// -----

func.func @eight_bit_function(%a: vector<4xf8E5M2>) -> vector<4xf8E5M2> {
  // expected-error @below {{'math.exp' op computes in 'f8E5M2'; expected f32 or f64 and 'prec.round'}}
  %0 = math.exp %a : vector<4xf8E5M2>
  return %0 : vector<4xf8E5M2>
}

// -----

// The order of the additions is not said.
func.func @vector_sum(%v: vector<8xbf16>) -> bf16 {
  // expected-error @below {{'vector.reduction' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %0 = vector.reduction <add>, %v : vector<8xbf16> into bf16
  return %0 : bf16
}

// -----

func.func @wide_integer(%i: i128) -> bf16 {
  // expected-error @below {{'arith.sitofp' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %0 = arith.sitofp %i : i128 to bf16
  return %0 : bf16
}

// -----

// expected-error @below {{'func.func' op has the type 'f80'; expected bf16, f16, f8E4M3FN, f8E5M2, f32 or f64}}
func.func @unknown_format(%a: f80) {
  %0 = arith.truncf %a : f80 to bf16
  return
}

// -----

func.func @tf32(%a: f32) {
  // expected-error @below {{'arith.truncf' op has the type 'tf32'; expected bf16, f16, f8E4M3FN, f8E5M2, f32 or f64}}
  %0 = arith.truncf %a : f32 to tf32
  return
}

// -----

// expected-error @below {{'func.func' op has the type 'complex<f32>'; expected bf16, f16, f8E4M3FN, f8E5M2, f32 or f64}}
func.func @complex(%a: tensor<4xcomplex<f32>>) {
  return
}

// -----

// expected-error @below {{'func.func' op has the type 'tensor<*xbf16>'; expected a ranked tensor}}
func.func @unranked(%a: tensor<*xbf16>) -> tensor<*xbf16> {
  %0 = arith.addf %a, %a : tensor<*xbf16>
  return %0 : tensor<*xbf16>
}

// -----

func.func @cast(%a: tensor<4xbf16>) {
  // expected-error @below {{'tensor.cast' op has the type 'tensor<*xbf16>'; expected a ranked tensor}}
  %0 = tensor.cast %a : tensor<4xbf16> to tensor<*xbf16>
  return
}

// -----

func.func @softmax(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @below {{'linalg.softmax' op hides its arithmetic; expected 'linalg.generic'}}
  %0 = linalg.softmax dimension(1) ins(%a : tensor<2x8xf32>) outs(%a : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @scaled(%a: f8E4M3FN, %s: f8E5M2) -> bf16 {
  // expected-error @below {{'arith.scaling_extf' op computes in 'f8E4M3FN'; expected f32 or f64 and 'prec.round'}}
  %0 = arith.scaling_extf %a, %s : f8E4M3FN, f8E5M2 to bf16
  return %0 : bf16
}

// -----

func.func @atomic(%m: memref<4xbf16>, %x: bf16, %i: index) {
  // expected-error @below {{'memref.atomic_rmw' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %0 = memref.atomic_rmw addf %x, %m[%i] : (bf16, memref<4xbf16>) -> bf16
  return
}

// -----

func.func @foreign(%x: bf16) -> bf16 {
  // expected-error @below {{'llvm.fadd' op on 'bf16' is not known to the rounding contract}}
  %0 = llvm.fadd %x, %x : bf16
  return %0 : bf16
}

// -----

func.func @clamp(%x: f32) -> f32 {
  // expected-error @below {{'math.clampf' op has no agreed meaning; expected 'arith.maximumf' and 'arith.minimumf'}}
  %0 = math.clampf %x to [%x, %x] : f32
  return %0 : f32
}
