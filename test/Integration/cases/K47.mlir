// A quotient's last bit decides its floor: pytorch/pytorch#177926, #184680.
// RUN: %eval
// RUN: %ptx | %check

// floor(x/y) of 41/41, 47/47, 82/82; 0 through x*(1/y).
// EVAL @floor_div(f32 [0x42240000, 0x423C0000, 0x42A40000], f32 [0x42240000, 0x423C0000, 0x42A40000]) = f32 [0x3F800000, 0x3F800000, 0x3F800000]
// CHECK-LABEL: .entry floor_div
// CHECK: div.rn.f32
// CHECK: cvt.rmi.f32
func.func @floor_div(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %q = arith.divf %x, %y : tensor<?xf32>
  %f = math.floor %q : tensor<?xf32>
  return %f : tensor<?xf32>
}
