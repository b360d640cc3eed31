// RUN: prec-opt %s --prec-make-rounding-explicit | FileCheck %s
// The gradients of moe, in each form. Their points are in test/Integration/moe.

// CHECK-LABEL: func @steps(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = tensor.extract_slice %[[A1]][0, 4] [%{{.*}}, 4] [1, 1] : tensor<?x8xbf16> to tensor<?x4xbf16>
// CHECK: %[[T2:.*]] = tensor.extract_slice %[[A1]][0, 0] [%{{.*}}, 4] [1, 1] : tensor<?x8xbf16> to tensor<?x4xbf16>
// CHECK: %[[T3:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]], %[[A2]] : {{.*}} : tensor<?x4xbf16>)
// CHECK-NEXT: ^bb0(%[[V4:.*]]: bf16, %[[V5:.*]]: bf16, %[[V6:.*]]: bf16, %[[V7:.*]]: f32, %[[V8:.*]]: bf16):
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V6]] : bf16 to f32
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V5]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V12:.*]] = arith.mulf %[[V11]], %[[V7]] : f32
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V12]] : f32 to bf16
// CHECK-NEXT: %[[V14:.*]] = arith.extf %[[V13]] : bf16 to f32
// CHECK-NEXT: %[[V15:.*]] = arith.mulf %[[V14]], %[[V9]] : f32
// CHECK-NEXT: %[[V16:.*]] = prec.round %[[V15]] : f32 to bf16
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V16]] : bf16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.negf %[[V10]] : f32
// CHECK-NEXT: %[[V20:.*]] = math.exp %[[V19]] : f32
// CHECK-NEXT: %[[V21:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V22:.*]] = arith.addf %[[V20]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.divf %[[V18]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.mulf %[[V17]], %[[V23]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.subf %[[V25]], %[[V23]] : f32
// CHECK-NEXT: %[[V27:.*]] = math.fma %[[V10]], %[[V26]], %[[V25]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.mulf %[[V24]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = prec.round %[[V28]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V29]] : bf16
// CHECK: %[[T30:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]], %[[A2]] : {{.*}} : tensor<?x4xbf16>)
// CHECK-NEXT: ^bb0(%[[V31:.*]]: bf16, %[[V32:.*]]: bf16, %[[V33:.*]]: bf16, %[[V34:.*]]: f32, %[[V35:.*]]: bf16):
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V33]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: %[[V38:.*]] = arith.extf %[[V31]] : bf16 to f32
// CHECK-NEXT: %[[V39:.*]] = arith.mulf %[[V38]], %[[V34]] : f32
// CHECK-NEXT: %[[V40:.*]] = prec.round %[[V39]] : f32 to bf16
// CHECK-NEXT: %[[V41:.*]] = arith.extf %[[V40]] : bf16 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.negf %[[V37]] : f32
// CHECK-NEXT: %[[V43:.*]] = math.exp %[[V42]] : f32
// CHECK-NEXT: %[[V44:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V45:.*]] = arith.addf %[[V43]], %[[V44]] : f32
// CHECK-NEXT: %[[V46:.*]] = arith.divf %[[V37]], %[[V45]] : f32
// CHECK-NEXT: %[[V47:.*]] = prec.round %[[V46]] : f32 to bf16
// CHECK-NEXT: %[[V48:.*]] = arith.extf %[[V47]] : bf16 to f32
// CHECK-NEXT: %[[V49:.*]] = arith.mulf %[[V41]], %[[V48]] : f32
// CHECK-NEXT: %[[V50:.*]] = prec.round %[[V49]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V50]] : bf16
// CHECK: %[[T51:.*]] = tensor.concat dim(1) %[[T3]], %[[T30]] : (tensor<?x4xbf16>, tensor<?x4xbf16>) -> tensor<?x8xbf16>
// CHECK: %[[T52:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]], %[[A2]] : {{.*}} : tensor<?x4xf32>)
// CHECK-NEXT: ^bb0(%[[V53:.*]]: bf16, %[[V54:.*]]: bf16, %[[V55:.*]]: bf16, %[[V56:.*]]: f32, %[[V57:.*]]: f32):
// CHECK-NEXT: %[[V58:.*]] = arith.extf %[[V55]] : bf16 to f32
// CHECK-NEXT: %[[V59:.*]] = arith.extf %[[V54]] : bf16 to f32
// CHECK-NEXT: %[[V60:.*]] = arith.extf %[[V53]] : bf16 to f32
// CHECK-NEXT: %[[V61:.*]] = arith.negf %[[V59]] : f32
// CHECK-NEXT: %[[V62:.*]] = math.exp %[[V61]] : f32
// CHECK-NEXT: %[[V63:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V64:.*]] = arith.addf %[[V62]], %[[V63]] : f32
// CHECK-NEXT: %[[V65:.*]] = arith.divf %[[V59]], %[[V64]] : f32
// CHECK-NEXT: %[[V66:.*]] = prec.round %[[V65]] : f32 to bf16
// CHECK-NEXT: %[[V67:.*]] = arith.extf %[[V66]] : bf16 to f32
// CHECK-NEXT: %[[V68:.*]] = arith.mulf %[[V67]], %[[V58]] : f32
// CHECK-NEXT: %[[V69:.*]] = prec.round %[[V68]] : f32 to bf16
// CHECK-NEXT: %[[V70:.*]] = arith.extf %[[V69]] : bf16 to f32
// CHECK-NEXT: %[[V71:.*]] = arith.mulf %[[V60]], %[[V70]] : f32
// CHECK-NEXT: linalg.yield %[[V71]] : f32
// CHECK: %[[T72:.*]] = prec.sum %[[T52]] dim 1 <aten_cpu> : tensor<?x4xf32> to tensor<?xf32>
// CHECK: %[[T73:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T72]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V74:.*]]: f32, %[[V75:.*]]: f32):
// CHECK-NEXT: linalg.yield %[[V74]] : f32
func.func @steps(%dy: tensor<?x4xbf16>, %x: tensor<?x8xbf16>, %p: tensor<?xf32>) -> (tensor<?x8xbf16>, tensor<?xf32>) {
  %0:2 = moe.activation_grad silu %dy, %x layout halves probability(%p : tensor<?xf32>)
           : tensor<?x4xbf16>, tensor<?x8xbf16> to tensor<?x8xbf16> probability tensor<?xf32>
  return %0#0, %0#1 : tensor<?x8xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func @chain(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}, %[[A3:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: f16, %[[V3:.*]]: f16, %[[V4:.*]]: f16, %[[V5:.*]]: f32, %[[V6:.*]]: f16):
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V4]] : f16 to f32
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V3]] : f16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V2]] : f16 to f32
// CHECK-NEXT: %[[V10:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V11:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V12:.*]] = arith.negf %[[V8]] : f32
// CHECK-NEXT: %[[V13:.*]] = math.exp %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.addf %[[V13]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V11]], %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V16]] : f32 to f16
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : f16 to f32
// CHECK-NEXT: %[[V19:.*]] = arith.subf %[[V10]], %[[V18]] : f32
// CHECK-NEXT: %[[V20:.*]] = prec.round %[[V19]] : f32 to f16
// CHECK-NEXT: %[[V21:.*]] = arith.extf %[[V20]] : f16 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V8]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to f16
// CHECK-NEXT: %[[V24:.*]] = arith.extf %[[V23]] : f16 to f32
// CHECK-NEXT: %[[V25:.*]] = arith.addf %[[V10]], %[[V24]] : f32
// CHECK-NEXT: %[[V26:.*]] = prec.round %[[V25]] : f32 to f16
// CHECK-NEXT: %[[V27:.*]] = arith.extf %[[V26]] : f16 to f32
// CHECK-NEXT: %[[V28:.*]] = arith.mulf %[[V9]], %[[V5]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.mulf %[[V28]], %[[V18]] : f32
// CHECK-NEXT: %[[V30:.*]] = arith.mulf %[[V29]], %[[V27]] : f32
// CHECK-NEXT: %[[V31:.*]] = arith.mulf %[[V30]], %[[V7]] : f32
// CHECK-NEXT: %[[V32:.*]] = prec.round %[[V31]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V32]] : f16
// CHECK: %[[T33:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf16>)
// CHECK-NEXT: ^bb0(%[[V34:.*]]: f16, %[[V35:.*]]: f16, %[[V36:.*]]: f16, %[[V37:.*]]: f32, %[[V38:.*]]: f16):
// CHECK-NEXT: %[[V39:.*]] = arith.extf %[[V36]] : f16 to f32
// CHECK-NEXT: %[[V40:.*]] = arith.extf %[[V35]] : f16 to f32
// CHECK-NEXT: %[[V41:.*]] = arith.extf %[[V34]] : f16 to f32
// CHECK-NEXT: %[[V42:.*]] = arith.mulf %[[V41]], %[[V37]] : f32
// CHECK-NEXT: %[[V43:.*]] = arith.negf %[[V40]] : f32
// CHECK-NEXT: %[[V44:.*]] = math.exp %[[V43]] : f32
// CHECK-NEXT: %[[V45:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V46:.*]] = arith.addf %[[V44]], %[[V45]] : f32
// CHECK-NEXT: %[[V47:.*]] = arith.divf %[[V40]], %[[V46]] : f32
// CHECK-NEXT: %[[V48:.*]] = prec.round %[[V47]] : f32 to f16
// CHECK-NEXT: %[[V49:.*]] = arith.extf %[[V48]] : f16 to f32
// CHECK-NEXT: %[[V50:.*]] = arith.mulf %[[V42]], %[[V49]] : f32
// CHECK-NEXT: %[[V51:.*]] = prec.round %[[V50]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V51]] : f16
// CHECK: %[[T52:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V53:.*]]: f16, %[[V54:.*]]: f16, %[[V55:.*]]: f16, %[[V56:.*]]: f32, %[[V57:.*]]: f32):
// CHECK-NEXT: %[[V58:.*]] = arith.extf %[[V55]] : f16 to f32
// CHECK-NEXT: %[[V59:.*]] = arith.extf %[[V54]] : f16 to f32
// CHECK-NEXT: %[[V60:.*]] = arith.extf %[[V53]] : f16 to f32
// CHECK-NEXT: %[[V61:.*]] = arith.negf %[[V59]] : f32
// CHECK-NEXT: %[[V62:.*]] = math.exp %[[V61]] : f32
// CHECK-NEXT: %[[V63:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V64:.*]] = arith.addf %[[V62]], %[[V63]] : f32
// CHECK-NEXT: %[[V65:.*]] = arith.divf %[[V59]], %[[V64]] : f32
// CHECK-NEXT: %[[V66:.*]] = prec.round %[[V65]] : f32 to f16
// CHECK-NEXT: %[[V67:.*]] = arith.extf %[[V66]] : f16 to f32
// CHECK-NEXT: %[[V68:.*]] = arith.mulf %[[V67]], %[[V58]] : f32
// CHECK-NEXT: %[[V69:.*]] = prec.round %[[V68]] : f32 to f16
// CHECK-NEXT: %[[V70:.*]] = arith.extf %[[V69]] : f16 to f32
// CHECK-NEXT: %[[V71:.*]] = arith.mulf %[[V60]], %[[V70]] : f32
// CHECK-NEXT: linalg.yield %[[V71]] : f32
// CHECK: %[[T72:.*]] = prec.sum %[[T52]] dim 1 <aten_cpu> : tensor<4x8xf32> to tensor<4xf32>
// CHECK: %[[T73:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T72]] : {{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[V74:.*]]: f32, %[[V75:.*]]: f32):
// CHECK-NEXT: linalg.yield %[[V74]] : f32
func.func @chain(%dy: tensor<4x8xf16>, %g: tensor<4x8xf16>, %u: tensor<4x8xf16>, %p: tensor<4xf32>)
    -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4xf32>) {
  %0:3 = moe.activation_grad silu %dy, %g up(%u : tensor<4x8xf16>) probability(%p : tensor<4xf32>) derivative chain
           points {weighted = false, gated = false, sloped = false}
           : tensor<4x8xf16>, tensor<4x8xf16> to tensor<4x8xf16> up tensor<4x8xf16> probability tensor<4xf32>
  return %0#0, %0#1, %0#2 : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4xf32>
}

