// Golden case rope.TYPE. TYPE is bf16 or f16.

func.func @rope(%q: tensor<1x2x?x64xTYPE>, %cos: tensor<?x64xTYPE>, %sin: tensor<?x64xTYPE>) -> tensor<1x2x?x64xTYPE> {
  %0 = nn.rope %q cos(%cos : tensor<?x64xTYPE>) sin(%sin : tensor<?x64xTYPE>)
         : tensor<1x2x?x64xTYPE> to tensor<1x2x?x64xTYPE>
  return %0 : tensor<1x2x?x64xTYPE>
}
