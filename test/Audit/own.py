# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: own.py BIN ROOT WORK

Compiles the gated residual, the moe operations and functions and audits what
comes out: every output must be proven, in less than 5 s of processor time each.
"""
import pathlib
import resource
import subprocess
import sys

import numpy

tools, root, work = map(pathlib.Path, sys.argv[1:4])
work.mkdir(parents=True, exist_ok=True)
RESIDUAL = {
    "normalize": {"x": "1x4x2560", "w": "4x2560"},
    "mix_elementwise": {"d": "3x640"},
    "mix_and_reduce": {"u": "1x4x2560", "xn": "1x4x2560"},
    "write_back": {"x": "1x4x2560", "h": "1x2560", "i": "1x4"},
}
ACTIVATION = {
    "eager": {"x": "3x128", "p": "3"},
    "narrow_probability": {"x": "3x128", "p": "3"},
    "promoted": {"x": "3x128", "p": "3"},
    "transformer_engine": {"x": "3x128", "p": "3"},
    "one_rounding": {"x": "3x128"},
    "clamped": {"x": "3x128"},
    "gelu": {"x": "3x128"},
    "relu_squared": {"x": "3x64", "p": "3"},
}
FUNCTIONS = {
    "sigmoid": "nn.sigmoid %x", "silu": "nn.silu %x", "tanh": "nn.tanh %x", "exp": "nn.exp %x",
    "softplus": "nn.softplus %x", "exp2": "math.exp2 %x",
}
# Of f32 numbers: in f64, and in pairs of f32 where that is slow.
WIDE = {
    "exp": "math.exp %x : tensor<?x8xf32>", "tanh": "math.tanh %x : tensor<?x8xf32>",
    "rsqrt": "math.rsqrt %x : tensor<?x8xf32>", "softmax": "nn.softmax %x dim 1 : tensor<?x8xf32> to tensor<?x8xf32>",
}


def combine(slots):
    """Functions and their inputs: a shape, or integers. Of the row indices some are dropped."""
    each, random = f"3x{slots}", numpy.random.default_rng(slots)
    ids = random.integers(0, 16, (3, slots), numpy.int32)
    rows = random.integers(-1, 5, (3, slots), numpy.int32)
    rows[1, :2] = [-1, 5]
    return {
        "rounded_sums": {"z": f"{each}x64", "w": each, "ids": ids},
        "rounded_terms": {"z": f"{each}x64", "w": each},
        "promoted_sum": {"z": f"{each}x64", "w": each},
        "rows": {"z": "5x64", "w": each, "i": rows, "s": "3x64", "l": "3x1"},
    }


def audit(text, suffix, function, inputs, chip):
    """Whether every output is proven in time."""
    name = f"{function}.{suffix}.{chip}"
    model, ptx, launch = (work / f"{name}.{kind}" for kind in ("mlir", "ptx", "json"))
    model.write_text(text)
    arguments = []
    for tensor, value in inputs.items():
        if isinstance(value, str):
            arguments.append(f"--shape={tensor}={value}")
        else:
            numpy.save(work / f"{name}.{tensor}.npy", value)
            arguments.append(f"--in={tensor}={work / name}.{tensor}.npy")
    for emit, file in (("ptx", ptx), ("meta", launch)):
        subprocess.run([tools / "precc", model, f"--function={function}", f"--target={chip}", f"--emit={emit}", "-o", file],
                       check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([tools / "prec-audit", ptx, f"--launch={launch}", f"--against={model}", f"--function={function}",
                           *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    ok = done.returncode == 0 and ": proven (" in done.stdout and seconds < 5
    print(f"{'ok  ' if ok else 'FAIL'} {name}: {done.stdout.splitlines()[0]} {seconds:.1f} s", flush=True)
    return ok


bad = 0
for element in ("bf16", "f16"):
    text = (root / "examples/gated-residual.mlir").read_text().replace("bf16", element)
    for function, inputs in RESIDUAL.items():
        for chip in ("sm_80", "sm_90", "sm_100"):
            bad += not audit(text, element, function, inputs, chip)
    text = (root / "test/Audit/Inputs/moe.mlir").read_text().replace("bf16", element)
    for function, inputs in ACTIVATION.items():
        bad += not audit(text.replace("SLOTS", "2"), element, function, inputs, "sm_90")
    for slots in (2, 4, 8):
        for function, inputs in combine(slots).items():
            bad += not audit(text.replace("SLOTS", str(slots)), f"{element}.{slots}", function, inputs, "sm_90")
    text = "".join(f"""
func.func @{name}(%x: tensor<?x8x{element}> {{prec.name = "x"}}) -> (tensor<?x8x{element}> {{prec.name = "y"}}) {{
  %y = {op} : tensor<?x8x{element}>
  return %y : tensor<?x8x{element}>
}}
""" for name, op in FUNCTIONS.items())
    for function in FUNCTIONS:
        bad += not audit(text, element, function, {"x": "1x8"}, "sm_90")
for function, op in WIDE.items():
    text = f"""
func.func @{function}(%x: tensor<?x8xf32> {{prec.name = "x"}}) -> (tensor<?x8xf32> {{prec.name = "y"}}) {{
  %y = {op}
  return %y : tensor<?x8xf32>
}}
"""
    for chip in ("sm_89", "sm_90"):
        bad += not audit(text, "f32", function, {"x": "1x8"}, chip)
print(f"{bad} not proven")
sys.exit(bad != 0)
