# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients' formulas, as PyTorch's documentation and kernels state them, in exact
arithmetic on numpy: f32 operations round once, functions and fma are correctly rounded.
Nothing here comes from the compiler. A class R of one element type rounds to it.
"""
import math

import numpy as np

f32, f64 = np.float32, np.float64
np.seterr(all="ignore")


def correctly_rounded(function):
    """A function of f64 whose result is rounded to f32, which is its correct rounding but
    where it lies within f64's last bits of the middle of two f32 numbers."""
    return lambda x: function(x.astype(f64)).astype(f32)


exp, tanh = correctly_rounded(np.exp), correctly_rounded(np.tanh)
erf = correctly_rounded(np.vectorize(math.erf, otypes=[f64]))


def fma(a, b, c):
    """The product is exact in f64; the sum is rounded to odd there, so that rounding it to
    f32 is the only rounding."""
    product, c = a.astype(f64) * f64(b), f64(c)
    total = product + c
    part = total - product
    error = (product - (total - part)) + (c - part)
    even = (total.view(np.uint64) & 1) == 0
    inexact = np.isfinite(total) & (error != 0) & even
    return np.where(inexact, np.nextafter(total, np.copysign(np.inf, error)), total).astype(f32)


class Format:
    """bf16, f16 or f32: bit patterns, f32 being its own, and their values in f32."""

    def __init__(self, name):
        self.name = name

    def widen(self, bits):
        if self.name == "f32":
            return bits
        if self.name == "f16":
            return bits.view(np.float16).astype(f32)
        return (bits.astype(np.uint32) << 16).view(f32)

    def narrow(self, x):
        if self.name == "f32":
            return x
        if self.name == "f16":
            return x.astype(np.float16).view(np.uint16)
        bits = np.ascontiguousarray(x).view(np.uint32)
        rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        return np.where(np.isnan(x), 0x7FC0, rounded).astype(np.uint16)

    def __call__(self, x):
        """R: rounded to the format, in f32."""
        return self.widen(self.narrow(x))


def sigmoid(x):
    return f32(1) / (f32(1) + exp(-x))


def identity(x):
    return x


def sigmoid_grad(R, g, y, inner=None):
    """Three roundings; `inner` is that of the first two."""
    inner = inner or R
    return R(inner(g * inner(f32(1) - y)) * y)


def tanh_grad(R, g, y, inner=None):
    inner = inner or R
    return R(g * inner(f32(1) - inner(y * y)))


def silu_grad(R, g, x, fused=True):
    s = sigmoid(x)
    slope = fma(x, f32(1) - s, f32(1)) if fused else x * (f32(1) - s) + f32(1)
    return R((g * s) * slope)


def gelu_grad(R, g, x):
    cdf = f32(0.5) * (f32(1) + erf(x * f32(0.5 ** 0.5)))
    pdf = exp((f32(-0.5) * x) * x) * f32((2 * math.pi) ** -0.5)
    return R(g * (cdf + x * pdf))


def gelu_tanh_grad(R, g, x):
    beta, kappa = f32((2 / math.pi) ** 0.5), f32(0.044715)
    square = x * x
    t = tanh(beta * (x + kappa * (square * x)))
    left = f32(0.5) * (f32(1) + t)
    slope = beta * (f32(1) + (f32(3) * kappa) * square)
    return R(g * (left + ((f32(0.5) * x) * (f32(1) - t * t)) * slope))


def softplus_grad(R, g, x):
    z = exp(x)
    return R(np.where(x > 20, g, (g * z) / (z + f32(1))))


ELEMENTWISE = {
    "sigmoid": sigmoid_grad,
    "sigmoid_one_rounding": lambda R, g, y: sigmoid_grad(R, g, y, inner=identity),
    "tanh": tanh_grad,
    "tanh_one_rounding": lambda R, g, y: tanh_grad(R, g, y, inner=identity),
    "silu": silu_grad,
    "silu_separate": lambda R, g, x: silu_grad(R, g, x, fused=False),
    "gelu": gelu_grad,
    "gelu_tanh": gelu_tanh_grad,
    "softplus": softplus_grad,
}


def sequential_sum(x, axis):
    total = np.zeros(np.delete(x.shape, axis), f32)
    for part in np.moveaxis(x, axis, 0):
        total = total + part
    return total


def cuda_row_sum(x):
    """PyTorch CUDA's sum of contiguous rows: four accumulators in each of 32 threads, which
    are added pairwise. The rows are whole blocks of 128 elements."""
    lanes = sequential_sum(x.reshape(*x.shape[:-1], -1, 32, 4), axis=-3)
    lanes = sequential_sum(lanes, axis=-1)
    while lanes.shape[-1] > 1:
        lanes = lanes[..., ::2] + lanes[..., 1::2]
    return lanes[..., 0]


def rms_reciprocal(x):
    radicand = cuda_row_sum(x * x) * (f32(1) / f32(x.shape[-1])) + f32(1e-6)
    return correctly_rounded(lambda v: 1 / np.sqrt(v))(radicand)[..., None]


def softmax_cuda(R, g, y):
    products = R(g * y)
    return {"gx": R(fma(-y, cuda_row_sum(products)[..., None], products))}


def closed(R, g, x, w):
    """Transformer Engine's gradient of rms_norm."""
    r = rms_reciprocal(x)
    h = g * w
    y = x * r
    return {"gx": R(r * (h - y * (cuda_row_sum(h * y) * (f32(1) / f32(x.shape[-1])))[..., None]))}


