// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: prec-bench-ptx [ROWS]
//
// How fast the PTX evaluator runs kernels of a gated residual of ROWS rows of
// 4 x 2560, and what one row costs over symbols. results.md records it.
#include "prec/PTX/Symbolic.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <sys/resource.h>

using namespace prec;

namespace {
struct Tensor {
  std::string name;
  int64_t columns; ///< elements a row
  bool output;
};

struct Sample {
  const char *file, *entry;
  int64_t gridY, block;
  unsigned nulls;
  std::vector<Tensor> tensors;
};

/// Of this process's processor time: a busy machine does not change it.
double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// One launch over `rows` rows; prints what it took.
bool measure(const Sample &sample, int64_t rows, bool symbolic) {
  std::ifstream file(std::string(PREC_PTX_DATA) + "/" + sample.file + ".ptx");
  std::stringstream text;
  text << file.rdbuf();
  std::vector<ptx::Diagnostic> diagnostics;
  auto module = ptx::parse(text.str(), diagnostics);
  if (!module) {
    std::fprintf(stderr, "%s\n", diagnostics[0].str(sample.file).c_str());
    return false;
  }
  launch::Description description;
  launch::Kernel &kernel = description.kernels.emplace_back();
  kernel.entry = sample.entry;
  kernel.grid = {rows, sample.gridY, 1};
  kernel.block[0] = sample.block;
  std::map<std::string, ptx::TensorRef> inputs, outputs;
  std::vector<std::vector<uint16_t>> memory;
  memory.reserve(sample.tensors.size());
  std::mt19937 random(1);
  for (const Tensor &t : sample.tensors) {
    memory.emplace_back(size_t(rows) * t.columns);
    // bf16 numbers around 1.
    for (uint16_t &bits : memory.back())
      bits = uint16_t(0x3f00 + (random() & 0x80ff));
    ptx::TensorRef ref{memory.back().data(), "bf16", {rows, t.columns}};
    (t.output ? outputs : inputs)[t.name] = ref;
    kernel.params.push_back(launch::Parameter::makeTensor(t.name));
  }
  for (unsigned k = 0; k < sample.nulls; ++k)
    kernel.params.push_back(launch::Parameter::makeNull());

  ptx::Diagnostic error;
  double begin = seconds();
  sym::Graph graph;
  std::optional<ptx::RunReport> report;
  if (symbolic) {
    auto result = ptx::runSymbolic(*module, description, inputs, outputs, {},
                                   {}, graph, error);
    if (result)
      report = std::move(result->report);
  } else {
    report = ptx::run(*module, description, inputs, outputs, {}, {}, error);
  }
  double took = seconds() - begin;
  if (!report) {
    std::fprintf(stderr, "%s\n", error.str(sample.file).c_str());
    return false;
  }
  double count = double(report->kernels[0].counters.threadInstructions());
  if (symbolic) {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%-20s symbolic, 1 row: %.2f s, %zu nodes, peak %ld MiB\n",
                sample.file, took, graph.size(), usage.ru_maxrss / 1024);
  } else {
    std::printf("%-20s %lld rows: %.2f s, %.0f million thread instructions/s\n",
                sample.file, (long long)rows, took, count / took / 1e6);
  }
  return true;
}
} // namespace

int main(int argc, char **argv) {
  int64_t rows = argc > 1 ? std::atoll(argv[1]) : 256;
  if (rows <= 0) {
    std::fprintf(stderr, "usage: prec-bench-ptx [ROWS]\n");
    return 2;
  }
  std::vector<Tensor> mix{
      {"u", 10240, false}, {"xn", 10240, false}, {"y", 2560, true}};
  std::vector<Tensor> writeBack{{"x", 10240, false},
                                {"h", 2560, false},
                                {"c", 4, false},
                                {"out", 10240, true}};
  const Sample samples[] = {
      {"c_a_mix_fwd_pk", "a_mix_fwd_pk", 1, 320, 0, mix},
      {"t_a_mix_fwd_strict", "a_mix_fwd_strict", 5, 64, 2, mix},
      {"c_c_writeback_pk", "c_writeback_pk", 1, 320, 0, writeBack}};
  bool ok = true;
  for (const Sample &sample : samples)
    ok = measure(sample, 1, true) && ok;
  for (const Sample &sample : samples)
    ok = measure(sample, rows, false) && ok;
  return ok ? 0 : 1;
}
