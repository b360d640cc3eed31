# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN ENGINE

Runs functions.mlir on all 65,536 inputs of bf16 and f16 and compares with numpy. A function
of numpy is computed in f64 and rounded to f32, which is its correct rounding for these inputs.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

binaries, engine = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
here = pathlib.Path(__file__).resolve().parent
f32 = np.float32
np.seterr(all="ignore")


def correctly_rounded(function, x):
    return function(x.astype(np.float64)).astype(f32)


def widen(bits, element):
    return bits.view(np.float16).astype(f32) if element == "f16" else (bits.astype(np.uint32) << 16).view(f32)


def narrow(x, element):
    if element == "f16":
        return x.astype(np.float16).view(np.uint16)
    bits = x.view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(x), 0x7FC0, rounded).astype(np.uint16)


def expectations(x, element):
    sqrt = np.sqrt(x)
    tanh = correctly_rounded(np.tanh, f32((2 / np.pi) ** 0.5) * (x + f32(0.044715) * ((x * x) * x)))
    scaled = x * f32(3)
    soft = correctly_rounded(np.log1p, correctly_rounded(np.exp, scaled)) / f32(3)
    return {
        "log": correctly_rounded(np.log, x),
        "sqrt": sqrt,
        "reciprocal": f32(1) / x,
        "gelu_tanh": (f32(0.5) * x) * (f32(1) + tanh),
        "rsqrt_of_rounded_sqrt": f32(1) / widen(narrow(sqrt, element), element),
        "rsqrt_function": correctly_rounded(lambda v: 1 / np.sqrt(v), x),
        "softplus_beta": np.where(scaled > 15, x, soft),
    }


patterns = np.arange(65536, dtype=np.uint16)
failed = 0
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    np.save(folder / "in.npy", patterns)
    for element in ("bf16", "f16"):
        program = folder / "functions.mlir"
        program.write_text((here / "functions.mlir").read_text().replace("TYPE", element))
        for function, expected in expectations(widen(patterns, element), element).items():
            np.save(folder / "expected.npy", narrow(expected, element))
            command = [binaries / "prec-run", program, f"--function={function}", f"--engine={engine}",
                       f"--in={folder / 'in.npy'}", f"--expect={folder / 'expected.npy'}"]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode != 0 or "65536 elements, 0 mismatches" not in result.stdout:
                print(f"{function} {element}: exit {result.returncode}\n{result.stdout}{result.stderr}")
                failed += 1
print(f"{failed} failed")
sys.exit(bool(failed))
