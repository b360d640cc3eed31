# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN   measures what results.md records, with the tools in BIN"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

binaries = pathlib.Path(sys.argv[1]).resolve()
here = pathlib.Path(__file__).resolve().parent
example = here.parent / "examples" / "gated-residual.mlir"


def measure(command):
    """Processor seconds, and peak memory in MiB, of a command that must succeed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"error: {' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    print("Host, one thread\n", flush=True)
    torch = ["--torch"] if importlib.util.find_spec("torch") else []
    subprocess.run([sys.executable, here / "host" / "run.py", binaries, *torch], check=True)

    print("\nCompile time\n\n| what | processor s | MiB |\n|---|---|---|")
    runs = [measure([binaries / "precc", example, "--function=mix_and_reduce", "--target=sm_90", "--emit=ptx", "-o", folder / "a.ptx"]) for _ in range(7)]
    print(f"| precc, mix_and_reduce to PTX | {min(run[0] for run in runs):.3f} | {max(run[1] for run in runs):.0f} |")
    for n in (1000, 10000):
        chain = folder / f"{n}.mlir"
        chain.write_text(subprocess.run([sys.executable, here / "chain.py", str(n)], check=True, capture_output=True, text=True).stdout)
        for pipeline in ("prec-to-host", "prec-to-ptx"):
            seconds, mebibytes = measure([binaries / "prec-opt", chain, f"--{pipeline}", "-o", os.devnull])
            print(f"| prec-opt --{pipeline}, a chain of {n} operations | {seconds:.2f} | {mebibytes:.0f} |")
