// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runs.h"

#include "prec/Symbolic/Interval.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using num::Format;

/// A run of both programs costs much more than a lane of an expression: as many
/// as keep the elements below a few million, 16 to 256.
static size_t runsFor(const std::vector<TensorInfo> &inputs,
                      const std::vector<TensorInfo> &outputs,
                      const Options &options) {
  uint64_t elements = 1;
  for (const std::vector<TensorInfo> *tensors : {&inputs, &outputs})
    for (const TensorInfo &info : *tensors)
      elements += info.size();
  uint64_t runs = std::clamp<uint64_t>((1 << 20) / elements, 16, 256);
  return std::max<uint64_t>(std::min<uint64_t>(runs, options.tests), 1);
}

namespace {
/// What the runs found about one output.
struct Found {
  uint64_t differing = 0;
  /// Differing elements that approximate instructions may explain, and runs
  /// that have some.
  uint64_t undecidedCount = 0;
  std::vector<std::string> undecided;
  uint64_t element = 0, expected = 0, actual = 0;
  Values inputs; ///< of that run
  /// Whether all differences are between zeros, between a subnormal number and
  /// zero, and between NaN and a number.
  bool zeros = true, flushes = true, nans = true;

  void note(const Format &f, uint64_t e, uint64_t a) {
    zeros &= num::isZero(f, e) && num::isZero(f, a);
    flushes &= num::isSubnormal(f, e) && num::isZero(f, a);
    nans &= num::isNaN(f, e) != num::isNaN(f, a);
  }
};

/// What one element was in the outcomes tried.
class Span {
public:
  void add(const Format *f, uint64_t bits) {
    if (f && num::isNaN(*f, bits)) {
      nan = true;
      return;
    }
    const int64_t at = f ? sym::ordinal(*f, bits) : int64_t(bits);
    lo = std::min(lo, at);
    hi = std::max(hi, at);
  }
  /// Whether some value is between those of each: the two may be equal.
  bool meets(const Span &o) const {
    return (nan && o.nan) || std::max(lo, o.lo) <= std::min(hi, o.hi);
  }

private:
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  bool nan = false;
};
} // namespace

/// Outcomes of approximate instructions that are tried where the correctly
/// rounded ones differ: all lower ends, all upper ends, and each anywhere.
static constexpr uint64_t outcomes = 16;

/// The differing elements of an output that no outcome explains. On failure
/// returns nothing and says why.
static std::optional<std::vector<uint64_t>>
unexplained(Program &expected, Program &actual, const TensorInfo &info,
            const Values &inputs, std::vector<uint64_t> differing,
            std::string &error) {
  std::map<uint64_t, std::array<Span, 2>> spans;
  for (uint64_t outcome = 0; outcome <= outcomes && !differing.empty();
       ++outcome) {
    std::optional<Values> right = expected.runWithin(inputs, outcome, error);
    if (!right)
      return std::nullopt;
    std::optional<Values> got = actual.runWithin(inputs, outcome, error);
    if (!got)
      return std::nullopt;
    auto isExplained = [&](uint64_t i) {
      auto &[e, a] = spans[i];
      e.add(info.format(), right->at(info.name)[i]);
      a.add(info.format(), got->at(info.name)[i]);
      return e.meets(a);
    };
    differing.erase(
        std::remove_if(differing.begin(), differing.end(), isExplained),
        differing.end());
  }
  return differing;
}

