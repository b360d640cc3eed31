// A softmax's denominator is summed in f32: pytorch/executorch#20089, huggingface/candle#3717, triton-lang/triton#6961.
// RUN: %eval
// RUN: %ptx | FileCheck %s --implicit-check-not=.ftz --implicit-check-not=.approx

// 512 equal logits: 1/512, not 1/256.
// EVAL @flat(bf16 [[0x3F80]*512]) = bf16 [[0x3B00]*512]
// CHECK-LABEL: .entry flat
func.func @flat(%x: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %y = nn.softmax %x dim 1 : tensor<?x512xbf16> to tensor<?x512xbf16>
  return %y : tensor<?x512xbf16>
}
