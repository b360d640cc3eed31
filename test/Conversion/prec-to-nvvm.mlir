// RUN: prec-opt %s -convert-prec-to-nvvm=sm=80 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: prec-opt %s -convert-prec-to-nvvm=sm=90 | FileCheck %s --check-prefixes=CHECK,SM90

// Two elements an instruction; the first operand is the upper half.
// CHECK-LABEL: func @pairs
// CHECK-SAME: (%[[X:.+]]: vector<4xf32>)
// CHECK-DAG: %[[E0:.+]] = vector.extract %[[X]][0]
// CHECK-DAG: %[[E1:.+]] = vector.extract %[[X]][1]
// CHECK-DAG: %[[E2:.+]] = vector.extract %[[X]][2]
// CHECK-DAG: %[[E3:.+]] = vector.extract %[[X]][3]
// CHECK: %[[P0:.+]] = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%[[E1]], %[[E0]]) : (f32, f32) -> vector<2xbf16>
// CHECK: %[[W0:.+]] = llvm.bitcast %[[P0]] : vector<2xbf16> to i32
// CHECK: %[[P1:.+]] = llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%[[E3]], %[[E2]]) : (f32, f32) -> vector<2xbf16>
// CHECK: %[[W1:.+]] = llvm.bitcast %[[P1]] : vector<2xbf16> to i32
// CHECK: %[[WORDS:.+]] = vector.from_elements %[[W0]], %[[W1]] : vector<2xi32>
// CHECK: %[[R:.+]] = vector.bitcast %[[WORDS]] : vector<2xi32> to vector<4xbf16>
// CHECK: return %[[R]]
func.func @pairs(%x: vector<4xf32>) -> vector<4xbf16> {
  %0 = prec.round %x : vector<4xf32> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// CHECK-LABEL: func @scalars
// CHECK: llvm.call_intrinsic "llvm.nvvm.f2bf16.rn"(%{{.+}}) : (f32) -> bf16
// CHECK: llvm.call_intrinsic "llvm.nvvm.f2bf16.rz"(%{{.+}}) : (f32) -> bf16
// CHECK: llvm.call_intrinsic "llvm.nvvm.f2f16.rn"(%{{.+}}) : (f32) -> f16
// CHECK: llvm.call_intrinsic "llvm.nvvm.f2f16.rz"(%{{.+}}) : (f32) -> f16
// CHECK: llvm.call_intrinsic "llvm.nvvm.d2f.rn"(%{{.+}}) : (f64) -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.d2f.rp"(%{{.+}}) : (f64) -> f32
func.func @scalars(%x: f32, %d: f64) -> (bf16, bf16, f16, f16, f32, f32) {
  %0 = prec.round %x : f32 to bf16
  %1 = prec.round %x toward_zero : f32 to bf16
  %2 = prec.round %x : f32 to f16
  %3 = prec.round %x toward_zero : f32 to f16
  %4 = prec.round %d : f64 to f32
  %5 = prec.round %d upward : f64 to f32
  return %0, %1, %2, %3, %4, %5 : bf16, bf16, f16, f16, f32, f32
}

// The flushing forms, an element at a time.
// CHECK-LABEL: func @approximations
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%{{.+}}) : (f32) -> f32
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%{{.+}}) : (f32) -> f32
func.func @approximations(%x: f32, %v: vector<2xf32>) -> (f32, vector<2xf32>) {
  %0 = prec.approximate exp2 %x : f32
  %1 = prec.approximate reciprocal %v : vector<2xf32>
  return %0, %1 : f32, vector<2xf32>
}

// An odd length rounds its last element twice and keeps it once.
// CHECK-LABEL: func @odd
// CHECK-SAME: (%[[X:.+]]: vector<3xf32>
// CHECK: %[[E2:.+]] = vector.extract %[[X]][2]
// CHECK: llvm.nvvm.ff2f16x2.rz
// CHECK: "llvm.nvvm.ff2f16x2.rz"(%[[E2]], %[[E2]])
// CHECK: vector.extract_strided_slice %{{.+}} {offsets = [0], sizes = [3], strides = [1]} : vector<4xf16> to vector<3xf16>
// CHECK: llvm.nvvm.d2f.rm
// CHECK: vector.from_elements %{{.+}} : vector<1xf32>
func.func @odd(%x: vector<3xf32>, %d: vector<1xf64>) -> (vector<3xf16>, vector<1xf32>) {
  %0 = prec.round %x toward_zero : vector<3xf32> to vector<3xf16>
  %1 = prec.round %d downward : vector<1xf64> to vector<1xf32>
  return %0, %1 : vector<3xf16>, vector<1xf32>
}

