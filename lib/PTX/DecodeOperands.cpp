// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands and modifiers of an instruction.
#include "Decoder.h"

#include "Memory.h"

#include <algorithm>
#include <string_view>

using namespace prec;
using namespace prec::ptx;

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool FunctionDecoder::take(const char *modifier) {
  auto it = std::find(modifiers.begin(), modifiers.end(), modifier);
  if (it == modifiers.end())
    return false;
  modifiers.erase(it);
  return true;
}

/// Takes the first modifier that is a type.
bool FunctionDecoder::takeType(Ty &type) {
  for (auto it = modifiers.begin(); it != modifiers.end(); ++it)
    if (auto found = findType(*it)) {
      type = *found;
      modifiers.erase(it);
      return true;
    }
  return failHere("expected a type that the evaluator knows");
}

bool FunctionDecoder::takeRounding(Inst &i) {
  struct Entry {
    const char *name;
    num::Rounding mode;
    bool integral;
  };
  static const Entry entries[] = {{"rn", num::Rounding::NearestEven, false},
                                  {"rz", num::Rounding::TowardZero, false},
                                  {"rm", num::Rounding::Downward, false},
                                  {"rp", num::Rounding::Upward, false},
                                  {"rna", num::Rounding::NearestAway, false},
                                  {"rni", num::Rounding::NearestEven, true},
                                  {"rzi", num::Rounding::TowardZero, true},
                                  {"rmi", num::Rounding::Downward, true},
                                  {"rpi", num::Rounding::Upward, true}};
  for (const Entry &e : entries)
    if (take(e.name)) {
      i.rounding = e.mode;
      i.integral = e.integral;
      i.explicitRounding = true;
      return true;
    }
  return false;
}

void FunctionDecoder::takeHints() {
  static const std::string_view plain[] = {"ca", "cg", "cs", "lu",
                                           "cv", "wb", "wt", "nc"};
  modifiers.erase(std::remove_if(modifiers.begin(), modifiers.end(),
                                 [](const std::string &m) {
                                   return m.rfind("L1::", 0) == 0 ||
                                          m.rfind("L2::", 0) == 0 ||
                                          std::find(std::begin(plain),
                                                    std::end(plain),
                                                    m) != std::end(plain);
                                 }),
                  modifiers.end());
}

