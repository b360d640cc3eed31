// RUN: prec-opt %s -prec-verify-explicit -split-input-file -verify-diagnostics

// Every violation is reported, not only the first.
func.func @arithmetic(%a: bf16, %b: tensor<4xf16>, %i: i32, %x: f32) -> bf16 {
  // expected-error @below {{'arith.addf' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %0 = arith.addf %a, %a : bf16
  // expected-error @below {{'math.exp' op computes in 'f16'; expected f32 or f64 and 'prec.round'}}
  %1 = math.exp %b : tensor<4xf16>
  // expected-error @below {{'arith.cmpf' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %2 = arith.cmpf olt, %0, %a : bf16
  // expected-error @below {{'arith.sitofp' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %3 = arith.sitofp %i : i32 to bf16
  // expected-error @below {{'arith.fptosi' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
  %4 = arith.fptosi %a : bf16 to i32
  // expected-error @below {{'arith.truncf' op rounds implicitly; expected 'prec.round'}}
  %5 = arith.truncf %x : f32 to bf16
  // expected-error @below {{'arith.mulf' op has fast-math flags; expected none}}
  %6 = arith.mulf %x, %x fastmath<contract> : f32
  return %5 : bf16
}

// -----

func.func @eight_bits(%a: f8E4M3FN) {
  // expected-error @below {{'arith.extf' op computes in 'f8E4M3FN'; expected f32 or f64 and 'prec.round'}}
  %0 = arith.extf %a : f8E4M3FN to bf16
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @linalg(%a: tensor<4xbf16>, %f: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xbf16>) outs(%a : tensor<4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    // expected-error @below {{'arith.mulf' op computes in 'bf16'; expected f32 or f64 and 'prec.round'}}
    %1 = arith.mulf %in, %in : bf16
    linalg.yield %1 : bf16
  } -> tensor<4xbf16>
  // expected-error @below {{'linalg.exp' op hides its arithmetic; expected 'linalg.generic'}}
  %2 = linalg.exp ins(%f : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xbf16>, tensor<4xf32>
}

// -----

// What level R is: no error.
func.func @explicit(%a: bf16, %b: bf16, %c: i1, %i: i16, %e: f8E5M2, %d: f64) -> bf16 {
  %cst = arith.constant 1.0 : bf16
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.mulf %0, %0 : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.select %c, %2, %cst : bf16
  %4 = arith.bitcast %i : i16 to bf16
  %5 = arith.extf %e : f8E5M2 to f32
  %6 = arith.addf %d, %d : f64
  %7 = prec.observe %3 "x" : bf16
  return %7 : bf16
}

// -----

func.func @composite(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'nn.silu' op is a composite operation; expected its formula}}
  %0 = nn.silu %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
