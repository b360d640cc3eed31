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
from oracle import F32, Formula, from_bits, to_bits  # noqa: E402

binaries, data, engine = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]
numpy.seterr(all="ignore")
RANDOM = numpy.random.default_rng(7)
cases = []


def add(label, text, function, inputs, *expected):
    """Both levels: the passes find the same before and after the roundings are explicit."""
    cases.append((label, text, function, [], inputs, expected))
    cases.append((f"{label}, level R", text, function, ["--prec-make-rounding-explicit"], inputs, expected))


def alone(text, function):
    """The function without the others of its file."""
    start = text.index(f"func.func @{function}(")
    return text[start:text.index("\n}\n", start) + 3]


def activation(element, gate, up, probability=None, form="quotient"):
    """In f32, one rounding."""
    return to_bits(oracle.activation(Formula(element, set()), "silu", gate, up, probability=probability, form=form), element)


def combine(element, z, p, indices=None):
    return to_bits(oracle.combine(Formula(element, set()), z, weights=p, indices=indices), element)


def activation_grad(element, dy, gate, up, probability=None):
    """The gradient of gate and up, side by side; in f32, one rounding each."""
    d = dy if probability is None else dy * probability[..., None]
    s = F32(1) / (F32(1) + oracle.exp(-gate))
    silu = gate * s
    return to_bits(numpy.concatenate([(d * up) * (s + silu * (F32(1) - s)), d * silu], axis=-1), element)


def row_sum(values):
    """Along the last dimension, in order."""
    total = values[..., 0]
    for i in range(1, values.shape[-1]):
        total = total + values[..., i]
    return total


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
        cases.append((f"{label} {element}", text, function, [], inputs, [expected]))

    gate, up = narrow[..., :64], narrow[..., 64:]
    gm, gout = golden(f"{element}.gm.in"), golden(f"{element}.gout.in")
    dm, dy = from_bits(gm, element), from_bits(gout, element)[:, None, :]
    s = gate * (F32(1) / (F32(1) + oracle.exp(-gate)))
    cases.append((f"activation_grad {element}", text, "activation_grad", [], [gm, gu, two], [
        activation_grad(element, dm, gate, up, two), to_bits(row_sum((dm * s) * up), element)]))
    wide = from_bits(z, element)
    cases.append((f"combine_grad {element}", text, "combine_grad", [], [gout, z, p], [
        to_bits(dy * p[..., None], element), to_bits(row_sum(dy * wide), element)]))
    dh = from_bits(to_bits(dy * two[..., None], element), element)
    cases.append((f"block_grad {element}", text, "block_grad", [], [gu, two, gout], [
        combine(element, h, two), activation_grad(element, dh, gate, up), row_sum(dy * h)]))
    # A row that no slot names has no gradient.
    slots = numpy.full(66, -1, numpy.int32)
    for slot, row in enumerate(indices.reshape(-1)):
        if row >= 0:
            slots[row] = slot
    named = (slots >= 0)[:, None]
    dy_rows = numpy.where(named, numpy.repeat(dy[:, 0], 2, axis=0)[slots], F32(0))
    dh = numpy.where(named, from_bits(to_bits(dy_rows * two.reshape(66, 1), element), element), F32(0))
    cases.append((f"block_rows_grad {element}", text, "block_rows_grad", [],
                  [rows, two.reshape(66), gout, indices, slots], [
                      gathered, activation_grad(element, dh, gate.reshape(66, 64), up.reshape(66, 64)),
                      row_sum(dy_rows * h.reshape(66, 64)) + F32(0)]))

    # Written out, both levels.
    g, u, dm = gate.reshape(66, 64), up.reshape(66, 64), dm.reshape(66, 64)
    bits = [to_bits(values, element) for values in (dm, g, u)]
    weight = two.reshape(66)
    d, s = dm * weight[:, None], F32(1) / (F32(1) + oracle.exp(-g))
    silu = g / (F32(1) + oracle.exp(-g))
    name = "gradients_written"
    add(f"{name} {element}", alone(text, name), name, [*bits, weight],
        activation(element, g, u, weight), to_bits(((d * u) * s) * oracle.fma(g, F32(1) - s, F32(1)), element),
        to_bits(d * silu, element), row_sum(dm * (silu * u)))
    name = "chain_written"
    narrow_weight = to_bits(weight, element)
    d = dm * from_bits(narrow_weight, element)[:, None]
    add(f"{name} {element}", alone(text, name), name, [*bits, narrow_weight],
        to_bits(((d * s) * (F32(1) + g * (F32(1) - s))) * u, element), to_bits((g * s) * d, element))
    name = "clamped_written"
    alpha = from_bits(to_bits(F32(1.702).reshape(1), element), element)[0]
    add(f"{name} {element}", alone(text, name), name, [*bits[1:], weight],
        to_bits(oracle.activation(Formula(element, set()), "silu", g, u, probability=weight, form="product", alpha=alpha,
                                  limit=0.5, offset=1), element))
    cases.append((f"block_written {element}", text, "block_written", [], [*bits[1:], weight.reshape(66, 1), indices], [gathered]))
    add(f"combine_summed {element}", alone(text, "combine_summed"), "combine_summed", [z, p], golden(f"{element}.radix_combine.out"))
    name = "combine_gradients_written"
    add(f"{name} {element}", alone(text, name), name, [gout, z, p],
        to_bits(dy * p[..., None], element), to_bits(row_sum(dy * wide), element))
    # One of them alone.
    name = "term_gradient_written"
    add(f"{name} {element}", alone(text, name), name, [gout, p], to_bits(dy * p[..., None], element))
    name = "weight_gradient_written"
    add(f"{name} {element}", alone(text, name), name, [gout, z], to_bits(row_sum(dy * wide), element))
    name = "kept_written"
    silu32 = g / (F32(1) + oracle.exp(-g))
    sigmoid = F32(1) / (F32(1) + oracle.exp(-g))
    add(f"{name} {element}", alone(text, name), name, bits,
        activation(element, g, u), to_bits(silu32, element),
        to_bits(((dm * u) * sigmoid) * oracle.fma(g, F32(1) - sigmoid, F32(1)), element), to_bits(dm * silu32, element))
    # Ascending experts: where the order is the program's own.
    ids = golden(f"{element}.ids.in")
    by_expert = oracle.combine(Formula(element, set()), wide, weights=p, keys=ids)
    cases.append((f"combine, level R {element}", alone(text, "combine"), "combine", ["--prec-make-rounding-explicit"],
                  [z, p, ids], [to_bits(by_expert, element)]))

