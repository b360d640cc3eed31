// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lexer.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

using namespace prec::ptx;

/// Every opcode of the PTX ISA, so that a misspelt one is named at once.
static bool isOpcode(std::string_view word) {
  static const std::unordered_set<std::string_view> opcodes = {
      "abs",
      "activemask",
      "add",
      "addc",
      "alloca",
      "and",
      "applypriority",
      "atom",
      "bar",
      "barrier",
      "bfe",
      "bfi",
      "bfind",
      "bmsk",
      "bra",
      "brev",
      "brkpt",
      "brx",
      "call",
      "clusterlaunchcontrol",
      "clz",
      "cnot",
      "copysign",
      "cos",
      "cp",
      "createpolicy",
      "cvt",
      "cvta",
      "discard",
      "div",
      "dp2a",
      "dp4a",
      "elect",
      "ex2",
      "exit",
      "fence",
      "fma",
      "fns",
      "getctarank",
      "griddepcontrol",
      "isspacep",
      "istypep",
      "ld",
      "ldmatrix",
      "ldu",
      "lg2",
      "lop3",
      "mad",
      "mad24",
      "madc",
      "mapa",
      "match",
      "max",
      "mbarrier",
      "membar",
      "min",
      "mma",
      "mov",
      "movmatrix",
      "mul",
      "mul24",
      "multimem",
      "nanosleep",
      "neg",
      "not",
      "or",
      "pmevent",
      "popc",
      "prefetch",
      "prefetchu",
      "prmt",
      "rcp",
      "red",
      "redux",
      "rem",
      "ret",
      "rsqrt",
      "sad",
      "selp",
      "set",
      "setmaxnreg",
      "setp",
      "shf",
      "shfl",
      "shl",
      "shr",
      "sin",
      "slct",
      "sqrt",
      "st",
      "stackrestore",
      "stacksave",
      "stmatrix",
      "sub",
      "subc",
      "suld",
      "suq",
      "sured",
      "sust",
      "szext",
      "tanh",
      "tcgen05",
      "tensormap",
      "testp",
      "tex",
      "tld4",
      "trap",
      "txq",
      "vabsdiff",
      "vabsdiff2",
      "vabsdiff4",
      "vadd",
      "vadd2",
      "vadd4",
      "vavrg2",
      "vavrg4",
      "vmad",
      "vmax",
      "vmax2",
      "vmax4",
      "vmin",
      "vmin2",
      "vmin4",
      "vote",
      "vset",
      "vset2",
      "vset4",
      "vshl",
      "vshr",
      "vsub",
      "vsub2",
      "vsub4",
      "wgmma",
      "wmma",
      "xor",
      "red",
      "cp",
      "st"};
  return opcodes.count(word) != 0;
}

static bool isType(std::string_view word) {
  static const std::unordered_set<std::string_view> types = {
      "pred", "b8",     "b16",        "b32",    "b64", "b128",  "u8",
      "u16",  "u32",    "u64",        "s8",     "s16", "s32",   "s64",
      "f16",  "f16x2",  "bf16",       "bf16x2", "f32", "f32x2", "f64",
      "tf32", "texref", "samplerref", "surfref"};
  return types.count(word) != 0;
}

static bool isSpace(std::string_view word) {
  return word == "reg" || word == "global" || word == "shared" ||
         word == "local" || word == "const" || word == "param";
}

namespace {
/// Recursive descent over the tokens. The first error ends the parse: every
/// function that can fail returns false after `fail`.
class Parser {
public:
  Parser(const std::string &text, std::vector<Diagnostic> &diagnostics)
      : lexer(text), diagnostics(diagnostics) {
    bump();
  }

  bool module(Module &m) {
    if (!header(m))
      return false;
    while (token.kind != Token::Kind::End)
      if (!item(m))
        return false;
    return true;
  }

private:
  //===--- Tokens ---------------------------------------------------------===//

