// bf16 bits are not integers: triton-lang/triton#11604, iree-org/iree#15258, pytorch/pytorch#104592.
// RUN: %eval
// RUN: %ptx | %check

// 1 + 1; 0x7F00 as integers.
// EVAL @add(bf16 [0x3F80], bf16 [0x3F80]) = bf16 [0x4000]
// CHECK-LABEL: .entry add
// CHECK: add.rn
func.func @add(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %r = arith.addf %x, %y : tensor<?xbf16>
  return %r : tensor<?xbf16>
}
