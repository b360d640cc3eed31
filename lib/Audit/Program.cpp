// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Audit.h"

using namespace prec;
using namespace prec::audit;
using sym::Node;

Program::~Program() = default;
std::string Program::location(Node) const { return {}; }
std::string Program::source(Node) const { return {}; }
std::string Program::point(Node) const { return {}; }
std::vector<std::string> Program::approximations() const { return {}; }
std::vector<std::string> Program::unordered() const { return {}; }
bool Program::canStillRun() const { return false; }
std::optional<Values> Program::runWithin(const Values &inputs, uint64_t,
                                         std::string &error) {
  return run(inputs, error);
}

std::vector<int64_t> TensorInfo::index(uint64_t element) const {
  std::vector<int64_t> index(shape.size());
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = int64_t(element % uint64_t(shape[d]));
    element /= uint64_t(shape[d]);
  }
  return index;
}

uint64_t TensorInfo::size() const {
  uint64_t n = 1;
  for (int64_t d : shape)
    n *= uint64_t(d);
  return n;
}
