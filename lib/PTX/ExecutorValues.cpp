// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions on registers: pure ones, and those that look at other lanes.
#include "DomainSymbolic.h"
#include "Outcomes.h"

#include <algorithm>

using namespace prec::ptx;

template <class D>
void Executor<D>::setResult(FrameT &f, int32_t slot, unsigned lane,
                            uint64_t value) {
  f.lanes(slot)[lane] = value;
  f.defined[slot] |= 1u << lane;
  if constexpr (D::symbolic)
    f.data.clear(slot, 1u << lane);
}

template <class D>
void Executor<D>::requireDefined(Warp &w, FrameT &f, const Inst &i,
                                 int32_t slot, uint32_t active) {
  uint32_t missing = active & ~f.defined[slot];
  if (!missing)
    return;
  const unsigned lane = __builtin_ctz(missing);
  const uint64_t bits = f.missingBits(slot, lane);
  std::string what = "read of uninitialised ";
  if (bits != lowBits(f.code->bits[slot]))
    what += "bits " + std::to_string(__builtin_ctzll(bits)) + " to " +
            std::to_string(63 - __builtin_clzll(bits)) + " of ";
  fail(w, i, lane, what + "register '" + f.code->names[slot] + "'");
}

/// An instruction whose operands must have values. Moves may copy what is not
/// there; whoever uses it is at fault.
template <class D>
void Executor<D>::executeChecked(Warp &w, FrameT &f, const Inst &i,
                                 uint32_t active) {
  if (i.cls != Class::Move)
    for (unsigned k = 0; k < i.sources; ++k)
      if (active & ~f.defined[i.src[k]])
        return executePartly(w, f, i, active);
  execute(w, f, i, active);
}

/// Whether each bit of the result is a logical function of operands' bits,
/// given what is no bit pattern.
static bool isBitwise(const Inst &i) {
  static const char *const names[] = {"and", "or",  "xor",  "not",
                                      "shl", "shr", "lop3", "prmt",
                                      "bfe", "bfi", "selp"};
  return i.kind == Kind::Pure && !isFloat(i.type) &&
         std::find(std::begin(names), std::end(names), *i.opcode) !=
             std::end(names);
}

/// Whether each half of the result depends on the same half of operands only.
static bool isHalfwise(const Inst &i) {
  return (i.kind == Kind::Pure || i.kind == Kind::Approximate) &&
         lanesOf(i.type) == 2 && *i.opcode != "cvt";
}

/// An instruction with an operand that has not all of its bits: an error,
/// unless the result's bits are those of operands.
template <class D>
void Executor<D>::executePartly(Warp &w, FrameT &f, const Inst &i,
                                uint32_t active) {
  const bool halves = isHalfwise(i), bitwise = isBitwise(i);
  uint64_t missing[warpSize] = {};
  for (uint32_t m = active; m; m &= m - 1) {
    const unsigned l = __builtin_ctz(m);
    uint64_t absent[3] = {}, value[3] = {};
    for (unsigned k = 0; k < 3; ++k) {
      const int32_t slot = i.src[k];
      value[k] = f.lanes(slot)[l];
      if (k >= i.sources || f.defined[slot] >> l & 1)
        continue;
      absent[k] = f.missingBits(slot, l);
      if (absent[k] == lowBits(f.code->bits[slot]) || !(halves || bitwise))
        requireDefined(w, f, i, slot, 1u << l);
    }
    if (halves) {
      const unsigned half = bitsOf(i.type) / 2;
      const uint64_t low = lowBits(half),
                     all = absent[0] | absent[1] | absent[2];
      missing[l] =
          (all & low ? low : 0) | (all & (low << half) ? low << half : 0);
      continue;
    }
    // A bit that is the same whatever the absent ones are has a value.
    auto result = [&](unsigned ones) {
      uint64_t v[3];
      for (unsigned k = 0; k < 3; ++k)
        v[k] = (value[k] & ~absent[k]) | (ones >> k & 1 ? absent[k] : 0);
      return i.fn.lane(i, v[0], v[1], v[2]);
    };
    for (unsigned ones = 1; ones < 8; ++ones)
      missing[l] |= result(0) ^ result(ones);
  }
  execute(w, f, i, active);
  for (uint32_t m = active; m; m &= m - 1)
    if (unsigned l = __builtin_ctz(m); missing[l])
      f.setMissing(i.dst, l, missing[l]);
}

