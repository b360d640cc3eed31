# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN GOLDEN

Each engine's profile gives the engine's formula, bit for bit: on the field cases whose bits
are known, on random inputs against the formulas below, and on PyTorch's recorded outputs.
The formulas are written once more here, in IEEE f32 and exact arithmetic, from what the
engines' sources say and from nothing of the compiler.
"""
import concurrent.futures
import decimal
import fractions
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

binaries, golden = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
here = pathlib.Path(__file__).resolve().parent
f32 = numpy.float32
decimal.getcontext().prec = 60
numpy.seterr(all="ignore")

# --- exact arithmetic ----------------------------------------------------------------------


def to_f32(exact):
    """The f32 number nearest to an exact one (a Fraction), ties to even; for normal results."""
    if exact == 0:
        return f32(0)
    near = f32(float(exact))
    around = [numpy.nextafter(near, f32(-numpy.inf)), near, numpy.nextafter(near, f32(numpy.inf))]
    return min(around, key=lambda v: (abs(fractions.Fraction(float(v)) - exact), int(v.view(numpy.uint32)) & 1))


def rsqrt(x):
    return to_f32(fractions.Fraction(1 / decimal.Decimal(float(x)).sqrt()))


def exp(x):
    return to_f32(fractions.Fraction(decimal.Decimal(float(x)).exp()))


class Element:
    """A 16-bit type: its bits, and the rounding R of f32 arrays to its numbers, which are f32 again."""

    def __init__(self, name):
        self.name = name

    def bits(self, values):
        values = numpy.asarray(values, f32)
        if self.name == "f16":
            return values.astype(numpy.float16).view(numpy.uint16)
        word = values.view(numpy.uint32).astype(numpy.uint64)
        return ((word + 0x7FFF + ((word >> 16) & 1)) >> 16).astype(numpy.uint16)

    def numbers(self, bits):
        bits = numpy.asarray(bits, numpy.uint16)
        if self.name == "f16":
            return bits.view(numpy.float16).astype(f32)
        return (bits.astype(numpy.uint32) << 16).view(f32)

    def round(self, values):
        return self.numbers(self.bits(values))


def add_up(values, start=f32(0)):
    """((start + v0) + v1) + ..., along the first axis."""
    total = numpy.full(values.shape[1:], start, f32)
    for value in values:
        total = total + value
    return total


def columns(x):
    """Down the first axis: on the CPU one accumulator (these have fewer than 16 rows)."""
    return add_up(x)


def cuda_columns(x):
    """Four accumulators, then ((a0 + a1) + a2) + a3."""
    return add_up(numpy.stack([add_up(x[i::4]) for i in range(min(4, len(x)))]))


def neighbours(values):
    """(v0 + v1) + (v2 + v3) ..., along the last axis, a power of two long."""
    while values.shape[-1] > 1:
        values = values[..., 0::2] + values[..., 1::2]
    return values[..., 0]


def cuda_rows(x):
    """A warp a row: loads of 4 neighbours, one accumulator for each of the 4 and each thread."""
    x = x.reshape(len(x), -1, 32, 4)
    parts = add_up(numpy.moveaxis(x, 1, 0))
    return neighbours(add_up(numpy.moveaxis(parts, 2, 0)))


def cuda_softmax_rows(x):
    """Every 32nd element in a thread, then l += l + 16, 8, 4, 2, 1."""
    lanes = add_up(numpy.moveaxis(x.reshape(len(x), -1, 32), 1, 0))
    while lanes.shape[-1] > 1:
        half = lanes.shape[-1] // 2
        lanes = lanes[:, :half] + lanes[:, half:]
    return lanes[:, 0]


# --- the engines ---------------------------------------------------------------------------
# A norm: (reciprocal of the count, a second rounding without one_plus). An activation: rounding of
# silu, of the product. A combination: of the bias, the weight, the term, after each addition.

ENGINES = {
    #                    rms_norm        silu   product  bias   weight term   accumulate rope
    "torch_cpu":         (None,          True,  True,    True,  True,  True,  False,     True),
    "torch_cuda":        ((True, False), True,  True,    True,  True,  True,  True,      True),
    "huggingface":       ((True, True),  True,  True,    True,  True,  True,  True,      True),
    "megatron":          ((False, False), True, True,    True,  False, False, False,     True),
    "megatron_compiled": ((False, False), False, False,  True,  False, False, False,     True),
    "radixark_fp32":     ((False, False), False, False,  False, False, False, False,     True),
    "vllm":              ((False, True), True,  True,    True,  False, True,  False,     False),
    "vllm_pre_46643":    ((False, True), True,  True,    True,  False, True,  True,      False),
    "sglang":            ((False, False), False, True,   True,  False, True,  False,     False),
}


def maybe(element, on, values):
    return element.round(values) if on else values


def silu(x):
    e = numpy.vectorize(exp, otypes=[f32])(-x)
    return x / (f32(1) + e)


def activation(engine, element, g, u=None, p=None, function=silu):
    _, round_silu, round_product, *_ = ENGINES[engine]
    v = maybe(element, round_silu, function(g))
    if u is not None:
        v = maybe(element, round_product, v * u)
    if p is not None:
        v = v * p[:, None]
    return element.round(v)


def combine(engine, element, z, p=None, b=None):
    _, _, _, bias, weight, term, accumulate, _ = ENGINES[engine]
    if b is not None:
        z = maybe(element, bias, z + b)
    if p is not None:
        z = maybe(element, term, z * maybe(element, weight, p)[..., None])
    elif engine in ("megatron", "megatron_compiled"):
        accumulate = True  # 16-bit additions where the probabilities are in the experts
    total = numpy.zeros((len(z), z.shape[2]), f32)
    for slot in range(z.shape[1]):
        total = maybe(element, accumulate, total + z[:, slot])
    return element.round(total)


def by_expert(engine, element, z, k):
    """In order of the slots; where experts run one after the other, by expert ids, equal ones in order of the slots."""
    if engine in ("huggingface", "megatron", "megatron_compiled"):
        z = numpy.take_along_axis(z, numpy.argsort(k, axis=1, kind="stable")[..., None], axis=1)
    return combine(engine, element, z)


def sigmoid_grad(engine, element, g, y):
    inner = not (engine == "torch_cpu" and element.name == "bf16")
    return element.round(maybe(element, inner, g * maybe(element, inner, f32(1) - y)) * y)


def tanh_grad(engine, element, g, y):
    inner = engine != "torch_cpu"
    return element.round(g * maybe(element, inner, f32(1) - maybe(element, inner, y * y)))


def rms_norm(engine, element, x, w, one_plus, eps):
    reciprocal, twice = ENGINES[engine][0]
    squares, count = cuda_rows(x * x), f32(x.shape[1])
    mean = squares * (f32(1) / count) if reciprocal else squares / count
    y = x * numpy.vectorize(rsqrt, otypes=[f32])(mean + f32(eps))[:, None]
    return element.round(y * (f32(1) + w)) if one_plus else element.round(maybe(element, twice, y) * w)


def rope(engine, element, x, c, s):
    rounds, half = ENGINES[engine][7], x.shape[1] // 2
    rotated = numpy.concatenate([-x[:, half:], x[:, :half]], 1)
    return element.round(maybe(element, rounds, x * c) + maybe(element, rounds, rotated * s))


def mean(engine, element, x, sum_rows):
    on_cpu = engine == "torch_cpu"
    total = cuda_rows(x) if sum_rows else columns(x) if on_cpu else cuda_columns(x)
    count = f32(x.shape[1 if sum_rows else 0])
    return element.round(total / count if on_cpu else total * (f32(1) / count))


def softmax(engine, element, x):
    e = numpy.vectorize(exp, otypes=[f32])(x - x.max(1)[:, None])
    return element.round(e / cuda_softmax_rows(e)[:, None])


# --- running -------------------------------------------------------------------------------


def run(folder, name, profile, function, element, inputs, expected):
    """An error text, or an empty one. Inputs and what is expected are f32 arrays of 16-bit numbers,
    f32 arrays (in a tuple), or files."""
    program = folder / f"{element.name}.mlir"
    command = [binaries / "prec-run", program, f"--function={function}", f"--profile={profile}"]

    def file(kind, value):
        if isinstance(value, pathlib.Path):
            return value
        path = folder / f"{name}.{kind}.npy"
        numpy.save(path, value[0] if isinstance(value, tuple) else element.bits(value))
        return path

    command += [f"--in={file(i, value)}" for i, value in enumerate(inputs)]
    command += [f"--expect={file('expected', expected)}"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0 and ", 0 mismatches" in result.stdout:
        return ""
    return f"{name}: exit {result.returncode}\n{result.stdout}{result.stderr}"


BF16, F16 = Element("bf16"), Element("f16")


def words(*bits):
    return numpy.array(bits, numpy.uint32).view(f32)


def field_cases():
    """The field cases whose right bits are known, with each engine's answer."""
    bf16 = BF16.numbers
    row = lambda *bits: bf16([list(bits)])
    gate = row(0xC090), row(0xBF9E)
    weights = row(0xC0A0, 0xBF60, 0x40B4, 0x4084).reshape(1, 4, 1)
    p = words(0x3F547AE1, 0x3F608312, 0x3F7BE76D, 0x3E322D0E).reshape(1, 4)
    sharp = ("megatron_compiled", "radixark_fp32")
    for engine in ENGINES:
        rounded = not ENGINES[engine][1]
        yield engine, "K11", "gate", gate, [[0x3D7A if rounded else 0x3D7B]]
        yield engine, "K13", "squared", (row(0x4006), (words(0x3F3F3B64),)), [[0x4052 if rounded else 0x4051]]
        yield (engine, "K14", "gate_probability", (row(0x408E), row(0xBFF0), (words(0x3D71A9FC),)),
               [[0xBEF8 if engine in sharp else 0xBEF9 if engine == "sglang" else 0xBEF7]])
        yield (engine, "K15", "combine_bias", (row(0x407E).reshape(1, 1, 1), (words(0x3E947AE1).reshape(1, 1),), row(0xBF65)[0]),
               # In PyTorch's, both the sum's and the probability's rounding, which cancel.
               [[0x3F64 if engine in ("radixark_fp32", "huggingface", "torch_cpu", "torch_cuda") else 0x3F65]])
        # The f32 sum; each term rounded; the accumulator rounded too; the weights too, in PyTorch's.
        k16 = {"megatron": 0x3FAB, "megatron_compiled": 0x3FAB, "radixark_fp32": 0x3FAB, "vllm": 0x3FAA, "sglang": 0x3FAA,
               "vllm_pre_46643": 0x3FA8, "huggingface": 0x3FAC, "torch_cuda": 0x3FAC, "torch_cpu": 0x3FAE}
        yield engine, "K16", "combine", (weights, (p,)), [[k16[engine]]]
        # x / rms is 1.5 exactly; 1 + w is taken in f32 by all.
        x = numpy.array([[1.5, 1.5, 1.0, 0.5, 0.5, 0.0]], f32)
        yield engine, "K20", "plain", (x, bf16([0x417D, 0x3B80, 0, 0, 0, 0])), [[0x41CA, 0x3FC1, 0x3F80, 0x3F00, 0x3F00, 0]]
        # Rounded before the weight and after it, or after it only; the squares' sum is exact.
        twice = engine in ("huggingface", "vllm", "vllm_pre_46643")
        yield (engine, "K21", "llama", (row(0x4017, 0x3F27, 0x3E05, 0x3F49), bf16([0x3F78] * 4)),
               [[0x3FE4, 0x3EFC, 0x3DC9, 0x3F17] if twice else [0x3FE3, 0x3EFB, 0x3DC8, 0x3F17]])


