# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN DATA ENGINE

Runs the functions of this folder and of examples/gated-residual.mlir on PyTorch's inputs
in DATA and compares every output with PyTorch's bits: no element may differ.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

binaries, data, engine = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]
here = pathlib.Path(__file__).resolve().parent

EXAMPLE = here.parents[2] / "examples" / "gated-residual.mlir"

# (text, function, element type, hidden size, inputs, expected output)
cases = []


def add(text, function, case, inputs, output, element, hidden=64):
    inputs = [f"{case}.{name}.in.npy" if name else "" for name in inputs]
    cases.append((text, function, element, hidden, inputs, f"{case}.{output}.npy"))


GATED = {"xn": (EXAMPLE, "normalize", ["x", "w"]), "a": (EXAMPLE, "mix_elementwise", ["d"]),
         "y": (EXAMPLE, "mix_and_reduce", ["u", "xn"]), "c": (here / "gr.mlir", "c", ["i"]),
         "out": (EXAMPLE, "write_back", ["x", "h", "i"])}
MOE = {"swiglu": ("swiglu", ["gu"]), "act_p32": ("act_p32", ["gu", "p32"]), "act_p16": ("act_p16", ["gu", "p16"]),
       "radix_act": ("radix_act", ["gu", "p32"]), "hf_combine": ("hf_combine", ["z", "p16", "ids"]),
       "flat_index_add": ("flat_index_add", ["z", "p16"]), "sum_k": ("flat_index_add", ["z", "p16"]),
       "radix_combine": ("radix_combine", ["z", "p32"]), "shared_gate": ("shared_gate", ["shared", "shared_logit"])}
NORMS = {"llama": ["x", "w"], "gemma": ["x", "w"], "frms": ["x", "w"], "layernorm": ["x", "w", "b"], "softmax": ["x"]}
for element in ("bf16", "f16"):
    for op in ("sigmoid", "silu", "exp", "tanh", "gelu_none_strided", "softplus", "rsqrt"):
        if (data / f"unary.{op}.{element}.out.npy").exists():
            add(here / "unary.mlir", op, f"unary.{op}.{element}", [""], "out", element)
    for case, hidden in (("gr.17x4x64", 64), ("gr.3x4x2560", 2560), ("gr.1x4x2560", 2560), ("grspec", 64)):
        for output, (text, function, inputs) in GATED.items():
            if (data / f"{case}.{element}.{output}.out.npy").exists():
                add(text, function, f"{case}.{element}", inputs, f"{output}.out", element, hidden)
    for hidden in (64, 2560):
        for norm, inputs in NORMS.items():
            add(here / "norm.mlir", norm, f"norm{hidden}.{element}", inputs, f"{norm}.out", element, hidden)
    for output, (function, inputs) in MOE.items():
        add(here / "moe.mlir", function, f"moe.{element}", inputs, f"{output}.out", element)
    add(here / "rope.mlir", "rope", f"rope.{element}", ["q", "cos", "sin"], "out", element)
# PyTorch's f32 exp is not correctly rounded, so of f32 only what has none.
add(EXAMPLE, "normalize", "gr.17x4x64.f32", ["x", "w"], "xn.out", "f32")


def run(number, folder):
    """Elements compared, and what went wrong."""
    text, function, element, hidden, inputs, output = cases[number]
    source = text.read_text()
    for name, value in {"TYPE": element, "bf16": element, "HIDDEN": str(hidden), "2560": str(hidden)}.items():
        source = source.replace(name, value)
    program = folder / f"{number}.mlir"
    program.write_text(source)
    arguments = []
    for file in inputs:
        path = data / file
        if not file:  # all bit patterns, as far as the output has them
            path = folder / f"{number}.in.npy"
            numpy.save(path, numpy.arange(len(numpy.load(data / output)), dtype=numpy.uint16))
        elif not path.exists():  # another function's output
            path = data / file.replace(".in.npy", ".out.npy")
        arguments.append(f"--in={path}")
    command = [binaries / "prec-run", program, f"--function={function}", f"--engine={engine}", *arguments,
               f"--expect={data / output}"]
    result = subprocess.run(command, capture_output=True, text=True)
    counts = re.findall(r"(\d+) elements, (\d+) mismatches", result.stdout)
    good = result.returncode == 0 and len(counts) == 1 and counts[0][1] == "0"
    return sum(int(n) for n, _ in counts), "" if good else f"exit {result.returncode}\n{result.stdout}{result.stderr}"


with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(run, range(len(cases)), [pathlib.Path(folder)] * len(cases)))
failed = [number for number, (_, text) in enumerate(results) if text]
for number in failed:
    print(f"{cases[number][5]} (@{cases[number][1]}): {results[number][1]}")
print(f"{len(cases)} cases on {engine}, {sum(n for n, _ in results)} elements, {len(failed)} cases failed")
sys.exit(bool(failed))
