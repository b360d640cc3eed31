// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, warps, divergence, calls and barriers.
#include "DomainSymbolic.h"

#include <algorithm>

using namespace prec::ptx;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

template <class D> std::string Executor<D>::threadName(uint64_t thread) const {
  uint64_t t = thread % threadsPerBlock, b = thread / threadsPerBlock;
  auto triple = [](uint64_t linear, const Dim3 &dims) {
    return "(" + std::to_string(linear % dims.x) + ", " +
           std::to_string(linear / dims.x % dims.y) + ", " +
           std::to_string(linear / dims.x / dims.y) + ")";
  };
  return "thread " + triple(t, shape.block) + " of block " +
         triple(b, shape.grid);
}

template <class D>
std::string Executor<D>::threadName(const Warp &w, unsigned lane) const {
  return threadName(blockIndex * threadsPerBlock + w.index * warpSize + lane);
}

template <class D>
void Executor<D>::fail(const Warp &w, const Inst &i, unsigned lane,
                       const std::string &message) const {
  Location location = i.source ? i.source->location : Location();
  std::string name = i.source ? i.source->name() : "ret";
  throw RunFailure{location, message + " by " + threadName(w, lane) +
                                 " in instruction '" + name + "'"};
}

template <class D>
void Executor<D>::failOnData(const Warp &w, const Inst &i, unsigned lane,
                             const std::string &message) const {
  try {
    fail(w, i, lane, message);
  } catch (RunFailure &failure) {
    failure.dependsOnData = true;
    throw;
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

template <class D> void Executor<D>::run() {
  threadsPerBlock = uint32_t(shape.block.count());
  unsigned warpCount = (threadsPerBlock + warpSize - 1) / warpSize;
  warps.resize(warpCount);
  for (unsigned k = 0; k < warpCount; ++k)
    warps[k].index = k;
  uint64_t sharedBytes = program.sharedEnd + shape.dynamicShared;
  shared.resize(sharedBytes);
  sharedDefined.resize(sharedBytes);
  counters.blocks = shape.grid.count();
  counters.threads = counters.blocks * threadsPerBlock;
  for (block[2] = 0; block[2] < shape.grid.z; ++block[2])
    for (block[1] = 0; block[1] < shape.grid.y; ++block[1])
      for (block[0] = 0; block[0] < shape.grid.x; ++block[0], ++blockIndex)
        runBlock();

  for (const Code &code : program.codes)
    for (size_t pc = 0; pc < code.insts.size(); ++pc) {
      const Inst &i = code.insts[pc];
      uint64_t count = counts[code.firstIndex + pc];
      if (i.hidden || !count)
        continue;
      counters.instructions[unsigned(i.cls)] += count;
      unsigned bytes = unsigned(i.elementBytes) * i.elements;
      if (i.cls == Class::GlobalLoad) {
        counters.loadsByWidth[bytes] += count;
        counters.globalBytesLoaded += count * bytes;
      } else if (i.cls == Class::GlobalStore) {
        counters.storesByWidth[bytes] += count;
        counters.globalBytesStored += count * bytes;
      } else if (i.cls == Class::Shared) {
        counters.sharedBytes += count * bytes;
      }
    }
}

template <class D> void Executor<D>::runBlock() {
  std::fill(sharedDefined.begin(), sharedDefined.end(), 0);
  blockEpoch = 0;
  sharedRaces.reset();
  barrierCount.fill(0);
  barrierAny.fill(false);
  barrierAll.fill(true);
  for (Warp &w : warps)
    startWarp(w);
  for (;;) {
    for (Warp &w : warps)
      runWarp(w);
    bool blocked = false;
    for (Warp &w : warps)
      blocked |= !w.fragments.empty();
    if (!blocked)
      return;
    if (!releaseBarriers())
      reportDeadlock();
  }
}

template <class D> void Executor<D>::startWarp(Warp &w) {
  unsigned first = w.index * warpSize;
  unsigned lanes = std::min(threadsPerBlock - first, warpSize);
  w.live = lanes == warpSize ? ~0u : (1u << lanes) - 1;
  w.epoch = 0;
  w.steps = 0;
  std::fill(w.localDefined.begin(), w.localDefined.end(), 0);
  bool isNew = !w.root;
  if (isNew)
    w.root = std::make_unique<FrameT>();
  // Local addresses begin above 0, so that 0 is never valid.
  constexpr uint32_t localStart = 256;
  prepareFrame(*w.root, program.codes[0], w, localStart, isNew);
  if (isNew)
    for (unsigned l = 0; l < warpSize; ++l)
      std::copy(shape.params.begin(), shape.params.end(), w.root->param(l));
  w.root->inside = w.live;
  w.fragments.clear();
  Fragment f;
  f.frame = w.root.get();
  f.mask = w.live;
  w.fragments.push_back(f);
}

template <class D>
void Executor<D>::prepareFrame(FrameT &f, const Code &code, Warp &w,
                               uint32_t localBase, bool isNew) {
  if (isNew) {
    f.code = &code;
    f.values.assign(size_t(code.slots) * warpSize, 0);
    f.params.assign(size_t(code.paramBytes) * warpSize, 0);
  }
  f.defined.assign(code.slots, 0);
  f.missing.clear();
  if constexpr (D::symbolic)
    f.data.reset(code.slots);
  f.localBase = localBase;
  reserveLocal(w, localBase + code.localBytes);
  for (const SlotInit &init : code.inits) {
    f.defined[init.slot] = ~0u;
    uint64_t *lanes = f.lanes(init.slot);
    auto all = [&](uint64_t value) {
      std::fill(lanes, lanes + warpSize, value);
    };
    auto each = [&](auto value) {
      for (unsigned l = 0; l < warpSize; ++l)
        lanes[l] = value(l);
    };
    uint32_t first = w.index * warpSize;
    using K = SlotInit::Kind;
    switch (init.kind) {
    case K::Value:
      if (isNew)
        all(init.value);
      break;
    case K::TidX:
      each([&](unsigned l) { return (first + l) % shape.block.x; });
      break;
    case K::TidY:
      each([&](unsigned l) {
        return (first + l) / shape.block.x % shape.block.y;
      });
      break;
    case K::TidZ:
      each([&](unsigned l) {
        return (first + l) / shape.block.x / shape.block.y;
      });
      break;
    case K::NtidX:
      all(shape.block.x);
      break;
    case K::NtidY:
      all(shape.block.y);
      break;
    case K::NtidZ:
      all(shape.block.z);
      break;
    case K::CtaidX:
      all(block[0]);
      break;
    case K::CtaidY:
      all(block[1]);
      break;
    case K::CtaidZ:
      all(block[2]);
      break;
    case K::NctaidX:
      all(shape.grid.x);
      break;
    case K::NctaidY:
      all(shape.grid.y);
      break;
    case K::NctaidZ:
      all(shape.grid.z);
      break;
    case K::LaneId:
      each([](unsigned l) { return l; });
      break;
    case K::WarpId:
      all(w.index);
      break;
    case K::NWarpId:
      all(warps.size());
      break;
    case K::LaneMaskEq:
      each([](unsigned l) { return 1u << l; });
      break;
    case K::LaneMaskLe:
      each([](unsigned l) { return uint32_t((uint64_t(2) << l) - 1); });
      break;
    case K::LaneMaskLt:
      each([](unsigned l) { return (1u << l) - 1; });
      break;
    case K::LaneMaskGe:
      each([](unsigned l) { return ~((1u << l) - 1); });
      break;
    case K::LaneMaskGt:
      each([](unsigned l) { return uint32_t(~((uint64_t(2) << l) - 1)); });
      break;
    case K::DynamicSharedSize:
      all(shape.dynamicShared);
      break;
    case K::TotalSharedSize:
      all(program.sharedEnd - sharedBase + shape.dynamicShared);
      break;
    case K::GlobalSymbol:
      all(variableAddresses[init.value] + init.offset);
      break;
    case K::SharedEnd:
      all(program.sharedEnd + init.offset);
      break;
    case K::LocalOffset:
      all(localBase + init.value + init.offset);
      break;
    }
  }
}

template <class D> void Executor<D>::reserveLocal(Warp &w, uint32_t bytes) {
  if (bytes <= w.localStride)
    return;
  uint32_t stride = std::max(bytes, w.localStride * 2);
  auto grow = [&](std::vector<uint8_t> &old) {
    std::vector<uint8_t> wider(size_t(stride) * warpSize);
    for (unsigned l = 0; l < warpSize && w.localStride; ++l)
      std::copy_n(old.begin() + size_t(l) * w.localStride, w.localStride,
                  wider.begin() + size_t(l) * stride);
    old = std::move(wider);
  };
  grow(w.local);
  grow(w.localDefined);
  w.localStride = stride;
}

//===----------------------------------------------------------------------===//
// Barriers of the block
//===----------------------------------------------------------------------===//

template <class D>
void Executor<D>::arrive(Warp &w, FrameT &f, const Inst &i, uint32_t active,
                         Fragment &fragment) {
  unsigned lane = __builtin_ctz(active);
  uint64_t id = f.lanes(i.src[0])[lane], threads = f.lanes(i.src[1])[lane];
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    if (f.lanes(i.src[0])[l] != id || f.lanes(i.src[1])[l] != threads)
      fail(w, i, l, "barrier or thread count that differs within a warp");
  }
  if (id >= barrierCount.size())
    fail(w, i, lane, "barrier " + std::to_string(id) + ", expected 0 to 15,");
  if (threads % warpSize)
    fail(w, i, lane,
         "barrier for " + std::to_string(threads) +
             " threads, expected a multiple of 32,");
  fragment.state = State::AtBarrier;
  fragment.barrier = uint32_t(id);
  fragment.barrierThreads = uint32_t(threads);
  if (i.mode == Mode::None)
    return;
  uint32_t yes = truth(w, f, i, i.src[2], active);
  if (i.negatePredicate)
    yes = active & ~yes;
  barrierCount[id] += __builtin_popcount(yes);
  barrierAny[id] = barrierAny[id] || yes;
  barrierAll[id] = barrierAll[id] && yes == active;
}

template <class D> bool Executor<D>::releaseBarriers() {
  std::array<uint32_t, 16> arrived{}, wanted{};
  uint32_t live = 0;
  for (Warp &w : warps) {
    live += __builtin_popcount(w.live);
    for (Fragment &f : w.fragments)
      if (f.state == State::AtBarrier) {
        arrived[f.barrier] += __builtin_popcount(f.mask);
        wanted[f.barrier] = std::max(wanted[f.barrier], f.barrierThreads);
      }
  }
  bool released = false;
  for (uint32_t id = 0; id < 16; ++id) {
    // Without a count all threads of the block that have not exited.
    if (!arrived[id] || arrived[id] < (wanted[id] ? wanted[id] : live))
      continue;
    released = true;
    ++counters.barriers;
    for (Warp &w : warps)
      for (Fragment &f : w.fragments) {
        if (f.state != State::AtBarrier || f.barrier != id)
          continue;
        const Inst &i = f.frame->code->insts[f.pc];
        if (i.mode != Mode::None)
          for (uint32_t m = f.mask; m; m &= m - 1)
            setResult(*f.frame, i.dst, __builtin_ctz(m),
                      i.mode == Mode::PopCount ? barrierCount[id]
                      : i.mode == Mode::And    ? barrierAll[id]
                                               : barrierAny[id]);
        f.state = State::Running;
        ++f.pc;
      }
    barrierCount[id] = 0;
    barrierAny[id] = false;
    barrierAll[id] = true;
  }
  if (released)
    ++blockEpoch;
  return released;
}

template <class D> void Executor<D>::reportDeadlock() {
  // Name a thread that waits and one that it waits for.
  for (Warp &w : warps)
    for (Fragment &f : w.fragments) {
      const Inst &i = f.frame->code->insts[f.pc];
      unsigned lane = __builtin_ctz(f.mask);
      for (Warp &other : warps)
        for (Fragment &g : other.fragments) {
          if (&g == &f)
            continue;
          const Inst &j = g.frame->code->insts[g.pc];
          if (&j == &i && f.state == g.state)
            continue;
          fail(w, i, lane,
               "barrier divergence: wait that " +
                   threadName(other, __builtin_ctz(g.mask)) +
                   " does not join, which waits in '" + j.source->name() +
                   "' at line " + std::to_string(j.source->location.line) +
                   ",");
        }
      fail(w, i, lane, "barrier divergence: wait for threads that never come");
    }
  throw RunFailure{{}, "barrier divergence"};
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

/// Fragments at the same instruction of the same call become one. One that
/// waits there is woken by one that comes: it looks again who is there.
template <class D> void Executor<D>::mergeFragments(Warp &w) {
  auto &list = w.fragments;
  for (size_t a = 0; a < list.size(); ++a)
    for (size_t b = a + 1; b < list.size();) {
      auto mayMeet = [](const Fragment &f) {
        return f.state == State::Running || f.state == State::Waiting;
      };
      bool meets = list[a].frame == list[b].frame && list[a].pc == list[b].pc &&
                   mayMeet(list[a]) && mayMeet(list[b]);
      if (!meets) {
        ++b;
        continue;
      }
      list[a].mask |= list[b].mask;
      list[a].state = State::Running;
      list.erase(list.begin() + b);
    }
}

template <class D>
typename Executor<D>::Fragment *Executor<D>::pickFragment(Warp &w) {
  Fragment *best = nullptr;
  for (Fragment &f : w.fragments) {
    if (f.state != State::Running)
      continue;
    if (!best || f.frame->depth > best->frame->depth ||
        (f.frame->depth == best->frame->depth && f.pc < best->pc))
      best = &f;
  }
  return best;
}

template <class D> void Executor<D>::runWarp(Warp &w) {
  for (;;) {
    if (w.fragments.size() > 1)
      mergeFragments(w);
    Fragment *f = pickFragment(w);
    if (!f) {
      if (w.fragments.empty() || !releaseWarpBarriers(w))
        return;
      continue;
    }
    // The fragment is taken out: running it may change the list.
    Fragment running = *f;
    w.fragments.erase(w.fragments.begin() + (f - w.fragments.data()));
    runFragment(w, running);
  }
}

/// bar.warp.sync may be joined from different instructions.
template <class D> bool Executor<D>::releaseWarpBarriers(Warp &w) {
  uint32_t here = 0, required = 0;
  auto atWarpBarrier = [](const Fragment &f) {
    return f.state == State::Waiting &&
           f.frame->code->insts[f.pc].kind == Kind::WarpBarrier;
  };
  for (Fragment &f : w.fragments)
    if (atWarpBarrier(f)) {
      here |= f.mask;
      required |= f.required;
    }
  if (!here || (required & w.live) & ~here)
    return false;
  for (Fragment &f : w.fragments)
    if (atWarpBarrier(f)) {
      counts[f.frame->code->firstIndex + f.pc] += __builtin_popcount(f.mask);
      f.state = State::Running;
      ++f.pc;
    }
  ++w.epoch;
  return true;
}

template <class D>
uint32_t Executor<D>::memberMask(Warp &w, FrameT &f, const Inst &i,
                                 uint32_t active) {
  const uint64_t *lanes = f.lanes(i.regs[0]);
  uint32_t mask = uint32_t(lanes[__builtin_ctz(active)]);
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    if (lanes[l] != mask)
      fail(w, i, l, "member mask that differs within a warp");
    if (!(mask >> l & 1))
      fail(w, i, l, "member mask without the executing thread");
  }
  return mask;
}

template <class D> void Executor<D>::runFragment(Warp &w, Fragment &fragment) {
  FrameT *f = fragment.frame;
  uint32_t pc = fragment.pc;
  const uint32_t mask = fragment.mask;
  const Code *code = f->code;

  // Where another fragment of the same call stands: the two may meet there.
  uint32_t limit = UINT32_MAX;
  for (Fragment &other : w.fragments)
    if (other.frame == f && other.pc > pc)
      limit = std::min(limit, other.pc);
  bool alone = w.fragments.empty();

  auto put = [&](FrameT *frame, uint32_t at, uint32_t lanes) -> Fragment & {
    Fragment next;
    next.frame = frame;
    next.pc = at;
    next.mask = lanes;
    w.fragments.push_back(next);
    return w.fragments.back();
  };

  for (;;) {
    if (pc >= limit) {
      put(f, pc, mask);
      return;
    }
    const Inst &i = code->insts[pc];
    if constexpr (D::symbolic)
      if (f == stopFrame && pc == stopPc) {
        put(f, pc, mask).state = State::Parked;
        return;
      }
    if (++w.steps > options.instructionBudget)
      fail(w, i, __builtin_ctz(mask),
           "instruction budget of " +
               std::to_string(options.instructionBudget) +
               " instructions exhausted");
    uint64_t &count = counts[code->firstIndex + pc];
    uint32_t unknown = unknownGuard(*f, i, mask);
    if (unknown && (i.kind == Kind::Branch || i.kind == Kind::Return)) {
      count += __builtin_popcount(unknown);
      if (mask & ~unknown)
        put(f, pc, mask & ~unknown);
      if constexpr (D::symbolic)
        fork(w, *f, pc, i, unknown);
      return;
    }
    uint32_t active = i.guard < 0 ? mask : guardMask(w, *f, i, mask & ~unknown);

    switch (i.kind) {
    case Kind::Branch:
      count += __builtin_popcount(mask);
      ++counters.warpInstructions;
      ++counters.branches;
      if (active == 0) {
        ++pc;
        continue;
      }
      if (active == mask) {
        pc = i.target;
        if (alone)
          continue;
        put(f, pc, mask);
        return;
      }
      ++counters.divergentBranches;
      put(f, pc + 1, mask & ~active);
      put(f, i.target, active);
      return;

    case Kind::BranchIndexed: {
      if constexpr (D::symbolic)
        if (uint32_t data = unknown | (f->data.symbolic[i.src[0]] & active))
          failOnData(w, i, __builtin_ctz(data), "control that depends on data");
      count += __builtin_popcount(active);
      ++counters.warpInstructions;
      ++counters.branches;
      if (mask & ~active)
        put(f, pc + 1, mask & ~active);
      requireDefined(w, *f, i, i.src[0], active);
      const uint64_t *index = f->lanes(i.src[0]);
      unsigned targets = 0;
      for (uint32_t rest = active; rest; ++targets) {
        unsigned lane = __builtin_ctz(rest);
        uint64_t chosen = index[lane];
        if (chosen >= i.targets.size())
          fail(w, i, lane,
               "branch index " + std::to_string(chosen) + " of " +
                   std::to_string(i.targets.size()) + " targets");
        uint32_t same = 0;
        for (uint32_t m = rest; m; m &= m - 1) {
          unsigned l = __builtin_ctz(m);
          if (index[l] == chosen)
            same |= 1u << l;
        }
        put(f, i.targets[chosen], same);
        rest &= ~same;
      }
      counters.divergentBranches += targets > 1;
      return;
    }

    case Kind::Call:
      if (unknown)
        failOnData(w, i, __builtin_ctz(unknown),
                   "control that depends on data");
      if (active) {
        count += __builtin_popcount(active);
        ++counters.warpInstructions;
        if (mask & ~active)
          put(f, pc + 1, mask & ~active);
        put(&enterCall(w, *f, pc, i, active), 0, active);
        return;
      }
      ++pc;
      continue;

    case Kind::Return:
    case Kind::Exit:
      count += __builtin_popcount(active);
      counters.warpInstructions += active && !i.hidden;
      if (mask & ~active)
        put(f, pc + 1, mask & ~active);
      if (active && f == stopFrame && stopPc == code->insts.size()) {
        if (i.kind == Kind::Exit && f->caller)
          failOnData(w, i, __builtin_ctz(active), "exit that depends on data");
        put(f, pc, active).state = State::Parked;
      } else if (active && i.kind == Kind::Return && f->caller) {
        FrameT *caller = f->caller;
        uint32_t back = f->returnPc;
        returnFrom(w, *f, active);
        put(caller, back, active);
      } else if (active) {
        exitLanes(w, *f, active);
      }
      return;

    case Kind::Trap:
      if (active)
        fail(w, i, __builtin_ctz(active), "trap");
      ++pc;
      continue;

    case Kind::Barrier:
    case Kind::WarpBarrier:
    case Kind::Shuffle:
    case Kind::Vote:
    case Kind::Match:
    case Kind::Reduce:
    case Kind::Elect:
    case Kind::LoadMatrix:
    case Kind::StoreMatrix:
    case Kind::Mma: {
      if (unknown)
        failOnData(w, i, __builtin_ctz(unknown),
                   "control that depends on data");
      if (!active) {
        ++pc;
        continue;
      }
      bool barrier = i.kind == Kind::Barrier;
      bool matrix = i.cls == Class::Matrix;
      uint32_t required = matrix                 ? ~0u
                          : barrier && i.aligned ? w.live
                          : barrier              ? active
                                                 : memberMask(w, *f, i, active);
      if (required & w.live & ~active) {
        // Someone is missing: these threads wait, the others go on.
        Fragment &waiting = put(f, pc, active);
        waiting.state = State::Waiting;
        waiting.required = required;
        if (mask & ~active)
          put(f, pc + 1, mask & ~active);
        return;
      }
      count += __builtin_popcount(active);
      ++counters.warpInstructions;
      if (matrix && active != ~0u)
        fail(w, i, __builtin_ctz(active),
             "warp instruction with " +
                 std::to_string(__builtin_popcount(active)) + " of 32 threads");
      if (barrier) {
        if (mask & ~active)
          put(f, pc + 1, mask & ~active);
        arrive(w, *f, i, active, put(f, pc, active));
        return;
      }
      executeChecked(w, *f, i, active);
      ++w.epoch;
      ++pc;
      continue;
    }

    default:
      if (active) {
        count += __builtin_popcount(active);
        counters.warpInstructions += !i.hidden;
        executeChecked(w, *f, i, active);
      }
      if constexpr (D::symbolic)
        if (unknown) {
          count += __builtin_popcount(unknown);
          executeUnder(w, *f, i, unknown);
        }
      ++pc;
      continue;
    }
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

template <class D>
typename Executor<D>::FrameT &Executor<D>::enterCall(Warp &w, FrameT &caller,
                                                     uint32_t pc, const Inst &i,
                                                     uint32_t active) {
  const Code &code = program.codes[i.callee];
  if (caller.depth >= 200)
    fail(w, i, __builtin_ctz(active), "call nested deeper than 200");
  auto free = std::find_if(w.freeCalls.begin(), w.freeCalls.end(),
                           [&](FrameT *f) { return f->code == &code; });
  bool isNew = free == w.freeCalls.end();
  FrameT *f;
  if (isNew) {
    f = w.calls.emplace_back(std::make_unique<FrameT>()).get();
  } else {
    f = *free;
    w.freeCalls.erase(free);
  }
  uint32_t localBase =
      (caller.localBase + caller.code->localBytes + 15) / 16 * 16;
  prepareFrame(*f, code, w, localBase, isNew);
  f->caller = &caller;
  f->depth = caller.depth + 1;
  f->returnPc = pc + 1;
  f->call = &i;
  f->inside = active;
  // The callee's local memory starts without values, its callers' keeps its.
  for (uint32_t m = active; m; m &= m - 1)
    std::fill_n(w.localDefined.begin() +
                    size_t(__builtin_ctz(m)) * w.localStride + localBase,
                code.localBytes, 0);
  for (size_t k = 0; k < i.arguments.size(); ++k) {
    const Inst::Passed &from = i.arguments[k];
    const Formal &to = code.params[k];
    if (from.slot >= 0)
      requireDefined(w, caller, i, from.slot, active);
    for (uint32_t m = active; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m);
      if (from.slot >= 0 && to.slot >= 0) {
        setResult(*f, to.slot, l, caller.lanes(from.slot)[l]);
        if constexpr (D::symbolic)
          f->data.copy(to.slot, l, caller.data, from.slot, l);
      } else if (from.slot >= 0) {
        std::memcpy(f->param(l) + to.offset, &caller.lanes(from.slot)[l],
                    to.bytes);
        if constexpr (D::symbolic)
          domain.storeNode(f->param(l) + to.offset, to.bytes,
                           caller.data.node(from.slot, l));
      } else if (to.slot >= 0) {
        uint64_t value = 0;
        std::memcpy(&value, caller.param(l) + from.offset, to.bytes);
        setResult(*f, to.slot, l, value);
        if constexpr (D::symbolic)
          f->data.set(to.slot, l,
                      domain.loadNode(caller.param(l) + from.offset, to.bytes));
      } else {
        std::memcpy(f->param(l) + to.offset, caller.param(l) + from.offset,
                    to.bytes);
        if constexpr (D::symbolic)
          domain.copyBytes(f->param(l) + to.offset,
                           caller.param(l) + from.offset, to.bytes);
      }
    }
  }
  return *f;
}

template <class D>
void Executor<D>::returnFrom(Warp &w, FrameT &f, uint32_t active) {
  FrameT &caller = *f.caller;
  const Inst &i = *f.call;
  for (size_t k = 0; k < i.results.size(); ++k) {
    const Inst::Passed &to = i.results[k];
    const Formal &from = f.code->results[k];
    if (from.slot >= 0)
      requireDefined(w, f, i, from.slot, active);
    for (uint32_t m = active; m; m &= m - 1) {
      unsigned l = __builtin_ctz(m);
      if (from.slot >= 0 && to.slot >= 0) {
        setResult(caller, to.slot, l, f.lanes(from.slot)[l]);
        if constexpr (D::symbolic)
          caller.data.copy(to.slot, l, f.data, from.slot, l);
      } else if (from.slot >= 0) {
        std::memcpy(caller.param(l) + to.offset, &f.lanes(from.slot)[l],
                    to.bytes);
        if constexpr (D::symbolic)
          domain.storeNode(caller.param(l) + to.offset, to.bytes,
                           f.data.node(from.slot, l));
      } else if (to.slot >= 0) {
        uint64_t value = 0;
        std::memcpy(&value, f.param(l) + from.offset, from.bytes);
        setResult(caller, to.slot, l, value);
        if constexpr (D::symbolic)
          caller.data.set(
              to.slot, l,
              domain.loadNode(f.param(l) + from.offset, from.bytes));
      } else {
        std::memcpy(caller.param(l) + to.offset, f.param(l) + from.offset,
                    from.bytes);
        if constexpr (D::symbolic)
          domain.copyBytes(caller.param(l) + to.offset,
                           f.param(l) + from.offset, from.bytes);
      }
    }
  }
  leaveFrame(w, f, active);
}

template <class D>
void Executor<D>::leaveFrame(Warp &w, FrameT &f, uint32_t lanes) {
  f.inside &= ~lanes;
  if (!f.inside)
    w.freeCalls.push_back(&f);
}

template <class D>
void Executor<D>::exitLanes(Warp &w, FrameT &f, uint32_t active) {
  w.live &= ~active;
  for (FrameT *frame = &f; frame->caller; frame = frame->caller)
    leaveFrame(w, *frame, active);
}

template class prec::ptx::Executor<BitsDomain>;
template class prec::ptx::Executor<SymbolicDomain>;