def random_cases(element):
    """Every engine on random inputs against its formula."""
    generator = numpy.random.default_rng(7)
    draw = lambda *shape: element.round(generator.standard_normal(shape).astype(f32))
    g, u, p = draw(9, 40), draw(9, 40), generator.random(9, f32)
    z, weights, b = draw(9, 5, 40), generator.random((9, 5), f32), draw(40)
    ids = generator.integers(0, 9, (9, 5)).astype(numpy.int32)
    chance = element.round(generator.random((9, 256), f32))
    x, w, short = draw(9, 256), draw(256), draw(9, 64)
    angle = generator.random((9, 64), f32) * 6
    c, s = element.round(numpy.cos(angle)), element.round(numpy.sin(angle))
    squared = lambda v: numpy.maximum(v, 0) * numpy.maximum(v, 0)
    for engine in ENGINES:
        yield engine, "gate", (g, u), activation(engine, element, g, u)
        yield engine, "gate_probability", (g, u, (p,)), activation(engine, element, g, u, p)
        yield engine, "squared", (g, (p,)), activation(engine, element, g, p=p, function=squared)
        yield engine, "combine", (z, (weights,)), combine(engine, element, z, weights)
        yield engine, "combine_bias", (z, (weights,), b), combine(engine, element, z, weights, b)
        yield engine, "add_up", (z,), combine(engine, element, z)
        yield engine, "by_expert", (z, (ids,)), by_expert(engine, element, z, ids)
        yield engine, "sigmoid_grad", (x, chance), sigmoid_grad(engine, element, x, chance)
        yield engine, "tanh_grad", (x, chance), tanh_grad(engine, element, x, chance)
        yield engine, "rope", (short, c, s), rope(engine, element, short, c, s)
        yield engine, "columns", (x,), mean(engine, element, x, sum_rows=False)
        if engine == "torch_cpu":
            continue  # the order of its rows is judged by its recorded outputs
        yield engine, "rows", (x,), mean(engine, element, x, sum_rows=True)
        yield engine, "softmax", (short,), softmax(engine, element, short)
        yield engine, "llama", (x, w), rms_norm(engine, element, x, w, False, 1e-6)
        yield engine, "gemma", (x, w), rms_norm(engine, element, x, w, True, 1e-6)


