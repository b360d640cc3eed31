// RUN: prec-opt %s "-convert-prec-to-llvm=lanes=16 vnni native-f16" | FileCheck %s

// Of an f16 number times a power of two only subnormal results round: 0.75 has their step as its last place. What widens the
// result has it before it is narrowed.
// CHECK-LABEL: func @scaled
// CHECK: %[[W:.+]] = arith.extf %{{.+}} : vector<16xf16> to vector<16xf32>
// CHECK: %[[QUARTER:.+]] = arith.constant dense<2.500000e-01>
// CHECK: %[[LARGE32:.+]] = arith.constant dense<1061158912> : vector<16xi32>
// CHECK: %[[LARGE:.+]] = arith.bitcast %[[LARGE32]]
// CHECK: %[[SUM:.+]] = math.fma %[[W]], %[[QUARTER]], %[[LARGE]]
// CHECK: arith.subf %[[SUM]], %[[LARGE]]
// CHECK: %[[SIGN:.+]] = arith.andi
// CHECK: %[[BITS:.+]] = arith.ori %{{.+}}, %[[SIGN]]
// CHECK: %[[R:.+]] = arith.bitcast %[[BITS]] : vector<16xi32> to vector<16xf32>
// CHECK: %[[NARROW:.+]] = llvm.intr.experimental.constrained.fptrunc %[[R]] tonearest ignore : vector<16xf32> to vector<16xf16>
// CHECK: return %[[NARROW]], %[[R]]
func.func @scaled(%x: vector<16xf16>) -> (vector<16xf16>, vector<16xf32>) {
  %0 = arith.extf %x : vector<16xf16> to vector<16xf32>
  %quarter = arith.constant dense<0.25> : vector<16xf32>
  %1 = arith.mulf %0, %quarter : vector<16xf32>
  %2 = prec.round %1 : vector<16xf32> to vector<16xf16>
  %3 = arith.extf %2 : vector<16xf16> to vector<16xf32>
  return %2, %3 : vector<16xf16>, vector<16xf32>
}
