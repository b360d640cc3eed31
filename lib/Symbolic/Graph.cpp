// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Symbolic/Graph.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

using namespace prec;
using namespace prec::sym;

static constexpr num::Format tf32{8, 10, 127, true, "tf32"};

const num::Format *prec::sym::formatOf(FormatId id) {
  static const num::Format *formats[] = {
      nullptr,    &num::kBF16,     &num::kF16,    &num::kF32,
      &num::kF64, &num::kF8E4M3FN, &num::kF8E5M2, &tf32};
  return formats[unsigned(id)];
}

FormatId prec::sym::idOf(const num::Format &format) {
  for (unsigned id = 1; id <= unsigned(FormatId::TF32); ++id)
    if (*formatOf(FormatId(id)) == format)
      return FormatId(id);
  return FormatId::None;
}

const char *prec::sym::name(FunctionId id) {
  static const char *names[] = {"exp",  "exp2",  "expm1", "log",
                                "log2", "log10", "log1p", "tanh",
                                "erf",  "sin",   "cos",   "rsqrt"};
  return names[unsigned(id)];
}

const char *prec::sym::name(Op op) {
  static const char *names[] = {
      "constant", "leaf",    "undefined", "add",      "sub",     "mul",
      "div",      "fma",     "sqrt",      "minimum",  "maximum", "minnum",
      "maxnum",   "neg",     "abs",       "copysign", "flush",   "saturate",
      "relu",     "convert", "rint",      "from_int", "to_int",  "function",
      "compare",  "concat",  "extract",   "and",      "or",      "xor",
      "not",      "equal",   "choice",    "opaque"};
  static_assert(sizeof(names) / sizeof(*names) == size_t(Op::Opaque) + 1);
  return names[unsigned(op)];
}

static uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Graph::Graph() : table(1024) { nodes.emplace_back(); }

static uint64_t hash(const Expr &e) {
  uint64_t h = 0x9e3779b97f4a7c15;
  auto mix = [&](uint64_t value) {
    h = (h ^ value) * 0xff51afd7ed558ccd;
    h ^= h >> 32;
  };
  mix(uint64_t(e.op) | uint64_t(e.format) << 8 | uint64_t(e.to) << 16 |
      uint64_t(e.rounding) << 24 | uint64_t(e.flags) << 32 |
      uint64_t(e.width) << 40);
  mix(e.index);
  mix(e.bits);
  mix(uint64_t(e.operands[0]) << 32 | e.operands[1]);
  mix(e.operands[2]);
  return h;
}

/// Doubles the table.
void Graph::grow() {
  std::vector<Node> larger(table.size() * 2);
  for (Node n = 1; n < nodes.size(); ++n) {
    size_t at = hash(nodes[n]) & (larger.size() - 1);
    while (larger[at])
      at = (at + 1) & (larger.size() - 1);
    larger[at] = n;
  }
  table = std::move(larger);
}

/// Finds or adds a node; one that has only constant operands is its value,
/// unless its value is only known about.
Node Graph::make(Expr e) {
  bool leaf = e.op == Op::Constant || e.op == Op::Leaf || e.op == Op::Undefined;
  if (!leaf && !(e.flags & Approximate)) {
    bool constants = true;
    for (Node n : e.operands)
      constants &= n == 0 || isConstant(n);
    if (constants)
      return constant(apply(e, nodes[e.operands[0]].bits,
                            nodes[e.operands[1]].bits,
                            nodes[e.operands[2]].bits),
                      e.width);
  }
  size_t at = hash(e) & (table.size() - 1);
  for (; table[at]; at = (at + 1) & (table.size() - 1))
    if (nodes[table[at]] == e)
      return table[at];
  Node added = Node(nodes.size());
  table[at] = added;
  nodes.push_back(e);
  if (nodes.size() * 2 > table.size())
    grow();
  return added;
}

uint32_t Graph::tensor(const std::string &name, unsigned width) {
  auto [it, isNew] = tensorIndex.try_emplace(name, uint32_t(tensors.size()));
  if (isNew)
    tensors.emplace_back(name, width);
  return it->second;
}

Node Graph::leaf(uint32_t tensor, uint64_t element) {
  Expr e;
  e.op = Op::Leaf;
  e.width = uint8_t(tensors[tensor].second);
  e.index = tensor;
  e.bits = element;
  return make(e);
}

Node Graph::constant(uint64_t bits, unsigned width) {
  Expr e;
  e.width = uint8_t(width);
  e.bits = bits & maskOf(width);
  return make(e);
}