for path in sorted((data / "imports").glob("*.mlir")):
    writer, kind, element, sizes = path.name.split(".")[:4]
    if kind not in ("swiglu", "swiglu_prob", "swiglu_prob_f32", "moe_combine", "moe_combine_loop", "swiglu_bwd", "swiglu_vjp"):
        continue
    text = path.read_text()
    files = sorted((data / "imports" / "data").glob(path.stem + ".in*.npy"))
    inputs = [numpy.load(file) for file in files]
    values = [x if x.dtype == numpy.float32 else from_bits(x, element) for x in inputs]
    if kind in ("swiglu_bwd", "swiglu_vjp"):
        g, u, dy = values
        s = F32(1) / (F32(1) + oracle.exp(-g))
        slope = (dy * u * s) * (g * (F32(1) - s) + F32(1)) if kind == "swiglu_bwd" else \
            (dy * u) * s + (g * (dy * u)) * (s * (F32(1) - s))
        add(path.stem, text, "main", inputs, to_bits(slope, element), to_bits((g * s) * dy, element))
        continue
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
    for i, values in enumerate(expected):
        numpy.save(folder / f"{number}.expected{i}.npy", values)
        arguments.append(f"--expect=result{i}={folder / f'{number}.expected{i}.npy'}")
    done = subprocess.run([binaries / "prec-run", promoted, f"--function={function}", f"--engine={engine}", *arguments],
                          capture_output=True, text=True)
    good = done.returncode == 0 and done.stdout.count(", 0 mismatches") == len(expected)
    return "" if good else f"{label}: exit {done.returncode}\n{done.stdout}{done.stderr}"


with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [text for text in pool.map(run, range(len(cases)), [pathlib.Path(name)] * len(cases)) if text]
print("\n".join(faults))
elements = sum(values.size for case in cases for values in case[5])
print(f"{len(cases)} cases on {engine}, {elements} elements, {len(faults)} cases failed")
sys.exit(bool(faults))
