// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/Host/CHeader.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using prec::launch::Expression;

/// The C type of an element or scalar. Floats of less than 32 bits are passed
/// as their bit patterns.
static std::string cType(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isIndex())
    return "int64_t";
  unsigned bits = type.getIntOrFloatBitWidth();
  bool isSigned = isa<IntegerType>(type) && bits > 1;
  return (isSigned ? "int" : "uint") + std::to_string(std::max(bits, 8u)) +
         "_t";
}

/// "x bf16[?x64]".
static std::string describe(const prec::SignatureValue &value) {
  std::string text = value.identifier + " ";
  llvm::raw_string_ostream stream(text);
  stream << value.elementType;
  if (!value.isTensor())
    return text;
  stream << '[';
  llvm::interleave(
      *value.shape, stream,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          stream << '?';
        else
          stream << size;
      },
      "x");
  stream << ']';
  return text;
}

static std::string macroName(StringRef function) {
  std::string name = "PREC_";
  for (char c : function)
    name += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return name + "_H";
}

/// The lines before and after the declarations, and what is common to both
/// kinds of header.
static std::string wrap(const prec::Signature &signature,
                        StringRef declarations) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  std::string macro = macroName(signature.symbol);
  stream
      << "/* Made by precc. Tensors are contiguous and row-major; floats of\n"
         "   less than 32 bits are passed as their bit patterns. */\n"
      << "#ifndef " << macro << "\n#define " << macro << "\n\n"
      << "#include <stdint.h>\n\n"
      << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      << declarations << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}

/// "/* mix: x bf16[?x64], s f32 -> y bf16[?x64]".
static void writeTitle(llvm::raw_ostream &stream,
                       const prec::Signature &signature) {
  stream << "/* " << signature.symbol << ": ";
  llvm::interleaveComma(signature.arguments, stream,
                        [&](const auto &value) { stream << describe(value); });
  stream << " -> ";
  llvm::interleaveComma(signature.results, stream,
                        [&](const auto &value) { stream << describe(value); });
}

/// A message as part of a C comment.
static std::string inComment(StringRef message) {
  std::string text;
  for (char c : message) {
    text += llvm::isPrint(c) ? c : ' ';
    if (StringRef(text).ends_with("*/"))
      text.insert(text.size() - 1, " ");
  }
  return text;
}

