// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the elements of a kernel's results: the one code generator behind the
// host and the GPU.
#ifndef PREC_LIB_CONVERSION_KERNELEMITTER_KERNELEMITTER_H
#define PREC_LIB_CONVERSION_KERNELEMITTER_KERNELEMITTER_H

#include "dialects/Prec/Prec.h"
#include "prec/Analysis/KernelAccess.h"
#include "prec/Analysis/KernelRows.h"
#include "prec/Analysis/TeamLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"
#include <map>

namespace prec {

/// Computes elements on demand by walking a kernel's body backwards.
///
/// An element is a value and its coordinates, index expressions over loop
/// variables and at most one *lane* variable. With a lane among the coordinates
/// the element stands for `width` neighbouring ones and is a vector, or a
/// scalar where all lanes are equal; without, it is a scalar.
///
/// Each element is emitted once in a *scope*: the body of the innermost loop
/// whose variable its coordinates use. So what does not depend on a loop stands
/// outside it; an elementwise operation stands as far out as its operands do.
/// Scopes are opened by the caller for its loops, and by the emitter
/// for reductions and choices. Nothing leaves a choice's scope, for its
/// coordinates may be valid in there only.
///
/// Chains are walked with an explicit stack; only loops and choices nest.
class KernelEmitter {
public:
  /// A region being filled. Variables belong to scopes.
  struct Scope {
    Scope(const mlir::OpBuilder &builder, Scope *parent, unsigned depth,
          bool isChoice)
        : builder(builder), parent(parent), depth(depth), isChoice(isChoice) {}

    mlir::OpBuilder builder;
    Scope *parent;
    unsigned depth;
    bool isChoice;
    llvm::DenseMap<std::pair<mlir::Value, const mlir::AffineExpr *>,
                   mlir::Value>
        elements;
    llvm::DenseMap<mlir::AffineExpr, mlir::Value> indices;
    /// The same in 32 bits.
    llvm::DenseMap<mlir::AffineExpr, mlir::Value> narrowIndices;
    /// Neighbours that are loaded for two elements, by memory and start.
    llvm::DenseMap<std::pair<mlir::Value, mlir::AffineExpr>, mlir::Value> runs;
    /// What elementwise operations of the body became here, by operands.
    struct Emitted {
      llvm::SmallVector<mlir::Value> operands;
      mlir::Value result;
    };
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Emitted, 1>> emitted;
  };

  /// Opens a scope at the builder's place for its own lifetime; closes it in
  /// reverse order of opening.
  class ScopeGuard {
  public:
    ScopeGuard(KernelEmitter &emitter, const mlir::OpBuilder &at,
               bool isChoice = false);
    ~ScopeGuard();
    ScopeGuard(const ScopeGuard &) = delete;
    ScopeGuard &operator=(const ScopeGuard &) = delete;

  private:
    KernelEmitter &emitter;
    Scope *outer;
  };

  /// Elements that a loop over a reduced dimension loads at once.
  KernelEmitter(KernelOp kernel, int64_t reductionWidth);

  /// What stands for an argument of the kernel: flat memory or a scalar.
  void bind(mlir::BlockArgument argument, mlir::Value value) {
    arguments[argument] = value;
  }
  /// The value of a size of a tensor argument; of a size, or an index with the
  /// dimension -1, that is assumed to be a multiple, what it is a multiple of.
  void bindSize(mlir::BlockArgument argument, int64_t dim, mlir::Value value) {
    sizeValues[{argument, dim}] = value;
  }
  /// Memory with a constant tensor's elements.
  std::function<mlir::Value(mlir::OpBuilder &, mlir::DenseElementsAttr)>
      constantMemory;
  /// Bytes that the start of every memory is aligned to, 0 if not known.
  int64_t baseAlignment = 0;
  /// Of those, the most that an access so far relies on.
  int64_t usedAlignment = 0;
  /// Whether no position in memory, and so no index, needs more than 31 bits:
  /// then they are computed in 32.
  bool isNarrow = false;
  /// Memory of which every access is marked as that of data used once.
  llvm::DenseSet<mlir::Value> streamed;
  /// At most this many elements are reduced without a loop.
  int64_t unrollLimit = kShortReduction;
  /// Whether steps that are left over by a sum's loops are a loop, too, if they
  /// are vectors: what else needs their elements may be computed in it.
  bool loopsOverRests = false;
  /// Whether a sum whose order has many partial sums keeps them in memory that
  /// it allocates, and its code is loops over them.
  bool keepsSumsInMemory = false;
  /// From here on vector loads that move with this loop's variable, if it is
  /// not null, also prefetch what they load in one of its next rounds, if those
  /// are near and no load before prefetches in the same memory.
  void prefetchAcross(mlir::AffineExpr variable);

