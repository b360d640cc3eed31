# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: chain.py COUNT   prints a function of so many operations, each on the result of the one before"""
import sys

count = int(sys.argv[1])
print("func.func @chain(%x: tensor<?xbf16>, %w: tensor<?xbf16>) -> tensor<?xbf16> {")
for i in range(count):
    operation = "addf" if i % 2 else "mulf"
    print(f"  %{i} = arith.{operation} {f'%{i - 1}' if i else '%x'}, %w : tensor<?xbf16>")
print(f"  return %{count - 1} : tensor<?xbf16>\n}}")