// CHECK-LABEL: func @closed(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}, %[[A3:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16, %[[V5:.*]]: bf16, %[[V6:.*]]: bf16):
// CHECK-NEXT: %[[V7:.*]] = arith.extf %[[V5]] : bf16 to f32
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V12:.*]] = arith.minimumf %[[V9]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = prec.round %[[V12]] : f32 to bf16
// CHECK-NEXT: %[[V14:.*]] = arith.extf %[[V13]] : bf16 to f32
// CHECK-NEXT: %[[V15:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V16:.*]] = arith.negf %[[V14]] : f32
// CHECK-NEXT: %[[V17:.*]] = math.exp %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.addf %[[V17]], %[[V18]] : f32
// CHECK-NEXT: %[[V20:.*]] = arith.divf %[[V15]], %[[V19]] : f32
// CHECK-NEXT: %[[V21:.*]] = arith.negf %[[V14]] : f32
// CHECK-NEXT: %[[V22:.*]] = math.exp %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V24:.*]] = arith.addf %[[V22]], %[[V23]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.divf %[[V25]], %[[V24]] : f32
// CHECK-NEXT: %[[V27:.*]] = arith.mulf %[[V14]], %[[V26]] : f32
// CHECK-NEXT: %[[V28:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V29:.*]] = arith.subf %[[V28]], %[[V20]] : f32
// CHECK-NEXT: %[[V30:.*]] = arith.mulf %[[V27]], %[[V29]] : f32
// CHECK-NEXT: %[[V31:.*]] = arith.addf %[[V20]], %[[V30]] : f32
// CHECK-NEXT: %[[V32:.*]] = arith.mulf %[[V10]], %[[V7]] : f32
// CHECK-NEXT: %[[V33:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V34:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V35:.*]] = arith.maximumf %[[V8]], %[[V34]] : f32
// CHECK-NEXT: %[[V36:.*]] = arith.minimumf %[[V35]], %[[V33]] : f32
// CHECK-NEXT: %[[V37:.*]] = prec.round %[[V36]] : f32 to bf16
// CHECK-NEXT: %[[V38:.*]] = arith.extf %[[V37]] : bf16 to f32
// CHECK-NEXT: %[[V39:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V40:.*]] = arith.addf %[[V38]], %[[V39]] : f32
// CHECK-NEXT: %[[V41:.*]] = arith.mulf %[[V32]], %[[V40]] : f32
// CHECK-NEXT: %[[V42:.*]] = arith.mulf %[[V41]], %[[V31]] : f32
// CHECK-NEXT: %[[V43:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V44:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V45:.*]] = arith.cmpf ole, %[[V9]], %[[V43]] : f32
// CHECK-NEXT: %[[V46:.*]] = arith.select %[[V45]], %[[V42]], %[[V44]] : f32
// CHECK-NEXT: %[[V47:.*]] = prec.round %[[V46]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V47]] : bf16
// CHECK: %[[T48:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V49:.*]]: bf16, %[[V50:.*]]: bf16, %[[V51:.*]]: bf16, %[[V52:.*]]: bf16, %[[V53:.*]]: bf16):
// CHECK-NEXT: %[[V54:.*]] = arith.extf %[[V52]] : bf16 to f32
// CHECK-NEXT: %[[V55:.*]] = arith.extf %[[V51]] : bf16 to f32
// CHECK-NEXT: %[[V56:.*]] = arith.extf %[[V50]] : bf16 to f32
// CHECK-NEXT: %[[V57:.*]] = arith.extf %[[V49]] : bf16 to f32
// CHECK-NEXT: %[[V58:.*]] = arith.mulf %[[V57]], %[[V54]] : f32
// CHECK-NEXT: %[[V59:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V60:.*]] = arith.minimumf %[[V56]], %[[V59]] : f32
// CHECK-NEXT: %[[V61:.*]] = prec.round %[[V60]] : f32 to bf16
// CHECK-NEXT: %[[V62:.*]] = arith.extf %[[V61]] : bf16 to f32
// CHECK-NEXT: %[[V63:.*]] = arith.negf %[[V62]] : f32
// CHECK-NEXT: %[[V64:.*]] = math.exp %[[V63]] : f32
// CHECK-NEXT: %[[V65:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V66:.*]] = arith.addf %[[V64]], %[[V65]] : f32
// CHECK-NEXT: %[[V67:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V68:.*]] = arith.divf %[[V67]], %[[V66]] : f32
// CHECK-NEXT: %[[V69:.*]] = arith.mulf %[[V62]], %[[V68]] : f32
// CHECK-NEXT: %[[V70:.*]] = arith.mulf %[[V58]], %[[V69]] : f32
// CHECK-NEXT: %[[V71:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V72:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V73:.*]] = arith.cmpf ole, %[[V55]], %[[V72]] : f32
// CHECK-NEXT: %[[V74:.*]] = arith.select %[[V73]], %[[V70]], %[[V71]] : f32
// CHECK-NEXT: %[[V75:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V76:.*]] = arith.cmpf oge, %[[V55]], %[[V75]] : f32
// CHECK-NEXT: %[[V77:.*]] = arith.select %[[V76]], %[[V74]], %[[V71]] : f32
// CHECK-NEXT: %[[V78:.*]] = prec.round %[[V77]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V78]] : bf16
// CHECK: %[[T79:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V80:.*]]: bf16, %[[V81:.*]]: bf16, %[[V82:.*]]: bf16, %[[V83:.*]]: bf16, %[[V84:.*]]: f32):
// CHECK-NEXT: %[[V85:.*]] = arith.extf %[[V82]] : bf16 to f32
// CHECK-NEXT: %[[V86:.*]] = arith.extf %[[V81]] : bf16 to f32
// CHECK-NEXT: %[[V87:.*]] = arith.extf %[[V80]] : bf16 to f32
// CHECK-NEXT: %[[V88:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V89:.*]] = arith.minimumf %[[V86]], %[[V88]] : f32
// CHECK-NEXT: %[[V90:.*]] = prec.round %[[V89]] : f32 to bf16
// CHECK-NEXT: %[[V91:.*]] = arith.extf %[[V90]] : bf16 to f32
// CHECK-NEXT: %[[V92:.*]] = arith.negf %[[V91]] : f32
// CHECK-NEXT: %[[V93:.*]] = math.exp %[[V92]] : f32
// CHECK-NEXT: %[[V94:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V95:.*]] = arith.addf %[[V93]], %[[V94]] : f32
// CHECK-NEXT: %[[V96:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V97:.*]] = arith.divf %[[V96]], %[[V95]] : f32
// CHECK-NEXT: %[[V98:.*]] = arith.mulf %[[V91]], %[[V97]] : f32
// CHECK-NEXT: %[[V99:.*]] = arith.mulf %[[V87]], %[[V98]] : f32
// CHECK-NEXT: %[[V100:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V101:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V102:.*]] = arith.maximumf %[[V85]], %[[V101]] : f32
// CHECK-NEXT: %[[V103:.*]] = arith.minimumf %[[V102]], %[[V100]] : f32
// CHECK-NEXT: %[[V104:.*]] = prec.round %[[V103]] : f32 to bf16
// CHECK-NEXT: %[[V105:.*]] = arith.extf %[[V104]] : bf16 to f32
// CHECK-NEXT: %[[V106:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V107:.*]] = arith.addf %[[V105]], %[[V106]] : f32
// CHECK-NEXT: %[[V108:.*]] = arith.mulf %[[V99]], %[[V107]] : f32
// CHECK-NEXT: linalg.yield %[[V108]] : f32
// CHECK: %[[T109:.*]] = prec.sum %[[T79]] dim 1 <aten_cpu> : tensor<4x8xf32> to tensor<4xf32>
// CHECK: %[[T110:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T109]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V111:.*]]: f32, %[[V112:.*]]: bf16):
// CHECK-NEXT: %[[V113:.*]] = prec.round %[[V111]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V113]] : bf16
func.func @closed(%dy: tensor<4x8xbf16>, %g: tensor<4x8xbf16>, %u: tensor<4x8xbf16>, %p: tensor<4xbf16>)
    -> (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4xbf16>) {
  %0:3 = moe.activation_grad silu %dy, %g up(%u : tensor<4x8xbf16>) probability(%p : tensor<4xbf16>) derivative closed
           form product limit 7.0 offset 1.0
           points {weighted = false, sigmoid = false, silu = false, offset = false, term = false}
           : tensor<4x8xbf16>, tensor<4x8xbf16> to tensor<4x8xbf16> up tensor<4x8xbf16> probability tensor<4xbf16>
  return %0#0, %0#1, %0#2 : tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4xbf16>
}

// CHECK-LABEL: func @interleaved(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = tensor.extract_slice %[[A1]][0, 1] [%{{.*}}, 4] [1, 2] : tensor<?x8xbf16> to tensor<?x4xbf16>
// CHECK: %[[T2:.*]] = tensor.extract_slice %[[A1]][0, 0] [%{{.*}}, 4] [1, 2] : tensor<?x8xbf16> to tensor<?x4xbf16>
// CHECK: %[[T3:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]] : {{.*}} : tensor<?x4xbf16>)
// CHECK-NEXT: ^bb0(%[[V4:.*]]: bf16, %[[V5:.*]]: bf16, %[[V6:.*]]: bf16, %[[V7:.*]]: bf16):
// CHECK-NEXT: %[[V8:.*]] = arith.extf %[[V6]] : bf16 to f32
// CHECK-NEXT: %[[V9:.*]] = arith.extf %[[V5]] : bf16 to f32
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V4]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V10]], %[[V8]] : f32
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V11]] : f32 to bf16
// CHECK-NEXT: %[[V13:.*]] = arith.extf %[[V12]] : bf16 to f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.mulf %[[V14]], %[[V9]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.mulf %[[V13]], %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V18:.*]] = arith.cmpf ole, %[[V9]], %[[V17]] : f32
// CHECK-NEXT: %[[V19:.*]] = arith.select %[[V18]], %[[V17]], %[[V16]] : f32
// CHECK-NEXT: %[[V20:.*]] = prec.round %[[V19]] : f32 to bf16
// CHECK-NEXT: %[[V21:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V23:.*]] = arith.addf %[[V21]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V23]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V24]] : bf16
// CHECK: %[[T25:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]] : {{.*}} : tensor<?x4xbf16>)
// CHECK-NEXT: ^bb0(%[[V26:.*]]: bf16, %[[V27:.*]]: bf16, %[[V28:.*]]: bf16, %[[V29:.*]]: bf16):
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V28]] : bf16 to f32
// CHECK-NEXT: %[[V31:.*]] = arith.extf %[[V27]] : bf16 to f32
// CHECK-NEXT: %[[V32:.*]] = arith.extf %[[V26]] : bf16 to f32
// CHECK-NEXT: %[[V33:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V34:.*]] = arith.maximumf %[[V31]], %[[V33]] : f32
// CHECK-NEXT: %[[V35:.*]] = arith.mulf %[[V34]], %[[V34]] : f32
// CHECK-NEXT: %[[V36:.*]] = prec.round %[[V35]] : f32 to bf16
// CHECK-NEXT: %[[V37:.*]] = arith.extf %[[V36]] : bf16 to f32
// CHECK-NEXT: %[[V38:.*]] = arith.mulf %[[V32]], %[[V37]] : f32
// CHECK-NEXT: %[[V39:.*]] = prec.round %[[V38]] : f32 to bf16
// CHECK-NEXT: %[[V40:.*]] = arith.extf %[[V39]] : bf16 to f32
// CHECK-NEXT: %[[V41:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V42:.*]] = arith.addf %[[V40]], %[[V41]] : f32
// CHECK-NEXT: %[[V43:.*]] = prec.round %[[V42]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V43]] : bf16
// CHECK: %[[T44:.*]] = tensor.expand_shape %[[T3]] {{.*}} output_shape [%{{.*}}, 4, 1] : tensor<?x4xbf16> into tensor<?x4x1xbf16>
// CHECK: %[[T45:.*]] = tensor.expand_shape %[[T25]] {{.*}} output_shape [%{{.*}}, 4, 1] : tensor<?x4xbf16> into tensor<?x4x1xbf16>
// CHECK: %[[T46:.*]] = tensor.concat dim(2) %[[T44]], %[[T45]] : (tensor<?x4x1xbf16>, tensor<?x4x1xbf16>) -> tensor<?x4x2xbf16>
// CHECK: %[[T47:.*]] = tensor.collapse_shape %[[T46]] {{.*}} : tensor<?x4x2xbf16> into tensor<?x8xbf16>
func.func @interleaved(%dy: tensor<?x4xbf16>, %x: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %0 = moe.activation_grad relu_squared %dy, %x layout interleaved pack add
         : tensor<?x4xbf16>, tensor<?x8xbf16> to tensor<?x8xbf16>
  return %0 : tensor<?x8xbf16>
}

