// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels on vectors of data, for tests.
#ifndef PREC_TEST_UNIT_PTX_KERNELS_H
#define PREC_TEST_UNIT_PTX_KERNELS_H

#include "Files.h"
#include "prec/Numerics/Arithmetic.h"
#include "prec/PTX/Symbolic.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>

/// Element type names of launch descriptions, by the C++ type of their bits.
template <typename T> inline const char *elementName = nullptr;
template <> inline const char *elementName<uint8_t> = "i8";
template <> inline const char *elementName<uint16_t> = "bf16";
template <> inline const char *elementName<int32_t> = "i32";
template <> inline const char *elementName<uint32_t> = "u32";
template <> inline const char *elementName<float> = "f32";
template <> inline const char *elementName<double> = "f64";
template <> inline const char *elementName<uint64_t> = "u64";
template <> inline const char *elementName<int64_t> = "i64";

/// One launch of one kernel; parameters in the order in which they are added.
class Launch {
public:
  Launch(const std::string &text, const std::string &entry) {
    std::vector<prec::ptx::Diagnostic> diagnostics;
    auto parsed = prec::ptx::parse(text, diagnostics);
    for (auto &d : diagnostics)
      ADD_FAILURE() << d.str(entry + ".ptx");
    if (parsed)
      module = std::move(*parsed);
    description.kernels.emplace_back().entry = entry;
  }
  /// A file under test/data/ptx; its only kernel.
  static Launch file(const std::string &name) {
    Launch launch(readPTX(name), "");
    for (auto &item : launch.module.items)
      if (auto *f = std::get_if<prec::ptx::Function>(&item); f && f->entry)
        launch.kernel().entry = f->name;
    return launch;
  }

  prec::launch::Kernel &kernel() { return description.kernels[0]; }
  Launch &shape(int64_t gridX, int64_t blockX) {
    kernel().grid[0] = gridX;
    kernel().block[0] = blockX;
    return *this;
  }
  template <typename T> Launch &in(std::vector<T> &data) {
    return tensor(data, inputs);
  }
  template <typename T> Launch &out(std::vector<T> &data) {
    return tensor(data, outputs);
  }
  template <typename T> Launch &inOut(std::vector<T> &data) {
    std::string name = newName();
    outputs[name + "_out"] = ref(data);
    // The run overwrites the data: what it began with is kept.
    auto initial = std::make_shared<std::vector<T>>(data);
    kept.push_back(initial);
    inputs[name] = ref(*initial);
    kernel().params.push_back(
        prec::launch::Parameter::makeTensor(name, name + "_out"));
    return *this;
  }
  Launch &scalar(const std::string &type, const std::string &value) {
    kernel().params.push_back(prec::launch::Parameter::makeScalar(type, value));
    return *this;
  }
  Launch &null(unsigned count = 1) {
    while (count--)
      kernel().params.push_back(prec::launch::Parameter::makeNull());
    return *this;
  }
  /// Makes the last parameters fields of one struct, at these offsets.
  Launch &pack(unsigned bytes, const std::vector<unsigned> &offsets) {
    auto &params = kernel().params;
    auto first = params.end() - ptrdiff_t(offsets.size());
    std::vector<prec::launch::Parameter> fields;
    for (size_t i = 0; i < offsets.size(); ++i)
      fields.push_back((first + ptrdiff_t(i))->at(offsets[i]));
    params.erase(first, params.end());
    params.push_back(
        prec::launch::Parameter::makeStruct(bytes, std::move(fields)));
    return *this;
  }

  /// Runs; a failure of the run is a failure of the test.
  Launch &run() {
    std::string message = error();
    EXPECT_EQ(message, "");
    return *this;
  }
  /// Runs, expecting an error: "LINE: message".
  std::string error() {
    prec::ptx::Diagnostic diagnostic;
    auto result = prec::ptx::run(module, description, inputs, outputs, {},
                                 options, diagnostic);
    if (!result)
      return std::to_string(diagnostic.location.line) + ": " +
             diagnostic.message;
    report = *result;
    return "";
  }

