// RUN: prec-opt %s --prec-form-kernels --split-input-file --verify-diagnostics

func.func @unknown_op(%x: tensor<4xf32>, %s: tensor<1xindex>) -> tensor<4xf32> {
  // expected-error @below {{'tensor.reshape' op is unsupported in a kernel}}
  %0 = tensor.reshape %x(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @check_of_data(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<4xi1>
  // expected-error @below {{'cf.assert' op is unsupported in a kernel: the check depends on the contents of a tensor}}
  cf.assert %0, "no"
  return %x : tensor<4xi1>
}

// -----

// expected-error @below {{'func.func' op is unsupported in a kernel: result of type 'f32' beside tensors}}
func.func @scalar_result(%x: tensor<4xf32>, %y: f32) -> (tensor<4xf32>, f32) {
  return %x, %y : tensor<4xf32>, f32
}

// -----

// expected-error @below {{'func.func' op is unsupported in a kernel: control flow with tensors}}
func.func @control_flow(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  %0 = arith.negf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @structured(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-error @below {{'scf.if' op is unsupported in a kernel}}
  %0 = scf.if %c -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %1 = arith.negf %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @size_of_data(%x: tensor<?xf32>, %p: tensor<1xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %p[%c0] : tensor<1xindex>
  %e = tensor.empty(%n) : tensor<?xf32>
  // expected-error @below {{'linalg.generic' op is unsupported in a kernel: a size is not known before the function runs}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %1 = arith.constant 1.0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @below {{'arith.negf' op is unsupported in a kernel: unranked tensor}}
  %0 = arith.negf %x : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// The checks are never true together with what the addition asks for.
func.func @never_equal(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %is4 = arith.cmpi eq, %m, %c4 : index
  cf.assert %is4, "four"
  %is5 = arith.cmpi eq, %n, %c5 : index
  cf.assert %is5, "five"
  // expected-error @below {{'arith.addf' op is unsupported in a kernel: its operands' sizes can never agree}}
  %0 = arith.addf %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