  void bump() {
    previous = token;
    token = lexer.next();
  }
  bool failAt(Location location, std::string message) {
    diagnostics.push_back({location, std::move(message)});
    return false;
  }
  /// expected `what` but got the token at hand.
  bool failExpected(const std::string &what) {
    std::string got = "'" +
                      std::string(token.kind == Token::Kind::Dot ? "." : "") +
                      std::string(token.text) + "'";
    if (token.kind == Token::Kind::End)
      got = "the end of the file";
    std::string context =
        current.empty() ? "" : " in instruction '" + current + "'";
    return failAt(token.location,
                  "expected " + what + " but got " + got + context);
  }
  bool accept(char c) {
    if (!token.is(c))
      return false;
    bump();
    return true;
  }
  bool expect(char c) {
    return accept(c) || failExpected("'" + std::string(1, c) + "'");
  }
  bool word(std::string &out, const char *what) {
    if (token.kind != Token::Kind::Word)
      return failExpected(what);
    out = std::string(token.text);
    bump();
    return true;
  }
  bool integer(uint64_t &out) {
    if (token.kind != Token::Kind::Integer)
      return failExpected("an integer");
    out = token.value;
    bump();
    return true;
  }
  bool small(unsigned &out, const char *what, uint64_t limit) {
    Location at = token.location;
    uint64_t value = 0;
    if (!integer(value))
      return false;
    if (value > limit)
      return failAt(at, std::string(what) + " " + std::to_string(value) +
                            " is larger than " + std::to_string(limit));
    out = unsigned(value);
    return true;
  }

  //===--- Module level ---------------------------------------------------===//

  bool header(Module &m) {
    if (!token.isDot("version"))
      return failExpected("'.version'");
    bump();
    if (token.kind != Token::Kind::Float ||
        token.spelling != Operand::Spelling::Decimal)
      return failExpected("a version such as 8.0");
    m.version = std::string(token.text);
    bump();
    if (!token.isDot("target"))
      return failExpected("'.target'");
    do {
      bump();
      if (!word(m.target.emplace_back(), "a target"))
        return false;
    } while (token.is(','));
    if (token.isDot("address_size")) {
      bump();
      Location at = token.location;
      if (!small(m.addressSize, "address size", 64))
        return false;
      if (m.addressSize != 64 && m.addressSize != 32)
        return failAt(at, "expected address size 32 or 64 but got " +
                              std::to_string(m.addressSize));
    }
    return true;
  }

  /// Lines without meaning for a run: kept as they stand.
  bool acceptVerbatim(std::string &out) {
    std::string_view begin(token.text.data() - 1, 1);
    if (token.isDot("pragma")) {
      bump();
      if (token.kind != Token::Kind::String)
        return failExpected("a string");
      bump();
      if (!token.is(';'))
        return failExpected("';'");
      out = lexer.since(begin);
      bump();
      return true;
    }
    if (token.isDot("section")) {
      while (!token.is('{') && token.kind != Token::Kind::End)
        bump();
      while (!token.is('}') && token.kind != Token::Kind::End)
        bump();
      if (!token.is('}'))
        return failExpected("'}'");
      out = lexer.since(begin);
      bump();
      return true;
    }
    // .file and .loc end with their line.
    unsigned line = token.location.line;
    std::string text;
    while (token.kind != Token::Kind::End && token.location.line == line) {
      text = lexer.since(begin);
      bump();
    }
    out = text;
    return true;
  }

  bool isVerbatim() const {
    return token.isDot("pragma") || token.isDot("section") ||
           token.isDot("file") || token.isDot("loc");
  }

