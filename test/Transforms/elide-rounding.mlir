// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: prec-opt %s -prec-elide-rounding="native-bf16 native-f16" -split-input-file | FileCheck %s
// RUN: prec-opt %s -prec-elide-rounding="contract=false" -split-input-file | FileCheck %s --check-prefix=PLAIN

// T1: a power of two has an exact reciprocal.
// CHECK-LABEL: func @divide_power
// CHECK-DAG: %[[Q:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-DAG: %[[M:.*]] = arith.constant -2.000000e+00 : f32
// CHECK-DAG: %[[D:.*]] = arith.constant 1.250000e-01 : f64
// CHECK-DAG: arith.mulf %{{.*}}, %[[Q]] : f32
// CHECK-DAG: arith.mulf %{{.*}}, %[[M]] : f32
// CHECK-DAG: arith.mulf %{{.*}}, %[[D]] : f64
func.func @divide_power(%x: f32, %z: f64) -> (f32, f32, f64) {
  %four = arith.constant 4.0 : f32
  %minus_half = arith.constant -0.5 : f32
  %eight = arith.constant 8.0 : f64
  %0 = arith.divf %x, %four : f32
  %1 = arith.divf %x, %minus_half : f32
  %2 = arith.divf %z, %eight : f64
  return %0, %1, %2 : f32, f32, f64
}

// -----

// The smallest number of f32 has no reciprocal in f32; 2^127 has a subnormal one.
// CHECK-LABEL: func @divide_extreme
// CHECK: arith.divf
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
func.func @divide_extreme(%x: f32) -> (f32, f32) {
  %least = arith.constant 1.40129846E-45 : f32
  %large = arith.constant 1.70141183E+38 : f32
  %0 = arith.divf %x, %least : f32
  %1 = arith.divf %x, %large : f32
  return %0, %1 : f32, f32
}

// -----

// T2: all 65,536 bf16 numbers, divided by 3, agree.
// CHECK-LABEL: func @divide_constant
// CHECK-NOT: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @divide_constant(%x: vector<8xbf16>) -> vector<8xbf16> {
  %three = arith.constant dense<3.0> : vector<8xf32>
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = arith.divf %0, %three : vector<8xf32>
  %2 = prec.round %1 : vector<8xf32> to vector<8xbf16>
  return %2 : vector<8xbf16>
}

// -----

// f16 numbers divided by the f32 number next to sqrt(128) do not.
// CHECK-LABEL: func @divide_constant_differs
// CHECK: arith.divf
func.func @divide_constant_differs(%x: f16) -> f16 {
  %c = arith.constant 11.3137083 : f32
  %0 = arith.extf %x : f16 to f32
  %1 = arith.divf %0, %c : f32
  %2 = prec.round %1 : f32 to f16
  return %2 : f16
}

// -----

// The quotient is used in f32 as well, or rounded otherwise.
// CHECK-LABEL: func @divide_constant_wide
// CHECK: arith.divf
// CHECK: arith.divf
func.func @divide_constant_wide(%x: bf16) -> (bf16, f32, bf16) {
  %three = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.divf %0, %three : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.divf %0, %five : f32
  %4 = prec.round %3 toward_zero : f32 to bf16
  return %2, %1, %4 : bf16, f32, bf16
}

// -----

// T3: |x| of a bf16 number is one; the rounding stays for the narrow value.
// PLAIN-LABEL: func @identity
// PLAIN: %[[X:.*]] = arith.extf
// PLAIN: %[[A:.*]] = math.absf %[[X]]
// PLAIN: prec.round %[[A]] upward
// PLAIN-NOT: arith.extf
// PLAIN: arith.addf %[[A]]
func.func @identity(%x: bf16, %y: f32) -> (bf16, f32) {
  %0 = arith.extf %x : bf16 to f32
  %1 = math.absf %0 : f32
  %2 = prec.round %1 upward : f32 to bf16
  %3 = arith.extf %2 : bf16 to f32
  %4 = arith.addf %3, %y : f32
  return %2, %4 : bf16, f32
}

// -----