static void refute(OutputReport &report, const TensorInfo &info,
                   const std::vector<TensorInfo> &inputs, const Found &found,
                   bool isOrdered, bool isExact) {
  report.verdict = Verdict::Refuted;
  report.width = info.format() ? info.format()->width() : 64;
  report.index = info.index(found.element);
  report.expected = found.expected;
  report.actual = found.actual;
  report.confirmation = "both programs were run on this input";
  const bool isFloat = info.format() != nullptr;
  if (isFloat && found.flushes) {
    report.kind = Kind::SubnormalFlush;
    report.explanation = "subnormal numbers are flushed to zero";
  } else if (isFloat && found.zeros) {
    report.kind = Kind::SignedZero;
    report.explanation = "zeros of the wrong sign";
  } else if (isFloat && found.nans) {
    report.kind = Kind::NaN;
    report.explanation = "NaN is treated differently";
  } else if (!isOrdered) {
    report.kind = Kind::Reassociation;
    report.explanation = "a sum of no defined order, taken in one";
  } else {
    report.explanation = "found by running both programs; what happened in "
                         "between is not known";
  }
  if (!isExact)
    report.explanation +=
        "; approximate instructions were taken as correctly rounded, and " +
        std::to_string(outcomes) +
        " other outcomes within their bounds explain it neither";
  // The first elements of each input: which of them matter is not known.
  for (const TensorInfo &tensor : inputs) {
    if (!tensor.isSymbolic())
      continue;
    const std::vector<uint64_t> &values = found.inputs.at(tensor.name);
    report.inputCount += values.size();
    for (uint64_t k = 0; k < std::min<uint64_t>(values.size(), 32); ++k)
      report.inputs.push_back(
          {tensor.name, tensor.index(k), values[k], tensor.format()->width()});
  }
}

std::optional<Report> prec::audit::runTests(
    Program &expected, Program &actual, const std::vector<TensorInfo> &inputs,
    const std::vector<TensorInfo> &outputs, const Values &fixed, Inputs &maker,
    const Options &options, const std::string &reason, std::string &error) {
  const size_t runs = runsFor(inputs, outputs, options);
  std::map<std::string, Found> found;
  auto approximations = [&] {
    std::vector<std::string> lines = expected.approximations();
    for (const std::string &line : actual.approximations())
      lines.push_back(line);
    return lines;
  };
  for (size_t run = 0; run < runs; ++run) {
    Values values = fixed;
    for (const TensorInfo &info : inputs)
      if (info.isSymbolic())
        values[info.name] =
            maker.tensor(*info.format(), info.size(), run, runs);
    std::optional<Values> right = expected.run(values, error);
    if (!right)
      return std::nullopt;
    std::optional<Values> got = actual.run(values, error);
    if (!got)
      return std::nullopt;
    for (const TensorInfo &info : outputs) {
      const std::vector<uint64_t> &e = right->at(info.name),
                                  &a = got->at(info.name);
      Found &f = found[info.name];
      std::vector<uint64_t> differing;
      for (uint64_t i = 0; i < e.size(); ++i)
        if (!same(info.format(), e[i], a[i]))
          differing.push_back(i);
      const size_t all = differing.size();
      // One difference that nothing explains is enough.
      if (all && f.differing == 0 && !approximations().empty()) {
        auto rest =
            unexplained(expected, actual, info, values, differing, error);
        if (!rest)
          return std::nullopt;
        differing = std::move(*rest);
        if (differing.size() < all && f.undecided.size() < 8)
          f.undecided.push_back("run " + std::to_string(run));
        f.undecidedCount += all - differing.size();
      }
      for (uint64_t i : differing) {
        if (info.format())
          f.note(*info.format(), e[i], a[i]);
        // The first runs have the plainest inputs.
        if (f.differing++ == 0) {
          f.element = i;
          f.expected = e[i];
          f.actual = a[i];
          f.inputs = values;
        }
      }
    }
  }
  Report report;
  report.approximations = approximations();
  for (const std::string &line : actual.unordered())
    report.assumptions.push_back(
        line + " adds in the order of the threads, or of ascending k: the ISA "
               "defines none, and others may give other bits");
  const bool isExact = report.approximations.empty();
  for (const TensorInfo &info : outputs) {
    OutputReport &output = report.outputs.emplace_back();
    const Found &f = found[info.name];
    output.name = info.name;
    output.elements = info.size();
    output.seed = options.seed;
    output.reason = reason;
    output.inputsTried = runs;
    if (f.differing) {
      refute(output, info, inputs, f, actual.unordered().empty(), isExact);
      continue;
    }
    output.verdict = Verdict::Tested;
    output.coverage =
        "all elements in " + std::to_string(runs) +
        " runs of both programs: half of them on numbers of ordinary size, a "
        "quarter on any bits, a quarter with zeros, subnormals, the ends of "
        "the range, infinities and NaN";
    output.undecided = f.undecidedCount;
    output.undecidedInputs = f.undecided;
  }
  return report;
}
