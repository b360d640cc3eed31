// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prec.profile @vllm_pre_46643 extends @vllm "vLLM before pull request 46643 (June 2026)" {
  // a = R(a + R(z * p)), for 2 to 4 slots; for other numbers of them @vllm.
  prec.rule "moe.combine" {points = {accumulate = true}}
}
