# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: profiles.py BIN

Our kernels for an expert's activation and for the sum of a token's experts, compiled under
each engine's profile, are proven to keep that profile's contract; and one engine's kernel
does not pass for another's.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

binaries = pathlib.Path(sys.argv[1])
MODEL = (pathlib.Path(__file__).resolve().parents[2] / "examples" / "moe-block.mlir").read_text()
SHAPES = {"activate_weighted": ["gu=3x2x128", "p=3x2"], "combine": ["z=3x8x64", "w=3x8", "ids=3x8"]}
# Profile of the kernel, profile of the contract, and what they are known to differ in.
OTHERS = [("vllm", "sglang", "activate_weighted"), ("sglang", "vllm", "activate_weighted"),
          ("megatron", "radixark_fp32", "activate_weighted"), ("radixark_fp32", "huggingface", "combine")]


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def audit(folder, element, function, profile, against):
    """The report of `profile`'s kernel against the contract under `against`."""
    model = folder / f"{element}.mlir"
    stem = f"{element}.{function}.{profile}.{against}"
    kernel, launch = folder / f"{stem}.ptx", folder / f"{stem}.json"
    for emit, output in (("ptx", kernel), ("meta", launch)):
        made = run(binaries / "precc", model, f"--function={function}", f"--profile={profile}", "--target=sm_90",
                   f"--emit={emit}", "-o", output)
        if made.returncode:
            return made.stderr
    report = run(binaries / "prec-audit", kernel, f"--launch={launch}", f"--against={model}", f"--function={function}",
                 f"--profile={against}", *[f"--shape={shape}" for shape in SHAPES[function]])
    return report.stdout + report.stderr


profiles = [line.split()[0] for line in run(binaries / "prec-opt", "--list-profiles").stdout.splitlines()]
with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder, cases = pathlib.Path(name), []
    for element in ("bf16", "f16"):
        (folder / f"{element}.mlir").write_text(MODEL.replace("bf16", element))
        cases += [(element, function, profile, profile, ": proven") for profile in profiles for function in SHAPES]
    cases += [("bf16", function, profile, other, ": refuted") for profile, other, function in OTHERS]
    reports = list(pool.map(lambda case: audit(folder, *case[:4]), cases))
failed = 0
for (element, function, profile, against, expected), report in zip(cases, reports):
    if expected not in report:
        failed += 1
        print(f"{function} in {element}, {profile} against {against}: expected '{expected}' but got\n{report}")
print(f"{len(cases)} kernels of {len(profiles)} profiles, {failed} failed")
sys.exit(bool(failed) or len(profiles) < 9)
