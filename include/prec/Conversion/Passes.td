// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_CONVERSION_PASSES_TD
#define PREC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPrecToLLVMPass : Pass<"convert-prec-to-llvm"> {
  let summary = "Lower roundings for the host";
  let description = [{
    Overview: `prec.round` on scalars and vectors becomes integer arithmetic, which no
    optimiser takes for a conversion that it could fold, narrow or merge:

    ```mlir
    %1 = prec.round %0 : vector<16xf32> to vector<16xbf16>
    ```

    becomes an addition of 0x7fff and of the last bit that is kept, a selection of NaN
    and a shift. Where `%0` is computed from bf16 numbers only, its NaNs end in 16 zero
    bits, the addition keeps them, and there is no selection. With `vnni` both additions
    are one instruction, that of a sum of two products of 16-bit integers; and a 16-bit
    number times a power of two below 1, of which only subnormal results round, is rounded
    by subtracting it from a number with their step, and that difference again (of f16,
    with `native-f16`, by adding and subtracting). f64 to f32, and f32 to f16 with
    `native-f16`, become LLVM's constrained conversions where the mode is nearest_even.
    `prec.lookup` becomes AVX-512's look-up in two registers, a register of lanes at a
    time, and what is left element by element. Widenings from bf16 and
    the 8-bit formats (from f16 without `native-f16`) become integer arithmetic too.
    `arith.maxnumf` and `minnumf` become LLVM's `maximumnum` and `minimumnum`, to which
    -0 is less than +0. `prec.observe` goes.

    Preconditions: no `prec.round` on tensors is left (an error). Upstream's `arith`,
    `vector` and `func` conversions to LLVM follow, in any order.

    Caveats: never the x86 instruction for bf16, which flushes subnormals, and never
    a library call.
  }];
  let options = [
    Option<"nativeF16", "native-f16", "bool", /*default=*/"false",
           "The CPU converts between f32 and f16 (x86: F16C)">,
    Option<"lanes", "lanes", "unsigned", /*default=*/"8",
           "f32 elements of a register of the CPU">,
    Option<"vnni", "vnni", "bool", /*default=*/"false",
           "The CPU adds products of 16-bit integers, 16 sums at once (x86: AVX512_VNNI)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertPrecToNVVMPass : Pass<"convert-prec-to-nvvm"> {
  let summary = "Lower roundings for NVIDIA GPUs";
  let description = [{
    Overview: `prec.round` from f32 on scalars and vectors becomes NVVM's conversion
    intrinsic with the mode in its name, two elements an instruction for vectors:

    ```mlir
    %1 = prec.round %0 : vector<8xf32> to vector<8xbf16>
    ```

    becomes four `llvm.nvvm.ff2bf16x2.rn`. PTX has nearest_even and toward_zero for bf16
    and f16, nearest_even with saturation for the 8-bit formats (from sm_89), four modes
    for f64 to f32; the rest becomes integer arithmetic. Widenings from bf16 become a
    shift and a mask for each pair. Additions, subtractions and multiplications of bf16
    stay where the target has them (sm_90); below, each is one fma. `arith.maxnumf` and
    `minnumf` of f32 and f64 become LLVM's `maximumnum` and `minimumnum`. `prec.observe`
    goes.

    Preconditions: no `prec.round` on tensors is left, no `arith.remf`, which NVPTX
    does not compute exactly, and below sm_90 no `nvvm.griddepcontrol` (errors).
  }];
  let options = [
    Option<"sm", "sm", "unsigned", /*default=*/"80", "The compute capability, 80 or more">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def FinalizeABIPass : Pass<"prec-finalize-abi"> {
  let summary = "Functions over flat memory become pointers, sizes and a status";
  let description = [{
    #### Overview
    Gives the functions directly inside the operation it runs on (a module or a
    gpu.module) the signature that callers see:

    | before | after |
    |---|---|
    | `memref<?xT>` | `!llvm.ptr` with `align` (the function's `prec.alignment` if it has that), `noalias`, `noundef`, and `readonly` where nothing writes through it; that is not `noalias` in a function with `prec.dependent_launch`, since the kernel before may still write it |
    | `index` | `i64` |
    | `bf16`, `f16`, 8-bit float scalar | `i16`, `i8` with the same bits |
    | `i1` | `i8` |

    Attributes of the prec dialect on arguments are dropped.

    A host function (func.func with a body) returns `i32`: 0, or k if its k-th
    `cf.assert` failed; the messages become its attribute `prec.checks`. Memory that
    the function allocated before a failing check is freed on that path.

    ```mlir
    func.func @f(%x: memref<?xbf16>, %n: index) {
      cf.assert %c, "rows differ"
      return
    }
    // becomes
    func.func @f(%arg0: !llvm.ptr {llvm.align = 2 : i64, llvm.noalias, ...}, %arg1: i64) -> i32
        attributes {prec.checks = ["rows differ"]} {
      cf.cond_br %c, ^bb1, ^bb2(%c1_i32 : i32)
    ^bb1:
      cf.br ^bb2(%c0_i32 : i32)
    ^bb2(%status: i32):
      return %status : i32
    }
    ```

    #### Preconditions
    Memory arguments are one-dimensional, contiguous and without offset, results are
    memory arguments, control flow is unstructured (after `convert-scf-to-cf`).
    A dynamic memory argument has no size of its own: `memref.dim` of it is an
    error. In a gpu.module the host's gpu.launch_func must be dealt with already.
  }];
  let options = [
    Option<"pointerAlignment", "pointer-alignment", "unsigned", "0",
           "Bytes that every pointer is aligned to; 0: its element's size">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"
  ];
}

def ConvertKernelsToHostPass : Pass<"convert-kernels-to-host", "::mlir::ModuleOp"> {
  let summary = "Kernels become loops over flat memory";
  let description = [{
    #### Overview
    Each function with kernels becomes a function on flat memory: its tensor
    arguments, then its results, as `memref<?xT>` in row-major order, then one
    `index` for each `?` of the arguments' types. Attributes of arguments and
    results, which describe tensors, go. Kernels become loop nests whose innermost loop computes as many elements at once as the schedule says, with the
    operations of the kernel's body on vectors; intermediate tensors inside a
    kernel do not exist. A row's reductions are computed before its results, inside the
    loops over rows, from 16 neighbouring elements at once, from two registers (`lanes`
    f32 elements each) where the kernel reads bf16. Memory between kernels is allocated and freed.

    Neighbouring loops over the same rows become one where neither reads what the other
    writes; and so do the halves of a loop, where a concatenation chooses one thing in
    the first half of its iterations and another in the second: what both need, like the
    exponential of a gate in the gradients of gate and value, is loaded and computed
    once. Results that need a function that a sum before them needs, too, are computed
    in the sum's loop. Short rows whose elements wait for a root of a sum are computed
    two at a time, and their sums an iteration ahead; where the
    elements need a function that a sum needs, too, one at a time, without a loop over
    the elements: each function is computed once, and kept.

    #### Preconditions
    Level K with schedules: after `prec-form-kernels` and
    `prec-schedule-kernels{target=host}`. Results do not overlap arguments.

    ```mlir
    func.func @f(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
      %0 = prec.kernel "f"(%x) ...
    // becomes
    func.func @f(%x: memref<?xbf16>, %r: memref<?xbf16>, %n: index) {
      scf.for %i = ... {
        %v = vector.load %x[...] : memref<?xbf16>, vector<16xbf16>
        ...
        vector.store %w, %r[...] : memref<?xbf16>, vector<16xbf16>
    ```

    With `parallel`, the outermost loop of a kernel runs the iterations from
    `%begin = prec.parallel.begin(%n)` to `%end = prec.parallel.end(%begin, %n)`, which the
    code generator makes a range, counted from 0 to `%end - %begin`: a loop as one over all
    of them is, with what belongs to its first and last iterations up to
    `prec.parallel.done(%begin)`. Each iteration computes other elements of the results, so
    the bits do not depend on who runs it.

    With `result-bytes`, a call of `prec.result.bytes(%n)` stands before each kernel;
    from the sum of these the code generator chooses at run time whether results are
    written past the caches.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", "false", "mark outermost loops">,
    Option<"resultBytes", "result-bytes", "bool", "false",
           "say how many bytes the results have, by calls of prec.result.bytes">,
    Option<"lanes", "lanes", "unsigned", /*default=*/"8",
           "f32 elements of a register of the CPU">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertKernelsToGPUPass : Pass<"convert-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Kernels become gpu.funcs over flat memory, and launches";
  let description = [{
    #### Overview
    Each `prec.kernel` becomes a gpu.func of the gpu.module `kernels` and a
    gpu.launch_func at its place. Functions get the signature that
    `convert-kernels-to-host` gives them; memory between kernels is a memref.alloc.

    A kernel's parameters are the memory of its operands and results, then scalars
    and sizes, without those it does not use. `flat` kernels have one thread for each
    `width` elements, and one more for what is left; `rows` have a row a block (the
    outer dimensions in x, pieces of long rows in y); `elements` deal out all pieces of
    all rows. Where elements half a row apart read the same, as in rope, a thread computes
    both. Vector accesses are aligned to 16 bytes where positions allow.

    Where that relies on aligned memory, or on sizes that are multiples of the vector's
    width, the kernel is emitted once more, by its `fallback` schedule and for memory
    that is aligned to elements only, as `NAME_any`. The host chooses: an scf.if on
    `memref.extract_aligned_pointer_as_index` and sizes. The attribute `prec.alignment`
    of a gpu.func says how far it relies on alignment.

    In `teams`, a thread has vectors of its row, `team` vectors apart, in registers, and
    all threads of a team carry out the row's reductions together, so that each input is
    read once. The digits of a sum's order are places in that layout: steps over a
    thread's lanes and vectors are additions of registers, steps over a warp's threads
    are exchanges; where digits lie across, the summands pass through shared memory once
    and each step's sums are dealt over the threads. Results that need no reduction are
    stored while the first one reads the row; where that is all, it is a loop over the
    thread's vectors that LLVM is told to unroll (`llvm.loop_annotation`): passes see
    its body once. A row too long for registers is read again instead. A maximum or minimum, of 16-bit numbers too, is taken in any order. Reductions that
    take one element after the other, sums in sequence and structured operations with one
    accumulator, have their elements put into shared memory by all threads, from where a
    warp takes them in order. What none of these can do
    is done by one thread of the team.

    A thread that reduces a column has its elements in registers and stores results
    while the next reduction runs through the same elements. What all columns share is
    read again for each reduction, which takes fewer registers than keeping it. In the
    kernel for memory of any alignment, which is seldom launched, loops reduce a block's
    columns and store their results, and read the elements again: little code.

    With `dependent-launch`, a kernel may be launched while the one before it still
    runs (programmatic dependent launch, from sm_90 on): before anything else it waits
    for that one's end, then allows the launch of the next. It has the attribute
    `prec.dependent_launch`. Launched in the ordinary way it does the same.

    With `cache-hints`, the accesses to results, and to operands that have as many elements
    as a result, are `nontemporal`: in PTX `ld.global.cs` and `st.global.cs`, so that
    what many threads share stays in the caches (weights of a norm, gathered tables).

    #### Preconditions
    Level K with schedules: after `prec-form-kernels` and
    `prec-schedule-kernels{target=gpu}`. Results do not overlap arguments, and a launch
    without blocks (a size of 0) is skipped by the caller.

    ```mlir
    %0 = prec.kernel "f"(%x) ...
    // becomes
    gpu.launch_func @kernels::@f blocks in (%n, %c1, %c1) threads in (%c320, %c1, %c1)
        args(%x : memref<?xbf16>, %r : memref<?xbf16>)
    ```
  }];
  let options = [
    Option<"dependentLaunch", "dependent-launch", "bool", "false",
           "Kernels wait for the one before them themselves (sm_90 or newer)">,
    Option<"cacheHints", "cache-hints", "bool", "false",
           "Mark accesses of what a kernel uses once as nontemporal">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ConvertGPUModuleToNVVMPass : Pass<"prec-convert-gpu-module-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Everything in a gpu.module to the LLVM and NVVM dialects";
  let description = [{
    #### Overview
    One conversion of gpu, vector, memref, arith, math, cf to LLVM and NVVM.
    `convert-gpu-to-nvvm` makes a call of libdevice of every math operation, exact ones
    included; here a square root, a fused multiply-add or a floor becomes LLVM's
    operation, which the NVPTX backend has an exact instruction for.

    ```mlir
    %1 = math.sqrt %0 : f32       // llvm.intr.sqrt, not a call of __nv_sqrtf
    ```

    #### Preconditions
    Signatures are final (`prec-finalize-abi`), control flow is unstructured, vectors
    have one dimension and functions without stated bits are expanded
    (`prec-expand-math`).
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"
  ];
}

def SplitVectorsPass : Pass<"prec-split-vectors", "::mlir::func::FuncOp"> {
  let summary = "Vectors of registers become vectors of one, those of bf16 by parity";
  let description = [{
    #### Overview
    Vectors of four registers of f32 become two of two, with the elements before and
    behind the middle: each operation is then followed by the same one on the other
    half, so that chains of operations run side by side.

    Those of two registers become one of even and one of odd elements. A register that is loaded with bf16 has two in each 32 bits. As f32 numbers, one is
    the 32 bits shifted, the other is the 32 bits without their low half: one operation
    for each register of f32, where neighbouring elements cost a shuffle and a shift.
    Results go together by a shift and a blend. What is computed in between does not
    mind which element a lane holds.

    ```mlir
    %0 = vector.load %m[%i] : memref<?xbf16>, vector<32xbf16>
    %1 = arith.extf %0 : vector<32xbf16> to vector<32xf32>
    // becomes
    %0 = vector.load %m[%i] : memref<?xbf16>, vector<32xbf16>
    %1 = vector.bitcast %0 : vector<32xbf16> to vector<16xi32>
    %2 = arith.trunci %1 : vector<16xi32> to vector<16xi16>
    %3 = arith.bitcast %2 : vector<16xi16> to vector<16xbf16>
    %4 = arith.shrui %1, %c16 : vector<16xi32>
    ...
    %even = arith.extf %3 : vector<16xbf16> to vector<16xf32>
    %odd = arith.extf %6 : vector<16xbf16> to vector<16xf32>
    ```

    #### Caveats
    A function stays as it is if one of its vectors of that size goes through anything
    but memory, elementwise operations, `scf.if`, `scf.for`, the question whether any
    element is set and extractions (of four registers, of halves). Those of two registers stay too if
    one is f16 in memory: processors convert f16 by half a register.
  }];
  let options = [
    Option<"lanes", "lanes", "unsigned", /*default=*/"8",
           "f32 elements of a register of the CPU">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def OverlapIterationsPass : Pass<"prec-overlap-iterations", "::mlir::func::FuncOp"> {
  let summary = "Loops compute what the next iteration divides by, meanwhile";
  let description = [{
    #### Overview
    A function such as a sigmoid is a long chain of operations, of which each waits for
    the one before, and what follows its division is another one. A processor sees
    hardly more than one iteration of such a loop at a time. An iteration of the loop
    becomes the chain before the divisions, of the next vector, and the one from the
    divisions on, of this one: neither waits for the other, and their operations take
    turns.

    ```mlir
    scf.for %i = %c0 to %c88 step %c1 {
      %x = vector.load %m[%i] : memref<?xf32>, vector<16xf32>
      ... // a long chain
      %y = arith.divf %x, %s : vector<16xf32>
      vector.store %y, %r[%i] : memref<?xf32>, vector<16xf32>
    }
    // becomes
    ... // the chain for 0
    %last = scf.for %i = %c0 to %c87 step %c1 iter_args(%s = %first) -> vector<16xf32> {
      ... // the chain for %i + 1
      %x = vector.load %m[%i] : memref<?xf32>, vector<16xf32>
      %y = arith.divf %x, %s : vector<16xf32>
      vector.store %y, %r[%i] : memref<?xf32>, vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    ... // the division for 87, and what follows
    ```

    What costs less than a register, such as loads and widenings, is computed in either
    part that needs it. Where nobody knows the iterations before, there are both loops, and
    the one as it was runs where there is no next one.

    #### Preconditions
    None; results have the same bits, since no operation changes.

    #### Caveats
    Loops stay as they are whose iterations are not known and not from 0 on one by one, that
    read memory which they write, or whose divisors take few operations, are chosen
    (`scf.if`) or need what the iteration before computed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RoundByArithmeticPass : Pass<"prec-round-by-arithmetic", "::mlir::func::FuncOp"> {
  let summary =
      "Roundings of a row's products and their sums become f32 arithmetic";
  let description = [{
    #### Overview
    A rounding to bf16 is five integer operations of a processor without VNNI. Of a sum of bf16 numbers
    and rounded products, and of such a product, the same number comes out of two operations of f32: 2^-16 R(x * w) is x * w - (1 - 2^-16) x * w,
    and R(u) of a sum of bf16 numbers is 2^16 u - (2^16 - 1) u, where the second product is rounded, and
    that as it should. From 2^112 on a sum is infinite.

    A conversion to f16 and back is four operations of processors with AVX-512, for which
    three of four units serve: R(x * w) is m - (m - x * w), where m is 2^13 x * w, or 0.75 * 2^-1 if that
    is less; R(u) of a sum of f16 numbers is 2^13 u - (2^13 - 1) u. The
    operation in brackets and the second product round where f16 does. All numbers are 2^100 times
    as large, so that anything from 2^15 on becomes infinite or NaN, and so do the sums it is
    part of. Without the operation that finds m, products are converted.

    What is infinite or NaN then is computed again, as it was.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      ...
      %1 = arith.mulf %x, %w : vector<16xf32>        // %w: one number, broadcast
      %2 = prec.round %1 : vector<16xf32> to vector<16xf16>
      ...
      vector.store %r, %m[%i] : memref<?xf16>, vector<16xf16>
    }
    // becomes
    scf.for %i = %c0 to %n step %c1 {
      %m = llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"(%x * %large, ...)
      %rest = math.fma -%x, %small, %m : vector<16xf32>
      %2 = arith.subf %m, %rest : vector<16xf32>
      ...
      %r = scf.if %nan -> (vector<16xf16>) {
        // as before
      } else {
        // the sum, rounded
      }
      vector.store %r, %m[%i] : memref<?xf16>, vector<16xf16>
    }
    ```

    #### Preconditions
    The processor has fused multiply-adds and, with `has-range`, AVX512DQ.

    #### Caveats
    Only of loops that carry no values, with results that are products by one number
    for all elements and sums of those, zero and, in bf16, other numbers. The sign of a product that
    is zero is lost, so each is added to what is never -0; where another number is, the results
    are computed again, too.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let options =
      [Option<
           "hasRange", "has-range", "bool", /*default=*/"true",
           "The processor has AVX512DQ: products in f16 are arithmetic, too">,
       Option<"bf16", "bf16", "bool", /*default=*/"true",
              "Also roundings to bf16">];
}

def NarrowFloatsToIntegersPass : Pass<"prec-narrow-floats-to-integers"> {
  let summary = "16-bit floats that nothing computes with become integers";
  let description = [{
    #### Overview
    On the host the roundings have been lowered to integer arithmetic; what is left of
    `bf16` (and of `f16`, unless the processor converts it) are loads, stores, casts
    and selections. LLVM may still move a cast through a selection, and a
    processor without bf16 then selects in f32 and narrows by a call of the
    compiler's run-time library. An `i16` it leaves alone.

    ```mlir
    %1 = llvm.bitcast %0 : vector<8xi16> to vector<8xbf16>
    llvm.store %1, %p : vector<8xbf16>, !llvm.ptr
    // becomes
    %1 = llvm.bitcast %0 : vector<8xi16> to vector<8xi16>
    llvm.store %1, %p : vector<8xi16>, !llvm.ptr
    ```

    #### Preconditions
    The LLVM dialect. A type that an operation computes with, or a function
    takes, stays as it is.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // PREC_CONVERSION_PASSES_TD
