// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer: whatever the text, the PTX parser and decoder give an error or a
// result; what parses prints back to an equal module.
#include "lib/PTX/Program.h"

#include <cstdlib>

using namespace prec::ptx;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<Diagnostic> diagnostics;
  auto module = parse(std::string(data, data + size), diagnostics);
  if (!module)
    return 0;
  auto again = parse(print(*module), diagnostics);
  if (!again || !(*again == *module))
    std::abort();
  for (auto &item : module->items)
    if (auto *f = std::get_if<Function>(&item); f && f->entry) {
      Diagnostic error;
      decode(*module, f->name, error);
    }
  return 0;
}
