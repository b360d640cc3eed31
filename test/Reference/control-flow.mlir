// RUN: prec-run %s --function=loops --print | FileCheck %s --check-prefix=LOOPS
// RUN: prec-run %s --function=branches --print | FileCheck %s --check-prefix=BRANCHES
// RUN: prec-run %s --function=calls --print | FileCheck %s --check-prefix=CALLS
// RUN: prec-run %s --function=kernels --print | FileCheck %s --check-prefix=KERNELS

// A loop accumulates in the type of the text: 256 + 1 + 1 stays 256 in bf16.
// LOOPS: result0: BF16[] 0x4380
// LOOPS: result1: I32[] 64
// LOOPS: result2: I64[4] 0 1 4 9
// LOOPS: result3: I32[] 3
func.func @loops() -> (bf16, i32, tensor<4xi64>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 256.0 : bf16
  %one = arith.constant 1.0 : bf16
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %x) -> bf16 {
    %s = arith.addf %acc, %one : bf16
    scf.yield %s : bf16
  }
  // Powers of two until one is at least 50.
  %i1 = arith.constant 1 : i32
  %i50 = arith.constant 50 : i32
  %1 = scf.while (%a = %i1) : (i32) -> i32 {
    %more = arith.cmpi slt, %a, %i50 : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%a: i32):
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  %e = tensor.empty() : tensor<4xindex>
  %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %e) -> tensor<4xindex> {
    %sq = arith.muli %i, %i : index
    %u = tensor.insert %sq into %t[%i] : tensor<4xindex>
    scf.yield %u : tensor<4xindex>
  }
  // An i32 counter, and a value that every iteration reads.
  %i3 = arith.constant 3 : i32
  %i0 = arith.constant 0 : i32
  %step = arith.addi %i0, %i1 : i32
  %3 = scf.for %i = %i0 to %i3 step %i1 iter_args(%n = %i0) -> i32 : i32 {
    %m = arith.addi %n, %step : i32
    scf.yield %m : i32
  }
  %4 = arith.index_cast %2 : tensor<4xindex> to tensor<4xi64>
  return %0, %1, %4, %3 : bf16, i32, tensor<4xi64>, i32
}

// BRANCHES: result0: F16[] 0x4000
// BRANCHES: result1: I32[] 10
// BRANCHES: result2: F32[] 0x3f800000
func.func @branches() -> (f16, i32, f32) {
  %a = arith.constant 1.0 : f16
  %b = arith.constant 2.0 : f16
  %less = arith.cmpf olt, %b, %a : f16
  %0 = scf.if %less -> f16 {
    scf.yield %a : f16
  } else {
    scf.yield %b : f16
  }
  // An scf.if without results and without else.
  scf.if %less {
    cf.assert %less, "not reached"
  }
  // 4 + 3 + 2 + 1 by blocks.
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i4 = arith.constant 4 : i32
  cf.br ^loop(%i4, %i0 : i32, i32)
^loop(%n: i32, %sum: i32):
  %done = arith.cmpi eq, %n, %i0 : i32
  cf.cond_br %done, ^end(%sum : i32), ^body
^body:
  %s = arith.addi %sum, %n : i32
  %m = arith.subi %n, %i1 : i32
  cf.br ^loop(%m, %s : i32, i32)
^end(%total: i32):
  %one = arith.constant 1.0 : f32
  cf.cond_br %done, ^last(%one : f32), ^last(%one : f32)
^last(%x: f32):
  return %0, %total, %x : f16, i32, f32
}

// CALLS: result0: BF16[2] 0x4000 0x4080
// CALLS: result1: I32[] 120
func.func private @double(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = arith.addf %x, %x : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
func.func private @factorial(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %last = arith.cmpi sle, %n, %one : i32
  %r = scf.if %last -> i32 {
    scf.yield %one : i32
  } else {
    %m = arith.subi %n, %one : i32
    %f = func.call @factorial(%m) : (i32) -> i32
    %p = arith.muli %n, %f : i32
    scf.yield %p : i32
  }
  return %r : i32
}
func.func @calls() -> (tensor<2xbf16>, i32) {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %0 = call @double(%x) : (tensor<2xbf16>) -> tensor<2xbf16>
  %n = arith.constant 5 : i32
  %1 = call @factorial(%n) : (i32) -> i32
  return %0, %1 : tensor<2xbf16>, i32
}

// KERNELS: result0: BF16[2] 0x4000 0x4080
func.func @kernels() -> tensor<2xbf16> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %0 = prec.kernel "double" (%x) : (tensor<2xbf16>) -> tensor<2xbf16> {
  ^bb0(%a: tensor<2xbf16>):
    %w = arith.extf %a : tensor<2xbf16> to tensor<2xf32>
    %s = arith.addf %w, %w : tensor<2xf32>
    %o = prec.observe %s "sum" : tensor<2xf32>
    %r = prec.round %o : tensor<2xf32> to tensor<2xbf16>
    prec.yield %r : tensor<2xbf16>
  }
  %1 = prec.materialize %0 : tensor<2xbf16>
  return %1 : tensor<2xbf16>
}
