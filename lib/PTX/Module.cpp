// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/PTX/Module.h"

#include <sstream>

using namespace prec::ptx;

std::string Diagnostic::str(const std::string &file) const {
  std::string place = file;
  if (location.line)
    place += ":" + std::to_string(location.line) + ":" +
             std::to_string(location.column);
  return place + ": error: " + message;
}

std::string Instruction::name() const {
  std::string text = opcode;
  for (const std::string &modifier : modifiers)
    text += "." + modifier;
  return text;
}

bool Variable::operator==(const Variable &o) const {
  return linkage == o.linkage && space == o.space && align == o.align &&
         vector == o.vector && type == o.type && name == o.name &&
         count == o.count && dims == o.dims && pointer == o.pointer &&
         pointerSpace == o.pointerSpace && pointerAlign == o.pointerAlign &&
         initializers == o.initializers && braced == o.braced;
}

const Function *Module::findFunction(const std::string &name) const {
  const Function *declared = nullptr;
  for (auto &item : items)
    if (auto *f = std::get_if<Function>(&item); f && f->name == name) {
      if (f->hasBody)
        return f;
      declared = f;
    }
  return declared;
}

std::map<unsigned, std::string> prec::ptx::sourceLines(const Module &module) {
  std::map<unsigned, std::string> files, out;
  for (const auto &item : module.items)
    if (const auto *text = std::get_if<Verbatim>(&item)) {
      // .file INDEX "NAME"
      std::istringstream in(text->text);
      std::string directive;
      unsigned index = 0;
      size_t open = text->text.find('"'), close = text->text.rfind('"');
      if (in >> directive >> index && directive == ".file" && open < close)
        files[index] = text->text.substr(open + 1, close - open - 1);
    }
  for (const auto &item : module.items) {
    const auto *function = std::get_if<Function>(&item);
    if (!function)
      continue;
    std::string current;
    for (const Statement &statement : function->body) {
      if (const auto *text = std::get_if<Verbatim>(&statement)) {
        // .loc FILE LINE COLUMN
        std::istringstream in(text->text);
        std::string directive;
        unsigned file = 0, line = 0;
        if (in >> directive >> file >> line && directive == ".loc" &&
            files.count(file))
          current = files[file] + ":" + std::to_string(line);
      } else if (const auto *i = std::get_if<Instruction>(&statement);
                 i && !current.empty()) {
        out[i->location.line] = current;
      }
    }
  }
  return out;
}