  /// A thread's share of `count` places, in steps of the team's size.
  struct Share {
    mlir::AffineExpr place; ///< below `count` for every thread
    mlir::Value isOwn;      ///< false where it is another thread's; null: true
  };
  /// The threads that compute one row together. What depends on nothing but
  /// `rowVariables` is the same for all of them; a long reduction of that kind
  /// is computed by all together, and each has the result.
  struct Team {
    int64_t size;  ///< threads; a power of two, or a multiple of a warp
    int64_t count; ///< teams of a block; 1 unless a team fits into a warp
    int64_t width; ///< neighbouring elements that a thread computes together
    mlir::Value thread;            ///< number of the thread in its team
    mlir::AffineExpr threadNumber; ///< the same, as a variable
    mlir::AffineExpr laneNumber;   ///< number of the thread in its warp
    mlir::AffineExpr number;       ///< number of the team in its block
    llvm::SmallVector<mlir::AffineExpr> rowVariables;
    /// Memory that the threads of a block share, of `count` elements.
    std::function<mlir::Value(mlir::OpBuilder &, mlir::Type, int64_t)> memory;
    /// What rows pass through, for the next reduction to use again.
    llvm::SmallVector<mlir::Value> rowMemory;
    /// Called after a thread's every vector of the first row that is summed, to
    /// do what else is to be done with the same elements.
    using AtShare = std::function<mlir::LogicalResult(
        const Share &, int64_t count, int64_t vectorWidth)>;
    AtShare meanwhile;
    /// Whether nothing but that needs the elements of the first row again: then
    /// they need not stay in registers.
    bool readsOnce = false;

    /// Whether the threads' registers hold a row, in vectors of `vectorWidth`.
    bool holds(int64_t count, int64_t vectorWidth) const {
      int64_t vectors = llvm::divideCeil(count / vectorWidth, size);
      return vectors * vectorWidth <= mostElements(size);
    }
  };
  std::optional<Team> team;

  /// A team's shares of `count` places.
  mlir::ArrayRef<Share> shareOf(int64_t count);
  /// Whether an element at these coordinates is the same for the whole team,
  /// and all of the team is here.
  bool isSameInTeam(mlir::ArrayRef<mlir::AffineExpr> coords);
  /// The lanes of the team's vectors of `width` elements: one variable, so that
  /// what reductions compute is there for the results.
  mlir::AffineExpr teamLane(int64_t width);

  /// A kernel whose threads reduce columns that they keep in registers. What
  /// all columns share is read again for each reduction: that takes fewer
  /// registers.
  struct Columns {
    Columns(mlir::AffineExpr column, mlir::Value zero)
        : column(column), zero(zero) {}

    mlir::AffineExpr column; ///< what tells a block's threads apart
    /// 0 whenever the kernel runs, which no compiler can know: what is read at
    /// a place that is so much farther on is not seen to be the same.
    mlir::Value zero;
    /// Called after each element of a reduction, to do what else is to be done
    /// at the same place.
    std::function<mlir::LogicalResult(int64_t index, int64_t count)> meanwhile;
    /// Loads of what all columns share, and how often they have been forgotten.
    llvm::DenseSet<mlir::Operation *> shared;
    int64_t rounds = 0;
  };
  std::optional<Columns> columns;
  /// Forgets what all columns share, so that it is read again.
  void forgetShared();

  IndexSpace &getSpace() { return space; }
  TensorSizes &getSizes() { return sizes; }
  mlir::OpBuilder &builder() { return current->builder; }

