// Functions that run.py runs under every profile.

func.func @gate(%g: tensor<?x?xTYPE>, %u: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = moe.activation silu %g up(%u : tensor<?x?xTYPE>) : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @gate_probability(%g: tensor<?x?xTYPE>, %u: tensor<?x?xTYPE>, %p: tensor<?xf32>) -> tensor<?x?xTYPE> {
  %0 = moe.activation silu %g up(%u : tensor<?x?xTYPE>) probability(%p : tensor<?xf32>) : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @squared(%x: tensor<?x?xTYPE>, %p: tensor<?xf32>) -> tensor<?x?xTYPE> {
  %0 = moe.activation relu_squared %x probability(%p : tensor<?xf32>) : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @combine(%z: tensor<?x?x?xTYPE>, %p: tensor<?x?xf32>) -> tensor<?x?xTYPE> {
  %0 = moe.combine %z weights(%p : tensor<?x?xf32>) : tensor<?x?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @combine_bias(%z: tensor<?x?x?xTYPE>, %p: tensor<?x?xf32>, %b: tensor<?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = moe.combine %z weights(%p : tensor<?x?xf32>) bias(%b : tensor<?xTYPE>) : tensor<?x?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @add_up(%z: tensor<?x?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = moe.combine %z : tensor<?x?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @by_expert(%z: tensor<?x?x?xTYPE>, %k: tensor<?x?xi32>) -> tensor<?x?xTYPE> {
  %0 = moe.combine %z by(%k : tensor<?x?xi32>) : tensor<?x?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @llama(%x: tensor<?x?xTYPE>, %w: tensor<?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<?xTYPE>) : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @gemma(%x: tensor<?x?xTYPE>, %w: tensor<?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<?xTYPE>) one_plus : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @plain(%x: tensor<?x?xTYPE>, %w: tensor<?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<?xTYPE>) one_plus eps 0.0 : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @rope(%x: tensor<?x64xTYPE>, %c: tensor<?x64xTYPE>, %s: tensor<?x64xTYPE>) -> tensor<?x64xTYPE> {
  %0 = nn.rope %x cos(%c : tensor<?x64xTYPE>) sin(%s : tensor<?x64xTYPE>) : tensor<?x64xTYPE> to tensor<?x64xTYPE>
  return %0 : tensor<?x64xTYPE>
}

func.func @rows(%x: tensor<?x?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.mean %x dim 1 : tensor<?x?xTYPE> to tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @columns(%x: tensor<?x?xTYPE>) -> tensor<?xTYPE> {
  %0 = nn.mean %x dim 0 : tensor<?x?xTYPE> to tensor<?xTYPE>
  return %0 : tensor<?xTYPE>
}

func.func @softmax(%x: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = nn.softmax %x dim 1 : tensor<?x?xTYPE> to tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @sigmoid_grad(%g: tensor<?x?xTYPE>, %y: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = nn.sigmoid_grad %g, %y : tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}

func.func @tanh_grad(%g: tensor<?x?xTYPE>, %y: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = nn.tanh_grad %g, %y : tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