// T3 by what the values are: an integer of 8 bits, half of one, a choice of those.
// PLAIN-LABEL: func @identity_integer
// PLAIN-NOT: prec.round
// PLAIN: return
func.func @identity_integer(%i: i8, %c: i1) -> f32 {
  %half = arith.constant 0.5 : f32
  %three = arith.constant 3.0 : f32
  %0 = arith.uitofp %i : i8 to f32
  %1 = arith.mulf %0, %half : f32
  %2 = arith.select %c, %1, %three : f32
  %3 = prec.round %2 : f32 to bf16
  %4 = arith.extf %3 : bf16 to f32
  return %4 : f32
}

// -----

// Not the identity: 16 bits; half of a subnormal bf16; infinity, when saturating;
// f16's bits are too many for f8E5M2.
// PLAIN-LABEL: func @no_identity
// PLAIN-COUNT-4: prec.round
func.func @no_identity(%i: i16, %x: bf16, %h: f16) -> (f32, f32, f32, f32) {
  %half = arith.constant 0.5 : f32
  %0 = arith.uitofp %i : i16 to f32
  %1 = prec.round %0 : f32 to bf16
  %2 = arith.extf %1 : bf16 to f32
  %3 = arith.extf %x : bf16 to f32
  %4 = arith.mulf %3, %half : f32
  %5 = prec.round %4 : f32 to bf16
  %6 = arith.extf %5 : bf16 to f32
  %7 = math.absf %3 : f32
  %8 = prec.round %7 saturate : f32 to bf16
  %9 = arith.extf %8 : bf16 to f32
  %10 = arith.extf %h : f16 to f32
  %11 = math.absf %10 : f32
  %12 = prec.round %11 : f32 to f8E5M2
  %13 = arith.extf %12 : f8E5M2 to f32
  return %2, %6, %9, %13 : f32, f32, f32, f32
}

// -----

// A loop that doubles its value grows past every format.
// PLAIN-LABEL: func @loop
// PLAIN: prec.round
func.func @loop(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> f32 {
    %2 = arith.addf %acc, %acc : f32
    scf.yield %2 : f32
  }
  %1 = prec.round %0 : f32 to f16
  %3 = arith.extf %1 : f16 to f32
  return %3 : f32
}

// -----

// One that chooses among constants does not.
// PLAIN-LABEL: func @loop_choice
// PLAIN-NOT: prec.round
// PLAIN: return
func.func @loop_choice(%n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> f32 {
    %2 = arith.select %c, %acc, %two : f32
    scf.yield %2 : f32
  }
  %1 = prec.round %0 : f32 to f16
  %3 = arith.extf %1 : f16 to f32
  return %3 : f32
}

// -----

// T4: R(x + R(h * c)), c the same for all lanes.
// CHECK-LABEL: func @native
// CHECK-SAME: (%[[X:.*]]: vector<8xbf16>, %[[H:.*]]: vector<8xbf16>, %[[C:.*]]: bf16)
// CHECK-NEXT: %[[B:.*]] = vector.broadcast %[[C]] : bf16 to vector<8xbf16>
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[H]], %[[B]] : vector<8xbf16>
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[X]], %[[M]] : vector<8xbf16>
// CHECK-NEXT: return %[[R]]
// PLAIN-LABEL: func @native
// PLAIN-COUNT-2: prec.round
func.func @native(%x: vector<8xbf16>, %h: vector<8xbf16>, %c: bf16) -> vector<8xbf16> {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = arith.extf %h : vector<8xbf16> to vector<8xf32>
  %2 = arith.extf %c : bf16 to f32
  %3 = vector.broadcast %2 : f32 to vector<8xf32>
  %4 = arith.mulf %1, %3 : vector<8xf32>
  %5 = prec.round %4 : vector<8xf32> to vector<8xbf16>
  %6 = arith.extf %5 : vector<8xbf16> to vector<8xf32>
  %7 = arith.addf %0, %6 : vector<8xf32>
  %8 = prec.round %7 : vector<8xf32> to vector<8xbf16>
  return %8 : vector<8xbf16>
}

// -----

