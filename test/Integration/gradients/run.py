# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN DATA ENGINE

Runs gradients and compares every bit: nn's of one element on all 65,536 inputs with their
formulas; the gated residual's (examples/gated-residual-backward.mlir) and the norms' with
PyTorch's on the CPU, in DATA, under the profile torch_cpu, and the experts' as written; the
gated residual's under torch_cuda, and the experts' under each engine's profile, with formulas.
"""
import concurrent.futures
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import formulas

binaries, data, engine = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]
here = pathlib.Path(__file__).resolve().parent
EXAMPLE = (here.parents[2] / "examples" / "gated-residual-backward.mlir").read_text()


def example(element, hidden):
    return EXAMPLE.replace("bf16", element).replace("2560", str(hidden))


class Runner:
    """Runs functions at once and counts what went wrong. Protocol: `start` any number, then
    `finish`; what `start` returns is the outputs' files when that is awaited."""

    def __init__(self, folder):
        self.folder, self.pool, self.runs = pathlib.Path(folder), concurrent.futures.ThreadPoolExecutor(os.cpu_count()), []

    def start(self, label, text, function, inputs, expected, after=None, profile=None):
        """Inputs and expectations by name: files, or bits. An input may be the name of an
        output of `after`, an earlier run."""
        self.runs.append((label, self.pool.submit(self.run, len(self.runs), text, function, inputs, expected, after, profile)))
        return self.runs[-1][1]

    def run(self, number, text, function, inputs, expected, after, profile):
        folder = self.folder / f"run{number}"
        folder.mkdir()
        program = folder / "program.mlir"
        program.write_text(text)
        earlier = after.result()[2] if after else {}

        def path(name, value):
            if isinstance(value, str):
                return earlier[value]
            if isinstance(value, np.ndarray):
                np.save(folder / f"{name}.npy", value)
                return folder / f"{name}.npy"
            return value

        inputs = {name: path(name, value) for name, value in inputs.items()}
        checks = {name: path(f"{name}.expected", value) for name, value in expected.items()}
        signature = re.search(rf"func\.func @{function}\(.*?\{{$", text, re.M | re.S)[0]
        results = re.findall(r'prec.name = "(\w+)"', signature.split("->")[1])
        outputs = {name: folder / f"{name}.out.npy" for name in results}
        command = [binaries / "prec-run", program, f"--function={function}", f"--engine={engine}"]
        command += [f"--profile={profile}"] if profile else []
        command += [f"--in={name}={value}" for name, value in inputs.items()]
        command += [f"--expect={name}={value}" for name, value in checks.items()]
        command += [f"--out={name}={value}" for name, value in outputs.items()]
        done = subprocess.run(command, capture_output=True, text=True)
        counts = re.findall(r"(\d+) elements, (\d+) mismatches", done.stdout)
        good = done.returncode == 0 and len(counts) == len(checks) and all(wrong == "0" for _, wrong in counts)
        text = "" if good else f"exit {done.returncode}\n{done.stdout}{done.stderr}"
        return sum(int(n) for n, _ in counts), text, outputs

    def finish(self):
        failed = elements = 0
        for label, run in self.runs:
            count, text, _ = run.result()
            elements += count
            if text:
                failed += 1
                print(f"{label}: {text}")
        print(f"{len(self.runs)} runs on {engine}, {elements} elements, {failed} failed")
        return failed


def elementwise(runner, element, random):
    R = formulas.Format(element)
    saved = np.arange(65536, dtype=np.uint16)
    gradient = random.permutation(saved)
    text = (here / "elementwise.mlir").read_text().replace("TYPE", element)
    for function, formula in formulas.ELEMENTWISE.items():
        expected = R.narrow(formula(R, R.widen(gradient), R.widen(saved)))
        second = re.search(rf"@{function}\(%g.*%(\w):", text)[1]
        runner.start(f"{function} {element}", text, function, {"g": gradient, second: saved}, {"gx": expected})


def half_of_reversed_rows(path, element):
    R = formulas.Format(element)
    return R.narrow(R.widen(np.load(path))[::-1] * np.float32(0.5))


