// A NaN stays a NaN, whatever its payload: dotnet/runtime#130583, llvm/llvm-project#82399.
// RUN: %eval
// RUN: %ptx | %check

// Infinities or -0 when a bias is added or the payload is cut off.
// EVAL @narrow(f32 [0x7F800001, 0xFF800001, 0x7FFFFFFF]) = bf16 [0x7FC0, 0x7FC0, 0x7FC0], f16 [0x7E00, 0x7E00, 0x7E00]
// CHECK-LABEL: .entry narrow
// CHECK-DAG: cvt.rn.bf16
// CHECK-DAG: cvt.rn.f16
func.func @narrow(%x: tensor<?xf32>) -> (tensor<?xbf16>, tensor<?xf16>) {
  %b = arith.truncf %x : tensor<?xf32> to tensor<?xbf16>
  %h = arith.truncf %x : tensor<?xf32> to tensor<?xf16>
  return %b, %h : tensor<?xbf16>, tensor<?xf16>
}
