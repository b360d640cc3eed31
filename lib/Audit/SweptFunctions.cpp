// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SweptFunctions.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/DoubleFloatExpansion.h"
#include "prec/Numerics/MathExpansion.h"

using namespace prec;
using audit::Expansion;
using sym::FormatId;
using sym::Graph;
using sym::Node;
using sym::Op;

namespace {

/// A number or bits as an expression.
template <FormatId format> struct Value {
  Graph *graph;
  Node node;
};
using F32 = Value<FormatId::F32>;
using F64 = Value<FormatId::F64>;
template <unsigned width> struct Bits {
  Graph *graph;
  Node node;
};
struct Bool {
  Graph *graph;
  Node node;
};

template <FormatId f> Value<f> arithmetic(Op op, Value<f> x, Value<f> y) {
  return {x.graph, x.graph->arithmetic(op, f, x.node, y.node)};
}
template <FormatId f> Value<f> operator+(Value<f> x, Value<f> y) {
  return arithmetic(Op::Add, x, y);
}
template <FormatId f> Value<f> operator-(Value<f> x, Value<f> y) {
  return arithmetic(Op::Sub, x, y);
}
template <FormatId f> Value<f> operator*(Value<f> x, Value<f> y) {
  return arithmetic(Op::Mul, x, y);
}
template <FormatId f> Value<f> operator/(Value<f> x, Value<f> y) {
  return arithmetic(Op::Div, x, y);
}
template <FormatId f> Value<f> operator-(Value<f> x) {
  return {x.graph, x.graph->neg(x.node)};
}
template <FormatId f>
Bool compare(num::Ordering ordering, Value<f> x, Value<f> y) {
  return {x.graph,
          x.graph->compare(f, 1u << unsigned(ordering), x.node, y.node)};
}
template <FormatId f> Bool operator<(Value<f> x, Value<f> y) {
  return compare(num::Ordering::Less, x, y);
}
template <FormatId f> Bool operator==(Value<f> x, Value<f> y) {
  return compare(num::Ordering::Equal, x, y);
}
template <unsigned w> Bits<w> operator&(Bits<w> x, Bits<w> y) {
  return {x.graph, x.graph->logic(Op::And, x.node, y.node)};
}
template <unsigned w> Bits<w> operator|(Bits<w> x, Bits<w> y) {
  return {x.graph, x.graph->logic(Op::Or, x.node, y.node)};
}
template <unsigned w> Bits<w> operator^(Bits<w> x, Bits<w> y) {
  return {x.graph, x.graph->logic(Op::Xor, x.node, y.node)};
}

template <unsigned w> Bool operator==(Bits<w> x, Bits<w> y) {
  return {x.graph, x.graph->equal(x.node, y.node)};
}

/// Integer arithmetic, which the graph does not know, under its names in PTX.
Bits<32> operator+(Bits<32> x, Bits<32> y) {
  auto add = [](uint64_t a, uint64_t b, uint64_t) { return a + b; };
  return {x.graph, x.graph->opaque("add.s32/0", 32, add, x.node, y.node)};
}
Bits<32> operator-(Bits<32> x, Bits<32> y) {
  auto subtract = [](uint64_t a, uint64_t b, uint64_t) { return a - b; };
  return {x.graph, x.graph->opaque("sub.s32/0", 32, subtract, x.node, y.node)};
}

/// The builder of MathExpansion.h and DoubleFloatExpansion.h, as far as what
/// sweptFunction expands needs it.
struct GraphBuilder {
  using F32 = ::F32;
  using F64 = ::F64;
  using I32 = Bits<32>;
  using I64 = Bits<64>;
  using Bool = ::Bool;

  Graph &graph;

  F32 f32(float value) {
    return {&graph, graph.constant(num::bitCast<uint32_t>(value), 32)};
  }
  F64 f64(double value) {
    return {&graph, graph.constant(num::bitCast<uint64_t>(value), 64)};
  }
  I32 i32(uint32_t value) { return {&graph, graph.constant(value, 32)}; }
  I64 i64(uint64_t value) { return {&graph, graph.constant(value, 64)}; }

  F64 fma(F64 x, F64 y, F64 z) {
    return {&graph,
            graph.arithmetic(Op::Fma, FormatId::F64, x.node, y.node, z.node)};
  }
  F32 fma(F32 x, F32 y, F32 z) {
    return {&graph,
            graph.arithmetic(Op::Fma, FormatId::F32, x.node, y.node, z.node)};
  }
  F32 minimumNumber(F32 x, F32 y) {
    return {&graph,
            graph.arithmetic(Op::MinNum, FormatId::F32, x.node, y.node)};
  }
  F32 sqrt(F32 x) {
    return {&graph, graph.arithmetic(Op::Sqrt, FormatId::F32, x.node)};
  }
  template <typename T> T select(Bool condition, T x, T y) {
    return {&graph, graph.choice(condition.node, x.node, y.node)};
  }
  F64 extend(F32 x) {
    return {&graph, graph.convert(FormatId::F32, FormatId::F64, x.node)};
  }
  F32 truncate(F64 x) {
    return {&graph, graph.convert(FormatId::F64, FormatId::F32, x.node)};
  }
  I32 bits(F32 x) { return {&graph, x.node}; }
  I64 bits(F64 x) { return {&graph, x.node}; }
  F32 float32(I32 x) { return {&graph, x.node}; }
  F64 float64(I64 x) { return {&graph, x.node}; }
  template <unsigned w> Bits<w> shiftLeft(Bits<w> x, unsigned amount) {
    return {&graph, graph.shiftLeft(x.node, amount)};
  }
  I32 signMask(I32 x) { return {&graph, graph.shiftRight(x.node, 31, true)}; }
};

/// `Expansions` of a function.
template <template <typename> class Expansions>
Node expand(Graph &graph, sym::FunctionId function, Node x) {
  GraphBuilder builder{graph};
  Expansions<GraphBuilder> functions(builder);
  F32 value{&graph, x};
  switch (function) {
  case sym::FunctionId::Exp:
    return functions.exp(value).node;
  case sym::FunctionId::Expm1:
    return functions.expm1(value).node;
  case sym::FunctionId::Tanh:
    return functions.tanh(value).node;
  case sym::FunctionId::Erf:
    return functions.erf(value).node;
  case sym::FunctionId::Rsqrt:
    return functions.rsqrt(value).node;
  default:
    return 0;
  }
}

} // namespace

Node audit::sweptFunction(Graph &graph, sym::FunctionId function, Node x,
                          Expansion expansion) {
  if (expansion == Expansion::None)
    return 0;
  return expansion == Expansion::F64
             ? expand<num::expand::Functions>(graph, function, x)
             : expand<num::expand::DoubleFloatFunctions>(graph, function, x);
}
