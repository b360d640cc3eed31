// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Common/Signature.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

/// Whether memory and callers can hold an element of `type`.
static bool isPassable(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isBF16() || type.isF16() || type.isF32() || type.isF64() ||
         isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static bool isKeyword(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "alignas",   "alignof",   "and",      "asm",      "auto",     "bool",
      "break",     "case",      "catch",    "ceildiv",  "char",     "class",
      "const",     "constexpr", "continue", "default",  "delete",   "do",
      "double",    "else",      "enum",     "explicit", "export",   "extern",
      "false",     "float",     "for",      "friend",   "goto",     "if",
      "inline",    "int",       "long",     "main",     "max",      "min",
      "namespace", "new",       "not",      "nullptr",  "operator", "or",
      "private",   "protected", "public",   "register", "restrict", "return",
      "short",     "signed",    "sizeof",   "static",   "struct",   "switch",
      "template",  "this",      "throw",    "true",     "try",      "typedef",
      "typename",  "union",     "unsigned", "using",    "virtual",  "void",
      "volatile",  "while",     "xor"};
  return keywords.contains(name);
}

namespace {
/// Gives out identifiers, each different from those before.
class Identifiers {
public:
  std::string claim(StringRef wanted) {
    std::string name;
    for (char c : wanted)
      name += llvm::isAlnum(c) ? c : '_';
    if (name.empty() || llvm::isDigit(name[0]) || isKeyword(name))
      name = "_" + name;
    std::string unique = name;
    for (unsigned i = 1; !taken.insert(unique).second; ++i)
      unique = name + "_" + std::to_string(i);
    return unique;
  }

private:
  llvm::StringSet<> taken;
};
} // namespace

FailureOr<prec::Signature> prec::Signature::get(func::FuncOp function) {
  Signature signature;
  signature.function = function.getName().str();
  Identifiers identifiers;
  signature.symbol = identifiers.claim(signature.function);
  llvm::StringSet<> names;
  auto describe = [&](Type type, StringRef kind, unsigned index,
                      StringAttr name, SignatureValue &value) -> LogicalResult {
    value.name = name ? name.str() : (kind + Twine(index)).str();
    if (!names.insert(value.name).second)
      return function.emitError("two arguments or results are named '")
             << value.name << "'";
    value.identifier = identifiers.claim(value.name);
    value.elementType = type;
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      value.elementType = tensor.getElementType();
      value.shape = llvm::to_vector(tensor.getShape());
    }
    if (isPassable(value.elementType) || (type.isIndex() && kind == "arg"))
      return success();
    return function.emitError("unsupported type of ")
           << (kind == "arg" ? "argument " : "result ") << index << ": "
           << type;
  };
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(
            describe(type, "arg", index,
                     function.getArgAttrOfType<StringAttr>(index, "prec.name"),
                     signature.arguments.emplace_back())))
      return failure();
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    SignatureValue &result = signature.results.emplace_back();
    if (failed(describe(
            type, "result", index,
            function.getResultAttrOfType<StringAttr>(index, "prec.name"),
            result)))
      return failure();
    if (!result.shape)
      result.shape.emplace();
  }
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isTensor())
      continue;
    for (auto [dimension, size] : llvm::enumerate(*argument.shape))
      if (ShapedType::isDynamic(size))
        signature.sizes.push_back(
            {static_cast<unsigned>(index), static_cast<unsigned>(dimension),
             identifiers.claim(argument.identifier + "_" +
                               std::to_string(dimension))});
  }
  return signature;
}