def golden_gated_residual(runner, case, hidden):
    element = case.split(".")[-1]
    text = example(element, hidden)

    def start(function, inputs, expected, after=None):
        return runner.start(case, text, function, inputs, expected, after, profile="torch_cpu")

    def given(*names):
        paths = {name: data / f"{case}.{'gyo' if name == 'gyo' else name}.in.npy" for name in names}
        return {name: path if path.exists() else data / f"{case}.{name}.out.npy" for name, path in paths.items()}

    def right(mode, *names):
        paths = {name: data / f"{case}.{mode}{name}.out.npy" for name in names}
        return {name: path for name, path in paths.items() if path.exists()}

    if case.startswith("grspec"):
        start("write_back", given("gout", "h", "i"), right("", "gh", "gi"))
        start("mix_and_reduce", given("gy", "u", "xn"),
                     right("", "gu") | {"gxn_mul": data / f"{case}.gxn.out.npy"})
        start("mix_elementwise", {"ga": data / f"{case}.gy.in.npy"} | given("d"), right("", "gd"))
        return
    # The large cases' gradients of the projections are halves of other inputs.
    projections = given("gxn_down", "gxn_inj")
    if not projections["gxn_down"].exists():
        projections = {"gxn_down": half_of_reversed_rows(data / f"{case}.x.in.npy", element),
                       "gxn_inj": half_of_reversed_rows(data / f"{case}.gout.in.npy", element)}
    start("write_back", given("gout", "h", "i"), right("comb.", "gh", "gc", "gi"))
    start("mix_elementwise", given("ga", "d"), right("comb.", "gd"))
    mix = start("mix_and_reduce", given("gy", "u", "xn"), right("comb.", "gu"))
    start("normalize_combine", projections | {"gxn_mul": "gxn_mul"} | given("x", "w", "gout"),
                 right("comb.", "gxn", "gx", "gw"), mix)
    last = {"gy": data / f"{case}.gyo.in.npy"}
    if last["gy"].exists():
        mix = start("mix_and_reduce", last | given("u", "xn"), right("nocomb.", "gu"))
        start("normalize", {"gxn_down": projections["gxn_down"], "gxn_mul": "gxn_mul"} | given("x", "w"),
                     right("nocomb.", "gxn", "gx", "gw"), mix)


def golden_f32(runner):
    """What no f32 exp stands before, PyTorch's being not correctly rounded: given its gxn, its sigmoid (c / 2)."""
    case = "gr.17x4x64.f32"

    def given(*names):
        return {name: data / f"{case}.{name}.in.npy" for name in names}

    text, gxn = example("f32", 64), data / f"{case}.comb.gxn.out.npy"
    runner.start(case, text, "write_back", given("gout", "h", "i"), {"gc": data / f"{case}.comb.gc.out.npy"}, profile="torch_cpu")
    runner.start(case, text, "normalize", {"gxn_mul": gxn, "gxn_down": np.zeros_like(np.load(gxn))} | given("x", "w"),
                 {"gw": data / f"{case}.comb.gw.out.npy"}, profile="torch_cpu")
    written = (here / "f32.mlir").read_text()
    right = {name: data / f"{case}.comb.{name}.out.npy" for name in ("gh", "gi")}
    runner.start(case, written, "write_back", given("gout") | {"c": data / f"{case}.c.out.npy", "gc": data / f"{case}.comb.gc.out.npy"},
                 right)
    runner.start(case, written, "gx", {"gxn": gxn} | given("gout", "x", "w"),
                 {"gx": data / f"{case}.comb.gx.out.npy"})


def golden_norms(runner, element, hidden):
    text = (here / "norm.mlir").read_text().replace("HIDDEN", str(hidden)).replace("TYPE", element)
    case = data / f"norm{hidden}.{element}"
    for function in ("llama", "gemma", "frms", "softmax"):
        inputs = {"g": f"{case}.gy.in.npy", "x": f"{case}.x.in.npy", "w": f"{case}.w.in.npy"}
        if function == "softmax":
            inputs = {"g": inputs["g"], "y": f"{case}.softmax.out.npy"}
        inputs = {name: pathlib.Path(path) for name, path in inputs.items()}
        expected = {name: pathlib.Path(f"{case}.{function}.{name}.out.npy") for name in ("gx", "gw")}
        if function == "softmax":
            del expected["gw"]
        runner.start(f"{case.name} {function}", text, function, inputs, expected)