bool FunctionDecoder::finishModifiers() {
  return modifiers.empty() ||
         failHere("unsupported modifier '." + modifiers.front() + "'");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool FunctionDecoder::expectOperands(size_t least, size_t most) {
  size_t n = current->operands.size();
  if (n >= least && n <= most)
    return true;
  return failHere("expected " + std::to_string(least) +
                  (most == least ? "" : " to " + std::to_string(most)) +
                  " operands but got " + std::to_string(n));
}

static std::string widthText(unsigned bits) {
  return bits == 1 ? "predicate" : std::to_string(bits) + "-bit";
}

bool FunctionDecoder::specialRegister(const Operand &o, int32_t &slot) {
  using K = SlotInit::Kind;
  static const std::unordered_map<std::string_view, K> known = {
      {"%tid.x", K::TidX},
      {"%tid.y", K::TidY},
      {"%tid.z", K::TidZ},
      {"%ntid.x", K::NtidX},
      {"%ntid.y", K::NtidY},
      {"%ntid.z", K::NtidZ},
      {"%ctaid.x", K::CtaidX},
      {"%ctaid.y", K::CtaidY},
      {"%ctaid.z", K::CtaidZ},
      {"%nctaid.x", K::NctaidX},
      {"%nctaid.y", K::NctaidY},
      {"%nctaid.z", K::NctaidZ},
      {"%laneid", K::LaneId},
      {"%warpid", K::WarpId},
      {"%nwarpid", K::NWarpId},
      {"%lanemask_eq", K::LaneMaskEq},
      {"%lanemask_le", K::LaneMaskLe},
      {"%lanemask_lt", K::LaneMaskLt},
      {"%lanemask_ge", K::LaneMaskGe},
      {"%lanemask_gt", K::LaneMaskGt},
      {"%dynamic_smem_size", K::DynamicSharedSize},
      {"%total_smem_size", K::TotalSharedSize}};
  if (auto it = known.find(o.name); it != known.end()) {
    slot = special(it->second);
    return true;
  }
  // Without clusters a block is a cluster of its own.
  static const std::unordered_map<std::string_view, uint64_t> constants = {
      {"WARP_SZ", 32},          {"%cluster_ctarank", 0},
      {"%cluster_nctarank", 1}, {"%cluster_ctaid.x", 0},
      {"%cluster_ctaid.y", 0},  {"%cluster_ctaid.z", 0},
      {"%cluster_nctaid.x", 1}, {"%cluster_nctaid.y", 1},
      {"%cluster_nctaid.z", 1}, {"%gridid", 0}};
  if (auto it = constants.find(o.name); it != constants.end()) {
    slot = constant(it->second);
    return true;
  }
  return false;
}

bool FunctionDecoder::readable(const Operand &o, Ty type, int32_t &slot,
                               bool wider) {
  unsigned bits = bitsOf(type);
  uint64_t mask = bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  switch (o.kind) {
  case Operand::Kind::Name: {
    const Symbol *s = lookUp(o.name);
    if (s && s->kind == Symbol::Kind::Register && o.value == 0) {
      unsigned have = bitsOf(s->type);
      bool fits = have == bits || (wider && have > bits && bits != 1);
      if (!fits)
        return fail(o.location, "expected a " + widthText(bits) +
                                    " register but '" + o.name + "' is a " +
                                    widthText(have) + " one in instruction '" +
                                    current->name() + "'");
      slot = s->slot;
      return true;
    }
    if (!s && o.value == 0 && specialRegister(o, slot))
      return true;
    if (o.name[0] == '%' && !s)
      return fail(o.location, "unknown register '" + o.name + "'");
    return fail(o.location, "expected a register or a constant but got '" +
                                print(o) + "' in instruction '" +
                                current->name() + "'");
  }
  case Operand::Kind::Integer:
    if (isFloat(type) && bits != 16)
      break;
    slot = constant(o.value & mask);
    return true;
  case Operand::Kind::Float: {
    bool single = o.spelling == Operand::Spelling::Single;
    if (!isFloat(type) && !(isBits(type) && bits == (single ? 32u : 64u)))
      break;
    slot = constant(floatLiteral(o, type) & mask);
    return true;
  }
  default:
    break;
  }
  return fail(o.location, "unexpected operand '" + print(o) +
                              "' in instruction '" + current->name() + "'");
}

bool FunctionDecoder::writable(const Operand &o, Ty type, int32_t &slot,
                               bool wider) {
  if (o.kind == Operand::Kind::Sink) {
    slot = newSlot("", 64);
    return true;
  }
  if (o.kind != Operand::Kind::Name)
    return fail(o.location, "expected a register as destination but got '" +
                                print(o) + "' in instruction '" +
                                current->name() + "'");
  const Symbol *s = lookUp(o.name);
  if (!s || s->kind != Symbol::Kind::Register)
    return fail(o.location, "unknown register '" + o.name + "'");
  return readable(o, type, slot, wider);
}

bool FunctionDecoder::predicate(const Operand &o, int32_t &slot,
                                bool &negated) {
  negated = o.kind == Operand::Kind::Not;
  Operand name = o;
  if (negated)
    name.kind = Operand::Kind::Name;
  return readable(name, Ty::Pred, slot);
}

bool FunctionDecoder::symbolAddress(const std::string &name, int64_t offset,
                                    int32_t &slot, Space &space) {
  if (const Symbol *s = lookUp(name)) {
    if (s->kind == Symbol::Kind::Local) {
      space = Space::Local;
      slot = special(SlotInit::Kind::LocalOffset, s->offset, offset);
      return true;
    }
    if (s->kind == Symbol::Kind::Param) {
      space = Space::Param;
      slot = constant(s->offset + offset);
      return true;
    }
    return false;
  }
  int variable = findVariable(name);
  if (variable < 0)
    return false;
  const ModuleVariable &v = program.variables[variable];
  space = v.space;
  if (v.space != Space::Shared)
    slot = special(SlotInit::Kind::GlobalSymbol, variable, offset);
  else if (v.address == UINT64_MAX)
    slot = special(SlotInit::Kind::SharedEnd, 0, offset);
  else
    slot = constant(v.address + offset);
  return true;
}

bool FunctionDecoder::address(const Operand &o, Inst &i) {
  if (o.kind != Operand::Kind::Address)
    return fail(o.location, "expected an address but got '" + print(o) +
                                "' in instruction '" + current->name() + "'");
  i.offset = int64_t(o.value);
  i.addressBits = 64;
  if (o.name.empty()) {
    i.src[0] = constant(0);
    return true;
  }
  const Symbol *s = lookUp(o.name);
  if (s && s->kind == Symbol::Kind::Register) {
    i.addressBits = uint8_t(bitsOf(s->type));
    i.src[0] = s->slot;
    bool good = i.addressBits == 64 ||
                (i.addressBits == 32 && i.space != Space::Generic &&
                 i.space != Space::Global);
    return good || fail(o.location, "expected a 64-bit address but '" + o.name +
                                        "' is a " + widthText(i.addressBits) +
                                        " register");
  }
  Space space;
  if (!symbolAddress(o.name, 0, i.src[0], space))
    return fail(o.location, "unknown symbol '" + o.name + "'");
  if (i.space == Space::Generic)
    i.space = space;
  return i.space == space ||
         fail(o.location, "'" + o.name + "' is not in the state space of '" +
                              current->name() + "'");
}

/// {a, b, ...} or a single register, as many as `elements` says.
bool FunctionDecoder::vectorRegisters(const Operand &o, Ty type, Inst &i,
                                      bool write, bool wider) {
  std::vector<Operand> one{o};
  const auto &list = o.kind == Operand::Kind::Vector ? o.elements : one;
  for (const Operand &element : list) {
    int32_t slot;
    if (!(write ? writable(element, type, slot, wider)
                : readable(element, type, slot, wider)))
      return false;
    i.regs.push_back(slot);
  }
  return true;
}

/// d, sources...: the usual shape.
bool FunctionDecoder::operandsOf(Inst &i, Ty result,
                                 std::initializer_list<Ty> sources) {
  const auto &o = current->operands;
  if (!expectOperands(sources.size() + 1, sources.size() + 1) ||
      !writable(o[0], result, i.dst))
    return false;
  i.sources = 0;
  for (Ty type : sources) {
    if (!readable(o[i.sources + 1], type, i.src[i.sources]))
      return false;
    ++i.sources;
  }
  return true;
}