// CHECK-LABEL: func @combine(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]], %[[A2]] : {{.*}} : tensor<?x2x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V2:.*]]: bf16, %[[V3:.*]]: bf16, %[[V4:.*]]: bf16):
// CHECK-NEXT: %[[V5:.*]] = arith.extf %[[V3]] : bf16 to f32
// CHECK-NEXT: %[[V6:.*]] = arith.extf %[[V2]] : bf16 to f32
// CHECK-NEXT: %[[V7:.*]] = arith.constant 2.500000e+00 : f32
// CHECK-NEXT: %[[V8:.*]] = arith.mulf %[[V6]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:.*]] = prec.round %[[V8]] : f32 to bf16
// CHECK-NEXT: %[[V10:.*]] = arith.extf %[[V9]] : bf16 to f32
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V10]], %[[V5]] : f32
// CHECK-NEXT: %[[V12:.*]] = prec.round %[[V11]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V12]] : bf16
// CHECK: %[[T13:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]], %[[A1]] : {{.*}} : tensor<?x2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V14:.*]]: bf16, %[[V15:.*]]: bf16, %[[V16:.*]]: f32):
// CHECK-NEXT: %[[V17:.*]] = arith.extf %[[V15]] : bf16 to f32
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V14]] : bf16 to f32
// CHECK-NEXT: %[[V19:.*]] = arith.constant 2.500000e+00 : f32
// CHECK-NEXT: %[[V20:.*]] = arith.mulf %[[V18]], %[[V19]] : f32
// CHECK-NEXT: %[[V21:.*]] = prec.round %[[V20]] : f32 to bf16
// CHECK-NEXT: %[[V22:.*]] = arith.extf %[[V21]] : bf16 to f32
// CHECK-NEXT: %[[V23:.*]] = arith.mulf %[[V22]], %[[V17]] : f32
// CHECK-NEXT: %[[V24:.*]] = prec.round %[[V23]] : f32 to bf16
// CHECK-NEXT: %[[V25:.*]] = arith.extf %[[V24]] : bf16 to f32
// CHECK-NEXT: linalg.yield %[[V25]] : f32
// CHECK: %[[T26:.*]] = prec.sum %[[T13]] dim 2 <aten_cpu> : tensor<?x2x8xf32> to tensor<?x2xf32>
// CHECK: %[[T27:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T26]] : {{.*}} : tensor<?x2xbf16>)
// CHECK-NEXT: ^bb0(%[[V28:.*]]: f32, %[[V29:.*]]: bf16):
// CHECK-NEXT: %[[V30:.*]] = prec.round %[[V28]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V30]] : bf16
func.func @combine(%dy: tensor<?x8xbf16>, %z: tensor<?x2x8xbf16>, %w: tensor<?x2xbf16>)
    -> (tensor<?x2x8xbf16>, tensor<?x2xbf16>) {
  %0:2 = moe.combine_grad %dy, %z weights(%w : tensor<?x2xbf16>) scale 2.5
           : tensor<?x8xbf16>, tensor<?x2x8xbf16> to tensor<?x2x8xbf16> weights tensor<?x2xbf16>
  return %0#0, %0#1 : tensor<?x2x8xbf16>, tensor<?x2xbf16>
}

