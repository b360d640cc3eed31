# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: own.py BIN ROOT WORK

Compiles the gated residual and audits what comes out: every output must be
proven, in less than 5 s of processor time each.
"""
import pathlib
import resource
import subprocess
import sys

tools, root, work = map(pathlib.Path, sys.argv[1:4])
work.mkdir(parents=True, exist_ok=True)
SHAPES = {
    "mix_elementwise": ["d=3x640"],
    "mix_and_reduce": ["u=1x4x2560", "xn=1x4x2560"],
    "write_back": ["x=1x4x2560", "h=1x2560", "i=1x4"],
}
bad = 0
for element in ("bf16", "f16"):
    model = work / f"{element}.mlir"
    model.write_text((root / "examples/gated-residual.mlir").read_text().replace("bf16", element))
    for function, shapes in SHAPES.items():
        for chip in ("sm_80", "sm_90", "sm_100"):
            name = f"{function}.{element}.{chip}"
            ptx, launch = work / f"{name}.ptx", work / f"{name}.json"
            for emit, file in (("ptx", ptx), ("meta", launch)):
                subprocess.run([tools / "precc", model, f"--function={function}", f"--target={chip}", f"--emit={emit}",
                                "-o", file], check=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = subprocess.run([tools / "prec-audit", ptx, f"--launch={launch}", f"--against={model}",
                                   f"--function={function}"] + [f"--shape={s}" for s in shapes],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            ok = done.returncode == 0 and ": proven (" in done.stdout and seconds < 5
            bad += not ok
            print(f"{'ok  ' if ok else 'FAIL'} {name}: {done.stdout.splitlines()[0]} {seconds:.1f} s", flush=True)
print(f"{bad} not proven")
sys.exit(bad != 0)
