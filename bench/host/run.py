# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run.py BIN [--type=bf16] [--only=NAME,...] [--repeats=15] [--target=host] [--torch]

Times the kernels of kernels.mlir on one thread, forward and backward, in units of a copy that reads and writes as many bytes as the
kernel's arguments and results have together. Everything takes turns, so that all see the same machine; the best time of each counts.
With --torch, also what PyTorch needs: eager, compiled, and compiled with its roundings kept; of backward ones its autograd, without the forward.
"""
import argparse
import concurrent.futures
import ctypes
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent

# Rows of a run, the function, and at most how many copies it may take.
KERNELS = [
    (4096, "mix_elementwise", 3.0), (4096, "mix_elementwise_backward", 3.0),
    (4096, "mix_and_reduce", 2.0), (4096, "mix_and_reduce_backward", 1.6),
    (4096, "write_back", 1.2), (4096, "write_back_backward", 1.4),
    (4096, "activation_p32", 3.0), (4096, "activation_p32_backward", 3.0),
    (4096, "activation_p16", 3.0), (4096, "activation_p16_backward", 3.0),
    (4096, "combine", 1.1), (4096, "combine_backward", 1.3),
    (131072, "gated_norm", 2.2), (131072, "gated_norm_backward", 3.3),
    (4096, "rms_norm", 1.8), (4096, "rms_norm_backward", 3.3),
    (4096, "rope", 2.0), (4096, "rope_backward", 2.0),
]  # fmt: skip
BYTES = {"bf16": 2, "f16": 2, "f32": 4, "i32": 4}


class Tensor:
    """Memory for a tensor; what a kernel reads has numbers of either sign around 1."""

    def __init__(self, text, rows, fill):
        *dims, self.element = re.fullmatch(r"tensor<(.*)>", text).group(1).split("x")
        self.dims = [rows if dim == "?" else int(dim) for dim in dims]
        self.dynamic = [rows for dim in dims if dim == "?"]
        count = 1
        for dim in self.dims:
            count *= dim
        self.bytes = count * BYTES[self.element]
        self.memory = (ctypes.c_char * (self.bytes + 64))()
        self.address = (ctypes.addressof(self.memory) + 63) & -64
        pattern = self.numbers() if fill else bytes(1 << 16)
        for start in range(0, self.bytes, len(pattern)):
            ctypes.memmove(self.address + start, pattern, min(len(pattern), self.bytes - start))

    def numbers(self):
        generator = random.Random(self.bytes)
        kind = {"bf16": "f", "f16": "e", "f32": "f"}[self.element]
        packed = [struct.pack(kind, generator.gauss(0, 1)) for _ in range(50021)]
        return b"".join(number[-BYTES[self.element]:] for number in packed)


def signature(text, function):
    """The types of a function's arguments and results."""
    start = text.index(f"@{function}(")
    arguments, results = text[start: text.index("{\n", start)].split("->")
    return re.findall(r"tensor<[^>]*>", arguments), re.findall(r"tensor<[^>]*>", results)


class Kernel:
    def __init__(self, library, text, function, rows):
        arguments, results = signature(text, function)
        self.inputs = [Tensor(argument, rows, fill=True) for argument in arguments]
        self.outputs = [Tensor(result, rows, fill=False) for result in results]
        tensors = self.inputs + self.outputs
        self.traffic = sum(tensor.bytes for tensor in tensors)
        self.function = library[function]
        self.arguments = [ctypes.c_void_p(tensor.address) for tensor in tensors]
        self.arguments += [ctypes.c_int64(dim) for tensor in self.inputs for dim in tensor.dynamic]

    def __call__(self):
        if self.function(*self.arguments):
            sys.exit("error: a run-time check failed")


def best(candidates, repeats):
    """The shortest time of each, in turns; short ones several times a turn."""
    times = [float("inf")] * len(candidates)
    for _ in range(repeats):
        for i, candidate in enumerate(candidates):
            turn = time.perf_counter() + 0.01
            while True:
                start = time.perf_counter()
                candidate()
                end = time.perf_counter()
                times[i] = min(times[i], end - start)
                if end > turn:
                    break
    return times


def compile_all(binaries, text, functions, target, folder):
    """One shared library with all functions."""
    source = folder / "kernels.mlir"
    source.write_text(text)

    def compile_one(function):
        made = folder / f"{function}.o"
        subprocess.run([binaries / "precc", source, f"--function={function}", f"--target={target}", "--emit=obj", "-o", made], check=True)
        return made

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_one, functions))
    library = folder / "kernels.so"
    subprocess.run(["clang-22", "-shared", *objects, "-lm", "-o", library], check=True)
    return ctypes.CDLL(str(library))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("--type", default="bf16")
    parser.add_argument("--only", default="")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--target", default="host")
    parser.add_argument("--torch", action="store_true")
    options = parser.parse_args()
    if options.torch:
        import programs
    text = (here / "kernels.mlir").read_text().replace("TYPE", options.type)
    chosen = [kernel for kernel in KERNELS if not options.only or kernel[1] in options.only.split(",")]
    memcpy = ctypes.CDLL(None).memcpy
    memcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        functions = [kernel[1] for kernel in chosen]
        functions += [f"{name}_loose" for name in functions if f"@{name}_loose(" in text]
        library = compile_all(options.binaries.resolve(), text, functions, options.target, folder)
        names = ["copy ms", "ms", "copies", "at most", "of loose"] + ["eager", "compiled", "strict"] * options.torch
        print(f"| {options.type} | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
        for rows, function, most in chosen:
            kernel = Kernel(library, text, function, rows)
            half = kernel.traffic // 2
            source, sink = ((ctypes.c_char * (half + 64))() for _ in range(2))
            addresses = [(ctypes.addressof(memory) + 63) & -64 for memory in (sink, source)]
            ctypes.memset(source, 1, half)
            ctypes.memset(sink, 1, half)
            candidates = [lambda: memcpy(*addresses, half), kernel]
            if f"{function}_loose" in functions:
                candidates.append(Kernel(library, text, f"{function}_loose", rows))
            others = programs.candidates(function, kernel.inputs) if options.torch else []
            copy, ours, *rest = best(candidates + others, options.repeats)
            loose = rest[: len(rest) - len(others)]
            ratio = f"{ours / loose[0]:.2f}" if loose else ""
            cells = [f"{copy * 1e3:.3f}", f"{ours * 1e3:.3f}", f"{ours / copy:.2f}", most, ratio]
            cells += [f"{other / copy:.2f}" for other in rest[len(loose):]]
            print("|", function, *(f"| {cell}" for cell in cells), "|", flush=True)


if __name__ == "__main__":
    main()
