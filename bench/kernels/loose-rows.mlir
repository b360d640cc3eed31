// As loose.mlir, for the kernels that reduce rows. HIDDEN is the length of a row, ORDER an order of sums.

func.func @rms_norm_two(%x: tensor<?xHIDDENxbf16> {prec.name = "x"}, %w: tensor<HIDDENxbf16> {prec.name = "w"})
    -> (tensor<?xHIDDENxbf16> {prec.name = "y"}) {
  %y = nn.rms_norm %x weight(%w : tensor<HIDDENxbf16>) order <ORDER> points {normalized = false}
         : tensor<?xHIDDENxbf16> to tensor<?xHIDDENxbf16>
  return %y : tensor<?xHIDDENxbf16>
}

func.func @residual_rms_norm(%x: tensor<?xHIDDENxbf16> {prec.name = "x"}, %r: tensor<?xHIDDENxbf16> {prec.name = "r"},
                             %w: tensor<HIDDENxbf16> {prec.name = "w"})
    -> (tensor<?xHIDDENxbf16> {prec.name = "y"}, tensor<?xHIDDENxbf16> {prec.name = "z"}) {
  %x32 = arith.extf %x : tensor<?xHIDDENxbf16> to tensor<?xHIDDENxf32>
  %r32 = arith.extf %r : tensor<?xHIDDENxbf16> to tensor<?xHIDDENxf32>
  %w32 = arith.extf %w : tensor<HIDDENxbf16> to tensor<HIDDENxf32>
  %z32 = arith.addf %x32, %r32 : tensor<?xHIDDENxf32>
  %y32 = nn.rms_norm %z32 weight(%w32 : tensor<HIDDENxf32>) order <ORDER> : tensor<?xHIDDENxf32> to tensor<?xHIDDENxf32>
  %y = arith.truncf %y32 : tensor<?xHIDDENxf32> to tensor<?xHIDDENxbf16>
  %z = arith.truncf %z32 : tensor<?xHIDDENxf32> to tensor<?xHIDDENxbf16>
  return %y, %z : tensor<?xHIDDENxbf16>, tensor<?xHIDDENxbf16>
}

func.func @gated_norm(%o: tensor<?xHIDDENxbf16> {prec.name = "o"}, %z: tensor<?xHIDDENxbf16> {prec.name = "z"},
                      %w: tensor<HIDDENxbf16> {prec.name = "w"}) -> (tensor<?xHIDDENxbf16> {prec.name = "y"}) {
  %o32 = arith.extf %o : tensor<?xHIDDENxbf16> to tensor<?xHIDDENxf32>
  %z32 = arith.extf %z : tensor<?xHIDDENxbf16> to tensor<?xHIDDENxf32>
  %w32 = arith.extf %w : tensor<HIDDENxbf16> to tensor<HIDDENxf32>
  %n = nn.rms_norm %o32 weight(%w32 : tensor<HIDDENxf32>) order <ORDER> : tensor<?xHIDDENxf32> to tensor<?xHIDDENxf32>
  %s = nn.silu %z32 : tensor<?xHIDDENxf32>
  %p = arith.mulf %n, %s : tensor<?xHIDDENxf32>
  %y = arith.truncf %p : tensor<?xHIDDENxf32> to tensor<?xHIDDENxbf16>
  return %y : tensor<?xHIDDENxbf16>
}
