// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Lanes.h"

#include "Approximation.h"
#include "prec/Audit/Tables.h"
#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Functions.h"

#include <algorithm>
#include <unordered_set>

using namespace prec;
using namespace prec::audit;
using num::bitCast;
using num::Format;
using sym::Expr;
using sym::FormatId;
using sym::Op;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// A number's place in the order of its format, -0 below +0.
static int64_t rank(const Format &f, uint64_t bits) {
  int64_t magnitude = int64_t(bits & f.absMask());
  return bits & f.signMask() ? -magnitude - 1 : magnitude;
}

bool Lanes::mayBe(size_t i, uint64_t bits) const {
  if (same(format, value[i], bits))
    return true;
  if (exact())
    return false;
  if (open[i])
    return true;
  if (!format || num::isNaN(*format, low[i]) || num::isNaN(*format, bits))
    return false;
  int64_t at = rank(*format, bits);
  return rank(*format, low[i]) <= at && at <= rank(*format, high[i]);
}

void Lanes::tighten() {
  for (size_t i = 0; i < low.size(); ++i)
    if (open[i] || low[i] != high[i])
      return;
  low.clear();
  high.clear();
  open.clear();
}

void Lanes::canonicalizeNaN(const Format &f) {
  const uint64_t nan = f.absMask();
  auto run = [&](std::vector<uint64_t> &v) {
    for (uint64_t &bits : v)
      bits = num::isNaN(f, bits) ? nan : bits;
  };
  run(value);
  run(low);
  run(high);
}

//===----------------------------------------------------------------------===//
// Operations on values
//===----------------------------------------------------------------------===//

/// The format of the result, where it is a float by its operation.
static const Format *resultFormat(const Expr &e, const Lanes *a, const Lanes *b,
                                  const Lanes *c) {
  switch (e.op) {
  case Op::Convert:
    return sym::formatOf(e.to);
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Fma:
  case Op::Sqrt:
  case Op::Minimum:
  case Op::Maximum:
  case Op::MinNum:
  case Op::MaxNum:
  case Op::CopySign:
  case Op::Flush:
  case Op::Saturate:
  case Op::Relu:
  case Op::RoundIntegral:
  case Op::FromInteger:
  case Op::Function:
    return sym::formatOf(e.format);
  case Op::Neg:
  case Op::Abs:
    return a->format;
  case Op::Choice:
    return b->format ? b->format : c->format;
  default:
    return nullptr;
  }
}

/// Operations whose NaN results the GPU makes canonical.
static bool makesNaN(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Fma:
  case Op::Sqrt:
  case Op::Minimum:
  case Op::Maximum:
  case Op::MinNum:
  case Op::MaxNum:
  case Op::RoundIntegral:
  case Op::Function:
    return true;
  default:
    return false;
  }
}

template <typename F>
static void fill(std::vector<uint64_t> &out, const std::vector<uint64_t> &a,
                 F f) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = f(a[i]);
}
template <typename F>
static void fill(std::vector<uint64_t> &out, const std::vector<uint64_t> &a,
                 const std::vector<uint64_t> &b, F f) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = f(a[i], b[i]);
}
static float asFloat(uint64_t bits) { return bitCast<float>(uint32_t(bits)); }
static uint64_t asBits(float value) { return bitCast<uint32_t>(value); }

/// The usual f32 operations and conversions; false for the others.
static bool applyFast(const Expr &e, const std::vector<uint64_t> &a,
                      const std::vector<uint64_t> &b,
                      const std::vector<uint64_t> &c,
                      std::vector<uint64_t> &out) {
  if (e.rounding != num::Rounding::NearestEven)
    return false;
  if (e.op == Op::Convert && e.index == 0) {
    if (e.format == FormatId::BF16 && e.to == FormatId::F32)
      fill(out, a, [](uint64_t x) { return x << 16; });
    else if (e.format == FormatId::F32 && e.to == FormatId::BF16)
      fill(out, a,
           [](uint64_t x) -> uint64_t { return num::roundToBF16(asFloat(x)); });
    else if (e.format == FormatId::F16 && e.to == FormatId::F32)
      fill(out, a,
           [](uint64_t x) { return asBits(num::widenF16(uint16_t(x))); });
    else if (e.format == FormatId::F32 && e.to == FormatId::F16)
      fill(out, a,
           [](uint64_t x) -> uint64_t { return num::roundToF16(asFloat(x)); });
    else
      return false;
    return true;
  }
  if (e.format != FormatId::F32)
    return false;
  switch (e.op) {
  case Op::Add:
    fill(out, a, b, [](uint64_t x, uint64_t y) {
      return asBits(asFloat(x) + asFloat(y));
    });
    return true;
  case Op::Sub:
    fill(out, a, b, [](uint64_t x, uint64_t y) {
      return asBits(asFloat(x) - asFloat(y));
    });
    return true;
  case Op::Mul:
    fill(out, a, b, [](uint64_t x, uint64_t y) {
      return asBits(asFloat(x) * asFloat(y));
    });
    return true;
  case Op::Div:
    fill(out, a, b, [](uint64_t x, uint64_t y) {
      return asBits(asFloat(x) / asFloat(y));
    });
    return true;
  case Op::Fma:
    for (size_t i = 0; i < out.size(); ++i)
      out[i] =
          asBits(num::cr::fma(asFloat(a[i]), asFloat(b[i]), asFloat(c[i])));
    return true;
  case Op::Sqrt:
    fill(out, a, [](uint64_t x) { return asBits(num::cr::sqrt(asFloat(x))); });
    return true;
  default:
    return false;
  }
}

