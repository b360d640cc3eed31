// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/PTX/Module.h"

#include <cstdio>

using namespace prec::ptx;

static std::string hex(uint64_t value, int digits) {
  char text[20];
  std::snprintf(text, sizeof text, "%0*llX", digits, (unsigned long long)value);
  return text;
}

static std::string offset(uint64_t value) {
  if (value == 0)
    return "";
  return "+" + std::to_string(int64_t(value));
}

template <typename T, typename F>
static std::string join(const std::vector<T> &list, F text) {
  std::string out;
  for (const T &element : list)
    out += (out.empty() ? "" : ", ") + text(element);
  return out;
}

std::string prec::ptx::print(const Operand &o) {
  auto one = [](const Operand &element) { return print(element); };
  switch (o.kind) {
  case Operand::Kind::Name:
    return o.name + offset(o.value);
  case Operand::Kind::Not:
    return "!" + o.name;
  case Operand::Kind::Integer:
    return std::to_string(int64_t(o.value));
  case Operand::Kind::Float:
    if (o.spelling == Operand::Spelling::Decimal)
      return o.name;
    return o.spelling == Operand::Spelling::Single ? "0f" + hex(o.value, 8)
                                                   : "0d" + hex(o.value, 16);
  case Operand::Kind::Address:
    return "[" +
           (o.name.empty() ? std::to_string(int64_t(o.value))
                           : o.name + offset(o.value)) +
           "]";
  case Operand::Kind::Vector:
    return "{" + join(o.elements, one) + "}";
  case Operand::Kind::List:
    return "(" + join(o.elements, one) + ")";
  case Operand::Kind::Pair:
    return print(o.elements[0]) + "|" + print(o.elements[1]);
  case Operand::Kind::Sink:
    return "_";
  }
  return "";
}

std::string prec::ptx::print(const Instruction &i) {
  std::string out;
  if (!i.guard.empty())
    out = "@" + std::string(i.guardNegated ? "!" : "") + i.guard + " ";
  out += i.name();
  if (!i.operands.empty())
    out += " " + join(i.operands, [](const Operand &o) { return print(o); });
  return out;
}

static std::string printVariable(const Variable &v) {
  std::string out;
  for (const std::string &l : v.linkage)
    out += "." + l + " ";
  out += "." + v.space;
  if (v.align)
    out += " .align " + std::to_string(v.align);
  if (!v.vector.empty())
    out += " ." + v.vector;
  out += " ." + v.type;
  if (v.pointer) {
    out += " .ptr";
    if (!v.pointerSpace.empty())
      out += " ." + v.pointerSpace;
    if (v.pointerAlign)
      out += " .align " + std::to_string(v.pointerAlign);
  }
  out += " " + v.name;
  if (v.count)
    out += "<" + std::to_string(*v.count) + ">";
  for (uint64_t size : v.dims)
    out += size ? "[" + std::to_string(size) + "]" : "[]";
  if (v.initializers.empty())
    return out;
  std::string list = join(v.initializers, [](const Initializer &i) {
    return i.generic ? "generic(" + print(i.value) + ")" : print(i.value);
  });
  return out + " = " + (v.braced ? "{" + list + "}" : list);
}

namespace {
struct StatementPrinter {
  std::string &out;
  std::string &indent;

  void operator()(const Instruction &i) {
    out += indent + prec::ptx::print(i) + ";\n";
  }
  void operator()(const Variable &v) {
    out += indent + printVariable(v) + ";\n";
  }
  void operator()(const Label &l) { out += l.name + ":\n"; }
  void operator()(const Verbatim &v) { out += indent + v.text + "\n"; }
  void operator()(const BranchTargets &b) {
    out += indent + b.name + ": .branchtargets " +
           join(b.labels, [](const std::string &l) { return l; }) + ";\n";
  }
  void operator()(const Scope &s) {
    if (!s.open)
      indent.pop_back();
    out += indent + (s.open ? "{\n" : "}\n");
    if (s.open)
      indent += '\t';
  }
};
} // namespace

static std::string printFunction(const Function &f) {
  auto one = [](const Variable &v) { return printVariable(v); };
  std::string out;
  for (const std::string &l : f.linkage)
    out += "." + l + " ";
  out += f.entry ? ".entry " : ".func ";
  if (!f.results.empty())
    out += "(" + join(f.results, one) + ") ";
  out += f.name + "(" + join(f.params, one) + ")";
  for (const Function::Directive &d : f.directives)
    out += "\n." + d.name + " " +
           join(d.values, [](uint64_t v) { return std::to_string(v); });
  if (!f.hasBody)
    return out + ";\n";
  out += "\n{\n";
  std::string indent = "\t";
  StatementPrinter printer{out, indent};
  for (const Statement &s : f.body)
    std::visit(printer, s);
  return out + "}\n";
}

std::string prec::ptx::print(const Module &m) {
  std::string out = ".version " + m.version + "\n.target " +
                    join(m.target, [](const std::string &t) { return t; }) +
                    "\n.address_size " + std::to_string(m.addressSize) + "\n\n";
  for (auto &item : m.items) {
    if (auto *f = std::get_if<Function>(&item))
      out += printFunction(*f);
    else if (auto *v = std::get_if<Variable>(&item))
      out += printVariable(*v) + ";\n";
    else
      out += std::get<Verbatim>(item).text + "\n";
  }
  return out;
}