  /// After a run: the same launch over symbols; every `step`-th element of each
  /// output, evaluated on the inputs, is what the run gave.
  void checkSymbolic(size_t step = 61) {
    auto scratch = outputs;
    std::vector<std::vector<uint8_t>> memory;
    for (auto &[name, tensor] : scratch) {
      memory.emplace_back(tensor.bytes());
      tensor.data = memory.back().data();
    }
    prec::sym::Graph graph;
    prec::ptx::Diagnostic diagnostic;
    auto result = prec::ptx::runSymbolic(module, description, inputs, scratch,
                                         {}, options, graph, diagnostic);
    ASSERT_TRUE(result) << diagnostic.str(kernel().entry);
    for (auto &[name, nodes] : result->outputs) {
      std::vector<prec::sym::Node> roots;
      for (size_t e = 0; e < nodes.size(); e += step)
        roots.push_back(nodes[e]);
      prec::sym::Evaluator evaluate(graph, roots);
      std::vector<uint64_t> leaves;
      for (prec::sym::Node leaf : evaluate.leaves())
        leaves.push_back(element(inputs.at(graph.tensorName(graph[leaf].index)),
                                 graph[leaf].bits));
      auto values = evaluate(leaves);
      const prec::num::Format *format =
          prec::num::findFormat(outputs.at(name).type);
      for (size_t r = 0; r < roots.size(); ++r) {
        uint64_t expected = element(outputs.at(name), r * step);
        bool same = format ? prec::num::sameValue(*format, values[r], expected)
                           : values[r] == expected;
        EXPECT_TRUE(same) << kernel().entry << ": " << name << "[" << r * step
                          << "]: " << std::hex << values[r] << " against "
                          << expected << "\n"
                          << graph.text(roots[r]);
      }
    }
  }

  prec::ptx::Module module;
  prec::launch::Description description;
  std::map<std::string, prec::ptx::TensorRef> inputs, outputs;
  prec::ptx::RunOptions options;
  prec::ptx::RunReport report;

private:
  std::vector<std::shared_ptr<void>> kept;
  std::string newName() const {
    return "t" + std::to_string(inputs.size() + outputs.size());
  }
  static uint64_t element(const prec::ptx::TensorRef &tensor, uint64_t index) {
    unsigned bytes = prec::launch::elementBytes(tensor.type);
    uint64_t value = 0;
    std::memcpy(&value, static_cast<const char *>(tensor.data) + index * bytes,
                bytes);
    return value;
  }
  template <typename T> static prec::ptx::TensorRef ref(std::vector<T> &data) {
    return {data.data(), elementName<T>, {int64_t(data.size())}};
  }
  template <typename T>
  Launch &tensor(std::vector<T> &data,
                 std::map<std::string, prec::ptx::TensorRef> &to) {
    std::string name = newName();
    to[name] = ref(data);
    kernel().params.push_back(prec::launch::Parameter::makeTensor(name));
    return *this;
  }
};

/// bf16 rounding and widening, as tests write formulas.
inline uint16_t R(float value) { return prec::num::roundToBF16(value); }
inline float F(uint16_t bits) { return prec::num::widenBF16(bits); }

/// Data of a normal distribution with some subnormals.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  float value(float scale = 1) {
    float v = normal(engine) * scale;
    if (engine() % 50 == 0)
      v *= 0x1p-130f;
    return v;
  }
  std::vector<uint16_t> bf16(size_t count, float scale = 1) {
    std::vector<uint16_t> out(count);
    for (auto &o : out)
      o = R(value(scale));
    return out;
  }
  std::vector<float> f32(size_t count, float scale = 1) {
    std::vector<float> out(count);
    for (auto &o : out)
      o = value(scale);
    return out;
  }
  uint32_t bits() { return uint32_t(engine()); }

private:
  std::mt19937 engine;
  std::normal_distribution<float> normal;
};

#endif // PREC_TEST_UNIT_PTX_KERNELS_H
