// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the threads of a team reduce a row together.
// A row's elements lie in its threads' registers: element i of the row is lane
// i % width of vector i / width, and thread t has the vectors t, t + size, ...
// An order's digits are places of that layout as well. A step of the order is
// carried out
//  - in registers, where its digit is one of lanes or of a thread's vectors;
//  - by exchange within a warp, where its digit is one of a warp's threads;
//  - else through shared memory: the values are written there in the order of
//    their remaining digits, and the sums of the step are dealt over threads.
//
// A missing element is -0, the identity of addition for every value.
#ifndef PREC_LIB_CONVERSION_KERNELEMITTER_TEAMREDUCTION_H
#define PREC_LIB_CONVERSION_KERNELEMITTER_TEAMREDUCTION_H

#include "EmitReduction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace prec {

/// Values that a step sums without a loop.
inline constexpr int64_t kMaxLine = 64;
/// Bytes of rows in shared memory; a block has 48 KiB without asking for more.
inline constexpr int64_t kMaxStaged = 40 * 1024;
/// Sums that a step over the last digit of a row in memory may have.
inline constexpr int64_t kMaxDealt = 1024;

/// One long reduction of a row, carried out by the threads of a team.
class TeamReduction : ReductionBase {
public:
  TeamReduction(KernelEmitter &emitter, const Demand &demand,
                const Expansion &expansion);

  mlir::FailureOr<mlir::Value> run(llvm::SmallVectorImpl<Demand> &missing);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Values in shared memory, one after the other for each team.
  struct Buffer {
    mlir::Value memory;
    int64_t count = 0; ///< of a team
    /// Elements of the vectors that were written: their halves lie apart, so
    /// that neighbouring threads write to different banks.
    int64_t width = 1;
  };
  mlir::OpBuilder &b() { return e.builder(); }
  mlir::Value indexOf(mlir::AffineExpr expr) {
    return e.indexValue(e.space.simplify(expr));
  }
  mlir::Value i32(int64_t value) {
    return e.constant(b().getI32IntegerAttr(value));
  }
  /// The thread's number in its warp, or in its team if that is smaller.
  mlir::AffineExpr warpLane() {
    return team.size <= kWarp ? team.threadNumber
                              : e.space.simplify(team.threadNumber % kWarp);
  }
  /// A variable of the current scope for a computed index below `extent`.
  mlir::AffineExpr variable(mlir::Value value, int64_t extent) {
    return e.addVariable(value, extent);
  }

  // Shared memory.
  static Buffer layout(int64_t count, int64_t width);
  Buffer allocate(mlir::Type type, int64_t count, int64_t width = 1);
  mlir::AffineExpr position(const Buffer &buffer, mlir::AffineExpr index);
  mlir::Value load(const Buffer &buffer, mlir::AffineExpr index);
  mlir::Value loadFour(const Buffer &buffer, mlir::AffineExpr index);
  Values loadLine(const Buffer &buffer, mlir::AffineExpr first, int64_t number,
                  int64_t stride = 1);
  void store(const Buffer &buffer, mlir::AffineExpr index, mlir::Value value);
  void barrier() { mlir::gpu::BarrierOp::create(b(), loc); }
  mlir::LogicalResult onlyIf(mlir::Value condition,
                             llvm::function_ref<mlir::LogicalResult()> f);

  // Exchange within a warp.
  mlir::Value exchange(mlir::Value value, mlir::Value lane,
                       mlir::gpu::ShuffleMode mode);
  mlir::Value exchangeXor(mlir::Value value, int64_t offset);

  // Any reduction.
  mlir::FailureOr<mlir::Value> byOneThread();
  mlir::AffineExpr extent();
  Demand element(mlir::AffineExpr index);
  mlir::Type elementType();
  mlir::Value nothing(int64_t width = 1);

  // Structured operations that join one element after the other.
  struct Combiner {
    mlir::Operation *join = nullptr; ///< the accumulator and an element
    unsigned accumulator = 0;        ///< which operand of these it is
    mlir::Value element;
    /// Of 16-bit accumulators, which are joined in f32.
    mlir::Operation *widen = nullptr, *round = nullptr;
    unsigned reducedLoop = 0;
    /// Whether order and repetitions do not matter.
    bool isAnyOrder = false;
  };
  std::optional<Combiner> findCombiner();
  mlir::FailureOr<mlir::Value> init();
  mlir::Value join(mlir::Value accumulator, mlir::Value element);
  mlir::FailureOr<mlir::Value> anyOrder();

  // Elements one after the other (EmitTeamSequence.cpp).
  using Join = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;
  using ValuesAt =
      llvm::function_ref<Values(mlir::AffineExpr first, int64_t number)>;
  mlir::FailureOr<mlir::Value> inSequence(mlir::AffineExpr count,
                                          mlir::Value init, ValuesAt valuesAt,
                                          Join join);
  mlir::FailureOr<mlir::Value> byFirstWarp(const Buffer &buffer,
                                           mlir::AffineExpr count,
                                           mlir::Value init, Join join);
  mlir::Value isInFirstWarp();
  mlir::Value ofFirstWarp(mlir::Value value);
  mlir::FailureOr<mlir::Value> inOrder(mlir::Value init, Join join);

  // Sums.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sumLine(num::StepKind kind, Values values);
  int64_t vectorWidth(int64_t count);
  mlir::FailureOr<mlir::Value> elementsAt(mlir::AffineExpr place,
                                          int64_t width);
  mlir::LogicalResult elements(int64_t count, int64_t width,
                               llvm::function_ref<void(mlir::Value)> use);
  mlir::FailureOr<mlir::Value> running(int64_t count, int64_t width);
  mlir::FailureOr<mlir::Value> sum();
  mlir::FailureOr<mlir::Value> inRegisters(const TeamLayout &layout,
                                           int64_t count, int64_t width);
  mlir::LogicalResult
  deal(const Buffer &buffer, int64_t sums,
       llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::AffineExpr own)>
           sum);
  mlir::FailureOr<mlir::Value> dealt(int64_t sums);
  mlir::FailureOr<mlir::Value> atenRow(int64_t count);
  std::optional<Buffer> rowBuffer(int64_t count, int64_t width);
  mlir::LogicalResult stage(const Buffer &buffer, int64_t width, int64_t count,
                            int64_t padding);
  /// The sum of values in shared memory that a barrier has made visible.
  mlir::FailureOr<mlir::Value> finish(Buffer buffer, OrderDigits rest);
  mlir::FailureOr<mlir::Value> lineAt(const Buffer &buffer,
                                      const OrderDigits &rest,
                                      mlir::AffineExpr sumNumber);
  mlir::Value warpSteps(mlir::Value value, const OrderDigits &rest,
                        mlir::AffineExpr number, int64_t group);

  const Expansion &expansion;
  KernelEmitter::Team &team;
  std::optional<Combiner> combiner; ///< of structured operations that have one
};

} // namespace prec

#endif // PREC_LIB_CONVERSION_KERNELEMITTER_TEAMREDUCTION_H