static void applyValues(const sym::Graph &graph, const Expr &e,
                        const std::vector<uint64_t> &a,
                        const std::vector<uint64_t> &b,
                        const std::vector<uint64_t> &c,
                        std::vector<uint64_t> &out) {
  if (!applyFast(e, a, b, c, out))
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = graph.apply(e, a.empty() ? 0 : a[i], b.empty() ? 0 : b[i],
                           c.empty() ? 0 : c[i]);
  const Format *f = sym::formatOf(e.op == Op::Convert ? e.to : e.format);
  // bf16 to f32 is a shift of bits, whoever writes it.
  bool narrows = e.op == Op::Convert && f->width() < 32;
  if (!f || !(makesNaN(e.op) || narrows))
    return;
  const uint64_t nan = *f == num::kF64 ? f->quietNaN() : f->absMask();
  for (uint64_t &bits : out)
    bits = num::isNaN(*f, bits) ? nan : bits;
}

/// Whether the operation is monotone in each operand where the others stay, so
/// that its bounds are among its values at the operands' bounds.
static bool isMonotone(const Expr &e) {
  switch (e.op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div: // away from a divisor's zero
  case Op::Fma:
  case Op::Sqrt:
  case Op::Minimum:
  case Op::Maximum:
  case Op::MinNum:
  case Op::MaxNum:
  case Op::Neg:
  case Op::Flush:
  case Op::Saturate:
  case Op::Relu:
  case Op::Convert:
  case Op::RoundIntegral:
    return true;
  case Op::Function:
    return sym::FunctionId(e.index) != sym::FunctionId::Sin &&
           sym::FunctionId(e.index) != sym::FunctionId::Cos;
  default:
    return false;
  }
}

/// Lane i's bounds from the operands' bounds.
static void boundLane(const sym::Graph &graph, const Expr &e,
                      const Lanes *const in[3], size_t i, Lanes &out) {
  uint64_t ends[3][2] = {};
  unsigned count[3] = {1, 1, 1};
  bool anyOpen = false;
  for (unsigned k = 0; k < 3; ++k) {
    if (!in[k])
      continue;
    ends[k][0] = ends[k][1] = in[k]->value[i];
    if (in[k]->exact())
      continue;
    if (in[k]->open[i]) {
      anyOpen = true;
      continue;
    }
    ends[k][0] = in[k]->low[i];
    ends[k][1] = in[k]->high[i];
    count[k] = ends[k][0] == ends[k][1] ? 1 : 2;
  }
  out.open[i] = 1;
  if (e.op == Op::Choice) {
    // The side that is taken, or both.
    bool known = in[0]->decided(i);
    if (!known && !out.format)
      return;
    unsigned first = known ? (in[0]->value[i] & 1 ? 1 : 2) : 1;
    unsigned last = known ? first : 2;
    bool started = false;
    for (unsigned k = first; k <= last; ++k) {
      if (!in[k]->exact() && in[k]->open[i])
        return;
      if (!out.format && ends[k][0] != ends[k][1])
        return;
      for (uint64_t end : ends[k]) {
        if (!known && num::isNaN(*out.format, end))
          return;
        if (!started || rank(*out.format, end) < rank(*out.format, out.low[i]))
          out.low[i] = end;
        if (!started || rank(*out.format, end) > rank(*out.format, out.high[i]))
          out.high[i] = end;
        started = true;
      }
    }
    out.open[i] = 0;
    return;
  }
  if (anyOpen)
    return;
  const bool point = count[0] * count[1] * count[2] == 1;
  if (!point && e.op == Op::Abs && out.format) {
    const Format &f = *out.format;
    if ((ends[0][0] ^ ends[0][1]) & f.signMask())
      return;
    uint64_t x = ends[0][0] & f.absMask(), y = ends[0][1] & f.absMask();
    out.low[i] = std::min(x, y);
    out.high[i] = std::max(x, y);
    out.open[i] = 0;
    return;
  }
  if (!point && e.op == Op::Compare) {
    // Monotone enough: where all corners agree and none is unordered.
    unsigned seen = 0;
    for (unsigned p = 0; p < count[0]; ++p)
      for (unsigned q = 0; q < count[1]; ++q)
        seen |= 1u << unsigned(num::compare(*sym::formatOf(e.format),
                                            ends[0][p], ends[1][q]));
    bool all = (seen & e.index) == seen, none = !(seen & e.index);
    if ((seen & (1u << unsigned(num::Ordering::Less))) &&
        (seen & (1u << unsigned(num::Ordering::Greater)))) {
      // Somewhere between they may be equal.
      bool equal = e.index >> unsigned(num::Ordering::Equal) & 1;
      all &= equal;
      none &= !equal;
    }
    if (all || none) {
      out.low[i] = out.high[i] = all;
      out.open[i] = 0;
    }
    return;
  }
  if (!point && (!isMonotone(e) || !out.format))
    return;
  if (!point && e.op == Op::Div) {
    const Format &f = *sym::formatOf(e.format);
    if (num::isZero(f, ends[1][0]) || num::isZero(f, ends[1][1]) ||
        ((ends[1][0] ^ ends[1][1]) & f.signMask()))
      return;
  }
  bool started = false;
  std::vector<uint64_t> x(1), y(1), z(1), r(1);
  for (unsigned p = 0; p < count[0]; ++p)
    for (unsigned q = 0; q < count[1]; ++q)
      for (unsigned s = 0; s < count[2]; ++s) {
        x[0] = ends[0][p];
        y[0] = ends[1][q];
        z[0] = ends[2][s];
        applyValues(graph, e, x, y, z, r);
        if (!point && num::isNaN(*out.format, r[0]))
          return;
        if (!started || (out.format && rank(*out.format, r[0]) <
                                           rank(*out.format, out.low[i])))
          out.low[i] = r[0];
        if (!started || (out.format && rank(*out.format, r[0]) >
                                           rank(*out.format, out.high[i])))
          out.high[i] = r[0];
        started = true;
      }
  out.open[i] = 0;
}

