// RUN: sed -e "s/TYPE/bf16/g; s/HIDDEN/64/g; s/LOWRANK/8/g" %s | prec-opt --prec-make-rounding-explicit --prec-verify-explicit -o /dev/null
// RUN: sed -e "s/TYPE/f16/g; s/HIDDEN/64/g; s/LOWRANK/8/g" %s | prec-opt --prec-make-rounding-explicit --prec-verify-explicit -o /dev/null
// Golden case rope.TYPE. TYPE is bf16 or f16.

func.func @rope(%q: tensor<1x2x?x64xTYPE>, %cos: tensor<?x64xTYPE>, %sin: tensor<?x64xTYPE>) -> tensor<1x2x?x64xTYPE> {
  %0 = nn.rope %q cos(%cos : tensor<?x64xTYPE>) sin(%sin : tensor<?x64xTYPE>)
         : tensor<1x2x?x64xTYPE> to tensor<1x2x?x64xTYPE>
  return %0 : tensor<1x2x?x64xTYPE>
}