/// The lanes of `mask` whose predicate is true.
template <class D>
uint32_t Executor<D>::truth(Warp &w, FrameT &f, const Inst &i, int32_t slot,
                            uint32_t mask) {
  requireDefined(w, f, i, slot, mask);
  if constexpr (D::symbolic)
    if (uint32_t unknown = f.data.symbolic[slot] & mask)
      failOnData(w, i, __builtin_ctz(unknown), "control that depends on data");
  const uint64_t *lanes = f.lanes(slot);
  uint32_t yes = 0;
  for (unsigned l = 0; l < warpSize; ++l)
    yes |= uint32_t(lanes[l] & 1) << l;
  return yes & mask;
}

template <class D>
uint32_t Executor<D>::guardMask(Warp &w, FrameT &f, const Inst &i,
                                uint32_t mask) {
  uint32_t yes = truth(w, f, i, i.guard, mask);
  return i.guardNegated ? mask & ~yes : yes;
}

//===----------------------------------------------------------------------===//
// Control that depends on data
//===----------------------------------------------------------------------===//

namespace {
/// The registers of a frame at some moment.
template <class D> struct Registers {
  std::vector<uint64_t> values;
  std::vector<uint32_t> defined;
  typename D::FrameData data;

  explicit Registers(const Frame<D> &f)
      : values(f.values), defined(f.defined), data(f.data) {}
  void restore(Frame<D> &f) const {
    f.values = values;
    f.defined = defined;
    f.data = data;
  }
};
} // namespace

/// An instruction under a predicate that is a symbol: its results are choices
/// between the new values and the old.
template <class D>
void Executor<D>::executeUnder(Warp &w, FrameT &f, const Inst &i,
                               uint32_t lanes) {
  if constexpr (D::symbolic) {
    bool allowed = i.kind == Kind::Pure || i.kind == Kind::SetPredicate ||
                   i.kind == Kind::Pack || i.kind == Kind::Unpack ||
                   i.kind == Kind::Load || i.kind == Kind::Store ||
                   i.kind == Kind::Nop;
    if (!allowed)
      failOnData(w, i, __builtin_ctz(lanes), "control that depends on data");
    Registers<D> before(f);
    auto outer = domain.condition;
    sym::Node predicates[warpSize] = {};
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m);
      sym::Node p = f.data.node(i.guard, l);
      predicates[l] = i.guardNegated ? domain.graph.logicalNot(p) : p;
      domain.condition[l] = domain.both(outer[l], predicates[l]);
    }
    executeChecked(w, f, i, lanes);
    domain.condition = outer;
    domain.merge(f, before.values, before.defined, before.data, predicates,
                 lanes);
  }
}

