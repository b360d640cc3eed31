// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element by element: equal canonical forms are proven; forms that the bounds
// of approximate instructions keep apart are matched; the others are tried on
// inputs, and a difference is confirmed by running both programs.
#include "prec/Audit/Audit.h"

#include "Classify.h"
#include "Divergence.h"
#include "Forms.h"
#include "Matches.h"
#include "Pairs.h"
#include "Runs.h"
#include "prec/Audit/Canonical.h"
#include "prec/Audit/GuardedRounding.h"
#include "prec/Symbolic/Interval.h"

#include <algorithm>
#include <cassert>
#include <set>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Expr;
using sym::Node;
using sym::Op;

namespace {

/// An element whose two forms are not the same node.
struct Open {
  uint64_t element;
  Node expected, actual; ///< canonical
  Fuse reading;
};

/// Elements of one form.
struct Group {
  std::vector<Open> members;
};

class Auditor {
public:
  Auditor(Program &expected, Program &actual,
          const std::vector<TensorInfo> &inputs,
          const std::vector<TensorInfo> &outputs, const Values &fixed,
          const Options &options)
      : expected(expected), actual(actual), inputInfo(inputs),
        outputInfo(outputs), fixed(fixed), options(options), tables(graph),
        maker(graph, inputs, options.seed),
        readings{Canonical(graph, tables, Fuse::None),
                 Canonical(graph, tables, Fuse::Left),
                 Canonical(graph, tables, Fuse::Right)} {}

  std::optional<Report> run(std::string &error);

private:
  bool output(const TensorInfo &info, const std::vector<Node> &e,
              const std::vector<Node> &a, OutputReport &report,
              std::string &error);
  bool isContractible() const;
  bool isGuarded(Node e, Node a, const Format *format);
  Expansion expansion() const;
  bool decidePairs(const Open &open, const Format *format);
  struct Witness {
    std::vector<Node> leaves;
    std::vector<uint64_t> values;
    uint64_t expected = 0, actual = 0;
  };
  std::optional<Witness> test(const Open &open, const Format *format,
                              size_t lanes, OutputReport &report);
  bool refute(const TensorInfo &info, const Open &open, const Witness &witness,
              Node e, Node a, OutputReport &report, std::string &error);
  void noteUndecided(OutputReport &report, uint64_t count,
                     const std::string &text);
  void noteDivergence(OutputReport &report, const Open &open, Node a);
  void collectApproximations();

  Program &expected, &actual;
  const std::vector<TensorInfo> &inputInfo, &outputInfo;
  const Values &fixed;
  const Options &options;
  sym::Graph graph;
  Tables tables;
  Inputs maker;
  std::array<Canonical, 3> readings;
  Canonical expanding{graph, tables};
  Forms forms{graph};
  Matches matches{graph, tables, readings[0]};
  GuardedRounding guarded{graph, tables};
  Report result;
};

} // namespace

bool Auditor::isContractible() const {
  for (Node n = 1; n < graph.size(); ++n)
    if (graph[n].op == Op::Mul && (graph[n].flags & sym::Contractible))
      return true;
  return false;
}

/// What functions of the kernel may be; a sequence of f64 operations has an
/// fma.
Expansion Auditor::expansion() const {
  for (Node n = 1; n < graph.size(); ++n)
    if (graph[n].op == Op::Fma && graph[n].format == sym::FormatId::F64)
      return Expansion::F64;
  return Expansion::Pairs;
}

void Auditor::noteUndecided(OutputReport &report, uint64_t count,
                            const std::string &text) {
  report.undecided += count;
  if (report.undecidedInputs.size() < 8)
    report.undecidedInputs.push_back(text);
}

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

/// Whether the forms agree when their subexpressions of two narrow values are
/// decided on all pairs.
bool Auditor::decidePairs(const Open &open, const Format *format) {
  std::unordered_map<Node, Node> equal =
      Pairs(graph, tables).match(open.expected, open.actual, format);
  return !equal.empty() &&
         readings[0].replace(open.actual, equal) == open.expected;
}

