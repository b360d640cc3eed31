// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

/// Operations of a part that takes no further function: as many as take longer
/// to compile than a thread and a module for them.
static constexpr unsigned kFull = 512;

/// Whether LLVM unrolls the loop that this branch closes.
static bool isUnrolled(Operation *terminator) {
  auto branch = dyn_cast<LLVM::BrOp>(terminator);
  LLVM::LoopAnnotationAttr loop =
      branch ? branch.getLoopAnnotationAttr() : LLVM::LoopAnnotationAttr();
  return loop && loop.getUnroll() && loop.getUnroll().getFull() &&
         loop.getUnroll().getFull().getValue();
}

/// Whether a block branches to one that is not behind it, and goes on doing so.
static bool branchesBack(LLVM::LLVMFuncOp function) {
  llvm::SmallPtrSet<Block *, 8> seen;
  for (Block &block : function.getBody()) {
    seen.insert(&block);
    for (Block *next : block.getSuccessors())
      if (seen.contains(next) && !isUnrolled(block.getTerminator()))
        return true;
  }
  return false;
}

namespace {
/// Members of a gpu.module that are compiled together: functions and what they
/// need.
struct Group {
  SmallVector<Operation *> members;
  unsigned size = 0;
  bool hasLoops = false;
};
} // namespace

/// Members of `module` in groups that need nothing of each other, by their
/// first functions; nothing if there is something of another kind.
static std::optional<SmallVector<Group>> groupsOf(gpu::GPUModuleOp module) {
  llvm::StringMap<Operation *> symbols;
  for (Operation &op : *module.getBody()) {
    if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
      return std::nullopt;
    symbols[SymbolTable::getSymbolName(&op).getValue()] = &op;
  }
  llvm::EquivalenceClasses<Operation *> together;
  llvm::DenseMap<Operation *, unsigned> sizes;
  for (Operation &member : *module.getBody()) {
    together.insert(&member);
    auto joinWith = [&](std::optional<StringRef> symbol) {
      if (symbol && symbols.contains(*symbol))
        together.unionSets(&member, symbols[*symbol]);
    };
    member.walk([&](Operation *op) {
      ++sizes[&member];
      if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
        joinWith(address.getGlobalName());
      else if (auto call = dyn_cast<LLVM::CallOp>(op))
        joinWith(call.getCallee());
    });
  }
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, unsigned> numbers;
  auto append = [&](Operation &member) {
    auto [number, isNew] =
        numbers.try_emplace(together.getLeaderValue(&member), groups.size());
    Group &group = isNew ? groups.emplace_back() : groups[number->second];
    group.members.push_back(&member);
    group.size += sizes[&member];
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(member)) {
      group.hasLoops |= branchesBack(function);
      // Longer than it looks.
      if (llvm::any_of(function.getBody(), [](Block &block) {
            return isUnrolled(block.getTerminator());
          }))
        group.size += kFull;
    }
  };
  // Variables stand before all functions.
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    append(*function);
  for (auto variable : module.getOps<LLVM::GlobalOp>())
    append(*variable);
  return groups;
}

prec::KernelParts::KernelParts(gpu::GPUModuleOp module) : module(module) {
  for (Operation &op : *module.getBody())
    order.push_back(&op);
  std::optional<SmallVector<Group>> groups = groupsOf(module);
  // All in one part, also if that is nothing.
  if (!groups || groups->empty())
    groups.emplace({Group{order, 0, /*hasLoops=*/true}});
  // The parts that still take functions, without and with loops.
  struct Open {
    size_t part;
    unsigned size;
  };
  std::optional<Open> open[2];
  for (const Group &group : *groups) {
    std::optional<Open> &into = open[group.hasLoops];
    if (!into) {
      into = {parts.size(), 0};
      parts.push_back({module.cloneWithoutRegions(), group.hasLoops});
      parts.back().module->getBodyRegion().emplaceBlock();
    }
    Block *body = parts[into->part].module->getBody();
    for (Operation *op : group.members) {
      op->remove();
      body->push_back(op);
    }
    into->size += group.size;
    if (into->size >= kFull)
      into.reset();
  }
}

prec::KernelParts::~KernelParts() {
  for (Operation *op : order) {
    op->remove();
    module.getBody()->push_back(op);
  }
}