/// A branch on symbols: both ways are run up to where they meet, one after the
/// other from the same registers; what they leave differently is a choice.
template <class D>
void Executor<D>::fork(Warp &w, FrameT &f, uint32_t pc, const Inst &i,
                       uint32_t lanes) {
  if constexpr (D::symbolic) {
    if (++forks > 4096 || forkDepth >= 32)
      failOnData(w, i, __builtin_ctz(lanes),
                 "too many branches that depend on data: the last one taken");
    const Code &code = *f.code;
    auto [it, isNew] = joins.try_emplace(&code);
    if (isNew)
      it->second = postDominators(code);
    uint32_t join = it->second[pc], last = uint32_t(code.insts.size()) - 1;

    sym::Node taken[warpSize] = {};
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m);
      sym::Node p = f.data.node(i.guard, l);
      taken[l] = i.guardNegated ? domain.graph.logicalNot(p) : p;
    }
    auto others = std::move(w.fragments);
    auto outerCondition = domain.condition;
    FrameT *outerFrame = stopFrame;
    uint32_t outerPc = stopPc;
    stopFrame = &f;
    stopPc = join;
    ++forkDepth;
    auto follow = [&](uint32_t start, bool isTaken) {
      for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = __builtin_ctz(m);
        sym::Node p = isTaken ? taken[l] : domain.graph.logicalNot(taken[l]);
        domain.condition[l] = domain.both(outerCondition[l], p);
      }
      Fragment first;
      first.frame = &f;
      first.pc = start;
      first.mask = lanes;
      w.fragments.assign(1, first);
      runWarp(w);
      for (Fragment &g : w.fragments)
        if (g.state != State::Parked)
          failOnData(w, g.frame->code->insts[g.pc], __builtin_ctz(g.mask),
                     "barrier under a condition that depends on data");
    };
    Registers<D> before(f);
    follow(i.kind == Kind::Branch ? i.target : last, true);
    Registers<D> after(f);
    before.restore(f);
    follow(pc + 1, false);
    // Where the branch is not taken the registers are as they are now.
    Registers<D> fallen(f);
    after.restore(f);
    domain.merge(f, fallen.values, fallen.defined, fallen.data, taken, lanes);

    --forkDepth;
    stopFrame = outerFrame;
    stopPc = outerPc;
    domain.condition = outerCondition;
    w.fragments = std::move(others);
    Fragment joined;
    joined.frame = &f;
    joined.pc = std::min(join, last);
    joined.mask = lanes;
    w.fragments.push_back(joined);
  }
}

template <class D>
void Executor<D>::execute(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  switch (i.kind) {
  case Kind::Pure:
    return pureOp(f, i, active);
  case Kind::Approximate:
    return approximate(f, i, active);
  case Kind::SetPredicate:
    return setPredicate(f, i, active);
  case Kind::Pack:
    return pack(f, i, active);
  case Kind::Unpack:
    return unpack(f, i, active);
  case Kind::Carry:
    return carry(w, f, i, active);
  case Kind::Shuffle:
    return shuffle(w, f, i, active);
  case Kind::Vote:
    return vote(w, f, i, active);
  case Kind::Match:
    return match(w, f, i, active);
  case Kind::Reduce:
    return reduce(w, f, i, active);
  case Kind::Load:
    return load(w, f, i, active);
  case Kind::Store:
    return store(w, f, i, active);
  case Kind::Atomic:
    return atomic(w, f, i, active);
  case Kind::CopyAsync:
    return copyAsync(w, f, i, active);
  case Kind::LoadMatrix:
  case Kind::StoreMatrix:
    return matrixMove(w, f, i, active);
  case Kind::Mma:
    return mma(w, f, i, active);
  case Kind::ActiveMask:
    for (uint32_t m = active; m; m &= m - 1)
      setResult(f, i.dst, __builtin_ctz(m), active);
    return;
  case Kind::Elect:
    for (uint32_t m = active; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m), leader = __builtin_ctz(active);
      setResult(f, i.dst, l, leader);
      setResult(f, i.dst2, l, l == leader);
    }
    return;
  case Kind::WarpBarrier:
  case Kind::Nop:
  case Kind::Branch:
  case Kind::BranchIndexed:
  case Kind::Call:
  case Kind::Return:
  case Kind::Exit:
  case Kind::Trap:
  case Kind::Barrier:
    return;
  }
}

