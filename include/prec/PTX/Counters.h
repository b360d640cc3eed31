// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one launch executed: exact, the same on every machine.
#ifndef PREC_PTX_COUNTERS_H
#define PREC_PTX_COUNTERS_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace prec::ptx {

struct Counters {
  enum class Class : uint8_t {
    GlobalLoad,
    GlobalStore,
    GlobalAtomic,
    Shared,
    Local,
    Param, ///< constants and kernel parameters
    F32,
    F64,
    Packed16, ///< f16 and bf16 arithmetic, two numbers an instruction or one
    Matrix,   ///< mma, ldmatrix
    Conversion,
    SpecialFunction,
    Integer,
    Move, ///< register to register: the assembler removes most
    Control,
    Synchronization ///< barriers, shuffles, votes
  };
  static constexpr unsigned classes = unsigned(Class::Synchronization) + 1;
  static const char *name(Class c);

  /// Instructions executed by threads, by class.
  std::array<uint64_t, classes> instructions{};
  uint64_t threadInstructions() const;
  /// Instructions issued by warps.
  uint64_t warpInstructions = 0;

  /// Global accesses of a thread by their bytes (1, 2, 4, 8, 16, 32).
  std::map<unsigned, uint64_t> loadsByWidth, storesByWidth;
  uint64_t globalBytesLoaded = 0, globalBytesStored = 0;
  /// 32-byte sectors that the warps' accesses touch, and the least number that
  /// the same distinct bytes need.
  uint64_t loadSectors = 0, loadSectorsMinimum = 0;
  uint64_t storeSectors = 0, storeSectorsMinimum = 0;

  uint64_t sharedBytes = 0;
  /// Extra passes over shared memory because of bank conflicts.
  uint64_t bankConflicts = 0;

  uint64_t branches = 0, divergentBranches = 0;
  uint64_t barriers = 0;
  uint64_t threads = 0, blocks = 0;

  /// One line a counter.
  std::string text() const;
  /// A JSON object on one line.
  std::string json() const;

  Counters &operator+=(const Counters &other);
};

/// How kernels read and write a tensor, atomics included.
struct TensorCounters {
  std::string name;
  uint64_t bytes = 0;
  /// Bytes loaded and stored in all, and how many of them are distinct.
  uint64_t loaded = 0, distinctLoaded = 0;
  uint64_t stored = 0, distinctStored = 0;
};

/// What all kernels of a function executed, against what it computes.
struct FunctionCounters {
  Counters total;
  /// Elements of all results.
  uint64_t elements = 0;
  /// Bytes of all arguments and results: what must be moved at least.
  uint64_t tensorBytes = 0;
  /// Arguments, results and temporaries by name.
  std::vector<TensorCounters> tensors;

  /// One line a number: instructions and bytes for each element, sectors, and
  /// how each tensor is read and written.
  std::string text() const;
  /// The same as members of a JSON object, without its braces.
  std::string json() const;
};

} // namespace prec::ptx

#endif // PREC_PTX_COUNTERS_H
