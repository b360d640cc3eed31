// -0 is less than +0: pytorch/pytorch#185610, #194347.
// RUN: %eval
// RUN: %ptx | %check

// EVAL @min_max(bf16 [0x8000, 0x0000], bf16 [0x0000, 0x8000]) = bf16 [0x8000, 0x8000], bf16 [0x0000, 0x0000]
// CHECK-LABEL: .entry min_max
// CHECK-DAG: min.NaN
// CHECK-DAG: max.NaN
func.func @min_max(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %lo = arith.minimumf %a, %b : tensor<?xbf16>
  %hi = arith.maximumf %a, %b : tensor<?xbf16>
  return %lo, %hi : tensor<?xbf16>, tensor<?xbf16>
}
