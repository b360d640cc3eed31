// Golden cases normHIDDEN.TYPE. HIDDEN is 64 or 2560, TYPE is bf16 or f16.

func.func @llama(%x: tensor<?xHIDDENxTYPE>, %w: tensor<HIDDENxTYPE>) -> tensor<?xHIDDENxTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<HIDDENxTYPE>) points {normalized = true}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

func.func @gemma(%x: tensor<?xHIDDENxTYPE>, %w: tensor<HIDDENxTYPE>) -> tensor<?xHIDDENxTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<HIDDENxTYPE>) one_plus
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

func.func @frms(%x: tensor<?xHIDDENxTYPE>, %w: tensor<HIDDENxTYPE>) -> tensor<?xHIDDENxTYPE> {
  %0 = nn.rms_norm %x weight(%w : tensor<HIDDENxTYPE>)
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

func.func @layernorm(%x: tensor<?xHIDDENxTYPE>, %w: tensor<HIDDENxTYPE>, %b: tensor<HIDDENxTYPE>) -> tensor<?xHIDDENxTYPE> {
  %0 = nn.layer_norm %x weight(%w : tensor<HIDDENxTYPE>) bias(%b : tensor<HIDDENxTYPE>)
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}

func.func @softmax(%x: tensor<?xHIDDENxTYPE>) -> tensor<?xHIDDENxTYPE> {
  %0 = nn.softmax %x dim 1 : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  return %0 : tensor<?xHIDDENxTYPE>
}
