// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_RUNNER_RANDOM_H
#define PREC_LIB_RUNNER_RANDOM_H

#include "prec/Runner/Ports.h"

namespace prec {

/// A tensor for the port that depends on nothing but the seed: floats of about
/// the standard normal distribution, integers from 0 to 15. `shapes` holds
/// NAME=4x64 for ports with dynamic dimensions.
llvm::Expected<io::Tensor> randomTensor(const Port &port, uint64_t seed,
                                        llvm::ArrayRef<std::string> shapes);

} // namespace prec

#endif // PREC_LIB_RUNNER_RANDOM_H
