// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DomainSymbolic.h"

#include <algorithm>

using namespace prec;
using namespace prec::ptx;
using sym::FormatId;
using sym::Node;
using sym::Op;

static uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

uint32_t SymbolicDomain::symbolicLanes(const FrameT &f, const Inst &i,
                                       uint32_t active) const {
  uint32_t lanes = 0;
  for (unsigned k = 0; k < i.sources; ++k)
    lanes |= f.data.symbolic[i.src[k]];
  return lanes & active;
}

/// Bits of an operand, where a constant does not say.
static unsigned operandBits(const Code &code, const Inst &i, unsigned k) {
  if (!code.names[i.src[k]].empty())
    return code.bits[i.src[k]];
  return std::max(
      bitsOf(i.kind == Kind::Pure && !isFloat(i.type) ? i.type : i.sourceType),
      1u);
}

Node SymbolicDomain::operand(FrameT &f, const Inst &i, unsigned k,
                             unsigned lane) {
  if (Node n = f.data.node(i.src[k], lane))
    return n;
  return graph.constant(f.lanes(i.src[k])[lane], operandBits(*f.code, i, k));
}

/// A node whose value turned out to be known is a value.
void SymbolicDomain::setNode(FrameT &f, int32_t slot, unsigned lane,
                             Node node) {
  unsigned bits = f.code->bits[slot];
  if (graph.isConstant(node)) {
    f.lanes(slot)[lane] = graph[node].bits;
    f.data.clear(slot, 1u << lane);
    return;
  }
  // Registers hold zero-extended values.
  if (graph.width(node) < bits && !f.code->names[slot].empty())
    node = graph.concat(graph.constant(0, bits - graph.width(node)), node);
  f.data.set(slot, lane, node);
}

Node SymbolicDomain::expression(const Code &code, const Inst &i) {
  FrameT f;
  f.code = &code;
  f.values.assign(size_t(code.slots) * warpSize, 0);
  f.data.reset(code.slots);
  const uint32_t operands = graph.tensor("operands", 64);
  for (unsigned k = 0; k < i.sources; ++k)
    if (!f.data.node(i.src[k], 0))
      f.data.set(
          i.src[k], 0,
          graph.extract(graph.leaf(operands, k), 0, operandBits(code, i, k)));
  return build(f, i, 0);
}

void SymbolicDomain::noteLine(size_t first, const Inst &i) {
  lines.resize(std::max(lines.size(), first));
  lines.resize(graph.size(), i.source ? i.source->location.line : 0);
}

uint32_t SymbolicDomain::pure(FrameT &f, const Inst &i, uint32_t active) {
  uint32_t lanes = symbolicLanes(f, i, active);
  uint32_t rest = active & ~lanes;
  size_t before = graph.size();
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = __builtin_ctz(lanes);
    setNode(f, i.dst, l, build(f, i, l));
  }
  noteLine(before, i);
  f.data.clear(i.dst, rest);
  return rest;
}

uint32_t SymbolicDomain::pack(FrameT &f, const Inst &i, unsigned width,
                              uint32_t active) {
  uint32_t lanes = 0, some = 0, all = active;
  for (int32_t slot : i.regs) {
    lanes |= f.data.symbolic[slot];
    some |= f.defined[slot];
    all &= f.defined[slot];
  }
  // What has a value in part is a node too.
  lanes = (lanes | (some & ~all)) & active;
  uint32_t rest = active & ~lanes;
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = __builtin_ctz(lanes);
    Node whole = 0;
    for (int32_t slot : i.regs) {
      Node part = f.data.node(slot, l);
      if (!(f.defined[slot] >> l & 1))
        part = graph.undefined(width);
      else if (!part)
        part = graph.constant(f.lanes(slot)[l], width);
      else if (graph.width(part) > width)
        part = graph.extract(part, 0, width);
      whole = whole ? graph.concat(part, whole) : part;
    }
    setNode(f, i.dst, l, whole);
  }
  f.data.clear(i.dst, rest);
  return rest;
}

