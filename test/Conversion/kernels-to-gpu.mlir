// RUN: prec-opt %s --prec-form-kernels --prec-schedule-kernels=target=gpu --convert-kernels-to-gpu --prec-canonicalize --cse --split-input-file | FileCheck %s

// One thread for eight 16-bit elements: 16 bytes, aligned. The inner size
// makes every vector whole.
// CHECK-LABEL: gpu.module @kernels
// CHECK:         gpu.func @pointwise(%[[X:.*]]: memref<?xbf16>, %[[R:.*]]: memref<?xbf16>, %[[N:.*]]: index) kernel
// CHECK-SAME:      known_block_size = array<i32: 256, 1, 1>
// CHECK:           gpu.block_id x
// CHECK:           gpu.thread_id x
// CHECK:           scf.if
// CHECK:             vector.load %[[X]][%{{.*}}] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK:             vector.store %{{.*}}, %[[R]][%{{.*}}] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK-NOT:       scf
// CHECK:           gpu.return
// CHECK-LABEL: func.func @pointwise(
// CHECK:         gpu.launch_func @kernels::@pointwise blocks in (%{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK-SAME:      args(%{{.*}} : memref<?xbf16>, %{{.*}} : memref<?xbf16>, %{{.*}} : index)
func.func @pointwise(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = arith.extf %x : tensor<?x64xbf16> to tensor<?x64xf32>
  %1 = math.exp %0 : tensor<?x64xf32>
  %2 = prec.round %1 : tensor<?x64xf32> to tensor<?x64xbf16>
  return %2 : tensor<?x64xbf16>
}

// -----

