// Reductions that take one element after the other: a team puts its elements into shared memory, and each thread takes all of
// them. The host and the reference evaluator agree on rows that fill registers, rows that do not, and rows of any length.

// RUN: prec-opt %s --prec-make-rounding-explicit --prec-form-kernels --prec-schedule-kernels=target=gpu \
// RUN:   --convert-kernels-to-gpu | FileCheck %s

// The row is read once, in vectors, by all threads: what comes after the sum uses the same registers.
// CHECK-LABEL: gpu.func @centred(
// CHECK:         vector.load %{{.*}} : memref<?xbf16>, vector<8xbf16>
// CHECK-NOT:     load %arg
// CHECK:         vector.store {{.*}} : memref<{{[0-9]+}}xf32, 3>
// CHECK:         gpu.barrier
// CHECK-NOT:     load %arg
// CHECK:         scf.for
// CHECK-COUNT-16:  arith.addf
// CHECK:         vector.store {{.*}} : memref<?xbf16>, vector<8xbf16>
// CHECK-LABEL: gpu.func @centred_any(

// RUN: prec-run %s --function=make --random=4 --out=x=%t.x.npy --out=b=%t.b.npy --out=n=%t.n.npy
// RUN: prec-run %s --function=centred --in=x=%t.x.npy --out=y=%t.y.npy --engine=reference
// RUN: prec-run %s --function=centred --in=x=%t.x.npy --expect=y=%t.y.npy --engine=ptx | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --function=centred --in=x=%t.x.npy --expect=y=%t.y.npy --engine=host | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --function=narrow --in=x=%t.x.npy --out=y=%t.y.npy --engine=reference
// RUN: prec-run %s --function=narrow --in=x=%t.x.npy --expect=y=%t.y.npy --engine=ptx | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --function=product --in=x=%t.x.npy --in=b=%t.b.npy --out=y=%t.y.npy --engine=reference
// RUN: prec-run %s --function=product --in=x=%t.x.npy --in=b=%t.b.npy --expect=y=%t.y.npy --engine=ptx | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --function=dynamic --in=x=%t.x.npy --out=y=%t.y.npy --engine=reference
// RUN: prec-run %s --function=dynamic --in=x=%t.x.npy --expect=y=%t.y.npy --engine=ptx | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --function=sequential --in=x=%t.x.npy --out=y=%t.y.npy --engine=reference
// RUN: prec-run %s --function=sequential --in=x=%t.x.npy --expect=y=%t.y.npy --engine=ptx | FileCheck %s --check-prefix=SAME
// RUN: prec-run %s --function=long --in=n=%t.n.npy --out=y=%t.y.npy --engine=reference
// RUN: prec-run %s --function=long --in=n=%t.n.npy --expect=y=%t.y.npy --engine=ptx | FileCheck %s --check-prefix=SAME
// SAME: , 0 mismatches

#row = affine_map<(r, c) -> (r)>
#all = affine_map<(r, c) -> (r, c)>

func.func @make(%arg: tensor<3x1544xbf16>, %brg: tensor<3xf32>, %crg: tensor<2x20003xf32>)
    -> (tensor<3x1544xbf16> {prec.name = "x"}, tensor<3xf32> {prec.name = "b"}, tensor<2x20003xf32> {prec.name = "n"}) {
  %0 = arith.negf %arg : tensor<3x1544xbf16>
  %1 = arith.negf %brg : tensor<3xf32>
  %2 = arith.negf %crg : tensor<2x20003xf32>
  return %0, %1, %2 : tensor<3x1544xbf16>, tensor<3xf32>, tensor<2x20003xf32>
}

// An f32 sum of a row, and the row less its mean.
func.func @centred(%x: tensor<?x1544xbf16> {prec.name = "x"}) -> (tensor<?x1544xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x1544xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x1544xbf16>) outs(%f : tensor<?xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %w = arith.extf %in : bf16 to f32
    %s = arith.addf %out, %w : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?x1544xbf16>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x1544xbf16>, tensor<?xf32>) outs(%o : tensor<?x1544xbf16>) {
  ^bb0(%in: bf16, %s: f32, %out: bf16):
    %count = arith.constant 1544.0 : f32
    %mean = arith.divf %s, %count : f32
    %w = arith.extf %in : bf16 to f32
    %d = arith.subf %w, %mean : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x1544xbf16>
  return %y : tensor<?x1544xbf16>
}

// Rounded to bf16 after each addition.
func.func @narrow(%x: tensor<?x1544xbf16> {prec.name = "x"}) -> (tensor<?xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x1544xbf16>
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty(%n) : tensor<?xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<?xbf16>) -> tensor<?xbf16>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<?x1544xbf16>) outs(%f : tensor<?xbf16>) dimensions = [1]
  return %y : tensor<?xbf16>
}

// From a number of its own; the accumulator is the second operand.
func.func @product(%x: tensor<?x1544xbf16> {prec.name = "x"}, %b: tensor<?xf32> {prec.name = "b"}) -> (tensor<?xf32> {prec.name = "y"}) {
  %y = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x1544xbf16>) outs(%b : tensor<?xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %w = arith.extf %in : bf16 to f32
    %s = arith.subf %w, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @dynamic(%x: tensor<?x?xbf16> {prec.name = "x"}) -> (tensor<?xf32> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xbf16>) outs(%f : tensor<?xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %w = arith.extf %in : bf16 to f32
    %s = arith.addf %w, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @sequential(%x: tensor<?x?xbf16> {prec.name = "x"}) -> (tensor<?xbf16> {prec.name = "y"}) {
  %y = nn.sum %x dim 1 order <sequential> : tensor<?x?xbf16> to tensor<?xbf16>
  return %y : tensor<?xbf16>
}

// Too long for registers and shared memory.
func.func @long(%x: tensor<?x20003xf32> {prec.name = "n"}) -> (tensor<?xf32> {prec.name = "y"}) {
  %y = nn.sum %x dim 1 order <sequential> : tensor<?x20003xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}
