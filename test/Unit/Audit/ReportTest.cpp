// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Report.h"

#include <gtest/gtest.h>

using namespace prec::audit;

namespace {

Report example() {
  Report report;
  report.kernel = "k.ptx";
  report.against = "m.mlir";
  OutputReport proven;
  proven.name = "a";
  proven.elements = proven.proven = 8;
  proven.forms = 1;
  OutputReport refuted;
  refuted.name = "b";
  refuted.verdict = Verdict::Refuted;
  refuted.elements = 4;
  refuted.forms = 1;
  refuted.kind = Kind::RoundingLost;
  refuted.explanation = "a rounding is missing";
  refuted.point = "product";
  refuted.location = "m.mlir:3:7";
  refuted.index = {0, 3};
  refuted.inputs = {{"x", {3}, 0x3f81, 16}};
  refuted.inputCount = 1;
  refuted.expected = 0x3f80;
  refuted.actual = 0x3f81;
  refuted.width = 16;
  refuted.expectedText = "e";
  refuted.actualText = "a";
  refuted.confirmation = "both programs were run on this input";
  report.outputs = {proven, refuted};
  report.assumptions = {"something"};
  return report;
}

TEST(Report, Text) {
  EXPECT_EQ(toText(example()),
            "a: proven (8 elements, 1 form)\n"
            "b: refuted (4 elements, 1 form)\n"
            "  rounding-lost: a rounding is missing at the point 'product'\n"
            "  the contract's operation: m.mlir:3:7\n"
            "  b[0, 3]: expected 0x3f80 but got 0x3f81 (both programs were run "
            "on this input)\n"
            "    x[3] = 0x3f81\n"
            "  expected: e\n"
            "  actual:   a\n"
            "assumed: something\n");
}

TEST(Report, Verdict) {
  Report report = example();
  EXPECT_EQ(report.verdict(), Verdict::Refuted);
  report.outputs.pop_back();
  EXPECT_EQ(report.verdict(), Verdict::Proven);
  report.outputs[0].verdict = Verdict::Tested;
  EXPECT_EQ(report.verdict(), Verdict::Tested);
}

TEST(Report, SARIF) {
  std::string text = toSARIF(example());
  for (const char *part :
       {"\"version\": \"2.1.0\"", "\"ruleId\": \"rounding-lost\"",
        "\"level\": \"error\"", "\"uri\": \"m.mlir\"", "\"startLine\": 3",
        "\"startColumn\": 7"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(text.find("\"a: "), std::string::npos);
}

} // namespace