template <class D>
void Executor<D>::pureOp(FrameT &f, const Inst &i, uint32_t active) {
  if (i.cls == Class::Move) {
    const uint32_t absent = active & ~f.defined[i.src[0]];
    f.defined[i.dst] = (f.defined[i.dst] | active) & ~absent;
    if (absent && !f.missing.empty())
      for (uint32_t m = absent; m; m &= m - 1) {
        const unsigned l = __builtin_ctz(m);
        f.setMissing(i.dst, l, f.missingBits(i.src[0], l));
      }
  } else
    f.defined[i.dst] |= active;
  if constexpr (D::symbolic) {
    active = domain.pure(f, i, active);
    if (!active)
      return;
  }
  i.fn.warp(i, f.lanes(i.dst), f.lanes(i.src[0]), f.lanes(i.src[1]),
            f.lanes(i.src[2]), active);
}

template <class D>
void Executor<D>::approximate(FrameT &f, const Inst &i, uint32_t active) {
  if constexpr (!D::symbolic) {
    // The destination may be a source.
    std::array<uint64_t, 3> operands[warpSize];
    for (unsigned l = 0; l < warpSize; ++l)
      for (unsigned k = 0; k < 3; ++k)
        operands[l][k] = f.lanes(i.src[k])[l];
    for (uint32_t m = active; m; m &= m - 1) {
      const unsigned l = __builtin_ctz(m);
      setResult(f, i.dst, l, domain.outcomes->choose(*f.code, i, operands[l]));
    }
  }
}

template <class D>
void Executor<D>::setPredicate(FrameT &f, const Inst &i, uint32_t active) {
  if constexpr (D::symbolic) {
    active = domain.setPredicate(f, i, active);
    if (!active)
      return;
  }
  uint64_t low[warpSize], high[warpSize];
  const uint64_t *a = f.lanes(i.src[0]), *b = f.lanes(i.src[1]);
  const uint64_t *c = f.lanes(i.src[2]);
  i.fn.warp(i, low, a, b, c, active);
  if (i.fnHigh)
    i.fnHigh.warp(i, high, a, b, c, active);
  auto combine = [&](uint64_t value, unsigned lane) -> uint64_t {
    if (i.boolean == Mode::None)
      return value;
    uint64_t p = (c[lane] & 1) ^ uint64_t(i.negatePredicate);
    return i.boolean == Mode::And  ? value & p
           : i.boolean == Mode::Or ? value | p
                                   : value ^ p;
  };
  // The destinations may be the sources: results first, then writing.
  uint64_t first[warpSize], second[warpSize];
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    first[l] = combine(low[l], l);
    second[l] = combine(i.fnHigh ? high[l] : !low[l], l);
  }
  bool set = i.type != Ty::Pred;
  uint64_t yes = set ? setTrue(i.type) : 1;
  bool pair = set && lanesOf(i.sourceType) == 2;
  unsigned half = bitsOf(i.type) / 2;
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    if (pair)
      f.lanes(i.dst)[l] = (first[l] ? yes & lowBits(half) : 0) |
                          (second[l] ? yes & ~lowBits(half) : 0);
    else
      f.lanes(i.dst)[l] = first[l] ? yes : 0;
    if (i.dst2 >= 0)
      f.lanes(i.dst2)[l] = second[l];
  }
  f.defined[i.dst] |= active;
  if (i.dst2 >= 0)
    f.defined[i.dst2] |= active;
}