// The 8-bit instructions saturate, and come with sm_89.
// CHECK-LABEL: func @eight_bits
// SM80-NOT: llvm.nvvm
// SM90: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%{{.+}}, %{{.+}}) : (f32, f32) -> i16
// SM90: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%{{.+}}, %{{.+}}) : (f32, f32) -> i16
// SM90: vector.bitcast %{{.+}} : vector<2xi16> to vector<4xf8E4M3FN>
// SM90: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"
// SM90: arith.trunci %{{.+}} : i16 to i8
// SM90: arith.bitcast %{{.+}} : i8 to f8E5M2
// CHECK: return
func.func @eight_bits(%x: vector<4xf32>, %y: f32) -> (vector<4xf8E4M3FN>, f8E5M2) {
  %0 = prec.round %x saturate : vector<4xf32> to vector<4xf8E4M3FN>
  %1 = prec.round %y saturate : f32 to f8E5M2
  return %0, %1 : vector<4xf8E4M3FN>, f8E5M2
}

// What PTX has no instruction for is done by integers.
// CHECK-LABEL: func @integers
// CHECK-NOT: llvm.nvvm
// CHECK: return
func.func @integers(%x: f32, %d: f64, %v: vector<2x2xf32>) -> (bf16, f16, bf16, f16, f8E4M3FN, f32, vector<2x2xbf16>) {
  %0 = prec.round %x nearest_away : f32 to bf16
  %1 = prec.round %x upward : f32 to f16
  %2 = prec.round %d : f64 to bf16
  %3 = prec.round %x saturate : f32 to f16
  %4 = prec.round %x : f32 to f8E4M3FN
  %5 = prec.round %d nearest_away : f64 to f32
  %6 = prec.round %v : vector<2x2xf32> to vector<2x2xbf16>
  return %0, %1, %2, %3, %4, %5, %6 : bf16, f16, bf16, f16, f8E4M3FN, f32, vector<2x2xbf16>
}

// bf16 widens by a shift and a mask for each pair, f16 by its instruction.
// CHECK-LABEL: func @widen
// CHECK-SAME: (%[[X:.+]]: vector<4xbf16>
// CHECK: %[[WORDS:.+]] = vector.bitcast %[[X]] : vector<4xbf16> to vector<2xi32>
// CHECK: %[[LOW:.+]] = arith.shli %[[WORDS]]
// CHECK: %[[HIGH:.+]] = arith.andi %[[WORDS]]
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 1, 3] : vector<2xi32>, vector<2xi32>
// CHECK: arith.extf %{{.+}} : vector<4xf16> to vector<4xf32>
// CHECK: arith.extui %{{.+}} : i16 to i32
// CHECK: arith.extui %{{.+}} : i8 to i32
func.func @widen(%x: vector<4xbf16>, %h: vector<4xf16>, %s: bf16, %e: f8E5M2) -> (vector<4xf32>, vector<4xf32>, f32, f32) {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = arith.extf %h : vector<4xf16> to vector<4xf32>
  %2 = arith.extf %s : bf16 to f32
  %3 = arith.extf %e : f8E5M2 to f32
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, f32, f32
}

