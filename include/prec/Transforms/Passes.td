// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_TRANSFORMS_PASSES_TD
#define PREC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"prec-expand-math"> {
  let summary = "Replace correctly rounded f32 functions by IEEE operations";
  let description = [{
    Overview: `math.exp`, `exp2`, `expm1`, `log`, `log2`, `log10`, `log1p`, `tanh`,
    `erf`, `sin`, `cos`, `rsqrt` and `fpowi` on f32 (scalars, vectors of any shape)
    become additions, multiplications, `math.fma`, integer operations, selects and
    conversions, mostly in f64, whose result is the f32 number nearest to the exact
    value, for every f32 input: subnormal, infinite, NaN, both zeros. There are no
    branches and no tables, so the result vectorises, and it has the same bits on every
    target that keeps IEEE operations and subnormals.

    ```mlir
    %0 = math.rsqrt %x : f32
    ```

    becomes

    ```mlir
    %one = arith.constant 1.0 : f32
    %root = math.sqrt %x : f32
    %estimate = arith.divf %one, %root : f32
    %y = arith.extf %estimate : f32 to f64
    %d = arith.extf %x : f32 to f64
    %product = arith.mulf %d, %y : f64
    %minus = arith.negf %product : f64
    %error = math.fma %minus, %y, %c1 : f64
    %step = math.fma %error, %c0_375, %c0_5 : f64
    %scaled = arith.mulf %y, %error : f64
    %refined = math.fma %scaled, %step, %y : f64
    %result = arith.truncf %refined : f64 to f32
    %number = arith.cmpf oeq, %result, %result : f32
    %0 = arith.select %number, %result, %estimate : f32
    ```

    With `slow-f64`, for GPUs with one f64 unit for 64 of f32, functions are computed in
    sums of two f32 instead, with two to ten times the operations (40 to 250) and the
    same bits; sines and cosines find their quarter turn in integers.

    A function whose argument is computed from one 16-bit value, and whose results all
    end in a `prec.round` (nearest_even) to 16 bits without meeting another value, has
    65,536 inputs. For `exp`, `exp2`, `expm1`, `log`, `log1p`, `tanh`, `rsqrt` and
    `fpowi` there are f32 sequences, shorter and without f64; the pass runs the chain of
    operations on all inputs and takes the cheapest sequence that gives the bits (any NaN
    being as good as another) that the correctly rounded function gives. In

    ```mlir
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.negf %0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.divf %one, %3 : f32
    %5 = prec.round %4 : f32 to bf16
    ```

    the exponential becomes

    ```mlir
    %less = arith.cmpf olt, %c89, %1 : f32
    %low = arith.select %less, %c89, %1 : f32
    ...                                       // and not below -86.5: %r
    %shifted = math.fma %r, %log2e, %shift : f32
    %k = arith.subf %shifted, %shift : f32
    %rest = math.fma %k, %minus_ln2, %r : f32
    ...                                       // five steps of a polynomial: %p
    %bits = arith.bitcast %shifted : f32 to i32
    %exponent = arith.shli %bits, %c23 : i32
    %scale = arith.bitcast %exponent : i32 to f32
    %2 = arith.mulf %p, %scale : f32
    ```

    For `target=gpu`, exponentials, `tanh` and the divisions behind them may become
    `prec.approximate`, whose bits nobody specifies: the chain is run with the bounds of
    the instruction, and taken if on each input all values within them are rounded to
    the right bits. Where subnormal results matter, an exponential is the square of that
    of half the argument. The scale of the argument and an offset are tuned until the inputs
    next to a tie are right too; what is left of these, a few at most, is selected by a
    comparison before the rounding. The sigmoid above becomes

    ```mlir
    %t = math.fma %0, %minus_log2e, %offset : f32
    %2 = prec.approximate exp2 %t : f32
    %d = math.fma %2, %quarter, %quarter : f32
    %r = prec.approximate reciprocal %d : f32
    %4 = arith.mulf %r, %quarter : f32
    ```

    An exponential of one 16-bit value (or of its negative) whose f32 bits matter, because
    they meet another value before they are rounded, has 65,536 inputs too. It becomes a
    polynomial of degree 7 in f64 made for the numbers of the format; with `target=gpu`,
    quotients by 1 plus it, where nothing else uses the sum, become

    ```mlir
    %quarter = arith.mulf %sum, %c0_25 : f32
    %r = prec.approximate reciprocal %quarter : f32
    %below = arith.mulf %r, %c0_25_less : f32   // surely less than 1 / %sum
    %q = arith.mulf %x, %below : f32
    %rest = math.fma %q, %sum, %minus_x : f32
    %number = arith.minnumf %rest, %largest : f32
    %minus = arith.negf %number : f32
    %above = arith.mulf %r, %c0_25_more : f32   // surely more
    %quotient = math.fma %minus, %above, %q : f32
    ```

    without the range check and the call of a division. The chain, up to where its values
    meet others, is run on all inputs with each result that the reciprocal may have, and
    all bits have to be right each time. For bf16 and f16, silu and the sigmoid are.

    For `target=host`, where the chain's value is multiplied with another and only that
    product is rounded, to bf16, the sequence is taken that is within 2^-21 on all
    inputs. What it leaves undecided (docs/elision.md) is computed again:

    ```mlir
    %5 = arith.mulf %a, %4 : f32               // the product, close
    %6 = scf.if %undecided -> (f32) {
      ...                                      // the chain with an f64 form
    } else {
      scf.yield %5 : f32
    }
    %7 = prec.round %6 : f32 to bf16
    ```

    With `tables`, for hosts whose registers hold 32 numbers that one instruction looks
    up, `x / (1 + e^-x)` of a bf16 number, or of the rounded product of one with a power of
    two, and its rounding to bf16 become

    ```mlir
    %shifted = math.fma %x, %minus_32_log2e, %shift : f32   // x within bounds
    %k = arith.subf %shifted, %shift : f32
    %one_less_x = arith.subf %one, %x : f32
    %rest = math.fma %k, %minus_ln2_32, %one_less_x : f32   // e^-r, nearly
    %word = arith.bitcast %shifted : f32 to i32
    %power = prec.lookup %word in [...] : i32               // of the low five bits of k
    %exponent = arith.shli %word, %c18 : i32
    %scale = arith.addi %power, %exponent : i32             // 2^(k/32)
    %sum = math.fma %scale_f32, %rest, %c1 : f32
    %quotient = arith.divf %numerator, %sum : f32
    %rounded = arith.addi %quotient_bits, %c32768 : i32     // its upper half, with x's sign
    ```

    whose bits are right for all 65,536 numbers (include/prec/Numerics/TableSilu.h). Of f16
    numbers the rest has a step more, and the rounding stays.

    For `target=gpu`, vectors of bf16 have such a test for all elements at once, and
    may be multiplied by one or two numbers: `prec.approximate` gives a product that is
    surely not above the right one in magnitude, and a little more of it is not below.
    Where both are rounded alike, that is the result (docs/elision.md). Magnitudes
    beyond the bounds that this needs, of the input, the factors and the product, are
    tested, too. What is undecided is computed again, in pairs, by a function that is
    called, as a call is not on the way of ordinary numbers and costs no registers there:

    ```mlir
    %low = prec.round %5 : vector<8xf32> to vector<8xbf16>
    %more = arith.mulf %5, %c1_000004 : vector<8xf32>
    %high = prec.round %more : vector<8xf32> to vector<8xbf16>
    %differences = arith.xori %low_bits, %high_bits : vector<4xi32>
    ...                                        // or beyond a bound
    %7 = scf.if %undecided -> (vector<8xbf16>) {
      %8 = llvm.call @kernel_again(%x, %a, %low, %wrong) : ...
      scf.yield %8 : vector<8xbf16>
    } else {
      scf.yield %low : vector<8xbf16>
    }
    ```

    The function is in the kernel's symbol table, which has to be under the operation that
    the pass runs on. Vectors have four elements or more, and an even number; nothing
    is computed with the rounded product.

    Where no sequence does (gelu: 1 + erf(x) cancels), or the chain has other operations
    than f32 arithmetic, comparisons and selects, or more than 64, the first form stays.

    Preconditions: no 16-bit functions are left (`prec-make-rounding-explicit` widens
    them), none on tensors. Runs before `prec.round` is lowered, or finds no chain. The target has a fused multiply-add: `math.fma` must not
    become a multiplication and an addition.

    Caveats: functions whose `prec.math` says `libdevice` or `fast` are left alone.
    `math.sqrt`, `math.fma`, and exact operations are IEEE operations already and stay.
    A function on another type, one without an expansion (`math.powf`, `math.atan`, ...),
    and a `math.fpowi` whose exponent is not a constant from -7 to 7 are errors.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"host\"", "host or gpu">,
    Option<"slowF64", "slow-f64", "bool", "false",
           "Compute functions without f64">,
    Option<"tables", "tables", "bool", "false",
           "Registers hold tables of 32 numbers (x86: AVX-512)">
  ];
  let dependentDialects = [
    "::prec::PrecDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ApplyProfilePass : Pass<"prec-apply-profile"> {
  let summary = "Set rounding points and rules as an engine has them";
  let description = [{
    Overview: a profile (`prec.profile`, dialects/Prec/README.md) says how an engine
    rounds: for each composite operation which of its points are on, its sums' order and
    its other rules. This pass writes that into the operations of the program:

    ```mlir
    %0 = nn.rms_norm %x weight(%w : tensor<64xbf16>) : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```

    becomes with `profile=huggingface`

    ```mlir
    %0 = nn.rms_norm %x weight(%w : tensor<64xbf16>) rstd rsqrt points {normalized = true}
           : tensor<?x64xbf16> to tensor<?x64xbf16>
    ```

    `profile` is a `prec.profile` of the module, or one that is installed
    (`prec-opt --list-profiles`; folders in the variable PREC_PROFILE_PATH come first), or
    a file: its only profile, or of several the one that no other of them extends.

    What an operation says itself stays, be it a point or a rule, default or not; with
    `force` the profile overrides it. What the profile does not say is left unsaid, which
    is the operation's default. So the pass is idempotent, and of two profiles the first
    one wins.

    Preconditions: level M; composite operations are not decomposed yet.

    Caveats: arithmetic that is written out has no points. A profile says nothing
    about it.
  }];
  let options = [
    Option<"profile", "profile", "std::string", "\"\"",
           "The profile: a name, or a file (with a slash or ending in .mlir)">,
    Option<"force", "force", "bool", "false",
           "Override what operations say themselves">
  ];
  let dependentDialects = ["::prec::PrecDialect"];
}

def MakeRoundingExplicitPass : Pass<"prec-make-rounding-explicit"> {
  let summary = "Say every rounding: level M to level R";
  let description = [{
    Overview: each operation of `arith` and `math` on bf16 or f16 (scalars, vectors,
    tensors, and the bodies of linalg operations) means the f32 operation on the
    widened operands, then one rounding. This pass writes that down:

    ```mlir
    %1 = arith.mulf %a, %b : bf16
    %2 = arith.addf %1, %c : bf16
    ```

    becomes

    ```mlir
    %0 = arith.extf %a : bf16 to f32
    ...
    %3 = arith.mulf %0, %1 : f32
    %4 = prec.round %3 : f32 to bf16
    %5 = arith.extf %4 : bf16 to f32
    %6 = arith.addf %5, %2 : f32
    %7 = prec.round %6 : f32 to bf16
    ```

    `arith.truncf` becomes `prec.round`, directly from its operand's type. Operations
    whose result is exact (negf, minimum and maximum, absf, floor, ...) are done in f32
    and rounded only where their 16-bit value is needed. Named linalg operations except
    fill, broadcast and transpose become `linalg.generic`. Tensors keep their types.
    Operations of the nn dialect become the `linalg.generic` and `prec.sum` that their
    formula says, with a `prec.round` at each of their points that is on. Profiles
    (`prec.profile`) are erased.

    Where one f32 step would round twice, the steps differ: `math.fma` on 16 bits and
    integers of more than 24 bits go through f64, rounded to odd; a small constant
    `math.fpowi` of a 16-bit value is exact in f64, then rounds to f32 and to 16 bits.

    Preconditions: floats are bf16, f16, f32, f64, and f8E4M3FN or f8E5M2 as storage
    (only casts compute on them).

    Caveats: fast-math flags are dropped, of f32 and f64 operations as well: a flag
    that lets a later pass drop a rounding contradicts level R. Operations that level
    R cannot express (for instance `vector.reduction` on bf16) are errors; the first is
    reported, `prec-verify-explicit` reports them all.
  }];
  let dependentDialects = [
    "::prec::PrecDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::math::MathDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def PromoteMoEPass : Pass<"prec-promote-moe"> {
  let summary = "Compute the activation and the combination of experts in f32";
  let description = [{
    Overview: off unless asked for, and then the module stays as it is, byte by byte.

    `activation`: silu, product and probability are f32, with one rounding at the result;
    a probability that was rounded to 16 bits is taken as it was before. `combine`: the
    experts' outputs are multiplied by the f32 probabilities and added in f32 in order of the
    slots, with one rounding; an activation that feeds the combination and has the
    probability loses it to the combination.

    Operations of the moe dialect:

    ```mlir
    %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>)
           : tensor<?x128xbf16> to tensor<?x64xbf16>
    %y = moe.combine %z weights(%w : tensor<?x8xf32>) by(%ids : tensor<?x8xi32>)
           : tensor<?x8x64xbf16> to tensor<?x64xbf16>
    ```

    become

    ```mlir
    %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>)
           points {bias = false, clamp = false, offset = false, offset_scalar = false,
                   probability = false, product = false, scaled = false, sigmoid = false,
                   silu = false} : tensor<?x128xbf16> to tensor<?x64xbf16>
    %y = moe.combine %z weights(%w : tensor<?x8xf32>) by(%ids : tensor<?x8xi32>)
           sequence slots accumulate f32
           points {accumulate = false, bias = false, term = false, weight = false}
           : tensor<?x8x64xbf16> to tensor<?x64xbf16>
    ```

    Their gradients are promoted with them: `moe.activation_grad` becomes `derivative closed
    form product` with its points off, `moe.combine_grad` takes f32 weights with the points
    `weight` and `product` off. Where a probability moves, so does its gradient. A remark says
    where the module has only one of forward and gradient. Where one of them cannot be promoted
    (`on-unsupported=warn`), the forward and all its gradients stay as they are, operations and
    written-out ones, and a remark at each says so.

    All is said, so that `prec-apply-profile` changes nothing of it afterwards; what it said
    before is overridden. What comes after the sum (scale, shared expert, residual) is not
    part of the combination and keeps its points.

    The same computation written out, at level M or R, in the bodies of linalg operations or
    on tensors:

    ```mlir
    %s = nn.silu %g : tensor<?x64xbf16>
    %m = arith.mulf %s, %u : tensor<?x64xbf16>
    ```

    becomes

    ```mlir
    %m = linalg.generic ... ins(%g, %u) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %0 = arith.extf %in : bf16 to f32
      ... negf, exp, addf, divf: silu
      %5 = arith.extf %in_0 : bf16 to f32
      %6 = arith.mulf %4, %5 : f32
      %7 = arith.truncf %6 : f32 to bf16      // prec.round at level R
      linalg.yield %7 : bf16
    }
    ```

    Found are products, in any order and over any number of elementwise operations, of g,
    1 / (1 + exp(-g)), u and perhaps one number for each row; or g / (1 + exp(-g)). exp may
    be of a multiple of g, and a constant may be added to u; limits are part of what makes g
    and u. A rounding that makes g, u or the experts' outputs stays. An intermediate with
    other uses is computed for these as before. Combinations are a linalg reduction, a
    `prec.sum` or an `nn.sum` over slots, or a chain of additions, of 16-bit terms times a
    weight for each slot of a token, terms and weights gathered by an index or not.

    Their gradients too: that of the gate in whatever way it is written, told by what it is in
    real numbers, dy u (s + g s (1 - s)), perhaps times the probability; those of u and, as a
    sum along rows, of the probability where that is there; those of a combination, R(dy * w)
    and the sum of R(dy * z). Other products have these two forms too: without the combination
    the weights must have been f32, and nothing may be done with the first but to return it, nor
    with the second where it is alone; else a remark says why it is none.

    Remarks (`--remarks-filter=prec-.*`) say what was promoted and what was left alone.

    Not promoted, with an error, or with `on-unsupported=warn` a warning: operands other
    than bf16 and f16; another function than a gated silu; a result that is quantized to 8
    bits or fewer; a probability that is applied twice, or by a permutation between the
    experts and the combination; router probabilities that are not f32.

    Preconditions: level M or R. Runs after `prec-apply-profile` and the inliner, and before or
    after canonicalization.

    Caveats: a dense gated silu that is written out is no different from an expert's, and
    is promoted too. The gradient of u takes a silu(g) that the forward keeps (`prec.materialize`
    too) in f32, computed again from g. Where it comes as an argument of the function, nothing
    says what it is: that gradient stays, and a remark says so.
  }];
  let options = [
    Option<"activation", "activation", "bool", "false", "Promote activations">,
    Option<"combine", "combine", "bool", "false", "Promote combinations">,
    Option<"onUnsupported", "on-unsupported", "std::string", "\"error\"",
           "error or warn: what to do where promotion is not possible">
  ];
  let dependentDialects = [
    "::prec::PrecDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def CanonicalizePass : Pass<"prec-canonicalize"> {
  let summary = "Canonicalize level R, but fold no function";
  let description = [{
    Upstream's canonicalization, with two exceptions. Operations of the math dialect stay:
    upstream folds them on constants with the host's C library, whose tanhf is wrong in
    its last bit for one argument in six; level R says correctly rounded, and
    `prec-expand-math` makes them operations that fold exactly. And `arith.maxnumf` and
    `arith.minnumf` stay: of a signaling NaN and a number upstream's folder makes NaN.

    ```mlir
    %c = arith.constant 0x3ED2D0C7 : f32
    %0 = math.tanh %c : f32   // stays; -canonicalize gives the number above the nearest
    ```

    Caveats: blocks are not merged and dead functions not erased; `cse` does the latter.
  }];
}

def VerifyExplicitPass : Pass<"prec-verify-explicit"> {
  let summary = "Check that every rounding is explicit (level R)";
  let description = [{
    One error for each operation that level R does not allow, the first 100: arithmetic in a 16-bit
    or 8-bit format, `arith.truncf`, fast-math flags, named linalg operations and
    composite operations, types that are no format of ours. Changes nothing.
  }];
}

def ElideRoundingPass : Pass<"prec-elide-rounding"> {
  let summary = "Remove roundings, and operations, that are proven to change nothing";
  let description = [{
    Overview: an analysis follows, for each value, how many significant bits its numbers
    have, how small and how large they are, their signs, and which special values are
    among them. With it, and with the target's operations, f32 arithmetic becomes
    cheaper arithmetic of the same bits (NaN being as good as another NaN):

    | | before | after | because |
    |---|---|---|---|
    | T1 | `x / 2^k` | `x * 2^-k` | one real number, rounded once |
    | T2 | `round(extf x / c)` | `round(extf x * (1/c))` | equal on all 65,536 inputs, which are tried |
    | T3 | `extf(round v)` | `v` | v is a number of the format already |
    | T4 | `round(extf x + extf y)`, also `-`, `*` | `x + y` in bf16 or f16 | 24 bits are enough: all pairs were swept |
    | T5 | `round(-extf x)`, absf, maximumf, minimumf | the operation in bf16 or f16 | exact |
    | T6 | `a * b + c`, also `-` | `math.fma` | the product is exact |

    ```mlir
    %0 = arith.extf %h : vector<8xbf16> to vector<8xf32>
    %1 = arith.extf %c : vector<8xbf16> to vector<8xf32>
    %2 = arith.mulf %0, %1 : vector<8xf32>
    %3 = prec.round %2 : vector<8xf32> to vector<8xbf16>
    ```

    becomes, with `native-bf16`,

    ```mlir
    %3 = arith.mulf %h, %c : vector<8xbf16>
    ```

    which is the operation of the format, rounded once.

    Preconditions: level R or below, before `prec.round` is lowered. Scalars, vectors and
    tensors. Before `prec-expand-math`, whose search for short sequences sees shorter
    chains.

    Caveats: afterwards arithmetic in 16-bit formats may stand where level R has none.
    Nothing that lowers it may contract it (`convert-prec-to-nvvm` does not).
  }];
  let options = [
    Option<"nativeBF16", "native-bf16", "bool", "false", "The target computes in bf16 (T4, T5)">,
    Option<"nativeF16", "native-f16", "bool", "false", "The target computes in f16 (T4, T5)">,
    Option<"contract", "contract", "bool", "true", "The target has a fused multiply-add (T6)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def FormKernelsPass : Pass<"prec-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "Group operations of level R into kernels (level K)";
  let description = [{
    Groups the tensor operations of each function into `prec.kernel`s. Afterwards
    the function holds only kernels, index arithmetic, checks and constants; only
    the results of kernels exist in memory. The operations themselves are not
    changed: the function evaluates to the same bits before and after.

    Elementwise operations, broadcasts, views and reductions of at most 16 elements
    become part of every kernel that needs them. A longer reduction stays in a kernel
    with its consumers as long as they keep to its *rows*: the elements that share the
    result's place. A norm, a softmax, a residual with its norm, and a gradient with its
    row's sum are one kernel each, with results of a row and of one element a row; so
    are columns of at most 256 elements, which a thread keeps in registers. Elsewhere
    the value goes to memory, with a remark that says why (`--remarks-filter=prec-.*`,
    missed): its consumer reads other rows, a sum of rows meets one of columns, a body
    reads it at places of its own, columns are too long, it is the fifth reduction
    in sequence, each of what the one before it is part of (a row that is not kept
    in registers is computed anew for each of those, so that code would grow with the
    square of their number), or more than 4096 operations stand before it in sequence.
    `prec.materialize` ends a kernel, too. A value that several kernels need is
    computed in each if that is cheap; otherwise it goes to memory.
    Results of one shape share a kernel, and so do results with the same rows and sources,
    of static lengths where these are not equal.

    Rows are told from the operations' index maps, one pass over the function, rather
    than by tiling and fusing loops: what a kernel computes is not decided by the order
    in which its consumers were met (dialects/Prec/README.md weighs the two). Results
    that turn out to have no common rows after all are split, with a remark.

    Where operands of an operation have dynamic sizes that must agree and the
    function does not check it, a `cf.assert` is added.

    Preconditions: functions of one block; level R. A function without tensors is
    left alone, and so is one that already has kernels.

    ```mlir
    %0 = linalg.generic ... // exp, then prec.round
    %1 = linalg.generic ins(%0, %x) ... // product, then prec.round
    return %1
    ```
    becomes
    ```mlir
    %1 = prec.kernel "f" (%u, %x) : (tensor<?x64xbf16>, tensor<?x64xbf16>) -> tensor<?x64xbf16> {
    ^bb0(%a: tensor<?x64xbf16>, %b: tensor<?x64xbf16>):
      ... // the same two operations
    }
    return %1
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::prec::PrecDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ScheduleKernelsPass : Pass<"prec-schedule-kernels"> {
  let summary = "Choose how kernels run";
  let description = [{
    Sets the `schedule` of each `prec.kernel`: how many neighbouring elements are
    computed together, and, for a GPU, how many threads a block has.

    A kernel that reads all its tensors at the place it writes is `flat`. In
    others, the width is the largest for which every read along the innermost
    dimension is of neighbours or of one element, and for which boundaries of
    slices and concatenations do not cut a vector. On the host, that is up to four
    registers (`lanes` f32 elements each) where memory holds 16-bit elements, else 16
    elements (8 where 64-bit elements are involved); two registers, at least 16 elements,
    in kernels of more than 2048 operations, whose code is written for each width; on a GPU, 16 bytes of the
    narrowest type, and a divisor of the innermost size. Where that size is dynamic,
    the schedule is for calls in which it is a multiple of the width (`multiples`), and
    `fallback` for all others. `fallback` is also for pointers that are not aligned as
    vectors are, and then computes one element a thread; teams are then those with the
    fewest elements a thread, which compile fast.

    On a GPU, a kernel with long reductions of contiguous rows is computed by `teams`:
    where the digits of its sums' orders fall on lanes, vectors and threads, by the
    team for which an element costs least, which has the row in its registers (with
    PyTorch's digits, a warp with up to 128 elements a thread); else a row of at most 32
    vectors by a part of a warp, a longer one by up to 512 threads of a block. Columns
    with inner dimensions are one a thread, a row's columns a block.

    Each choice is reported as an analysis remark (`--remarks-filter=prec-.*`).

    ```mlir
    prec.kernel "f"(%x) attributes {schedule = #prec.schedule<space = flat, width = 16>} ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"host\"", "host or gpu">,
    Option<"lanes", "lanes", "unsigned", "8", "f32 elements of a register of the CPU">
  ];
  let dependentDialects = ["::prec::PrecDialect"];
}

#endif // PREC_TRANSFORMS_PASSES_TD
