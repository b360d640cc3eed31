// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing .npy and .safetensors files.
//
// Every function returns an empty string, or one line that names the file and
// says what is wrong with it. A malformed file costs no more memory than its
// own size. Writes are atomic: the file appears whole or not at all.
#ifndef PREC_TENSORIO_FILES_H
#define PREC_TENSORIO_FILES_H

#include "prec/TensorIO/Tensor.h"

namespace prec::io {

/// One array. A two-byte void ('|V2', as ml_dtypes writes it) is read as BF16;
/// Fortran order is turned into row-major order.
std::string readNpy(const std::string &path, Tensor &tensor);

/// BF16 is written as '|V2', the f8 types as '|V1'.
std::string writeNpy(const std::string &path, const Tensor &tensor);

/// Tensors in the order in which they lie in the file.
std::string readSafetensors(const std::string &path,
                            std::vector<NamedTensor> &tensors);

std::string writeSafetensors(const std::string &path,
                             const std::vector<NamedTensor> &tensors);

} // namespace prec::io

#endif // PREC_TENSORIO_FILES_H
