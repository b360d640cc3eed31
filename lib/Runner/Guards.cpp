// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that precc writes into launch descriptions (docs/launch.md).
#include "LaunchEngine.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace prec;

/// One side of a comparison, or nothing with an error text.
static std::optional<launch::Expression>
side(const llvm::json::Object &guard, StringRef key, std::string &error) {
  std::optional<StringRef> text = guard.getString(key);
  if (text)
    return launch::Expression::parse(text->str(), error);
  error = "a guard has no '" + key.str() + "'";
  return std::nullopt;
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
    launch::Condition condition;
    condition.is = guard->getString("is").value_or("").str();
    auto left = side(*guard, "left", error);
    auto right = side(*guard, "right", error);
    if (!left || !right)
      return error;
    condition.left = *left;
    condition.right = *right;
    if (!launch::isComparison(condition.is))
      return "a guard has the unknown comparison '" + condition.is + "'";
    std::optional<bool> holds = launch::compareSizes(condition, sizes, error);
    if (!holds)
      return error;
    if (!*holds)
      return "run-time check failed: " +
             guard->getString("message").value_or("").str();
  }
  return {};
}