def golden_experts(runner, element):
    text = (here / "moe.mlir").read_text().replace("TYPE", element).replace("HIDDEN", "128")
    for function in ("swiglu", "act_p32", "act_p16", "radix_act", "hf_combine", "radix_combine"):
        arguments, results = re.search(rf"@{function}\((.*?)->(.*?)\{{$", text, re.M | re.S).groups()
        inputs = {name: data / f"moe.{element}.{name}.in.npy" for name in re.findall(r'prec.name = "(\w+)"', arguments)}
        expected = {name: data / f"moe.{element}.{function}.{name}.out.npy" for name in re.findall(r'prec.name = "(\w+)"', results)}
        # Not recorded: f32 gradients behind PyTorch's own f32 exp, and gz in f16.
        expected = {name: path for name, path in expected.items() if path.exists()}
        runner.start(f"{function} {element}", text, function, inputs, expected)


def experts_of_engines(runner, element, random):
    """The activation's gradients under each engine's profile."""
    R = formulas.Format(element)
    rows, hidden = 5, 256
    text = (here / "moe.mlir").read_text().replace("TYPE", element).replace("HIDDEN", str(hidden))
    bits = {name: R.narrow(random.standard_normal((rows, hidden)).astype(np.float32)) for name in ("gm", "g", "u")}
    p = random.random(rows).astype(np.float32)
    for profile, formula in formulas.ACTIVATIONS.items():
        expected = formula(R, *(R.widen(value) for value in bits.values()), p)
        expected = {name: value if name == "gp" else R.narrow(value) for name, value in expected.items()}
        runner.start(f"{profile} {element}", text, "activation", bits | {"p": p}, expected, profile=profile)


def other_rules(runner, element, random):
    """On random inputs, what PyTorch on the CPU does not do."""
    R = formulas.Format(element)
    rows, hidden = 5, 256
    gated = {"d": (rows, 32), "ga": (rows, 32), "i": (rows, 4), "h": (rows, hidden), "gy": (rows, hidden), "w": (4, hidden)}
    cuda = example(element, hidden)
    norms = (here / "norm.mlir").read_text().replace("HIDDEN", str(hidden)).replace("TYPE", element)
    cases = [(cuda, name, gated, (rows, 4, hidden), "torch_cuda")
             for name in ("write_back", "mix_and_reduce", "mix_elementwise", "normalize", "normalize_combine")]
    if element != "f32":
        cases += [(norms, name, {"w": (hidden,)}, (rows, hidden), None) for name in ("softmax_cuda", "closed", "layer_scaled", "layer_closed")]
        cases.append((norms, "layer", {"w": (hidden,)}, (rows, hidden), "torch_cuda"))
    for text, function, shapes, shape, profile in cases:
        formula = getattr(formulas, function)
        names = list(inspect.signature(formula).parameters)[1:]
        bits = {name: R.narrow(random.standard_normal(shapes.get(name, shape)).astype(np.float32)) for name in names}
        expected = formula(R, **{name: R.widen(value) for name, value in bits.items()})
        runner.start(f"{function} {element}, other rules", text, function, bits,
                     {name: R.narrow(value) for name, value in expected.items()}, profile=profile)


with tempfile.TemporaryDirectory() as folder:
    runner = Runner(folder)
    random = np.random.default_rng(1)
    for case, hidden in (("gr.17x4x64.bf16", 64), ("gr.17x4x64.f16", 64), ("gr.3x4x2560.bf16", 2560), ("gr.1x4x2560.f16", 2560),
                         ("grspec.bf16", 64), ("grspec.f16", 64)):
        golden_gated_residual(runner, case, hidden)
    golden_f32(runner)
    other_rules(runner, "f32", random)
    for element in ("bf16", "f16"):
        elementwise(runner, element, random)
        golden_experts(runner, element)
        experts_of_engines(runner, element, random)
        other_rules(runner, element, random)
        for hidden in (64, 2560):
            golden_norms(runner, element, hidden)
    sys.exit(bool(runner.finish()))