Node Graph::undefined(unsigned width) {
  Expr e;
  e.op = Op::Undefined;
  e.width = uint8_t(width);
  return make(e);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Node Graph::arithmetic(Op op, FormatId format, Node a, Node b, Node c,
                       num::Rounding rounding, uint8_t flags) {
  bool commutes = op == Op::Add || op == Op::Mul || op == Op::Fma ||
                  op == Op::Minimum || op == Op::Maximum || op == Op::MinNum ||
                  op == Op::MaxNum;
  if (commutes && a > b)
    std::swap(a, b);
  Expr e;
  e.op = op;
  e.format = format;
  e.rounding = rounding;
  e.flags = flags;
  e.width = uint8_t(formatOf(format)->width());
  e.operands = {a, b, c};
  return make(e);
}

Node Graph::neg(Node a) {
  if (nodes[a].op == Op::Neg)
    return nodes[a].operands[0];
  Expr e;
  e.op = Op::Neg;
  e.width = nodes[a].width;
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::abs(Node a) {
  if (nodes[a].op == Op::Neg)
    a = nodes[a].operands[0];
  if (nodes[a].op == Op::Abs)
    return a;
  Expr e;
  e.op = Op::Abs;
  e.width = nodes[a].width;
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::modify(Op op, FormatId format, Node a) {
  if (nodes[a].op == op && nodes[a].format == format)
    return a;
  Expr e;
  e.op = op;
  e.format = format;
  e.width = nodes[a].width;
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::convert(FormatId from, FormatId to, Node a, num::Rounding rounding,
                    bool saturate) {
  if (from == to)
    return a;
  const num::Format &f = *formatOf(from), &t = *formatOf(to);
  // A widening is exact: it has no rounding to tell it from others.
  if (t.expBits >= f.expBits && t.fracBits >= f.fracBits) {
    rounding = num::Rounding::NearestEven;
    saturate = false;
  }
  Expr e;
  e.op = Op::Convert;
  e.format = from;
  e.to = to;
  e.rounding = rounding;
  e.index = saturate;
  e.width = uint8_t(t.width());
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::roundIntegral(FormatId format, Node a, num::Rounding rounding) {
  Expr e;
  e.op = Op::RoundIntegral;
  e.format = format;
  e.rounding = rounding;
  e.width = nodes[a].width;
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::fromInteger(FormatId to, bool isSigned, Node a,
                        num::Rounding rounding) {
  Expr e;
  e.op = Op::FromInteger;
  e.format = to;
  e.rounding = rounding;
  e.index = isSigned;
  e.bits = nodes[a].width;
  e.width = uint8_t(formatOf(to)->width());
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::toInteger(FormatId from, bool isSigned, unsigned width, Node a,
                      num::Rounding rounding) {
  Expr e;
  e.op = Op::ToInteger;
  e.format = from;
  e.rounding = rounding;
  e.index = isSigned;
  e.width = uint8_t(width);
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::function(FunctionId function, FormatId format, Node a,
                     uint8_t flags) {
  Expr e;
  e.op = Op::Function;
  e.format = format;
  e.flags = flags;
  e.index = uint32_t(function);
  e.width = nodes[a].width;
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::compare(FormatId format, unsigned accept, Node a, Node b) {
  Expr e;
  e.op = Op::Compare;
  e.format = format;
  e.index = accept;
  e.width = 1;
  e.operands = {a, b, 0};
  return make(e);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Node Graph::concat(Node high, Node low) {
  const Expr h = nodes[high], l = nodes[low];
  unsigned width = h.width + l.width;
  assert(width <= 64 && "values have at most 64 bits");
  // Neighbouring pieces of one value.
  if (h.op == Op::Extract && l.op == Op::Extract &&
      h.operands[0] == l.operands[0] && h.index == l.index + l.width)
    return extract(h.operands[0], l.index, width);
  // The pieces of a value that ends with the low one: (x, (y, z)) is kept with
  // the constant parts together, so that zeros around a value are seen.
  if (l.op == Op::Concat && h.op == Op::Constant && isConstant(l.operands[0])) {
    Node merged = concat(high, l.operands[0]);
    return concat(merged, l.operands[1]);
  }
  if (h.op == Op::Concat && l.op == Op::Constant && isConstant(h.operands[1])) {
    Node merged = concat(h.operands[1], low);
    return concat(h.operands[0], merged);
  }
  // A sign operation on the upper half is one on the whole.
  if (h.op == Op::Neg)
    return neg(concat(h.operands[0], low));
  if (h.op == Op::Abs)
    return abs(concat(h.operands[0], low));
  // 16 bits above 16 zeros: a bf16 number as f32.
  if (h.width == 16 && l.width == 16 && l.op == Op::Constant && l.bits == 0 &&
      h.op != Op::Constant)
    return convert(FormatId::BF16, FormatId::F32, high);
  Expr e;
  e.op = Op::Concat;
  e.width = uint8_t(width);
  e.operands = {high, low, 0};
  return make(e);
}

Node Graph::extract(Node a, unsigned low, unsigned width) {
  const Expr x = nodes[a];
  assert(low + width <= x.width && width > 0);
  if (width == x.width)
    return a;
  if (x.op == Op::Extract)
    return extract(x.operands[0], x.index + low, width);
  if (x.op == Op::Concat) {
    unsigned split = nodes[x.operands[1]].width;
    if (low >= split)
      return extract(x.operands[0], low - split, width);
    if (low + width <= split)
      return extract(x.operands[1], low, width);
    return concat(extract(x.operands[0], 0, low + width - split),
                  extract(x.operands[1], low, split - low));
  }
  if (x.op == Op::Convert && x.format == FormatId::BF16 &&
      x.to == FormatId::F32) {
    if (low >= 16)
      return extract(x.operands[0], low - 16, width);
    if (low + width <= 16)
      return constant(0, width);
  }
  // The sign is the top bit: pieces with it keep it, others do not see it.
  if (x.op == Op::Neg || x.op == Op::Abs) {
    Node piece = extract(x.operands[0], low, width);
    if (low + width < x.width)
      return piece;
    return x.op == Op::Neg ? neg(piece) : abs(piece);
  }
  if (x.op == Op::Choice)
    return choice(x.operands[0], extract(x.operands[1], low, width),
                  extract(x.operands[2], low, width));
  if (x.op == Op::Undefined)
    return undefined(width);
  Expr e;
  e.op = Op::Extract;
  e.index = low;
  e.width = uint8_t(width);
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::logic(Op op, Node a, Node b) {
  if (isConstant(a))
    std::swap(a, b);
  const unsigned width = nodes[a].width;
  if (isConstant(b) && !isConstant(a)) {
    uint64_t bits = nodes[b].bits, all = maskOf(width);
    uint64_t top = uint64_t(1) << (width - 1);
    if (bits == 0)
      return op == Op::And ? b : a;
    if (bits == all)
      return op == Op::And ? a : op == Op::Or ? b : logicalNot(a);
    if (op == Op::Xor && bits == top && width > 1)
      return neg(a);
    if (op == Op::And && bits == all - top)
      return abs(a);
    // A mask in 8-bit steps: pieces of a between zeros (And) or of a between
    // ones (Or).
    bool bytes = width % 8 == 0 && op != Op::Xor;
    for (unsigned k = 0; k < width; k += 8) {
      uint64_t byte = bits >> k & 0xff;
      bytes &= byte == 0 || byte == 0xff;
    }
    if (bytes) {
      Node result = 0;
      for (unsigned k = 0; k < width;) {
        bool ones = bits >> k & 1;
        unsigned end = k;
        while (end < width && (bits >> end & 1) == ones)
          ++end;
        bool keeps = ones == (op == Op::And);
        Node piece = keeps ? extract(a, k, end - k)
                           : constant(ones ? ~uint64_t(0) : 0, end - k);
        result = result ? concat(piece, result) : piece;
        k = end;
      }
      return result;
    }
  }
  if (a == b && op != Op::Xor)
    return a;
  if (a == b)
    return constant(0, width);
  // Values whose bits do not meet: or, xor and (of the rest) and by parts.
  auto isSplit = [&](Node n) {
    const Expr &e = nodes[n];
    return e.op == Op::Concat ||
           (e.op == Op::Convert && e.format == FormatId::BF16 &&
            e.to == FormatId::F32);
  };
  if (isSplit(a) || isSplit(b)) {
    const Expr e = nodes[isSplit(a) ? a : b];
    unsigned split = e.op == Op::Concat ? nodes[e.operands[1]].width : 16;
    Node low = logic(op, extract(a, 0, split), extract(b, 0, split));
    Node high = logic(op, extract(a, split, width - split),
                      extract(b, split, width - split));
    return concat(high, low);
  }
  Expr e;
  e.op = op;
  e.width = uint8_t(width);
  e.operands = {std::min(a, b), std::max(a, b), 0};
  return make(e);
}

Node Graph::logicalNot(Node a) {
  if (nodes[a].op == Op::Not)
    return nodes[a].operands[0];
  Expr e;
  e.op = Op::Not;
  e.width = nodes[a].width;
  e.operands = {a, 0, 0};
  return make(e);
}

Node Graph::equal(Node a, Node b) {
  assert(nodes[a].width == nodes[b].width && "values of one width");
  if (a == b)
    return constant(1, 1);
  Expr e;
  e.op = Op::Equal;
  e.width = 1;
  e.operands = {std::min(a, b), std::max(a, b), 0};
  return make(e);
}

Node Graph::shiftLeft(Node a, unsigned by) {
  unsigned width = nodes[a].width;
  if (by == 0)
    return a;
  if (by >= width)
    return constant(0, width);
  return concat(extract(a, 0, width - by), constant(0, by));
}

Node Graph::shiftRight(Node a, unsigned by, bool arithmetic) {
  unsigned width = nodes[a].width;
  if (by == 0)
    return a;
  if (!arithmetic)
    return by >= width ? constant(0, width)
                       : concat(constant(0, by), extract(a, by, width - by));
  by = std::min(by, width - 1);
  return opaque(
      "sar." + std::to_string(width) + "." + std::to_string(by), width,
      [=](uint64_t x, uint64_t, uint64_t) {
        int64_t wide = int64_t(x << (64 - width)) >> (64 - width);
        return uint64_t(wide >> by) & maskOf(width);
      },
      a);
}

Node Graph::choice(Node condition, Node a, Node b) {
  if (a == b)
    return a;
  if (isConstant(condition))
    return nodes[condition].bits & 1 ? a : b;
  if (nodes[condition].op == Op::Not)
    return choice(nodes[condition].operands[0], b, a);
  // Below a condition, the same condition is known.
  if (nodes[a].op == Op::Choice && nodes[a].operands[0] == condition)
    a = nodes[a].operands[1];
  if (nodes[b].op == Op::Choice && nodes[b].operands[0] == condition)
    b = nodes[b].operands[2];
  if (a == b)
    return a;
  Expr e;
  e.op = Op::Choice;
  e.width = nodes[a].width;
  e.operands = {condition, a, b};
  return make(e);
}

Node Graph::opaque(const std::string &name, unsigned width, Evaluate evaluate,
                   Node a, Node b, Node c) {
  auto [it, isNew] = opaqueIndex.try_emplace(name, uint32_t(opaques.size()));
  if (isNew)
    opaques.emplace_back(name, std::move(evaluate));
  Expr e;
  e.op = Op::Opaque;
  e.index = it->second;
  e.width = uint8_t(width);
  e.operands = {a, b, c};
  return make(e);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string Graph::text(Node n, unsigned depth) const {
  const Expr &e = nodes[n];
  char number[24];
  std::snprintf(number, sizeof number, "0x%0*llx", int(e.width + 3) / 4,
                (unsigned long long)e.bits);
  switch (e.op) {
  case Op::Constant:
    return number;
  case Op::Leaf:
    return tensors[e.index].first + "[" + std::to_string(e.bits) + "]";
  default:
    break;
  }
  std::string out = e.op == Op::Function ? name(FunctionId(e.index))
                    : e.op == Op::Opaque ? opaques[e.index].first
                                         : name(e.op);
  if (e.flags & Reciprocal)
    out += ".rcp";
  if (e.flags & Approximate)
    out += e.flags & FullRange ? ".full" : ".approx";
  if (e.flags & Contractible)
    out += ".contractible";
  if (e.rounding != num::Rounding::NearestEven) {
    static const char *modes[] = {"rn", "rz", "rp", "rm", "rna"};
    out += std::string(".") + modes[unsigned(e.rounding)];
  }
  if (e.format != FormatId::None)
    out += std::string(".") + formatOf(e.format)->name;
  if (e.to != FormatId::None)
    out += std::string(".") + formatOf(e.to)->name;
  if (e.op == Op::Extract)
    out += "." + std::to_string(e.index) + "." + std::to_string(e.width);
  if (e.op == Op::Compare)
    out += "." + std::to_string(e.index);
  if (!e.operands[0])
    return out;
  out += "(";
  for (unsigned k = 0; k < 3 && e.operands[k]; ++k)
    out += (k ? ", " : "") +
           (depth ? text(e.operands[k], depth - 1) : std::string("..."));
  return out + ")";
}
