// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a decoded kernel, a warp at a time, over a domain of values.
///
/// A warp is a set of fragments: threads that stand at the same instruction of
/// the same call. The fragment of the deepest call, then of the lowest
/// instruction, runs first; fragments that meet become one again. A fragment at
/// an instruction that other threads must join waits for them. So divergence
/// may take any form, and a barrier that cannot be joined is found.
#ifndef PREC_LIB_PTX_EXECUTOR_H
#define PREC_LIB_PTX_EXECUTOR_H

#include "Memory.h"
#include "Program.h"

#include <array>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace prec::ptx {

/// What ends a run; caught where the run began.
struct RunFailure {
  Location location;
  std::string message;
  /// Symbols only: values could be run.
  bool dependsOnData = false;
};

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

struct LaunchShape {
  Dim3 grid, block;
  uint64_t dynamicShared = 0;
  /// The kernel's parameters as they lie in param space.
  std::vector<uint8_t> params;
};

inline uint64_t lowBits(unsigned n) {
  return n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
}

class OutcomeChooser;

/// Values are bits.
struct BitsDomain {
  static constexpr bool symbolic = false;
  /// Of instructions of the kind Approximate.
  OutcomeChooser *outcomes = nullptr;
  struct FrameData {};
};

/// Storage of one call by the threads of a warp.
template <class Domain> struct Frame {
  const Code *code = nullptr;
  Frame *caller = nullptr;
  unsigned depth = 0;
  uint32_t inside = 0; ///< lanes that have not returned
  uint32_t returnPc = 0;
  const Inst *call = nullptr;
  uint32_t localBase = 0;
  std::vector<uint64_t> values;  ///< slot-major: values[slot * 32 + lane]
  std::vector<uint32_t> defined; ///< per slot, the lanes with a value
  /// By slot and lane: which bits have no value, where `defined` says that not
  /// all have one; a slot that is not here has none. LLVM packs a value beside
  /// one that is never used, and never set. Symbols have nodes for that.
  std::unordered_map<int32_t, std::array<uint64_t, warpSize>> missing;
  std::vector<uint8_t> params; ///< lane-major
  typename Domain::FrameData data;

  uint64_t *lanes(int32_t slot) { return &values[size_t(slot) * warpSize]; }
  /// The bits without a value.
  uint64_t missingBits(int32_t slot, unsigned lane) const {
    if (defined[slot] >> lane & 1)
      return 0;
    auto it = missing.find(slot);
    return it == missing.end() ? lowBits(code->bits[slot]) : it->second[lane];
  }
  void setMissing(int32_t slot, unsigned lane, uint64_t bits) {
    defined[slot] &= ~(1u << lane);
    const uint64_t all = lowBits(code->bits[slot]);
    auto it = missing.find(slot);
    if (it == missing.end()) {
      if (bits == all)
        return;
      it = missing.try_emplace(slot).first;
      it->second.fill(all);
    }
    it->second[lane] = bits;
  }
  uint8_t *param(unsigned lane) {
    return params.data() + size_t(lane) * code->paramBytes;
  }
};

