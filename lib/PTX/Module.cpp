// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/PTX/Module.h"

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
