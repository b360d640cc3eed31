// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;

// num::SumOrder as a parameter of a uniqued attribute.
namespace prec::num {
static llvm::hash_code hash_value(const SumOrder &order) {
  return hashOrder(order);
}
} // namespace prec::num

#define GET_ATTRDEF_CLASSES
#include "dialects/Prec/PrecAttrs.cpp.inc"

void PrecDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Prec/PrecAttrs.cpp.inc"
      >();
}

static StringRef spell(num::StepKind kind) {
  switch (kind) {
  case num::StepKind::Sequential:
    return "sequential";
  case num::StepKind::Halving:
    return "halving";
  case num::StepKind::Adjacent:
    return "adjacent";
  case num::StepKind::Cascade:
    return "cascade";
  }
  llvm_unreachable("unknown step kind");
}

static FailureOr<num::StepKind> parseStepKind(AsmParser &parser) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(
          &keyword, {"sequential", "halving", "adjacent", "cascade"})))
    return parser.emitError(loc, "expected sequential, halving, adjacent or "
                                 "cascade");
  for (auto kind : {num::StepKind::Sequential, num::StepKind::Halving,
                    num::StepKind::Adjacent, num::StepKind::Cascade})
    if (keyword == spell(kind))
      return kind;
  llvm_unreachable("the parser accepts only the four words");
}

/// order ::= `<` (`sequential` | `aten_cpu` | `lanes` `<` int `>` |
///           `digits` `[` (int | `*`) list `]` `steps` `[` (int kind) list `]`)
///           `from_zero`? `>`
Attribute OrderAttr::parse(AsmParser &parser, Type) {
  num::SumOrder order;
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalKeyword(
          &keyword, {"sequential", "aten_cpu", "lanes", "digits"}))) {
    parser.emitError(loc, "expected sequential, aten_cpu, lanes or digits");
    return {};
  }
  if (keyword == "aten_cpu") {
    order = num::SumOrder::atenCPU();
  } else if (keyword == "lanes") {
    int64_t count;
    if (parser.parseLess() || parser.parseInteger(count) ||
        parser.parseGreater())
      return {};
    order = num::SumOrder::lanes(count);
  } else if (keyword == "digits") {
    order.digits.clear();
    order.steps.clear();
    auto parseDigit = [&]() -> ParseResult {
      if (succeeded(parser.parseOptionalStar())) {
        order.digits.push_back(num::SumOrder::kRest);
        return success();
      }
      return parser.parseInteger(order.digits.emplace_back());
    };
    auto parseStep = [&]() -> ParseResult {
      num::SumStep step;
      if (parser.parseInteger(step.digit))
        return failure();
      FailureOr<num::StepKind> kind = parseStepKind(parser);
      if (failed(kind))
        return failure();
      step.kind = *kind;
      order.steps.push_back(step);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseDigit) ||
        parser.parseKeyword("steps") ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseStep))
      return {};
  }
  if (succeeded(parser.parseOptionalKeyword("from_zero")))
    order.fromZero = true;
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    order);
}

void OrderAttr::print(AsmPrinter &printer) const {
  const num::SumOrder &order = getOrder();
  num::SumOrder plain = order;
  plain.fromZero = false;
  printer << "<";
  if (order == num::SumOrder::atenCPU()) {
    printer << "aten_cpu>";
    return;
  }
  if (plain == num::SumOrder::sequential()) {
    printer << "sequential";
  } else if (plain == num::SumOrder::lanes(order.digits.front())) {
    printer << "lanes<" << order.digits.front() << ">";
  } else {
    printer << "digits [";
    llvm::interleaveComma(order.digits, printer.getStream(), [&](int64_t d) {
      if (d == num::SumOrder::kRest)
        printer << "*";
      else
        printer << d;
    });
    printer << "] steps [";
    llvm::interleaveComma(order.steps, printer.getStream(),
                          [&](const num::SumStep &s) {
                            printer << s.digit << " " << spell(s.kind);
                          });
    printer << "]";
  }
  if (order.fromZero)
    printer << " from_zero";
  printer << ">";
}

LogicalResult
OrderAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  num::SumOrder order) {
  std::string problem = num::checkOrder(order);
  if (!problem.empty())
    return emitError() << "malformed order: " << problem;
  return success();
}
