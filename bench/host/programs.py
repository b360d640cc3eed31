# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forward kernels as PyTorch programs; run.py times them next to ours."""
import ctypes
import os
import types

# Memory that was freed is used again: fresh pages cost more than a kernel.
os.environ.setdefault("MALLOC_MMAP_MAX_", "0")

import torch
import torch.nn.functional as F


def normalize(x, w):
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * w


def activation(gu, p):
    g, u = gu.chunk(2, -1)
    return (F.silu(g) * u * p.unsqueeze(-1)).to(gu.dtype)


def rope(x, cos, sin):
    low, high = x.chunk(2, -1)
    return x * cos + torch.cat((-high, low), -1) * sin


FUNCTIONS = {
    "mix_elementwise": lambda d: F.silu(d / 4),
    "mix_and_reduce": lambda u, xn: (torch.sigmoid(u) * xn).mean(1),
    "write_back": lambda x, h, c: x + h.unsqueeze(1) * c.unsqueeze(2),
    "activation_p32": activation,
    "activation_p16": activation,
    "combine": lambda z, w: (z * w.unsqueeze(-1)).sum(1),
    "gated_norm": lambda o, z, w: (normalize(o, w).float() * F.silu(z.float())).to(o.dtype),
    "rms_norm": normalize,
    "rope": rope,
}
TYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}


def tensor_of(tensor):
    """A torch tensor on the memory of one of run.py's."""
    offset = tensor.address - ctypes.addressof(tensor.memory)
    count = tensor.bytes // torch.empty(0, dtype=TYPES[tensor.element]).element_size()
    return torch.frombuffer(tensor.memory, dtype=TYPES[tensor.element], count=count, offset=offset).reshape(tensor.dims)


def compiled(name, strict):
    """A kernel's program compiled; strict: with its roundings kept."""
    torch._inductor.config.emulate_precision_casts = strict
    # As a function of its own: torch keeps what it compiled with the code of a function.
    code = FUNCTIONS[name].__code__.replace(co_name=f"{name}_{'strict' if strict else 'loose'}")
    return torch.compile(types.FunctionType(code, globals()), dynamic=False)


def candidates(name, inputs):
    """What runs eager PyTorch, what it compiles, and that with its roundings kept; nothing for a kernel without a program here."""
    if name not in FUNCTIONS:
        return []
    torch.set_num_threads(1)
    arguments = [tensor_of(tensor) for tensor in inputs]

    def runner(function):
        def run():
            with torch.no_grad():
                function(*arguments)

        run()
        return run

    return [runner(FUNCTIONS[name]), runner(compiled(name, False)), runner(compiled(name, True))]