def golden_experts(element):
    """PyTorch's activations and combinations, under every profile that rounds as one of them."""
    load = lambda name: numpy.load(golden / f"moe.{element.name}.{name}.npy")
    numbers = lambda name: element.numbers(load(name))
    gu, p = numbers("gu.in").reshape(66, 128), load("p32.in")
    g, u, of_row = gu[:, :64], gu[:, 64:], (numpy.ascontiguousarray(p[:, :2]).reshape(66),)
    z, narrow, order = numbers("z.in"), numbers("p16.in"), numpy.argsort(load("ids.in"), axis=1)
    ascending = numpy.take_along_axis(z, order[..., None], 1), (numpy.take_along_axis(p, order, 1),)
    for engine in ENGINES:
        _, round_silu, _, _, weight, term, accumulate, _ = ENGINES[engine]
        yield engine, "gate", (g, u), numbers("swiglu.out" if round_silu else "swiglu.drop").reshape(66, 64)
        if engine != "sglang":  # the product is rounded, silu is not
            output = "act_p32.out" if round_silu else "radix_act.out"
            yield engine, "gate_probability", (g, u, of_row), numbers(output).reshape(66, 64)
        if weight and accumulate:
            yield engine, "combine", ascending, numbers("hf_combine.out")
        if not term:
            yield engine, "combine", (z, (p,)), numbers("radix_combine.out")
        elif not accumulate:
            yield engine, "combine", (z, (narrow,)), numbers("sum_k.out")
    yield "torch_cpu", "combine", (z, (p,)), numbers("flat_index_add.out")


