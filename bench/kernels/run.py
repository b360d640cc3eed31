# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN   prints the table of results.md: what our kernels cost on sm_90, in bf16, for each element of a result

SASS instructions need ptxas and nvdisasm; without them the column is empty.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
sys.path += [str(here.parents[1] / "test/Integration" / folder) for folder in ("kernels", "rows")]
import rowprogram
import sass
import template

binaries = pathlib.Path(sys.argv[1]).resolve()
ptxas = shutil.which("ptxas", path="/usr/local/cuda/bin") or shutil.which("ptxas")

# Function, program, input shapes for 16 rows, elements of each result that a thread computes, number of results,
# most SASS instructions an element.
KERNELS = [
    (name, template.program("elementwise.mlir", "bf16", inner), shapes, elements, results, most)
    for name, inner, shapes, elements, results, most in [
        ("mix_forward", 2560, ["u=16x4x2560", "xn=16x4x2560"], 8, 1, 52),
        ("mix_backward", 2560, ["g=16x2560", "u=16x4x2560", "xn=16x4x2560"], 32, 2, 16),
        ("write_back", 2560, ["x=16x4x2560", "h=16x2560", "c=16x4"], 32, 1, 2.03),
        ("swiglu", 1024, ["gate_up=16x2048", "p=16"], 8, 1, 17),
        ("swiglu_f32", 1024, ["gate_up=16x2048", "p=16"], 8, 1, 26),
        ("combine", 2048, ["z=16x2048", "map=16x8", "p=16x8"], 8, 1, 30),
        ("rope", 64, ["x=2x16x128", "cos=16x128", "sin=16x128"], 16, 1, None),
    ]
]


# As PyTorch's CUDA kernels sum rows (profiles/torch_cuda.mlir).
WARP = "digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero"

KERNELS += [
    (name, rowprogram.program(file, "bf16", inner, order, key), shapes, elements, results, most)
    for name, file, inner, key, order, shapes, elements, results, most in [
        ("rms_norm_two", "rows", 4096, 0, WARP, ["x=16x4096"], 128, 1, 8.4),
        ("residual_rms_norm", "rows", 4096, 0, WARP, ["x=16x4096", "r=16x4096"], 128, 2, None),
        ("layer_norm", "rows", 4096, 0, WARP, ["x=16x4096"], 128, 1, None),
        ("softmax", "rows", 4096, 0, WARP, ["x=16x4096"], 128, 1, None),
        ("gated_norm", "narrow", 128, 0, WARP, ["o=64x128", "z=64x128"], 8, 1, 31),
        ("swiglu_backward", "narrow", 2816, 0, WARP, ["d=16x2816", "g=16x2816", "u=16x2816", "p=16"], 88, 2, 38),
        ("gdn_step", "gdn-step", 128, 128, "sequential",
         ["s=4x128x128", "g=4", "beta=4", "k=4x128", "q=4x128", "v=4x128"], 128, 1, 10.9),
    ]
]


def spills(ptx, chip):
    """Bytes that ptxas spills, or None where it cannot say."""
    if not ptxas:
        return None
    done = subprocess.run([ptxas, f"-arch={chip}", "-v", "--fmad=false", ptx, "-o", ptx.with_suffix(".cubin")],
                          capture_output=True, text=True, check=True)
    return sum(map(int, re.findall(r"(\d+) bytes spill", done.stderr)))


print("| kernel | SASS/element | at most | PTX/element | bytes/element | minimum | sectors | spills, sm_80 90 100 | precc s |")
print("|---|---|---|---|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for function, text, shapes, elements, results, most in KERNELS:
        source, ptx = folder / f"{function}.mlir", folder / f"{function}.ptx"
        source.write_text(text)
        spilled, seconds = [], []
        for chip in ("sm_80", "sm_100", "sm_90", "sm_90", "sm_90"):
            before = time.perf_counter()
            subprocess.run([binaries / "precc", source, f"--function={function}", f"--target={chip}", "--emit=ptx", "-o", ptx], check=True)
            seconds.append(time.perf_counter() - before)
            if len(spilled) < 3:
                spilled.append(spills(ptx, chip))
        path = sass.longest_path(ptx.with_suffix(".cubin")) / elements if ptxas and sass.disassembler() else None
        run = subprocess.run([binaries / "prec-run", source, f"--function={function}", "--engine=ptx", "--chip=sm_90", "--random=1",
                              "--counters=json", *(f"--shape={shape}" for shape in shapes)], check=True, stdout=subprocess.PIPE)
        counters = json.loads(run.stdout.splitlines()[-1])
        counts = {name: count * results for name, count in counters["per_element"].items()}
        print(f"| {function} | {'' if path is None else f'{path:.2f}'} | {most or ''} | {counts['thread_instructions']:g} | {counts['bytes']:g} "
              f"| {counts['bytes_minimum']:g} | {counters['sectors_minimum'] / counters['sectors']:.0%} | "
              f"{spilled[0]} {spilled[2]} {spilled[1]} | {min(seconds[2:]):.3f} |", flush=True)
