# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN ENGINE

Runs moe operations with random parts, points and sizes and compares every bit with
oracle.py, which knows nothing of the compiler.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import oracle
from oracle import F32, Formula, from_bits, to_bits

binaries, engine = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
numpy.seterr(all="ignore")
RANDOM = numpy.random.default_rng(6)
NAMES = {numpy.dtype(numpy.int32): "i32", numpy.dtype(numpy.int64): "i64", numpy.dtype(F32): "f32"}


class Case:
    """A program of one operation, its arguments and its expected results."""

    def __init__(self, label):
        self.label, self.arguments, self.results = label, [], []

    def tensor(self, values, element=None):
        """An argument with these values; of floats also what the formula works with."""
        floats = element is not None
        stored = to_bits(values.astype(F32), element) if floats else values
        kind = element if floats else NAMES[values.dtype]
        dims = "x".join(["?"] * (self.dynamic and values.ndim > 0) + [str(d) for d in values.shape[int(self.dynamic):]])
        self.arguments.append((stored, f"tensor<{dims}x{kind}>" if dims else f"tensor<{kind}>"))
        return from_bits(stored, element) if floats else values

    dynamic = True

    def name(self):
        """The last argument in the text of an operation."""
        return f"%{len(self.arguments) - 1} : {self.arguments[-1][1]}"

    def finish(self, text, results, types=None):
        """`results`: the expected bits and the tensor type of each; `types`: those in the
        operation's text, unless they are those of the first argument and the results."""
        self.results = results
        inputs = ", ".join(f"%{i}: {kind}" for i, (_, kind) in enumerate(self.arguments))
        kinds = ", ".join(kind for _, kind in results)
        types = types or f"{self.arguments[0][1]} to {kinds}"
        values = ", ".join(f"%r#{i}" for i in range(len(results)))
        self.text = (f"func.func @f({inputs}) -> ({kinds}) {{\n  %r:{len(results)} = {text} : {types}\n"
                     f"  return {values} : {kinds}\n}}\n")
        return self


def normal(*shape, scale=2.0):
    """Numbers with some zeros, large, tiny and special ones among them."""
    values = (RANDOM.standard_normal(shape) * scale).astype(F32)
    special = numpy.array([0.0, -0.0, 1e30, -1e30, 1e-30, numpy.inf, -numpy.inf, numpy.nan], F32)
    chosen = RANDOM.random(shape) < 0.02
    return numpy.where(chosen, RANDOM.choice(special, shape), values).astype(F32)


def maybe(share=0.5):
    return RANDOM.random() < share


def points(names, defaults):
    """A random choice, as text and as a set."""
    on = {name for name in names if maybe()} if maybe(0.7) else set(defaults)
    changed = [f"{name} = {str(name in on).lower()}" for name in names if (name in on) != (name in defaults)]
    return (f" points {{{', '.join(changed)}}}" if changed else ""), on


