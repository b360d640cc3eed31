// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory, control and synchronization; and which decoder an opcode goes to.
#include "Decoder.h"

using namespace prec;
using namespace prec::ptx;

bool FunctionDecoder::instruction(const Instruction &source) {
  modifiers = source.modifiers;
  Inst i;
  i.kind = Kind::Pure;
  i.source = &source;
  i.opcode = &source.opcode;
  if (!source.guard.empty()) {
    Operand guard;
    guard.kind = Operand::Kind::Name;
    guard.name = source.guard;
    guard.location = source.location;
    if (!readable(guard, Ty::Pred, i.guard))
      return false;
    i.guardNegated = source.guardNegated;
  }
  return dispatch(i);
}

/// The last step of every decoder: nothing may be left unsaid.
bool FunctionDecoder::emit(Inst &i) {
  if (!finishModifiers())
    return false;
  bool needsFunction = i.kind == Kind::Pure || i.kind == Kind::SetPredicate;
  if (needsFunction && !i.fn)
    return failHere("unsupported type");
  code.insts.push_back(std::move(i));
  return true;
}

bool FunctionDecoder::dispatch(Inst &i) {
  using Handler = bool (FunctionDecoder::*)(Inst &);
  static const std::unordered_map<std::string_view, Handler> handlers = [] {
    std::unordered_map<std::string_view, Handler> map;
    auto add = [&](Handler handler,
                   std::initializer_list<std::string_view> opcodes) {
      for (std::string_view opcode : opcodes)
        map[opcode] = handler;
    };
    using D = FunctionDecoder;
    add(&D::arithmetic,
        {"add",  "sub",      "mul",   "mad",  "mul24", "mad24", "sad",
         "div",  "rem",      "abs",   "neg",  "min",   "max",   "fma",
         "rcp",  "sqrt",     "rsqrt", "sin",  "cos",   "lg2",   "ex2",
         "tanh", "copysign", "testp", "addc", "subc",  "madc"});
    add(&D::logic,
        {"and", "or", "xor", "not", "cnot", "shl", "shr", "shf", "lop3"});
    add(&D::bitField, {"popc", "clz", "bfind", "brev", "bfe", "bfi", "bmsk",
                       "prmt", "dp4a", "dp2a"});
    add(&D::select, {"selp", "slct"});
    add(&D::comparison, {"setp", "set"});
    add(&D::convert, {"cvt"});
    add(&D::convertAddress, {"cvta"});
    add(&D::move, {"mov"});
    add(&D::memory, {"ld", "st", "ldu"});
    add(&D::atomic, {"atom", "red"});
    add(&D::copyAsync, {"cp"});
    add(&D::matrix, {"mma", "ldmatrix", "stmatrix"});
    add(&D::control, {"bra", "brx", "call", "ret", "exit", "trap"});
    add(&D::synchronization,
        {"bar", "barrier", "shfl", "vote", "match", "redux", "activemask",
         "elect", "fence", "membar", "nanosleep", "prefetch", "prefetchu",
         "discard", "createpolicy", "griddepcontrol"});
    return map;
  }();
  auto it = handlers.find(current->opcode);
  if (it == handlers.end())
    return fail(current->location,
                "unsupported instruction '" + current->name() + "'");
  return (this->*it->second)(i);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Takes the state space from the modifiers of a memory instruction.
static bool takeSpace(std::vector<std::string> &modifiers, Space &space) {
  static const std::pair<const char *, Space> spaces[] = {
      {"global", Space::Global},      {"shared", Space::Shared},
      {"shared::cta", Space::Shared}, {"local", Space::Local},
      {"const", Space::Const},        {"param", Space::Param},
      {"param::entry", Space::Param}, {"param::func", Space::Param}};
  for (auto &[name, value] : spaces)
    for (auto it = modifiers.begin(); it != modifiers.end(); ++it)
      if (*it == name) {
        space = value;
        modifiers.erase(it);
        return true;
      }
  return false;
}

static Class memoryClass(Space space, bool load) {
  switch (space) {
  case Space::Shared:
    return Class::Shared;
  case Space::Local:
    return Class::Local;
  case Space::Const:
  case Space::Param:
    return Class::Param;
  case Space::Generic:
  case Space::Global:
    break;
  }
  return load ? Class::GlobalLoad : Class::GlobalStore;
}

bool FunctionDecoder::memory(Inst &i) {
  bool load = current->opcode != "st";
  i.kind = load ? Kind::Load : Kind::Store;
  takeSpace(modifiers, i.space);
  for (const char *order :
       {"volatile", "relaxed", "acquire", "release", "mmio"})
    i.strong |= take(order);
  for (const char *quiet : {"weak", "cta", "cluster", "gpu", "sys"})
    take(quiet);
  takeHints();
  bool vector = true;
  if (take("v2"))
    i.elements = 2;
  else if (take("v4"))
    i.elements = 4;
  else if (take("v8"))
    i.elements = 8;
  else
    vector = false;
  if (!takeType(i.type))
    return false;
  if (i.type == Ty::Pred || bitsOf(i.type) < 8)
    return failHere("unsupported type");
  i.elementBytes = uint8_t(bytesOf(i.type));
  // The last operand may be a cache policy.
  if (!expectOperands(2, 3))
    return false;
  const auto &o = current->operands;
  const Operand &registers = load ? o[0] : o[1];
  if (vector && registers.kind != Operand::Kind::Vector)
    return failHere("expected a vector of registers");
  if (!address(load ? o[1] : o[0], i) ||
      !vectorRegisters(registers, i.type, i, load, true))
    return false;
  if (i.regs.size() != i.elements)
    return failHere("expected " + std::to_string(i.elements) +
                    " registers but got " + std::to_string(i.regs.size()));
  if (o.size() == 3) {
    int32_t policy;
    if (!readable(o[2], Ty::B64, policy))
      return false;
  }
  i.cls = memoryClass(i.space, load);
  return emit(i);
}

bool FunctionDecoder::atomic(Inst &i) {
  bool red = current->opcode == "red";
  i.kind = Kind::Atomic;
  i.strong = true;
  takeSpace(modifiers, i.space);
  for (const char *quiet : {"relaxed", "acquire", "release", "acq_rel", "cta",
                            "cluster", "gpu", "sys", "noftz"})
    take(quiet);
  takeHints();
  static const std::pair<const char *, Mode> operations[] = {
      {"add", Mode::Add},       {"min", Mode::Min},
      {"max", Mode::Max},       {"and", Mode::And},
      {"or", Mode::Or},         {"xor", Mode::Xor},
      {"exch", Mode::Exchange}, {"cas", Mode::CompareAndSwap},
      {"inc", Mode::Inc},       {"dec", Mode::Dec}};
  for (auto &[name, mode] : operations)
    if (i.mode == Mode::None && take(name))
      i.mode = mode;
  if (i.mode == Mode::None)
    return failHere("expected an operation such as '.add'");
  if (take("v2"))
    i.elements = 2;
  else if (take("v4"))
    i.elements = 4;
  else if (take("v8"))
    i.elements = 8;
  if (!takeType(i.type))
    return false;
  if (isFloat(i.type) && i.mode != Mode::Add && i.mode != Mode::Min &&
      i.mode != Mode::Max)
    return failHere("unsupported type");
  i.elementBytes = uint8_t(bytesOf(i.type));
  bool cas = i.mode == Mode::CompareAndSwap;
  size_t first = red ? 0 : 1;
  // After the operand(s), atom may have a cache policy.
  if (!expectOperands(first + 2 + cas, first + 3 + cas))
    return false;
  const auto &o = current->operands;
  if (!address(o[first], i))
    return false;
  if (i.space == Space::Local || i.space == Space::Const ||
      i.space == Space::Param)
    return failHere("unsupported state space");
  // regs: the operands, then the results.
  if (!vectorRegisters(o[first + 1], i.type, i, false, false))
    return false;
  if (i.regs.size() != i.elements)
    return failHere("expected " + std::to_string(i.elements) +
                    " registers but got " + std::to_string(i.regs.size()));
  if (cas && !readable(o[first + 2], i.type, i.src[2]))
    return false;
  if (!red && !vectorRegisters(o[0], i.type, i, true, false))
    return false;
  // f32 additions in global memory flush subnormals, those in shared do not.
  bool isAdd = i.mode == Mode::Add;
  i.ftz = i.type == Ty::F32 && i.space != Space::Shared && isAdd;
  Inst operation = i;
  operation.mode = Mode::None;
  switch (i.mode) {
  case Mode::Add:
    i.fn = isFloat(i.type) ? floatFunction("add", operation)
                           : integerFunction("add", operation);
    break;
  case Mode::Min:
  case Mode::Max: {
    const char *name = i.mode == Mode::Min ? "min" : "max";
    i.fn = isFloat(i.type) ? floatFunction(name, operation)
                           : integerFunction(name, operation);
    break;
  }
  case Mode::And:
    i.fn = integerFunction("and", operation);
    break;
  case Mode::Or:
    i.fn = integerFunction("or", operation);
    break;
  case Mode::Xor:
    i.fn = integerFunction("xor", operation);
    break;
  default:
    i.fn = integerFunction("mov", operation);
    break;
  }
  if (!i.fn)
    return failHere("unsupported type");
  i.cls = i.space == Space::Shared ? Class::Shared : Class::GlobalAtomic;
  return emit(i);
}

bool FunctionDecoder::copyAsync(Inst &i) {
  if (!take("async"))
    return failHere("unsupported form");
  i.cls = Class::Synchronization;
  i.kind = Kind::Nop;
  // Copies are done at once, in order: waiting for them is nothing.
  if (take("commit_group") || take("wait_all"))
    return expectOperands(0, 0) && emit(i);
  if (take("wait_group"))
    return expectOperands(1, 1) && emit(i);
  i.kind = Kind::CopyAsync;
  i.cls = Class::GlobalLoad;
  takeHints();
  if (!(take("shared") || take("shared::cta")) || !take("global"))
    return failHere("unsupported form");
  if (!expectOperands(3, 5))
    return false;
  const auto &o = current->operands;
  i.space = Space::Global;
  if (!address(o[1], i))
    return false;
  int32_t source = i.src[0];
  i.offset2 = i.offset;
  i.space = Space::Shared;
  if (!address(o[0], i))
    return false;
  i.src[1] = source;
  bool goodSize = o[2].kind == Operand::Kind::Integer &&
                  (o[2].value == 4 || o[2].value == 8 || o[2].value == 16);
  if (!goodSize)
    return failHere("expected a size of 4, 8 or 16 bytes");
  i.elementBytes = uint8_t(o[2].value);
  i.type = Ty::B32;
  i.src[2] = constant(o[2].value);
  if (o.size() > 3) {
    // A source size, or a cache policy: by the register's width.
    const Symbol *s =
        o[3].kind == Operand::Kind::Name ? lookUp(o[3].name) : nullptr;
    bool policy = s && bitsOf(s->type) == 64;
    int32_t ignored;
    if (policy ? !readable(o[3], Ty::B64, ignored)
               : !readable(o[3], Ty::U32, i.src[2]))
      return false;
  }
  i.sources = 3;
  return emit(i);
}

bool FunctionDecoder::matrix(Inst &i) {
  const std::string &op = current->opcode;
  i.cls = Class::Matrix;
  if (!take("sync") || !take("aligned"))
    return failHere("unsupported form");
  const auto &o = current->operands;
  if (op != "mma") {
    bool load = op == "ldmatrix";
    i.kind = load ? Kind::LoadMatrix : Kind::StoreMatrix;
    if (!take("m8n8"))
      return failHere("unsupported shape");
    i.elements = take("x4") ? 4 : take("x2") ? 2 : take("x1") ? 1 : 0;
    if (!i.elements)
      return failHere("expected '.x1', '.x2' or '.x4'");
    i.trans = take("trans");
    if (!takeSpace(modifiers, i.space) || i.space != Space::Shared)
      return failHere("unsupported state space");
    if (!takeType(i.type) || i.type != Ty::B16)
      return failHere("unsupported type");
    i.elementBytes = 16;
    if (!expectOperands(2, 2) || !address(o[load ? 1 : 0], i) ||
        !vectorRegisters(o[load ? 0 : 1], Ty::B32, i, load, false))
      return false;
    if (i.regs.size() != i.elements)
      return failHere("expected " + std::to_string(i.elements) +
                      " registers but got " + std::to_string(i.regs.size()));
    return emit(i);
  }
  i.kind = Kind::Mma;
  i.imm = take("m16n8k16") ? 16 : take("m16n8k8") ? 8 : 0;
  if (!i.imm || !take("row") || !take("col"))
    return failHere("unsupported shape");
  Ty d, a, b, c;
  if (!takeType(d) || !takeType(a) || !takeType(b) || !takeType(c))
    return false;
  bool good = (a == Ty::BF16 || a == Ty::F16) && a == b && d == c &&
              (d == Ty::F32 || (d == Ty::F16 && a == Ty::F16));
  if (!good)
    return failHere("unsupported type");
  i.type = d;
  i.sourceType = a;
  if (!expectOperands(4, 4))
    return false;
  Ty accumulator = d == Ty::F32 ? Ty::F32 : Ty::B32;
  size_t sizes[4] = {d == Ty::F32 ? 4u : 2u, i.imm / 4, i.imm / 8,
                     d == Ty::F32 ? 4u : 2u};
  for (unsigned k = 0; k < 4; ++k) {
    size_t before = i.regs.size();
    if (!vectorRegisters(o[k], k == 0 || k == 3 ? accumulator : Ty::B32, i,
                         k == 0, false))
      return false;
    if (i.regs.size() - before != sizes[k])
      return failHere("expected " + std::to_string(sizes[k]) +
                      " registers but got " +
                      std::to_string(i.regs.size() - before));
  }
  return emit(i);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

bool FunctionDecoder::control(Inst &i) {
  const std::string &op = current->opcode;
  const auto &o = current->operands;
  i.cls = Class::Control;
  take("uni");
  auto fixup = [&](int index, const std::string &label) {
    fixups.push_back({code.insts.size(), index, label, current->location});
  };
  if (op == "bra") {
    i.kind = Kind::Branch;
    if (!expectOperands(1, 1))
      return false;
    if (o[0].kind != Operand::Kind::Name)
      return failHere("expected a label");
    fixup(-1, o[0].name);
    return emit(i);
  }
  if (op == "brx") {
    i.kind = Kind::BranchIndexed;
    if (!take("idx") || !expectOperands(2, 2))
      return failHere("unsupported form");
    auto it = branchTargets.find(o[1].name);
    if (it == branchTargets.end())
      return fail(o[1].location,
                  "unknown list of branch targets '" + print(o[1]) + "'");
    i.sources = 1;
    if (!readable(o[0], Ty::U32, i.src[0]))
      return false;
    i.targets.resize(it->second->labels.size());
    for (size_t k = 0; k < i.targets.size(); ++k)
      fixup(int(k), it->second->labels[k]);
    return emit(i);
  }
  if (op == "call")
    return call(i);
  i.kind = op == "ret" ? Kind::Return : op == "exit" ? Kind::Exit : Kind::Trap;
  return expectOperands(0, 0) && emit(i);
}

bool FunctionDecoder::call(Inst &i) {
  const auto &o = current->operands;
  i.kind = Kind::Call;
  // [(results),] name [, (arguments)]
  size_t at = 0;
  const Operand *results = nullptr, *arguments = nullptr;
  if (at < o.size() && o[at].kind == Operand::Kind::List)
    results = &o[at++];
  if (at >= o.size() || o[at].kind != Operand::Kind::Name)
    return failHere("expected a function");
  const Operand &name = o[at++];
  if (at < o.size() && o[at].kind == Operand::Kind::List)
    arguments = &o[at++];
  const Symbol *s = lookUp(name.name);
  if (s || at != o.size())
    return failHere("unsupported indirect call");
  const Function *callee = module.findFunction(name.name);
  if (!callee || callee->entry)
    return fail(name.location, "unknown function '" + name.name + "'");
  if (!callee->hasBody)
    return fail(name.location,
                "function '" + name.name + "' is declared but not defined");
  auto [it, isNew] =
      program.codeByName.try_emplace(name.name, int(pending.size()));
  if (isNew)
    pending.push_back(callee);
  i.callee = it->second;

  auto pass = [&](const Operand *list, const std::vector<Variable> &formals,
                  std::vector<Inst::Passed> &out, bool write) {
    static const std::vector<Operand> none;
    const auto &elements = list ? list->elements : none;
    if (elements.size() != formals.size())
      return fail(name.location, "function '" + name.name + "' has " +
                                     std::to_string(formals.size()) +
                                     (write ? " results" : " parameters") +
                                     " but the call " +
                                     std::to_string(elements.size()));
    for (size_t k = 0; k < elements.size(); ++k) {
      Inst::Passed &p = out.emplace_back();
      const Symbol *symbol = elements[k].kind == Operand::Kind::Name
                                 ? lookUp(elements[k].name)
                                 : nullptr;
      auto formalBytes = variableBytes(formals[k]);
      auto type = findType(formals[k].type);
      if (!type || !formalBytes)
        return fail(formals[k].location,
                    "unsupported type of '" + formals[k].name + "'");
      if (symbol && symbol->kind == Symbol::Kind::Param) {
        p.offset = uint32_t(symbol->offset);
        p.bytes = symbol->bytes;
        if (p.bytes != *formalBytes)
          return fail(elements[k].location, "'" + elements[k].name + "' has " +
                                                std::to_string(p.bytes) +
                                                " bytes but '" +
                                                formals[k].name + "' has " +
                                                std::to_string(*formalBytes));
        continue;
      }
      p.bytes = uint32_t(*formalBytes);
      if (!formals[k].dims.empty())
        return fail(elements[k].location,
                    "expected a parameter variable for '" + formals[k].name +
                        "'");
      if (!(write ? writable(elements[k], *type, p.slot)
                  : readable(elements[k], *type, p.slot)))
        return false;
    }
    return true;
  };
  return pass(arguments, callee->params, i.arguments, false) &&
         pass(results, callee->results, i.results, true) && emit(i);
}

//===----------------------------------------------------------------------===//
// Synchronization
//===----------------------------------------------------------------------===//

bool FunctionDecoder::synchronization(Inst &i) {
  const std::string &op = current->opcode;
  const auto &o = current->operands;
  i.cls = Class::Synchronization;
  auto takeMode =
      [&](std::initializer_list<std::pair<const char *, Mode>> list) {
        for (auto &[name, mode] : list)
          if (take(name)) {
            i.mode = mode;
            return true;
          }
        return failHere("expected a mode such as '." +
                        std::string(list.begin()->first) + "'");
      };
  auto member = [&](const Operand &operand) {
    i.regs.push_back(0);
    return readable(operand, Ty::B32, i.regs[0]);
  };

  if (op == "bar" || op == "barrier") {
    if (take("warp")) {
      i.kind = Kind::WarpBarrier;
      return (take("sync") || failHere("unsupported form")) &&
             expectOperands(1, 1) && member(o[0]) && emit(i);
    }
    i.kind = Kind::Barrier;
    take("cta");
    i.aligned = op == "bar" || take("aligned");
    // src: barrier, thread count (or the constant 0), predicate.
    size_t at = 0;
    if (take("red")) {
      if (!takeMode({{"popc", Mode::PopCount},
                     {"and", Mode::And},
                     {"or", Mode::Or}}) ||
          !takeType(i.type) || !expectOperands(3, 4) ||
          !writable(o[at++], i.mode == Mode::PopCount ? Ty::U32 : Ty::Pred,
                    i.dst) ||
          !predicate(o.back(), i.src[2], i.negatePredicate))
        return false;
    } else if (take("sync")) {
      if (!expectOperands(1, 2))
        return false;
    } else {
      return failHere("unsupported form");
    }
    size_t end = o.size() - (i.mode == Mode::None ? 0 : 1);
    i.sources = i.mode == Mode::None ? 2 : 3;
    if (!readable(o[at++], Ty::U32, i.src[0]))
      return false;
    if (at < end && !readable(o[at], Ty::U32, i.src[1]))
      return false;
    return emit(i);
  }
  if (op == "shfl") {
    i.kind = Kind::Shuffle;
    if (!take("sync"))
      return failHere("unsupported form");
    if (!takeMode({{"up", Mode::Up},
                   {"down", Mode::Down},
                   {"bfly", Mode::Butterfly},
                   {"idx", Mode::Index}}) ||
        !takeType(i.type) || !expectOperands(5, 5))
      return false;
    const Operand &d = o[0];
    bool pair = d.kind == Operand::Kind::Pair;
    if (pair && !writable(d.elements[1], Ty::Pred, i.dst2))
      return false;
    i.sources = 3;
    return writable(pair ? d.elements[0] : d, Ty::B32, i.dst) &&
           readable(o[1], Ty::B32, i.src[0]) &&
           readable(o[2], Ty::B32, i.src[1]) &&
           readable(o[3], Ty::B32, i.src[2]) && member(o[4]) && emit(i);
  }
  if (op == "vote") {
    i.kind = Kind::Vote;
    if (!take("sync"))
      return failHere("unsupported form");
    if (!takeMode({{"all", Mode::All},
                   {"any", Mode::Any},
                   {"uni", Mode::Uniform},
                   {"ballot", Mode::Ballot}}) ||
        !takeType(i.type) || !expectOperands(3, 3))
      return false;
    Ty result = i.mode == Mode::Ballot ? Ty::B32 : Ty::Pred;
    if (i.type != result)
      return failHere("unsupported type");
    i.sources = 1;
    return writable(o[0], result, i.dst) &&
           predicate(o[1], i.src[0], i.negatePredicate) && member(o[2]) &&
           emit(i);
  }
  if (op == "match") {
    i.kind = Kind::Match;
    if (!takeMode({{"any", Mode::Any}, {"all", Mode::All}}) || !take("sync") ||
        !takeType(i.type) || !expectOperands(3, 3))
      return failHere("unsupported form");
    const Operand &d = o[0];
    bool pair = d.kind == Operand::Kind::Pair;
    if (pair && !writable(d.elements[1], Ty::Pred, i.dst2))
      return false;
    i.sources = 1;
    return writable(pair ? d.elements[0] : d, Ty::B32, i.dst) &&
           readable(o[1], i.type, i.src[0]) && member(o[2]) && emit(i);
  }
  if (op == "redux") {
    i.kind = Kind::Reduce;
    if (!take("sync") || !takeMode({{"add", Mode::Add},
                                    {"min", Mode::Min},
                                    {"max", Mode::Max},
                                    {"and", Mode::And},
                                    {"or", Mode::Or},
                                    {"xor", Mode::Xor}}))
      return false;
    if (!takeType(i.type) || !expectOperands(3, 3))
      return false;
    if (isFloat(i.type) || bitsOf(i.type) != 32)
      return failHere("unsupported type");
    const char *names[] = {"add", "min", "max", "and", "or", "xor"};
    Inst operation;
    operation.type = i.type;
    i.fn = integerFunction(names[unsigned(i.mode) - unsigned(Mode::Add)],
                           operation);
    i.sources = 1;
    return writable(o[0], Ty::B32, i.dst) &&
           readable(o[1], Ty::B32, i.src[0]) && member(o[2]) && emit(i);
  }
  if (op == "activemask") {
    i.kind = Kind::ActiveMask;
    return takeType(i.type) && expectOperands(1, 1) &&
           writable(o[0], Ty::B32, i.dst) && emit(i);
  }
  if (op == "elect") {
    i.kind = Kind::Elect;
    if (!take("sync") || !expectOperands(2, 2))
      return failHere("unsupported form");
    const Operand &d = o[0];
    if (d.kind != Operand::Kind::Pair)
      return failHere("expected two destinations");
    return writable(d.elements[0], Ty::B32, i.dst) &&
           writable(d.elements[1], Ty::Pred, i.dst2) && member(o[1]) && emit(i);
  }
  if (op == "createpolicy") {
    // A cache policy changes no value: any will do.
    i.kind = Kind::Pure;
    i.cls = Class::Integer;
    modifiers.clear();
    i.type = Ty::B64;
    i.sources = 1;
    if (o.empty() || !writable(o[0], Ty::B64, i.dst))
      return failHere("expected a destination");
    i.src[0] = constant(0);
    i.fn = integerFunction("mov", i);
    return emit(i);
  }
  // Fences, prefetches and sleeps: the evaluator's memory is in order already.
  i.kind = Kind::Nop;
  modifiers.clear();
  return emit(i);
}
