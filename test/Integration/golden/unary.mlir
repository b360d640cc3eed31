// Golden cases unary.OP.TYPE: every 16-bit pattern, as far as the case has it.
// TYPE is bf16 or f16.

func.func @sigmoid(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.sigmoid %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @silu(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.silu %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @exp(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.exp %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @tanh(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.tanh %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @gelu_none_strided(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.gelu %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @softplus(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.softplus %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @rsqrt(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.rsqrt %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}