  bool item(Module &m) {
    if (isVerbatim()) {
      Verbatim v;
      if (!acceptVerbatim(v.text))
        return false;
      m.items.push_back(std::move(v));
      return true;
    }
    std::vector<std::string> linkage;
    Location location = token.location;
    while (token.isDot("extern") || token.isDot("visible") ||
           token.isDot("weak") || token.isDot("common")) {
      linkage.emplace_back(token.text);
      bump();
    }
    if (token.isDot("entry") || token.isDot("func")) {
      Function f;
      f.location = location;
      f.linkage = std::move(linkage);
      if (!function(f))
        return false;
      m.items.push_back(std::move(f));
      return true;
    }
    if (token.kind == Token::Kind::Dot && isSpace(token.text)) {
      Variable v;
      v.location = location;
      v.linkage = std::move(linkage);
      return variables(
          v, [&](Variable &one) { m.items.push_back(std::move(one)); });
    }
    if (token.kind == Token::Kind::Dot)
      return failAt(token.location,
                    "unsupported directive '." + std::string(token.text) + "'");
    return failExpected("a directive");
  }

  //===--- Variables ------------------------------------------------------===//

  /// .space [.align n] [.v2|.v4] .type [.ptr ...]
  bool variableHead(Variable &v) {
    v.space = std::string(token.text);
    bump();
    for (; token.kind == Token::Kind::Dot;) {
      std::string_view w = token.text;
      if (w == "align") {
        bump();
        if (!alignment(v.align))
          return false;
      } else if (w == "v2" || w == "v4") {
        v.vector = std::string(w);
        bump();
      } else if (isType(w) && v.type.empty()) {
        v.type = std::string(w);
        bump();
      } else if (w == "ptr" && !v.type.empty()) {
        bump();
        v.pointer = true;
        if (token.kind == Token::Kind::Dot && isSpace(token.text)) {
          v.pointerSpace = std::string(token.text);
          bump();
        }
        if (token.isDot("align")) {
          bump();
          if (!alignment(v.pointerAlign))
            return false;
        }
      } else {
        return failAt(token.location,
                      "unknown type or attribute '." + std::string(w) + "'");
      }
    }
    if (v.type.empty())
      return failExpected("a type");
    return true;
  }

  bool alignment(unsigned &out) {
    Location at = token.location;
    if (!small(out, "alignment", 1 << 16))
      return false;
    if (out == 0 || (out & (out - 1)))
      return failAt(at, "expected a power of two as alignment but got " +
                            std::to_string(out));
    return true;
  }

  /// name [<n>] [[n]...] [= initializer]
  bool variableTail(Variable &v) {
    v.location = token.location;
    if (!word(v.name, "a name"))
      return false;
    if (accept('<')) {
      unsigned count = 0;
      if (!small(count, "register count", 1 << 20) || !expect('>'))
        return false;
      v.count = count;
    }
    while (accept('[')) {
      uint64_t size = 0;
      if (!token.is(']')) {
        Location at = token.location;
        if (!integer(size))
          return false;
        if (size == 0 || size > uint64_t(1) << 32)
          return failAt(at, "expected an array size of 1 to 2^32 but got " +
                                std::to_string(size));
      }
      v.dims.push_back(size);
      if (!expect(']'))
        return false;
    }
    if (!accept('='))
      return true;
    if (!accept('{'))
      return initializer(v.initializers.emplace_back());
    v.braced = true;
    do {
      if (!initializer(v.initializers.emplace_back()))
        return false;
    } while (accept(','));
    return expect('}');
  }

  bool initializer(Initializer &out) {
    if (token.isWord("generic")) {
      bump();
      out.generic = true;
      return expect('(') && operand(out.value, 0) && expect(')');
    }
    if (!operand(out.value, 0))
      return false;
    auto kind = out.value.kind;
    return kind == Operand::Kind::Integer || kind == Operand::Kind::Float ||
           kind == Operand::Kind::Name ||
           failAt(out.value.location, "expected a constant as initial value");
  }

  template <typename Sink> bool variables(Variable head, Sink sink) {
    if (!variableHead(head))
      return false;
    do {
      Variable one = head;
      if (!variableTail(one))
        return false;
      sink(one);
    } while (accept(','));
    return expect(';');
  }

