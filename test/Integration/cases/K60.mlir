// Rotary embedding, three contracts: pytorch/pytorch#182225, PrimeIntellect-ai/prime-rl#3584, pie-project/pie#536, vllm-project/vllm#863.
// RUN: %eval
// RUN: %ptx | %check

// bf16(bf16(q0*c) - bf16(q1*s)) with bf16 tables; fused with bf16 tables; fused with f32 tables.
// EVAL @rotate(bf16 [0x4026], bf16 [0x4003], f32 [0x3F04E3AA], f32 [0x3F5ACE8D]) = bf16 [0xBED0], bf16 [0xBECF], bf16 [0xBECE]
// CHECK-LABEL: .entry rotate
// CHECK: cvt.rn.bf16
func.func @rotate(%q0: tensor<?xbf16>, %q1: tensor<?xbf16>, %c: tensor<?xf32>, %s: tensor<?xf32>)
    -> (tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>) {
  %cb = arith.truncf %c : tensor<?xf32> to tensor<?xbf16>
  %sb = arith.truncf %s : tensor<?xf32> to tensor<?xbf16>
  %p0 = arith.mulf %q0, %cb : tensor<?xbf16>
  %p1 = arith.mulf %q1, %sb : tensor<?xbf16>
  %r = arith.subf %p0, %p1 : tensor<?xbf16>
  %f0 = arith.extf %q0 : tensor<?xbf16> to tensor<?xf32>
  %f1 = arith.extf %q1 : tensor<?xbf16> to tensor<?xf32>
  %cf = arith.extf %cb : tensor<?xbf16> to tensor<?xf32>
  %sf = arith.extf %sb : tensor<?xbf16> to tensor<?xf32>
  %a0 = arith.mulf %f0, %cf : tensor<?xf32>
  %a1 = arith.mulf %f1, %sf : tensor<?xf32>
  %ad = arith.subf %a0, %a1 : tensor<?xf32>
  %ab = arith.truncf %ad : tensor<?xf32> to tensor<?xbf16>
  %b0 = arith.mulf %f0, %c : tensor<?xf32>
  %b1 = arith.mulf %f1, %s : tensor<?xf32>
  %bd = arith.subf %b0, %b1 : tensor<?xf32>
  %bb = arith.truncf %bd : tensor<?xf32> to tensor<?xbf16>
  return %r, %ab, %bb : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>
}
