// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Expressions up to the elements that they read.
#ifndef PREC_LIB_AUDIT_FORMS_H
#define PREC_LIB_AUDIT_FORMS_H

#include "prec/Symbolic/Graph.h"

#include <string>
#include <unordered_map>

namespace prec::audit {

class Forms {
public:
  explicit Forms(const sym::Graph &graph) : graph(graph) {}

  /// A number for the form of an expression, whatever elements it reads.
  uint64_t shape(sym::Node root);
  /// The two forms of an element in full, leaves numbered as they are met:
  /// equal texts are equal expressions up to the names of their leaves. Too
  /// large ones are only told apart by a hash (see isExact). `reading` tells
  /// apart what else does.
  std::string text(sym::Node expected, sym::Node actual, unsigned reading);
  /// Whether a text stands for all elements that have it.
  static bool isExact(const std::string &text);

private:
  const sym::Graph &graph;
  std::unordered_map<sym::Node, uint64_t> shapes;
  struct Number {
    uint32_t form = 0, number = 0;
  };
  std::vector<Number> numbers; ///< by node
  uint32_t currentForm = 0;
};

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_FORMS_H