template <class D>
void Executor<D>::pack(FrameT &f, const Inst &i, uint32_t active) {
  unsigned width = bitsOf(i.type) / unsigned(i.regs.size());
  uint32_t some = 0, all = active;
  for (int32_t slot : i.regs) {
    some |= f.defined[slot] & active;
    all &= f.defined[slot];
  }
  f.defined[i.dst] = (f.defined[i.dst] & ~active) | (D::symbolic ? some : all);
  if constexpr (!D::symbolic)
    for (uint32_t m = active & ~all; m; m &= m - 1) {
      const unsigned l = __builtin_ctz(m);
      uint64_t bits = 0;
      unsigned shift = 0;
      for (int32_t slot : i.regs) {
        bits |= (f.missingBits(slot, l) & lowBits(width)) << shift;
        shift += width;
      }
      f.setMissing(i.dst, l, bits);
    }
  if constexpr (D::symbolic) {
    active = domain.pack(f, i, width, active);
    if (!active)
      return;
  }
  uint64_t out[warpSize] = {};
  unsigned shift = 0;
  for (int32_t slot : i.regs) {
    const uint64_t *lanes = f.lanes(slot);
    for (unsigned l = 0; l < warpSize; ++l)
      out[l] |= (lanes[l] & lowBits(width)) << shift;
    shift += width;
  }
  uint64_t *d = f.lanes(i.dst);
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    d[l] = out[l];
  }
}

template <class D>
void Executor<D>::unpack(FrameT &f, const Inst &i, uint32_t active) {
  unsigned width = bitsOf(i.type) / unsigned(i.regs.size());
  const uint32_t absent = active & ~f.defined[i.src[0]];
  uint64_t missing[warpSize];
  for (uint32_t m = absent; m; m &= m - 1) {
    const unsigned l = __builtin_ctz(m);
    missing[l] = f.missingBits(i.src[0], l);
  }
  unsigned low = 0;
  for (int32_t slot : i.regs) {
    f.defined[slot] |= active;
    for (uint32_t m = absent; m; m &= m - 1) {
      const unsigned l = __builtin_ctz(m);
      if (uint64_t bits = missing[l] >> low & lowBits(width))
        f.setMissing(slot, l, bits);
    }
    low += width;
  }
  if constexpr (D::symbolic) {
    active = domain.unpack(f, i, width, active);
    if (!active)
      return;
  }
  uint64_t in[warpSize];
  std::copy_n(f.lanes(i.src[0]), warpSize, in);
  unsigned shift = 0;
  for (int32_t slot : i.regs) {
    uint64_t *lanes = f.lanes(slot);
    for (uint32_t m = active; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m);
      lanes[l] = in[l] >> shift & lowBits(width);
    }
    shift += width;
  }
}

template <class D>
void Executor<D>::carry(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  if (i.carryIn)
    requireDefined(w, f, i, i.carry, active);
  if constexpr (D::symbolic)
    for (unsigned k = 0; k < i.sources; ++k)
      if (uint32_t unknown = f.data.symbolic[i.src[k]] & active)
        failOnData(w, i, __builtin_ctz(unknown), "carry that depends on data");
  unsigned bits = bitsOf(i.type);
  uint64_t mask = lowBits(bits);
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    unsigned __int128 a = f.lanes(i.src[0])[l], b = f.lanes(i.src[1])[l];
    unsigned in = i.carryIn ? f.lanes(i.carry)[l] & 1 : 0;
    unsigned __int128 sum;
    if (i.mode == Mode::SubCarry) {
      // The flag is the borrow.
      sum = a - b - in;
    } else if (i.mode == Mode::AddCarry) {
      sum = a + b + in;
    } else {
      unsigned __int128 product = a * b;
      if (isSigned(i.type) && i.mode == Mode::MadHighCarry) {
        auto extend = [&](uint64_t v) {
          return __int128(int64_t(v << (64 - bits)) >> (64 - bits));
        };
        product =
            (unsigned __int128)(extend(uint64_t(a)) * extend(uint64_t(b)));
      }
      uint64_t part =
          uint64_t(i.mode == Mode::MadHighCarry ? product >> bits : product) &
          mask;
      sum = (unsigned __int128)part + f.lanes(i.src[2])[l] + in;
    }
    setResult(f, i.dst, l, uint64_t(sum) & mask);
    if (i.carryOut)
      setResult(f, i.carry, l, uint64_t(sum >> bits) & 1);
  }
}

