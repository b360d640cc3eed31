// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_ATTRS_TD
#define PREC_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Prec/PrecDialect.td"

class Prec_Attr<string name, string attrMnemonic> : AttrDef<Prec_Dialect, name> {
  let mnemonic = attrMnemonic;
}

/// An enum as an attribute: `word` in an operation's assembly, and
/// `#dialect<mnemonic word>` in a dictionary, a profile's for example.
class Prec_EnumAttr<Dialect dialect, EnumInfo info, string enumMnemonic>
    : EnumAttr<dialect, info, enumMnemonic> {
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1; // one error for an unknown word, not two
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser, ::mlir::Type) {
      auto value = ::mlir::FieldParser<}] # returnType # [{>::parse(parser);
      return succeeded(value) ? get(parser.getContext(), *value) : ::mlir::Attribute();
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      printer << ' ' << stringifyEnum(getValue());
    }
  }];
}

/// A rule by which engines differ, as an operation's attribute: absent it is
/// `whenAbsent`, which a profile may override; what is written it may not.
/// (DefaultValuedAttr could not tell the two apart.)
class Prec_Rule<EnumAttr attr, string whenAbsent> : OptionalAttr<attr> {
  let returnType = attr.returnType;
  let convertFromStorage = "$_self ? " # attr.convertFromStorage # " : " # whenAbsent;
}

def Prec_RoundingMode : I32EnumAttr<"RoundingMode", "how a value between two representable ones is rounded", [
    I32EnumAttrCase<"nearest_even", 0>,
    I32EnumAttrCase<"toward_zero", 1>,
    I32EnumAttrCase<"upward", 2>,
    I32EnumAttrCase<"downward", 3>,
    I32EnumAttrCase<"nearest_away", 4>]> {
  let cppNamespace = "::prec";
}

def Prec_MathKind : I32EnumAttr<"MathKind", "which implementation of a mathematical function", [
    I32EnumAttrCase<"correctly_rounded", 0>,
    I32EnumAttrCase<"libdevice", 1>,
    I32EnumAttrCase<"fast", 2>]> {
  let cppNamespace = "::prec";
  let genSpecializedAttr = 0;
}

def Prec_HardwareFunction : I32EnumAttr<"HardwareFunction", "an approximate instruction", [
    I32EnumAttrCase<"exp2", 0>,
    I32EnumAttrCase<"reciprocal", 1>]> {
  let cppNamespace = "::prec";
}

def Prec_MathAttr : Prec_Attr<"Math", "math"> {
  let summary = "Which implementation of exp, log, tanh, ... an operation means";
  let description = [{
    Carried as `prec.math` by operations of the math dialect and as an attribute of
    composite operations. Absent means `correctly_rounded`: the f32 (or 16-bit)
    value nearest to the mathematical one, ties to even.
  }];
  let parameters = (ins EnumParameter<Prec_MathKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
}

def Prec_OrderAttr : Prec_Attr<"Order", "order"> {
  let summary = "The exact tree of a sum";
  let description = [{
    The index of the reduced dimension is split into mixed-radix digits, innermost
    first (`*`, stored as -1, is the rest). The digits are summed away one step at a
    time. Elements that the digits' block does not cover are skipped, never added
    as zeros.

    ```
    #prec.order<sequential>
    #prec.order<lanes<8>>                     // digits [8, *]: * sequential, 8 halving
    #prec.order<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
    #prec.order<aten_cpu>                     // the row sum of PyTorch's CPU kernels
    ```

    Step kinds: `sequential` (((a0+a1)+a2)+...), `halving` (l += l+n/2, n/4, ..., 1),
    `adjacent` ((a0+a1)+(a2+a3)...), `cascade` (PyTorch CPU's four-level cascade).
    `from_zero`: each partial sum starts with +0 instead of its first element.

    Constraints (checked by num::checkOrder):
    - (C1) There is at least one digit.
    - (C2) `*` stands at most once among the digits.
    - (C3) The other digits are positive.
    - (C4) `steps` names every digit once.
    - (C5) The digit of a `halving` or `adjacent` step is a power of two.
  }];
  // The tree itself is num::SumOrder; this attribute is its uniqued form.
  let parameters = (ins "::prec::num::SumOrder":$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 0;
}

def Prec_KernelSpace : I32EnumAttr<"KernelSpace", "how a kernel walks over its results", [
    I32EnumAttrCase<"flat", 0>,
    I32EnumAttrCase<"rows", 1>,
    I32EnumAttrCase<"elements", 2>,
    I32EnumAttrCase<"teams", 3>]> {
  let cppNamespace = "::prec";
  let genSpecializedAttr = 0;
}

def Prec_ScheduleAttr : Prec_Attr<"Schedule", "schedule"> {
  let summary = "How a kernel runs";
  let description = [{
    Written by `prec-schedule-kernels`. `width` neighbouring elements of a result are
    computed together. The space is `flat` (one index over all elements: every
    operand has the results' shape), `rows` (the innermost dimension in vectors,
    the others outside), `elements` (one element a thread) or `teams` (`team`
    threads compute a row and its reductions together). `threads` is the
    number of threads of a block; 1 on the host. Never changes a bit.

    `multiples` has a number for each operand: the schedule is for calls in which
    the tensor's last size, or the index, is a multiple of it. Without, it is for
    all calls.
  }];
  let parameters = (ins EnumParameter<Prec_KernelSpace>:$space, "int64_t":$width,
    DefaultValuedParameter<"int64_t", "1">:$threads,
    DefaultValuedParameter<"int64_t", "1">:$team,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$multiples);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // PREC_ATTRS_TD