def layer_moments(x, quotient):
    """Mean and reciprocal deviation of rows."""
    n = f32(x.shape[-1])
    average = (lambda s: s / n) if quotient else (lambda s: s * (f32(1) / n))
    m = average(cuda_row_sum(x))[..., None]
    radicand = average(cuda_row_sum((x - m) * (x - m))) + f32(1e-5)
    r = f32(1) / np.sqrt(radicand) if quotient else correctly_rounded(lambda v: 1 / np.sqrt(v))(radicand)
    return m, r[..., None]


def layer_scaled(R, g, x, w):
    """PyTorch's gradients of layer_norm on CUDA: no rounding before the results."""
    n = f32(x.shape[-1])
    m, r = layer_moments(x, quotient=False)
    h, c = g * w, x - m
    along = cuda_row_sum((h * c) * r)[..., None]
    total = ((n * w) * g - (c * r) * along) - cuda_row_sum(h)[..., None]
    return {"gx": R(total * ((f32(1) / n) * r)), "gw": R(sequential_sum(g * (c * r), axis=0))}


layer = layer_scaled  # under torch_cuda


def layer_closed(R, g, x, w):
    """As on the CPU, where mean and reciprocal deviation were saved; and more roundings."""
    n = f32(x.shape[-1])
    m, r = layer_moments(x, quotient=True)
    m, r, h = R(m), R(r), R(g * w)
    y = R((x - m) * r)
    rest = h - (cuda_row_sum(h) / n)[..., None]
    gx = R(r * (rest - y * (cuda_row_sum(h * y) / n)[..., None]))
    return {"gx": gx, "gw": R(sequential_sum(R(g * y), axis=0))}


# The gated residual's backward, as eager autograd runs it on CUDA. Names as in the example.


def write_back(R, gout, h, i):
    s = R(sigmoid(R(i / f32(4))))
    c = R(f32(2) * s)
    gc = R(cuda_row_sum(R(gout * h[:, None, :])))
    return {"gh": R(sequential_sum(R(gout * c[:, :, None]), axis=1)), "gc": gc,
            "gi": R(sigmoid_grad(R, R(f32(2) * gc), s) / f32(4))}


def mix_and_reduce(R, gy, u, xn):
    w = R(sigmoid(u))
    gp = np.broadcast_to(R(gy * f32(0.25))[:, None, :], u.shape)
    return {"gu": sigmoid_grad(R, R(gp * xn), w), "gxn_mul": R(gp * w)}


def mix_elementwise(R, ga, d):
    return {"gd": R(silu_grad(R, ga, R(d / f32(4))) / f32(4))}


def norm_gradients(R, gxn, x, w):
    """Of xn = R((x * r) * (1 + w)), each f32 operation's gradient in turn."""
    scale = f32(1) / f32(x.shape[-1])
    r = rms_reciprocal(x)
    gh = gxn * (f32(1) + w)
    gr = cuda_row_sum(gh * x)[..., None]
    e = ((f32(-0.5) * gr) * ((r * r) * r)) * scale
    return R(gh * r + e * (x * f32(2))), R(sequential_sum(gxn * (x * r), axis=0))


def normalize(R, gxn_mul, gxn_down, x, w):
    gxn = R(gxn_mul + gxn_down)
    gx, gw = norm_gradients(R, gxn, x, w)
    return {"gxn": gxn, "gx": gx, "gw": gw}


def normalize_combine(R, gxn_inj, gxn_mul, gxn_down, x, w, gout):
    gxn = R(R(gxn_inj + gxn_mul) + gxn_down)
    gx, gw = norm_gradients(R, gxn, x, w)
    return {"gxn": gxn, "gx": R(gout + gx), "gw": gw}


# The gated activation R(R(R(silu g) * u) * p) of experts, in each engine's backward.


def autograd_activation(R, gm, g, u, p):
    silu = R(g / (f32(1) + exp(-g)))
    gm1 = R(gm * p[:, None])
    return {"gg": silu_grad(R, R(gm1 * u), g), "gu": R(gm1 * silu), "gp": cuda_row_sum(gm * R(silu * u))}


def megatron_activation(R, gm, g, u, p, inner=None):
    """Written out on 16-bit tensors; what meets the f32 gm * p is f32."""
    inner = inner or R
    silu, s, d = inner(g / (f32(1) + exp(-g))), inner(sigmoid(g)), gm * p[:, None]
    slope = inner(f32(1) + inner(g * inner(f32(1) - s)))
    return {"gg": R(((d * s) * slope) * u), "gu": R(d * silu), "gp": cuda_row_sum(gm * inner(silu * u))}


def compiled_activation(R, gm, g, u, p):
    return megatron_activation(R, gm, g, u, p, inner=identity)


def fp32_activation(R, gm, g, u, p):
    s, go = sigmoid(g), gm * p[:, None]
    si = g * s
    return {"gg": R((go * u) * (s + si * (f32(1) - s))), "gu": R(go * si), "gp": cuda_row_sum((gm * si) * u)}


ACTIVATIONS = {"torch_cuda": autograd_activation, "huggingface": autograd_activation, "megatron": megatron_activation,
               "megatron_compiled": compiled_activation, "radixark_fp32": fp32_activation}
