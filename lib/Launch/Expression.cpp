// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Launch/Expression.h"

#include <algorithm>
#include <cctype>
#include <limits>

using namespace prec::launch;

struct Expression::Node {
  Kind kind;
  int64_t value = 0;
  std::string name;
  std::shared_ptr<const Node> lhs, rhs;
};

Expression::Expression(int64_t value)
    : node(std::make_shared<Node>(
          Node{Kind::Constant, value, {}, nullptr, nullptr})) {}

Expression Expression::name(std::string name) {
  return Expression(std::make_shared<Node>(
      Node{Kind::Name, 0, std::move(name), nullptr, nullptr}));
}

Expression Expression::binary(Kind kind, Expression lhs, Expression rhs) {
  return Expression(
      std::make_shared<Node>(Node{kind, 0, {}, lhs.node, rhs.node}));
}

Expression::Kind Expression::kind() const { return node->kind; }
Expression Expression::lhs() const { return Expression(node->lhs); }
Expression Expression::rhs() const { return Expression(node->rhs); }

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Recursive descent: sum := product (+|- product)*; product := atom (*|/
/// atom)*; atom := integer | name | function(sum, sum) | (sum) | -atom.
/// The nesting depth is bounded, so hostile text cannot exhaust the stack.
class ExpressionParser {
public:
  ExpressionParser(std::string_view text, std::string &error)
      : text(text), error(error) {}

  std::optional<Expression> parse() {
    auto result = sum(0);
    if (!result)
      return std::nullopt;
    skipSpace();
    if (pos != text.size())
      return fail("expected an operator but got '" +
                  std::string(text.substr(pos)) + "'");
    return result;
  }

private:
  static constexpr unsigned maxDepth = 100;

  std::nullopt_t fail(std::string message) {
    error = "in expression '" + std::string(text) + "': " + std::move(message);
    return std::nullopt;
  }
  void skipSpace() {
    while (pos < text.size() && std::isspace((unsigned char)text[pos]))
      ++pos;
  }
  bool accept(char c) {
    skipSpace();
    if (pos >= text.size() || text[pos] != c)
      return false;
    ++pos;
    return true;
  }
  std::nullopt_t failExpected(const char *what) {
    skipSpace();
    return fail(std::string("expected ") + what +
                (pos == text.size()
                     ? std::string(" at the end")
                     : " but got '" + std::string(1, text[pos]) + "'"));
  }

  std::optional<Expression> sum(unsigned depth) {
    auto lhs = product(depth);
    while (lhs) {
      Expression::Kind kind;
      if (accept('+'))
        kind = Expression::Kind::Add;
      else if (accept('-'))
        kind = Expression::Kind::Sub;
      else
        return lhs;
      auto rhs = product(depth);
      if (!rhs)
        return std::nullopt;
      lhs = Expression::binary(kind, *lhs, *rhs);
    }
    return lhs;
  }

  std::optional<Expression> product(unsigned depth) {
    auto lhs = atom(depth);
    while (lhs) {
      Expression::Kind kind;
      if (accept('*'))
        kind = Expression::Kind::Mul;
      else if (accept('/'))
        kind = Expression::Kind::FloorDiv;
      else
        return lhs;
      auto rhs = atom(depth);
      if (!rhs)
        return std::nullopt;
      lhs = Expression::binary(kind, *lhs, *rhs);
    }
    return lhs;
  }

  std::optional<Expression> atom(unsigned depth) {
    if (depth > maxDepth)
      return fail("nested too deeply");
    if (accept('(')) {
      auto inner = sum(depth + 1);
      if (!inner)
        return std::nullopt;
      if (!accept(')'))
        return failExpected("')'");
      return inner;
    }
    if (accept('-')) {
      auto inner = atom(depth + 1);
      if (!inner)
        return std::nullopt;
      if (auto value = inner->constantValue())
        return Expression(-*value);
      return Expression(int64_t(0)) - *inner;
    }
    skipSpace();
    size_t begin = pos;
    if (pos < text.size() && std::isdigit((unsigned char)text[pos])) {
      int64_t value = 0;
      for (; pos < text.size() && std::isdigit((unsigned char)text[pos]); ++pos)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, text[pos] - '0', &value))
          return fail("integer out of range");
      return Expression(value);
    }
    if (pos < text.size() &&
        (std::isalpha((unsigned char)text[pos]) || text[pos] == '_')) {
      while (pos < text.size() && (std::isalnum((unsigned char)text[pos]) ||
                                   text[pos] == '_' || text[pos] == '.'))
        ++pos;
      std::string word(text.substr(begin, pos - begin));
      if (!accept('('))
        return Expression::name(std::move(word));
      return call(word, depth);
    }
    return failExpected("an integer, a name or '('");
  }

  std::optional<Expression> call(const std::string &function, unsigned depth) {
    Expression::Kind kind;
    if (function == "ceildiv")
      kind = Expression::Kind::CeilDiv;
    else if (function == "min")
      kind = Expression::Kind::Min;
    else if (function == "max")
      kind = Expression::Kind::Max;
    else
      return fail("unknown function '" + function +
                  "', expected ceildiv, min or max");
    auto lhs = sum(depth + 1);
    if (!lhs)
      return std::nullopt;
    if (!accept(','))
      return failExpected("','");
    auto rhs = sum(depth + 1);
    if (!rhs)
      return std::nullopt;
    if (!accept(')'))
      return failExpected("')'");
    return Expression::binary(kind, *lhs, *rhs);
  }

  std::string_view text;
  std::string &error;
  size_t pos = 0;
};
} // namespace

