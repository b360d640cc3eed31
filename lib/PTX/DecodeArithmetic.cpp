// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, logic, comparisons, conversions and moves.
#include "Decoder.h"

#include "Memory.h"

using namespace prec;
using namespace prec::ptx;

static Class classOf(Ty type) {
  if (!isFloat(type))
    return Class::Integer;
  if (type == Ty::F64)
    return Class::F64;
  return *formatOf(type) == num::kF32 ? Class::F32 : Class::Packed16;
}

bool FunctionDecoder::arithmetic(Inst &i) {
  // The type of the result comes first; mixed f32 operations name another one.
  bool carry = false;
  for (const std::string &m : modifiers)
    carry |= m == "cc";
  if (carry || current->opcode == "addc" || current->opcode == "subc" ||
      current->opcode == "madc")
    return carryArithmetic(i);
  bool rounded = takeRounding(i);
  if (!takeType(i.type))
    return false;
  i.sourceType = i.type;
  i.cls = classOf(i.type);
  if (isFloat(i.type))
    return floatArithmetic(i);
  if (rounded)
    return failHere("an integer instruction has no rounding");
  return integerArithmetic(i);
}

bool FunctionDecoder::floatArithmetic(Inst &i) {
  const std::string &op = current->opcode;
  i.ftz = take("ftz");
  i.sat = take("sat");
  i.relu = take("relu");
  i.nan = take("NaN");
  // Without .ftz, 16-bit operations keep subnormals anyway.
  if (op == "min" || op == "max") {
    i.xorsign = take("xorsign");
    if (i.xorsign && !take("abs"))
      return failHere("expected '.abs' after '.xorsign'");
  }
  bool approximate = take("approx");
  approximate |= op == "div" && take("full");
  bool special = op == "div" || op == "rcp" || op == "sqrt" || op == "rsqrt" ||
                 op == "sin" || op == "cos" || op == "lg2" || op == "ex2" ||
                 op == "tanh";
  if (special) {
    i.cls = Class::SpecialFunction;
    i.approximate = approximate;
    if (approximate == i.explicitRounding)
      return failHere("expected either a rounding or '.approx'");
  } else if (approximate) {
    return failHere("unsupported modifier '.approx'");
  }
  if ((op == "fma" || op == "mad") && !i.explicitRounding)
    return failHere("expected a rounding");
  // The 16-bit formats round to nearest only.
  bool directed = i.rounding != num::Rounding::NearestEven;
  if (i.integral || i.rounding == num::Rounding::NearestAway ||
      (directed && formatOf(i.type)->width() == 16))
    return failHere("unexpected rounding");
  if (op == "testp") {
    static const char *tests[] = {"finite",     "infinite", "number",
                                  "notanumber", "normal",   "subnormal"};
    i.imm = ~0u;
    for (unsigned k = 0; k < 6; ++k)
      if (take(tests[k]))
        i.imm = k;
    if (i.imm == ~0u)
      return failHere("expected a test such as '.finite'");
  }
  for (const std::string &m : modifiers)
    if (auto source = findType(m);
        source && (*source == Ty::BF16 || *source == Ty::F16) &&
        i.type == Ty::F32) {
      i.sourceType = *source;
      modifiers.erase(modifiers.begin() + (&m - modifiers.data()));
      break;
    }
  bool mixed = i.sourceType != i.type;
  bool binary = op == "add" || op == "sub" || op == "mul" || op == "div" ||
                op == "min" || op == "max" || op == "copysign";
  bool ok = op == "fma" || op == "mad"
                ? operandsOf(i, i.type, {i.sourceType, i.sourceType, i.type})
            : mixed ? operandsOf(i, i.type, {i.sourceType, i.type})
            : binary
                ? operandsOf(i, i.type, {i.type, i.type})
                : operandsOf(i, op == "testp" ? Ty::Pred : i.type, {i.type});
  if (!ok)
    return false;
  i.fn = floatFunction(op, i);
  return emit(i);
}

