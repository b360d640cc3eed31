// Output plus bias, times a probability, in f32: radixark/Megatron-LM#79.
// RUN: %eval
// RUN: %ptx | %check

// bf16((o + b) * p), then with the sum rounded, with the probability rounded, with both (which cancels).
// EVAL @weighted(bf16 [0x407E], bf16 [0xBF65], f32 [0x3E947AE1]) = bf16 [0x3F64], bf16 [0x3F65], bf16 [0x3F63], bf16 [0x3F64]
// CHECK-LABEL: .entry weighted
// CHECK: cvt.rn.bf16
func.func @weighted(%o: tensor<?xbf16>, %b: tensor<?xbf16>, %p: tensor<?xf32>)
    -> (tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>) {
  %of = arith.extf %o : tensor<?xbf16> to tensor<?xf32>
  %bf = arith.extf %b : tensor<?xbf16> to tensor<?xf32>
  %s = arith.addf %of, %bf : tensor<?xf32>
  %sb = arith.addf %o, %b : tensor<?xbf16>
  %sr = arith.extf %sb : tensor<?xbf16> to tensor<?xf32>
  %pb = arith.truncf %p : tensor<?xf32> to tensor<?xbf16>
  %pr = arith.extf %pb : tensor<?xbf16> to tensor<?xf32>
  %r0 = arith.mulf %s, %p : tensor<?xf32>
  %r1 = arith.mulf %sr, %p : tensor<?xf32>
  %r2 = arith.mulf %s, %pr : tensor<?xf32>
  %r3 = arith.mulf %sr, %pr : tensor<?xf32>
  %b0 = arith.truncf %r0 : tensor<?xf32> to tensor<?xbf16>
  %b1 = arith.truncf %r1 : tensor<?xf32> to tensor<?xbf16>
  %b2 = arith.truncf %r2 : tensor<?xf32> to tensor<?xbf16>
  %b3 = arith.truncf %r3 : tensor<?xf32> to tensor<?xbf16>
  return %b0, %b1, %b2, %b3 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>
}

// All as one operation, of one expert a token.
// EVAL @engines(bf16 [[[0x407E]]], bf16 [[[0xBF65]]], f32 [[0x3E947AE1]]) = bf16 [[0x3F64]], bf16 [[0x3F65]], bf16 [[0x3F63]], bf16 [[0x3F64]]
// CHECK-LABEL: .entry engines
func.func @engines(%o: tensor<?x1x1xbf16>, %b: tensor<?x1x1xbf16>, %p: tensor<?x1xf32>)
    -> (tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>) {
  %0 = moe.combine %o weights(%p : tensor<?x1xf32>) bias(%b : tensor<?x1x1xbf16>) points {bias = false, weight = false}
         : tensor<?x1x1xbf16> to tensor<?x1xbf16>
  %1 = moe.combine %o weights(%p : tensor<?x1xf32>) bias(%b : tensor<?x1x1xbf16>) points {weight = false}
         : tensor<?x1x1xbf16> to tensor<?x1xbf16>
  %2 = moe.combine %o weights(%p : tensor<?x1xf32>) bias(%b : tensor<?x1x1xbf16>) points {bias = false}
         : tensor<?x1x1xbf16> to tensor<?x1xbf16>
  %3 = moe.combine %o weights(%p : tensor<?x1xf32>) bias(%b : tensor<?x1x1xbf16>) : tensor<?x1x1xbf16> to tensor<?x1xbf16>
  return %0, %1, %2, %3 : tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>
}
