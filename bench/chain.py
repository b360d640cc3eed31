# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: chain.py N   prints a function of N dependent bf16 operations"""
import sys

n = int(sys.argv[1])
print("func.func @chain(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {")
last = "%x"
for i in range(n):
    op, operand = (("arith.mulf", "%y"), ("arith.addf", "%x"), ("arith.subf", "%y"))[i % 3]
    print(f"  %{i} = {op} {last}, {operand} : tensor<?xbf16>")
    last = f"%{i}"
print(f"  return {last} : tensor<?xbf16>\n}}")