bool FunctionDecoder::integerArithmetic(Inst &i) {
  const std::string &op = current->opcode;
  i.relu = take("relu");
  i.sat = take("sat");
  Ty result = i.type, addend = i.type;
  if (op == "mul" || op == "mad" || op == "mul24" || op == "mad24") {
    if (take("wide")) {
      i.mode = Mode::Any;
      switch (i.type) {
      case Ty::S16:
        result = Ty::S32;
        break;
      case Ty::U16:
        result = Ty::U32;
        break;
      case Ty::S32:
        result = Ty::S64;
        break;
      case Ty::U32:
        result = Ty::U64;
        break;
      default:
        return failHere("unsupported type");
      }
      addend = result;
    } else if (take("hi")) {
      i.mode = Mode::Max;
    } else if (take("lo")) {
      i.mode = Mode::Min;
    } else {
      return failHere("expected '.lo', '.hi' or '.wide'");
    }
  }
  bool unary = op == "abs" || op == "neg";
  bool ternary = op == "mad" || op == "mad24" || op == "sad";
  bool ok = ternary ? operandsOf(i, result, {i.type, i.type, addend})
            : unary ? operandsOf(i, result, {i.type})
                    : operandsOf(i, result, {i.type, i.type});
  if (!ok)
    return false;
  i.fn = integerFunction(op, i);
  i.mode = Mode::None;
  return emit(i);
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc over one carry bit per thread.
bool FunctionDecoder::carryArithmetic(Inst &i) {
  const std::string &op = current->opcode;
  i.kind = Kind::Carry;
  i.carryOut = take("cc");
  i.carryIn = op.back() == 'c';
  bool hi = take("hi"), lo = take("lo");
  if (!takeType(i.type))
    return false;
  bool mad = op == "mad" || op == "madc";
  if (mad == (hi == lo))
    return failHere("expected '.lo' or '.hi' on mad only");
  if (!isInteger(i.type) || bitsOf(i.type) < 32)
    return failHere("unsupported type");
  i.mode = mad ? (hi ? Mode::MadHighCarry : Mode::MadLowCarry)
           : op == "sub" || op == "subc" ? Mode::SubCarry
                                         : Mode::AddCarry;
  if (carrySlot < 0)
    carrySlot = newSlot("CC", 1);
  i.carry = carrySlot;
  bool ok = mad ? operandsOf(i, i.type, {i.type, i.type, i.type})
                : operandsOf(i, i.type, {i.type, i.type});
  return ok && emit(i);
}

bool FunctionDecoder::logic(Inst &i) {
  const std::string &op = current->opcode;
  if (op == "lop3") {
    if (!takeType(i.type) || !expectOperands(5, 5))
      return false;
    const auto &o = current->operands;
    if (o[4].kind != Operand::Kind::Integer || o[4].value > 255)
      return failHere("expected a constant table of 8 bits");
    i.imm = uint32_t(o[4].value);
    i.sources = 3;
    if (!writable(o[0], i.type, i.dst))
      return false;
    for (unsigned k = 0; k < 3; ++k)
      if (!readable(o[k + 1], i.type, i.src[k]))
        return false;
    i.fn = integerFunction(op, i);
    return emit(i);
  }
  if (op == "shf") {
    bool left = take("l"), right = take("r");
    bool wrap = take("wrap");
    i.clampMode = take("clamp");
    if (left == right || wrap == i.clampMode)
      return failHere("expected '.l' or '.r', and '.wrap' or '.clamp'");
    i.mode = left ? Mode::Down : Mode::Up;
  }
  if (!takeType(i.type))
    return false;
  if (isFloat(i.type) || (op != "shr" && isInteger(i.type)))
    return failHere("unsupported type");
  bool unary = op == "not" || op == "cnot";
  bool shift = op == "shl" || op == "shr";
  bool ok = op == "shf" ? operandsOf(i, i.type, {i.type, i.type, Ty::U32})
            : unary     ? operandsOf(i, i.type, {i.type})
            : shift     ? operandsOf(i, i.type, {i.type, Ty::U32})
                        : operandsOf(i, i.type, {i.type, i.type});
  if (!ok)
    return false;
  i.fn = integerFunction(op, i);
  i.mode = Mode::None;
  return emit(i);
}

bool FunctionDecoder::bitField(Inst &i) {
  const std::string &op = current->opcode;
  if (op == "dp4a" || op == "dp2a") {
    Ty a, b;
    i.imm = op == "dp2a" ? 4 : 0;
    if (op == "dp2a") {
      if (take("hi"))
        i.imm |= 8;
      else if (!take("lo"))
        return failHere("expected '.lo' or '.hi'");
    }
    if (!takeType(a) || !takeType(b))
      return false;
    i.imm |= unsigned(isSigned(a)) | unsigned(isSigned(b)) << 1;
    if (!operandsOf(i, Ty::B32, {Ty::B32, Ty::B32, Ty::B32}))
      return false;
    i.fn = integerFunction(op, i);
    return emit(i);
  }
  if (op == "prmt") {
    static const char *modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    for (unsigned k = 0; k < 6; ++k)
      if (take(modes[k]))
        i.imm = k + 1;
  }
  i.shiftamt = take("shiftamt");
  if (op == "bmsk") {
    i.clampMode = take("clamp");
    if (!i.clampMode && !take("wrap"))
      return failHere("expected '.clamp' or '.wrap'");
  }
  if (!takeType(i.type))
    return false;
  if (isFloat(i.type))
    return failHere("unsupported type");
  if (op == "bfi") {
    if (!expectOperands(5, 5))
      return false;
    const auto &o = current->operands;
    int32_t pos, len;
    if (!writable(o[0], i.type, i.dst) || !readable(o[1], i.type, i.src[0]) ||
        !readable(o[2], i.type, i.src[1]) || !readable(o[3], Ty::U32, pos) ||
        !readable(o[4], Ty::U32, len))
      return false;
    i.sources = 3;
    bool constants = o[3].kind == Operand::Kind::Integer &&
                     o[4].kind == Operand::Kind::Integer;
    if (constants) {
      i.src[2] = constant((o[3].value & 0xffffffff) | o[4].value << 32);
    } else {
      // Position and length share one operand: a hidden pack joins them.
      Inst pack = i;
      pack.hidden = true;
      pack.kind = Kind::Pack;
      pack.type = Ty::B64;
      pack.dst = i.src[2] = newSlot("", 64);
      pack.regs = {pos, len};
      pack.src = {0, 0, 0};
      pack.sources = 0;
      code.insts.push_back(pack);
    }
    i.fn = integerFunction(op, i);
    return emit(i);
  }
  bool count = op == "popc" || op == "clz" || op == "bfind";
  bool ok = op == "bfe"    ? operandsOf(i, i.type, {i.type, Ty::U32, Ty::U32})
            : op == "prmt" ? operandsOf(i, i.type, {i.type, i.type, Ty::U32})
            : op == "bmsk" ? operandsOf(i, i.type, {Ty::U32, Ty::U32})
                           : operandsOf(i, count ? Ty::U32 : i.type, {i.type});
  if (!ok)
    return false;
  i.fn = integerFunction(op, i);
  return emit(i);
}

bool FunctionDecoder::select(Inst &i) {
  const std::string &op = current->opcode;
  i.ftz = take("ftz");
  if (!takeType(i.type))
    return false;
  Ty selector = Ty::Pred;
  if (op == "slct") {
    if (!takeType(selector))
      return false;
    if (selector != Ty::S32 && selector != Ty::F32)
      return failHere("expected '.s32' or '.f32' as the selector's type");
    i.sourceType = selector;
  }
  if (!operandsOf(i, i.type, {i.type, i.type, selector}))
    return false;
  i.fn = integerFunction(op, i);
  return emit(i);
}

bool FunctionDecoder::comparison(Inst &i) {
  // Bits: less 1, equal 2, greater 4, unordered 8.
  static const std::pair<const char *, uint8_t> operators[] = {
      {"eq", 2},   {"ne", 5},   {"lt", 1},  {"le", 3},   {"gt", 4},
      {"ge", 6},   {"lo", 1},   {"ls", 3},  {"hi", 4},   {"hs", 6},
      {"equ", 10}, {"neu", 13}, {"ltu", 9}, {"leu", 11}, {"gtu", 12},
      {"geu", 14}, {"num", 7},  {"nan", 8}};
  i.kind = Kind::SetPredicate;
  for (auto &[name, accept] : operators)
    if (!i.accept && take(name))
      i.accept = accept;
  if (!i.accept)
    return failHere("expected a comparison such as '.eq'");
  i.boolean = take("and")   ? Mode::And
              : take("or")  ? Mode::Or
              : take("xor") ? Mode::Xor
                            : Mode::None;
  i.ftz = take("ftz");
  bool set = current->opcode == "set";
  i.type = Ty::Pred;
  if ((set && !takeType(i.type)) || !takeType(i.sourceType))
    return false;
  i.cls = classOf(i.sourceType);
  size_t operands = i.boolean == Mode::None ? 3 : 4;
  if (!expectOperands(operands, operands))
    return false;
  const auto &o = current->operands;
  if (o[0].kind == Operand::Kind::Pair && !set) {
    if (!writable(o[0].elements[0], Ty::Pred, i.dst) ||
        !writable(o[0].elements[1], Ty::Pred, i.dst2))
      return false;
  } else if (!writable(o[0], i.type, i.dst)) {
    return false;
  }
  if (!readable(o[1], i.sourceType, i.src[0]) ||
      !readable(o[2], i.sourceType, i.src[1]))
    return false;
  i.sources = 2;
  if (operands == 4) {
    if (!predicate(o[3], i.src[2], i.negatePredicate))
      return false;
    i.sources = 3;
  }
  i.fn = compareFunction(i.sourceType, false);
  if (lanesOf(i.sourceType) == 2)
    i.fnHigh = compareFunction(i.sourceType, true);
  return emit(i);
}

bool FunctionDecoder::convert(Inst &i) {
  i.cls = Class::Conversion;
  bool rounded = takeRounding(i);
  i.ftz = take("ftz");
  i.sat = take("sat");
  i.satfinite = take("satfinite");
  i.relu = take("relu");
  if (!takeType(i.type) || !takeType(i.sourceType))
    return false;
  if (i.type == Ty::Pred || i.sourceType == Ty::Pred || isBits(i.type) ||
      isBits(i.sourceType))
    return failHere("unsupported type");
  const num::Format *to = formatOf(i.type), *from = formatOf(i.sourceType);
  bool pack = lanesOf(i.type) == 2 && lanesOf(i.sourceType) == 1;
  // The cases in which the result can be inexact name their rounding.
  bool widens = to && from && !(*to == *from) && to->expBits >= from->expBits &&
                to->fracBits >= from->fracBits;
  bool needs = (to && from && !(*to == *from) && !widens) || (to && !from) ||
               (from && !to);
  if (needs && !rounded)
    return failHere("expected a rounding");
  if (i.integral != (from && (!to || (*to == *from && rounded))))
    return failHere("unexpected rounding");
  const auto &o = current->operands;
  size_t operands = pack ? 3 : 2;
  if (!expectOperands(operands, operands) ||
      !writable(o[0], i.type, i.dst, !to) ||
      !readable(o[1], i.sourceType, i.src[0], !from))
    return false;
  i.sources = 1;
  if (pack) {
    if (!readable(o[2], i.sourceType, i.src[1]))
      return false;
    i.sources = 2;
  }
  // Integer results fill a wider register by their sign.
  i.imm = to ? bitsOf(i.type) : registerBits(i.dst);
  i.fn = convertFunction(i);
  return emit(i);
}

bool FunctionDecoder::convertAddress(Inst &i) {
  bool to = take("to");
  Space space = Space::Generic;
  if (take("global"))
    space = Space::Global;
  else if (take("const"))
    space = Space::Const;
  else if (take("shared") || take("shared::cta"))
    space = Space::Shared;
  else if (take("local"))
    space = Space::Local;
  else
    return failHere("unsupported state space");
  if (!takeType(i.type) || !expectOperands(2, 2))
    return false;
  if (bitsOf(i.type) != 64)
    return failHere("unsupported type");
  const auto &o = current->operands;
  if (!writable(o[0], i.type, i.dst))
    return false;
  Space found = space;
  bool symbol = o[1].kind == Operand::Kind::Name &&
                symbolAddress(o[1].name, int64_t(o[1].value), i.src[0], found);
  if (symbol ? found != space : !readable(o[1], i.type, i.src[0]))
    return symbol ? failHere("'" + o[1].name + "' is in another state space")
                  : false;
  uint64_t window = space == Space::Shared  ? sharedWindow
                    : space == Space::Local ? localWindow
                                            : 0;
  i.sources = 2;
  i.src[1] = constant(to ? -window : window);
  i.type = Ty::U64;
  i.fn = integerFunction("add", i);
  return emit(i);
}

bool FunctionDecoder::move(Inst &i) {
  i.cls = Class::Move;
  if (!takeType(i.type) || !expectOperands(2, 2))
    return false;
  const auto &o = current->operands;
  auto elementType = [&](size_t count, Ty &type) {
    unsigned bits = count ? bitsOf(i.type) / unsigned(count) : 0;
    if (!isBits(i.type) || count < 2 || bits * count != bitsOf(i.type) ||
        bits < 8)
      return failHere("unexpected vector");
    type = bits == 8 ? Ty::B8 : bits == 16 ? Ty::B16 : Ty::B32;
    return true;
  };
  if (o[0].kind == Operand::Kind::Vector) {
    i.kind = Kind::Unpack;
    i.sources = 1;
    return elementType(o[0].elements.size(), i.sourceType) &&
           vectorRegisters(o[0], i.sourceType, i, true,
                           i.sourceType == Ty::B8) &&
           readable(o[1], i.type, i.src[0]) && emit(i);
  }
  if (!writable(o[0], i.type, i.dst))
    return false;
  if (o[1].kind == Operand::Kind::Vector) {
    i.kind = Kind::Pack;
    return elementType(o[1].elements.size(), i.sourceType) &&
           vectorRegisters(o[1], i.sourceType, i, false,
                           i.sourceType == Ty::B8) &&
           emit(i);
  }
  i.sources = 1;
  i.fn = integerFunction("mov", i);
  Space space;
  if (o[1].kind == Operand::Kind::Name &&
      symbolAddress(o[1].name, int64_t(o[1].value), i.src[0], space))
    return emit(i);
  if (i.type == Ty::Pred && o[1].kind == Operand::Kind::Not)
    return failHere("unexpected operand '" + print(o[1]) + "'");
  return readable(o[1], i.type, i.src[0]) && emit(i);
}