std::string prec::writeHostHeader(const Signature &signature,
                                  ArrayRef<std::string> checks, bool parallel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeTitle(stream, signature);
  stream << "\n   Results must not overlap other tensors. Rounding mode and "
            "subnormals are\n   expected as a C program starts with them. ";
  if (checks.empty())
    stream << "Returns 0. */\n";
  else
    stream << "Returns 0, or\n";
  for (auto [index, check] : llvm::enumerate(checks))
    stream << "     " << index + 1 << ": " << inComment(check)
           << (index + 1 == checks.size() ? " */\n" : "\n");

  SmallVector<std::string> parameters;
  for (const SignatureValue &value : signature.arguments)
    parameters.push_back(
        value.isTensor()
            ? "const " + cType(value.elementType) + " *" + value.identifier
            : cType(value.elementType) + " " + value.identifier);
  for (const SignatureValue &value : signature.results)
    parameters.push_back(cType(value.elementType) + " *" + value.identifier);
  for (const SignatureSize &size : signature.sizes)
    parameters.push_back("int64_t " + size.identifier);
  stream << "int " << signature.symbol << "("
         << (parameters.empty() ? "void" : llvm::join(parameters, ", "))
         << ");\n";
  if (parallel)
    stream << "\n/* Called by the code; runs everything in the calling thread "
              "unless you define it.\n   Calls body for ranges that cover 0 to "
              "count, each number once, on any threads,\n   and returns when "
              "all are done. Results do not depend on the ranges. */\n"
              "void prec_parallel_for(void (*body)(void *data, int64_t begin, "
              "int64_t end), void *data, int64_t count);\n";
  return wrap(signature, text);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The helper functions that expressions are written with.
static constexpr llvm::StringLiteral kExpressionHelpers = R"(
#ifndef PREC_LAUNCH_HELPERS
#define PREC_LAUNCH_HELPERS
typedef struct prec_launch {
  const char *entry;
  unsigned grid[3], block[3], dynamic_shared;
} prec_launch;
static inline int64_t prec_floordiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t prec_ceildiv(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
static inline int64_t prec_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t prec_max(int64_t a, int64_t b) { return a > b ? a : b; }
#endif

)";

/// `expression` in C.
static std::string toC(const Expression &expression) {
  if (expression.kind() == Expression::Kind::Constant)
    return std::to_string(*expression.constantValue());
  if (expression.kind() == Expression::Kind::Name)
    return expression.str();
  std::string lhs = toC(expression.lhs()), rhs = toC(expression.rhs());
  auto infix = [&](const char *op) { return "(" + lhs + op + rhs + ")"; };
  auto call = [&](const char *name) {
    return std::string(name) + "(" + lhs + ", " + rhs + ")";
  };
  switch (expression.kind()) {
  case Expression::Kind::Add:
    return infix(" + ");
  case Expression::Kind::Sub:
    return infix(" - ");
  case Expression::Kind::Mul:
    return infix(" * ");
  case Expression::Kind::FloorDiv:
    return call("prec_floordiv");
  case Expression::Kind::CeilDiv:
    return call("prec_ceildiv");
  case Expression::Kind::Min:
    return call("prec_min");
  default:
    return call("prec_max");
  }
}

namespace {
/// Writes what belongs to one kernel of a description.
class KernelWriter {
public:
  KernelWriter(llvm::raw_ostream &stream, const prec::Signature &signature,
               const prec::launch::Description &description)
      : stream(stream), signature(signature) {
    auto add = [&](StringRef name, std::string type, std::string identifier) {
      values[name] = {std::move(type), identifier};
      identifiers.push_back(std::move(identifier));
    };
    for (const prec::SignatureValue &value : signature.arguments)
      add(value.name, cType(value.elementType), value.identifier);
    for (const prec::SignatureValue &value : signature.results)
      add(value.name, cType(value.elementType), value.identifier);
    for (const prec::launch::Buffer &buffer : description.temporaries)
      add(buffer.name, "void", buffer.name);
  }

  void writeTemporary(const prec::launch::Buffer &buffer) {
    Expression bytes = int64_t(prec::launch::elementBytes(buffer.type));
    for (const Expression &size : buffer.shape)
      bytes = bytes * size;
    stream << "/* Bytes of the temporary " << buffer.name << ". */\n"
           << "static inline int64_t " << signature.symbol << "_bytes_"
           << buffer.name << "(" << sizeParameters() << ") {\n"
           << useSizes() << "  return " << toC(bytes) << ";\n}\n\n";
  }

  void writeKernel(unsigned index, const prec::launch::Kernel &kernel) {
    std::string suffix = "_" + std::to_string(index);
    std::string type = signature.symbol + "_kernel" + suffix;
    // The kernel, then its alternatives.
    std::vector<std::vector<Member>> members{getMembers(kernel, "p")};
    for (auto [number, other] : llvm::enumerate(kernel.alternatives))
      members.push_back(
          getMembers(other.kernel, "a" + std::to_string(number) + "_p"));

    stream << "typedef struct " << type << " {\n  prec_launch launch;\n";
    size_t most = 1;
    for (const std::vector<Member> &list : members) {
      most = std::max(most, list.size());
      for (const Member &member : list)
        stream << "  " << member.declaration << ";\n";
    }
    stream << "  void *params[" << most
           << "]; /* for cuLaunchKernel; points into this struct */\n} " << type
           << ";\n"
           << "static inline void " << signature.symbol << "_prepare" << suffix
           << "(" << type << " *kernel";
    // In the order of the function, whatever the kernel's is.
    llvm::StringSet<> passed;
    for (const std::string &identifier : identifiers)
      for (const std::vector<Member> &list : members)
        for (const Member &member : list)
          if (member.value == identifier && !member.parameter.empty() &&
              passed.insert(identifier).second)
            stream << ", " << member.parameter;
    if (!signature.sizes.empty())
      stream << ", " << sizeParameters();
    stream << ") {\n" << useSizes();
    for (auto [number, other] : llvm::enumerate(kernel.alternatives)) {
      writeCondition(other, kernel);
      writePreparation(other.kernel, members[number + 1]);
      stream << "    return;\n  }\n";
    }
    writePreparation(kernel, members.front());
    stream << "}\n\n";
  }

private:
  /// One parameter of a kernel: a member of its struct, and where its value
  /// comes from; `parameter` is empty if that is an expression.
  struct Member {
    std::string name, declaration, parameter, value;
  };

  void writePreparation(const prec::launch::Kernel &kernel,
                        ArrayRef<Member> members) {
    stream << "  kernel->launch.entry = \"" << kernel.entry << "\";\n";
    for (unsigned i = 0; i < 3; ++i)
      stream << "  kernel->launch.grid[" << i << "] = (unsigned)"
             << toC(kernel.grid[i]) << ";\n"
             << "  kernel->launch.block[" << i << "] = (unsigned)"
             << toC(kernel.block[i]) << ";\n";
    stream << "  kernel->launch.dynamic_shared = (unsigned)"
           << toC(kernel.dynamicShared) << ";\n";
    for (auto [number, member] : llvm::enumerate(members))
      stream << "  kernel->" << member.name << " = " << member.value << ";\n"
             << "  kernel->params[" << number << "] = (void *)&kernel->"
             << member.name << ";\n";
  }

  /// Opens a block for when `other` is launched instead of `kernel`.
  void writeCondition(const prec::launch::Alternative &other,
                      const prec::launch::Kernel &kernel) {
    std::vector<std::string> conditions;
    for (const prec::launch::Condition &condition : other.conditions) {
      if (!condition.alignment) {
        conditions.push_back(toC(condition.left) + " " + condition.is + " " +
                             toC(condition.right));
        continue;
      }
      llvm::StringSet<> seen;
      for (const prec::launch::Parameter *part : kernel.allParts())
        if (auto it = values.find(part->tensor);
            part->kind == prec::launch::Parameter::Kind::Tensor &&
            it != values.end() && seen.insert(part->tensor).second)
          conditions.push_back("(uintptr_t)" + it->second.second + " % " +
                               std::to_string(condition.alignment) + " == 0");
    }
    std::string all = llvm::join(conditions, " && ");
    stream << "  if (" << (other.unless ? "!(" + all + ")" : all) << ") {\n";
  }

  std::vector<Member> getMembers(const prec::launch::Kernel &kernel,
                                 StringRef prefix) const {
    std::vector<Member> members;
    llvm::StringSet<> passed;
    for (auto [index, param] : llvm::enumerate(kernel.params)) {
      Member &member = members.emplace_back();
      member.name = prefix.str() + std::to_string(index);
      if (param.kind == prec::launch::Parameter::Kind::NullPointer) {
        member.declaration = "void *" + member.name;
        member.value = "0";
        continue;
      }
      bool isTensor = param.kind == prec::launch::Parameter::Kind::Tensor;
      auto it = values.find(isTensor ? param.tensor : param.value);
      if (it != values.end()) {
        const auto &[type, identifier] = it->second;
        std::string parameter = type + (isTensor ? " *" : " ") + identifier;
        member.declaration = type + (isTensor ? " *" : " ") + member.name;
        member.value = identifier;
        if (passed.insert(identifier).second)
          member.parameter = parameter;
        continue;
      }
      member.declaration = scalarCType(param.type) + " " + member.name;
      std::string error;
      std::optional<Expression> value = Expression::parse(param.value, error);
      member.value = value ? toC(*value) : param.value;
    }
    return members;
  }

  static std::string scalarCType(StringRef type) {
    if (type == "f32")
      return "float";
    if (type == "f64")
      return "double";
    if (type == "bf16" || type == "f16")
      return "uint16_t";
    return ("int" + type.drop_front() + "_t").str();
  }

  std::string sizeParameters() const {
    std::vector<std::string> parameters;
    for (const prec::SignatureSize &size : signature.sizes)
      parameters.push_back("int64_t " + size.identifier);
    return parameters.empty() ? "void" : llvm::join(parameters, ", ");
  }
  /// Sizes that no expression uses are no fault of the includer.
  std::string useSizes() const {
    std::string text;
    for (const prec::SignatureSize &size : signature.sizes)
      text += "  (void)" + size.identifier + ";\n";
    return text;
  }

  llvm::raw_ostream &stream;
  const prec::Signature &signature;
  /// C type and identifier of each tensor and scalar by its name.
  llvm::StringMap<std::pair<std::string, std::string>> values;
  /// All of these identifiers, in the order of the function.
  std::vector<std::string> identifiers;
};
} // namespace

std::string prec::writeLaunchHeader(const Signature &signature,
                                    const launch::Description &description) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << kExpressionHelpers.drop_front();
  writeTitle(stream, signature);
  stream << "\n   Kernels for " << description.target
         << ", to be launched in order. Pointers are device pointers.";
  if (llvm::any_of(description.kernels, [](const launch::Kernel &kernel) {
        return kernel.extra.count("dependent_launch");
      }))
    stream
        << "\n   Each waits for the one before it: they may be launched with "
           "the attribute\n   "
           "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.";
  stream << " */\n\n";
  KernelWriter writer(stream, signature, description);
  for (const launch::Buffer &buffer : description.temporaries)
    writer.writeTemporary(buffer);
  for (auto [index, kernel] : llvm::enumerate(description.kernels))
    writer.writeKernel(index, kernel);
  return wrap(signature, text);
}
