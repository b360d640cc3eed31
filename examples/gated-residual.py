# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: gated-residual.py BIN

Runs gated-residual.mlir on the host in bf16, f16 and f32 and two sizes, compares every
element with eager PyTorch's and with the reference evaluator's, and compiles it to PTX
for sm_90. Exit code 1 if a 16-bit element differs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

binaries = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[1]
data = root / "test" / "data" / "golden"
text = (root / "examples" / "gated-residual.mlir").read_text()

# function -> its inputs and its output, as the golden files name them
FUNCTIONS = {"normalize": (["x", "w"], "xn"), "mix_elementwise": (["d"], "a"),
             "mix_and_reduce": (["u", "xn"], "y"), "write_back": (["x", "h", "i"], "out")}
CASES = [("gr.17x4x64.bf16", 64), ("gr.3x4x2560.bf16", 2560), ("gr.17x4x64.f16", 64), ("gr.1x4x2560.f16", 2560),
         ("gr.17x4x64.f32", 64)]
COLUMNS = "{:<16} {:<16} {:>8} {:>10} {:>9} {:>22} {:>8} {:>9}"


def tool(name, *arguments):
    return subprocess.run([binaries / name, *arguments], capture_output=True, text=True)


def golden(case, name):
    path = data / f"{case}.{name}.in.npy"
    return path if path.exists() else data / f"{case}.{name}.out.npy"


def must(run):
    if run.returncode == 2 or run.returncode < 0:
        sys.exit(run.stdout + run.stderr)
    return run.stdout


total = wrong = 0  # of 16-bit elements
failed = False
print(COLUMNS.format("function", "case", "elements", "mismatches", "reference", "no inner roundings", "kernels", "host us"))
with tempfile.TemporaryDirectory() as folder:
    for case, hidden in CASES:
        element = case.split(".")[-1]
        program = pathlib.Path(folder) / f"{case}.mlir"
        program.write_text(text.replace("bf16", element).replace("2560", str(hidden)))
        for function, (inputs, output) in FUNCTIONS.items():
            right = data / f"{case}.{output}.out.npy"
            run = must(tool("prec-run", program, f"--function={function}", "--engine=host", "--check", "--time=20",
                            *[f"--in={name}={golden(case, name)}" for name in inputs], f"--expect={output}={right}"))
            # --check's line stands first, then --expect's.
            (elements, reference), (_, mismatches) = re.findall(r"(\d+) elements, (\d+) mismatches", run)
            failed |= reference != "0"
            if element != "f32":
                total += int(elements)
                wrong += int(mismatches)
            dropped = data / f"{case}.{output}.drop.npy"
            lost = str((numpy.load(dropped) != numpy.load(right)).sum()) if dropped.exists() else ""
            launch = json.loads(must(tool("precc", program, f"--function={function}", "--target=sm_90", "--emit=meta")))
            ptx = must(tool("precc", program, f"--function={function}", "--target=sm_90", "--emit=ptx"))
            assert all(f".entry {kernel['entry']}(" in ptx for kernel in launch["kernels"])
            microseconds = float(re.search(r"time ([\d.]+) ms", run)[1]) * 1e3
            print(COLUMNS.format(function, case[3:], elements, mismatches, reference, lost, len(launch["kernels"]), f"{microseconds:.1f}"))
print("""
mismatches: elements that differ from eager PyTorch's. PyTorch's own f32 exp is not correctly
rounded, so f32 outputs behind it may differ by an ulp; 16-bit ones never do.
reference: elements that differ from the reference evaluator's.
no inner roundings: elements that would differ from eager PyTorch's if each function ran in f32
and rounded once, as fusing compilers do (where that was recorded).
""")
print(f"{total} elements in bf16 and f16, {wrong} mismatches")
sys.exit(failed or wrong > 0)