// CHECK-LABEL: func @combine_rows(
// CHECK-SAME: %[[A0:[a-z0-9]+]]: {{[^,)]+}}, %[[A1:[a-z0-9]+]]: {{[^,)]+}}, %[[A2:[a-z0-9]+]]: {{[^,)]+}}, %[[A3:[a-z0-9]+]]: {{[^,)]+}}, %[[A4:[a-z0-9]+]]: {{[^,)]+}}
// CHECK: %[[T1:.*]] = linalg.fill ins(%{{.*}} : bf16) outs(%{{.*}} : tensor<1x8xbf16>) -> tensor<1x8xbf16>
// CHECK: %[[T2:.*]] = tensor.concat dim(0) %[[A0]], %[[T1]] : (tensor<4x8xbf16>, tensor<1x8xbf16>) -> tensor<5x8xbf16>
// CHECK: %[[T3:.*]] = tensor.collapse_shape %[[A2]] {{.*}} : tensor<4x2xf32> into tensor<8xf32>
// CHECK: %[[T4:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1xf32>) -> tensor<1xf32>
// CHECK: %[[T5:.*]] = tensor.concat dim(0) %[[T3]], %[[T4]] : (tensor<8xf32>, tensor<1xf32>) -> tensor<9xf32>
// CHECK: %[[T6:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: %[[T7:.*]] = arith.maxui %{{.*}}, %{{.*}} : index
// CHECK: %[[T8:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A4]] : {{.*}} : tensor<6x8xbf16>)
// CHECK-NEXT: ^bb0(%[[V9:.*]]: i32, %[[V10:.*]]: bf16):
// CHECK-NEXT: %[[V11:.*]] = arith.index_cast %[[V9]] : i32 to index
// CHECK-NEXT: %[[V12:.*]] = arith.cmpi ult, %[[V11]], %[[T6]] : index
// CHECK-NEXT: %[[V13:.*]] = arith.select %[[V12]], %[[V11]], %[[T6]] : index
// CHECK-NEXT: %[[V14:.*]] = arith.divui %[[V13]], %[[T7]] : index
// CHECK-NEXT: %[[V15:.*]] = arith.select %[[V12]], %[[V14]], %{{.*}} : index
// CHECK-NEXT: %[[V16:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[V17:.*]] = tensor.extract %[[T2]][%[[V15]], %[[V16]]] : tensor<5x8xbf16>
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : bf16 to f32
// CHECK-NEXT: %[[V19:.*]] = tensor.extract %[[T5]][%[[V13]]] : tensor<9xf32>
// CHECK-NEXT: %[[V20:.*]] = arith.constant 0.000000e+00 : bf16
// CHECK-NEXT: %[[V21:.*]] = arith.mulf %[[V18]], %[[V19]] : f32
// CHECK-NEXT: %[[V22:.*]] = prec.round %[[V21]] : f32 to bf16
// CHECK-NEXT: %[[V23:.*]] = arith.select %[[V12]], %[[V22]], %[[V20]] : bf16
// CHECK-NEXT: linalg.yield %[[V23]] : bf16
// CHECK: %[[T24:.*]] = linalg.fill ins(%{{.*}} : bf16) outs(%{{.*}} : tensor<1x8xbf16>) -> tensor<1x8xbf16>
// CHECK: %[[T25:.*]] = tensor.concat dim(0) %[[A1]], %[[T24]] : (tensor<6x8xbf16>, tensor<1x8xbf16>) -> tensor<7x8xbf16>
// CHECK: %[[T26:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[A0]], %[[A3]] : {{.*}} : tensor<4x2x8xf32>)
// CHECK-NEXT: ^bb0(%[[V27:.*]]: bf16, %[[V28:.*]]: i32, %[[V29:.*]]: f32):
// CHECK-NEXT: %[[V30:.*]] = arith.extf %[[V27]] : bf16 to f32
// CHECK-NEXT: %[[V31:.*]] = arith.index_cast %[[V28]] : i32 to index
// CHECK-NEXT: %[[V32:.*]] = arith.cmpi ult, %[[V31]], %{{.*}} : index
// CHECK-NEXT: %[[V33:.*]] = arith.select %[[V32]], %[[V31]], %{{.*}} : index
// CHECK-NEXT: %[[V34:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[V35:.*]] = tensor.extract %[[T25]][%[[V33]], %[[V34]]] : tensor<7x8xbf16>
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V35]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.mulf %[[V30]], %[[V36]] : f32
// CHECK-NEXT: %[[V38:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V39:.*]] = arith.select %[[V32]], %[[V37]], %[[V38]] : f32
// CHECK-NEXT: linalg.yield %[[V39]] : f32
// CHECK: %[[T40:.*]] = prec.sum %[[T26]] dim 2 <aten_cpu> : tensor<4x2x8xf32> to tensor<4x2xf32>
// CHECK: %[[T41:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[T40]] : {{.*}} : tensor<4x2xf32>)
// CHECK-NEXT: ^bb0(%[[V42:.*]]: f32, %[[V43:.*]]: f32):
// CHECK-NEXT: linalg.yield %[[V42]] : f32
func.func @combine_rows(%dy: tensor<4x8xbf16>, %z: tensor<6x8xbf16>, %w: tensor<4x2xf32>, %i: tensor<4x2xi32>,
                        %s: tensor<6xi32>) -> (tensor<6x8xbf16>, tensor<4x2xf32>) {
  %0:2 = moe.combine_grad %dy, %z weights(%w : tensor<4x2xf32>) indices(%i : tensor<4x2xi32>) slots(%s : tensor<6xi32>)
           points {weight = false}
           : tensor<4x8xbf16>, tensor<6x8xbf16> to tensor<6x8xbf16> weights tensor<4x2xf32>
  return %0#0, %0#1 : tensor<6x8xbf16>, tensor<4x2xf32>
}

