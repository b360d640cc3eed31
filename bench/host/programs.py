# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels as PyTorch programs; run.py times them next to ours."""
import ctypes
import os
import types

# Memory that was freed is used again: fresh pages cost more than a kernel.
os.environ.setdefault("MALLOC_MMAP_MAX_", "0")

import torch
import torch._functorch.config
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
# Of a backward kernel, after the gradient of the result: the forward one's arguments among the kernel's, and which of these have gradients.
BACKWARD = {
    "mix_elementwise_backward": (lambda g, d: [d], [0]),
    "mix_and_reduce_backward": (lambda g, u, xn: [u, xn], [0, 1]),
    "write_back_backward": (lambda g, h, c: [g, h, c], [1, 2]),  # x has no part in it
    "activation_p32_backward": (lambda g, gu, p: [gu, p], [0, 1]),
    "activation_p16_backward": (lambda g, gu, p: [gu, p], [0, 1]),
    "combine_backward": (lambda g, z, w: [z, w], [0, 1]),
    "gated_norm_backward": (lambda g, o, z, w: [o, z, w], [0, 1]),
    "rms_norm_backward": (lambda g, x, w: [x, w], [0]),
    "rope_backward": (lambda g, cos, sin: [g, cos, sin], [0]),  # nor has x here
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


def forward(function, arguments):
    """What runs a function once, after it has run for the first time."""

    def run():
        with torch.no_grad():
            function(*arguments)

    run()
    return run


def backward(function, gradient, arguments, wanted):
    """The same of its autograd; the forward runs once, before."""
    arguments = [argument.detach() for argument in arguments]
    for number in wanted:
        arguments[number].requires_grad_()
    result = function(*arguments)

    def run():
        torch.autograd.grad(result, [arguments[number] for number in wanted], gradient, retain_graph=True)

    run()
    return run


def candidates(name, inputs):
    """What runs eager PyTorch, what it compiles, and that with its roundings kept."""
    torch.set_num_threads(1)
    # The graph is run more than once.
    torch._functorch.config.donated_buffer = False
    arguments = [tensor_of(tensor) for tensor in inputs]
    base = name.removesuffix("_backward")
    # One after the other: what compiles a function at its first run depends on settings.
    makers = [lambda: FUNCTIONS[base], lambda: compiled(base, False), lambda: compiled(base, True)]
    if name == base:
        return [forward(make(), arguments) for make in makers]
    select, wanted = BACKWARD[name]
    return [backward(make(), arguments[0], select(*arguments), wanted) for make in makers]