uint32_t SymbolicDomain::unpack(FrameT &f, const Inst &i, unsigned width,
                                uint32_t active) {
  uint32_t lanes = f.data.symbolic[i.src[0]] & active;
  uint32_t rest = active & ~lanes;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    Node whole = f.data.node(i.src[0], l);
    unsigned low = 0;
    for (int32_t slot : i.regs) {
      setNode(f, slot, l, graph.extract(whole, low, width));
      low += width;
    }
  }
  for (int32_t slot : i.regs)
    f.data.clear(slot, rest);
  return rest;
}

uint32_t SymbolicDomain::setPredicate(FrameT &f, const Inst &i,
                                      uint32_t active) {
  uint32_t lanes = symbolicLanes(f, i, active);
  uint32_t rest = active & ~lanes;
  size_t before = graph.size();
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    Node a = operand(f, i, 0, l), b = operand(f, i, 1, l);
    auto compare = [&](unsigned high) -> Node {
      if (!isFloat(i.sourceType)) {
        // Whether they are equal is the same in every type.
        const unsigned bits = bitsOf(i.sourceType), equal = 2, unequal = 5;
        if ((i.accept == equal || i.accept == unequal) &&
            graph.width(a) == bits && graph.width(b) == bits) {
          Node same = graph.equal(a, b);
          return i.accept == equal ? same : graph.logicalNot(same);
        }
        return graph.opaque(
            "setp." + std::to_string(i.accept) + "." +
                std::to_string(unsigned(i.sourceType)),
            1,
            [copy = i](uint64_t x, uint64_t y, uint64_t) {
              return copy.fn.lane(copy, x, y, 0);
            },
            a, b);
      }
      FormatId format = sym::idOf(*formatOf(i.sourceType));
      Node x = a, y = b;
      if (lanesOf(i.sourceType) == 2) {
        unsigned width = formatOf(i.sourceType)->width();
        x = graph.extract(a, high * width, width);
        y = graph.extract(b, high * width, width);
      }
      if (i.ftz) {
        x = graph.modify(Op::Flush, format, x);
        y = graph.modify(Op::Flush, format, y);
      }
      return graph.compare(format, i.accept, x, y);
    };
    auto combine = [&](Node value) {
      if (i.boolean == Mode::None)
        return value;
      Node p = f.data.node(i.src[2], l);
      p = p ? p : graph.constant(f.lanes(i.src[2])[l], 1);
      if (i.negatePredicate)
        p = graph.logicalNot(p);
      Op op = i.boolean == Mode::And  ? Op::And
              : i.boolean == Mode::Or ? Op::Or
                                      : Op::Xor;
      return graph.logic(op, value, p);
    };
    Node low = compare(0);
    Node other = i.fnHigh ? compare(1) : graph.logicalNot(low);
    Node first = combine(low), second = combine(other);
    if (i.type != Ty::Pred) {
      unsigned bits = bitsOf(i.type);
      uint64_t yes = setTrue(i.type);
      auto select = [&](Node p, uint64_t value, unsigned width) {
        return graph.choice(p, graph.constant(value, width),
                            graph.constant(0, width));
      };
      first = i.fnHigh ? graph.concat(select(second, yes >> bits / 2, bits / 2),
                                      select(first, yes, bits / 2))
                       : select(first, yes, bits);
    }
    setNode(f, i.dst, l, first);
    if (i.dst2 >= 0)
      setNode(f, i.dst2, l, second);
    f.defined[i.dst] |= 1u << l;
    if (i.dst2 >= 0)
      f.defined[i.dst2] |= 1u << l;
  }
  noteLine(before, i);
  f.data.clear(i.dst, rest);
  if (i.dst2 >= 0)
    f.data.clear(i.dst2, rest);
  return rest;
}