/// Whether the kernel's form is a choice of which each side is as expected.
bool Auditor::isGuarded(Node e, Node a, const Format *format) {
  if (graph[a].op != Op::Choice)
    return false;
  matches.want(e);
  return guarded.prove(
      e, a, [&](Node side) { return matches.match(side, format) == e; });
}

std::optional<Auditor::Witness> Auditor::test(const Open &open,
                                              const Format *format,
                                              size_t lanes,
                                              OutputReport &report) {
  Batch batch(graph, {open.expected, open.actual}, &tables);
  const std::vector<Node> &leaves = batch.leaves();
  if (leaves.empty())
    lanes = 1;
  std::vector<std::vector<uint64_t>> values =
      maker.make(leaves, lanes, matches.hints());
  batch.run(values);
  Lanes e = batch[open.expected], a = batch[open.actual];
  e.format = a.format = format;
  report.inputsTried += a.size();
  std::optional<size_t> found;
  int64_t distance = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    // Bounds on both sides: a difference is one that no choice within both
    // explains.
    bool agree = e.exact() ? a.mayBe(i, e.value[i])
                           : a.mayBe(i, e.value[i]) || e.mayBe(i, a.value[i]);
    if (agree) {
      if (!a.decided(i) || !e.decided(i)) {
        std::string text;
        for (size_t k = 0; k < std::min<size_t>(leaves.size(), 4); ++k)
          text += (k ? ", " : "") + hexOf(values[k][i], graph.width(leaves[k]));
        noteUndecided(report, 1, leaves.size() > 4 ? text + ", ..." : text);
      }
      continue;
    }
    // The plainest input: values near 1.
    int64_t far = 0;
    for (size_t k = 0; k < leaves.size(); ++k) {
      const Format &f = maker.format(leaves[k]);
      int64_t exponent = int64_t((values[k][i] & f.absMask()) >> f.fracBits);
      far += std::abs(exponent - f.bias);
    }
    if (!found || far < distance) {
      found = i;
      distance = far;
    }
  }
  if (!found)
    return std::nullopt;
  Witness witness;
  witness.leaves = leaves;
  for (const auto &lane : values)
    witness.values.push_back(lane[*found]);
  witness.expected = e.value[*found];
  witness.actual = a.value[*found];
  return witness;
}

