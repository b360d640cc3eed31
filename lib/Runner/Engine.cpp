// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/Engine.h"

#include "Timing.h"

using namespace prec;

Engine::~Engine() = default;

std::string Engine::counters(bool json) const { return {}; }

double prec::timeHostCopy(size_t traffic, unsigned runs) {
  std::vector<char> from(traffic / 2 + 1, 1), to(traffic / 2 + 1, 2);
  return shortest(runs, [&] {
    std::memcpy(to.data(), from.data(), from.size());
    // The copy must be made although nobody reads it.
    asm volatile("" : : "r"(to.data()) : "memory");
  });
}

size_t prec::traffic(llvm::ArrayRef<io::Tensor> inputs,
                     llvm::ArrayRef<io::Tensor> outputs) {
  size_t bytes = 0;
  for (const io::Tensor &tensor : inputs)
    bytes += tensor.bytes.size();
  for (const io::Tensor &tensor : outputs)
    bytes += tensor.bytes.size();
  return bytes;
}

Timing Engine::time(llvm::ArrayRef<io::Tensor> inputs,
                    llvm::ArrayRef<io::Tensor> outputs, unsigned runs) {
  return {shortest(runs, [&] { (void)run(inputs); }),
          timeHostCopy(traffic(inputs, outputs), runs)};
}
