// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compares two programs, output element by output element, as expressions.
#ifndef PREC_AUDIT_AUDIT_H
#define PREC_AUDIT_AUDIT_H

#include "prec/Audit/Report.h"
#include "prec/Symbolic/Graph.h"

#include <map>
#include <optional>

namespace prec::audit {

/// A tensor, or a scalar, that goes in or comes out.
struct TensorInfo {
  std::string name;
  std::string type; ///< bf16, f32, i32, ...
  std::vector<int64_t> shape;
  bool isScalar = false;

  const num::Format *format() const { return num::findFormat(type); }
  /// Whether its elements are symbols. Integers and scalars have values.
  bool isSymbolic() const { return !isScalar && format(); }
  uint64_t size() const;
  /// The index of an element that is counted in row-major order.
  std::vector<int64_t> index(uint64_t element) const;
};

/// Bits of the elements of tensors, by name.
using Values = std::map<std::string, std::vector<uint64_t>>;
using Expressions = std::map<std::string, std::vector<sym::Node>>;

/// A program that can be run on symbols and on bits.
class Program {
public:
  virtual ~Program();
  /// The elements of every output over the leaves of `graph`; `fixed` has the
  /// inputs that are not symbolic. On failure returns nothing and says why, as
  /// a diagnostic's line ("FILE:LINE:COLUMN: error: ...").
  virtual std::optional<Expressions>
  expressions(sym::Graph &graph, const Values &fixed, std::string &error) = 0;
  /// The outputs' bits on these inputs.
  virtual std::optional<Values> run(const Values &inputs,
                                    std::string &error) = 0;
  /// ... with other results of approximate instructions, within their bounds:
  /// the lower (1) or the upper ends (2), or anything, by the seed `outcome`.
  virtual std::optional<Values> runWithin(const Values &inputs,
                                          uint64_t outcome, std::string &error);
  /// Where the operation that gave a node stands, the line of the source that
  /// it comes from (where the program is not the source), and the name that a
  /// prec.observe gives it; empty if not known.
  virtual std::string location(sym::Node node) const;
  virtual std::string source(sym::Node node) const;
  virtual std::string point(sym::Node node) const;
  /// After `expressions` gave nothing: whether only symbols were the trouble,
  /// so that `run` may succeed.
  virtual bool canStillRun() const;
  /// Lines for the report: what the program's definition leaves open.
  virtual std::vector<std::string> approximations() const;
  /// Lines for the report: the sums of no defined order, which the last run
  /// took in one.
  virtual std::vector<std::string> unordered() const;
};

struct Options {
  /// Expressions of two 16-bit values are decided by trying all pairs.
  bool allPairs = false;
  uint64_t seed = 1;
  /// Inputs that one form is tested on.
  unsigned tests = 20000;
};

/// Audits `actual` against `expected`. Both have the same inputs and outputs;
/// `fixed` has the values of inputs that are not symbolic. Programs that cannot
/// be run on symbols are run on values: the verdict is then tested at most. On
/// failure returns nothing and says why, as a diagnostic's line; or has said it
/// already, and `error` is empty.
std::optional<Report> audit(Program &expected, Program &actual,
                            const std::vector<TensorInfo> &inputs,
                            const std::vector<TensorInfo> &outputs,
                            const Values &fixed, const Options &options,
                            std::string &error);

} // namespace prec::audit

#endif // PREC_AUDIT_AUDIT_H
