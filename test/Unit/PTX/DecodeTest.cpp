// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Kernels.h"
#include "lib/PTX/Program.h"

using namespace prec::ptx;

/// Every kernel of the samples is understood, but for the one instruction
/// family that is not evaluated.
TEST(PTXDecode, EveryKernel) {
  for (const auto &path : ptxFiles()) {
    std::vector<Diagnostic> diagnostics;
    auto m = parse(readFile(path), diagnostics);
    ASSERT_TRUE(m);
    for (auto &item : m->items) {
      auto *f = std::get_if<Function>(&item);
      if (!f || !f->entry)
        continue;
      Diagnostic error;
      bool ok = decode(*m, f->name, error).has_value();
      if (path.stem() == "x_t_matmul_sm90")
        EXPECT_EQ(error.message,
                  "unsupported instruction 'wgmma.fence.sync.aligned'");
      else
        EXPECT_TRUE(ok) << error.str(path.filename().string());
    }
  }
}
