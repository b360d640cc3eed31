# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The formulas of dialects/MoE/README.md in numpy: f32 steps, and a rounding where a point is on."""
import math

import numpy

F32 = numpy.float32


def to_bits(values, element):
    """f32 or f64 values as the element type, one rounding to nearest even."""
    if element == "f32":
        return values.astype(F32)
    if element == "f16":
        return values.astype(numpy.float16).view(numpy.uint16)
    if values.dtype == numpy.float64:  # in one step, for what is normal in bf16
        bits = values.view(numpy.uint64)
        rounded = ((bits + ((1 << 44) - 1) + ((bits >> 45) & 1)) >> 45) << 45
        values = rounded.view(numpy.float64).astype(F32)
    bits = values.view(numpy.uint32).astype(numpy.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
    return numpy.where(numpy.isnan(values), numpy.uint16(0x7FC0), rounded)


def from_bits(bits, element):
    if element == "f32":
        return bits
    if element == "f16":
        return bits.view(numpy.float16).astype(F32)
    return (bits.astype(numpy.uint32) << 16).view(F32)


def wide(function):
    """A function in f32: computed in a wider type, rounded once."""
    return lambda x: function(x.astype(numpy.longdouble)).astype(F32)


exp, tanh = wide(numpy.exp), wide(numpy.tanh)
erf = wide(lambda x: numpy.vectorize(math.erf, otypes=[float])(x.astype(float)))


class Formula:
    """One operation with element type `element` and the points that are on."""

    def __init__(self, element, on):
        self.element, self.on = element, on

    def round(self, name, values):
        if name not in self.on or self.element == "f32":
            return values
        values = numpy.asarray(values)
        return from_bits(to_bits(values, self.element), self.element).astype(values.dtype)


ACTIVATION = {"gate_cast", "up_cast", "bias", "clamp", "scaled", "sigmoid", "silu", "offset", "product"}
COMBINE = {"bias", "weight", "term", "accumulate", "sum", "scaled", "shared_gate", "shared", "combined"}


def activation(f, function, gate, up=None, bias=None, up_bias=None, probability=None, form="quotient", alpha=None,
               limit=None, offset=None):
    def with_bias(x, b):
        return x if b is None else f.round("bias", x + b)

    g = with_bias(f.round("gate_cast", gate), bias)
    u = None if up is None else with_bias(f.round("up_cast", up), up_bias)
    if limit is not None:
        g = f.round("clamp", numpy.minimum(g, F32(limit)))
        u = None if u is None else f.round("clamp", numpy.minimum(numpy.maximum(u, F32(-limit)), F32(limit)))
    if function == "silu":
        scaled = g if alpha is None else f.round("scaled", F32(alpha) * g)
        divisor = F32(1) + exp(-scaled)
        v = g / divisor if form == "quotient" else g * f.round("sigmoid", F32(1) / divisor)
    elif function == "gelu":
        v = (g * F32(0.5)) * (F32(1) + erf(g * F32(math.sqrt(0.5))))
    elif function == "gelu_tanh":
        inner = F32(math.sqrt(2 / math.pi)) * (g + F32(0.044715) * ((g * g) * g))
        v = (F32(0.5) * g) * (F32(1) + tanh(inner))
    else:
        v = numpy.maximum(g, F32(0)) + F32(0)  # never -0
        v = v * v if function == "relu_squared" else v
    v = f.round("silu", v)
    if u is not None:
        if offset is not None:
            u = f.round("offset", u + f.round("offset_scalar", F32(offset)))
        v = f.round("product", v * u)
    if probability is not None:
        v = v * f.round("probability", probability)[..., None]
    return v


def combine(f, terms, weights=None, indices=None, keys=None, bias=None, shared=None, logit=None, residual=None, scale=None,
            accumulate=F32):
    """The sum, token by token and slot by slot."""
    if bias is not None:
        terms = f.round("bias", terms + bias)
    tokens, slots = terms.shape[:2] if indices is None else indices.shape
    total = numpy.zeros((tokens, terms.shape[-1]), accumulate)
    for token in range(tokens):
        order = range(slots) if keys is None else numpy.argsort(keys[token], kind="stable")
        for slot in order:
            if indices is None:
                z = terms[token, slot]
            elif 0 <= indices[token, slot] < len(terms):
                z = terms[indices[token, slot]]
            else:
                continue
            if weights is not None:
                z = z * f.round("weight", weights)[token, slot]
            total[token] = f.round("accumulate", total[token] + f.round("term", z).astype(accumulate))
    # An f64 sum is one rounding away from its point, or from the result.
    total = f.round("sum", total)
    if scale is None and shared is None and residual is None:
        return total
    total = total.astype(F32)
    if scale is not None:
        total = f.round("scaled", total * F32(scale))
    if shared is not None:
        if logit is not None:
            gate = f.round("shared_gate", F32(1) / (F32(1) + exp(-logit)))
            shared = f.round("shared", gate.reshape(-1, 1) * shared)
        total = f.round("combined", total + shared)
    return total if residual is None else total + residual


def best(values, count):
    """Indices of the largest: of equal ones the first, NaN before all."""
    position = range(len(values))
    return sorted(position, key=lambda i: (not math.isnan(values[i]), -values[i] if values[i] == values[i] else 0, i))[:count]


def in_order(values):
    """The sum in order, from +0: PyTorch's of fewer than 16 elements of a row, and `order <sequential>`."""
    total = F32(0)
    for value in values:
        total = F32(total + value)
    return total


def router(f, logits, top_k, scoring, bias=None, renormalize=False, epsilon=None, scale=None, groups=None, top_groups=None,
           group_score="largest", masked="minus_infinity", divide="quotient"):
    def softmax(row):
        e = f.round("exponential", exp(f.round("shifted", row - row.max())))
        total = f.round("sum", in_order(e))
        return f.round("score", e / total if divide == "quotient" else e * (F32(1) / total))

    logits = f.round("logit", logits)
    all_weights, all_indices = [], []
    for row in logits:
        scores = {"softmax": softmax, "softmax_of_top": lambda r: r,
                  "sigmoid": lambda r: f.round("score", F32(1) / (F32(1) + exp(-r)))}[scoring](row)
        choice = scores if bias is None else f.round("biased", scores + f.round("bias", bias))
        if groups is not None:
            members = choice.reshape(groups, -1)
            if group_score == "largest":
                ranks = [row[best(row, 1)[0]] for row in members]
            else:
                ranks = [f.round("group_score", row[best(row, 2)[0]] + row[best(row, 2)[1]]) for row in members]
            chosen = best(ranks, top_groups)
            inside = numpy.isin(numpy.arange(len(choice)) // members.shape[1], chosen)
            choice = numpy.where(inside, choice, F32(0 if masked == "zero" else -numpy.inf))
        indices = best(choice, top_k)
        weights = softmax(scores[indices]) if scoring == "softmax_of_top" else scores[indices]
        if renormalize:
            total = in_order(weights)
            total = total if epsilon is None else F32(total + F32(epsilon))
            weights = f.round("normalized", weights / f.round("total", total))
        all_weights.append(weights if scale is None else weights * F32(scale))
        all_indices.append(indices)
    return numpy.array(all_weights, F32).reshape(-1, top_k), numpy.array(all_indices, numpy.int32).reshape(-1, top_k)
