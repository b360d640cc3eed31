// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The decoded form of a module: what the evaluator runs. Names are gone;
/// operands are slots of a frame, constants included.
#ifndef PREC_LIB_PTX_PROGRAM_H
#define PREC_LIB_PTX_PROGRAM_H

#include "Type.h"
#include "prec/Numerics/Rounding.h"
#include "prec/PTX/Machine.h"

#include <array>
#include <map>

namespace prec::ptx {

struct Inst;

/// One thread's result of a pure instruction from the bits of up to three
/// operands (zero-extended); the result is zero-extended too.
using LaneFn = uint64_t (*)(const Inst &, uint64_t a, uint64_t b, uint64_t c);
/// The same for the threads of a warp that `mask` selects.
using WarpFn = void (*)(const Inst &, uint64_t *d, const uint64_t *a,
                        const uint64_t *b, const uint64_t *c, uint32_t mask);

struct PureFn {
  LaneFn lane = nullptr;
  WarpFn warp = nullptr;
  explicit operator bool() const { return lane != nullptr; }
};

inline constexpr unsigned warpSize = 32;

template <LaneFn F>
void runWarp(const Inst &i, uint64_t *d, const uint64_t *a, const uint64_t *b,
             const uint64_t *c, uint32_t mask) {
  if (mask == ~uint32_t(0)) {
    for (unsigned l = 0; l < warpSize; ++l)
      d[l] = F(i, a[l], b[l], c[l]);
    return;
  }
  for (; mask; mask &= mask - 1) {
    unsigned l = __builtin_ctz(mask);
    d[l] = F(i, a[l], b[l], c[l]);
  }
}
template <LaneFn F> PureFn pure() { return {F, &runWarp<F>}; }

/// How the executor treats an instruction.
enum class Kind : uint8_t {
  Pure,         ///< dst = function(src...)
  Approximate,  ///< the same, with any result within its bounds
  SetPredicate, ///< dst (and dst2) from a comparison and a predicate
  Pack,         ///< dst = {regs...}
  Unpack,       ///< {regs...} = src
  Carry,        ///< add, sub, mad with the carry flag
  Branch,
  BranchIndexed,
  Call,
  Return,
  Exit,
  Trap,
  Barrier,
  WarpBarrier,
  Shuffle,
  Vote,
  Match,
  Reduce,
  ActiveMask,
  Elect,
  Load,
  Store,
  Atomic,
  CopyAsync,
  LoadMatrix,
  StoreMatrix,
  Mma,
  Nop
};

enum class Space : uint8_t { Generic, Global, Shared, Local, Const, Param };

/// A modifier of an operation that several kinds use.
enum class Mode : uint8_t {
  None,
  // shfl
  Up,
  Down,
  Butterfly,
  Index,
  // vote, match
  All,
  Any,
  Uniform,
  Ballot,
  // atom, red, redux, bar.red
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  CompareAndSwap,
  Inc,
  Dec,
  PopCount,
  // carry
  AddCarry,
  SubCarry,
  MadLowCarry,
  MadHighCarry
};

/// Classes of instructions for the counters.
using Class = Counters::Class;

struct Inst {
  Kind kind = Kind::Nop;
  Class cls = Class::Integer;
  /// Part of another instruction: not counted.
  bool hidden = false;
  bool guardNegated = false;
  int32_t guard = -1;
  int32_t dst = -1, dst2 = -1;
  /// Operands; a missing one is the zero constant's slot.
  std::array<int32_t, 3> src{0, 0, 0};
  uint8_t sources = 0;
  /// The operation's name without modifiers.
  const std::string *opcode = nullptr;
  Ty type = Ty::B32, sourceType = Ty::B32;

  PureFn fn;
  PureFn fnHigh; ///< comparisons of packed types: the high halves
  num::Rounding rounding = num::Rounding::NearestEven;
  bool integral = false; ///< .rni and kin: round to an integer
  bool ftz = false, sat = false, relu = false, nan = false, xorsign = false;
  bool satfinite = false, approximate = false, explicitRounding = false;
  bool shiftamt = false, clampMode = false;
  /// Comparison: bit of each num::Ordering that is accepted.
  uint8_t accept = 0;
  /// lop3's table, prmt's mode, and other small constants.
  uint32_t imm = 0;
  Mode mode = Mode::None;
  Mode boolean = Mode::None; ///< setp: And, Or, Xor with the predicate
  bool negatePredicate = false;

