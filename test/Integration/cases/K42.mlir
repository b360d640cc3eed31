// Subnormals are kept: llvm/llvm-project#221052, #138424; JuliaMath/BFloat16s.jl#125; ggml-org/llama.cpp#7843.
// RUN: %eval
// RUN: %ptx | %check

// All 0 where they are flushed.
// EVAL @narrow(f32 [0x00400000, 0x00018000, 0x00008000, 0x00008001, 0x007F8000]) = bf16 [0x0040, 0x0002, 0x0000, 0x0001, 0x0080]
// CHECK-LABEL: .entry narrow
// CHECK: cvt.rn.bf16
func.func @narrow(%x: tensor<?xf32>) -> tensor<?xbf16> {
  %b = arith.truncf %x : tensor<?xf32> to tensor<?xbf16>
  return %b : tensor<?xbf16>
}