template <class Domain> class Executor {
public:
  using FrameT = Frame<Domain>;

  Executor(const Program &program, const LaunchShape &shape, MemoryMap &memory,
           const std::vector<uint64_t> &variableAddresses,
           const RunOptions &options, Domain &domain)
      : program(program), shape(shape), memory(memory),
        variableAddresses(variableAddresses), options(options), domain(domain),
        counts(program.instructions) {}

  /// Runs all blocks; throws RunFailure.
  void run();

  Counters counters;
  /// Per instruction of the program: how many threads executed it.
  const std::vector<uint64_t> &executed() const { return counts; }

private:
  /// Parked: at the join of a branch that depends on data.
  enum class State : uint8_t { Running, Waiting, AtBarrier, Parked };
  struct Fragment {
    FrameT *frame = nullptr;
    uint32_t pc = 0, mask = 0;
    State state = State::Running;
    uint32_t required = 0; ///< Waiting: the lanes it waits for
    uint32_t barrier = 0, barrierThreads = 0;
  };
  struct Warp {
    unsigned index = 0;
    uint32_t live = 0;
    uint16_t epoch = 0;
    uint64_t steps = 0;
    std::vector<Fragment> fragments;
    std::unique_ptr<FrameT> root;
    std::vector<std::unique_ptr<FrameT>> calls; ///< by use, all reusable
    std::vector<FrameT *> freeCalls;
    std::vector<uint8_t> local, localDefined; ///< lane-major
    uint32_t localStride = 0;
  };

  // Blocks and warps.
  void runBlock();
  void startWarp(Warp &w);
  void prepareFrame(FrameT &f, const Code &code, Warp &w, uint32_t localBase,
                    bool isNew);
  bool releaseBarriers();
  [[noreturn]] void reportDeadlock();
  void runWarp(Warp &w);
  bool releaseWarpBarriers(Warp &w);
  /// The fragment to run next, or null.
  Fragment *pickFragment(Warp &w);
  void mergeFragments(Warp &w);
  /// Runs a fragment until it diverges, waits, ends or may meet another one.
  void runFragment(Warp &w, Fragment &fragment);
  void reserveLocal(Warp &w, uint32_t bytes);

  // Control.
  FrameT &enterCall(Warp &w, FrameT &caller, uint32_t pc, const Inst &i,
                    uint32_t active);
  void returnFrom(Warp &w, FrameT &f, uint32_t active);
  void exitLanes(Warp &w, FrameT &f, uint32_t active);
  void leaveFrame(Warp &w, FrameT &f, uint32_t lanes);
  uint32_t memberMask(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void arrive(Warp &w, FrameT &f, const Inst &i, uint32_t active,
              Fragment &fragment);

  // Control that depends on data: both ways are followed.
  uint32_t unknownGuard(FrameT &f, const Inst &i, uint32_t mask) const {
    if constexpr (Domain::symbolic)
      return i.guard < 0 ? 0 : f.data.symbolic[i.guard] & mask;
    return 0;
  }
  void fork(Warp &w, FrameT &f, uint32_t pc, const Inst &i, uint32_t lanes);
  void executeUnder(Warp &w, FrameT &f, const Inst &i, uint32_t lanes);

  // Instructions.
  uint32_t guardMask(Warp &w, FrameT &f, const Inst &i, uint32_t mask);
  uint32_t truth(Warp &w, FrameT &f, const Inst &i, int32_t slot,
                 uint32_t mask);
  void executeChecked(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void executePartly(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void requireDefined(Warp &w, FrameT &f, const Inst &i, int32_t slot,
                      uint32_t active);
  void execute(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void pureOp(FrameT &f, const Inst &i, uint32_t active);
  void approximate(FrameT &f, const Inst &i, uint32_t active);
  void setPredicate(FrameT &f, const Inst &i, uint32_t active);
  void pack(FrameT &f, const Inst &i, uint32_t active);
  void unpack(FrameT &f, const Inst &i, uint32_t active);
  void carry(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void shuffle(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void vote(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void match(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void reduce(Warp &w, FrameT &f, const Inst &i, uint32_t active);

  // Memory.
  struct Place {
    uint8_t *data = nullptr;
    Space space = Space::Global;
    Region *region = nullptr; ///< global and const
    uint64_t offset = 0;      ///< in the region, shared or local memory
  };
  void addresses(Warp &w, FrameT &f, const Inst &i, int32_t slot,
                 int64_t offset, unsigned bits, uint32_t active, uint64_t *out);
  Place resolve(Warp &w, FrameT &f, const Inst &i, Space space,
                uint64_t address, unsigned bytes, unsigned lane, bool write);
  /// Whether each byte of a place has a value; null: all have.
  uint8_t *definedBytes(Warp &w, const Place &p);
  void noteRead(Warp &w, const Inst &i, const Place &p, unsigned bytes,
                unsigned lane, uint64_t address, bool quiet);
  void noteWrite(Warp &w, const Inst &i, const Place &p, unsigned bytes,
                 unsigned lane, uint64_t address, bool changes, bool atomic);
  void load(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void store(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void atomic(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void copyAsync(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void matrixMove(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void mma(Warp &w, FrameT &f, const Inst &i, uint32_t active);
  void countGlobal(const uint64_t *address, uint32_t lanes, unsigned bytes,
                   bool isLoad);
  void countShared(const uint64_t *address, uint32_t lanes, unsigned bytes);
  void setResult(FrameT &f, int32_t slot, unsigned lane, uint64_t value);

  // Messages.
  std::string threadName(const Warp &w, unsigned lane) const;
  std::string threadName(uint64_t thread) const;
  [[noreturn]] void fail(const Warp &w, const Inst &i, unsigned lane,
                         const std::string &message) const;
  /// ... of a run on symbols that one on values may not meet.
  [[noreturn]] void failOnData(const Warp &w, const Inst &i, unsigned lane,
                               const std::string &message) const;
  std::string describe(Space space, uint64_t address) const;
  Accessor accessor(const Warp &w, unsigned lane) const {
    uint32_t inBlock = w.index * warpSize + lane;
    return {uint32_t(blockIndex * threadsPerBlock + inBlock), w.index,
            threadsPerBlock, blockEpoch, w.epoch};
  }

  const Program &program;
  const LaunchShape &shape;
  MemoryMap &memory;
  const std::vector<uint64_t> &variableAddresses;
  const RunOptions &options;
  Domain &domain;
  std::vector<uint64_t> counts;

  // The block that runs.
  uint32_t block[3] = {0, 0, 0};
  uint64_t blockIndex = 0;
  uint32_t threadsPerBlock = 0;
  uint16_t blockEpoch = 0;
  std::vector<Warp> warps;
  std::vector<uint8_t> shared, sharedDefined;
  RaceShadow sharedRaces;
  /// bar.red: what the threads that arrived at a barrier brought.
  std::array<uint32_t, 16> barrierCount{};
  std::array<bool, 16> barrierAll{}, barrierAny{};

  // The join of the innermost branch that depends on data.
  FrameT *stopFrame = nullptr;
  uint32_t stopPc = 0;
  unsigned forks = 0, forkDepth = 0;
  std::map<const Code *, std::vector<uint32_t>> joins;
};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_EXECUTOR_H
