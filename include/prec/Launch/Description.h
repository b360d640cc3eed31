// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The launch description (version 1): how the kernels of one function are
/// launched on tensors. One JSON format for what the compiler writes, what the
/// PTX engine and the audit read, and what a user writes for any kernel.
/// docs/launch.md documents the format.
#ifndef PREC_LAUNCH_DESCRIPTION_H
#define PREC_LAUNCH_DESCRIPTION_H

#include "prec/Launch/Expression.h"

#include <array>
#include <functional>
#include <vector>

namespace prec::launch {

/// Keys that this version does not define, each with its JSON text. Readers
/// that do not know them ignore them; writing gives them back unchanged.
using Extra = std::map<std::string, std::string>;

/// One parameter of a kernel, in the order of the entry's parameters.
struct Parameter {
  enum class Kind { Tensor, Scalar, NullPointer, Struct };
  Kind kind = Kind::Tensor;
  /// Tensor: its name; the kernel gets its base pointer.
  std::string tensor;
  /// Tensor: if not empty, the kernel works in place, and the buffer holds
  /// the tensor of this name when it ends.
  std::string aliases;
  /// Scalar: i8, i16, i32, i64, bf16, f16, f32 or f64.
  std::string type;
  /// Scalar: a number, an expression over dims, or a scalar argument's name.
  std::string value;
  /// Struct: its size, and what stands in it; other bytes are 0.
  unsigned bytes = 0;
  std::vector<Parameter> fields;
  /// A field: where in its struct.
  unsigned offset = 0;

  /// Itself, or the fields of a struct.
  std::vector<const Parameter *> parts() const;

  static Parameter makeTensor(std::string name, std::string aliases = "");
  static Parameter makeScalar(std::string type, std::string value);
  static Parameter makeNull();
  static Parameter makeStruct(unsigned bytes, std::vector<Parameter> fields);
  /// This parameter as the field at byte `offset` of a struct.
  Parameter at(unsigned offset) const;
  bool operator==(const Parameter &other) const;
};

/// What holds of a launch: that every tensor that the kernel gets starts at a
/// multiple of `alignment` bytes, or, where that is 0, how two sizes compare.
struct Condition {
  unsigned alignment = 0;
  Expression left, right;
  /// One of == != < <= > >=.
  std::string is;
  bool operator==(const Condition &other) const;
};

struct Alternative;

struct Kernel {
  std::string entry;
  std::array<Expression, 3> grid{1, 1, 1};
  std::array<Expression, 3> block{1, 1, 1};
  Expression dynamicShared;
  std::vector<Parameter> params;
  /// Kernels that compute the same. The first whose conditions are as it says
  /// is launched instead of this one.
  std::vector<Alternative> alternatives;
  Extra extra;

  /// The parameters of the kernel and of its alternatives that are no structs,
  /// and the fields of those that are.
  std::vector<const Parameter *> allParts() const;
  bool operator==(const Kernel &other) const;
};

/// A kernel for when all conditions hold, or, with `unless`, for when one does
/// not.
struct Alternative {
  bool unless = false;
  std::vector<Condition> conditions;
  Kernel kernel; ///< without alternatives of its own
  bool operator==(const Alternative &other) const;
};

/// A tensor that the runner allocates: a result or a temporary.
struct Buffer {
  std::string name;
  /// Element type, e.g. bf16, f32, i32 (elementBytes says which are known).
  std::string type;
  std::vector<Expression> shape;
  bool operator==(const Buffer &other) const;
};

/// A named size: dimension `index` of the tensor `tensor`.
struct Dim {
  std::string tensor;
  unsigned index = 0;
  bool operator==(const Dim &other) const {
    return tensor == other.tensor && index == other.index;
  }
};

struct Description {
  /// The function that the kernels compute, and the target they are made for;
  /// both may be empty in a description written by hand.
  std::string function, target;
  std::map<std::string, Dim> dims;
  std::vector<Kernel> kernels;
  std::vector<Buffer> temporaries;
  /// Optional: types and shapes of the results, so that a runner can allocate
  /// them without knowing the function.
  std::vector<Buffer> results;
  Extra extra;
  bool operator==(const Description &other) const;
};

/// Reads a description; `file` is named in errors. On failure returns nothing
/// and says in `error` what is wrong, and where.
std::optional<Description> read(std::string_view text, std::string_view file,
                                std::string &error);

/// The JSON text of `description`; reading it gives an equal description.
std::string write(const Description &description);

/// Bytes of an element of `type` (i1, i8, i16, i32, i64, their u forms, bf16,
/// f16, f32, f64, f8E4M3FN, f8E5M2), or 0 if it is not known.
unsigned elementBytes(std::string_view type);

/// Shapes by tensor name.
using Shapes = std::map<std::string, std::vector<int64_t>>;
/// Bits of the function's scalar arguments by name, in the argument's type.
using Scalars = std::map<std::string, uint64_t>;

/// The values of all dims, from the tensors' shapes; nothing, with the reason
/// in `error`, if a tensor is missing or has too few dimensions.
std::optional<Sizes> bindDims(const Description &description,
                              const Shapes &shapes, std::string &error);

/// The bits of a scalar parameter: an integer modulo its width, a float
/// rounded to nearest.
std::optional<uint64_t> scalarBits(const Parameter &parameter,
                                   const Sizes &sizes, const Scalars &scalars,
                                   std::string &error);

/// What a kernel gets for `parameter`, little-endian: 8 bytes for a pointer, a
/// scalar's, a struct's. `address` gives the address that stands for a tensor
/// parameter, or nothing if there is no such tensor.
std::optional<std::vector<uint8_t>> parameterBytes(
    const Parameter &parameter, const Sizes &sizes, const Scalars &scalars,
    const std::function<std::optional<uint64_t>(const Parameter &)> &address,
    std::string &error);

/// The kernel that a launch of `kernel` runs: itself or one of its
/// alternatives. `address` gives the address of a tensor parameter, or nothing
/// if there is no such tensor. Null, with the reason in `error`, if a size
/// cannot be computed.
const Kernel *chooseKernel(
    const Kernel &kernel, const Sizes &sizes,
    const std::function<std::optional<uint64_t>(const Parameter &)> &address,
    std::string &error);

/// Whether `text` is a comparison that conditions know.
bool isComparison(std::string_view text);

/// Whether `condition`, which compares sizes, holds; nothing, with the reason
/// in `error`, if a size cannot be computed.
std::optional<bool> compareSizes(const Condition &condition, const Sizes &sizes,
                                 std::string &error);

/// The shape of a buffer; nothing, with the reason in `error`, if a size is
/// negative or the tensor has more than 2^40 bytes.
std::optional<std::vector<int64_t>>
bufferShape(const Buffer &buffer, const Sizes &sizes, std::string &error);

} // namespace prec::launch

#endif // PREC_LAUNCH_DESCRIPTION_H
