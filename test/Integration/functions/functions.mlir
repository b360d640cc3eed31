// nn's functions of one element beyond the recorded ones. TYPE is filled in.

func.func @log(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.log %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @sqrt(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.sqrt %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @reciprocal(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.reciprocal %x : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @gelu_tanh(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.gelu %x approximate tanh : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @rsqrt_of_rounded_sqrt(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.rsqrt %x points {sqrt = true} : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @rsqrt_function(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.rsqrt %x rule rsqrt : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @softplus_beta(%x: tensor<?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.softplus %x beta 3.0 threshold 15.0 : tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}