void SymbolicDomain::merge(FrameT &f, const std::vector<uint64_t> &values,
                           const std::vector<uint32_t> &defined,
                           const FrameData &data, const Node *predicates,
                           uint32_t lanes) {
  for (int32_t slot = 0; slot < int32_t(f.code->slots); ++slot) {
    if (f.code->names[slot].empty())
      continue;
    unsigned bits = f.code->bits[slot];
    auto node = [&](bool isDefined, Node n, uint64_t value) {
      if (!isDefined)
        return graph.undefined(bits);
      return n ? n : graph.constant(value, bits);
    };
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m);
      size_t at = size_t(slot) * warpSize + l;
      bool now = f.defined[slot] >> l & 1, other = defined[slot] >> l & 1;
      if (!now && !other)
        continue;
      Node a = f.data.node(slot, l), b = data.node(slot, l);
      if (now == other && a == b && (a || f.values[at] == values[at]))
        continue;
      setNode(f, slot, l,
              graph.choice(predicates[l], node(now, a, f.values[at]),
                           node(other, b, values[at])));
      f.defined[slot] |= 1u << l;
    }
  }
}

//===----------------------------------------------------------------------===//
// Instructions as nodes
//===----------------------------------------------------------------------===//

/// What has no operation of its own: known by the instruction's whole name and
/// its small constants.
Node SymbolicDomain::opaque(FrameT &f, const Inst &i, unsigned lane,
                            unsigned width) {
  Node operands[3] = {0, 0, 0};
  for (unsigned k = 0; k < i.sources; ++k)
    operands[k] = operand(f, i, k, lane);
  return graph.opaque(
      i.source->name() + "/" + std::to_string(i.imm), width,
      [copy = i](uint64_t a, uint64_t b, uint64_t c) {
        return copy.fn.lane(copy, a, b, c);
      },
      operands[0], operands[1], operands[2]);
}

/// An arithmetic instruction on one number of a format.
Node SymbolicDomain::floatNumber(const Inst &i, FormatId format, Node a, Node b,
                                 Node c) {
  const std::string &op = *i.opcode;
  auto in = [&](Node n) {
    return n && i.ftz ? graph.modify(Op::Flush, format, n) : n;
  };
  a = in(a);
  b = in(b);
  c = in(c);
  uint8_t flags = i.approximate ? sym::Approximate : sym::NoFlags;
  Node r = 0;
  auto unary = [&](sym::FunctionId id) {
    return graph.function(id, format, a, flags);
  };
  if (op == "add" || op == "sub" || op == "mul") {
    if (!i.explicitRounding)
      flags |= sym::Contractible;
    Op kind = op == "add" ? Op::Add : op == "sub" ? Op::Sub : Op::Mul;
    r = graph.arithmetic(kind, format, a, b, 0, i.rounding, flags);
  } else if (op == "fma" || op == "mad") {
    r = graph.arithmetic(Op::Fma, format, a, b, c, i.rounding);
  } else if (op == "div") {
    const std::vector<std::string> &modifiers = i.source->modifiers;
    if (std::count(modifiers.begin(), modifiers.end(), "full"))
      flags |= sym::FullRange;
    r = graph.arithmetic(Op::Div, format, a, b, 0, i.rounding, flags);
  } else if (op == "rcp") {
    const num::Format &f = *sym::formatOf(format);
    Node one = graph.constant(uint64_t(f.bias) << f.fracBits, f.width());
    if (i.approximate)
      flags |= sym::Reciprocal;
    r = graph.arithmetic(Op::Div, format, one, a, 0, i.rounding, flags);
  } else if (op == "sqrt") {
    r = graph.arithmetic(Op::Sqrt, format, a, 0, 0, i.rounding, flags);
  } else if (op == "min" || op == "max") {
    bool min = op == "min";
    if (i.xorsign) {
      // Of two NaNs, the result has a sign of its own.
      if (i.nan || !graph.isConstant(b) ||
          num::isNaN(*sym::formatOf(format), graph[b].bits))
        return 0;
      Node least = graph.arithmetic(min ? Op::MinNum : Op::MaxNum, format,
                                    graph.abs(a), graph.abs(b));
      return graph.arithmetic(Op::CopySign, format, least,
                              graph.logic(Op::Xor, a, b));
    }
    r = graph.arithmetic(i.nan ? (min ? Op::Minimum : Op::Maximum)
                               : (min ? Op::MinNum : Op::MaxNum),
                         format, a, b);
    return r;
  } else if (op == "neg") {
    return graph.neg(a);
  } else if (op == "abs") {
    return graph.abs(a);
  } else if (op == "copysign") {
    // The sign is that of the first operand.
    return graph.arithmetic(Op::CopySign, format, b, a);
  } else if (op == "ex2") {
    r = unary(sym::FunctionId::Exp2);
  } else if (op == "lg2") {
    r = unary(sym::FunctionId::Log2);
  } else if (op == "tanh") {
    r = unary(sym::FunctionId::Tanh);
  } else if (op == "sin") {
    r = unary(sym::FunctionId::Sin);
  } else if (op == "cos") {
    r = unary(sym::FunctionId::Cos);
  } else if (op == "rsqrt") {
    r = unary(sym::FunctionId::Rsqrt);
  } else {
    return 0;
  }
  if (i.ftz)
    r = graph.modify(Op::Flush, format, r);
  if (i.sat)
    r = graph.modify(Op::Saturate, format, r);
  if (i.relu)
    r = graph.modify(Op::Relu, format, r);
  return r;
}

