// RUN: prec-opt %s --prec-form-kernels "--prec-schedule-kernels=target=host lanes=4" --convert-kernels-to-host --prec-canonicalize --cse --split-input-file | FileCheck %s

#id = affine_map<(i, s, j) -> (i, s, j)>
#out = affine_map<(i, s, j) -> (i, j)>

// A mean over four streams: rows outside, vectors inside, the streams unrolled
// in order, each before the next one is loaded, nothing in between in memory, no
// tail where 16 divides. Each row also asks for what the next one loads.
// CHECK-LABEL: func.func @mix(
// CHECK-SAME:    %[[U:.*]]: memref<?xbf16>, %[[R:.*]]: memref<?xbf16>, %[[N:.*]]: index)
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %c160
// CHECK:             vector.load %[[U]][%{{.*}}] : memref<?xbf16>, vector<16xbf16>
// CHECK:             memref.prefetch %[[U]][%{{.*}}], read, locality<3>, data : memref<?xbf16>
// CHECK-COUNT-3:     vector.load %[[U]][%{{.*}}] : memref<?xbf16>, vector<16xbf16>
// CHECK:             arith.addf
// CHECK-NOT:         arith.addf
// CHECK:             prec.round %{{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK:             vector.store %{{.*}}, %[[R]][%{{.*}}] : memref<?xbf16>, vector<16xbf16>
// CHECK-NOT:       scf.for
func.func @mix(%u: tensor<?x4x2560xbf16>) -> tensor<?x2560xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %u, %c0 : tensor<?x4x2560xbf16>
  %e = tensor.empty(%n) : tensor<?x2560xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x2560xf32>) -> tensor<?x2560xf32>
  %s = linalg.generic {indexing_maps = [#id, #out], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%u : tensor<?x4x2560xbf16>) outs(%f : tensor<?x2560xf32>) {
  ^bb0(%a: bf16, %acc: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x2560xf32>
  %r = prec.round %s : tensor<?x2560xf32> to tensor<?x2560xbf16>
  return %r : tensor<?x2560xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>

// What only a row needs is loaded and computed outside the loops over its
// elements; elements that do not fill a vector follow one by one.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>, %[[W:[^:]*]]: memref<?xf32>, %[[S:[^:]*]]: memref<?xf32>, %[[R:[^:]*]]: memref<?xf32>
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[A:.*]] = memref.load %[[S]][%[[I]]]
// CHECK:           math.exp %[[A]] : f32
// CHECK:           scf.for
// CHECK:             vector.load %[[X]]
// CHECK:             vector.load %[[W]]
// CHECK-NOT:         math.exp
// CHECK:             vector.store
// CHECK:           scf.for
// CHECK:             memref.load %[[X]]
// CHECK:             memref.store %{{.*}}, %[[R]]
func.func @broadcast(%x: tensor<?x70xf32>, %w: tensor<70xf32>, %s: tensor<?xf32>) -> tensor<?x70xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x70xf32>
  %e = tensor.empty(%n) : tensor<?x70xf32>
  %0 = linalg.generic {indexing_maps = [#id, #col, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w, %s : tensor<?x70xf32>, tensor<70xf32>, tensor<?xf32>) outs(%e : tensor<?x70xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %1 = math.exp %c : f32
    %2 = arith.mulf %a, %b : f32
    %3 = arith.mulf %2, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<?x70xf32>
  return %0 : tensor<?x70xf32>
}

// -----

// Slices and a concatenation are folded into addresses; the choice between its
// pieces is made once a vector.
// CHECK-LABEL: func.func @rotate(
// CHECK:         scf.if
// CHECK:           vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK:           arith.negf %{{.*}} : vector<16xf32>
// CHECK:         } else {
// CHECK:           vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK-NOT:     scf.if
func.func @rotate(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %a = tensor.extract_slice %x[0, 16] [8, 48] [1, 1] : tensor<8x64xf32> to tensor<8x48xf32>
  %b = tensor.extract_slice %x[0, 0] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
  %n = arith.negf %a : tensor<8x48xf32>
  %c = tensor.concat dim(1) %n, %b : (tensor<8x48xf32>, tensor<8x16xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}

// -----

// A sum in lanes: the accumulators are a vector, -0 at first, for that is what
// adding leaves alone; elements left over go to their lanes.
// CHECK-LABEL: func.func @lanes(
// CHECK:         %[[NOTHING:.*]] = arith.constant dense<-0.000000e+00> : vector<8xf32>
// CHECK:         %[[V:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[NOTHING]]) -> (vector<8xf32>)
// CHECK:           %[[L:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK:           arith.addf %[[ACC]], %[[L]] : vector<8xf32>
// CHECK:         vector.extract
func.func @lanes(%x: tensor<8x67xf32>) -> tensor<8xf32> {
  %0 = prec.sum %x dim 1 <lanes<8>> : tensor<8x67xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A sequential sum loads vectors and adds one by one.
// CHECK-LABEL: func.func @sequential(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK:           vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
// CHECK:           vector.extract
// CHECK:           arith.addf %{{.*}} : f32
func.func @sequential(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %0 = prec.sum %x dim 1 <sequential> : tensor<8x64xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Memory between kernels is allocated and freed; a constant tensor is a global.
// CHECK-DAG:   memref.global "private" constant @prec_constant : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-LABEL: func.func @temporary(
// CHECK:         %[[T:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK:         memref.get_global @prec_constant
// CHECK:         vector.store %{{.*}}, %[[T]]
// CHECK:         vector.load %[[T]]
// CHECK:         memref.dealloc %[[T]]
func.func @temporary(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<?x4xf32>, tensor<1x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x4xf32>
  %m = prec.materialize %0 : tensor<?x4xf32>
  %r = arith.negf %m : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
