// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of prec.profile and prec.rule. (Cn) are the constraints of
// README.md.
#include "dialects/Prec/Prec.h"
#include "dialects/Prec/Spelling.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace prec;

/// A rule's operation is a string, so nothing else loads its dialect.
ParseResult prec::parseRuleOperation(OpAsmParser &parser,
                                     StringAttr &operation) {
  if (parser.parseAttribute(operation))
    return failure();
  MLIRContext *context = parser.getContext();
  // Without such a dialect there will be an error, which suggests another name.
  if (!context->getOrLoadDialect(operation.getValue().split('.').first))
    context->loadAllAvailableDialects();
  return success();
}

void prec::printRuleOperation(OpAsmPrinter &printer, RuleOp,
                              StringAttr operation) {
  printer << operation;
}

LogicalResult ProfileOp::verify() {
  // C1
  if (getBase() == getSymName())
    return emitOpError("expected another profile to extend but got '")
           << *getBase() << "'";
  return success();
}

LogicalResult ProfileOp::verifyRegions() {
  // C2
  for (Operation &op : getRules().getOps())
    if (!isa<RuleOp>(op))
      return op.emitOpError("is no rule: a profile holds only prec.rule");
  return success();
}

/// (C1) What stands in the error if `name` is no operation with points.
static LogicalResult emitUnknownOperation(RuleOp rule) {
  MLIRContext *context = rule.getContext();
  StringRef name = rule.getTarget();
  if (RegisteredOperationName::lookup(name, context))
    return rule.emitOpError("expected an operation with rounding points but "
                            "got '")
           << name << "'";
  SmallVector<StringRef> known;
  for (RegisteredOperationName candidate : context->getRegisteredOperations())
    if (candidate.hasInterface<RoundingPointOpInterface>())
      known.push_back(candidate.getStringRef());
  return rule.emitOpError("unknown operation '")
         << name << "'" << didYouMean(name, known);
}

/// (C4) `where` asks for what the operation computes, not for how.
static LogicalResult verifyWhere(RuleOp rule, RegisteredOperationName operation,
                                 ArrayRef<StringRef> settings,
                                 ArrayRef<StringRef> operands) {
  SmallVector<StringRef> known;
  for (StringAttr name : operation.getAttributeNames())
    if (!llvm::is_contained(settings, name) &&
        !name.getValue().ends_with("SegmentSizes"))
      known.push_back(name);
  llvm::append_range(known, operands);
  for (NamedAttribute condition : rule.getWhereAttr()) {
    StringRef name = condition.getName();
    if (!llvm::is_contained(known, name))
      return rule.emitOpError("'")
             << operation.getStringRef() << "' has no '" << name
             << "' to be asked for" << didYouMean(name, known);
    if (llvm::is_contained(operands, name) &&
        !isa<BoolAttr>(condition.getValue()))
      return rule.emitOpError("expected true or false for the operand '")
             << name << "' but got " << condition.getValue();
  }
  return success();
}

LogicalResult RuleOp::verify() {
  // C5
  if (ArrayAttr types = getTypesAttr())
    for (Type type : types.getAsValueRange<TypeAttr>())
      if (!isa<BFloat16Type, Float16Type, Float32Type>(type))
        return emitOpError("expected bf16, f16 or f32 but got ") << type;
  // C1. A generic form may come here before the operation's dialect is loaded;
  // then nothing can be applied either.
  StringRef dialect = getTarget().split('.').first;
  if (!getContext()->getLoadedDialect(dialect) &&
      llvm::is_contained(getContext()->getAvailableDialects(), dialect))
    return success();
  std::optional<RegisteredOperationName> operation =
      RegisteredOperationName::lookup(getTarget(), getContext());
  auto *interface =
      operation ? operation->getInterface<RoundingPointOpInterface>() : nullptr;
  if (!interface)
    return emitUnknownOperation(*this);

  SmallVector<StringRef> known = interface->getRuleNames();
  known.push_back("points");
  NamedAttrList settings(getSettings());
  for (NamedAttribute setting : settings) {
    // C3
    StringRef name = setting.getName();
    if (!llvm::is_contained(known, name))
      return emitOpError("'") << getTarget() << "' has no rule '" << name << "'"
                              << didYouMean(name, known);
  }
  if (failed(operation->verifyInherentAttrs(settings,
                                            [&] { return emitOpError(); })))
    return failure();
  // C2
  if (auto points = getSettings().getAs<DictionaryAttr>("points"))
    if (failed(detail::verifyPointSettings(interface->getRoundingPoints(),
                                           points,
                                           [&] { return emitOpError(); })))
      return failure();
  if (!getWhere())
    return success();
  return verifyWhere(*this, *operation, known, interface->getOperandNames());
}
