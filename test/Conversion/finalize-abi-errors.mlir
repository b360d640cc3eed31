// RUN: prec-opt %s --prec-finalize-abi --split-input-file --verify-diagnostics

// expected-error@+1 {{expected flat memory or a scalar as argument 0 but got 'memref<?x4xf32>'}}
func.func @rank(%x: memref<?x4xf32>) {
  return
}

// -----

// expected-error@+1 {{expected flat memory or a scalar as argument 1 but got 'tensor<4xf32>'}}
func.func @tensor(%n: index, %x: tensor<4xf32>) {
  return
}

// -----

// expected-error@+1 {{expected flat memory or a scalar as argument 0 but got 'memref<4xf32, strided<[2]>>'}}
func.func @strided(%x: memref<4xf32, strided<[2]>>) {
  return
}

// -----

// expected-error@+1 {{expected flat memory or a scalar as argument 0 but got 'i7'}}
func.func @integer(%x: i7) {
  return
}

// -----

// expected-error@+1 {{expected results in memory arguments but got 1 returned values}}
func.func @results(%n: index) -> index {
  return %n : index
}

// -----

func.func @dim(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{the memory of argument 0 has no size of its own}}
  %0 = memref.dim %x, %c0 : memref<?xf32>
  return
}
