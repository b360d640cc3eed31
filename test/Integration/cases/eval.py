# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: eval.py FILE.mlir FOLDER   or   eval.py FILE.mlir --ptx

The first runs the functions of FILE as its EVAL lines say, on every engine, and compares
all bits:

    // EVAL @function(bf16 [0x3F8D, 0x3F80], f32 [[0x3F800000]]) = bf16 [0x400C, 0x3F80]

Arguments and results are bit patterns, in nested lists that give the shape; [v]*n
is a list of n. Where every type of a function starts with `?`, the lists are
also repeated 37 times along that dimension: whole vectors and a tail.
The second prints the PTX of those functions, one after the other.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys

ENGINES = ("reference", "host", "ptx")
DTYPES = {"bf16": ("BF16", 2), "f16": ("F16", 2), "f32": ("F32", 4), "f64": ("F64", 8), "i32": ("I32", 4),
          "i64": ("I64", 8), "i1": ("BOOL", 1), "f8E4M3FN": ("F8_E4M3", 1), "f8E5M2": ("F8_E5M2", 1)}


def parse_tensors(text):
    """'bf16 [1, 2], f32 [3]' -> [('bf16', [1, 2]), ('f32', [3])]"""
    tensors = []
    while match := re.match(r"[,\s]*(\w+)\s*(\[)", text):
        depth, end = 0, match.start(2)
        while True:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        literal = re.sub(r"0x[0-9A-Fa-f]+", lambda m: str(int(m[0], 16)), text[match.start(2):end])
        literal = re.sub(r"\[(\d+)\]\*(\d+)", lambda m: str([int(m[1])] * int(m[2])), literal)
        tensors.append((match[1], json.loads(literal)))
        text = text[end:]
    assert not text.strip(" ,"), f"expected a tensor but got '{text}'"
    return tensors


def flatten(data):
    """Shape and row-major values of a nested list."""
    shape, level = [], data
    while isinstance(level, list):
        shape.append(len(level))
        level = level[0]
    values = data
    for _ in shape[1:]:
        values = [value for row in values for value in row]
    return shape, values


def write_safetensors(path, prefix, tensors, repeat):
    header, payload = {}, b""
    for number, (kind, data) in enumerate(tensors):
        dtype, width = DTYPES[kind]
        shape, values = flatten(data * repeat)
        packed = b"".join(value.to_bytes(width, "little") for value in values)
        header[f"{prefix}{number}"] = {"dtype": dtype, "shape": shape,
                                       "data_offsets": [len(payload), len(payload) + len(packed)]}
        payload += packed
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + payload)


source = pathlib.Path(sys.argv[1])
text = source.read_text()
lines = re.findall(r"^// EVAL @(\w+)\((.*)\) = (.*)$", text, re.M)
assert lines, "expected an EVAL line"
if sys.argv[2] == "--ptx":
    for function in dict.fromkeys(function for function, _, _ in lines):
        subprocess.run(["precc", source, f"--function={function}", "--target=sm_90", "--emit=ptx"], check=True)
    sys.exit()

folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
failed = 0
for number, (function, arguments, results) in enumerate(lines):
    signature = re.search(rf"func\.func @{function}\((.*?)\{{\s*$", text, re.M | re.S)[1]
    types = re.findall(r"tensor<[^>]*>", signature)
    for repeat in (1, 37) if all(t.startswith("tensor<?") for t in types) else (1,):
        inputs, expected = (folder / f"{number}.{repeat}.{kind}.safetensors" for kind in ("in", "expect"))
        write_safetensors(inputs, "arg", parse_tensors(arguments), repeat)
        write_safetensors(expected, "result", parse_tensors(results), repeat)
        for engine in ENGINES:
            command = ["prec-run", source, f"--function={function}", f"--in={inputs}", f"--expect={expected}",
                       f"--engine={engine}"]
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                failed += 1
                print(f"@{function} x{repeat} {engine}: exit {run.returncode}\n{run.stdout}{run.stderr}")
sys.exit(bool(failed))
