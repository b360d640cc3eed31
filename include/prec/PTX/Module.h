// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PTX as a tree: what the text says, without deciding what it means. Names
/// stay names; two modules are equal if they say the same, wherever it stands
/// in the text.
#ifndef PREC_PTX_MODULE_H
#define PREC_PTX_MODULE_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace prec::ptx {

/// A place in the text; both count from 1.
struct Location {
  unsigned line = 0, column = 0;
  /// Places say nothing: they do not take part in comparisons.
  bool operator==(const Location &) const { return true; }
};

/// One error. `str` gives FILE[:LINE:COLUMN]: error: MESSAGE.
struct Diagnostic {
  Location location;
  std::string message;
  /// Of a run on symbols: what it cannot follow depends on their values, so a
  /// run on values may succeed.
  bool dependsOnData = false;
  std::string str(const std::string &file) const;
};

/// An instruction's operand.
struct Operand {
  enum class Kind : uint8_t {
    Name,    ///< register, symbol, label, special register (+ `value`)
    Not,     ///< !name
    Integer, ///< `value`
    Float,   ///< 0f, 0d or decimal; `value` has the bits of f32 or f64
    Address, ///< [name + value] or [value]
    Vector,  ///< {a, b, ...}
    Pair,    ///< a|b
    List,    ///< (a, b, ...): arguments of a call
    Sink     ///< _
  };
  /// How a float is written.
  enum class Spelling : uint8_t { None, Single, Double, Decimal };

  Kind kind = Kind::Sink;
  Spelling spelling = Spelling::None;
  Location location;
  /// Name: the name. A decimal float: its digits as written.
  std::string name;
  uint64_t value = 0;
  std::vector<Operand> elements;

  bool operator==(const Operand &o) const {
    return kind == o.kind && spelling == o.spelling && name == o.name &&
           value == o.value && elements == o.elements;
  }
};

struct Instruction {
  Location location;
  /// The predicate register that guards it, or empty.
  std::string guard;
  bool guardNegated = false;
  /// E.g. "ld" and {"global", "v4", "b32"}.
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;

  /// The opcode with its modifiers, as written.
  std::string name() const;
  bool operator==(const Instruction &o) const {
    return guard == o.guard && guardNegated == o.guardNegated &&
           opcode == o.opcode && modifiers == o.modifiers &&
           operands == o.operands;
  }
};

/// An initial value: a number, or the (generic) address of a symbol.
struct Initializer {
  Operand value;
  bool generic = false;
  bool operator==(const Initializer &o) const {
    return value == o.value && generic == o.generic;
  }
};

/// A register, a variable in a memory space, or a parameter.
struct Variable {
  Location location;
  /// extern, visible, weak, common, in the order written.
  std::vector<std::string> linkage;
  /// reg, global, shared, local, const or param.
  std::string space;
  unsigned align = 0;
  /// v2, v4 or empty.
  std::string vector;
  /// b32, f32, pred, ...
  std::string type;
  std::string name;
  /// Registers written %r<N>: N names, %r0 to %r(N-1).
  std::optional<unsigned> count;
  /// Array sizes; 0 stands for [].
  std::vector<uint64_t> dims;
  /// Kernel parameters: .ptr [.space] [.align n].
  bool pointer = false;
  std::string pointerSpace;
  unsigned pointerAlign = 0;
  std::vector<Initializer> initializers;
  /// Whether `= {...}` with braces was written.
  bool braced = false;

  bool operator==(const Variable &o) const;
};

struct Label {
  Location location;
  std::string name;
  bool operator==(const Label &o) const { return name == o.name; }
};
/// { or }: a scope of names.
struct Scope {
  bool open = true;
  bool operator==(const Scope &o) const { return open == o.open; }
};
/// NAME: .branchtargets L0, L1, ...;
struct BranchTargets {
  Location location;
  std::string name;
  std::vector<std::string> labels;
  bool operator==(const BranchTargets &o) const {
    return name == o.name && labels == o.labels;
  }
};
/// .pragma, .loc and other lines that have no meaning for a run, kept as text.
struct Verbatim {
  std::string text;
  bool operator==(const Verbatim &o) const { return text == o.text; }
};

using Statement =
    std::variant<Instruction, Variable, Label, Scope, BranchTargets, Verbatim>;

struct Function {
  Location location;
  std::vector<std::string> linkage;
  bool entry = false;
  std::string name;
  std::vector<Variable> results, params;
  /// .maxntid and its like: name and numbers.
  struct Directive {
    std::string name;
    std::vector<uint64_t> values;
    bool operator==(const Directive &o) const {
      return name == o.name && values == o.values;
    }
  };
  std::vector<Directive> directives;
  /// A declaration has no body.
  bool hasBody = false;
  std::vector<Statement> body;

  bool operator==(const Function &o) const {
    return linkage == o.linkage && entry == o.entry && name == o.name &&
           results == o.results && params == o.params &&
           directives == o.directives && hasBody == o.hasBody && body == o.body;
  }
};

struct Module {
  std::string version;
  std::vector<std::string> target;
  unsigned addressSize = 64;
  std::vector<std::variant<Variable, Function, Verbatim>> items;

  const Function *findFunction(const std::string &name) const;
  bool operator==(const Module &o) const {
    return version == o.version && target == o.target &&
           addressSize == o.addressSize && items == o.items;
  }
};

/// By the line of an instruction, the line of the source that its .loc names:
/// "kernel.cu:42".
std::map<unsigned, std::string> sourceLines(const Module &module);

/// Reads PTX. On failure returns nothing and appends to `diagnostics`.
std::optional<Module> parse(const std::string &text,
                            std::vector<Diagnostic> &diagnostics);

/// PTX text that parses to an equal module.
std::string print(const Module &module);
/// One instruction or operand, as `print` writes it, without the `;`.
std::string print(const Instruction &instruction);
std::string print(const Operand &operand);

} // namespace prec::ptx

#endif // PREC_PTX_MODULE_H
