# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: concats.py COUNT   prints a function of so many concatenations, each of a tensor with the one before"""
import sys

count = int(sys.argv[1])
print("func.func @concats(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %r0 = arith.negf %x : tensor<?xf32>")
for i in range(count):
    print(f"  %r{i + 1} = tensor.concat dim(0) %x, %r{i} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>")
print(f"  return %r{count} : tensor<?xf32>\n}}")
