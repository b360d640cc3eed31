# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN   prints the table of results.md: what our kernels cost on sm_90, in bf16, for each element of a result

SASS instructions need ptxas and nvdisasm; without them the column is empty.
"""
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import programs
import sass

binaries = pathlib.Path(sys.argv[1]).resolve()
ptxas = shutil.which("ptxas", path="/usr/local/cuda/bin") or shutil.which("ptxas")


def compile_to_ptx(source, function, chip, ptx):
    """The seconds that it took."""
    before = processor()
    subprocess.run([binaries / "precc", source, f"--function={function}", f"--target={chip}", "--emit=ptx", "-o", ptx], check=True)
    return processor() - before


def processor():
    """Seconds of processor time of all processes that ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spills(ptx, chip):
    """Bytes that ptxas spills, or None where it cannot say."""
    if not ptxas:
        return None
    done = subprocess.run([ptxas, f"-arch={chip}", "-v", "--fmad=false", ptx, "-o", ptx.with_suffix(".cubin")],
                          capture_output=True, text=True, check=True)
    return sum(map(int, re.findall(r"(\d+) bytes spill", done.stderr)))


def instructions(ptx, name):
    """SASS instructions on a kernel's longest way, or None where they cannot be counted."""
    return sass.longest_path(ptx.with_suffix(".cubin"), name) if ptxas and sass.disassembler() else None


print("| kernel | SASS/element | at most | of loose | PTX/element | bytes/element | distinct | minimum | times read | sectors | spills, sm_80 90 100 | precc s |")
print("|---|---|---|---|---|---|---|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for kernel in programs.KERNELS:
        source, ptx = folder / f"{kernel.name}.mlir", folder / f"{kernel.name}.ptx"
        source.write_text(kernel.text)
        spilled = {}
        for chip in ("sm_80", "sm_100", "sm_90"):
            compile_to_ptx(source, kernel.name, chip, ptx)
            spilled[chip] = spills(ptx, chip)
        seconds = min(compile_to_ptx(source, kernel.name, "sm_90", ptx) for _ in range(3))
        path = instructions(ptx, kernel.name)
        run = subprocess.run([binaries / "prec-run", source, f"--function={kernel.name}", "--engine=ptx", "--chip=sm_90", "--random=1",
                              "--counters=json", *(f"--shape={shape}" for shape in kernel.shapes)], check=True, stdout=subprocess.PIPE)
        counters = json.loads(run.stdout.splitlines()[-1])
        counts = {name: count * kernel.results for name, count in counters["per_element"].items()}
        # Inputs whose bytes are read more than once.
        again = ", ".join(f"{name} {tensor['reads_per_byte']:g}" for name, tensor in counters["tensors"].items()
                          if tensor["reads_per_byte"] > 1)
        ratio = 1.0
        if kernel.loose:
            source.write_text(kernel.loose)
            compile_to_ptx(source, kernel.name, "sm_90", ptx)
            spills(ptx, "sm_90")
            ratio = path and path / instructions(ptx, kernel.name)
        print(f"| {kernel.name} | {'' if path is None else f'{path / kernel.elements:.2f}'} | {kernel.most or ''} | {'' if ratio is None else f'{ratio:.2f}'} "
              f"| {counts['thread_instructions']:g} | {counts['bytes']:g} | {counts['bytes_distinct']:g} | {counts['bytes_minimum']:g} | {again} "
              f"| {counters['sectors_minimum'] / counters['sectors']:.0%} | {spilled['sm_80']} {spilled['sm_90']} {spilled['sm_100']} "
              f"| {seconds:.3f} |", flush=True)