// T4 with a constant of the format, T5, and T1 before it.
// CHECK-LABEL: func @native_constants
// CHECK-SAME: (%[[X:.*]]: f16)
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f16
// CHECK: %[[REST:.*]] = arith.subf %[[ONE]], %[[X]] : f16
// CHECK: %[[Q:.*]] = arith.constant 2.500000e-01 : f16
// CHECK: %[[P:.*]] = arith.mulf %[[REST]], %[[Q]] : f16
// CHECK-DAG: %[[N:.*]] = arith.negf %[[P]] : f16
// CHECK-DAG: %[[A:.*]] = math.absf %[[X]] : f16
// CHECK: %[[M:.*]] = arith.maximumf %[[A]], %[[N]] : f16
// CHECK: return %[[M]]
func.func @native_constants(%x: f16) -> f16 {
  %one = arith.constant 1.0 : f32
  %four = arith.constant 4.0 : f32
  %0 = arith.extf %x : f16 to f32
  %1 = arith.subf %one, %0 : f32
  %2 = prec.round %1 : f32 to f16
  %3 = arith.extf %2 : f16 to f32
  %4 = arith.divf %3, %four : f32
  %5 = prec.round %4 : f32 to f16
  %6 = arith.extf %5 : f16 to f32
  %7 = arith.negf %6 : f32
  %8 = math.absf %0 : f32
  %9 = arith.maximumf %8, %7 : f32
  %10 = prec.round %9 : f32 to f16
  return %10 : f16
}

// -----

// Not native: a constant that is no number of the format; operands of two formats;
// an f32 operand; a sum that is needed in f32 too; another mode; saturation; f64;
// fma, which would round once.
// CHECK-LABEL: func @not_native
// CHECK-COUNT-8: prec.round
// CHECK-NOT: arith.{{.*}} : bf16
// CHECK: return
func.func @not_native(%x: bf16, %h: f16, %y: f32) -> (bf16, bf16, bf16, bf16, f32, bf16, bf16, bf16, bf16) {
  %tenth = arith.constant 0.1 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.addf %0, %tenth : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.extf %h : f16 to f32
  %4 = arith.addf %0, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  %6 = arith.addf %0, %y : f32
  %7 = prec.round %6 : f32 to bf16
  %8 = arith.addf %0, %0 : f32
  %9 = prec.round %8 : f32 to bf16
  %10 = arith.mulf %0, %0 : f32
  %11 = prec.round %10 downward : f32 to bf16
  %12 = arith.subf %0, %0 : f32
  %13 = prec.round %12 saturate : f32 to bf16
  %14 = arith.extf %x : bf16 to f64
  %15 = arith.mulf %14, %14 : f64
  %16 = prec.round %15 : f64 to bf16
  %17 = math.fma %0, %0, %0 : f32
  %18 = prec.round %17 : f32 to bf16
  return %2, %5, %7, %9, %8, %11, %13, %16, %18 : bf16, bf16, bf16, bf16, f32, bf16, bf16, bf16, bf16
}

// -----

// T6: products of f16 numbers are exact.
// CHECK-LABEL: func @contract
// CHECK-SAME: (%[[A:.*]]: f16, %[[B:.*]]: f16, %[[C:.*]]: f32)
// CHECK-DAG: %[[X:.*]] = arith.extf %[[A]]
// CHECK-DAG: %[[Y:.*]] = arith.extf %[[B]]
// CHECK: %[[S:.*]] = math.fma %[[X]], %[[Y]], %[[C]] : f32
// CHECK: %[[NX:.*]] = arith.negf %[[X]]
// CHECK: %[[D:.*]] = math.fma %[[NX]], %[[Y]], %[[C]] : f32
// CHECK: %[[NC:.*]] = arith.negf %[[C]]
// CHECK: %[[E:.*]] = math.fma %[[X]], %[[Y]], %[[NC]] : f32
// CHECK: return %[[S]], %[[D]], %[[E]]
// PLAIN-LABEL: func @contract
// PLAIN-NOT: math.fma
func.func @contract(%a: f16, %b: f16, %c: f32) -> (f32, f32, f32) {
  %0 = arith.extf %a : f16 to f32
  %1 = arith.extf %b : f16 to f32
  %2 = arith.mulf %0, %1 : f32
  %3 = arith.addf %2, %c : f32
  %4 = arith.mulf %0, %1 : f32
  %5 = arith.subf %c, %4 : f32
  %6 = arith.mulf %0, %1 : f32
  %7 = arith.subf %6, %c : f32
  return %3, %5, %7 : f32, f32, f32
}

