# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of results.md: programs of test/Integration in bf16, and how they are measured."""
import collections
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(root / "test/Integration" / folder) for folder in ("kernels", "rows")]
import rowprogram
import template

# Function, program, the program without inner roundings (None: it has none), input shapes for 16 rows, elements of each
# result that a thread computes, number of results, most SASS instructions an element.
Kernel = collections.namedtuple("Kernel", "name text loose shapes elements results most")


def loose(file, name, words):
    """A program of this folder, or None if it does not have the function."""
    text = (pathlib.Path(__file__).resolve().parent / file).read_text()
    for word, value in words.items():
        text = text.replace(word, str(value))
    return text if f"func.func @{name}(" in text else None


KERNELS = [
    Kernel(name, template.program("elementwise.mlir", "bf16", inner),
           loose("loose.mlir", name, {"TWICE": 2 * inner, "INNER": inner}), shapes, elements, results, most)
    for name, inner, shapes, elements, results, most in [
        ("mix_forward", 2560, ["u=16x4x2560", "xn=16x4x2560"], 8, 1, 52),
        ("mix_backward", 2560, ["g=16x2560", "u=16x4x2560", "xn=16x4x2560"], 32, 2, 16),
        ("write_back", 2560, ["x=16x4x2560", "h=16x2560", "c=16x4"], 32, 1, 2.03),
        ("swiglu", 1024, ["gate_up=16x2048", "p=16"], 8, 1, 17),
        ("swiglu_f32", 1024, ["gate_up=16x2048", "p=16"], 8, 1, 26),
        ("combine", 2048, ["z=16x2048", "map=16x8", "p=16x8"], 8, 1, 30),
        ("rope", 64, ["x=2x16x128", "cos=16x128", "sin=16x128"], 32, 1, None),
    ]
]


# As PyTorch's CUDA kernels sum rows (profiles/torch_cuda.mlir).
WARP = "digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero"

KERNELS += [
    Kernel(name, rowprogram.program(file, "bf16", inner, order, key),
           loose("loose-rows.mlir", name, {"HIDDEN": inner, "ORDER": order}), shapes, elements, results, most)
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
