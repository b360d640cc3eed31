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


def sigmoid(x):
    return F32(1) / (F32(1) + exp(-x))


def fma(a, b, c):
    """One rounding: a long double holds the product, and nearly all of the sum's bits."""
    return (a.astype(numpy.longdouble) * b.astype(numpy.longdouble) + numpy.longdouble(c)).astype(F32)


def function_grad(function, c, g):
    """The gradient at g of the function of an activation, c that at its result."""
    one, half, square = F32(1), F32(0.5), g * g
    if function == "silu":
        s = sigmoid(g)
        return (c * s) * fma(g, one - s, one)
    if function == "gelu":
        density = exp((F32(-0.5) * g) * g) * F32(1 / math.sqrt(2 * math.pi))
        return c * (half * (one + erf(g * F32(math.sqrt(0.5)))) + g * density)
    if function == "gelu_tanh":
        beta, kappa = F32(math.sqrt(2 / math.pi)), F32(0.044715)
        t = tanh(beta * (g + kappa * (square * g)))
        slope = beta * (one + (F32(3) * kappa) * square)
        return c * (half * (one + t) + ((half * g) * (one - t * t)) * slope)
    return numpy.where(g <= 0, F32(0), c * (F32(2) * g) if function == "relu_squared" else c)


ACTIVATION_GRAD = {"weighted", "clamp", "sigmoid", "silu", "offset", "product", "activated", "complement", "inner", "slope",
                   "gated", "sloped", "term", "bias", "scaled", "chained"}


def activation_grad(f, function, dy, gate, up=None, probability=None, narrow=False, derivative="steps", form="quotient",
                    limit=None, offset=None, bias=None, up_bias=None, alpha=None):
    """The gradients of gate and up, and the summands of the probability's. `narrow`: the
    probability is of the element type."""
    gate = gate if bias is None else f.round("bias", gate + bias)
    up = up if up_bias is None else f.round("bias", up + up_bias)
    g, o, d, one = gate, up, dy, F32(1)
    if limit is not None:
        g = f.round("clamp", numpy.minimum(g, F32(limit)))
        o = None if o is None else f.round("clamp", numpy.minimum(numpy.maximum(o, F32(-limit)), F32(limit)))
    if offset is not None:
        o = f.round("offset", o + f.round("offset_scalar", F32(offset)))
    if probability is not None:
        p = probability if narrow else f.round("probability", probability)
        d = f.round("weighted", dy * p[:, None])
    a = f.round("silu", activation(Formula(f.element, f.on & {"sigmoid", "scaled"}), function, g, form=form, alpha=alpha))
    h = g if alpha is None else f.round("scaled", F32(alpha) * g)

    def times_up(x):
        return x if o is None else x * o

    if derivative == "steps" and alpha is not None:
        c, s = d if o is None else f.round("activated", d * o), f.round("sigmoid", sigmoid(h))
        z = f.round("sloped", f.round("slope", f.round("inner", c * g) * f.round("complement", one - s)) * s)
        dg = f.round("gated", c * s) + f.round("chained", z * F32(alpha))
    elif derivative == "steps":
        dg = function_grad(function, d if o is None else f.round("activated", d * o), g)
    elif derivative == "chain":
        s = f.round("sigmoid", sigmoid(h))
        slope = f.round("slope", one + f.round("inner", h * f.round("complement", one - s)))
        dg = f.round("gated", d * s) * slope
        dg = dg if o is None else f.round("sloped", dg) * o
    else:
        s = sigmoid(h)
        rest = a * (one - s)
        dg = times_up(d) * (s + (rest if alpha is None else F32(alpha) * rest))
    du = d * a
    if limit is not None:
        dg = numpy.where(gate <= F32(limit), dg, F32(0))
        du = du if up is None else numpy.where((up <= F32(limit)) & (up >= F32(-limit)), du, F32(0))
    v = a if o is None else f.round("product", a * o)
    term = times_up(dy * a) if derivative == "closed" else dy * v
    return dg, du, f.round("term", term) if narrow else term


COMBINE_GRAD = {"weight", "scaled", "product"}


def combine_grad(f, dy, terms, weights=None, narrow=False, indices=None, slots=None, scale=None):
    """The gradients of the terms, and the summands of the weights'."""
    e = dy if scale is None else f.round("scaled", dy * F32(scale))
    tokens = len(dy)
    count = indices.shape[1] if indices is not None else terms.shape[1]
    w = None if weights is None else weights if narrow else f.round("weight", weights)
    dz = numpy.repeat(e[:, None, :], count, axis=1)
    dz = dz if w is None else dz * w[..., None]
    z = terms
    if indices is not None:
        there = (indices >= 0) & (indices < len(terms))
        z = numpy.concatenate([terms, numpy.zeros_like(terms[:1], shape=(1, dy.shape[1]))])[numpy.where(there, indices, len(terms))]
        flat = numpy.concatenate([dz.reshape(tokens * count, -1), numpy.zeros((1, dy.shape[1]), F32)])
        dz = flat[numpy.where((slots >= 0) & (slots < tokens * count), slots, tokens * count)]
    product = e[:, None, :] * z
    product = f.round("product", product) if narrow else product
    return dz, product if indices is None else numpy.where(there[..., None], product, F32(0))


def sequential_sum(terms):
    total = numpy.zeros(terms.shape[:-1], F32)
    for i in range(terms.shape[-1]):
        total = total + terms[..., i]
    return total
