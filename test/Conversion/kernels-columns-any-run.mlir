// RUN: prec-run %s --engine=ptx --random=9 --check --shape=x=3x32x64 --shape=k=3x32 --offset=k=1 | FileCheck %s
// RUN: prec-run %s --engine=ptx --random=9 --check --shape=x=3x32x64 --shape=k=3x32 | FileCheck %s

// Columns in registers, and in loops where memory is not aligned.
// CHECK: new: 6144 elements, 0 mismatches
// CHECK: t: 192 elements, 0 mismatches
func.func @columns(%x: tensor<?x32x64xf32> {prec.name = "x"}, %k: tensor<?x32xf32> {prec.name = "k"})
    -> (tensor<?x32x64xf32> {prec.name = "new"}, tensor<?x64xf32> {prec.name = "t"}) {
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