// -----

// Products of bf16 numbers may be too small for f32; a product of f32 numbers is
// rounded; one that is used twice is computed anyway. A quarter of a bf16 number is exact.
// CHECK-LABEL: func @no_contraction
// CHECK-NOT: math.fma
// CHECK: arith.addf
// CHECK-NOT: math.fma
// CHECK: arith.addf
// CHECK-NOT: math.fma
// CHECK: arith.addf
// CHECK: math.fma
// CHECK: return
func.func @no_contraction(%a: bf16, %b: bf16, %h: f16, %c: f32) -> (f32, f32, f32, f32, f32) {
  %quarter = arith.constant 0.25 : f32
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.extf %b : bf16 to f32
  %2 = arith.mulf %0, %1 : f32
  %3 = arith.addf %2, %c : f32
  %4 = arith.mulf %0, %c : f32
  %5 = arith.addf %c, %4 : f32
  %6 = arith.extf %h : f16 to f32
  %7 = arith.mulf %6, %6 : f32
  %8 = arith.addf %7, %c : f32
  %9 = arith.mulf %0, %quarter : f32
  %10 = arith.addf %9, %c : f32
  return %3, %5, %7, %8, %10 : f32, f32, f32, f32, f32
}

// -----

// A choice between a number and another one's negative, as in a rotation.
// CHECK-LABEL: func @choice
// CHECK: %[[IF:.*]] = scf.if {{.*}} -> (vector<8xf16>)
// CHECK: arith.negf %{{.*}} : vector<8xf16>
// CHECK: } else {
// CHECK: arith.mulf %[[IF]], %{{.*}} : vector<8xf16>
// PLAIN-LABEL: func @choice
// PLAIN: scf.if {{.*}} -> (vector<8xf32>)
func.func @choice(%c: i1, %x: vector<8xf16>, %y: vector<8xf16>, %s: vector<8xf16>) -> vector<8xf16> {
  %0 = scf.if %c -> (vector<8xf32>) {
    %1 = arith.extf %x : vector<8xf16> to vector<8xf32>
    %2 = arith.negf %1 : vector<8xf32>
    scf.yield %2 : vector<8xf32>
  } else {
    %3 = arith.extf %y : vector<8xf16> to vector<8xf32>
    scf.yield %3 : vector<8xf32>
  }
  %4 = arith.extf %s : vector<8xf16> to vector<8xf32>
  %5 = arith.mulf %0, %4 : vector<8xf32>
  %6 = prec.round %5 : vector<8xf32> to vector<8xf16>
  return %6 : vector<8xf16>
}

// -----

// One of two formats, or an f32 number, stays wide.
// CHECK-LABEL: func @choice_wide
// CHECK: scf.if {{.*}} -> (f32, f32)
func.func @choice_wide(%c: i1, %x: f16, %y: bf16, %z: f32) -> (f32, f32) {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.extf %y : bf16 to f32
  %2, %3 = scf.if %c -> (f32, f32) {
    scf.yield %0, %0 : f32, f32
  } else {
    scf.yield %1, %z : f32, f32
  }
  return %2, %3 : f32, f32
}

// -----

// Level R: tensors, and the bodies of linalg operations.
// CHECK-LABEL: func @tensors
// CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<?xbf16>
// CHECK: linalg.generic
// CHECK: arith.addf %{{.*}}, %{{.*}} : bf16
#map = affine_map<(d0) -> (d0)>
func.func @tensors(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = arith.extf %x : tensor<?xbf16> to tensor<?xf32>
  %1 = arith.extf %y : tensor<?xbf16> to tensor<?xf32>
  %2 = arith.mulf %0, %1 : tensor<?xf32>
  %3 = prec.round %2 : tensor<?xf32> to tensor<?xbf16>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%3 : tensor<?xbf16>) outs(%x : tensor<?xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %5 = arith.extf %in : bf16 to f32
    %6 = arith.addf %5, %5 : f32
    %7 = prec.round %6 : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<?xbf16>
  return %4 : tensor<?xbf16>
}
