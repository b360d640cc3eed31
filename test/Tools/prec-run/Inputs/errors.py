# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: errors.py INPUTS, in a folder that make_files.py has filled.

Runs prec-run on bad input: each case is one error, exit code 2, and no file.
"""
import os
import subprocess
import sys

SCALE = os.path.join(sys.argv[1], "scale.mlir")
GOOD = "--in=in.safetensors"

CASES = [
    # The command line.
    ([], "prec-run: Not enough positional command line arguments specified!"),
    ([SCALE, "--tolerance=1"], "prec-run: Unknown command line argument '--tolerance=1'.  Try: 'prec-run --help'"),
    ([SCALE, GOOD, "--engine=abacus"], "error: there is no engine 'abacus' (there are: ENGINES)"),
    (["none.mlir"], "error: cannot open input file 'none.mlir': No such file or directory"),
    ([SCALE, GOOD, "--function=scales"], "error: SCALE: there is no function named 'scales'"),
    (["two.mlir"], "error: two.mlir: there are 2 functions; expected --function=NAME"),
    (["types.mlir"], "types.mlir:1:1: error: 'arg0' has the type 'complex<f32>', which no tensor file holds"),
    (["syntax.mlir"], "syntax.mlir:1:11: error: custom op 'func.func' expected valid '@'-identifier for symbol name"),
    # Names.
    ([SCALE, "--in=x.npy"], "error: argument 'w' has no tensor"),
    ([SCALE, "--in=x.txt"], "error: expected a .npy or .safetensors file but got 'x.txt'"),
    ([SCALE, "--in=v=x.npy"], "error: x.npy: there is no argument named 'v' (there are: x, w)"),
    ([SCALE, "--in=extra.safetensors"],
     "error: extra.safetensors: there is no argument named 'z' (there are: x, w)"),
    ([SCALE, GOOD, "--in=w=w.npy"], "error: w.npy: argument 'w' is given twice"),
    ([SCALE, GOOD, "--in=w.npy"], "error: w.npy: all 2 arguments have a tensor already"),
    ([SCALE, "--in=x=in.safetensors"],
     "error: 'in.safetensors' holds tensors with names of their own; expected it without 'x='"),
    ([SCALE, GOOD, "--expect=x.npy", "--expect=x.npy"], "error: x.npy: all 1 results have a tensor already"),
    # Types and shapes.
    ([SCALE, "--in=x.npy", "--in=w_f32.npy"], "error: w_f32.npy: argument 'w': expected BF16[?] but got F32[2]"),
    ([SCALE, "--in=x.npy", "--in=w_rank2.npy"], "error: w_rank2.npy: argument 'w': expected BF16[?] but got BF16[1, 2]"),
    ([SCALE, GOOD, "--expect=w.npy"], "error: w.npy: result 'y': expected BF16[?, ?] but got U16[2]"),
    ([SCALE, "--in=x.npy", "--in=w_short.npy"],
     "SCALE:10:3: error: assertion failed: mismatched size for broadcast"),
    # Malformed files.
    ([SCALE, "--in=none.npy"], "error: none.npy: cannot open: No such file or directory"),
    ([SCALE, "--in=text.npy"], "error: text.npy: not an .npy file"),
    ([SCALE, "--in=w=w_cut.npy"], "error: w_cut.npy: expected 4 bytes of elements but got 3"),
    ([SCALE, "--in=lying.safetensors"],
     "error: lying.safetensors: tensor 'x' has a shape of 8 bytes but data_offsets of 800"),
    # Results.
    ([SCALE, GOOD, "--out=none/y.npy"], "error: none/y.npy: cannot write: No such file or directory"),
    ([SCALE, GOOD, "--out=y.txt"], "error: expected a .npy or .safetensors file but got 'y.txt'"),
    ([SCALE, GOOD, "--out=z=z.npy"], "error: z.npy: there is no result named 'z' (there are: y)"),
    ([SCALE, GOOD, "--out=1.npy", "--out=2.npy"], "error: 2.npy: there are only 1 results"),
    # Random inputs.
    ([SCALE, "--random=1"], "error: argument 'x' has dynamic dimensions: expected --shape=x=..."),
    ([SCALE, "--random=1", "--shape=x=2xy"], "error: expected a shape like x=4x64 but got 'x=2xy'"),
    ([SCALE, "--random=1", "--shape=x=4"], "error: argument 'x': expected BF16[?, ?] but got BF16[4]"),
    ([SCALE, "--random=1", "--shape=x=4000000000x4000000000"], "error: argument 'x': the shape is too large"),
    ([SCALE, GOOD, "--random=1", "--shape=v=4"], "error: --shape=v=4: there is no argument named 'v' (there are: x, w)"),
]

with open("two.mlir", "w") as file:
    file.write("func.func @a() {\n  return\n}\nfunc.func @b() {\n  return\n}\n")
with open("types.mlir", "w") as file:
    file.write("func.func @a(%x: complex<f32>) {\n  return\n}\n")
with open("syntax.mlir", "w") as file:
    file.write("func.func what\n")

faults = 0
before = set(os.listdir("."))
for arguments, expected in CASES:
    run = subprocess.run(["prec-run", *arguments], capture_output=True, text=True)
    first = run.stderr.split("\n")[0].replace(SCALE, "SCALE")
    if first.startswith("error: there is no engine"):
        first = first.split("(there are: ")[0] + "(there are: ENGINES)"
    left = set(os.listdir(".")) - before
    for name in left:
        os.remove(name)
    errors = run.stderr.count("error:")
    if (first, run.returncode, run.stdout, left) != (expected, 2, "", set()) or errors > 1:
        faults += 1
        print(f"{arguments}:\n  expected {expected}\n  but got  {first}\n  exit code {run.returncode}, "
              f"{errors} errors, files {left}, output {run.stdout!r}")
print(f"{len(CASES)} cases, {faults} faults")
sys.exit(1 if faults else 0)
