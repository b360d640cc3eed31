# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: errors.py INPUTS, in a folder that make_files.py has filled.

Runs prec-run on bad input: each case is one error, exit code 2, and no file.
"""
import ctypes
import os
import subprocess
import sys

SCALE = os.path.join(sys.argv[1], "scale.mlir")
GOOD = "--in=in.safetensors"
PTX = "empty.ptx"
LAUNCH = "--launch=" + os.path.join(sys.argv[1], "write_back.json")
KERNEL_IN = ["--in=x=x.npy", "--in=h=x.npy", "--in=c=x.npy"]
RANDOM = ["--random=1", "--shape=x=2x3", "--shape=w=3"]

CASES = [
    # The command line.
    ([], "prec-run: Not enough positional command line arguments specified!"),
    ([SCALE, "--tolerance=1"], "prec-run: Unknown command line argument '--tolerance=1'.  Try: 'prec-run --help'"),
    ([SCALE, GOOD, "--engine=abacus"], "error: there is no engine 'abacus' (there are: reference, host, ptx, cuda)"),
    (["none.mlir"], "error: cannot open input file 'none.mlir': No such file or directory"),
    ([SCALE, GOOD, "--function=scales"], "SCALE:2:1: error: no function 'scales'; the module has 'scale'"),
    (["two.mlir"], "two.mlir:1:1: error: which function? the module has 'a', 'b'"),
    (["types.mlir"], "types.mlir:1:1: error: unsupported type of argument 0: 'tensor<2xi5>'"),
    (["syntax.mlir"], "syntax.mlir:1:11: error: custom op 'func.func' expected valid '@'-identifier for symbol name"),
    ([SCALE, GOOD, "--cpu=x86-64"], "error: --cpu: expected --engine=host but got reference"),
    ([SCALE, GOOD, "--engine=host", "--cpu=z80"], "error: --cpu: unknown processor 'z80'"),
    ([SCALE, GOOD, "--engine=host", "--cpu=bdver4"],
     "error: --cpu: this processor does not run code for 'bdver4': it has no 'fma4'"),
    ([SCALE, GOOD, "--chip=sm_90"], "error: --chip: expected --engine=ptx but got reference"),
    ([SCALE, GOOD, "--engine=host", "--chip=foo"], "error: --chip: expected --engine=ptx but got host"),
    ([PTX, LAUNCH, "--engine=ptx", "--chip=sm_90"], "error: PTX: there is no function to compile for 'sm_90'"),
    ([SCALE, GOOD, "--offset=x=1"], "error: --offset: expected --engine=ptx or cuda but got reference"),
    ([SCALE, GOOD, "--engine=ptx", "--offset=x"], "error: --offset: expected NAME=ELEMENTS, up to 4096, but got 'x'"),
    ([SCALE, GOOD, "--engine=ptx", "--offset=x=5000"], "error: --offset: expected NAME=ELEMENTS, up to 4096, but got 'x=5000'"),
    ([SCALE, GOOD, "--engine=ptx", "--offset=z=1"], "error: --offset: there is no tensor 'z'"),
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
    # Kernels.
    ([PTX, "--engine=ptx"], "error: PTX: expected --launch=FILE"),
    ([PTX, LAUNCH], "error: PTX: expected --engine=ptx or cuda but got reference"),
    ([PTX, LAUNCH, "--engine=ptx", "--check"],
     "error: PTX: there is no function to check against; expected --expect=FILE"),
    ([PTX, LAUNCH, "--engine=ptx"],
     "error: LAUNCH: expected 'results', or --expect=NAME=FILE for each tensor that the kernels write"),
    ([PTX, LAUNCH, "--engine=ptx", "--expect=x.npy"], "error: x.npy: expected NAME=x.npy"),
    ([PTX, LAUNCH, "--engine=ptx", "--expect=out=x.npy"], "error: argument 'x' has no tensor"),
    ([PTX, LAUNCH, "--engine=ptx", "--expect=out=x.npy", "--random=1"],
     "error: argument 'x' has no type to make random values of"),
    ([PTX, LAUNCH, "--engine=ptx", "--expect=out=x.npy", *KERNEL_IN],
     "PTX:1:1: error: no kernel 'c_writeback_pk' in the module"),
    (["bad.ptx", LAUNCH, "--engine=ptx", "--expect=out=x.npy", *KERNEL_IN], "bad.ptx:4:10: error: expected a directive but got 'entry'"),
    ([PTX, "--engine=ptx", "--launch=bad.json"], "error: bad.json: version: expected 1 but got 2"),
    ([PTX, "--engine=ptx", "--launch=none.json"],
     "error: cannot open input file 'none.json': No such file or directory"),
    ([PTX, "--engine=ptx", "--launch=guarded.json", "--expect=out=x.npy", *KERNEL_IN],
     "PTX:1:1: error: run-time check failed: x and h differ"),
    ([PTX, "--engine=ptx", "--launch=odd_guard.json", "--expect=out=x.npy", *KERNEL_IN],
     "PTX:1:1: error: a guard has the unknown comparison '~'"),
    ([SCALE, *RANDOM, "--engine=ptx", "--chip=sm_1"],
     "SCALE:2:1: error: unknown GPU 'sm_1'; known are sm_80, sm_86, sm_89, sm_90, sm_100, sm_120"),
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
    (["huge.mlir", "--random=1"], "huge.mlir:2:8: error: cannot make a tensor of shape [1125899906842624x4]"),
    (["huge.mlir", "--random=1", "--engine=host"], "huge.mlir:1:1: error: result 'y' is too large"),
    (["huge.mlir", "--random=1", "--engine=ptx"], "huge.mlir:1:1: error: result 'y' is too large"),
    # Random inputs.
    ([SCALE, "--random=1"], "error: argument 'x' has dynamic dimensions: expected --shape=x=..."),
    ([SCALE, "--random=1", "--shape=x=2xy"], "error: expected a shape like x=4x64 but got 'x=2xy'"),
    ([SCALE, "--random=1", "--shape=x=2x"], "error: expected a shape like x=4x64 but got 'x=2x'"),
    ([SCALE, "--random=1", "--shape=x=x2"], "error: expected a shape like x=4x64 but got 'x=x2'"),
    ([SCALE, "--random=1", "--shape=x=2xx3"], "error: expected a shape like x=4x64 but got 'x=2xx3'"),
    ([SCALE, "--random=1", "--shape=x=4"], "error: argument 'x': expected BF16[?, ?] but got BF16[4]"),
    ([SCALE, "--random=1", "--shape=x=4000000000x4000000000"], "error: argument 'x': the shape is too large"),
    ([SCALE, GOOD, "--random=1", "--shape=v=4"], "error: --shape=v=4: there is no argument named 'v' (there are: x, w)"),
]

try:
    ctypes.CDLL("libcuda.so.1")
except OSError:
    CASES.append(([PTX, LAUNCH, "--engine=cuda", "--expect=out=x.npy", *KERNEL_IN], "PTX:1:1: error: no CUDA driver"))

with open("two.mlir", "w") as file:
    file.write("func.func @a() {\n  return\n}\nfunc.func @b() {\n  return\n}\n")
with open("types.mlir", "w") as file:
    file.write("func.func @a(%x: tensor<2xi5>) {\n  return\n}\n")
with open("syntax.mlir", "w") as file:
    file.write("func.func what\n")

with open("huge.mlir", "w") as file:
    file.write("""func.func @huge(%x: tensor<f32>) -> (tensor<1125899906842624x4xf32> {prec.name = "y"}) {
  %e = tensor.empty() : tensor<1125899906842624x4xf32>
  %y = linalg.broadcast ins(%x : tensor<f32>) outs(%e : tensor<1125899906842624x4xf32>) dimensions = [0, 1]
  return %y : tensor<1125899906842624x4xf32>
}
""")

with open(PTX, "w") as file:
    file.write(".version 8.0\n.target sm_90\n.address_size 64\n")
with open("bad.ptx", "w") as file:
    file.write(".version 8.0\n.target sm_90\n.address_size 64\n.visible entry\n")
for name, comparison in (("guarded.json", "<"), ("odd_guard.json", "~")):
    with open(LAUNCH[9:]) as file:
        text = file.read().rstrip().removesuffix("}")
    guard = f'{{ "left": "rows", "is": "{comparison}", "right": "2", "message": "x and h differ" }}'
    with open(name, "w") as file:
        file.write(f'{text}, "guards": [{guard}] }}')
with open("bad.json", "w") as file:
    file.write('{ "version": 2 }')

faults = 0
before = set(os.listdir("."))
for arguments, expected in CASES:
    run = subprocess.run(["prec-run", *arguments], capture_output=True, text=True)
    first = run.stderr.split("\n")[0].replace(SCALE, "SCALE").replace(PTX, "PTX").replace(LAUNCH[9:], "LAUNCH")
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
