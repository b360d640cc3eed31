// RUN: prec-opt %s -convert-prec-to-nvvm -split-input-file -verify-diagnostics

func.func @remainder(%x: f32) -> f32 {
  // expected-error @below {{'arith.remf' op has no exact form on GPUs}}
  %0 = arith.remf %x, %x : f32
  return %0 : f32
}

// -----

func.func @waits() {
  // expected-error @below {{dependent launches need sm_90 or newer but the target is sm_80}}
  nvvm.griddepcontrol wait
  return
}