  /// A loop variable of the current scope.
  mlir::AffineExpr addVariable(mlir::Value value,
                               std::optional<int64_t> extent);
  mlir::AffineExpr addLane(int64_t width);

  /// The value of an index expression without lanes.
  mlir::Value indexValue(mlir::AffineExpr expr);
  /// The same in 32 bits, where indices are narrow.
  mlir::Value narrowValue(mlir::AffineExpr expr);
  /// Whether `number` is below `extent`; both are natural numbers.
  mlir::Value isBelow(mlir::Value number, mlir::AffineExpr extent);

  /// Emits an element.
  mlir::FailureOr<mlir::Value> evaluate(const Demand &demand);
  /// Whether the element has been emitted.
  bool isKnown(const Demand &demand) { return bool(lookup(demand)); }

  /// A loop over [0, extent) in the current scope, with values carried along.
  using LoopBody = llvm::function_ref<mlir::LogicalResult(
      mlir::AffineExpr variable, llvm::SmallVectorImpl<mlir::Value> &)>;
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  loop(mlir::AffineExpr extent, mlir::ArrayRef<mlir::Value> inits,
       LoopBody body);

  /// Emits `body` in a scope that runs only if the condition holds.
  mlir::LogicalResult guarded(mlir::Value condition,
                              llvm::function_ref<mlir::LogicalResult()> body);

  /// Emits an element of a result and its store to memory.
  mlir::LogicalResult store(const Demand &demand, mlir::Value memory);

private:
  using Missing = llvm::SmallVectorImpl<Demand>;
  /// Makes an open scope the current one for its own lifetime.
  class CurrentScope {
  public:
    CurrentScope(KernelEmitter &emitter, Scope *scope)
        : emitter(emitter), outer(emitter.current) {
      emitter.current = scope;
    }
    ~CurrentScope() { emitter.current = outer; }
    CurrentScope(const CurrentScope &) = delete;
    CurrentScope &operator=(const CurrentScope &) = delete;

  private:
    KernelEmitter &emitter;
    Scope *outer;
  };
  struct Variable {
    mlir::Value value; ///< null for a lane
    Scope *scope;
    int64_t width; ///< 0 unless a lane
  };

  // Scopes and what they know (KernelEmitter.cpp).
  Scope *scopeOf(mlir::ArrayRef<mlir::AffineExpr> exprs);
  Scope *homeOf(mlir::ArrayRef<mlir::AffineExpr> coords);
  /// The innermost scope, `home` or around it, that makes one of the values.
  Scope *scopeOfValues(mlir::ArrayRef<mlir::Value> values, Scope *home);
  const mlir::AffineExpr *intern(mlir::ArrayRef<mlir::AffineExpr> coords);
  mlir::Value lookup(const Demand &demand);
  void remember(const Demand &demand, mlir::Value value);
  /// The lane among the coordinates, or null.
  mlir::AffineExpr laneOf(mlir::ArrayRef<mlir::AffineExpr> coords);
  int64_t widthOf(mlir::AffineExpr lane) {
    return variables[mlir::cast<mlir::AffineDimExpr>(lane).getPosition()].width;
  }
  Demand atLane(const Demand &demand, mlir::AffineExpr lane, int64_t index);
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value indexConstant(int64_t value);
  /// An operation of an index expression; `one` is 1 in its operands' type.
  mlir::Value emitIndexBinary(Scope *scope, mlir::AffineBinaryOpExpr expr,
                              mlir::Value lhs, mlir::Value rhs,
                              mlir::Value one);
  mlir::Value toVector(mlir::OpBuilder &b, mlir::Value value, int64_t width);
  /// The element if it is there; else null, and it is noted as missing.
  mlir::Value need(const Demand &demand, Missing &missing);

