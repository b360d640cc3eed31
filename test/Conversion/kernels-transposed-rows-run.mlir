// RUN: prec-run %s --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --engine=ptx --random=1 --check | FileCheck %s

// What nobody uses of a row's maximum gives no rows: the transposed tensor would
// go with the maximum, not with what is left.
// CHECK: y: 96 elements, 0 mismatches
// CHECK: t: 96 elements, 0 mismatches
func.func @transposed(%x: tensor<1x3x32xbf16>)
    -> (tensor<1x3x32xbf16> {prec.name = "y"}, tensor<32x3x1xbf16> {prec.name = "t"}) {
  %e = tensor.empty() : tensor<32x3x1xbf16>
  %t = linalg.transpose ins(%x : tensor<1x3x32xbf16>) outs(%e : tensor<32x3x1xbf16>) permutation = [2, 1, 0]
  %least = arith.constant 0xFF80 : bf16
  %em = tensor.empty() : tensor<3x1xbf16>
  %start = linalg.fill ins(%least : bf16) outs(%em : tensor<3x1xbf16>) -> tensor<3x1xbf16>
  %m = linalg.reduce {arith.maximumf} ins(%t : tensor<32x3x1xbf16>) outs(%start : tensor<3x1xbf16>) dimensions = [0]
  %ey = tensor.empty() : tensor<1x3x32xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<1x3x32xbf16>, tensor<3x1xbf16>) outs(%ey : tensor<1x3x32xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %d = math.exp %a : bf16
    linalg.yield %d : bf16
  } -> tensor<1x3x32xbf16>
  return %y, %t : tensor<1x3x32xbf16>, tensor<32x3x1xbf16>
}
