# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: moe-block.py BIN

Runs moe-block.mlir as engines round it, and with its experts promoted to f32, in bf16 and f16, on the reference evaluator, on
this processor and as PTX. What eager PyTorch gave for an engine's formula is known for each part, up to the sum with the shared
expert; PyTorch has no 8 activations of a token in these files, so for the whole block the formulas are evaluated here, in numpy,
by what the tests have for that. Then in how many of the block's elements two of them differ, and where first. Exit code 1 if an
element that must be equal is not.
"""
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

binaries = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[1]
data = root / "test" / "data" / "golden"
text = (root / "examples" / "moe-block.mlir").read_text()
sys.path.insert(0, str(root / "test" / "Integration" / "moe"))
import oracle  # noqa: E402
from oracle import F32, Formula, from_bits, to_bits  # noqa: E402

ELEMENTS = ("bf16", "f16")
ENGINES = ("reference", "host", "ptx")
PROMOTED = "promoted"
PROFILES = ("huggingface", "megatron", "vllm", PROMOTED)


def rounds_as(profile):
    """What prec-run is told. Promotion leaves what is not the experts' as the profile has it."""
    if profile != PROMOTED:
        return [f"--profile={profile}"]
    return ["--profile=huggingface", "--promote-moe-activation", "--promote-moe-combine"]


TAIL = {"z": "z", "w": "p32", "ids": "ids", "shared": "shared", "shared_logit": "shared_logit"}

# Part, profile, the inputs and the result as the golden files name them: one, or two to be added.
PARTS = [("activate", "huggingface", {"gu": "gu"}, "swiglu"),
         ("activate", "vllm", {"gu": "gu"}, "swiglu"),
         ("activate_weighted", "megatron", {"gu": "gu", "p": "p32"}, "act_p32"),
         ("activate_weighted", PROMOTED, {"gu": "gu", "p": "p32"}, "radix_act"),
         ("combine", "huggingface", {"z": "z", "w": "p32", "ids": "ids"}, "hf_combine"),
         ("combine_narrow", "vllm", {"z": "z", "w": "p16", "ids": "ids"}, "sum_k"),
         ("combine", "torch_cpu", {"z": "z", "w": "p32", "ids": "ids"}, "flat_index_add"),
         ("combine", PROMOTED, {"z": "z", "w": "p32", "ids": "ids"}, "radix_combine"),
         ("combine_shared", "huggingface", TAIL, "hf_combine + shared_gate"),
         ("combine_shared", PROMOTED, TAIL, "radix_combine + shared_gate")]
COLUMNS = "{:<5} {:<18} {:<12} {:<28} {:>8} {:>10} {:>5} {:>4}"


def prec_run(folder, *arguments):
    """What it prints, and how many elements differ."""
    done = subprocess.run([binaries / "prec-run", "moe-block.mlir", *arguments], cwd=folder, capture_output=True, text=True)
    counts = re.findall(r"\d+ elements, (\d+) ", done.stdout)
    if done.returncode not in (0, 1) or len(counts) != 1:
        raise RuntimeError(done.stdout + done.stderr)
    return done.stdout, int(counts[0])


def prepare(folder, element):
    """Writes the program and its inputs. The block's are made of the golden ones: logits that give the probabilities,
    expert outputs as gates and ups."""
    folder.mkdir()
    (folder / "moe-block.mlir").write_text(text.replace("bf16", element))
    golden = {name: numpy.load(data / f"moe.{element}.{name}.in.npy")
              for name in ("gu", "z", "p32", "p16", "ids", "shared", "shared_logit")}
    logits = numpy.full((33, 16), -6, numpy.float32)
    numpy.put_along_axis(logits, golden["ids"].astype(numpy.int64), numpy.log(golden["p32"]), 1)
    golden["logits"] = to_bits(logits, element)
    golden["block_gu"] = numpy.concatenate([golden["z"], numpy.roll(golden["z"], 1, 1)], 2)
    # PyTorch's activations have the first two slots.
    golden["activate_p32"] = numpy.ascontiguousarray(golden["p32"][:, :2])
    for name, values in golden.items():
        numpy.save(folder / f"{name}.npy", values)
    for profile in PROFILES:
        numpy.save(folder / f"block.{profile}.npy", block_formula(element, profile, golden))


