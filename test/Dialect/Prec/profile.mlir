// RUN: prec-opt %s | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// Nothing below the model level asks for a profile.
// RUN: prec-opt %s --prec-make-rounding-explicit | FileCheck %s --check-prefix=EXPLICIT
// EXPLICIT-NOT: prec.profile

// CHECK: prec.profile @empty {
// CHECK-NEXT: }
prec.profile @empty {
}

// CHECK: prec.profile @base "All there is to say" {
prec.profile @base "All there is to say" {
  // CHECK-NEXT: prec.rule "nn.mean" {divide = #nn<divide reciprocal>}
  prec.rule "nn.mean" {divide = #nn<divide reciprocal>}
  // CHECK-NEXT: prec.rule "nn.mean" along rows {accumulate = #nn<accumulate f64>, order = #prec.order<lanes<8>>}
  prec.rule "nn.mean" along rows {order = #prec.order<lanes<8>>, accumulate = #nn<accumulate f64>}
  // CHECK-NEXT: prec.rule "nn.mean" along columns {order = #prec.order<sequential>}
  prec.rule "nn.mean" along columns {order = #prec.order<sequential>}
  // CHECK-NEXT: prec.rule "nn.rms_norm" for [bf16, f16] where {one_plus = false} {points = {normalized = true}, rstd = #nn<rsqrt_rule rsqrt>}
  prec.rule "nn.rms_norm" for [bf16, f16] where {one_plus = false} {points = {normalized = true}, rstd = #nn<rsqrt_rule rsqrt>}
  // CHECK-NEXT: prec.rule "nn.gelu" where {approximate = #nn<approximation tanh>} {math = #prec.math<libdevice>}
  prec.rule "nn.gelu" where {approximate = #nn<approximation tanh>} {math = #prec.math<libdevice>}
  // CHECK-NEXT: prec.rule "moe.combine" where {weights = true} {points = {accumulate = false}}
  prec.rule "moe.combine" where {weights = true} {points = {accumulate = false}}
}

// CHECK: prec.profile @derived extends @base attributes {note = "kept"} {
prec.profile @derived extends @base attributes {note = "kept"} {
}

// A base may be installed instead.
// CHECK: prec.profile @mine extends @vllm {
prec.profile @mine extends @vllm {
}