template <class D>
void Executor<D>::shuffle(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  uint64_t in[warpSize];
  std::copy_n(f.lanes(i.src[0]), warpSize, in);
  typename D::FrameData before = {};
  if constexpr (D::symbolic)
    before = f.data.snapshot(i.src[0]);
  const uint64_t *bs = f.lanes(i.src[1]), *cs = f.lanes(i.src[2]);
  uint64_t offsets[warpSize], limits[warpSize];
  std::copy_n(bs, warpSize, offsets);
  std::copy_n(cs, warpSize, limits);
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    unsigned b = offsets[l] & 31, c = limits[l] & 31;
    unsigned segment = limits[l] >> 8 & 31;
    unsigned maxLane = (l & segment) | (c & ~segment & 31);
    unsigned minLane = l & segment;
    int j = 0;
    bool valid = false;
    switch (i.mode) {
    case Mode::Up:
      j = int(l) - int(b);
      valid = j >= int(maxLane);
      break;
    case Mode::Down:
      j = int(l + b);
      valid = j <= int(maxLane);
      break;
    case Mode::Butterfly:
      j = int(l ^ b);
      valid = j <= int(maxLane);
      break;
    default:
      j = int(minLane | (b & ~segment & 31));
      valid = j <= int(maxLane);
      break;
    }
    if (!valid)
      j = int(l);
    if (!(active >> j & 1))
      fail(w, i, l,
           "shuffle from lane " + std::to_string(j) +
               ", which does not take part,");
    setResult(f, i.dst, l, in[j]);
    if constexpr (D::symbolic)
      f.data.copy(i.dst, l, before, 0, unsigned(j));
    if (i.dst2 >= 0)
      setResult(f, i.dst2, l, valid);
  }
}

template <class D>
void Executor<D>::vote(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  uint32_t yes = truth(w, f, i, i.src[0], active);
  if (i.negatePredicate)
    yes = active & ~yes;
  uint64_t result = 0;
  switch (i.mode) {
  case Mode::All:
    result = yes == active;
    break;
  case Mode::Any:
    result = yes != 0;
    break;
  case Mode::Uniform:
    result = yes == 0 || yes == active;
    break;
  default:
    result = yes;
    break;
  }
  for (uint32_t m = active; m; m &= m - 1)
    setResult(f, i.dst, __builtin_ctz(m), result);
}

template <class D>
void Executor<D>::match(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  uint64_t in[warpSize];
  std::copy_n(f.lanes(i.src[0]), warpSize, in);
  if constexpr (D::symbolic)
    if (uint32_t unknown = f.data.symbolic[i.src[0]] & active)
      failOnData(w, i, __builtin_ctz(unknown), "match that depends on data");
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    uint32_t same = 0;
    for (uint32_t n = active; n; n &= n - 1) {
      unsigned k = __builtin_ctz(n);
      same |= uint32_t(in[k] == in[l]) << k;
    }
    bool all = same == active;
    setResult(f, i.dst, l, i.mode == Mode::Any ? same : all ? active : 0);
    if (i.dst2 >= 0)
      setResult(f, i.dst2, l, all);
  }
}

template <class D>
void Executor<D>::reduce(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  const uint64_t *in = f.lanes(i.src[0]);
  if constexpr (D::symbolic)
    if (uint32_t unknown = f.data.symbolic[i.src[0]] & active)
      failOnData(w, i, __builtin_ctz(unknown),
                 "reduction that depends on data");
  uint32_t rest = active & (active - 1);
  uint64_t result = in[__builtin_ctz(active)];
  for (; rest; rest &= rest - 1)
    result = i.fn.lane(i, result, in[__builtin_ctz(rest)], 0);
  for (uint32_t m = active; m; m &= m - 1)
    setResult(f, i.dst, __builtin_ctz(m), result);
}

template class prec::ptx::Executor<BitsDomain>;
template class prec::ptx::Executor<SymbolicDomain>;
