// RUN: prec-run %s --engine=ptx --random=9 --check --shape=x=3x256 --offset=x=1 | FileCheck %s
// RUN: prec-run %s --engine=ptx --random=9 --check --shape=x=3x256 | FileCheck %s

// A row in memory that is not aligned has a thread for each element; the digit
// of 32 is summed in two parts, both within a warp.
// CHECK: 3 elements, 0 mismatches
func.func @row_sum(%x: tensor<?x256xbf16> {prec.name = "x"}) -> tensor<?xbf16> {
  %s = nn.sum %x dim 1 order <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<?x256xbf16> to tensor<?xbf16>
  return %s : tensor<?xbf16>
}
