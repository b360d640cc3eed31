// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Runner/Engine.h"

#include "Timing.h"

using namespace prec;

Engine::~Engine() = default;

double Engine::time(llvm::ArrayRef<io::Tensor> inputs, unsigned runs) {
  return shortest(runs, [&] { (void)run(inputs); });
}