  // Single elements (EmitElement.cpp). Each gives a null value, having emitted
  // nothing, where something is missing.
  mlir::FailureOr<mlir::Value> emit(const Demand &demand, Missing &missing);
  mlir::FailureOr<mlir::Value> emitLeaf(const Demand &demand, Missing &missing);
  mlir::FailureOr<mlir::Value> emitLoad(const Demand &demand,
                                        mlir::Value memory, Missing &missing);
  /// Whether all columns read this place.
  bool isShared(mlir::AffineExpr position);
  mlir::Value loadPlace(mlir::OpBuilder &b, mlir::AffineExpr position);
  mlir::Value emitRun(mlir::OpBuilder &b, mlir::Value memory,
                      mlir::AffineExpr start, int64_t width);
  mlir::Value emitPaired(const Demand &demand, mlir::Value memory,
                         mlir::AffineExpr lane, const PairedRead &paired);
  void prefetchNext(mlir::OpBuilder &b, mlir::Value memory,
                    mlir::AffineExpr position);
  /// The alignment in bytes of an access at `position`: what is known, but no
  /// more than divides `run` elements, the access or a part of the memory that
  /// has all of it; 0 if no more than an element.
  int64_t alignmentAt(mlir::AffineExpr position, mlir::Type elementType,
                      int64_t run);
  mlir::Value emitIndex(const Demand &demand, mlir::AffineExpr index);
  mlir::Value emitElementwise(const Demand &demand, mlir::Operation *op,
                              mlir::ArrayRef<Demand> operands,
                              Missing &missing);
  mlir::FailureOr<mlir::Value> emitExtract(const Demand &demand,
                                           mlir::Operation *op,
                                           mlir::ArrayRef<Demand> indices,
                                           Missing &missing);
  mlir::Value emitLanes(const Demand &demand, mlir::AffineExpr lane,
                        Missing &missing);
  mlir::Value emitHalves(const Demand &demand, mlir::AffineExpr lane,
                         Missing &missing);
  mlir::FailureOr<mlir::Value> emitSelect(const Demand &demand,
                                          mlir::ArrayRef<Piece> pieces,
                                          Missing &missing);
  mlir::FailureOr<mlir::Value> emitChoice(const Demand &demand,
                                          mlir::ArrayRef<Piece> pieces);

  // Reductions (EmitReduction.cpp, EmitSum.cpp).
  friend class ReductionBase;
  friend class TeamReduction;
  friend class ReductionEmitter;
  friend class SumEmitter;
  /// One of two values, each emitted in a scope that nothing leaves.
  mlir::FailureOr<mlir::Value>
  choose(mlir::Value condition, mlir::Type type,
         llvm::function_ref<mlir::FailureOr<mlir::Value>()> thenValue,
         llvm::function_ref<mlir::FailureOr<mlir::Value>()> elseValue);
  /// Whether elements along `lane` are neighbours in memory.
  bool isVectorizable(mlir::ArrayRef<Demand> demands, mlir::AffineExpr lane,
                      int64_t width);

  KernelOp kernel;
  int64_t reductionWidth;
  IndexSpace space;
  TensorSizes sizes;
  llvm::SmallVector<Variable> variables;
  llvm::DenseMap<mlir::Value, mlir::Value> arguments;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> sizeValues;
  /// Where an index value that is computed in here and used as a size stands.
  llvm::DenseMap<mlir::Value, Scope *> sizeScopes;
  /// Variables for indices that are computed from data.
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> dataVariables;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  std::map<int64_t, llvm::SmallVector<Share>> shares;
  llvm::DenseMap<int64_t, mlir::AffineExpr> teamLanes;
  /// What prefetchAcross was given.
  mlir::AffineExpr prefetchVariable;
  /// The memories with prefetches since then, and the last position; and those
  /// with prefetches before.
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> prefetched;
  llvm::DenseSet<mlir::Value> prefetchedBefore;
  /// Of a lane that stands for two kinds of elements in turn: half as many.
  llvm::DenseMap<mlir::AffineExpr, mlir::AffineExpr> halfLanes;
  llvm::BumpPtrAllocator storage;
  llvm::DenseSet<mlir::ArrayRef<mlir::AffineExpr>> coordinates;
  std::vector<std::unique_ptr<Scope>> scopes;
  Scope *current = nullptr;
  unsigned nesting = 0;
};

} // namespace prec

#endif // PREC_LIB_CONVERSION_KERNELEMITTER_KERNELEMITTER_H
