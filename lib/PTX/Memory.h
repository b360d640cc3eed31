// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory that threads share: where addresses lead, who wrote what, and
/// which accesses no barrier orders.
#ifndef PREC_LIB_PTX_MEMORY_H
#define PREC_LIB_PTX_MEMORY_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace prec::ptx {

// Generic addresses of shared and local memory, and where tensors begin.
inline constexpr uint64_t sharedWindow = 0x7e0000000000;
inline constexpr uint64_t localWindow = 0x7e8000000000;
inline constexpr uint64_t windowSize = 0x8000000000;
inline constexpr uint64_t firstRegion = 0x7f0000000000;

/// The launch's threads are numbered from 0; at most this many.
inline constexpr uint64_t maxThreads = uint64_t(1) << 30;

/// Who accesses, and when: the epochs count the barriers passed so far by its
/// block and by its warp.
struct Accessor {
  uint32_t thread;
  uint32_t warpInBlock;
  uint32_t threadsPerBlock;
  uint16_t blockEpoch, warpEpoch;
};

/// The last access to a granule of memory, in 8 bytes. All zero: none.
struct Access {
  /// How many threads read it since: one, or several of a warp, of a block, of
  /// the grid.
  enum Scope : uint32_t { One, Warp, Block, Grid };
  uint32_t threadPlusOne : 31;
  uint32_t quiet : 1; ///< a store that changed nothing, or an atomic
  uint32_t scopeAndEpochs;

  bool any() const { return threadPlusOne != 0; }
  uint32_t thread() const { return threadPlusOne - 1; }
  Scope scope() const { return Scope(scopeAndEpochs >> 30); }

  static Access of(const Accessor &who, Scope scope, bool quiet) {
    Access a;
    a.threadPlusOne = who.thread + 1;
    a.quiet = quiet;
    a.scopeAndEpochs = uint32_t(scope) << 30 |
                       uint32_t(who.blockEpoch & 0x7fff) << 15 |
                       uint32_t(who.warpEpoch & 0x7fff);
    return a;
  }
  /// Whether this access and one by `who` at this moment have no order.
  bool unordered(const Accessor &who) const {
    if (!any())
      return false;
    if (scope() == Grid)
      return true;
    if (scope() == One && thread() == who.thread)
      return false;
    if (thread() / who.threadsPerBlock != who.thread / who.threadsPerBlock)
      return true;
    if ((scopeAndEpochs >> 15 & 0x7fff) != (who.blockEpoch & 0x7fffu))
      return false;
    bool sameWarp = thread() % who.threadsPerBlock / 32 == who.warpInBlock;
    return !(scope() <= Warp && sameWarp &&
             (scopeAndEpochs & 0x7fff) != (who.warpEpoch & 0x7fffu));
  }
};

/// Zeroed on demand by the operating system, so that what is never touched
/// costs nothing.
template <typename T> class LazyArray {
public:
  void allocate(size_t count) {
    data.reset(static_cast<T *>(std::calloc(count ? count : 1, sizeof(T))));
    if (!data)
      throw std::bad_alloc();
  }
  explicit operator bool() const { return bool(data); }
  T &operator[](size_t i) { return data.get()[i]; }
  const T &operator[](size_t i) const { return data.get()[i]; }
  T *get() { return data.get(); }
  void clear() { data.reset(); }

private:
  struct Free {
    void operator()(T *p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data;
};

/// The last writer and readers of each granule.
class RaceShadow {
public:
  explicit RaceShadow(unsigned granule = 1) : granule(granule) {}
  void reset() {
    writers.clear();
    readers.clear();
  }
  /// Notes a read of [offset, offset + bytes) of `size` bytes; returns the
  /// writer it races with, if there is one.
  std::optional<Access> read(uint64_t offset, unsigned bytes, uint64_t size,
                             const Accessor &who);
  /// Notes a store; `changes`: it changes memory; `atomic`: as a part of one.
  std::optional<Access> write(uint64_t offset, unsigned bytes, uint64_t size,
                              const Accessor &who, bool changes, bool atomic);

private:
  unsigned granule;
  LazyArray<Access> writers, readers;
};

/// The bytes of a region that loads read or stores write: how many in all, and
/// how many of them are distinct.
class Touched {
public:
  /// Notes an access to [offset, offset + bytes) of `size` bytes.
  void note(uint64_t offset, unsigned bytes, uint64_t size);
  uint64_t total = 0, distinct = 0;

private:
  LazyArray<uint8_t> seen;
};

/// A range of global or constant memory.
struct Region {
  uint64_t base = 0, size = 0;
  uint8_t *data = nullptr;
  std::string name;
  bool writable = false;
  /// Bytes written so far; null if all are initialised.
  LazyArray<uint8_t> initialized;
  RaceShadow races;
  /// What all kernels of a run loaded and stored so far.
  Touched loaded, stored;
  /// Index of the input tensor whose elements are symbols, or -1.
  int symbol = -1;
};

/// Regions by address.
class MemoryMap {
public:
  /// Adds a region behind all others and gives its base address.
  uint64_t add(Region region);
  /// The region with this byte, or null.
  Region *find(uint64_t address) {
    if (last && address - last->base < last->size)
      return last;
    return search(address);
  }
  /// The last region that begins at or before the address, or null.
  const Region *nearest(uint64_t address) const;
  std::vector<Region> &all() { return regions; }

private:
  Region *search(uint64_t address);
  std::vector<Region> regions;
  Region *last = nullptr;
  uint64_t next = firstRegion;
};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_MEMORY_H