Node SymbolicDomain::convertNumber(const Inst &i, FormatId from, FormatId to,
                                   Node a) {
  if (i.ftz && from == FormatId::F32)
    a = graph.modify(Op::Flush, from, a);
  Node r = i.integral ? graph.roundIntegral(from, a, i.rounding)
                      : graph.convert(from, to, a, i.rounding, i.satfinite);
  if (i.ftz && to == FormatId::F32)
    r = graph.modify(Op::Flush, to, r);
  if (i.sat)
    r = graph.modify(Op::Saturate, to, r);
  if (i.relu)
    r = graph.modify(Op::Relu, to, r);
  return r;
}

Node SymbolicDomain::convert(const Inst &i, Node a, Node b) {
  const num::Format *to = formatOf(i.type), *from = formatOf(i.sourceType);
  auto narrow = [&](Node n, unsigned bits) {
    return graph.width(n) > bits ? graph.extract(n, 0, bits) : n;
  };
  if (from && to) {
    FormatId f = sym::idOf(*from), t = sym::idOf(*to);
    if (lanesOf(i.type) == 1) {
      Node r = convertNumber(i, f, t, narrow(a, from->width()));
      // TF32 is kept in the high bits of an f32.
      return i.type == Ty::TF32 ? graph.concat(r, graph.constant(0, 13)) : r;
    }
    if (lanesOf(i.sourceType) == 1)
      return graph.concat(convertNumber(i, f, t, a), convertNumber(i, f, t, b));
    unsigned width = from->width();
    return graph.concat(convertNumber(i, f, t, graph.extract(a, width, width)),
                        convertNumber(i, f, t, graph.extract(a, 0, width)));
  }
  if (i.sat)
    return 0;
  unsigned fromBits = bitsOf(i.sourceType), toBits = bitsOf(i.type);
  if (to)
    return graph.fromInteger(sym::idOf(*to), isSigned(i.sourceType),
                             narrow(a, fromBits), i.rounding);
  if (from) {
    FormatId f = sym::idOf(*from);
    if (i.ftz)
      a = graph.modify(Op::Flush, f, a);
    if (i.imm > toBits)
      return 0;
    return graph.toInteger(f, isSigned(i.type), toBits, a, i.rounding);
  }
  a = narrow(a, fromBits);
  unsigned bits = std::max<unsigned>(i.imm, toBits);
  if (toBits <= fromBits) {
    a = narrow(a, toBits);
    fromBits = toBits;
    if (bits > toBits && isSigned(i.type))
      return 0;
  } else if (isSigned(i.sourceType)) {
    return 0;
  }
  return bits > fromBits ? graph.concat(graph.constant(0, bits - fromBits), a)
                         : a;
}