// bf16 arithmetic, scalar and packed: native on sm_90, each one fma before.
// CHECK-LABEL: func @arithmetic
// CHECK-SAME: (%[[X:.+]]: vector<2xbf16>, %[[Y:.+]]: vector<2xbf16>, %[[S:.+]]: bf16, %[[H:.+]]: vector<2xf16>)
// SM80: %[[ZERO:.+]] = arith.constant dense<-0.000000e+00> : vector<2xbf16>
// SM80: math.fma %[[X]], %[[Y]], %[[ZERO]] : vector<2xbf16>
// SM80: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : vector<2xbf16>
// SM80: math.fma %[[X]], %[[ONE]], %[[Y]] : vector<2xbf16>
// SM80: %[[MINUS:.+]] = arith.constant dense<-1.000000e+00> : vector<2xbf16>
// SM80: math.fma %[[Y]], %[[MINUS]], %[[X]] : vector<2xbf16>
// SM80: %[[SCALAR:.+]] = arith.constant -0.000000e+00 : bf16
// SM80: math.fma %[[S]], %[[S]], %[[SCALAR]] : bf16
// SM90: arith.mulf %[[X]], %[[Y]] : vector<2xbf16>
// SM90: arith.addf %[[X]], %[[Y]] : vector<2xbf16>
// SM90: arith.subf %[[X]], %[[Y]] : vector<2xbf16>
// SM90: arith.mulf %[[S]], %[[S]] : bf16
// CHECK: arith.mulf %[[H]], %[[H]] : vector<2xf16>
func.func @arithmetic(%x: vector<2xbf16>, %y: vector<2xbf16>, %s: bf16, %h: vector<2xf16>)
    -> (vector<2xbf16>, vector<2xbf16>, vector<2xbf16>, bf16, vector<2xf16>) {
  %0 = arith.mulf %x, %y : vector<2xbf16>
  %1 = arith.addf %x, %y : vector<2xbf16>
  %2 = arith.subf %x, %y : vector<2xbf16>
  %3 = arith.mulf %s, %s : bf16
  %4 = arith.mulf %h, %h : vector<2xf16>
  return %0, %1, %2, %3, %4 : vector<2xbf16>, vector<2xbf16>, vector<2xbf16>, bf16, vector<2xf16>
}

// The lesser magnitude with the sign is one instruction for two elements; a
// fourth element fills up three.
// CHECK-LABEL: func @limit
// CHECK-SAME: (%[[X:.+]]: vector<3xbf16>
// SM90: %[[P0:.+]] = vector.from_elements %[[E0:.+]], %[[E1:.+]] : vector<2xbf16>
// SM90: llvm.call_intrinsic "llvm.nvvm.fmin.xorsign.abs.bf16x2"(%[[P0]], %{{.+}})
// SM90: %[[P1:.+]] = vector.from_elements %[[E2:.+]], %[[E2]] : vector<2xbf16>
// SM90: llvm.call_intrinsic "llvm.nvvm.fmin.xorsign.abs.bf16x2"(%[[P1]], %{{.+}})
// SM90: llvm.call_intrinsic "llvm.nvvm.fmin.xorsign.abs.f16"(%{{.+}}, %{{.+}}) : (f16, f16) -> f16
// SM80: math.copysign
// SM80: math.copysign
func.func @limit(%x: vector<3xbf16>, %h: f16) -> (vector<3xbf16>, f16) {
  %most = arith.constant dense<90.0> : vector<3xbf16>
  %0 = math.absf %x : vector<3xbf16>
  %1 = arith.minnumf %0, %most : vector<3xbf16>
  %2 = math.copysign %1, %x : vector<3xbf16>
  %m = arith.constant 90.0 : f16
  %3 = math.absf %h : f16
  %4 = arith.minnumf %3, %m : f16
  %5 = math.copysign %4, %h : f16
  return %2, %5 : vector<3xbf16>, f16
}

// What changes the upper half of 64 bits only is computed there.
// CHECK-LABEL: func @upper_half
// CHECK-SAME: (%[[X:.+]]: i64, %[[Y:.+]]: i64)
// CHECK-NOT: arith.addi %{{.+}} : i64
// CHECK: %[[LOW:.+]] = llvm.extractelement
// CHECK: %[[MOVED:.+]] = arith.shli %[[LOW]], %{{.+}} : i32
// CHECK: %[[SUM:.+]] = arith.addi %{{.+}}, %[[MOVED]] : i32
// CHECK: llvm.insertelement %[[SUM]]
// CHECK: arith.addi %{{.+}} : i64
func.func @upper_half(%x: i64, %y: i64) -> (i64, i64) {
  %c52 = arith.constant 52 : i64
  %c31 = arith.constant 31 : i64
  %0 = arith.shli %y, %c52 : i64
  %1 = arith.addi %x, %0 : i64
  %2 = arith.shli %y, %c31 : i64
  %3 = arith.addi %x, %2 : i64
  return %1, %3 : i64, i64
}

// bf16 to f64 is one conversion from sm_90 on.
// CHECK-LABEL: func @widen_to_f64
// SM90: llvm.fpext %{{.+}} : vector<2xbf16> to vector<2xf64>
// SM80: arith.extf %{{.+}} : vector<2xf32> to vector<2xf64>
func.func @widen_to_f64(%x: vector<2xbf16>) -> vector<2xf64> {
  %0 = arith.extf %x : vector<2xbf16> to vector<2xf64>
  return %0 : vector<2xf64>
}
