// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer expressions over named sizes, as launch descriptions hold them:
/// literals, names, `+ - * /` (floor division), `ceildiv(a, b)`, `min(a, b)`,
/// `max(a, b)` and parentheses.
#ifndef PREC_LAUNCH_EXPRESSION_H
#define PREC_LAUNCH_EXPRESSION_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace prec::launch {

/// Sizes by name.
using Sizes = std::map<std::string, int64_t>;

/// An immutable expression; copies share their nodes.
class Expression {
public:
  enum class Kind {
    Constant,
    Name,
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Min,
    Max
  };

  /// The constant 0.
  Expression() : Expression(int64_t(0)) {}
  Expression(int64_t value);
  static Expression name(std::string name);
  static Expression binary(Kind kind, Expression lhs, Expression rhs);

  /// Reads `text`; on failure returns nothing and says why in `error`.
  static std::optional<Expression> parse(std::string_view text,
                                         std::string &error);

  /// The value under `sizes`; nothing, with the reason in `error`, for an
  /// unknown name, a division by zero or a result outside int64_t.
  std::optional<int64_t> evaluate(const Sizes &sizes, std::string &error) const;

  /// The value if no name occurs.
  std::optional<int64_t> constantValue() const;

  /// The names that occur.
  void collectNames(std::set<std::string> &names) const;

  /// What it is; binary ones have both operands.
  Kind kind() const;
  Expression lhs() const;
  Expression rhs() const;

  /// Text that parses to an equal expression.
  std::string str() const;

  bool operator==(const Expression &other) const;
  bool operator!=(const Expression &other) const { return !(*this == other); }

private:
  struct Node;
  explicit Expression(std::shared_ptr<const Node> node)
      : node(std::move(node)) {}
  std::shared_ptr<const Node> node;
};

inline Expression operator+(Expression a, Expression b) {
  return Expression::binary(Expression::Kind::Add, std::move(a), std::move(b));
}
inline Expression operator-(Expression a, Expression b) {
  return Expression::binary(Expression::Kind::Sub, std::move(a), std::move(b));
}
inline Expression operator*(Expression a, Expression b) {
  return Expression::binary(Expression::Kind::Mul, std::move(a), std::move(b));
}

} // namespace prec::launch

#endif // PREC_LAUNCH_EXPRESSION_H
