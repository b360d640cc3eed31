// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results too large for the caches, written past them.
#ifndef PREC_TARGET_HOST_STREAMINGSTORES_H
#define PREC_TARGET_HOST_STREAMINGSTORES_H

#include "llvm/IR/Module.h"

namespace prec {

/// Results of at least as many bytes together are written past the caches.
inline constexpr uint64_t kStreamedBytes = 16 << 20;
/// How they must be aligned for that: a line of the cache.
inline constexpr uint64_t kStreamedAlignment = 64;

/// Gives every function with calls of prec.result.bytes(n) a second version,
/// whose vector stores bypass the caches, for calls where the sum of these n is
/// at least kStreamedBytes and all pointers are aligned. Memory that is written
/// whole need not be read first, which saves a third of the traffic of a copy.
/// With `stream` false, only the calls go.
void addStreamingVersions(llvm::Module &module, bool stream);

/// Makes what a streaming version has written visible to other threads, at the
/// end of `function`, if it has streaming stores.
void fenceStreamingStores(llvm::Function &function);

} // namespace prec

#endif // PREC_TARGET_HOST_STREAMINGSTORES_H
