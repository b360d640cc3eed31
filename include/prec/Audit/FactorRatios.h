// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How far two products of several factors are from each other.
#ifndef PREC_AUDIT_FACTORRATIOS_H
#define PREC_AUDIT_FACTORRATIOS_H

#include "prec/Audit/Facts.h"

#include <map>

namespace prec::audit {

/// Products of f32 numbers, each rounded to nearest. Factors that both have
/// leave nothing; those that are functions of one narrow value are compared on
/// all inputs for which the facts may hold, with all outcomes of approximate
/// instructions; each rounding in the normal range is a factor within
/// 1 +- 2^-24. That all roundings are there follows from the least magnitude of
/// the product and the most of each factor.
class FactorRatios {
public:
  FactorRatios(sym::Graph &graph, Tables &tables)
      : graph(graph), tables(tables) {}

  /// What is known of a product.
  struct Given {
    sym::Node root = 0;
    double least = 0;      ///< its magnitude is not less
    bool isNumber = false; ///< it is not NaN; else it is `least` or NaN
    bool negated = false;  ///< its negation is meant
  };
  struct Interval {
    double low = 1, high = 1;
  };
  /// Bounds, above 0, of given / wanted; none where no proof is found.
  std::optional<Interval> operator()(const Given &given, sym::Node wanted,
                                     const Facts &facts);

private:
  using Node = sym::Node;
  /// The factors of a product, none a product or a negation, and by the bits
  /// of their numbers those of each of its rounded products.
  struct Product {
    std::vector<Node> factors;
    std::vector<double> most;
    std::vector<uint32_t> roundings;
    bool negative = false;
    bool isTooLarge = false;

    double mostOf(uint32_t some) const;
    uint32_t all() const;
    double slack() const;
    bool isNormal(double least) const;
  };
  /// The functions of one leaf that only one of the products has.
  struct Group {
    std::vector<Tables::Id> given, wanted;
    std::vector<double> least; ///< of each given
  };
  struct Ratio : Interval {
    bool negative = false;
  };

  const sym::Expr *product(Node n) const;
  void collect(Node root, std::unordered_map<Node, unsigned> &products);
  uint32_t expand(Node n, const std::unordered_map<Node, unsigned> &shared,
                  Product &product);
  bool setMost(Product &product, bool isNumber, const Facts &facts);
  std::optional<double> most(Node n, bool isNumber, const Facts &facts,
                             unsigned depth = 0);
  std::optional<double> mostOfTable(Tables::Id table, bool isNumber,
                                    const std::vector<LeafFact> &facts);
  std::optional<Ratio> ratio(const Group &group, bool isNumber,
                             const std::vector<LeafFact> &facts);
  std::optional<Ratio> compareTables(const Group &group, bool isNumber,
                                     const std::vector<uint8_t> &inputs);
  /// The number of the set of inputs for which all facts may hold.
  uint32_t setOf(const std::vector<LeafFact> &facts, size_t inputs);

  sym::Graph &graph;
  Tables &tables;
  // What was found before, by the bytes of what it depends on.
  std::vector<std::vector<uint8_t>> sets;
  std::map<std::string, uint32_t> setNumbers;
  std::map<std::string, std::optional<double>> tableMosts;
  std::map<std::string, std::optional<Ratio>> tableRatios;
};

} // namespace prec::audit

#endif // PREC_AUDIT_FACTORRATIOS_H
