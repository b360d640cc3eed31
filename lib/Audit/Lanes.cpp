// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Lanes.h"

#include "prec/Audit/Tables.h"
#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/Functions.h"
#include "prec/Symbolic/Interval.h"
#include "prec/Symbolic/Ops.h"

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

bool Lanes::mayBe(size_t i, uint64_t bits) const {
  if (same(format, value[i], bits))
    return true;
  if (exact())
    return false;
  if (open[i] == Anything)
    return true;
  if (!format)
    return low[i] <= bits && bits <= high[i];
  if (num::isNaN(*format, bits))
    return open[i] == BoundedOrNaN;
  if (num::isNaN(*format, low[i]))
    return false;
  int64_t at = sym::ordinal(*format, bits);
  return sym::ordinal(*format, low[i]) <= at &&
         at <= sym::ordinal(*format, high[i]);
}

void Lanes::include(const std::vector<uint64_t> &values) {
  if (exact()) {
    low = high = value;
    open.assign(size(), Bounded);
  }
  auto before = [&](uint64_t a, uint64_t b) {
    return format ? sym::ordinal(*format, a) < sym::ordinal(*format, b) : a < b;
  };
  for (size_t i = 0; i < size(); ++i) {
    uint64_t bits = values[i];
    if (same(format, low[i], bits) || open[i] == Anything)
      continue;
    if (format && num::isNaN(*format, bits)) {
      open[i] = BoundedOrNaN;
    } else if (format && num::isNaN(*format, low[i])) {
      low[i] = high[i] = bits;
      open[i] = BoundedOrNaN;
    } else {
      low[i] = before(bits, low[i]) ? bits : low[i];
      high[i] = before(high[i], bits) ? bits : high[i];
    }
  }
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

/// The format of the result: the operation's, or what it passes on.
static const Format *formatOf(const Expr &e, const Lanes *a, const Lanes *b,
                              const Lanes *c) {
  if (e.op == Op::Neg || e.op == Op::Abs)
    return a->format;
  if (e.op == Op::Choice)
    return b->format ? b->format : c->format;
  return sym::formatOf(sym::resultFormat(e));
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
  if (!sym::makesNaN(e))
    return;
  const Format &f = *sym::formatOf(sym::resultFormat(e));
  for (uint64_t &bits : out)
    bits = num::isNaN(f, bits) ? sym::canonicalNaN(f) : bits;
}

/// Everything that lane i may be.
static sym::Outcomes outcomes(const Lanes &lanes, size_t i) {
  using Kind = sym::Outcomes::Kind;
  sym::Outcomes o;
  if (lanes.decided(i)) {
    o.kind = Kind::Values;
    o.values = {lanes.exact() ? lanes.value[i] : lanes.low[i]};
  } else if (lanes.open[i] == Lanes::Anything) {
    o.kind = Kind::Any;
  } else if (lanes.format) {
    return sym::outcomesBetween(sym::idOf(*lanes.format), lanes.low[i],
                                lanes.high[i],
                                lanes.open[i] == Lanes::BoundedOrNaN);
  } else if (lanes.high[i] - lanes.low[i] < 64) {
    o.kind = Kind::Values;
    for (uint64_t bits = lanes.low[i]; bits <= lanes.high[i]; ++bits)
      o.values.push_back(bits);
  }
  return o;
}

/// Sets lane i's bounds to what holds all outcomes.
static void bound(Lanes &lanes, size_t i, const sym::Outcomes &o) {
  using Kind = sym::Outcomes::Kind;
  const Format *f = lanes.format;
  lanes.open[i] = Lanes::Anything;
  if (o.kind == Kind::Range && f && *sym::formatOf(o.format) == *f) {
    lanes.low[i] = o.lo;
    lanes.high[i] = o.hi;
    lanes.open[i] = o.maybeNaN ? Lanes::BoundedOrNaN : Lanes::Bounded;
  }
  if (o.kind != Kind::Values)
    return;
  bool any = false, nan = false;
  auto before = [&](uint64_t a, uint64_t b) {
    return f ? sym::ordinal(*f, a) < sym::ordinal(*f, b) : a < b;
  };
  for (uint64_t bits : o.values) {
    if (f && num::isNaN(*f, bits)) {
      nan = true;
      continue;
    }
    if (!any || before(bits, lanes.low[i]))
      lanes.low[i] = bits;
    if (!any || before(lanes.high[i], bits))
      lanes.high[i] = bits;
    any = true;
  }
  if (!any)
    lanes.low[i] = lanes.high[i] = lanes.value[i];
  lanes.open[i] = any && nan ? Lanes::BoundedOrNaN : Lanes::Bounded;
}

Lanes prec::audit::apply(const sym::Graph &graph, const Expr &e, const Lanes *a,
                         const Lanes *b, const Lanes *c) {
  static const std::vector<uint64_t> none;
  const Lanes *in[3] = {a, b, c};
  Lanes out;
  out.width = e.width;
  out.format = formatOf(e, a, b, c);
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
  out.open.assign(n, Lanes::Bounded);
  for (size_t i = 0; i < n; ++i) {
    bool given = !(e.flags & sym::Approximate);
    for (const Lanes *operand : in)
      given &= !operand || operand->decided(i);
    if (given)
      continue;
    sym::Outcomes held[3];
    std::array<const sym::Outcomes *, 3> operands{};
    for (unsigned k = 0; k < 3; ++k)
      if (in[k]) {
        held[k] = outcomes(*in[k], i);
        operands[k] = &held[k];
      }
    bound(out, i, sym::outcomesOf(graph, e, operands));
  }
  out.tighten();
  return out;
}

//===----------------------------------------------------------------------===//
// Batch
//===----------------------------------------------------------------------===//

Batch::Batch(const sym::Graph &graph, const std::vector<sym::Node> &roots,
             Tables *tables)
    : graph(graph), tables(tables), order(sym::reachable(graph, roots)) {
  for (uint32_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    if (graph[order[k]].op == Op::Leaf)
      leafNodes.push_back(order[k]);
  }
  values.resize(order.size());
}

uint64_t Batch::cost() const {
  std::unordered_set<sym::Node> open;
  for (sym::Node n : order) {
    const Expr &e = graph[n];
    bool inexact = e.flags & sym::Approximate;
    if (e.op == Op::Opaque && tables)
      if (Tables::Unary u = tables->unary(n))
        inexact = !(*tables)[u.table].exact();
    for (sym::Node operand : e.operands)
      inexact |= open.count(operand) != 0;
    if (inexact)
      open.insert(n);
  }
  // What is bounded is evaluated lane by lane.
  return order.size() + 100 * open.size();
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
    if (sym::isLeafLike(e.op)) {
      Lanes &v = values[k];
      v = Lanes();
      v.width = e.width;
      if (e.op == Op::Leaf)
        v.value = leafValues[leaf++];
      else
        v.value.assign(n, e.op == Op::Constant ? e.bits : 0);
      if (e.op == Op::Undefined) {
        v.low = v.high = v.value;
        v.open.assign(n, Lanes::Anything);
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