def activation(number):
    function = ["silu", "silu", "silu", "gelu", "gelu_tanh", "relu_squared", "relu"][number % 7]
    element = ["bf16", "f16"][number // 7 % 2]
    layout = ["halves", "interleaved", "up", ""][number % 4]
    stored = "f32" if maybe(0.2) else element  # accumulators of a matrix product
    case = Case(f"activation {number}")
    rows, hidden = int(RANDOM.integers(1, 9)), int(RANDOM.choice([5, 8, 40]))
    last = 2 * hidden if layout in ("halves", "interleaved") else hidden
    x = case.tensor(normal(rows, last), stored)
    text, parts = f"moe.activation {function} %0", {}

    def split(values):
        if layout == "halves":
            return values[..., :hidden], values[..., hidden:]
        return (values[..., ::2], values[..., 1::2]) if layout == "interleaved" else (values, None)

    gate, up = split(x)
    if layout == "up":
        up = case.tensor(normal(rows, hidden), stored)
        text += f" up({case.name()})"
    elif layout:
        text += f" layout {layout}"
    if maybe():
        case.dynamic = False
        parts["bias"], parts["up_bias"] = split(case.tensor(normal(last), element))
        text += f" bias({case.name()})"
        if layout == "up":
            parts["up_bias"] = case.tensor(normal(hidden), "f32")
            text += f" up_bias({case.name()})"
        case.dynamic = True
    if maybe(0.7):
        parts["probability"] = case.tensor(normal(rows), "f32" if maybe() else element)
        text += f" probability({case.name()})"
    if function == "silu" and maybe():
        parts["form"] = "product"
        text += " form product"
    if function == "silu" and maybe():
        parts["alpha"] = 1.702
        text += " alpha 1.702"
    if maybe():
        parts["limit"] = 1.3
        text += " limit 1.3"
    if up is not None and maybe():
        parts["offset"] = 0.3
        text += " offset 0.3"
    names = ["gate_cast", "up_cast", "bias", "clamp", "scaled", "sigmoid", "silu", "offset_scalar", "offset", "product",
             "probability"]
    setting, on = points(names, oracle.ACTIVATION)
    expected = oracle.activation(Formula(element, on), function, gate, up, **parts)
    result = "f32" if stored == element and maybe(0.2) else element
    return case.finish(text + setting, [(to_bits(expected, result), f"tensor<?x{hidden}x{result}>")])


def combine(number):
    element = ["bf16", "f16"][number % 2]
    case = Case(f"combine {number}")
    tokens, slots, hidden = int(RANDOM.integers(1, 7)), int(RANDOM.choice([1, 2, 3, 8, 20])), int(RANDOM.choice([3, 16]))
    by_row = number % 3 == 0
    rows = int(RANDOM.choice([0, 1, 5]))
    accumulate = numpy.float64 if maybe(0.25) else F32

    # f64 sums of infinite or huge terms are not what is tested here.
    def numbers(*shape):
        return RANDOM.standard_normal(shape).astype(F32) if accumulate == numpy.float64 else normal(*shape)

    terms = case.tensor(numbers(rows, hidden) if by_row else numbers(tokens, slots, hidden), "f32" if maybe(0.3) else element)
    text, sequence, parts = "moe.combine %0", "", {}
    if maybe(0.8):
        parts["weights"] = case.tensor(numbers(tokens, slots), "f32" if maybe() else element)
        text += f" weights({case.name()})"
    if by_row:
        kind = numpy.int32 if maybe() else numpy.int64
        indices = RANDOM.integers(-1, rows + 1, (tokens, slots)).astype(kind)
        parts["indices"] = case.tensor(numpy.where(RANDOM.random(indices.shape) < 0.05, numpy.iinfo(kind).min, indices).astype(kind))
        text += f" indices({case.name()})"
        if "weights" in parts:  # what a dropped slot holds is of no account
            weights, _ = case.arguments[1]
            weights[indices < 0] = to_bits(numpy.full(1, numpy.nan, F32), "f32" if weights.dtype == F32 else element)[0]
    if maybe():
        parts["keys"] = case.tensor(RANDOM.integers(-3, 4, (tokens, slots)).astype(numpy.int32))
        text += f" by({case.name()})"
        if maybe(0.3):
            del parts["keys"]
            sequence = " sequence slots"
    if maybe(0.3):
        case.dynamic = False
        parts["bias"] = case.tensor(numbers(hidden), element)
        text += f" bias({case.name()})"
        case.dynamic = True
    if maybe():
        parts["shared"] = case.tensor(numbers(tokens, hidden), element)
        text += f" shared({case.name()})"
        if maybe():
            parts["logit"] = case.tensor(numbers(tokens, 1) if maybe() else numbers(tokens), element)
            text += f" shared_logit({case.name()})"
    if maybe(0.3):
        parts["residual"] = case.tensor(numbers(tokens, hidden), element)
        text += f" residual({case.name()})"
    if maybe(0.3):
        parts["scale"] = 2.7
        text += " scale 2.7"
    text += sequence
    if accumulate == numpy.float64:
        text += " accumulate f64"
    names = ["bias", "weight", "term", "accumulate", "sum", "scaled", "shared_gate", "shared", "combined"]
    setting, on = points(names, oracle.COMBINE)
    expected = oracle.combine(Formula(element, on), terms, accumulate=accumulate, **parts)
    return case.finish(text + setting, [(to_bits(expected, element), f"tensor<?x{hidden}x{element}>")])


def router(number):
    element = ["bf16", "f16"][number % 2]
    case = Case(f"router {number}")
    tokens, experts, top_k = [(5, 16, 4), (3, 8, 8), (9, 64, 6), (2, 20, 1)][number % 4]
    logits = normal(tokens, experts, scale=1.0)
    logits[0] = numpy.round(logits[0])  # ties
    narrow = maybe(0.7)
    logits = case.tensor(logits, element if narrow else "f32")
    scoring = ["softmax", "sigmoid", "softmax_of_top"][number % 3]
    text, parts = "moe.router %0", {}
    if maybe():
        case.dynamic = False
        parts["bias"] = case.tensor((RANDOM.standard_normal(experts) * 0.3).astype(F32), "f32" if maybe() else element)
        text += f" bias({case.name()})"
        case.dynamic = True
    text += f" {scoring} top_k {top_k}"
    if scoring != "softmax_of_top" and maybe(0.7):
        parts["renormalize"] = True
        text += " renormalize"
        if maybe():
            parts["epsilon"] = 1e-3
            text += " epsilon 1.0e-3"
    if maybe():
        parts["scale"] = 2.5
        text += " scale 2.5"
    if experts in (16, 64) and maybe(0.7):
        parts["groups"], parts["top_groups"] = (4, 2)
        text += " groups 4 top_groups 2"
        if maybe():
            parts["group_score"] = "top2_sum"
            text += " group_score top2_sum"
        if maybe():
            parts["masked"] = "zero"
            text += " masked zero"
    if maybe(0.3):
        parts["divide"] = "reciprocal"
        text += " divide reciprocal"
    names = ["logit", "shifted", "exponential", "sum", "score", "bias", "biased", "group_score", "total", "normalized"]
    setting, on = points(names, set())
    weights, indices = oracle.router(Formula(element, on), logits, top_k, scoring, **parts)
    integer = "i32" if maybe() else "i64"
    result = "f32" if narrow and maybe() else element
    return case.finish(text + " order <sequential>" + setting, [
        (to_bits(weights, result), f"tensor<?x{top_k}x{result}>"),
        (indices.astype(numpy.int32 if integer == "i32" else numpy.int64), f"tensor<?x{top_k}x{integer}>")])


def router_sizes(number):
    """Numbers of experts and of tokens; rows with ties, with zeros of both signs, with a NaN."""
    experts, top_k, groups = [(8, 2, None), (64, 6, None), (64, 6, (8, 3)), (128, 8, None), (256, 8, (8, 4)), (256, 8, None)][number % 6]
    tokens = [7, 0, 1][number // 6]
    case = Case(f"router of {experts} experts, {tokens} tokens, {groups or 'no'} groups")
    logits = (RANDOM.standard_normal((tokens, experts)) * 1.5).astype(F32)
    if tokens > 1:
        logits[0] = 0
        logits[1] = numpy.where(RANDOM.random(experts) < 0.5, F32(-0.0), F32(0))
        logits[2] = numpy.round(logits[2])
        logits[3, experts // 2:] = logits[3, :experts - experts // 2]
        logits[4, 3] = numpy.nan
        logits[5, experts - 1] = -numpy.inf
    logits = case.tensor(logits, "bf16")
    text, parts = "moe.router %0", {}
    if groups:
        case.dynamic = False
        parts["bias"] = case.tensor((RANDOM.standard_normal(experts) * 0.3).astype(F32), "f32")
        text += f" bias({case.name()})"
        parts["groups"], parts["top_groups"], parts["group_score"] = *groups, "top2_sum"
        case.dynamic = True
    scoring = "sigmoid" if groups or number % 2 else "softmax"
    text += f" {scoring} top_k {top_k} renormalize"
    if groups:
        text += f" groups {groups[0]} top_groups {groups[1]} group_score top2_sum"
    weights, indices = oracle.router(Formula("bf16", set()), logits, top_k, scoring, renormalize=True, **parts)
    return case.finish(text + " order <sequential> total_order <sequential>", [
        (weights, f"tensor<?x{top_k}xf32>"), (indices.astype(numpy.int32), f"tensor<?x{top_k}xi32>")])


def activation_grad(number):
    function = ["silu", "silu", "silu", "gelu", "gelu_tanh", "relu_squared", "relu"][number % 7]
    derivative = ["steps", "chain", "closed"][number // 2 % 3] if function == "silu" else "steps"
    element = ["bf16", "f16"][number // 7 % 2]
    layout = ["halves", "interleaved", "up", ""][number % 4]
    case = Case(f"activation_grad {number}")
    rows, hidden = int(RANDOM.integers(1, 9)), int(RANDOM.choice([5, 8, 40]))
    last = 2 * hidden if layout in ("halves", "interleaved") else hidden
    dy = case.tensor(normal(rows, hidden), element)
    x = case.tensor(normal(rows, last), element)
    text, parts = f"moe.activation_grad {function} %0, %1", {"gate": x}
    (_, of_gradient), (_, of_input) = case.arguments
    types, kinds = f"{of_gradient}, {of_input} to {of_input}", [of_input]
    if layout == "up":
        parts["up"] = case.tensor(normal(rows, hidden), element)
        text += f" up({case.name()})"
        kinds.append(case.arguments[-1][1])
        types += f" up {kinds[-1]}"
    elif layout:
        parts["gate"], parts["up"] = (x[:, :hidden], x[:, hidden:]) if layout == "halves" else (x[:, ::2], x[:, 1::2])
        text += f" layout {layout}"
    bias_kinds = []
    if hidden >= 8 and maybe(0.4):
        case.dynamic = False
        asked = maybe()  # for the gradients of the biases
        bias = case.tensor(normal(last), element if maybe() else "f32")
        text += f" bias({case.name()})"
        if asked:
            bias_kinds.append(case.arguments[-1][1])
            types += f" bias {bias_kinds[-1]}"
        if layout == "up":
            parts["up_bias"] = case.tensor(normal(hidden), "f32")
            text += f" up_bias({case.name()})"
            if asked:
                bias_kinds.append(case.arguments[-1][1])
                types += f" up_bias {bias_kinds[-1]}"
        kinds += bias_kinds
        if layout in ("halves", "interleaved"):
            parts["up_bias"] = bias[hidden:] if layout == "halves" else bias[1::2]
            bias = bias[:hidden] if layout == "halves" else bias[::2]
        parts["bias"] = bias
        case.dynamic = True
    if maybe(0.7):
        parts["narrow"] = maybe()
        parts["probability"] = case.tensor(normal(rows), element if parts["narrow"] else "f32")
        text += f" probability({case.name()})"
        kinds.append(case.arguments[-1][1])
        types += f" probability {kinds[-1]}"
    if derivative != "steps":
        parts["derivative"] = derivative
        text += f" derivative {derivative}"
    if function == "silu" and maybe():
        parts["form"] = "product"
        text += " form product"
    pack = RANDOM.choice(["", "add", "add_f32"]) if layout in ("halves", "interleaved") else ""
    text += f" pack {pack}" if pack else ""
    if function == "silu" and maybe(0.4):
        parts["alpha"] = 1.702
        text += " alpha 1.702"
    if maybe():
        parts["limit"] = 1.3
        text += " limit 1.3"
    if "up" in parts and maybe():
        parts["offset"] = 0.3
        text += " offset 0.3"
    setting, on = points(sorted(oracle.ACTIVATION_GRAD | {"probability", "offset_scalar"}), oracle.ACTIVATION_GRAD)
    dg, du, terms = oracle.activation_grad(Formula(element, on), function, dy, **parts)

    def stored(values):
        if pack == "add":
            values = from_bits(to_bits(values, element), element)
        return to_bits(values + F32(0) if pack else values, element)

    expected = [stored(dg)]
    if layout == "up":
        expected.append(stored(du))
    elif layout:
        expected = [numpy.stack([stored(dg), stored(du)], axis=1 if layout == "halves" else 2).reshape(rows, last)]
    for kind, gradient in zip(bias_kinds, list(expected)):
        total = numpy.zeros(gradient.shape[1], F32)
        for part in from_bits(gradient, element):
            total = total + part
        expected.append(to_bits(total, "f32" if kind.endswith("f32>") else element))
    if "probability" in parts:
        expected.append(to_bits(oracle.sequential_sum(terms), element if parts["narrow"] else "f32"))
    return case.finish(f"{text} order <sequential from_zero>{' rows_order <sequential from_zero>' if bias_kinds else ''}{setting}",
                       list(zip(expected, kinds)), types)


def combine_grad(number):
    element = ["bf16", "f16"][number % 2]
    case = Case(f"combine_grad {number}")
    tokens, slots, hidden = int(RANDOM.integers(1, 7)), int(RANDOM.choice([1, 2, 3, 8])), int(RANDOM.choice([3, 16]))
    dy = case.tensor(normal(tokens, hidden), element)
    by_row = number % 3 == 0
    rows = int(RANDOM.choice([0, 1, 5]))
    terms = case.tensor(normal(rows, hidden) if by_row else normal(tokens, slots, hidden), element)
    text, parts = "moe.combine_grad %0, %1", {"terms": terms}
    (_, of_gradient), (_, of_terms) = case.arguments
    types, kinds = f"{of_gradient}, {of_terms} to {of_terms}", [of_terms]
    if maybe(0.8):
        parts["narrow"] = maybe()
        parts["weights"] = case.tensor(normal(tokens, slots), element if parts["narrow"] else "f32")
        text += f" weights({case.name()})"
        kinds.append(case.arguments[-1][1])
        types += f" weights {kinds[-1]}"
    if by_row:
        kind = numpy.int32 if maybe() else numpy.int64
        parts["indices"] = case.tensor(RANDOM.integers(-1, rows + 1, (tokens, slots)).astype(kind))
        text += f" indices({case.name()})"
        parts["slots"] = case.tensor(RANDOM.integers(-1, tokens * slots + 1, rows).astype(kind))
        text += f" slots({case.name()})"
    if maybe(0.3):
        parts["scale"] = 2.7
        text += " scale 2.7"
    setting, on = points(sorted(oracle.COMBINE_GRAD), oracle.COMBINE_GRAD)
    dz, products = oracle.combine_grad(Formula(element, on), dy, **parts)
    expected = [to_bits(dz, element)]
    if "weights" in parts:
        expected.append(to_bits(oracle.sequential_sum(products), element if parts["narrow"] else "f32"))
    return case.finish(f"{text} order <sequential from_zero>{setting}", list(zip(expected, kinds)), types)


def run(number, case, folder):
    """What went wrong, or nothing."""
    program = folder / f"{number}.mlir"
    program.write_text(case.text)
    arguments = []
    for i, (values, _) in enumerate(case.arguments):
        numpy.save(folder / f"{number}.arg{i}.npy", values)
        arguments.append(f"--in=arg{i}={folder / f'{number}.arg{i}.npy'}")
    for i, (values, _) in enumerate(case.results):
        numpy.save(folder / f"{number}.result{i}.npy", values)
        arguments.append(f"--expect=result{i}={folder / f'{number}.result{i}.npy'}")
    done = subprocess.run([binaries / "prec-run", program, f"--engine={engine}", *arguments], capture_output=True, text=True)
    good = done.returncode == 0 and done.stdout.count(", 0 mismatches") == len(case.results)
    return "" if good else f"{case.label}: exit {done.returncode}\n{case.text}{done.stdout}{done.stderr}"


cases = [make(number) for make, count in ((activation, 28), (combine, 24), (router, 24), (router_sizes, 18), (activation_grad, 42), (combine_grad, 18)) for number in range(count)]
with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [text for text in pool.map(run, range(len(cases)), cases, [pathlib.Path(name)] * len(cases)) if text]
print("\n".join(faults))
elements = sum(values.size for case in cases for values, _ in case.results)
print(f"{len(cases)} cases on {engine}, {elements} elements, {len(faults)} cases failed")
sys.exit(bool(faults))