Lanes prec::audit::apply(const sym::Graph &graph, const Expr &e, const Lanes *a,
                         const Lanes *b, const Lanes *c) {
  static const std::vector<uint64_t> none;
  const Lanes *in[3] = {a, b, c};
  Lanes out;
  out.width = e.width;
  out.format = resultFormat(e, a, b, c);
  size_t n = 0;
  bool exact = !(e.flags & sym::Approximate);
  for (const Lanes *operand : in)
    if (operand) {
      n = operand->size();
      exact &= operand->exact();
    }
  out.value.resize(n);
  applyValues(graph, e, a ? a->value : none, b ? b->value : none,
              c ? c->value : none, out.value);
  if (exact)
    return out;
  out.low = out.high = out.value;
  out.open.assign(n, 0);
  for (size_t i = 0; i < n; ++i) {
    bool given = true;
    for (const Lanes *operand : in)
      given &= !operand || operand->decided(i);
    if (!given)
      boundLane(graph, e, in, i, out);
    if (e.flags & sym::Approximate)
      widen(e, in, i, out);
  }
  out.tighten();
  return out;
}

//===----------------------------------------------------------------------===//
// Batch
//===----------------------------------------------------------------------===//

Batch::Batch(const sym::Graph &graph, const std::vector<sym::Node> &roots,
             Tables *tables)
    : graph(graph), tables(tables) {
  std::unordered_set<sym::Node> seen;
  std::vector<sym::Node> stack(roots);
  while (!stack.empty()) {
    sym::Node n = stack.back();
    stack.pop_back();
    if (n == 0 || !seen.insert(n).second)
      continue;
    order.push_back(n);
    for (sym::Node operand : graph[n].operands)
      stack.push_back(operand);
  }
  std::sort(order.begin(), order.end());
  for (uint32_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    if (graph[order[k]].op == Op::Leaf)
      leafNodes.push_back(order[k]);
  }
  values.resize(order.size());
}

/// The entries of a table at some inputs.
static Lanes pick(const Lanes &table, const std::vector<uint64_t> &inputs) {
  Lanes out;
  out.width = table.width;
  out.format = table.format;
  for (uint64_t x : inputs) {
    out.value.push_back(table.value[x]);
    if (table.exact())
      continue;
    out.low.push_back(table.low[x]);
    out.high.push_back(table.high[x]);
    out.open.push_back(table.open[x]);
  }
  return out;
}

void Batch::run(const std::vector<std::vector<uint64_t>> &leafValues) {
  size_t n = leafValues.empty() ? 1 : leafValues.front().size();
  size_t leaf = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const Expr &e = graph[order[k]];
    if (e.op == Op::Leaf || e.op == Op::Constant || e.op == Op::Undefined) {
      Lanes &v = values[k];
      v = Lanes();
      v.width = e.width;
      if (e.op == Op::Leaf)
        v.value = leafValues[leaf++];
      else
        v.value.assign(n, e.op == Op::Constant ? e.bits : 0);
      if (e.op == Op::Undefined) {
        v.low = v.high = v.value;
        v.open.assign(n, 1);
      }
      continue;
    }
    if (e.op == Op::Opaque && tables) {
      if (Tables::Unary u = tables->unary(order[k])) {
        values[k] = pick((*tables)[u.table], values[place.at(u.leaf)].value);
        continue;
      }
    }
    const Lanes *in[3];
    for (unsigned o = 0; o < 3; ++o)
      in[o] = e.operands[o] ? &values[place.at(e.operands[o])] : nullptr;
    values[k] = apply(graph, e, in[0], in[1], in[2]);
  }
}