Node SymbolicDomain::build(FrameT &f, const Inst &i, unsigned lane) {
  const std::string &op = *i.opcode;
  auto in = [&](unsigned k) {
    return k < i.sources ? operand(f, i, k, lane) : Node(0);
  };
  auto isConcrete = [&](unsigned k) { return !f.data.node(i.src[k], lane); };
  uint64_t constant1 = f.lanes(i.src[1])[lane];

  Node r = 0;
  unsigned width = f.code->bits[i.dst];
  if (op == "mov" || op == "cvta")
    return in(0);
  if (op == "cvt")
    r = convert(i, in(0), in(1));
  else if (op == "selp")
    r = graph.choice(in(2), in(0), in(1));
  else if (op == "and" || op == "or" || op == "xor")
    r = graph.logic(op == "and"  ? Op::And
                    : op == "or" ? Op::Or
                                 : Op::Xor,
                    in(0), in(1));
  else if (op == "not")
    r = graph.logicalNot(in(0));
  else if (op == "shl" && isConcrete(1))
    r = graph.shiftLeft(in(0), uint32_t(std::min<uint64_t>(constant1, 64)));
  else if (op == "shr" && isConcrete(1))
    r = graph.shiftRight(in(0), uint32_t(std::min<uint64_t>(constant1, 64)),
                         isSigned(i.type));
  else if (op == "prmt" && isConcrete(2) && i.imm == 0) {
    uint64_t selector = f.lanes(i.src[2])[lane];
    if (!(selector & 0x8888)) {
      Node both = graph.concat(in(1), in(0));
      for (unsigned k = 0; k < 4; ++k) {
        Node byte = graph.extract(both, 8 * (selector >> 4 * k & 7), 8);
        r = r ? graph.concat(byte, r) : byte;
      }
    }
  } else if (isFloat(i.type) && op != "testp" && op != "slct") {
    FormatId format = sym::idOf(*formatOf(i.type));
    if (i.sourceType != i.type && isFloat(i.sourceType)) {
      // Mixed: all but the last operand are narrower.
      FormatId narrow = sym::idOf(*formatOf(i.sourceType));
      Node o[3] = {in(0), in(1), in(2)};
      for (unsigned k = 0; k + 1 < i.sources; ++k)
        o[k] = graph.convert(
            narrow, format,
            graph.extract(o[k], 0, sym::formatOf(narrow)->width()));
      r = floatNumber(i, format, o[0], o[1], o[2]);
    } else if (lanesOf(i.type) == 2) {
      unsigned half = bitsOf(i.type) / 2;
      Node parts[2];
      for (unsigned h = 0; h < 2; ++h) {
        auto part = [&](Node n) {
          return n ? graph.extract(n, h * half, half) : n;
        };
        parts[h] =
            floatNumber(i, format, part(in(0)), part(in(1)), part(in(2)));
      }
      if (parts[0] && parts[1])
        r = graph.concat(parts[1], parts[0]);
    } else {
      r = floatNumber(i, format, in(0), in(1), in(2));
    }
  }
  return r ? r : opaque(f, i, lane, width);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Node SymbolicDomain::value(const uint8_t *data, unsigned bytes) {
  // Runs of bytes of one node are one piece.
  Node whole = 0;
  for (unsigned k = 0; k < bytes;) {
    auto it = memory.find(data + k);
    Node piece;
    unsigned end = k + 1;
    if (it == memory.end()) {
      piece = graph.constant(data[k], 8);
    } else {
      Byte first = it->second;
      for (; end < bytes; ++end) {
        auto next = memory.find(data + end);
        if (next == memory.end() || next->second.node != first.node ||
            next->second.index != first.index + (end - k))
          break;
      }
      piece = graph.extract(first.node, first.index * 8u, (end - k) * 8);
    }
    whole = whole ? graph.concat(piece, whole) : piece;
    k = end;
  }
  return whole;
}

Node SymbolicDomain::load(const Region *region, uint64_t offset,
                          const uint8_t *data, unsigned bytes,
                          unsigned registerBits) {
  Node node = 0;
  if (region && region->symbol >= 0) {
    const Input &input = inputs[region->symbol];
    unsigned each = input.elementBytes;
    // The elements that the bytes belong to, and of those the bytes asked for.
    uint64_t first = offset / each, last = (offset + bytes - 1) / each;
    for (uint64_t e = first; e <= last; ++e) {
      unsigned low = e == first ? unsigned(offset % each) : 0;
      unsigned high =
          e == last ? unsigned((offset + bytes - 1) % each) + 1 : each;
      Node part =
          graph.extract(graph.leaf(input.tensor, e), low * 8, (high - low) * 8);
      node = node ? graph.concat(part, node) : part;
    }
  } else {
    bool any = false;
    for (unsigned k = 0; k < bytes && !any; ++k)
      any = memory.count(data + k) != 0;
    if (!any)
      return 0;
    node = value(data, bytes);
  }
  if (graph.isConstant(node))
    return 0;
  if (registerBits > bytes * 8)
    node = graph.opaque(
        "sext." + std::to_string(bytes * 8) + "." +
            std::to_string(registerBits),
        registerBits,
        [=](uint64_t x, uint64_t, uint64_t) {
          unsigned unused = 64 - bytes * 8;
          return uint64_t(int64_t(x << unused) >> unused) &
                 maskOf(registerBits);
        },
        node);
  return node;
}

void SymbolicDomain::storeNode(uint8_t *data, unsigned bytes, Node node) {
  for (unsigned k = 0; k < bytes; ++k) {
    if (node && !graph.isConstant(node))
      memory[data + k] = {node, uint8_t(k)};
    else
      memory.erase(data + k);
  }
}

/// Under a condition, memory keeps its value where the condition is false.
bool SymbolicDomain::store(uint8_t *data, unsigned bytes, Node node,
                           uint64_t bits, bool defined, unsigned lane,
                           bool always) {
  Node guard = always ? 0 : condition[lane];
  Node now = node ? node : graph.constant(bits, bytes * 8);
  if (graph.width(now) > bytes * 8)
    now = graph.extract(now, 0, bytes * 8);
  Node before = defined ? value(data, bytes) : graph.undefined(bytes * 8);
  if (guard)
    now = graph.choice(guard, now, before);
  storeNode(data, bytes, now);
  return now != before;
}

void SymbolicDomain::copyBytes(uint8_t *to, const uint8_t *from,
                               unsigned bytes) {
  for (unsigned k = 0; k < bytes; ++k) {
    auto it = memory.find(from + k);
    if (it == memory.end())
      memory.erase(to + k);
    else
      memory[to + k] = it->second;
  }
}

bool SymbolicDomain::copyRegion(uint8_t *to, const Region *region,
                                uint64_t offset, const uint8_t *from,
                                unsigned bytes, unsigned total) {
  for (unsigned k = 0; k < total; ++k)
    memory.erase(to + k);
  bool any = false;
  for (unsigned k = 0; k < bytes; k += 2) {
    unsigned step = std::min(2u, bytes - k);
    if (Node node = load(region, offset + k, from + k, step, 0)) {
      storeNode(to + k, step, node);
      any = true;
    }
  }
  return any;
}

bool SymbolicDomain::storeHalf(uint8_t *data, Node pair, unsigned half) {
  storeNode(data, 2, pair ? graph.extract(pair, 16 * half, 16) : 0);
  return pair != 0;
}

Node SymbolicDomain::loadHalves(const uint8_t *low, const uint8_t *high) {
  Node pair = graph.concat(value(high, 2), value(low, 2));
  return graph.isConstant(pair) ? 0 : pair;
}
