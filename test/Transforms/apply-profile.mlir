// Every kind of rule, what overrides what, and that applying twice changes nothing.
// RUN: prec-opt %s --prec-apply-profile=profile=mine > %t.once
// RUN: FileCheck %s < %t.once
// RUN: prec-opt %t.once --prec-apply-profile=profile=mine | diff %t.once -
// With force also what operations say.
// RUN: prec-opt %s "--prec-apply-profile=profile=mine force" | FileCheck %s --check-prefix=FORCE
// What a profile has written, a second one finds said.
// RUN: prec-opt %t.once --prec-apply-profile=profile=other | diff %t.once -
// The profile of a file, which extends an installed one.
// RUN: prec-opt %s --prec-apply-profile=profile=%S/Inputs/house.mlir | FileCheck %s --check-prefix=HOUSE
// An installed one, and one from a folder of the user's.
// RUN: prec-opt %s --prec-apply-profile=profile=huggingface | FileCheck %s --check-prefix=HF
// RUN: env PREC_PROFILE_PATH=%S/nowhere:%S/Inputs prec-opt %s --prec-apply-profile=profile=house | FileCheck %s --check-prefix=HOUSE

prec.profile @base {
  prec.rule "nn.mean" {divide = #nn<divide reciprocal>, points = {sum = true}}
  prec.rule "nn.rms_norm" {rstd = #nn<rsqrt_rule rsqrt>, points = {square = true, normalized = true}}
  prec.rule "nn.gelu" where {approximate = #nn<approximation tanh>} {math = #prec.math<fast>}
  prec.rule "nn.softmax" {points = {sum = true}}
}
prec.profile @mine extends @base {
  // Later rules override setting by setting and point by point.
  prec.rule "nn.mean" {accumulate = #nn<accumulate f64>, points = {sum = false}}
  prec.rule "nn.mean" along rows {order = #prec.order<lanes<8>>}
  prec.rule "nn.mean" along columns {order = #prec.order<sequential>}
  prec.rule "nn.rms_norm" where {one_plus = true} {points = {normalized = false}}
  prec.rule "nn.softmax" for [f16] {points = {exponential = true}}
  prec.rule "nn.softmax" for [bf16, f16] {points = {shifted = true}}
  prec.rule "moe.combine" where {weights = true} {points = {term = false}}
  prec.rule "moe.combine" where {weights = false} {points = {bias = false}}
}
prec.profile @other {
  prec.rule "nn.mean" {divide = #nn<divide quotient>, points = {sum = true}}
}

// CHECK-LABEL: func @rules
// FORCE-LABEL: func @rules
// HOUSE-LABEL: func @rules
// HF-LABEL: func @rules
func.func @rules(%x: tensor<4x8xbf16>, %h: tensor<4x8xf16>, %w: tensor<8xbf16>) ->
    (tensor<4xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xf16>, tensor<4x8xbf16>, tensor<4x8xbf16>) {
  // CHECK-NEXT: nn.mean %{{.*}} dim 1 divide reciprocal order <lanes<8>> accumulate f64 points {sum = false}
  // HOUSE-NEXT: nn.mean %{{.*}} dim 1 divide quotient order <digits
  // HF-NEXT: nn.mean %{{.*}} dim 1 divide reciprocal order <digits [4, 32, *]
  %0 = nn.mean %x dim 1 : tensor<4x8xbf16> to tensor<4xbf16>
  // CHECK-NEXT: nn.mean %{{.*}} dim 0 divide reciprocal order <sequential> accumulate f64 points {sum = false}
  %1 = nn.mean %x dim 0 : tensor<4x8xbf16> to tensor<8xbf16>
  // CHECK-NEXT: nn.rms_norm %{{.*}} weight({{.*}}) rstd rsqrt points {normalized = true, square = true}
  // HOUSE: nn.rms_norm %{{.*}} weight({{.*}}) rstd rsqrt {{.*}} points {eps = true, normalized = true}
  // HF: nn.rms_norm %{{.*}} weight({{.*}}) rstd rsqrt divide reciprocal order <{{.*}} from_zero> accumulate f32 points {eps = false, normalized = true}
  %2 = nn.rms_norm %x weight(%w : tensor<8xbf16>) : tensor<4x8xbf16> to tensor<4x8xbf16>
  // CHECK-NEXT: nn.rms_norm %{{.*}} one_plus rstd rsqrt points {normalized = false, square = true}
  // HF-NEXT: nn.rms_norm %{{.*}} one_plus {{.*}} points {eps = false, normalized = false}
  %3 = nn.rms_norm %x weight(%w : tensor<8xbf16>) one_plus : tensor<4x8xbf16> to tensor<4x8xbf16>
  // CHECK-NEXT: nn.softmax %{{.*}} dim 1 points {exponential = true, shifted = true, sum = true} : tensor<4x8xf16>
  %4 = nn.softmax %h dim 1 : tensor<4x8xf16> to tensor<4x8xf16>
  // CHECK-NEXT: nn.softmax %{{.*}} dim 1 points {shifted = true, sum = true} : tensor<4x8xbf16>
  %5 = nn.softmax %x dim 1 : tensor<4x8xbf16> to tensor<4x8xbf16>
  // CHECK-NEXT: nn.gelu %{{.*}} : tensor
  %6 = nn.gelu %x : tensor<4x8xbf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xbf16>, tensor<8xbf16>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xf16>, tensor<4x8xbf16>, tensor<4x8xbf16>
}

// Whether an operand is there.
// CHECK-LABEL: func @operands
func.func @operands(%z: tensor<4x2x8xbf16>, %w: tensor<4x2xf32>) -> (tensor<4x8xbf16>, tensor<4x8xbf16>) {
  // CHECK-NEXT: moe.combine %{{.*}} weights({{.*}}) points {term = false}
  %0 = moe.combine %z weights(%w : tensor<4x2xf32>) : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  // CHECK-NEXT: moe.combine %{{[a-z0-9]*}} points {bias = false}
  %1 = moe.combine %z : tensor<4x2x8xbf16> to tensor<4x8xbf16>
  return %0, %1 : tensor<4x8xbf16>, tensor<4x8xbf16>
}

// What an operation says stays, also where it says its default.
// CHECK-LABEL: func @said
// FORCE-LABEL: func @said
func.func @said(%x: tensor<4x8xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4x8xbf16>) {
  // CHECK-NEXT: nn.mean %{{.*}} dim 1 divide quotient order <lanes<8>> accumulate f64 points {sum = false}
  // FORCE-NEXT: nn.mean %{{.*}} dim 1 divide reciprocal order <lanes<8>> accumulate f64 points {sum = false}
  %0 = nn.mean %x dim 1 divide quotient : tensor<4x8xbf16> to tensor<4xbf16>
  // CHECK-NEXT: nn.mean %{{.*}} dim 1 divide reciprocal order <sequential> accumulate f32 points {sum = true}
  // FORCE-NEXT: nn.mean %{{.*}} dim 1 divide reciprocal order <lanes<8>> accumulate f64 points {sum = false}
  %1 = nn.mean %x dim 1 order <sequential> accumulate f32 points {sum = true} : tensor<4x8xbf16> to tensor<4xbf16>
  // CHECK-NEXT: nn.gelu %{{.*}} approximate tanh math <correctly_rounded>
  // FORCE-NEXT: nn.gelu %{{.*}} approximate tanh math <fast>
  %2 = nn.gelu %x approximate tanh math <correctly_rounded> : tensor<4x8xbf16>
  return %0, %1, %2 : tensor<4xbf16>, tensor<4xbf16>, tensor<4x8xbf16>
}

// In a body there is one element, but points and rules of a whole operation are
// set wherever it stands.
// CHECK-LABEL: func @nested
func.func @nested(%x: tensor<4x8xbf16>, %c: i1) -> tensor<4xbf16> {
  %0 = scf.if %c -> tensor<4xbf16> {
    // CHECK: nn.mean %{{.*}} dim 1 divide reciprocal
    %1 = nn.mean %x dim 1 : tensor<4x8xbf16> to tensor<4xbf16>
    scf.yield %1 : tensor<4xbf16>
  } else {
    %2 = nn.sum %x dim 1 : tensor<4x8xbf16> to tensor<4xbf16>
    scf.yield %2 : tensor<4xbf16>
  }
  return %0 : tensor<4xbf16>
}
