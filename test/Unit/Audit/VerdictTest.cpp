// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts and kinds on small programs that are expressions themselves.
#include "prec/Audit/Audit.h"

#include <gtest/gtest.h>

using namespace prec;
using namespace prec::audit;
using sym::FormatId;
using sym::Graph;
using sym::Node;
using sym::Op;

namespace {

/// One output element from the first elements of the inputs.
using Make = std::function<Node(Graph &, const std::vector<Node> &)>;

class Formula final : public Program {
public:
  Formula(std::vector<TensorInfo> inputs, Make make)
      : inputs(std::move(inputs)), make(std::move(make)) {}

  std::optional<Expressions> expressions(Graph &graph, const Values &,
                                         std::string &) override {
    std::vector<Node> leaves;
    for (const TensorInfo &info : inputs)
      leaves.push_back(
          graph.leaf(graph.tensor(info.name, info.format()->width()), 0));
    return Expressions{{"out", {make(graph, leaves)}}};
  }
  std::optional<Values> run(const Values &values, std::string &error) override {
    Graph graph;
    Node n = expressions(graph, {}, error)->at("out")[0];
    sym::Evaluator evaluate(graph, {n});
    std::vector<uint64_t> bits;
    for (Node leaf : evaluate.leaves())
      bits.push_back(values.at(graph.tensorName(graph[leaf].index))[0]);
    return Values{{"out", evaluate(bits)}};
  }

private:
  std::vector<TensorInfo> inputs;
  Make make;
};

std::vector<TensorInfo> inputs(unsigned count, const std::string &type) {
  std::vector<TensorInfo> out;
  for (unsigned k = 0; k < count; ++k)
    out.push_back({std::string(1, char('x' + k)), type, {1}, false});
  return out;
}

OutputReport judge(unsigned count, const std::string &in,
                   const std::string &out, Make expected, Make actual,
                   bool allPairs = false) {
  std::vector<TensorInfo> infos = inputs(count, in);
  Formula e(infos, std::move(expected)), a(infos, std::move(actual));
  Options options;
  options.allPairs = allPairs;
  std::string error;
  std::optional<Report> report =
      audit::audit(e, a, infos, {{"out", out, {1}, false}}, {}, options, error);
  EXPECT_TRUE(report) << error;
  return report ? report->outputs[0] : OutputReport();
}

using Leaves = const std::vector<Node> &;
constexpr FormatId f32 = FormatId::F32, bf16 = FormatId::BF16;

Node w(Graph &g, Node x) { return g.convert(bf16, f32, x); }
Node r(Graph &g, Node x, num::Rounding mode = num::Rounding::NearestEven) {
  return g.convert(f32, bf16, x, mode);
}
Node add(Graph &g, Node a, Node b, uint8_t flags = 0) {
  return g.arithmetic(Op::Add, f32, a, b, 0, num::Rounding::NearestEven, flags);
}
Node mul(Graph &g, Node a, Node b, uint8_t flags = 0) {
  return g.arithmetic(Op::Mul, f32, a, b, 0, num::Rounding::NearestEven, flags);
}

/// R(x + R(y * z)).
Node writeBack(Graph &g, Leaves x) {
  return r(g, add(g, w(g, x[0]), w(g, r(g, mul(g, w(g, x[1]), w(g, x[2]))))));
}

TEST(Verdict, ProvenByNativeOperations) {
  EXPECT_EQ(judge(3, "bf16", "bf16", writeBack,
                  [](Graph &g, Leaves x) {
                    return g.arithmetic(Op::Add, bf16,
                                        g.arithmetic(Op::Mul, bf16, x[2], x[1]),
                                        x[0]);
                  })
                .verdict,
            Verdict::Proven);
}

TEST(Verdict, RoundingLost) {
  OutputReport o = judge(3, "bf16", "bf16", writeBack, [](Graph &g, Leaves x) {
    return r(g, g.arithmetic(Op::Fma, f32, w(g, x[1]), w(g, x[2]), w(g, x[0])));
  });
  EXPECT_EQ(o.verdict, Verdict::Refuted);
  EXPECT_EQ(o.kind, Kind::RoundingLost);
  EXPECT_NE(o.expected, o.actual);
  EXPECT_EQ(o.inputs.size(), 3u);
}

TEST(Verdict, RoundingAdded) {
  OutputReport o = judge(
      3, "bf16", "bf16",
      [](Graph &g, Leaves x) {
        return r(g, add(g, w(g, x[0]), mul(g, w(g, x[1]), w(g, x[2]))));
      },
      writeBack);
  EXPECT_EQ(o.kind, Kind::RoundingAdded);
}

TEST(Verdict, RoundingMoved) {
  OutputReport o = judge(
      3, "bf16", "f32",
      [](Graph &g, Leaves x) {
        return mul(g, w(g, r(g, mul(g, w(g, x[0]), w(g, x[1])))), w(g, x[2]));
      },
      [](Graph &g, Leaves x) {
        return w(g, r(g, mul(g, mul(g, w(g, x[0]), w(g, x[1])), w(g, x[2]))));
      });
  EXPECT_EQ(o.kind, Kind::RoundingMoved);
}

TEST(Verdict, WrongRoundingMode) {
  OutputReport o = judge(3, "bf16", "bf16", writeBack, [](Graph &g, Leaves x) {
    return r(g, add(g, w(g, x[0]),
                    w(g, r(g, mul(g, w(g, x[1]), w(g, x[2])),
                           num::Rounding::TowardZero))));
  });
  EXPECT_EQ(o.kind, Kind::WrongRoundingMode);
  EXPECT_EQ(o.explanation, "rounds toward zero");
}

TEST(Verdict, DoubleRounding) {
  auto sum = [](Graph &g, Leaves x) {
    return g.arithmetic(Op::Add, FormatId::F64,
                        g.convert(f32, FormatId::F64, x[0]),
                        g.convert(f32, FormatId::F64, x[1]));
  };
  // f64 to f16 at once, and by way of bf16.
  OutputReport o = judge(
      2, "f32", "f16",
      [=](Graph &g, Leaves x) {
        return g.convert(FormatId::F64, FormatId::F16, sum(g, x));
      },
      [=](Graph &g, Leaves x) {
        Node once = g.convert(FormatId::F64, bf16, sum(g, x));
        return g.convert(f32, FormatId::F16, w(g, once));
      });
  EXPECT_EQ(o.verdict, Verdict::Refuted);
  EXPECT_EQ(o.kind, Kind::DoubleRounding) << name(o.kind);
}

TEST(Verdict, Contraction) {
  OutputReport o = judge(
      3, "f32", "f32",
      [](Graph &g, Leaves x) { return add(g, mul(g, x[0], x[1]), x[2]); },
      [](Graph &g, Leaves x) {
        return g.arithmetic(Op::Fma, f32, x[0], x[1], x[2]);
      });
  EXPECT_EQ(o.kind, Kind::Contraction);
}

TEST(Verdict, ContractionThatPtxasMayDo) {
  OutputReport o = judge(
      3, "f32", "f32",
      [](Graph &g, Leaves x) { return add(g, mul(g, x[0], x[1]), x[2]); },
      [](Graph &g, Leaves x) {
        return add(g, mul(g, x[0], x[1], sym::Contractible), x[2],
                   sym::Contractible);
      });
  EXPECT_EQ(o.verdict, Verdict::Refuted);
  EXPECT_EQ(o.kind, Kind::Contraction);
  // Not where the product is exact (f16) ...
  auto f16Sum = [](uint8_t flags) {
    return [=](Graph &g, Leaves x) {
      auto wide = [&](Node n) { return g.convert(FormatId::F16, f32, n); };
      return add(g, mul(g, wide(x[0]), wide(x[1]), flags), wide(x[2]), flags);
    };
  };
  EXPECT_EQ(
      judge(3, "f16", "f32", f16Sum(0), f16Sum(sym::Contractible)).verdict,
      Verdict::Proven);
  // ... nor where only one of both lacks its rounding.
  EXPECT_EQ(
      judge(
          3, "f32", "f32",
          [](Graph &g, Leaves x) { return add(g, mul(g, x[0], x[1]), x[2]); },
          [](Graph &g, Leaves x) {
            return add(g, mul(g, x[0], x[1]), x[2], sym::Contractible);
          })
          .verdict,
      Verdict::Proven);
}

TEST(Verdict, Reassociation) {
  OutputReport o = judge(
      3, "f32", "f32",
      [](Graph &g, Leaves x) { return add(g, add(g, x[0], x[1]), x[2]); },
      [](Graph &g, Leaves x) { return add(g, x[0], add(g, x[1], x[2])); });
  EXPECT_EQ(o.kind, Kind::Reassociation);
  EXPECT_EQ(o.expectedText, "(z[0] + (x[0] + y[0]))");
  EXPECT_EQ(o.actualText, "(x[0] + (y[0] + z[0]))");
}

TEST(Verdict, SubnormalFlush) {
  OutputReport o = judge(
      2, "f32", "f32", [](Graph &g, Leaves x) { return mul(g, x[0], x[1]); },
      [](Graph &g, Leaves x) {
        auto flush = [&](Node n) { return g.modify(Op::Flush, f32, n); };
        return flush(mul(g, flush(x[0]), flush(x[1])));
      });
  EXPECT_EQ(o.kind, Kind::SubnormalFlush);
}

TEST(Verdict, NaNAndSignedZero) {
  OutputReport nan = judge(
      2, "f32", "f32",
      [](Graph &g, Leaves x) {
        return g.arithmetic(Op::Maximum, f32, x[0], x[1]);
      },
      [](Graph &g, Leaves x) {
        return g.arithmetic(Op::MaxNum, f32, x[0], x[1]);
      });
  EXPECT_EQ(nan.kind, Kind::NaN);
  OutputReport zero = judge(
      2, "f32", "f32", [](Graph &g, Leaves x) { return mul(g, x[0], x[1]); },
      [](Graph &g, Leaves x) {
        return add(g, mul(g, x[0], x[1]), g.constant(0, 32));
      });
  EXPECT_EQ(zero.kind, Kind::SignedZero);
}

TEST(Verdict, WrongFunction) {
  OutputReport o = judge(
      1, "bf16", "bf16",
      [](Graph &g, Leaves x) {
        return r(g, g.function(sym::FunctionId::Exp, f32, w(g, x[0])));
      },
      [](Graph &g, Leaves x) {
        return r(g, g.function(sym::FunctionId::Expm1, f32, w(g, x[0])));
      });
  EXPECT_EQ(o.kind, Kind::WrongFunction);
}

TEST(Verdict, ApproximationsLeaveInputsUndecided) {
  OutputReport o = judge(
      1, "bf16", "bf16",
      [](Graph &g, Leaves x) {
        return r(g, g.function(sym::FunctionId::Exp2, f32, w(g, x[0])));
      },
      [](Graph &g, Leaves x) {
        return r(g, g.function(sym::FunctionId::Exp2, f32, w(g, x[0]),
                               sym::Approximate));
      });
  EXPECT_EQ(o.verdict, Verdict::Tested);
  EXPECT_GT(o.undecided, 0u);
  EXPECT_LT(o.undecided, 1000u);
}

/// 1 / (1 + |x|) by an approximate reciprocal, as it is or refined: what is off
/// by one unit then is the same whatever the instruction gives, which the bounds
/// of the parts do not say.
OutputReport judgeReciprocal(bool refined) {
  auto one = [](Graph &g) { return g.constant(0x3f800000, 32); };
  auto sum = [=](Graph &g, Leaves x) {
    // Of at most 1, or NaN.
    Node least = g.arithmetic(Op::Minimum, f32, g.abs(w(g, x[0])), one(g));
    return add(g, least, one(g));
  };
  return judge(
      1, "bf16", "f32",
      [=](Graph &g, Leaves x) {
        return g.arithmetic(Op::Div, f32, one(g), sum(g, x));
      },
      [=](Graph &g, Leaves x) {
        Node s = sum(g, x);
        Node y = g.arithmetic(Op::Div, f32, one(g), s, 0, {},
                              sym::Approximate | sym::Reciprocal);
        if (!refined)
          return y;
        Node error = g.arithmetic(Op::Fma, f32, g.neg(s), y, one(g));
        return g.arithmetic(Op::Fma, f32, error, y, y);
      });
}

TEST(Verdict, ErrorsThatCancelAreFollowed) {
  EXPECT_EQ(judgeReciprocal(true).verdict, Verdict::Proven);
}

TEST(Verdict, OutcomesThatDifferAreUndecided) {
  OutputReport o = judgeReciprocal(false);
  EXPECT_EQ(o.verdict, Verdict::Tested);
  EXPECT_GT(o.undecided, 0u);
  EXPECT_FALSE(o.undecidedInputs.empty());
}

TEST(Verdict, ApproximateDivisionsAreNotOne) {
  // 1 / (x + 1) by two instructions: of one name in the graph, of other bounds.
  auto make = [](uint8_t flags) {
    return [flags](Graph &g, Leaves x) {
      Node one = g.constant(0x3f800000, 32);
      return g.arithmetic(Op::Div, f32, one, add(g, w(g, x[0]), one), 0, {},
                          sym::Approximate | flags);
    };
  };
  OutputReport same =
      judge(1, "bf16", "f32", make(sym::Reciprocal), make(sym::Reciprocal));
  EXPECT_EQ(same.verdict, Verdict::Proven);
  OutputReport other =
      judge(1, "bf16", "f32", make(sym::Reciprocal), make(sym::FullRange));
  EXPECT_NE(other.verdict, Verdict::Proven);
}

TEST(Verdict, TheSameApproximationIsTheSameExpression) {
  auto make = [](Graph &g, Leaves x) {
    return g.function(sym::FunctionId::Exp2, f32, x[0], sym::Approximate);
  };
  EXPECT_EQ(judge(1, "f32", "f32", make, make).verdict, Verdict::Proven);
}

/// x + y rounded to the 8-bit format, and the same by other means: a sum that
/// changes its operands' order by a choice, through an operation without a
/// name.
constexpr FormatId f8 = FormatId::F8E5M2;
Node sum8(Graph &g, Leaves x) {
  return g.convert(f32, f8,
                   add(g, g.convert(f8, f32, x[0]), g.convert(f8, f32, x[1])));
}
Node otherSum8(Graph &g, Leaves x, uint64_t wrongAt = 0x10000) {
  Node a = g.convert(f8, f32, x[0]), b = g.convert(f8, f32, x[1]);
  Node p = g.compare(f32, 1, a, b);
  Node s = g.convert(f32, f8, g.arithmetic(Op::Sub, f32, a, g.neg(b)));
  Node t = g.opaque(
      "same" + std::to_string(wrongAt), 8,
      [=](uint64_t v, uint64_t x, uint64_t y) {
        return (x << 8 | y) == wrongAt ? v ^ 1 : v;
      },
      s, x[0], x[1]);
  return g.choice(p, s, t);
}

TEST(Verdict, AllPairs) {
  auto actual = [](Graph &g, Leaves x) { return otherSum8(g, x); };
  EXPECT_EQ(judge(2, "f8E5M2", "f8E5M2", sum8, actual).verdict,
            Verdict::Tested);
  EXPECT_EQ(judge(2, "f8E5M2", "f8E5M2", sum8, actual, true).verdict,
            Verdict::Proven);
}

TEST(Verdict, AllPairsOfASubexpression) {
  // The sum, times a third value.
  auto times = [](Graph &g, Node sum, Node z) {
    return mul(g, g.convert(f8, f32, sum), g.convert(f8, f32, z));
  };
  auto expected = [&](Graph &g, Leaves x) {
    return times(g, sum8(g, x), x[2]);
  };
  auto actual = [&](Graph &g, Leaves x) {
    return times(g, otherSum8(g, x), x[2]);
  };
  EXPECT_EQ(judge(3, "f8E5M2", "f32", expected, actual).verdict,
            Verdict::Tested);
  EXPECT_EQ(judge(3, "f8E5M2", "f32", expected, actual, true).verdict,
            Verdict::Proven);
  // One pair of 65,536 differs: not proven, whether it is found or not.
  auto wrong = [&](Graph &g, Leaves x) {
    return times(g, otherSum8(g, x, 0x403b), x[2]);
  };
  EXPECT_NE(judge(3, "f8E5M2", "f32", expected, wrong, true).verdict,
            Verdict::Proven);
}

TEST(Verdict, ARoundingOfASumWithZero) {
  // +0 + p is a number of p's format: its rounding changes nothing.
  auto start = [](Graph &g, Leaves x) {
    Node p = w(g, r(g, mul(g, w(g, x[0]), w(g, x[1]))));
    return add(g, g.constant(0, 32), p);
  };
  OutputReport o = judge(
      3, "bf16", "bf16",
      [&](Graph &g, Leaves x) {
        return r(g, add(g, w(g, r(g, start(g, x))), w(g, x[2])));
      },
      [&](Graph &g, Leaves x) {
        return r(g, add(g, start(g, x), w(g, x[2])));
      });
  EXPECT_EQ(o.verdict, Verdict::Proven);
}

TEST(Verdict, ElementsThatAreNotWritten) {
  std::vector<TensorInfo> infos = inputs(1, "f32");
  Formula e(infos, [](Graph &, Leaves x) { return x[0]; });
  Formula a(infos, [](Graph &g, Leaves) { return g.undefined(32); });
  std::string error;
  EXPECT_FALSE(
      audit::audit(e, a, infos, {{"out", "f32", {1}, false}}, {}, {}, error));
  EXPECT_EQ(error, "error: the kernel does not write element [0] of 'out'");
}

/// What it does is not what it says.
class Liar final : public Program {
public:
  Liar(Formula said, Formula done)
      : said(std::move(said)), done(std::move(done)) {}
  std::optional<Expressions> expressions(Graph &graph, const Values &fixed,
                                         std::string &error) override {
    return said.expressions(graph, fixed, error);
  }
  std::optional<Values> run(const Values &values, std::string &error) override {
    return done.run(values, error);
  }

private:
  Formula said, done;
};

TEST(Verdict, ADifferenceThatIsNotThere) {
  std::vector<TensorInfo> infos = inputs(1, "f32");
  Formula same(infos, [](Graph &, Leaves x) { return x[0]; });
  Formula other(infos, [](Graph &g, Leaves x) { return add(g, x[0], x[0]); });
  Liar liar(other, same);
  std::string error;
  EXPECT_FALSE(audit::audit(same, liar, infos, {{"out", "f32", {1}, false}}, {},
                            {}, error));
  EXPECT_EQ(error, "error: the difference found for element [0] of 'out' is "
                   "not there when the programs run");
}

/// A value that approximate instructions give, which symbols cannot follow.
class Approximate final : public Program {
public:
  Approximate(std::array<float, 3> outcomes) : outcomes(outcomes) {}
  std::optional<Expressions> expressions(Graph &, const Values &,
                                         std::string &error) override {
    error = "k.ptx:1:2: error: a loop";
    return std::nullopt;
  }
  bool canStillRun() const override { return true; }
  std::optional<Values> run(const Values &values, std::string &error) override {
    return runWithin(values, 0, error);
  }
  std::optional<Values> runWithin(const Values &, uint64_t outcome,
                                  std::string &) override {
    return Values{
        {"out",
         {num::bitCast<uint32_t>(outcomes[std::min<uint64_t>(outcome, 2)])}}};
  }
  std::vector<std::string> approximations() const override {
    return {"k.ptx:1: ex2.approx.f32"};
  }

private:
  std::array<float, 3> outcomes;
};

TEST(Verdict, OutcomesOfApproximationsOnValues) {
  std::vector<TensorInfo> infos = inputs(1, "f32");
  auto judge = [&](std::array<float, 3> outcomes) {
    Formula one(infos, [](Graph &g, Leaves) {
      return g.constant(num::bitCast<uint32_t>(1.0f), 32);
    });
    Approximate kernel(outcomes);
    std::string error;
    std::optional<Report> report = audit::audit(
        one, kernel, infos, {{"out", "f32", {1}, false}}, {}, {}, error);
    EXPECT_TRUE(report) << error;
    return report->outputs[0];
  };
  // The wanted value is between two outcomes, or one of them.
  EXPECT_EQ(judge({1.5f, 0.5f, 2}).verdict, Verdict::Tested);
  EXPECT_EQ(judge({1.5f, 1, 2}).undecided, 256u);
  EXPECT_EQ(judge({1, 0.5f, 2}).undecided, 0u);
  // It is beyond all of them, however seldom that is.
  OutputReport o = judge({1.5f, 1.25f, 2});
  EXPECT_EQ(o.verdict, Verdict::Refuted);
  EXPECT_EQ(o.explanation,
            "found by running both programs; what happened in between is not "
            "known; approximate instructions were taken as correctly rounded, "
            "and 16 other outcomes within their bounds explain it neither");
}

} // namespace
