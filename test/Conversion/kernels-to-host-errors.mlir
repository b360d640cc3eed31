// RUN: prec-opt %s --convert-kernels-to-host --split-input-file --verify-diagnostics
// RUN: prec-opt %s --convert-kernels-to-gpu --split-input-file --verify-diagnostics

func.func @unscheduled(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'prec.kernel' op expected a schedule}}
  %0 = prec.kernel "k"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    prec.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prec.kernel "k"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    prec.yield %a : tensor<4xf32>
  }
  // expected-error @below {{'arith.negf' op is outside a kernel: expected only kernels to make tensors}}
  %1 = arith.negf %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op expected kernels to make all results}}
func.func @argument(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = prec.kernel "k"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    prec.yield %a : tensor<4xf32>
  }
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

#map = affine_map<(i) -> (i)>
func.func @order(%x: tensor<?xf32>) -> tensor<f32> {
  %0 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = rows, width = 1>} : (tensor<?xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<?xf32>):
    // expected-error @below {{'prec.sum' op is unsupported in a kernel: this order over a dynamic dimension}}
    %1 = prec.sum %a dim 0 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<?xf32> to tensor<f32>
    prec.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = rows, width = 1>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
    ^bb0(%p: f32):
      %c = arith.constant true
      // expected-error @below {{'scf.if' op is unsupported in a kernel}}
      %2 = scf.if %c -> f32 {
        scf.yield %p : f32
      } else {
        scf.yield %p : f32
      }
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    prec.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @unrolled(%x: tensor<1100xf32>) -> tensor<f32> {
  %0 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = rows, width = 1>} : (tensor<1100xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<1100xf32>):
    // expected-error @below {{'prec.sum' op is unsupported in a kernel: more than 1024 elements summed without a loop}}
    %1 = prec.sum %a dim 0 <digits [2048, *] steps [1 sequential, 0 halving]> : tensor<1100xf32> to tensor<f32>
    prec.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @ragged(%x: tensor<10000xf32>) -> tensor<f32> {
  %0 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = rows, width = 1>} : (tensor<10000xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<10000xf32>):
    // expected-error @below {{'prec.sum' op is unsupported in a kernel: an order that leaves many blocks ragged}}
    %1 = prec.sum %a dim 0 <digits [*, 64] steps [0 sequential, 1 adjacent]> : tensor<10000xf32> to tensor<f32>
    prec.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// 524,289 elements of one digit's value and 524,288 of the other's: the first
// cascade has steps of 32, the second of 16.
func.func @depth(%x: tensor<1048577xf32>) -> tensor<f32> {
  %0 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = rows, width = 1>} : (tensor<1048577xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<1048577xf32>):
    // expected-error @below {{'prec.sum' op is unsupported in a kernel: cascades of different depth in one sum}}
    %1 = prec.sum %a dim 0 <digits [2, *] steps [1 cascade, 0 sequential]> : tensor<1048577xf32> to tensor<f32>
    prec.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @size_of_result(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = flat, width = 4>} : (tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?xf32>):
    prec.yield %a : tensor<?xf32>
  }
  // expected-error @below {{'tensor.dim' op expected a dimension of an argument}}
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  %c = arith.cmpi eq, %d, %c0 : index
  cf.assert %c, "none"
  return %0 : tensor<?xf32>
}

// -----

// prec-form-kernels makes two kernels of this.
func.func @other_rows(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  // expected-error @below {{'prec.kernel' op is unsupported: results of shapes that do not go together}}
  %0:2 = prec.kernel "k"(%x) attributes {schedule = #prec.schedule<space = flat, width = 4>} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  ^bb0(%a: tensor<4x8xf32>):
    %e = tensor.empty() : tensor<8x4xf32>
    %t = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    prec.yield %a, %t : tensor<4x8xf32>, tensor<8x4xf32>
  }
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<8x4xf32>
}
