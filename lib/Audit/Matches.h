// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of single inputs that a kernel computes with approximate
/// instructions, and those that the contract wants in their place.
#ifndef PREC_LIB_AUDIT_MATCHES_H
#define PREC_LIB_AUDIT_MATCHES_H

#include "Inputs.h"
#include "prec/Audit/Canonical.h"

#include <map>
#include <set>
#include <unordered_set>

namespace prec::audit {

class Matches {
public:
  Matches(const sym::Graph &graph, Tables &tables, Canonical &canonical)
      : graph(graph), tables(tables), canonical(canonical) {}

  /// Begins an output: what was wanted and matched before is forgotten.
  void start();
  /// Notes the functions of one leaf that the wanted expression is made of.
  void want(sym::Node root);
  /// The machine's expression with each function that approximations leave open
  /// taken as a wanted one that lies within its bounds. `format`: the result's.
  sym::Node match(sym::Node root, const num::Format *format);
  /// The inputs that the bounds of what was matched leave undecided.
  std::vector<uint64_t> undecided() const;
  /// Notes inputs on which a function of a leaf and the most similar wanted one
  /// of the same leaf differ: what random inputs may never meet.
  void hint(sym::Node root);
  const Inputs::Hints &hints() const { return hinted; }

private:
  bool within(Tables::Id machine, Tables::Id wanted, const num::Format *format);

  const sym::Graph &graph;
  Tables &tables;
  Canonical &canonical;
  /// A machine's table by a wanted table: whether it may be that, and the
  /// inputs that stay undecided.
  struct Match {
    bool possible = false;
    std::vector<uint64_t> undecided;
  };
  using Pair = std::pair<Tables::Id, Tables::Id>;
  std::map<Pair, Match> matches;
  std::map<Pair, std::vector<uint64_t>> differences;
  Inputs::Hints hinted;
  // Of the output that is looked at.
  std::set<Pair> used;
  std::unordered_map<sym::Node, std::vector<sym::Node>> wanted; ///< by leaf
  std::unordered_set<sym::Node> wantedSeen, matchedSeen;
  std::unordered_map<sym::Node, sym::Node> matched;
};

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_MATCHES_H
