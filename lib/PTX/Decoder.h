// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_PTX_DECODER_H
#define PREC_LIB_PTX_DECODER_H

#include "Program.h"

#include <tuple>
#include <unordered_map>

namespace prec::ptx {

std::optional<uint64_t> variableBytes(const Variable &variable);
unsigned variableAlign(const Variable &variable);
uint64_t floatLiteral(const Operand &operand, Ty type);

/// Decodes one function. Each instruction's modifiers are taken one by one by
/// the code that knows them; one that is left over is an error, so that no
/// modifier is ever ignored by accident.
class FunctionDecoder {
public:
  FunctionDecoder(const Module &module, Program &program,
                  const Function &function, Code &code,
                  std::vector<const Function *> &pending, Diagnostic &error)
      : module(module), program(program), function(function), code(code),
        pending(pending), error(error) {}
  bool run();

private:
  struct Symbol {
    enum class Kind { Register, Local, Param };
    Kind kind = Kind::Register;
    Ty type = Ty::B32;
    int32_t slot = -1;
    uint64_t offset = 0;
    uint32_t bytes = 0;
  };
  struct Fixup {
    size_t inst;
    int index;
    std::string label;
    Location location;
  };

  bool fail(Location location, std::string message);
  bool failHere(const std::string &message);

  // Names and slots.
  int32_t newSlot(const std::string &name, unsigned bits);
  int32_t constant(uint64_t value);
  int32_t special(SlotInit::Kind kind, uint64_t value = 0, int64_t offset = 0);
  bool declare(const Variable &v);
  bool declareInFrame(const Variable &v, Formal *formal);
  bool formals(const std::vector<Variable> &list, std::vector<Formal> &out);
  const Symbol *lookUp(const std::string &name);
  int findVariable(const std::string &name);
  bool specialRegister(const Operand &o, int32_t &slot);
  bool resolveLabels();

  // Modifiers of the instruction at hand.
  bool take(const char *modifier);
  bool takeType(Ty &type);
  bool takeRounding(Inst &i);
  bool finishModifiers();
  /// Takes cache operators and eviction hints, which say nothing about bits.
  void takeHints();

  // Operands (operand.cpp).
  bool expectOperands(size_t least, size_t most);
  bool readable(const Operand &o, Ty type, int32_t &slot, bool wider = false);
  bool writable(const Operand &o, Ty type, int32_t &slot, bool wider = false);
  bool predicate(const Operand &o, int32_t &slot, bool &negated);
  bool address(const Operand &o, Inst &i);
  bool symbolAddress(const std::string &name, int64_t offset, int32_t &slot,
                     Space &space);
  bool destinationPair(const Operand &o, Inst &i, Ty first);
  bool vectorRegisters(const Operand &o, Ty type, Inst &i, bool write,
                       bool wider);
  bool unary(Inst &i, Ty result, Ty source);
  bool operandsOf(Inst &i, Ty result, std::initializer_list<Ty> sources);
  unsigned registerBits(int32_t slot) const {
    return code.names[slot].empty() ? 0 : code.bits[slot];
  }

  bool instruction(const Instruction &source);
  bool dispatch(Inst &i);
  bool emit(Inst &i);

  // Groups of instructions.
  bool arithmetic(Inst &i);
  bool floatArithmetic(Inst &i);
  bool integerArithmetic(Inst &i);
  bool carryArithmetic(Inst &i);
  bool logic(Inst &i);
  bool bitField(Inst &i);
  bool select(Inst &i);
  bool comparison(Inst &i);
  bool convert(Inst &i);
  bool convertAddress(Inst &i);
  bool move(Inst &i);
  bool memory(Inst &i);
  bool atomic(Inst &i);
  bool copyAsync(Inst &i);
  bool matrix(Inst &i);
  bool control(Inst &i);
  bool call(Inst &i);
  bool synchronization(Inst &i);

  const Module &module;
  Program &program;
  const Function &function;
  Code &code;
  std::vector<const Function *> &pending;
  Diagnostic &error;

  const Instruction *current = nullptr;
  std::vector<std::string> modifiers;
  std::vector<std::unordered_map<std::string, Symbol>> scopes;
  std::unordered_map<std::string, uint32_t> labels;
  std::unordered_map<std::string, const BranchTargets *> branchTargets;
  std::vector<Fixup> fixups;
  std::unordered_map<uint64_t, int32_t> constants;
  std::map<std::tuple<SlotInit::Kind, uint64_t, int64_t>, int32_t> specials;
  int32_t carrySlot = -1;
};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_DECODER_H