std::optional<Expression> Expression::parse(std::string_view text,
                                            std::string &error) {
  return ExpressionParser(text, error).parse();
}

//===----------------------------------------------------------------------===//
// Evaluation and printing
//===----------------------------------------------------------------------===//

std::optional<int64_t> Expression::evaluate(const Sizes &sizes,
                                            std::string &error) const {
  if (node->kind == Kind::Constant)
    return node->value;
  if (node->kind == Kind::Name) {
    auto it = sizes.find(node->name);
    if (it != sizes.end())
      return it->second;
    error = "unknown name '" + node->name + "'";
    return std::nullopt;
  }
  auto lhs = Expression(node->lhs).evaluate(sizes, error);
  if (!lhs)
    return std::nullopt;
  auto rhs = Expression(node->rhs).evaluate(sizes, error);
  if (!rhs)
    return std::nullopt;
  int64_t a = *lhs, b = *rhs, result = 0;
  bool overflow = false;
  switch (node->kind) {
  case Kind::Add:
    overflow = __builtin_add_overflow(a, b, &result);
    break;
  case Kind::Sub:
    overflow = __builtin_sub_overflow(a, b, &result);
    break;
  case Kind::Mul:
    overflow = __builtin_mul_overflow(a, b, &result);
    break;
  case Kind::FloorDiv:
  case Kind::CeilDiv:
    if (b == 0) {
      error = "division by zero in '" + str() + "'";
      return std::nullopt;
    }
    overflow = a == std::numeric_limits<int64_t>::min() && b == -1;
    if (!overflow) {
      result = a / b;
      bool exact = a % b == 0, negative = (a < 0) != (b < 0);
      if (!exact && node->kind == Kind::FloorDiv && negative)
        --result;
      if (!exact && node->kind == Kind::CeilDiv && !negative)
        ++result;
    }
    break;
  case Kind::Min:
    result = std::min(a, b);
    break;
  case Kind::Max:
    result = std::max(a, b);
    break;
  case Kind::Constant:
  case Kind::Name:
    break;
  }
  if (overflow) {
    error = "overflow in '" + str() + "'";
    return std::nullopt;
  }
  return result;
}

std::optional<int64_t> Expression::constantValue() const {
  std::string ignored;
  return evaluate({}, ignored);
}

void Expression::collectNames(std::set<std::string> &names) const {
  if (node->kind == Kind::Name)
    names.insert(node->name);
  if (node->lhs) {
    Expression(node->lhs).collectNames(names);
    Expression(node->rhs).collectNames(names);
  }
}

std::string Expression::str() const {
  auto operand = [](const std::shared_ptr<const Node> &child, bool parens) {
    std::string text = Expression(child).str();
    return parens ? "(" + text + ")" : text;
  };
  auto isSum = [](const std::shared_ptr<const Node> &child) {
    return child->kind == Kind::Add || child->kind == Kind::Sub ||
           (child->kind == Kind::Constant && child->value < 0);
  };
  auto isProduct = [](const std::shared_ptr<const Node> &child) {
    return child->kind == Kind::Mul || child->kind == Kind::FloorDiv;
  };
  switch (node->kind) {
  case Kind::Constant:
    return std::to_string(node->value);
  case Kind::Name:
    return node->name;
  case Kind::Add:
  case Kind::Sub:
    return operand(node->lhs, false) +
           (node->kind == Kind::Add ? " + " : " - ") +
           operand(node->rhs, isSum(node->rhs));
  case Kind::Mul:
  case Kind::FloorDiv:
    return operand(node->lhs, isSum(node->lhs)) +
           (node->kind == Kind::Mul ? " * " : " / ") +
           operand(node->rhs, isSum(node->rhs) || isProduct(node->rhs));
  case Kind::CeilDiv:
  case Kind::Min:
  case Kind::Max:
    break;
  }
  const char *function = node->kind == Kind::CeilDiv ? "ceildiv"
                         : node->kind == Kind::Min   ? "min"
                                                     : "max";
  return std::string(function) + "(" + operand(node->lhs, false) + ", " +
         operand(node->rhs, false) + ")";
}

bool Expression::operator==(const Expression &other) const {
  if (node == other.node)
    return true;
  if (node->kind != other.node->kind || node->value != other.node->value ||
      node->name != other.node->name || !node->lhs != !other.node->lhs)
    return false;
  return !node->lhs || (Expression(node->lhs) == Expression(other.node->lhs) &&
                        Expression(node->rhs) == Expression(other.node->rhs));
}
