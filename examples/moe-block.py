# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: moe-block.py BIN

Runs moe-block.mlir as engines round it, in bf16 and f16. Each part equals what eager PyTorch
gave for that engine's formula, on the reference evaluator, on this processor and as PTX; then
the whole block, where the engines differ: in how many elements, and where first. Exit code 1 if
an element that must be equal is not.
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
ELEMENTS = ("bf16", "f16")
ENGINES = ("reference", "host", "ptx")
PROFILES = ("huggingface", "megatron", "vllm", "radixark_fp32")

# Part, profile, the inputs and the result as the golden files name them.
PARTS = [("activate", "huggingface", {"gu": "gu"}, "swiglu"),
         ("activate", "vllm", {"gu": "gu"}, "swiglu"),
         ("activate_weighted", "megatron", {"gu": "gu", "p": "p32"}, "act_p32"),
         ("activate_weighted", "radixark_fp32", {"gu": "gu", "p": "p32"}, "radix_act"),
         ("combine", "huggingface", {"z": "z", "w": "p32", "ids": "ids"}, "hf_combine"),
         ("combine_narrow", "vllm", {"z": "z", "w": "p16", "ids": "ids"}, "sum_k"),
         ("combine", "torch_cpu", {"z": "z", "w": "p32", "ids": "ids"}, "flat_index_add"),
         ("combine", "radixark_fp32", {"z": "z", "w": "p32", "ids": "ids"}, "radix_combine")]
COLUMNS = "{:<5} {:<18} {:<15} {:<15} {:>8} {:>10} {:>5} {:>4}"


def prec_run(folder, *arguments):
    """What it prints, and how many elements differ."""
    done = subprocess.run([binaries / "prec-run", "moe-block.mlir", *arguments], cwd=folder, capture_output=True, text=True)
    counts = re.findall(r"\d+ elements, (\d+) ", done.stdout)
    if done.returncode not in (0, 1) or len(counts) != 1:
        raise RuntimeError(done.stdout + done.stderr)
    return done.stdout, int(counts[0])


def narrow(values, element):
    if element == "f16":
        return values.astype(numpy.float16).view(numpy.uint16)
    bits = values.view(numpy.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)


def prepare(folder, element):
    """Writes the program and its inputs. The block's are made of the golden ones: logits that give the probabilities,
    expert outputs as gates and ups."""
    folder.mkdir()
    (folder / "moe-block.mlir").write_text(text.replace("bf16", element))
    golden = {name: numpy.load(data / f"moe.{element}.{name}.in.npy")
              for name in ("gu", "z", "p32", "p16", "ids", "shared", "shared_logit")}
    logits = numpy.full((33, 16), -6, numpy.float32)
    numpy.put_along_axis(logits, golden["ids"].astype(numpy.int64), numpy.log(golden["p32"]), 1)
    golden["logits"] = narrow(logits, element)
    golden["block_gu"] = numpy.concatenate([golden["z"], numpy.roll(golden["z"], 1, 1)], 2)
    # PyTorch's activations have the first two slots.
    golden["activate_p32"] = numpy.ascontiguousarray(golden["p32"][:, :2])
    for name, values in golden.items():
        numpy.save(folder / f"{name}.npy", values)


def part(folder, element, function, profile, inputs, golden):
    files = {name: "activate_p32" if function == "activate_weighted" and file == "p32" else file for name, file in inputs.items()}
    right = data / f"moe.{element}.{golden}.out.npy"
    wrong = [prec_run(folder, f"--function={function}", f"--profile={profile}", f"--engine={engine}", f"--expect={right}",
                      *[f"--in={name}={file}.npy" for name, file in files.items()])[1] for engine in ENGINES]
    return COLUMNS.format(element, function, profile, golden, numpy.load(right).size, *wrong), any(wrong)


BLOCK = ["--function=block", "--in=logits=logits.npy", "--in=gu=block_gu.npy", "--in=shared=shared.npy",
         "--in=shared_logit=shared_logit.npy"]


def block(folder, element, profile):
    wrong = [prec_run(folder, *BLOCK, f"--profile={profile}", f"--engine={engine}", "--check")[1] for engine in ENGINES]
    return COLUMNS.format(element, "block", profile, "", 2112, *wrong), any(wrong)


def pair(folder, element, one, other):
    said, count = prec_run(folder, *BLOCK, f"--profile={one}", f"--compare-profile={other}")
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
              ("\nThe whole block, [33 tokens, 8 of 16 experts, 64]: elements that differ from the reference evaluator's:\n\n" + head,
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
