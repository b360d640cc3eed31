// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an audit finds, and its three written forms.
#ifndef PREC_AUDIT_REPORT_H
#define PREC_AUDIT_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace prec::audit {

enum class Verdict {
  Proven, ///< for every input, at these shapes
  Tested, ///< no difference found on some inputs
  Refuted ///< an input is known on which they differ
};
const char *name(Verdict verdict);

enum class Kind {
  RoundingLost,
  RoundingAdded,
  RoundingMoved,
  WrongRoundingMode,
  DoubleRounding,
  Contraction,
  Reassociation,
  WrongFunction,
  SubnormalFlush,
  NaN,
  SignedZero,
  Other
};
const char *name(Kind kind);

/// An element of an input and its bits.
struct Assignment {
  std::string tensor;
  std::vector<int64_t> index;
  uint64_t bits = 0;
  unsigned width = 0;
};

/// The verdict on one output.
struct OutputReport {
  std::string name;
  Verdict verdict = Verdict::Proven;
  uint64_t elements = 0;
  /// How many of them are proven equal; the others are tested, or, if refuted,
  /// not looked at any further.
  uint64_t proven = 0;
  /// How many different expressions all elements are, up to their indices.
  uint64_t forms = 0;

  // Tested.
  /// Why only runs on values could be compared; else empty.
  std::string reason;
  uint64_t inputsTried = 0, seed = 0;
  /// Inputs that the bounds of approximate instructions leave undecided, of
  /// how many.
  uint64_t undecided = 0;
  std::vector<std::string> undecidedInputs; ///< the first few
  std::string coverage;

  // Tested and refuted: of the instruction from which on the kernel computes
  // something else, "FILE:LINE" of the PTX and of what it was compiled from; or
  // empty.
  std::string kernelLocation, kernelSource;

  // Refuted.
  Kind kind = Kind::Other;
  std::string point;    ///< the named point (prec.observe), or empty
  std::string location; ///< of the operation whose rounding it is, or empty
  std::string explanation;
  std::vector<int64_t> index;
  std::vector<Assignment> inputs;
  uint64_t inputCount = 0; ///< of all that the element depends on
  uint64_t expected = 0, actual = 0;
  unsigned width = 0;
  /// Reassociation: both trees. Else both expressions, shortened.
  std::string expectedText, actualText;
  /// How the difference was confirmed.
  std::string confirmation;
};

struct Report {
  std::string kernel, against;
  std::vector<OutputReport> outputs;
  std::vector<std::string> assumptions, approximations;
  /// Names of the identities used, with how often.
  std::vector<std::pair<std::string, uint64_t>> identities;

  /// The worst verdict.
  Verdict verdict() const;
};

/// "[1, 2]"
std::string textOf(const std::vector<int64_t> &index);
/// "0x3f80", with as many digits as the width has.
std::string hexOf(uint64_t bits, unsigned width);

std::string toText(const Report &report);
std::string toJSON(const Report &report);
/// SARIF 2.1.0: a result for each output that is not proven.
std::string toSARIF(const Report &report);

} // namespace prec::audit

#endif // PREC_AUDIT_REPORT_H
