// A constant scale is narrowed where the program says so: huggingface/transformers#29402, #38702, google/gemma_pytorch#67.
// RUN: %eval
// RUN: %ptx | %check

// bf16(x * bf16(sqrt(3072))), bf16(sqrt(1152)); 0x425F with an f32 scale.
// EVAL @embed(bf16 [0x3F81]) = bf16 [0x4260], bf16 [0x4208]
// CHECK-LABEL: .entry embed
func.func @embed(%x: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %h0 = arith.constant 3072.0 : f32
  %h1 = arith.constant 1152.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %empty = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.map ins(%x : tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %o: bf16) {
      %root = math.sqrt %h0 : f32
      %scale = arith.truncf %root : f32 to bf16
      %p = arith.mulf %in, %scale : bf16
      linalg.yield %p : bf16
    }
  %s = linalg.map ins(%x : tensor<?xbf16>) outs(%empty : tensor<?xbf16>)
    (%in: bf16, %o: bf16) {
      %root = math.sqrt %h1 : f32
      %scale = arith.truncf %root : f32 to bf16
      linalg.yield %scale : bf16
    }
  return %r, %s : tensor<?xbf16>, tensor<?xbf16>
}
