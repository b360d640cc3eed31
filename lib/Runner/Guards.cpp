// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that precc writes into launch descriptions (docs/launch.md).
#include "LaunchEngine.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace prec;

/// The value of an expression over the sizes, or nothing with an error text.
static std::optional<int64_t> evaluate(const llvm::json::Object &guard,
                                       StringRef key,
                                       const launch::Sizes &sizes,
                                       std::string &error) {
  std::optional<StringRef> text = guard.getString(key);
  if (!text) {
    error = "a guard has no '" + key.str() + "'";
    return std::nullopt;
  }
  std::optional<launch::Expression> expression =
      launch::Expression::parse(text->str(), error);
  return expression ? expression->evaluate(sizes, error) : std::nullopt;
}

std::string prec::checkGuards(const launch::Description &description,
                              const launch::Sizes &sizes) {
  auto found = description.extra.find("guards");
  if (found == description.extra.end())
    return {};
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(found->second);
  if (!json) {
    llvm::consumeError(json.takeError());
    return "malformed guards";
  }
  const llvm::json::Array *guards = json->getAsArray();
  if (!guards)
    return "malformed guards";
  for (const llvm::json::Value &value : *guards) {
    const llvm::json::Object *guard = value.getAsObject();
    if (!guard)
      return "malformed guards";
    std::string error;
    std::optional<int64_t> left = evaluate(*guard, "left", sizes, error);
    std::optional<int64_t> right = evaluate(*guard, "right", sizes, error);
    if (!left || !right)
      return error;
    StringRef is = guard->getString("is").value_or("");
    std::optional<bool> holds = llvm::StringSwitch<std::optional<bool>>(is)
                                    .Case("==", *left == *right)
                                    .Case("!=", *left != *right)
                                    .Case("<", *left < *right)
                                    .Case("<=", *left <= *right)
                                    .Case(">", *left > *right)
                                    .Case(">=", *left >= *right)
                                    .Default(std::nullopt);
    if (!holds)
      return "a guard has the unknown comparison '" + is.str() + "'";
    if (!*holds)
      return "run-time check failed: " +
             guard->getString("message").value_or("").str();
  }
  return {};
}
