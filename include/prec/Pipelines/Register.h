// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tool registers to read every level of IR and to run every pass.
#ifndef PREC_PIPELINES_REGISTER_H
#define PREC_PIPELINES_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace prec {

/// Our dialects and the upstream ones of levels M to T, with their extensions.
void registerDialects(mlir::DialectRegistry &registry);

/// Our passes and pipelines, and the upstream passes they are used with
/// (canonicalize, cse, ...).
void registerPasses();

} // namespace prec

#endif // PREC_PIPELINES_REGISTER_H