// The gradient of a bias is the sum of the input's, as that is stored.
// CHECK-LABEL: func @bias_gradient(
// CHECK: %[[DX:.*]] = tensor.concat dim(2)
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[DX]] : tensor<?x2x16xbf16>) {{.*}}tensor<?x2x16xf32>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[WIDE]] {{\[}}[0, 1], [2]] : tensor<?x2x16xf32> into tensor<?x16xf32>
// CHECK: %[[SUM:.*]] = prec.sum %[[ROWS]] dim 0 <sequential> : tensor<?x16xf32> to tensor<16xf32>
// CHECK: %[[DB:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<16xf32>) {{.*}}tensor<16xbf16>)
// CHECK: prec.round
// CHECK: return %[[DX]], %[[DB]]
func.func @bias_gradient(%dy: tensor<?x2x8xbf16>, %x: tensor<?x2x16xbf16>, %b: tensor<16xbf16>) -> (tensor<?x2x16xbf16>, tensor<16xbf16>) {
  %0:2 = moe.activation_grad silu %dy, %x layout halves bias(%b : tensor<16xbf16>) rows_order <sequential>
           : tensor<?x2x8xbf16>, tensor<?x2x16xbf16> to tensor<?x2x16xbf16> bias tensor<16xbf16>
  return %0#0, %0#1 : tensor<?x2x16xbf16>, tensor<16xbf16>
}
