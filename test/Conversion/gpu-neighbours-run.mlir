// RUN: prec-run %s --engine=ptx --random=1 --shape=x=7x5 --check | FileCheck %s

// Five elements that a row reads one by one are loaded together, but not as eight: the memory has no more.

// CHECK: y: 7 elements, 0 mismatches
func.func @sums(%x: tensor<?x5xbf16> {prec.name = "x"}, %b: tensor<5xbf16> {prec.name = "b"})
    -> (tensor<?xbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x5xbf16>
  %empty = tensor.empty(%rows) : tensor<?x5xbf16>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<?x5xbf16>, tensor<5xbf16>) outs(%empty : tensor<?x5xbf16>) {
  ^bb0(%a: bf16, %c: bf16, %o: bf16):
    %0 = arith.addf %a, %c : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x5xbf16>
  %y = nn.sum %s dim 1 : tensor<?x5xbf16> to tensor<?xbf16>
  return %y : tensor<?xbf16>
}
