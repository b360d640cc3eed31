// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RareCase.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace prec;

bool RareCase::find(Block &body, const llvm::SetVector<RoundOp> &results) {
  DenseSet<Operation *> needed;
  for (Operation &op : llvm::reverse(body)) {
    bool isNeeded = false;
    if (auto round = dyn_cast<RoundOp>(op))
      isNeeded = results.contains(round);
    isNeeded |= llvm::any_of(
        op.getUsers(), [&](Operation *user) { return needed.contains(user); });
    if (!isNeeded) {
      bool takesResult = llvm::any_of(op.getOperands(), [&](Value value) {
        auto round = value.getDefiningOp<RoundOp>();
        return round && results.contains(round);
      });
      if (takesResult || isa<vector::StoreOp, memref::StoreOp>(op))
        behind = &op;
      continue;
    }
    if (!isMemoryEffectFree(&op) && !isa<vector::LoadOp, memref::LoadOp>(op))
      return false;
    needed.insert(&op);
    slice.push_back(&op);
  }
  std::reverse(slice.begin(), slice.end());
  return behind && slice.back()->isBeforeInBlock(behind);
}

/// The same index, by code that LLVM does not look into.
static Value hidden(ImplicitLocOpBuilder &b, Value index) {
  Value word = arith::IndexCastOp::create(b, b.getI64Type(), index);
  auto same = LLVM::InlineAsmOp::create(
      b, word.getType(), word, /*asm_string=*/"", /*constraints=*/"=r,0",
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
  return arith::IndexCastOp::create(b, index.getType(), same.getResult(0));
}

void RareCase::choose(scf::ForOp loop, const llvm::SetVector<RoundOp> &results,
                      llvm::function_ref<Value(ImplicitLocOpBuilder &)> isWrong,
                      Emit fast) {
  ImplicitLocOpBuilder b(loop.getLoc(), behind);
  Value any =
      vector::ReductionOp::create(b, vector::CombiningKind::OR, isWrong(b));
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  auto types = llvm::map_to_vector(
      results, [](RoundOp round) { return round.getType(); });
  auto choice = scf::IfOp::create(b, types, LLVM::ExpectOp::create(b, any, no),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);

  b.setInsertionPointToStart(choice.thenBlock());
  // What is loaded is loaded again, not kept in registers until here: from
  // where LLVM does not see that it is the same.
  IRMapping again;
  Value i = loop.getInductionVar();
  again.map(i, hidden(b, i));
  for (Operation *op : slice)
    b.clone(*op, again);
  scf::YieldOp::create(b, llvm::map_to_vector(results, [&](RoundOp round) {
                         return again.lookup(round.getResult());
                       }));

  b.setInsertionPointToStart(choice.elseBlock());
  SmallVector<Value> values;
  for (size_t i = 0; i < results.size(); ++i)
    values.push_back(fast(b, i));
  scf::YieldOp::create(b, values);

  for (auto [round, result] : llvm::zip_equal(results, choice.getResults()))
    RoundOp(round).getResult().replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(slice))
    if (op->use_empty())
      op->erase();
}