// A size that vectors do not divide: the thread behind the last one does the
// rest.
// CHECK-LABEL: gpu.func @ragged
// CHECK:         arith.cmpi ult
// CHECK:         scf.if
// CHECK:           vector.store
// CHECK:         arith.cmpi eq
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             memref.store
func.func @ragged(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.negf %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#id = affine_map<(i, s, j) -> (i, s, j)>
#out = affine_map<(i, s, j) -> (i, j)>

// A row a block: 320 threads of 8 elements, no tests.
// CHECK-LABEL: gpu.func @mix
// CHECK-SAME:    (%[[U:.*]]: memref<?xbf16>, %[[R:.*]]: memref<?xbf16>) kernel
// CHECK-SAME:    known_block_size = array<i32: 320, 1, 1>
// CHECK-NOT:     scf
// CHECK-COUNT-4: vector.load %[[U]][%{{.*}}] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK:         vector.store %{{.*}}, %[[R]][%{{.*}}] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK-LABEL: func.func @mix(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: index)
// CHECK:         gpu.launch_func @kernels::@mix blocks in (%[[N]], %c1, %c1) threads in (%c320, %c1, %c1)
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

// Rows of 64: 16 threads a row, each with one vector. The row passes through
// shared memory, the last sums through exchange within the warp. The row is read
// once, and a team behind the last row stores nothing.
// CHECK-LABEL: memref.global "private" @norm_shared : memref<1024xf32, 3>
// CHECK:       gpu.func @norm(%[[X:.*]]: memref<?xf32>, %[[R:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK:         %[[IS:.*]] = arith.cmpi ult, %{{.*}}, %[[N]]
// CHECK:         %[[V:.*]] = vector.load %[[X]]
// CHECK:         vector.store %[[V]], %{{.*}} {alignment = 16 : i64} : memref<1024xf32, 3>, vector<4xf32>
// CHECK:         gpu.barrier
// CHECK-COUNT-8: memref.load %{{.*}} : memref<1024xf32, 3>
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK-NOT:     {{memref.load|vector.load|gpu.shuffle}}
// CHECK:         arith.divf %[[V]], %{{.*}} : vector<4xf32>
// CHECK:         scf.if %[[IS]] {
// CHECK-NEXT:      vector.store %{{.*}}, %[[R]]
// CHECK-LABEL: func.func @norm(
// CHECK:         gpu.launch_func @kernels::@norm blocks in
func.func @norm(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %s = prec.sum %x dim 1 <lanes<8>> : tensor<?x64xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x64xf32>, tensor<?xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

// Memory between two kernels.
// CHECK-LABEL: func.func @stored(
// CHECK:         %[[T:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK:         gpu.launch_func @kernels::@stored_0 blocks in
// CHECK:         gpu.launch_func @kernels::@stored_1 blocks in
// CHECK:         memref.dealloc %[[T]]
func.func @stored(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.negf %x : tensor<?xf32>
  %1 = prec.materialize %0 : tensor<?xf32>
  %2 = arith.addf %1, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// An order whose digits are a thread's lanes and a warp's threads: no shared
// memory.
// CHECK-LABEL: gpu.func @registers(
// CHECK:         vector.load {{.*}} vector<4xf32>
// CHECK-NOT:     {{memref.load|vector.load|gpu.barrier}}
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT:     {{memref.load|vector.load|gpu.barrier|gpu.shuffle}}
// CHECK:         memref.store
func.func @registers(%x: tensor<8x128xf32>) -> tensor<8xf32> {
  %s = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent]> : tensor<8x128xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// A thread has every place of a small dimension along which something is read
// again, which it reads once.
// CHECK-LABEL: gpu.func @repeat
// CHECK-SAME: (%[[H:.*]]: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>)
// CHECK: %[[ONCE:.*]] = vector.load %[[H]]
// CHECK-COUNT-2: arith.mulf %[[ONCE]]
// CHECK-NOT: vector.load %[[H]]
// CHECK: func.func @repeat
// CHECK-SAME: %[[ROWS:[^ ]*]]: index
// CHECK: gpu.launch_func {{.*}} blocks in (%[[ROWS]],
func.func @repeat(%x: tensor<?x2x512xf32>, %h: tensor<?x512xf32>) -> tensor<?x2x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, s, j) -> (i, j)>, affine_map<(i, s, j) -> (i, s, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<?x512xf32>) outs(%x : tensor<?x2x512xf32>) {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<?x2x512xf32>
  return %0 : tensor<?x2x512xf32>
}

// -----

// A column of 32 numbers in registers, reduced twice: what the second sum adds
// is stored on the way, and the keys that all columns share are read again, at
// places that no compiler can know to be the same.
// CHECK-LABEL: gpu.func @columns
// CHECK-SAME:  (%[[K:.*]]: memref<?xf32>, %[[X:.*]]: memref<?xf32>, %[[NEW:.*]]: memref<?xf32>, %[[S:.*]]: memref<?xf32>)
// CHECK:         %[[ZERO:.*]] = gpu.block_id  z
// CHECK-COUNT-32: memref.load %[[X]]
// CHECK-NOT:     memref.load %[[X]]
// CHECK:         %[[AGAIN:.*]] = arith.addi %{{.*}}, %[[ZERO]] : index
// CHECK-NEXT:    {{.*}}.load %[[K]][%[[AGAIN]]]
// CHECK-NOT:     memref.load %[[X]]
// CHECK-COUNT-32: memref.store %{{.*}}, %[[NEW]]
// CHECK:         memref.store %{{.*}}, %[[S]]
// For memory of any alignment, each sum and each result is a loop.
// CHECK-LABEL: gpu.func @columns_any
// CHECK-SAME:  (%[[K:.*]]: memref<?xf32>, %[[X:.*]]: memref<?xf32>, %[[NEW:.*]]: memref<?xf32>, %[[S:.*]]: memref<?xf32>)
// CHECK:         scf.for
// CHECK:           memref.load %[[X]]
// CHECK:         scf.for
// CHECK:           memref.load %[[X]]
// CHECK:         scf.for
// CHECK:           memref.load %[[X]]
// CHECK:           memref.store %{{.*}}, %[[NEW]]
// CHECK:         memref.store %{{.*}}, %[[S]]
// CHECK:         gpu.return
func.func @columns(%x: tensor<?x32x64xf32>, %k: tensor<?x32xf32>) -> (tensor<?x32x64xf32>, tensor<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x32x64xf32>
  %e = tensor.empty(%n) : tensor<?x32x64xf32>
  %s = prec.sum %x dim 1 <sequential> : tensor<?x32x64xf32> to tensor<?x64xf32>
  %new = linalg.generic {indexing_maps = [affine_map<(i, k, v) -> (i, k)>, affine_map<(i, k, v) -> (i, v)>,
                                          affine_map<(i, k, v) -> (i, k, v)>, affine_map<(i, k, v) -> (i, k, v)>],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %s, %x : tensor<?x32xf32>, tensor<?x64xf32>, tensor<?x32x64xf32>) outs(%e : tensor<?x32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x32x64xf32>
  %t = prec.sum %new dim 1 <sequential> : tensor<?x32x64xf32> to tensor<?x64xf32>
  return %new, %t : tensor<?x32x64xf32>, tensor<?x64xf32>
}

// -----

// Vectors rely on alignment: where there is none, another kernel does it one by
// one.
// CHECK-LABEL: gpu.func @negate(
// CHECK-SAME:    prec.alignment = 16 : i64
// CHECK:         vector.load %{{.*}} {alignment = 16 : i64}
// CHECK-LABEL: gpu.func @negate_any(
// CHECK-SAME:    prec.alignment = 0 : i64
// CHECK-NOT:     vector
// CHECK:         memref.load %{{.*}} : memref<?xbf16>
// CHECK-LABEL: func.func @negate(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<?xbf16>, %[[R:[a-z0-9]*]]: memref<?xbf16>
// CHECK:         %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK:         %[[REST:.*]] = arith.remui %[[P]], %c16
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         memref.extract_aligned_pointer_as_index %[[R]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[FIRST]], %{{.*}}
// CHECK:         scf.if %[[BOTH]]
// CHECK:           gpu.launch_func @kernels::@negate blocks
// CHECK:         else
// CHECK:           gpu.launch_func @kernels::@negate_any blocks
func.func @negate(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = arith.extf %x : tensor<64xbf16> to tensor<64xf32>
  %1 = arith.negf %0 : tensor<64xf32>
  %2 = prec.round %1 : tensor<64xf32> to tensor<64xbf16>
  return %2 : tensor<64xbf16>
}

// -----

// Halves that trade places: a thread has an element of each, and reads both
// once.
// CHECK-LABEL: gpu.func @halves(
// CHECK-SAME:  %[[X:[^ :]*]]: memref<?xf32>, %[[R:[^ :]*]]: memref<?xf32>
// CHECK-COUNT-2: vector.load %[[X]]
// CHECK-NOT:     vector.load
// CHECK:         vector.store %{{.*}}, %[[R]]
// CHECK:         vector.store %{{.*}}, %[[R]]
// CHECK:       gpu.launch_func @kernels::@halves
func.func @halves(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x128xf32>
  %a = tensor.extract_slice %x[0, 0] [%n, 64] [1, 1] : tensor<?x128xf32> to tensor<?x64xf32>
  %b = tensor.extract_slice %x[0, 64] [%n, 64] [1, 1] : tensor<?x128xf32> to tensor<?x64xf32>
  %sum = arith.addf %a, %b : tensor<?x64xf32>
  %difference = arith.subf %a, %b : tensor<?x64xf32>
  %0 = tensor.concat dim(1) %sum, %difference : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// -----

// Indices have 32 bits where no tensor has more elements than that.
// CHECK-LABEL: gpu.func @narrow(
// CHECK:         %[[B:.*]] = gpu.block_id x
// CHECK:         %[[B32:.*]] = arith.index_cast %[[B]] : index to i32
// CHECK:         arith.muli %[[B32]], %{{.*}} overflow<nsw, nuw> : i32
// CHECK:         arith.divui %{{.*}} : i32
// CHECK-LABEL: gpu.func @narrow_any(
// CHECK-NOT:     : i32
// CHECK:         arith.divui %{{.*}} : index
// CHECK-LABEL: func.func @narrow(
// CHECK-SAME:    %[[M:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index
// CHECK:         %[[COUNT:.*]] = arith.muli %[[N]], %[[M]]
// CHECK:         arith.cmpi ult, %[[COUNT]], %c2147418112
// CHECK:         scf.if
func.func @narrow(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %n = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %e = tensor.empty(%n, %m) : tensor<?x?xbf16>
  %0 = linalg.transpose ins(%x : tensor<?x?xbf16>) outs(%e : tensor<?x?xbf16>) permutation = [1, 0]
  return %0 : tensor<?x?xbf16>
}

// -----

// A warp sums a row that is read for nothing but the products with it: one
// loop over a thread's vectors, which LLVM unrolls.
// CHECK-LABEL: gpu.func @scaled_sum(
// CHECK:         scf.for %{{.*}} = %c0 to %c22 step %c1 iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK:           vector.load %{{.*}} {alignment = 8 : i64} : memref<?xbf16>, vector<4xbf16>
// CHECK:           arith.addf %[[SUM]], %{{.*}} : vector<4xf32>
// CHECK:           vector.store %{{.*}} : memref<?xbf16>, vector<4xbf16>
// CHECK:           scf.yield
// CHECK-NEXT:    } {llvm.loop_annotation = #{{.*}}}
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @scaled_sum_any(
// CHECK:         scf.for
// CHECK-COUNT-1:   memref.load {{.*}} : memref<?xbf16>
// CHECK:         } {llvm.loop_annotation = #{{.*}}}
// CHECK-NOT:     : memref<?xbf16>
// CHECK:         gpu.return
func.func @scaled_sum(%x: tensor<?x2816xbf16>, %p: tensor<?xf32>) -> (tensor<?x2816xbf16>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2816xbf16>
  %e = tensor.empty(%n) : tensor<?x2816xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %p : tensor<?x2816xbf16>, tensor<?xf32>) outs(%e : tensor<?x2816xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = prec.round %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x2816xbf16>
  %x32 = arith.extf %x : tensor<?x2816xbf16> to tensor<?x2816xf32>
  %s = prec.sum %x32 dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<?x2816xf32> to tensor<?xf32>
  return %y, %s : tensor<?x2816xbf16>, tensor<?xf32>
}
