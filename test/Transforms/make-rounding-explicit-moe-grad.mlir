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
// CHECK-NEXT: %[[V12:.*]] = arith.negf %[[V10]] : f32
// CHECK-NEXT: %[[V13:.*]] = math.exp %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V15:.*]] = arith.addf %[[V13]], %[[V14]] : f32
// CHECK-NEXT: %[[V16:.*]] = arith.divf %[[V10]], %[[V15]] : f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V16]] : f32 to bf16
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : bf16 to f32
// CHECK-NEXT: %[[V19:.*]] = arith.mulf %[[V11]], %[[V7]] : f32
// CHECK-NEXT: %[[V20:.*]] = prec.round %[[V19]] : f32 to bf16
// CHECK-NEXT: %[[V21:.*]] = arith.extf %[[V20]] : bf16 to f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V21]], %[[V9]] : f32
// CHECK-NEXT: %[[V23:.*]] = prec.round %[[V22]] : f32 to bf16
// CHECK-NEXT: %[[V24:.*]] = arith.extf %[[V23]] : bf16 to f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V27:.*]] = arith.negf %[[V10]] : f32
// CHECK-NEXT: %[[V28:.*]] = math.exp %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V30:.*]] = arith.addf %[[V28]], %[[V29]] : f32
// CHECK-NEXT: %[[V31:.*]] = arith.divf %[[V26]], %[[V30]] : f32
// CHECK-NEXT: %[[V32:.*]] = arith.mulf %[[V24]], %[[V31]] : f32
// CHECK-NEXT: %[[V33:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V34:.*]] = arith.subf %[[V33]], %[[V31]] : f32
// CHECK-NEXT: %[[V35:.*]] = math.fma %[[V10]], %[[V34]], %[[V33]] : f32
// CHECK-NEXT: %[[V36:.*]] = arith.mulf %[[V32]], %[[V35]] : f32
// CHECK-NEXT: %[[V37:.*]] = prec.round %[[V36]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V37]] : bf16
// CHECK: %[[T38:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]], %[[A2]] : {{.*}} : tensor<?x4xbf16>)
// CHECK-NEXT: ^bb0(%[[V39:.*]]: bf16, %[[V40:.*]]: bf16, %[[V41:.*]]: bf16, %[[V42:.*]]: f32, %[[V43:.*]]: bf16):
// CHECK-NEXT: %[[V44:.*]] = arith.extf %[[V41]] : bf16 to f32
// CHECK-NEXT: %[[V45:.*]] = arith.extf %[[V40]] : bf16 to f32
// CHECK-NEXT: %[[V46:.*]] = arith.extf %[[V39]] : bf16 to f32
// CHECK-NEXT: %[[V47:.*]] = arith.negf %[[V45]] : f32
// CHECK-NEXT: %[[V48:.*]] = math.exp %[[V47]] : f32
// CHECK-NEXT: %[[V49:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V50:.*]] = arith.addf %[[V48]], %[[V49]] : f32
// CHECK-NEXT: %[[V51:.*]] = arith.divf %[[V45]], %[[V50]] : f32
// CHECK-NEXT: %[[V52:.*]] = prec.round %[[V51]] : f32 to bf16
// CHECK-NEXT: %[[V53:.*]] = arith.extf %[[V52]] : bf16 to f32
// CHECK-NEXT: %[[V54:.*]] = arith.mulf %[[V46]], %[[V42]] : f32
// CHECK-NEXT: %[[V55:.*]] = prec.round %[[V54]] : f32 to bf16
// CHECK-NEXT: %[[V56:.*]] = arith.extf %[[V55]] : bf16 to f32
// CHECK-NEXT: %[[V57:.*]] = arith.mulf %[[V56]], %[[V53]] : f32
// CHECK-NEXT: %[[V58:.*]] = prec.round %[[V57]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V58]] : bf16
// CHECK: %[[T59:.*]] = tensor.concat dim(1) %[[T3]], %[[T38]] : (tensor<?x4xbf16>, tensor<?x4xbf16>) -> tensor<?x8xbf16>
// CHECK: %[[T60:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]], %[[A2]] : {{.*}} : tensor<?x4xf32>)
// CHECK-NEXT: ^bb0(%[[V61:.*]]: bf16, %[[V62:.*]]: bf16, %[[V63:.*]]: bf16, %[[V64:.*]]: f32, %[[V65:.*]]: f32):
// CHECK-NEXT: %[[V66:.*]] = arith.extf %[[V63]] : bf16 to f32
// CHECK-NEXT: %[[V67:.*]] = arith.extf %[[V62]] : bf16 to f32
// CHECK-NEXT: %[[V68:.*]] = arith.extf %[[V61]] : bf16 to f32
// CHECK-NEXT: %[[V69:.*]] = arith.negf %[[V67]] : f32
// CHECK-NEXT: %[[V70:.*]] = math.exp %[[V69]] : f32
// CHECK-NEXT: %[[V71:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V72:.*]] = arith.addf %[[V70]], %[[V71]] : f32
// CHECK-NEXT: %[[V73:.*]] = arith.divf %[[V67]], %[[V72]] : f32
// CHECK-NEXT: %[[V74:.*]] = prec.round %[[V73]] : f32 to bf16
// CHECK-NEXT: %[[V75:.*]] = arith.extf %[[V74]] : bf16 to f32
// CHECK-NEXT: %[[V76:.*]] = arith.mulf %[[V68]], %[[V64]] : f32
// CHECK-NEXT: %[[V77:.*]] = prec.round %[[V76]] : f32 to bf16
// CHECK-NEXT: %[[V78:.*]] = arith.extf %[[V77]] : bf16 to f32
// CHECK-NEXT: %[[V79:.*]] = arith.mulf %[[V75]], %[[V66]] : f32
// CHECK-NEXT: %[[V80:.*]] = prec.round %[[V79]] : f32 to bf16
// CHECK-NEXT: %[[V81:.*]] = arith.extf %[[V80]] : bf16 to f32
// CHECK-NEXT: %[[V82:.*]] = arith.mulf %[[V68]], %[[V81]] : f32
// CHECK-NEXT: linalg.yield %[[V82]] : f32
// CHECK: %[[T83:.*]] = prec.sum %[[T60]] dim 1 <aten_cpu> : tensor<?x4xf32> to tensor<?xf32>
// CHECK: %[[T84:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T83]] : {{.*}} : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[V85:.*]]: f32, %[[V86:.*]]: f32):
// CHECK-NEXT: linalg.yield %[[V85]] : f32
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
// CHECK-NEXT: %[[V10:.*]] = arith.negf %[[V8]] : f32
// CHECK-NEXT: %[[V11:.*]] = math.exp %[[V10]] : f32
// CHECK-NEXT: %[[V12:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V13:.*]] = arith.addf %[[V11]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = arith.divf %[[V8]], %[[V13]] : f32
// CHECK-NEXT: %[[V15:.*]] = prec.round %[[V14]] : f32 to f16
// CHECK-NEXT: %[[V16:.*]] = arith.extf %[[V15]] : f16 to f32
// CHECK-NEXT: %[[V17:.*]] = arith.mulf %[[V9]], %[[V5]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V19:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V20:.*]] = arith.negf %[[V8]] : f32
// CHECK-NEXT: %[[V21:.*]] = math.exp %[[V20]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V23:.*]] = arith.addf %[[V21]], %[[V22]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.divf %[[V19]], %[[V23]] : f32
// CHECK-NEXT: %[[V25:.*]] = prec.round %[[V24]] : f32 to f16
// CHECK-NEXT: %[[V26:.*]] = arith.extf %[[V25]] : f16 to f32
// CHECK-NEXT: %[[V27:.*]] = arith.subf %[[V18]], %[[V26]] : f32
// CHECK-NEXT: %[[V28:.*]] = prec.round %[[V27]] : f32 to f16
// CHECK-NEXT: %[[V29:.*]] = arith.extf %[[V28]] : f16 to f32
// CHECK-NEXT: %[[V30:.*]] = arith.mulf %[[V8]], %[[V29]] : f32
// CHECK-NEXT: %[[V31:.*]] = prec.round %[[V30]] : f32 to f16
// CHECK-NEXT: %[[V32:.*]] = arith.extf %[[V31]] : f16 to f32
// CHECK-NEXT: %[[V33:.*]] = arith.addf %[[V18]], %[[V32]] : f32
// CHECK-NEXT: %[[V34:.*]] = prec.round %[[V33]] : f32 to f16
// CHECK-NEXT: %[[V35:.*]] = arith.extf %[[V34]] : f16 to f32
// CHECK-NEXT: %[[V36:.*]] = arith.mulf %[[V17]], %[[V26]] : f32
// CHECK-NEXT: %[[V37:.*]] = arith.mulf %[[V36]], %[[V35]] : f32
// CHECK-NEXT: %[[V38:.*]] = arith.mulf %[[V37]], %[[V7]] : f32
// CHECK-NEXT: %[[V39:.*]] = prec.round %[[V38]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V39]] : f16
// CHECK: %[[T40:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf16>)
// CHECK-NEXT: ^bb0(%[[V41:.*]]: f16, %[[V42:.*]]: f16, %[[V43:.*]]: f16, %[[V44:.*]]: f32, %[[V45:.*]]: f16):
// CHECK-NEXT: %[[V46:.*]] = arith.extf %[[V43]] : f16 to f32
// CHECK-NEXT: %[[V47:.*]] = arith.extf %[[V42]] : f16 to f32
// CHECK-NEXT: %[[V48:.*]] = arith.extf %[[V41]] : f16 to f32
// CHECK-NEXT: %[[V49:.*]] = arith.negf %[[V47]] : f32
// CHECK-NEXT: %[[V50:.*]] = math.exp %[[V49]] : f32
// CHECK-NEXT: %[[V51:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V52:.*]] = arith.addf %[[V50]], %[[V51]] : f32
// CHECK-NEXT: %[[V53:.*]] = arith.divf %[[V47]], %[[V52]] : f32
// CHECK-NEXT: %[[V54:.*]] = prec.round %[[V53]] : f32 to f16
// CHECK-NEXT: %[[V55:.*]] = arith.extf %[[V54]] : f16 to f32
// CHECK-NEXT: %[[V56:.*]] = arith.mulf %[[V48]], %[[V44]] : f32
// CHECK-NEXT: %[[V57:.*]] = arith.mulf %[[V56]], %[[V55]] : f32
// CHECK-NEXT: %[[V58:.*]] = prec.round %[[V57]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[V58]] : f16
// CHECK: %[[T59:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V60:.*]]: f16, %[[V61:.*]]: f16, %[[V62:.*]]: f16, %[[V63:.*]]: f32, %[[V64:.*]]: f32):
// CHECK-NEXT: %[[V65:.*]] = arith.extf %[[V62]] : f16 to f32
// CHECK-NEXT: %[[V66:.*]] = arith.extf %[[V61]] : f16 to f32
// CHECK-NEXT: %[[V67:.*]] = arith.extf %[[V60]] : f16 to f32
// CHECK-NEXT: %[[V68:.*]] = arith.negf %[[V66]] : f32
// CHECK-NEXT: %[[V69:.*]] = math.exp %[[V68]] : f32
// CHECK-NEXT: %[[V70:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V71:.*]] = arith.addf %[[V69]], %[[V70]] : f32
// CHECK-NEXT: %[[V72:.*]] = arith.divf %[[V66]], %[[V71]] : f32
// CHECK-NEXT: %[[V73:.*]] = prec.round %[[V72]] : f32 to f16
// CHECK-NEXT: %[[V74:.*]] = arith.extf %[[V73]] : f16 to f32
// CHECK-NEXT: %[[V75:.*]] = arith.mulf %[[V67]], %[[V63]] : f32
// CHECK-NEXT: %[[V76:.*]] = arith.mulf %[[V74]], %[[V65]] : f32
// CHECK-NEXT: %[[V77:.*]] = prec.round %[[V76]] : f32 to f16
// CHECK-NEXT: %[[V78:.*]] = arith.extf %[[V77]] : f16 to f32
// CHECK-NEXT: %[[V79:.*]] = arith.mulf %[[V67]], %[[V78]] : f32
// CHECK-NEXT: linalg.yield %[[V79]] : f32
// CHECK: %[[T80:.*]] = prec.sum %[[T59]] dim 1 <aten_cpu> : tensor<4x8xf32> to tensor<4xf32>
// CHECK: %[[T81:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T80]] : {{.*}} : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[V82:.*]]: f32, %[[V83:.*]]: f32):
// CHECK-NEXT: linalg.yield %[[V82]] : f32
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
// CHECK-NEXT: %[[V15:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V16:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V17:.*]] = arith.maximumf %[[V8]], %[[V16]] : f32
// CHECK-NEXT: %[[V18:.*]] = arith.minimumf %[[V17]], %[[V15]] : f32
// CHECK-NEXT: %[[V19:.*]] = prec.round %[[V18]] : f32 to bf16
// CHECK-NEXT: %[[V20:.*]] = arith.extf %[[V19]] : bf16 to f32
// CHECK-NEXT: %[[V21:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V22:.*]] = arith.addf %[[V20]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.negf %[[V14]] : f32
// CHECK-NEXT: %[[V24:.*]] = math.exp %[[V23]] : f32
// CHECK-NEXT: %[[V25:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V26:.*]] = arith.addf %[[V24]], %[[V25]] : f32
// CHECK-NEXT: %[[V27:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V28:.*]] = arith.divf %[[V27]], %[[V26]] : f32
// CHECK-NEXT: %[[V29:.*]] = arith.mulf %[[V14]], %[[V28]] : f32
// CHECK-NEXT: %[[V30:.*]] = arith.mulf %[[V10]], %[[V7]] : f32
// CHECK-NEXT: %[[V31:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V32:.*]] = arith.negf %[[V14]] : f32
// CHECK-NEXT: %[[V33:.*]] = math.exp %[[V32]] : f32
// CHECK-NEXT: %[[V34:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V35:.*]] = arith.addf %[[V33]], %[[V34]] : f32
// CHECK-NEXT: %[[V36:.*]] = arith.divf %[[V31]], %[[V35]] : f32
// CHECK-NEXT: %[[V37:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V38:.*]] = arith.subf %[[V37]], %[[V36]] : f32
// CHECK-NEXT: %[[V39:.*]] = arith.mulf %[[V29]], %[[V38]] : f32
// CHECK-NEXT: %[[V40:.*]] = arith.addf %[[V36]], %[[V39]] : f32
// CHECK-NEXT: %[[V41:.*]] = arith.mulf %[[V30]], %[[V22]] : f32
// CHECK-NEXT: %[[V42:.*]] = arith.mulf %[[V41]], %[[V40]] : f32
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
// CHECK-NEXT: %[[V58:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V59:.*]] = arith.minimumf %[[V56]], %[[V58]] : f32
// CHECK-NEXT: %[[V60:.*]] = prec.round %[[V59]] : f32 to bf16
// CHECK-NEXT: %[[V61:.*]] = arith.extf %[[V60]] : bf16 to f32
// CHECK-NEXT: %[[V62:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V63:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V64:.*]] = arith.maximumf %[[V55]], %[[V63]] : f32
// CHECK-NEXT: %[[V65:.*]] = arith.minimumf %[[V64]], %[[V62]] : f32
// CHECK-NEXT: %[[V66:.*]] = prec.round %[[V65]] : f32 to bf16
// CHECK-NEXT: %[[V67:.*]] = arith.extf %[[V66]] : bf16 to f32
// CHECK-NEXT: %[[V68:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V69:.*]] = arith.addf %[[V67]], %[[V68]] : f32
// CHECK-NEXT: %[[V70:.*]] = arith.negf %[[V61]] : f32
// CHECK-NEXT: %[[V71:.*]] = math.exp %[[V70]] : f32
// CHECK-NEXT: %[[V72:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V73:.*]] = arith.addf %[[V71]], %[[V72]] : f32
// CHECK-NEXT: %[[V74:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V75:.*]] = arith.divf %[[V74]], %[[V73]] : f32
// CHECK-NEXT: %[[V76:.*]] = arith.mulf %[[V61]], %[[V75]] : f32
// CHECK-NEXT: %[[V77:.*]] = arith.mulf %[[V57]], %[[V54]] : f32
// CHECK-NEXT: %[[V78:.*]] = arith.mulf %[[V77]], %[[V76]] : f32
// CHECK-NEXT: %[[V79:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V80:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V81:.*]] = arith.cmpf ole, %[[V55]], %[[V80]] : f32
// CHECK-NEXT: %[[V82:.*]] = arith.select %[[V81]], %[[V78]], %[[V79]] : f32
// CHECK-NEXT: %[[V83:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V84:.*]] = arith.cmpf oge, %[[V55]], %[[V83]] : f32
// CHECK-NEXT: %[[V85:.*]] = arith.select %[[V84]], %[[V82]], %[[V79]] : f32
// CHECK-NEXT: %[[V86:.*]] = prec.round %[[V85]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V86]] : bf16
// CHECK: %[[T87:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] : {{.*}} : tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[V88:.*]]: bf16, %[[V89:.*]]: bf16, %[[V90:.*]]: bf16, %[[V91:.*]]: bf16, %[[V92:.*]]: f32):
// CHECK-NEXT: %[[V93:.*]] = arith.extf %[[V91]] : bf16 to f32
// CHECK-NEXT: %[[V94:.*]] = arith.extf %[[V90]] : bf16 to f32
// CHECK-NEXT: %[[V95:.*]] = arith.extf %[[V89]] : bf16 to f32
// CHECK-NEXT: %[[V96:.*]] = arith.extf %[[V88]] : bf16 to f32
// CHECK-NEXT: %[[V97:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V98:.*]] = arith.minimumf %[[V95]], %[[V97]] : f32
// CHECK-NEXT: %[[V99:.*]] = prec.round %[[V98]] : f32 to bf16
// CHECK-NEXT: %[[V100:.*]] = arith.extf %[[V99]] : bf16 to f32
// CHECK-NEXT: %[[V101:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT: %[[V102:.*]] = arith.constant -7.000000e+00 : f32
// CHECK-NEXT: %[[V103:.*]] = arith.maximumf %[[V94]], %[[V102]] : f32
// CHECK-NEXT: %[[V104:.*]] = arith.minimumf %[[V103]], %[[V101]] : f32
// CHECK-NEXT: %[[V105:.*]] = prec.round %[[V104]] : f32 to bf16
// CHECK-NEXT: %[[V106:.*]] = arith.extf %[[V105]] : bf16 to f32
// CHECK-NEXT: %[[V107:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V108:.*]] = arith.addf %[[V106]], %[[V107]] : f32
// CHECK-NEXT: %[[V109:.*]] = arith.negf %[[V100]] : f32
// CHECK-NEXT: %[[V110:.*]] = math.exp %[[V109]] : f32
// CHECK-NEXT: %[[V111:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V112:.*]] = arith.addf %[[V110]], %[[V111]] : f32
// CHECK-NEXT: %[[V113:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V114:.*]] = arith.divf %[[V113]], %[[V112]] : f32
// CHECK-NEXT: %[[V115:.*]] = arith.mulf %[[V100]], %[[V114]] : f32
// CHECK-NEXT: %[[V116:.*]] = arith.mulf %[[V96]], %[[V93]] : f32
// CHECK-NEXT: %[[V117:.*]] = arith.mulf %[[V96]], %[[V115]] : f32
// CHECK-NEXT: %[[V118:.*]] = arith.mulf %[[V117]], %[[V108]] : f32
// CHECK-NEXT: linalg.yield %[[V118]] : f32
// CHECK: %[[T119:.*]] = prec.sum %[[T87]] dim 1 <aten_cpu> : tensor<4x8xf32> to tensor<4xf32>
// CHECK: %[[T120:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T119]] : {{.*}} : tensor<4xbf16>)
// CHECK-NEXT: ^bb0(%[[V121:.*]]: f32, %[[V122:.*]]: bf16):
// CHECK-NEXT: %[[V123:.*]] = prec.round %[[V121]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V123]] : bf16
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
// CHECK-NEXT: %[[V11:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V12:.*]] = arith.maximumf %[[V9]], %[[V11]] : f32
// CHECK-NEXT: %[[V13:.*]] = arith.mulf %[[V12]], %[[V12]] : f32
// CHECK-NEXT: %[[V14:.*]] = prec.round %[[V13]] : f32 to bf16
// CHECK-NEXT: %[[V15:.*]] = arith.extf %[[V14]] : bf16 to f32
// CHECK-NEXT: %[[V16:.*]] = arith.mulf %[[V10]], %[[V8]] : f32
// CHECK-NEXT: %[[V17:.*]] = prec.round %[[V16]] : f32 to bf16
// CHECK-NEXT: %[[V18:.*]] = arith.extf %[[V17]] : bf16 to f32
// CHECK-NEXT: %[[V19:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V20:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[V21:.*]] = arith.mulf %[[V20]], %[[V9]] : f32
// CHECK-NEXT: %[[V22:.*]] = arith.mulf %[[V18]], %[[V21]] : f32
// CHECK-NEXT: %[[V23:.*]] = arith.cmpf ole, %[[V9]], %[[V19]] : f32
// CHECK-NEXT: %[[V24:.*]] = arith.select %[[V23]], %[[V19]], %[[V22]] : f32
// CHECK-NEXT: %[[V25:.*]] = prec.round %[[V24]] : f32 to bf16
// CHECK-NEXT: %[[V26:.*]] = arith.extf %[[V25]] : bf16 to f32
// CHECK-NEXT: %[[V27:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V28:.*]] = arith.addf %[[V26]], %[[V27]] : f32
// CHECK-NEXT: %[[V29:.*]] = prec.round %[[V28]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V29]] : bf16
// CHECK: %[[T30:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[T2]], %[[T1]] : {{.*}} : tensor<?x4xbf16>)
// CHECK-NEXT: ^bb0(%[[V31:.*]]: bf16, %[[V32:.*]]: bf16, %[[V33:.*]]: bf16, %[[V34:.*]]: bf16):
// CHECK-NEXT: %[[V35:.*]] = arith.extf %[[V33]] : bf16 to f32
// CHECK-NEXT: %[[V36:.*]] = arith.extf %[[V32]] : bf16 to f32
// CHECK-NEXT: %[[V37:.*]] = arith.extf %[[V31]] : bf16 to f32
// CHECK-NEXT: %[[V38:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V39:.*]] = arith.maximumf %[[V36]], %[[V38]] : f32
// CHECK-NEXT: %[[V40:.*]] = arith.mulf %[[V39]], %[[V39]] : f32
// CHECK-NEXT: %[[V41:.*]] = prec.round %[[V40]] : f32 to bf16
// CHECK-NEXT: %[[V42:.*]] = arith.extf %[[V41]] : bf16 to f32
// CHECK-NEXT: %[[V43:.*]] = arith.mulf %[[V37]], %[[V42]] : f32
// CHECK-NEXT: %[[V44:.*]] = prec.round %[[V43]] : f32 to bf16
// CHECK-NEXT: %[[V45:.*]] = arith.extf %[[V44]] : bf16 to f32
// CHECK-NEXT: %[[V46:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V47:.*]] = arith.addf %[[V45]], %[[V46]] : f32
// CHECK-NEXT: %[[V48:.*]] = prec.round %[[V47]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[V48]] : bf16
// CHECK: %[[T49:.*]] = tensor.expand_shape %[[T3]] {{.*}} output_shape [%{{.*}}, 4, 1] : tensor<?x4xbf16> into tensor<?x4x1xbf16>
// CHECK: %[[T50:.*]] = tensor.expand_shape %[[T30]] {{.*}} output_shape [%{{.*}}, 4, 1] : tensor<?x4xbf16> into tensor<?x4x1xbf16>
// CHECK: %[[T51:.*]] = tensor.concat dim(2) %[[T49]], %[[T50]] : (tensor<?x4x1xbf16>, tensor<?x4x1xbf16>) -> tensor<?x4x2xbf16>
// CHECK: %[[T52:.*]] = tensor.collapse_shape %[[T51]] {{.*}} : tensor<?x4x2xbf16> into tensor<?x8xbf16>
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
