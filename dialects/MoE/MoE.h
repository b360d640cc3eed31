// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The moe dialect: the one public header.
#ifndef DIALECTS_MOE_MOE_H
#define DIALECTS_MOE_MOE_H

#include "dialects/NN/NN.h"

#include "dialects/MoE/MoEDialect.h.inc"
#include "dialects/MoE/MoEEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/MoE/MoEAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/MoE/MoEOps.h.inc"

#endif // DIALECTS_MOE_MOE_H