bool Auditor::refute(const TensorInfo &info, const Open &open,
                     const Witness &witness, Node e, Node a,
                     OutputReport &report, std::string &error) {
  // Both programs on this input; what the element does not read is 1.
  Values inputs = fixed;
  for (const TensorInfo &tensor : inputInfo)
    if (const Format *f = tensor.format(); tensor.isSymbolic())
      inputs[tensor.name].assign(tensor.size(), uint64_t(f->bias)
                                                    << f->fracBits);
  for (size_t k = 0; k < witness.leaves.size(); ++k) {
    const Expr &leaf = graph[witness.leaves[k]];
    inputs[graph.tensorName(leaf.index)][leaf.bits] = witness.values[k];
  }
  std::optional<Values> right = expected.run(inputs, error);
  if (!right)
    return false;
  std::optional<Values> got = actual.run(inputs, error);
  if (!got)
    return false;
  const Format *format = info.format();
  report.expected = right->at(info.name).at(open.element);
  report.actual = got->at(info.name).at(open.element);
  report.confirmation = "both programs were run on this input";
  if (open.reading != Fuse::None) {
    report.actual = witness.actual;
    report.confirmation = "the expected program was run on this input, and the "
                          "kernel's expression evaluated with the fusion";
  }
  if (same(format, report.expected, report.actual) ||
      !same(format, report.expected, witness.expected)) {
    error = "error: the difference found for element " +
            textOf(info.index(open.element)) + " of '" + info.name +
            "' is not there when the programs run";
    return false;
  }
  report.verdict = Verdict::Refuted;
  report.width = graph.width(e);
  report.index = info.index(open.element);
  report.inputCount = witness.leaves.size();
  for (size_t k = 0; k < std::min<size_t>(witness.leaves.size(), 32); ++k) {
    const Expr &leaf = graph[witness.leaves[k]];
    const std::string &name = graph.tensorName(leaf.index);
    for (const TensorInfo &tensor : inputInfo)
      if (tensor.name == name)
        report.inputs.push_back(
            {name, tensor.index(leaf.bits), witness.values[k], leaf.width});
  }
  report.expectedText = graph.text(e, 6);
  report.actualText = graph.text(a, 6);
  if (open.reading != Fuse::None) {
    report.kind = Kind::Contraction;
    report.explanation = "a multiply and an add without a rounding of their "
                         "own (.rn) may be fused by ptxas";
    return true;
  }
  if (!format)
    return true;
  Classification c = classify(graph, maker, matches.hints(), expected, e, a,
                              open.expected, open.actual, *format);
  report.kind = c.kind;
  report.explanation = c.explanation;
  if (c.where) {
    report.location = expected.location(c.where);
    report.point = expected.point(c.where);
  } else {
    report.location = expected.location(e);
    report.point = expected.point(e);
  }
  if (!c.expectedTree.empty()) {
    report.expectedText = c.expectedTree;
    report.actualText = c.actualTree;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

bool Auditor::output(const TensorInfo &info, const std::vector<Node> &e,
                     const std::vector<Node> &a, OutputReport &report,
                     std::string &error) {
  const Format *format = info.format();
  report.name = info.name;
  report.elements = e.size();
  report.seed = options.seed;
  assert(e.size() == a.size() && "both programs have the output's elements");
  matches.start();
  std::vector<Open> opens;
  std::vector<uint8_t> isOpen(e.size(), 0);
  std::set<uint64_t> shapes;
  const unsigned count = isContractible() ? 3 : 1;
  for (uint64_t i = 0; i < e.size(); ++i) {
    if (graph[a[i]].op == Op::Undefined) {
      error = "error: the kernel does not write element " +
              textOf(info.index(i)) + " of '" + info.name + "'";
      return false;
    }
    Node seen = 0;
    for (unsigned r = 0; r < count; ++r) {
      Node x = readings[r].result(e[i], format);
      Node y = readings[r].result(a[i], format);
      if (r == 0)
        shapes.insert(forms.shape(x) ^ (forms.shape(y) * 3));
      if (x == y || (r && y == seen))
        continue;
      Node wide = x, given = y;
      if (r == 0) {
        wide = expanding.result(e[i], format);
        given = expanding.result(a[i], format);
      }
      if (wide == given || isGuarded(wide, given, format))
        continue;
      seen = y;
      matches.want(x);
      y = matches.match(y, format);
      if (x == y)
        continue;
      opens.push_back({i, x, y, Fuse(r)});
      isOpen[i] = 1;
    }
  }
  report.forms = shapes.size();
  for (uint8_t open : isOpen)
    report.proven += !open;

  // Approximations that a proof took for granted.
  for (uint64_t x : matches.undecided())
    noteUndecided(report, 1, hexOf(x, 16));
  if (report.undecided) {
    report.verdict = Verdict::Tested;
    report.coverage =
        "every input is decided but " + std::to_string(report.undecided);
  }
  if (opens.empty())
    return true;

  // Elements of one form are decided together.
  std::map<std::string, Group> groups;
  for (const Open &open : opens)
    groups[forms.text(open.expected, open.actual, unsigned(open.reading))]
        .members.push_back(open);
  size_t tested = 0, decided = 0;
  for (auto &[text, group] : groups) {
    const bool exactForm = Forms::isExact(text);
    // An exact form stands for all its elements, a hash for those tried.
    const size_t tries =
        exactForm ? 1 : std::min<size_t>(group.members.size(), 4);
    for (size_t k = 0; k < tries; ++k) {
      const Open &open = group.members[k * (group.members.size() - 1) /
                                       std::max<size_t>(tries - 1, 1)];
      const uint64_t cost =
          Batch(graph, {open.expected, open.actual}, &tables).cost();
      const size_t lanes = std::max<size_t>(
          32, std::min<uint64_t>({options.tests, 20000000 / cost,
                                  100000000 / (cost * groups.size())}));
      matches.hint(open.actual);
      std::optional<Witness> witness = test(open, format, lanes, report);
      if (witness) {
        noteDivergence(report, open, a[open.element]);
        return refute(info, open, *witness, e[open.element], a[open.element],
                      report, error);
      }
    }
    if (exactForm && options.allPairs &&
        decidePairs(group.members.front(), format)) {
      decided += group.members.size();
      continue;
    }
    if (!tested)
      noteDivergence(report, group.members.front(),
                     a[group.members.front().element]);
    tested += group.members.size();
  }
  report.proven += decided;
  if (!tested)
    return true;
  report.verdict = Verdict::Tested;
  report.coverage =
      std::to_string(report.inputsTried) + " inputs over " +
      std::to_string(groups.size()) +
      " forms: half of ordinary size, a quarter of any bits, a quarter with "
      "zeros, subnormals, the ends of the range, infinities and NaN";
  return true;
}

/// Where the kernel's expression `a` of an element leaves the wanted one.
void Auditor::noteDivergence(OutputReport &report, const Open &open, Node a) {
  for (Node n : divergence(graph, readings[unsigned(open.reading)], actual, a,
                           open.expected)) {
    report.kernelLocation = actual.location(n);
    report.kernelSource = actual.source(n);
    return;
  }
}

void Auditor::collectApproximations() {
  std::set<std::string> texts;
  for (Node n = 1; n < graph.size(); ++n)
    if (graph[n].flags & sym::Approximate)
      texts.insert("bound of " + sym::approximationText(graph[n]));
  for (const std::string &line : actual.approximations())
    result.approximations.push_back(line);
  result.approximations.insert(result.approximations.end(), texts.begin(),
                               texts.end());
}

std::optional<Report> Auditor::run(std::string &error) {
  std::optional<Expressions> e = expected.expressions(graph, fixed, error);
  if (!e && !expected.canStillRun())
    return std::nullopt;
  std::optional<Expressions> a;
  if (e)
    a = actual.expressions(graph, fixed, error);
  if (e && !a && !actual.canStillRun())
    return std::nullopt;
  if (!e || !a) {
    std::string reason = std::move(error);
    error.clear();
    return runTests(expected, actual, inputInfo, outputInfo, fixed, maker,
                    options, reason, error);
  }
  collectApproximations();
  expanding.expandTo(expansion());
  for (const TensorInfo &info : outputInfo) {
    OutputReport &report = result.outputs.emplace_back();
    if (!output(info, e->at(info.name), a->at(info.name), report, error))
      return std::nullopt;
  }
  for (size_t k = 0; k < identities; ++k) {
    uint64_t uses = 0;
    for (const Canonical &reading : readings)
      uses += reading.uses()[k];
    if (Identity(k) == Identity::SweptFunction)
      uses += expanding.uses()[k];
    if (Identity(k) == Identity::GuardedRounding)
      uses += guarded.uses();
    if (uses)
      result.identities.emplace_back(info(Identity(k)).name, uses);
  }
  return std::move(result);
}

std::optional<Report> prec::audit::audit(Program &expected, Program &actual,
                                         const std::vector<TensorInfo> &inputs,
                                         const std::vector<TensorInfo> &outputs,
                                         const Values &fixed,
                                         const Options &options,
                                         std::string &error) {
  return Auditor(expected, actual, inputs, outputs, fixed, options).run(error);
}
