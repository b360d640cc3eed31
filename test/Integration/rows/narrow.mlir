// Kernels that compute in f32 between their roundings. TYPE is bf16, f16 or f32, HIDDEN the length of a
// row, ORDER an order of sums.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Gated DeltaNet's norm: the norm's roundings, then the gate in f32.
func.func @gated_norm(%o: tensor<?xHIDDENxTYPE> {prec.name = "o"}, %z: tensor<?xHIDDENxTYPE> {prec.name = "z"},
                      %w: tensor<HIDDENxTYPE> {prec.name = "w"}) -> (tensor<?xHIDDENxTYPE> {prec.name = "y"}) {
  %n = nn.rms_norm %o weight(%w : tensor<HIDDENxTYPE>) order <ORDER> points {normalized = true}
         : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxTYPE>
  %n32 = arith.extf %n : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxf32>
  %z32 = arith.extf %z : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxf32>
  %s = nn.silu %z32 : tensor<?xHIDDENxf32>
  %p = arith.mulf %n32, %s : tensor<?xHIDDENxf32>
  %y = arith.truncf %p : tensor<?xHIDDENxf32> to tensor<?xHIDDENxTYPE>
  return %y : tensor<?xHIDDENxTYPE>
}

// The gradients of silu(g) * u * p in f32, p one probability a row.
func.func @swiglu_backward(%d: tensor<?xHIDDENxTYPE> {prec.name = "d"}, %g: tensor<?xHIDDENxTYPE> {prec.name = "g"},
                           %u: tensor<?xHIDDENxTYPE> {prec.name = "u"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?xHIDDENxTYPE> {prec.name = "dg"}, tensor<?xHIDDENxTYPE> {prec.name = "du"}, tensor<?xf32> {prec.name = "dp"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %d, %c0 : tensor<?xHIDDENxTYPE>
  %d32 = arith.extf %d : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxf32>
  %g32 = arith.extf %g : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxf32>
  %u32 = arith.extf %u : tensor<?xHIDDENxTYPE> to tensor<?xHIDDENxf32>
  %s = nn.sigmoid %g32 : tensor<?xHIDDENxf32>
  %si = arith.mulf %g32, %s : tensor<?xHIDDENxf32>
  %e16 = tensor.empty(%n) : tensor<?xHIDDENxTYPE>
  %dgu:2 = linalg.generic {indexing_maps = [#all, #all, #all, #all, #row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%d32, %u32, %s, %si, %p : tensor<?xHIDDENxf32>, tensor<?xHIDDENxf32>, tensor<?xHIDDENxf32>, tensor<?xHIDDENxf32>, tensor<?xf32>)
      outs(%e16, %e16 : tensor<?xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>) {
  ^bb0(%de: f32, %ue: f32, %se: f32, %sie: f32, %pe: f32, %o0: TYPE, %o1: TYPE):
    %one = arith.constant 1.0 : f32
    %go = arith.mulf %de, %pe : f32
    %gu = arith.mulf %go, %ue : f32
    %m = arith.subf %one, %se : f32
    %t = arith.mulf %sie, %m : f32
    %slope = arith.addf %se, %t : f32
    %dg = arith.mulf %gu, %slope : f32
    %dg16 = arith.truncf %dg : f32 to TYPE
    %du = arith.mulf %go, %sie : f32
    %du16 = arith.truncf %du : f32 to TYPE
    linalg.yield %dg16, %du16 : TYPE, TYPE
  } -> (tensor<?xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>)
  %ds = arith.mulf %d32, %si : tensor<?xHIDDENxf32>
  %dsu = arith.mulf %ds, %u32 : tensor<?xHIDDENxf32>
  %dp = nn.sum %dsu dim 1 order <ORDER> : tensor<?xHIDDENxf32> to tensor<?xf32>
  return %dgu#0, %dgu#1, %dp : tensor<?xHIDDENxTYPE>, tensor<?xHIDDENxTYPE>, tensor<?xf32>
}
