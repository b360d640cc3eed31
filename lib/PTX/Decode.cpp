// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the tree to the decoded form: functions, scopes and names.
#include "Decoder.h"

#include <algorithm>
#include <cstring>

using namespace prec;
using namespace prec::ptx;

//===----------------------------------------------------------------------===//
// Module variables
//===----------------------------------------------------------------------===//

static uint64_t alignTo(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/// Bytes of a variable; nothing if it is too large to be meant.
std::optional<uint64_t> ptx::variableBytes(const Variable &v) {
  auto type = findType(v.type);
  if (!type)
    return std::nullopt;
  uint64_t bytes = *type == Ty::Pred ? 1 : bytesOf(*type);
  if (!v.vector.empty())
    bytes *= v.vector == "v2" ? 2 : 4;
  for (uint64_t size : v.dims)
    if (__builtin_mul_overflow(bytes, size, &bytes) || bytes > uint64_t(1)
                                                                   << 32)
      return std::nullopt;
  return bytes;
}

unsigned ptx::variableAlign(const Variable &v) {
  auto type = findType(v.type);
  unsigned natural = type ? std::max(bytesOf(*type), 1u) : 1;
  if (!v.vector.empty())
    natural *= v.vector == "v2" ? 2 : 4;
  return v.align ? v.align : natural;
}

namespace {
struct ModuleDecoder {
  const Module &module;
  Program &program;
  Diagnostic &error;

  bool fail(Location location, std::string message) {
    error = {location, std::move(message)};
    return false;
  }

  bool variables() {
    for (auto &item : module.items)
      if (auto *v = std::get_if<Variable>(&item))
        if (!variable(*v))
          return false;
    // Function-scope shared variables are static too.
    for (auto &item : module.items)
      if (auto *f = std::get_if<Function>(&item))
        for (const Statement &s : f->body)
          if (auto *v = std::get_if<Variable>(&s))
            if (v->space == "shared" || v->space == "global" ||
                v->space == "const")
              if (!variable(*v, f->name))
                return false;
    return initializers();
  }

  std::vector<std::pair<const Variable *, unsigned>> declared;

  bool variable(const Variable &v, const std::string &function = "") {
    ModuleVariable out;
    // A function's variable is visible in it only.
    out.name = function.empty() ? v.name : function + "\n" + v.name;
    out.space = v.space == "shared"  ? Space::Shared
                : v.space == "const" ? Space::Const
                                     : Space::Global;
    auto bytes = variableBytes(v);
    if (!bytes)
      return fail(v.location,
                  "variable '" + v.name + "' has an unsupported type or size");
    out.align = variableAlign(v);
    out.bytes = *bytes;
    bool dynamic = !v.dims.empty() && v.dims[0] == 0;
    if (out.space == Space::Shared && !dynamic) {
      program.sharedEnd = alignTo(program.sharedEnd, out.align);
      out.address = program.sharedEnd;
      program.sharedEnd += out.bytes;
      if (program.sharedEnd > sharedBase + (uint64_t(1) << 20))
        return fail(v.location, "shared memory is larger than 1 MiB");
    } else if (out.space == Space::Shared) {
      out.address = UINT64_MAX; // dynamic: behind all others
      dynamicAlign = std::max(dynamicAlign, out.align);
    } else {
      if (std::find(v.linkage.begin(), v.linkage.end(), "extern") !=
          v.linkage.end())
        return fail(v.location, "variable '" + v.name +
                                    "' is external: nothing defines it");
      if (out.bytes > uint64_t(1) << 30)
        return fail(v.location, "variable '" + v.name + "' is too large");
      out.data.resize(out.bytes);
    }
    declared.push_back({&v, unsigned(program.variables.size())});
    program.variables.push_back(std::move(out));
    return true;
  }

  bool initializers() {
    for (auto &[v, index] : declared) {
      if (v->initializers.empty())
        continue;
      ModuleVariable &out = program.variables[index];
      if (out.space == Space::Shared)
        return fail(v->location,
                    "shared variable '" + v->name + "' has an initial value");
      unsigned bytes = bytesOf(*findType(v->type));
      uint64_t at = 0;
      for (const Initializer &i : v->initializers) {
        if (at + bytes > out.data.size())
          return fail(i.value.location,
                      "too many initial values for '" + v->name + "'");
        uint64_t value = i.value.value;
        if (i.value.kind == Operand::Kind::Name) {
          int target = find(i.value.name);
          if (target < 0)
            return fail(i.value.location,
                        "unknown symbol '" + i.value.name + "'");
          out.relocations.push_back(
              {at, bytes, unsigned(target), int64_t(i.value.value), i.generic});
          value = 0;
        } else if (i.value.kind == Operand::Kind::Float) {
          value = floatLiteral(i.value, *findType(v->type));
        }
        std::memcpy(out.data.data() + at, &value, std::min(bytes, 8u));
        at += bytes;
      }
    }
    return true;
  }

  int find(const std::string &name) {
    for (unsigned i = 0; i < program.variables.size(); ++i)
      if (program.variables[i].name == name)
        return int(i);
    return -1;
  }

  unsigned dynamicAlign = 1;
};
} // namespace

/// The bits of a float literal in a type.
uint64_t ptx::floatLiteral(const Operand &o, Ty type) {
  const num::Format *to = formatOf(type);
  if (o.spelling == Operand::Spelling::Single)
    return to && *to == num::kF64 ? num::round(num::kF32, o.value, num::kF64)
                                  : o.value;
  // Double and decimal literals are f64, rounded to what is asked for.
  if (to && *to != num::kF64)
    return num::round(num::kF64, o.value, *to);
  return o.value;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool FunctionDecoder::fail(Location location, std::string message) {
  error = {location, std::move(message)};
  return false;
}

bool FunctionDecoder::failHere(const std::string &message) {
  return fail(current->location,
              message + " in instruction '" + current->name() + "'");
}

int32_t FunctionDecoder::newSlot(const std::string &name, unsigned bits) {
  code.names.push_back(name);
  code.bits.push_back(uint8_t(bits));
  return int32_t(code.slots++);
}

int32_t FunctionDecoder::constant(uint64_t value) {
  auto [it, isNew] = constants.try_emplace(value, 0);
  if (isNew) {
    it->second = newSlot("", 64);
    code.inits.push_back({it->second, SlotInit::Kind::Value, value, 0});
  }
  return it->second;
}

int32_t FunctionDecoder::special(SlotInit::Kind kind, uint64_t value,
                                 int64_t offset) {
  auto [it, isNew] = specials.try_emplace({kind, value, offset}, 0);
  if (isNew) {
    it->second = newSlot("", 64);
    code.inits.push_back({it->second, kind, value, offset});
  }
  return it->second;
}

/// Declares the registers of a .reg variable in the innermost scope.
bool FunctionDecoder::declare(const Variable &v) {
  auto type = findType(v.type);
  if (!type || !v.vector.empty())
    return fail(v.location, "register '" + v.name +
                                "' has unsupported type '." + v.type + "'");
  auto add = [&](const std::string &name) {
    Symbol s;
    s.kind = Symbol::Kind::Register;
    s.type = *type;
    s.slot = newSlot(name, bitsOf(*type));
    return scopes.back().emplace(name, s).second ||
           fail(v.location, "'" + name + "' is declared twice");
  };
  if (!v.count)
    return add(v.name);
  if (code.slots + *v.count > 1u << 20)
    return fail(v.location, "too many registers");
  for (unsigned i = 0; i < *v.count; ++i)
    if (!add(v.name + std::to_string(i)))
      return false;
  return true;
}

/// Declares a .local or .param variable of the frame.
bool FunctionDecoder::declareInFrame(const Variable &v, Formal *formal) {
  auto bytes = variableBytes(v);
  auto type = findType(v.type);
  if (!bytes || !type)
    return fail(v.location,
                "variable '" + v.name + "' has an unsupported type or size");
  bool local = v.space == "local";
  uint32_t &top = local ? code.localBytes : code.paramBytes;
  Symbol s;
  s.kind = local ? Symbol::Kind::Local : Symbol::Kind::Param;
  s.type = *type;
  s.offset = alignTo(top, variableAlign(v));
  s.bytes = uint32_t(*bytes);
  if (s.offset + *bytes > uint64_t(1) << 24)
    return fail(v.location, "variable '" + v.name + "' is too large");
  top = uint32_t(s.offset + *bytes);
  if (formal) {
    formal->name = v.name;
    formal->type = *type;
    formal->offset = uint32_t(s.offset);
    formal->bytes = s.bytes;
    formal->align = variableAlign(v);
  }
  return scopes.back().emplace(v.name, s).second ||
         fail(v.location, "'" + v.name + "' is declared twice");
}

bool FunctionDecoder::formals(const std::vector<Variable> &list,
                              std::vector<Formal> &out) {
  for (const Variable &v : list) {
    Formal &formal = out.emplace_back();
    if (v.space == "reg") {
      if (!declare(v))
        return false;
      formal.name = v.name;
      formal.type = *findType(v.type);
      formal.slot = scopes.back().at(v.name).slot;
    } else if (!declareInFrame(v, &formal)) {
      return false;
    }
  }
  return true;
}

const FunctionDecoder::Symbol *
FunctionDecoder::lookUp(const std::string &name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto it = scope->find(name); it != scope->end())
      return &it->second;
  return nullptr;
}

int FunctionDecoder::findVariable(const std::string &name) {
  for (const std::string &full : {code.function->name + "\n" + name, name})
    for (unsigned i = 0; i < program.variables.size(); ++i)
      if (program.variables[i].name == full)
        return int(i);
  return -1;
}

bool FunctionDecoder::run() {
  constant(0); // slot 0 stands for operands that are not there
  scopes.emplace_back();
  if (!formals(function.params, code.params) ||
      !formals(function.results, code.results))
    return false;
  // Labels are known before the branches to them. Their scope is the whole
  // function here: compilers make them unique.
  for (const Statement &s : function.body) {
    if (auto *i = std::get_if<Instruction>(&s)) {
      (void)i;
      continue;
    }
    if (auto *b = std::get_if<BranchTargets>(&s))
      if (!branchTargets.emplace(b->name, b).second)
        return fail(b->location, "label '" + b->name + "' is defined twice");
  }
  scopes.emplace_back();
  for (const Statement &s : function.body) {
    if (auto *i = std::get_if<Instruction>(&s)) {
      current = i;
      if (!instruction(*i))
        return false;
    } else if (auto *v = std::get_if<Variable>(&s)) {
      bool inFrame = v->space == "local" || v->space == "param";
      if (v->space == "reg" ? !declare(*v)
                            : inFrame && !declareInFrame(*v, nullptr))
        return false;
    } else if (auto *l = std::get_if<Label>(&s)) {
      if (!labels.emplace(l->name, uint32_t(code.insts.size())).second)
        return fail(l->location, "label '" + l->name + "' is defined twice");
    } else if (auto *scope = std::get_if<Scope>(&s)) {
      if (scope->open)
        scopes.emplace_back();
      else
        scopes.pop_back();
    }
  }
  // Falling off the end returns.
  Inst end;
  end.kind = Kind::Return;
  end.cls = Class::Control;
  end.hidden = true;
  code.insts.push_back(end);
  return resolveLabels();
}

bool FunctionDecoder::resolveLabels() {
  for (const Fixup &f : fixups) {
    auto it = labels.find(f.label);
    if (it == labels.end())
      return fail(f.location, "unknown label '" + f.label + "'");
    Inst &i = code.insts[f.inst];
    if (f.index < 0)
      i.target = it->second;
    else
      i.targets[f.index] = it->second;
  }
  return true;
}

std::optional<Program> prec::ptx::decode(const Module &module,
                                         const std::string &entry,
                                         Diagnostic &error) {
  Program program;
  program.sharedEnd = sharedBase;
  if (module.addressSize != 64) {
    error = {{}, "expected 64-bit addresses but got 32-bit ones"};
    return std::nullopt;
  }
  ModuleDecoder variables{module, program, error, {}, 1};
  if (!variables.variables())
    return std::nullopt;
  program.sharedEnd =
      alignTo(program.sharedEnd, std::max(variables.dynamicAlign, 16u));
  const Function *kernel = module.findFunction(entry);
  if (!kernel || !kernel->entry || !kernel->hasBody) {
    error = {{}, "no kernel '" + entry + "' in the module"};
    return std::nullopt;
  }
  // The kernel is code 0; callees follow as calls to them are decoded.
  std::vector<const Function *> pending{kernel};
  program.codeByName[entry] = 0;
  for (unsigned next = 0; next < pending.size(); ++next) {
    program.codes.emplace_back();
    Code code;
    code.function = pending[next];
    FunctionDecoder decoder(module, program, *pending[next], code, pending,
                            error);
    if (!decoder.run())
      return std::nullopt;
    code.firstIndex = program.instructions;
    program.instructions += unsigned(code.insts.size());
    program.codes[next] = std::move(code);
  }
  return program;
}
