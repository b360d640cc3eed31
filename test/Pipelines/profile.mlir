// Each pipeline applies a profile first.
// RUN: prec-opt %s --prec-to-ptx=profile=huggingface | FileCheck %s --check-prefix=TWO
// RUN: prec-opt %s --prec-to-ptx=profile=sglang | FileCheck %s --check-prefix=ONE
// RUN: prec-opt %s --prec-to-host=profile=torch_cpu > %t.cpu
// RUN: prec-opt %s --prec-to-host | diff %t.cpu -
// RUN: not prec-opt %s --prec-to-host=profile=torchcpu 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: unknown profile 'torchcpu'; did you mean 'torch_cpu'?

// silu's result is rounded, or it is not: what is rounded at once needs no correction of its quotient.
// TWO: llvm.nvvm.rcp.approx.ftz.f
// TWO-NOT: llvm.intr.fma
// TWO: f2bf16.rn
// ONE: llvm.nvvm.rcp.approx.ftz.f
// ONE-NOT: f2bf16.rn
// ONE: llvm.intr.fma
// ONE: f2bf16.rn
func.func @gate(%x: tensor<?x6xbf16>) -> tensor<?x3xbf16> {
  %0 = moe.activation silu %x layout halves : tensor<?x6xbf16> to tensor<?x3xbf16>
  return %0 : tensor<?x3xbf16>
}