def route(logits):
    """Softmax, the 8 largest of 16, made to sum to 1; PyTorch CUDA's orders of the sums."""
    e = oracle.exp(logits - logits.max(1, keepdims=True))
    total = e
    while total.shape[1] > 1:
        half = total.shape[1] // 2
        total = total[:, :half] + total[:, half:]
    scores = e / total
    ids = numpy.array([oracle.best(row, 8) for row in scores], numpy.int32)
    w = total = numpy.take_along_axis(scores, ids, 1)
    while total.shape[1] > 1:
        total = total[:, ::2] + total[:, 1::2]
    return w / total, ids


def block_formula(element, profile, golden):
    """The whole block in f32 steps, rounded where the profile rounds."""
    activated, combined, by_expert = {
        "huggingface": (oracle.ACTIVATION, oracle.COMBINE, True),
        "megatron": (oracle.ACTIVATION, oracle.COMBINE - {"weight", "term", "accumulate"}, True),
        "vllm": (oracle.ACTIVATION, oracle.COMBINE - {"weight", "accumulate"}, False),
        PROMOTED: ({"gate_cast", "up_cast"}, oracle.COMBINE - {"weight", "term", "accumulate"}, False)}[profile]
    logits, gu, shared, logit = (from_bits(golden[name], element) for name in ("logits", "block_gu", "shared", "shared_logit"))
    w, ids = route(logits)
    h = oracle.activation(Formula(element, activated), "silu", gu[..., :64], gu[..., 64:])
    h = from_bits(to_bits(h, element), element)
    y = oracle.combine(Formula(element, combined), h, weights=w, keys=ids if by_expert else None, shared=shared, logit=logit)
    return to_bits(y, element)


def part(folder, element, function, profile, inputs, golden):
    files = {name: "activate_p32" if function == "activate_weighted" and file == "p32" else file for name, file in inputs.items()}
    files_of_torch = [data / f"moe.{element}.{name}.out.npy" for name in golden.split(" + ")]
    right = files_of_torch[0]
    if len(files_of_torch) > 1:
        right = folder / f"{golden.replace(' + ', '.')}.npy"
        numpy.save(right, to_bits(sum((from_bits(numpy.load(file), element) for file in files_of_torch), F32(0)), element))
    wrong = [prec_run(folder, f"--function={function}", *rounds_as(profile), f"--engine={engine}", f"--expect={right}",
                      *[f"--in={name}={file}.npy" for name, file in files.items()])[1] for engine in ENGINES]
    return COLUMNS.format(element, function, profile, golden, numpy.load(right).size, *wrong), any(wrong)


BLOCK = ["--function=block", "--in=logits=logits.npy", "--in=gu=block_gu.npy", "--in=shared=shared.npy",
         "--in=shared_logit=shared_logit.npy"]


def block(folder, element, profile):
    wrong = [prec_run(folder, *BLOCK, *rounds_as(profile), f"--engine={engine}", f"--expect=block.{profile}.npy")[1]
             for engine in ENGINES]
    return COLUMNS.format(element, "block", profile, "", 2112, *wrong), any(wrong)


def pair(folder, element, one, other):
    if other == PROMOTED:
        one, other = other, one
    said, count = prec_run(folder, *BLOCK, *rounds_as(one), f"--compare-profile={other}")
    where = re.search(r"^first difference: (.*)$", said, re.M)
    return f"{element:<5} {one:<15} {other:<15} {count:>5}  {where[1] if where else ''}", False


with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folders = {element: pathlib.Path(name) / element for element in ELEMENTS}
    for element, folder in folders.items():
        prepare(folder, element)

    def rows(make, cases):
        """Their lines, in order, for every element type."""
        return [pool.submit(make, folders[element], element, *case) for element in ELEMENTS for case in cases]

    head = COLUMNS.format("", "function", "profile", "PyTorch's", "elements", *ENGINES)
    tables = [("Elements that differ from what eager PyTorch gave, by formula:\n\n" + head, rows(part, PARTS)),
              ("\nThe whole block, [33 tokens, 8 of 16 experts, 64]: elements that differ from the formulas':\n\n" + head,
               rows(block, [(profile,) for profile in PROFILES])),
              ("\nElements of the block's 2112 that differ between two profiles, and where their formulas differ first:\n",
               rows(pair, list(itertools.combinations(PROFILES, 2))))]
    failed = False
    for title, lines in tables:
        print(title)
        for line in lines:
            shown, bad = line.result()
            print(shown, flush=True)
            failed |= bad
sys.exit(failed)
