// A router is one kernel, whatever it scores by and selects from: a row's experts are not read anew.
// RUN: prec-opt %s --prec-make-rounding-explicit --canonicalize --cse --prec-form-kernels | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK:         prec.kernel "softmax"{{.*}} -> (tensor<?x8xi32>, tensor<?x8xf32>) {
// CHECK-NOT:     prec.kernel
func.func @softmax(%l: tensor<?x128xbf16>) -> (tensor<?x8xf32>, tensor<?x8xi32>) {
  %w, %ids = moe.router %l softmax top_k 8 renormalize : tensor<?x128xbf16> to tensor<?x8xf32>, tensor<?x8xi32>
  return %w, %ids : tensor<?x8xf32>, tensor<?x8xi32>
}

// CHECK-LABEL: func @sigmoid
// CHECK:         prec.kernel "sigmoid"{{.*}} -> (tensor<?x6xi32>, tensor<?x6xf32>) {
// CHECK-NOT:     prec.kernel
func.func @sigmoid(%l: tensor<?x64xbf16>, %b: tensor<64xf32>) -> (tensor<?x6xf32>, tensor<?x6xi32>) {
  %w, %ids = moe.router %l bias(%b : tensor<64xf32>) sigmoid top_k 6 renormalize scale 2.5 : tensor<?x64xbf16> to tensor<?x6xf32>, tensor<?x6xi32>
  return %w, %ids : tensor<?x6xf32>, tensor<?x6xi32>
}

// DeepSeek V3: each group's two best, then groups, then experts.
// CHECK-LABEL: func @groups
// CHECK:         prec.kernel "groups"{{.*}} -> (tensor<?x8xi32>, tensor<?x8xf32>) {
// CHECK-NOT:     prec.kernel
func.func @groups(%l: tensor<?x256xf32>, %b: tensor<256xf32>) -> (tensor<?x8xf32>, tensor<?x8xi32>) {
  %w, %ids = moe.router %l bias(%b : tensor<256xf32>) sigmoid top_k 8 renormalize epsilon 1.0e-20 scale 2.5 groups 8 top_groups 4 group_score top2_sum
               : tensor<?x256xf32> to tensor<?x8xf32>, tensor<?x8xi32>
  return %w, %ids : tensor<?x8xf32>, tensor<?x8xi32>
}

// CHECK-LABEL: func @softmax_of_top
// CHECK:         prec.kernel "softmax_of_top"{{.*}} -> (tensor<?x4xi32>, tensor<?x4xbf16>) {
// CHECK-NOT:     prec.kernel
func.func @softmax_of_top(%l: tensor<?x32xbf16>) -> (tensor<?x4xbf16>, tensor<?x4xi32>) {
  %w, %ids = moe.router %l softmax_of_top top_k 4 : tensor<?x32xbf16> to tensor<?x4xbf16>, tensor<?x4xi32>
  return %w, %ids : tensor<?x4xbf16>, tensor<?x4xi32>
}

// CHECK-LABEL: func @dynamic
// CHECK:         prec.kernel "dynamic"{{.*}} -> (tensor<?x2xi64>, tensor<?x2xf16>) {
// CHECK-NOT:     prec.kernel
func.func @dynamic(%l: tensor<?x?xf16>) -> (tensor<?x2xf16>, tensor<?x2xi64>) {
  %w, %ids = moe.router %l softmax top_k 2 renormalize : tensor<?x?xf16> to tensor<?x2xf16>, tensor<?x2xi64>
  return %w, %ids : tensor<?x2xf16>, tensor<?x2xi64>
}
