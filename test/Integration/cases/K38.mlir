// f64 to 16 bits rounds once: llvm/llvm-project#82399, #133995, #212302; groonga/groonga#2965; JuliaLang/julia#57809.
// RUN: %eval
// RUN: %ptx | %check

// 0x3F80 and 0x3C00 through f32; a program that writes the f32 step keeps it.
// EVAL @direct(f64 [0x3FF010000044B830], f64 [0x3FF0020000001000]) = bf16 [0x3F81], f16 [0x3C01], bf16 [0x3F80]
// CHECK-LABEL: .entry direct
func.func @direct(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xbf16>, tensor<?xf16>, tensor<?xbf16>) {
  %b = arith.truncf %x : tensor<?xf64> to tensor<?xbf16>
  %h = arith.truncf %y : tensor<?xf64> to tensor<?xf16>
  %f = arith.truncf %x : tensor<?xf64> to tensor<?xf32>
  %fb = arith.truncf %f : tensor<?xf32> to tensor<?xbf16>
  return %b, %h, %fb : tensor<?xbf16>, tensor<?xf16>, tensor<?xbf16>
}
