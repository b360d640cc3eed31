// RUN: not prec-opt %s --prec-apply-profile 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: apply-profile-errors.mlir:{{.*}}: error: expected a profile: its name or its file
// RUN: not prec-opt %s --prec-apply-profile=profile=sgleng 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: apply-profile-errors.mlir:{{.*}}: error: unknown profile 'sgleng'; did you mean 'sglang'?
// RUN: not prec-opt %s --prec-apply-profile=profile=onnxruntime 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: unknown profile 'onnxruntime' (there are: huggingface, megatron, megatron_compiled, radixark_fp32, sglang, torch_cpu, torch_cuda, vllm, vllm_pre_46643)
// RUN: not prec-opt %s --prec-apply-profile=profile=%S/Inputs/nowhere.mlir 2>&1 | FileCheck %s --check-prefix=UNREADABLE
// UNREADABLE: apply-profile-errors.mlir:{{.*}}: error: cannot read a profile: cannot open input file '{{.*}}nowhere.mlir': No such file or directory
// RUN: not prec-opt %s --prec-apply-profile=profile=%S/Inputs/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: expected one profile that no other extends in '{{.*}}two.mlir' but got 'one', 'two'
// RUN: not prec-opt %s --prec-apply-profile=profile=%s 2>&1 | FileCheck %s --check-prefix=NOPROFILE
// NOPROFILE: error: expected one profile that no other extends in '{{.*}}apply-profile-errors.mlir' but got none
// RUN: not prec-opt %s --prec-apply-profile=profile=%S/Inputs/cycle.mlir 2>&1 | FileCheck %s --check-prefix=CYCLE
// CYCLE: cycle.mlir:5:1: error: profile 'right' extends 'left', which extends it
// RUN: not prec-opt %s --prec-apply-profile=profile=%S/Inputs/typo.mlir 2>&1 | FileCheck %s --check-prefix=TYPO
// TYPO: typo.mlir:2:3: error: 'prec.rule' op expected a rounding point (sum, result) but got 'summ'; did you mean 'sum'?
// TYPO-NEXT: prec.rule "nn.mean" {points = {summ = true}}
// TYPO-NOT: error:
// RUN: not prec-opt %s --prec-apply-profile=profile=%S/Inputs/base-typo.mlir 2>&1 | FileCheck %s --check-prefix=BASE
// BASE: base-typo.mlir:1:1: error: unknown profile 'vlm'; did you mean 'vllm'?
// RUN: not prec-opt %s --prec-apply-profile=profile=%S/Inputs/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.mlir:{{.*}}: error: expected
// BROKEN-NOT: error:
// A file of the name without the profile of the name.
// RUN: env PREC_PROFILE_PATH=%S/Inputs not prec-opt %s --prec-apply-profile=profile=cycle 2>&1 | FileCheck %s --check-prefix=STEM
// STEM: cycle.mlir:{{.*}}: error: expected the profile 'cycle' in this file
// A profile that contradicts what an operation says.
// RUN: not prec-opt %s --prec-apply-profile=profile=torch_cuda 2>&1 | FileCheck %s --check-prefix=CONTRADICTION
// CONTRADICTION: apply-profile-errors.mlir:[[@LINE+4]]:{{.*}}: error: 'nn.rsqrt' op rounding point 'sqrt' needs rule one_over_sqrt
// CONTRADICTION: note: with what profile 'torch_cuda' says

func.func @f(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = nn.rsqrt %x points {sqrt = true} : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