  // Memory.
  Space space = Space::Generic;
  uint8_t elementBytes = 0, elements = 1;
  bool strong = false; ///< volatile, relaxed, acquire...: ordered elsewhere
  bool trans = false;
  int64_t offset = 0;  ///< added to the address in src[0]
  int64_t offset2 = 0; ///< cp.async: added to the source's address in src[1]
  uint8_t addressBits = 64;
  /// Vector registers; mma: d, a, b, c one after the other. -1: sink.
  std::vector<int32_t> regs;

  // Control.
  uint32_t target = 0;
  std::vector<uint32_t> targets;
  int32_t callee = -1;
  bool aligned = false;
  /// Writes CC / reads CC (Carry).
  bool carryOut = false, carryIn = false;
  int32_t carry = -1;

  /// A call's arguments and results in the caller: a slot, or bytes of the
  /// frame's parameters.
  struct Passed {
    int32_t slot = -1;
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Passed> arguments, results;

  const Instruction *source = nullptr;
};

/// How a slot is filled when a frame starts.
struct SlotInit {
  enum class Kind : uint8_t {
    Value,
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    LaneId,
    WarpId,
    NWarpId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    DynamicSharedSize,
    TotalSharedSize,
    GlobalSymbol, ///< `value`: index of a module variable, plus `offset`
    SharedEnd,    ///< the address of dynamic shared memory
    LocalOffset   ///< the frame's local memory, plus `value`
  };
  int32_t slot = 0;
  Kind kind = Kind::Value;
  uint64_t value = 0;
  int64_t offset = 0;
};

/// Where a formal parameter or result of a function lives in its frame.
struct Formal {
  std::string name;
  Ty type = Ty::B32;
  int32_t slot = -1; ///< .reg parameters
  uint32_t offset = 0, bytes = 0, align = 1;
};

struct Code {
  const Function *function = nullptr;
  std::vector<Inst> insts;
  unsigned slots = 0;
  std::vector<SlotInit> inits;
  /// Per slot: the register's name (empty for constants) and its width.
  std::vector<std::string> names;
  std::vector<uint8_t> bits;
  std::vector<Formal> params, results;
  uint32_t paramBytes = 0; ///< all parameter variables of a frame
  uint32_t localBytes = 0;
  /// Index of the first instruction in the module-wide numbering.
  unsigned firstIndex = 0;
};

/// A variable of the module in global, const or shared memory.
struct ModuleVariable {
  std::string name;
  Space space = Space::Global;
  uint64_t bytes = 0;
  unsigned align = 1;
  /// Shared: its address. Others get theirs when the machine starts.
  uint64_t address = 0;
  std::vector<uint8_t> data;
  struct Relocation {
    uint64_t offset;
    unsigned bytes, variable;
    int64_t addend;
    bool generic;
  };
  std::vector<Relocation> relocations;
};

struct Program {
  std::vector<Code> codes;
  std::map<std::string, int> codeByName;
  std::vector<ModuleVariable> variables;
  /// Static shared memory of the module: [sharedBase, sharedEnd).
  uint64_t sharedEnd = 0;
  unsigned instructions = 0;
};

/// Addresses in shared memory start here: address 0 is never valid.
inline constexpr uint64_t sharedBase = 1024;

/// Decodes the kernel `entry` and all it calls; on failure returns nothing and
/// says why.
std::optional<Program> decode(const Module &module, const std::string &entry,
                              Diagnostic &error);

/// For each instruction, the first one that every path from it to the end
/// passes; insts.size() is the end itself.
std::vector<uint32_t> postDominators(const Code &code);

// Pure functions, by what they compute. An empty answer: no such form.
PureFn integerFunction(const std::string &opcode, Inst &inst);
PureFn floatFunction(const std::string &opcode, Inst &inst);
PureFn compareFunction(Ty type, bool packedHigh);
PureFn convertFunction(Inst &inst);
/// The bits of `type` that stand for true in `set`.
uint64_t setTrue(Ty type);

} // namespace prec::ptx

#endif // PREC_LIB_PTX_PROGRAM_H
