# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN DATA ENGINE

Promotes (prec-promote-moe) the programs of promote.mlir and importers' activations and
combinations, at levels M and R, runs them, and compares every bit with PyTorch's f32
activation and combination, or with oracle.py of the moe tests.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "moe"))
import oracle  # noqa: E402
from oracle import Formula, from_bits, to_bits  # noqa: E402

binaries, data, engine = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]
numpy.seterr(all="ignore")
RANDOM = numpy.random.default_rng(7)
cases = []


def add(label, text, function, inputs, expected):
    """Both levels: the passes find the same before and after the roundings are explicit."""
    cases.append((label, text, function, [], inputs, expected))
    cases.append((f"{label}, level R", text, function, ["--prec-make-rounding-explicit"], inputs, expected))


def activation(element, gate, up, probability=None, form="quotient"):
    """In f32, one rounding."""
    return to_bits(oracle.activation(Formula(element, set()), "silu", gate, up, probability=probability, form=form), element)


def combine(element, z, p, indices=None):
    return to_bits(oracle.combine(Formula(element, set()), z, weights=p, indices=indices), element)


def golden(name):
    return numpy.load(data / "golden" / f"moe.{name}.npy")


for element in ("bf16", "f16"):
    text = (here / "promote.mlir").read_text().replace("TYPE", element)
    gu, p, z = (golden(f"{element}.{name}.in") for name in ("gu", "p32", "z"))
    add(f"activation {element}", text, "activation", [gu, p], golden(f"{element}.radix_act.out"))
    add(f"activation written {element}", text, "activation_written", [gu, p], golden(f"{element}.radix_act.out"))
    add(f"combine written {element}", text, "combine_written", [z, p], golden(f"{element}.radix_combine.out"))
    # Operations are at level M only.
    narrow = from_bits(gu, element)
    h = from_bits(activation(element, narrow[..., :64], narrow[..., 64:]), element)
    two = numpy.ascontiguousarray(p[:, :2])
    rows = numpy.ascontiguousarray(gu.reshape(66, 128))
    indices = RANDOM.permutation(66).reshape(33, 2).astype(numpy.int32)
    indices[::5, 1] = -1
    gathered = combine(element, h.reshape(66, 64), numpy.where(indices < 0, 0, two.reshape(66)[indices]), indices)
    for label, function, inputs, expected in (
            ("combine", "combine", [z, p, golden(f"{element}.ids.in")], golden(f"{element}.radix_combine.out")),
            ("block", "block", [gu, two], combine(element, h, two)),
            ("block by rows", "block_rows", [rows, two.reshape(66)], combine(element, h, two)),
            ("block by indices", "block_indexed", [rows, two.reshape(66), indices], gathered)):
        cases.append((f"{label} {element}", text, function, [], inputs, expected))

for path in sorted((data / "imports").glob("*.mlir")):
    writer, kind, element, sizes = path.name.split(".")[:4]
    if kind not in ("swiglu", "swiglu_prob", "swiglu_prob_f32", "moe_combine", "moe_combine_loop"):
        continue
    text = path.read_text()
    files = sorted((data / "imports" / "data").glob(path.stem + ".in*.npy"))
    inputs = [numpy.load(file) for file in files]
    values = [x if x.dtype == numpy.float32 else from_bits(x, element) for x in inputs]
    if kind.startswith("swiglu"):
        add(path.stem, text, "main", inputs, activation(element, *values, form="product"))
        continue
    # The weights come from an f32 router.
    p = RANDOM.random(inputs[1].shape, numpy.float32)
    weights = f"tensor<{'?' if sizes == 'dyn' else p.shape[0]}x{p.shape[1]}x{element}>"
    head, body = text.split("{\n    ", 1)
    wide = weights.replace(element, "f32")
    head = head.replace(f"%arg1: {weights}", f"%p: {wide}")
    text = f"{head}{{\n    %arg1 = arith.truncf %p : {wide} to {weights}\n    {body}"
    add(path.stem, text, "main", [inputs[0], p], combine(element, values[0], p))


def run(number, folder):
    """What went wrong, or nothing."""
    label, text, function, before, inputs, expected = cases[number]
    source, promoted = folder / f"{number}.mlir", folder / f"{number}.promoted.mlir"
    source.write_text(text)
    # The others of the file may have what cannot be found at level R.
    passes = subprocess.run([binaries / "prec-opt", source, *before, "--prec-promote-moe=activation=true combine=true", "-o", promoted],
                            capture_output=True, text=True)
    if passes.returncode:
        return f"{label}: {passes.stderr}"
    arguments = []
    for i, values in enumerate(inputs):
        numpy.save(folder / f"{number}.{i}.npy", values)
        arguments.append(f"--in={folder / f'{number}.{i}.npy'}")
    numpy.save(folder / f"{number}.expected.npy", expected)
    done = subprocess.run([binaries / "prec-run", promoted, f"--function={function}", f"--engine={engine}", *arguments,
                           f"--expect={folder / f'{number}.expected.npy'}"], capture_output=True, text=True)
    good = done.returncode == 0 and done.stdout.count(", 0 mismatches") == 1
    return "" if good else f"{label}: exit {done.returncode}\n{done.stdout}{done.stderr}"


with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [text for text in pool.map(run, range(len(cases)), [pathlib.Path(name)] * len(cases)) if text]
print("\n".join(faults))
elements = sum(case[5].size for case in cases)
print(f"{len(cases)} cases on {engine}, {elements} elements, {len(faults)} cases failed")
sys.exit(bool(faults))