  bool parameters(std::vector<Variable> &out) {
    if (!expect('('))
      return false;
    if (accept(')'))
      return true;
    do {
      if (token.kind != Token::Kind::Dot ||
          !(token.text == "param" || token.text == "reg"))
        return failExpected("'.param' or '.reg'");
      Variable &v = out.emplace_back();
      if (!variableHead(v) || !variableTail(v))
        return false;
    } while (accept(','));
    return expect(')');
  }

  //===--- Functions ------------------------------------------------------===//

  bool function(Function &f) {
    f.entry = token.text == "entry";
    bump();
    if (token.is('(') && (f.entry || !parameters(f.results)))
      return f.entry ? failExpected("a name") : false;
    if (!word(f.name, "a name"))
      return false;
    if (token.is('(') && !parameters(f.params))
      return false;
    while (token.kind == Token::Kind::Dot) {
      static const std::unordered_set<std::string_view> known = {
          "maxntid",        "reqntid",          "minnctapersm",
          "maxnctapersm",   "maxnreg",          "noreturn",
          "unified",        "explicitcluster",  "reqnctapercluster",
          "maxclusterrank", "blocksareclusters"};
      if (isVerbatim()) {
        if (std::string ignored; !acceptVerbatim(ignored))
          return false;
        continue;
      }
      if (!known.count(token.text))
        return failAt(token.location, "unsupported directive '." +
                                          std::string(token.text) + "'");
      auto &d = f.directives.emplace_back();
      d.name = std::string(token.text);
      bump();
      if (token.kind == Token::Kind::Integer)
        do {
          if (!integer(d.values.emplace_back()))
            return false;
        } while (accept(','));
    }
    if (accept(';'))
      return true;
    f.hasBody = true;
    return body(f.body);
  }

  bool body(std::vector<Statement> &out) {
    if (!expect('{'))
      return false;
    for (unsigned depth = 1; depth;) {
      current.clear();
      if (accept('{')) {
        ++depth;
        out.push_back(Scope{true});
      } else if (accept('}')) {
        if (--depth)
          out.push_back(Scope{false});
      } else if (accept(';')) {
        // An empty statement.
      } else if (isVerbatim()) {
        Verbatim v;
        if (!acceptVerbatim(v.text))
          return false;
        out.push_back(std::move(v));
      } else if (token.kind == Token::Kind::Dot && isSpace(token.text)) {
        Variable v;
        if (!variables(v,
                       [&](Variable &one) { out.push_back(std::move(one)); }))
          return false;
      } else if (token.kind == Token::Kind::Dot) {
        return failAt(token.location, "unsupported directive '." +
                                          std::string(token.text) + "'");
      } else if (!labelOrInstruction(out)) {
        return false;
      }
    }
    return true;
  }

  bool labelOrInstruction(std::vector<Statement> &out) {
    Instruction i;
    if (accept('@')) {
      i.guardNegated = accept('!');
      if (!word(i.guard, "a predicate"))
        return false;
    }
    i.location = token.location;
    std::string name;
    if (!word(name, "an instruction"))
      return false;
    if (i.guard.empty() && accept(':')) {
      if (!token.isDot("branchtargets")) {
        out.push_back(Label{i.location, name});
        return true;
      }
      BranchTargets targets{i.location, name, {}};
      do {
        bump();
        if (!word(targets.labels.emplace_back(), "a label"))
          return false;
      } while (token.is(','));
      out.push_back(std::move(targets));
      return expect(';');
    }
    i.opcode = name;
    for (; token.kind == Token::Kind::Dot; bump())
      i.modifiers.emplace_back(token.text);
    if (!isOpcode(i.opcode))
      return failAt(i.location, "unknown instruction '" + i.name() + "'");
    current = i.name();
    if (!token.is(';'))
      do {
        if (!operand(i.operands.emplace_back(), 0))
          return false;
      } while (accept(','));
    if (!expect(';'))
      return false;
    out.push_back(std::move(i));
    return true;
  }