def golden_cases(folder, element):
    """PyTorch's recorded outputs, of the CPU: engines' roundings with the CPU's sums."""
    on_cpu = folder / "huggingface_on_cpu.mlir"
    on_cpu.write_text("""
prec.profile @huggingface_on_cpu extends @huggingface {
  prec.rule "nn.rms_norm" {divide = #nn<divide quotient>, rstd = #nn<rsqrt_rule one_over_sqrt>, order = #prec.order<aten_cpu>}
}
""")
    for hidden in (64, 2560):
        inputs = tuple(golden / f"norm{hidden}.{element.name}.{part}.in.npy" for part in ("x", "w"))
        file = lambda output: golden / f"norm{hidden}.{element.name}.{output}.npy"
        yield "torch_cpu", "llama", inputs, file("frms.out")
        yield "torch_cpu", "gemma", inputs, file("gemma.out")
        yield "torch_cpu", "softmax", inputs[:1], file("softmax.out")
        yield on_cpu, "llama", inputs, file("llama.out")
        yield on_cpu, "gemma", inputs, file("gemma.out")
    yield from golden_experts(element)
    inputs = []
    for part in ("q", "cos", "sin"):  # [1, 2, n, 64], [n, 64] twice
        bits = numpy.load(golden / f"rope.{element.name}.{part}.in.npy").view(numpy.uint16)
        inputs.append(element.numbers(bits[0, 0] if part == "q" else bits))
    for engine in ENGINES:
        output = "out" if ENGINES[engine][7] else "drop"
        bits = numpy.load(golden / f"rope.{element.name}.{output}.npy").view(numpy.uint16)
        yield engine, "rope", tuple(inputs), element.numbers(bits[0, 0])


with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder, jobs, answers = pathlib.Path(name), [], {}
    text = (here / "profiles.mlir").read_text()
    for element in (BF16, F16):
        (folder / f"{element.name}.mlir").write_text(text.replace("TYPE", element.name))
    for engine, case, function, inputs, bits in field_cases():
        jobs.append((folder, f"{case}.{engine}", engine, function, BF16, inputs, BF16.numbers(bits)))
    for element in (BF16, F16):
        for engine, function, inputs, expected in random_cases(element):
            jobs.append((folder, f"random.{function}.{element.name}.{engine}", engine, function, element, inputs, expected))
            answers.setdefault((function, element.name), {})[engine] = expected
        for number, (engine, function, inputs, expected) in enumerate(golden_cases(folder, element)):
            jobs.append((folder, f"golden.{number}.{element.name}", engine, function, element, inputs, expected))
    failures = [text for text in pool.map(lambda job: run(*job), jobs) if text]

# That a case can tell engines apart: the two families of norms, of ropes, ...
for function, a, b in (("llama", "huggingface", "sglang"), ("rope", "huggingface", "vllm"), ("gate", "megatron", "sglang"),
                       ("combine", "vllm", "vllm_pre_46643"), ("combine", "huggingface", "megatron"),
                       ("add_up", "megatron", "radixark_fp32"), ("by_expert", "huggingface", "vllm"),
                       ("tanh_grad", "torch_cpu", "torch_cuda"), ("combine_bias", "megatron", "radixark_fp32")):
    for element in ("bf16", "f16"):
        if (answers[function, element][a] == answers[function, element][b]).all():
            failures.append(f"{function} in {element} does not tell {a} and {b} apart")
print("\n".join(failures + [f"{len(jobs)} cases of {len(ENGINES)} profiles, {len(failures)} failed"]))
sys.exit(bool(failures))
