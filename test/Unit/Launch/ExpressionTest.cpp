// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Launch/Expression.h"

#include <gtest/gtest.h>

using namespace prec::launch;

namespace {
int64_t evaluate(const std::string &text, const Sizes &sizes = {}) {
  std::string error;
  auto e = Expression::parse(text, error);
  if (!e) {
    ADD_FAILURE() << error;
    return -1;
  }
  // Printing keeps the meaning.
  auto again = Expression::parse(e->str(), error);
  EXPECT_TRUE(again && *again == *e) << text << " prints as " << e->str();
  auto value = e->evaluate(sizes, error);
  EXPECT_TRUE(value) << error;
  return value.value_or(-1);
}

std::string errorOf(const std::string &text, const Sizes &sizes = {}) {
  std::string error;
  auto e = Expression::parse(text, error);
  if (e)
    EXPECT_FALSE(e->evaluate(sizes, error)) << text;
  return error;
}
} // namespace

TEST(LaunchExpression, Values) {
  EXPECT_EQ(evaluate("7"), 7);
  EXPECT_EQ(evaluate("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(evaluate("(1 + 2) * (3 - 4)"), -3);
  EXPECT_EQ(evaluate("2 - (3 - 4)"), 3);
  EXPECT_EQ(evaluate("100 / (7 / 2)"), 33);
  EXPECT_EQ(evaluate("100 / 7 / 2"), 7);
  EXPECT_EQ(evaluate("2 * (7 / 2)"), 6);
  EXPECT_EQ(evaluate("rows*h", {{"rows", 3}, {"h", 5}}), 15);
  EXPECT_EQ(evaluate("-rows", {{"rows", 3}}), -3);
  EXPECT_EQ(evaluate("min(rows, 2) + max(rows, 9)", {{"rows", 3}}), 11);
}

TEST(LaunchExpression, DivisionRoundsDownOrUp) {
  EXPECT_EQ(evaluate("7 / 2"), 3);
  EXPECT_EQ(evaluate("-7 / 2"), -4);
  EXPECT_EQ(evaluate("-8 / 2"), -4);
  EXPECT_EQ(evaluate("ceildiv(7, 2)"), 4);
  EXPECT_EQ(evaluate("ceildiv(8, 2)"), 4);
  EXPECT_EQ(evaluate("ceildiv(-7, 2)"), -3);
  EXPECT_EQ(evaluate("ceildiv(0, 2)"), 0);
}

TEST(LaunchExpression, Errors) {
  EXPECT_EQ(errorOf(""),
            "in expression '': expected an integer, a name or '(' at the end");
  EXPECT_EQ(errorOf("1 +"), "in expression '1 +': expected an integer, a name "
                            "or '(' at the end");
  EXPECT_EQ(errorOf("1 2"),
            "in expression '1 2': expected an operator but got '2'");
  EXPECT_EQ(errorOf("(1"), "in expression '(1': expected ')' at the end");
  EXPECT_EQ(errorOf("min(1;2)"),
            "in expression 'min(1;2)': expected ',' but got ';'");
  EXPECT_EQ(errorOf("mod(1, 2)"), "in expression 'mod(1, 2)': unknown function "
                                  "'mod', expected ceildiv, min or max");
  EXPECT_EQ(errorOf("99999999999999999999"), "in expression "
                                             "'99999999999999999999': integer "
                                             "out of range");
  EXPECT_EQ(errorOf("rows"), "unknown name 'rows'");
  EXPECT_EQ(errorOf("1 / n", {{"n", 0}}), "division by zero in '1 / n'");
  EXPECT_EQ(errorOf("n * n", {{"n", INT64_MAX}}), "overflow in 'n * n'");
  EXPECT_NE(errorOf(std::string(10000, '(')).find("nested too deeply"),
            std::string::npos);
}