  //===--- Operands -------------------------------------------------------===//

  /// [+|-] integer; the sum of a name and numbers may follow one another.
  bool offset(uint64_t &value) {
    while (token.is('+') || token.is('-')) {
      bool negative = token.is('-');
      bump();
      if (!negative)
        negative = accept('-');
      uint64_t part = 0;
      if (!integer(part))
        return false;
      value += negative ? -part : part;
    }
    return true;
  }

  bool elements(std::vector<Operand> &out, char close, unsigned depth) {
    if (accept(close))
      return true;
    do {
      if (!operand(out.emplace_back(), depth + 1))
        return false;
    } while (accept(','));
    return expect(close);
  }

  bool operand(Operand &out, unsigned depth) {
    if (depth > 4)
      return failAt(token.location, "operand is nested too deeply");
    out.location = token.location;
    if (accept('{')) {
      out.kind = Operand::Kind::Vector;
      return elements(out.elements, '}', depth);
    }
    if (accept('(')) {
      out.kind = Operand::Kind::List;
      return elements(out.elements, ')', depth);
    }
    if (accept('[')) {
      out.kind = Operand::Kind::Address;
      if (token.kind == Token::Kind::Word) {
        name(out.name);
        return offset(out.value) && expect(']');
      }
      bool negative = accept('-');
      if (token.kind != Token::Kind::Integer)
        return failExpected("an address");
      out.value = negative ? -token.value : token.value;
      bump();
      return offset(out.value) && expect(']');
    }
    if (accept('!')) {
      out.kind = Operand::Kind::Not;
      return word(out.name, "a predicate");
    }
    bool negative = accept('-');
    if (!negative)
      accept('+');
    if (token.kind == Token::Kind::Integer) {
      out.kind = Operand::Kind::Integer;
      out.value = negative ? -token.value : token.value;
      bump();
      return offset(out.value);
    }
    if (token.kind == Token::Kind::Float) {
      out.kind = Operand::Kind::Float;
      out.spelling = token.spelling;
      out.value = token.value;
      if (out.spelling == Operand::Spelling::Decimal)
        out.name = (negative ? "-" : "") + std::string(token.text);
      if (negative)
        out.value ^= out.spelling == Operand::Spelling::Single
                         ? uint64_t(1) << 31
                         : uint64_t(1) << 63;
      bump();
      return true;
    }
    if (negative || token.kind != Token::Kind::Word)
      return failExpected("an operand");
    if (token.text == "_") {
      out.kind = Operand::Kind::Sink;
      bump();
    } else {
      out.kind = Operand::Kind::Name;
      name(out.name);
      if (!offset(out.value))
        return false;
    }
    if (!token.is('|'))
      return true;
    // d|p: two destinations.
    bump();
    Operand first = std::move(out);
    out = Operand();
    out.kind = Operand::Kind::Pair;
    out.location = first.location;
    out.elements.push_back(std::move(first));
    return operand(out.elements.emplace_back(), depth + 1);
  }

  /// A name; special registers have a component: %tid.x.
  void name(std::string &out) {
    out = std::string(token.text);
    bump();
    if (token.kind == Token::Kind::Dot && token.glued &&
        (token.text == "x" || token.text == "y" || token.text == "z" ||
         token.text == "w")) {
      out += "." + std::string(token.text);
      bump();
    }
  }

  Lexer lexer;
  Token token, previous;
  std::vector<Diagnostic> &diagnostics;
  /// The instruction at hand, for messages.
  std::string current;
};
} // namespace

std::optional<Module> prec::ptx::parse(const std::string &text,
                                       std::vector<Diagnostic> &diagnostics) {
  Module m;
  if (!Parser(text, diagnostics).module(m))
    return std::nullopt;
  return m;
}
