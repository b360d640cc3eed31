// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

#include <algorithm>

using namespace prec::ptx;

std::optional<Access> RaceShadow::read(uint64_t offset, unsigned bytes,
                                       uint64_t size, const Accessor &who) {
  size_t count = size / granule + 1;
  if (!readers)
    readers.allocate(count);
  std::optional<Access> race;
  for (uint64_t g = offset / granule; g <= (offset + bytes - 1) / granule;
       ++g) {
    if (writers && !writers[g].quiet && writers[g].unordered(who))
      race = writers[g];
    Access &r = readers[g];
    if (r.any() && r.unordered(who)) {
      // Several readers that nothing orders: remember their common scope.
      bool sameBlock =
          r.thread() / who.threadsPerBlock == who.thread / who.threadsPerBlock;
      bool sameWarp =
          sameBlock && r.thread() % who.threadsPerBlock / 32 == who.warpInBlock;
      Access::Scope scope = std::max(r.scope(), sameWarp    ? Access::Warp
                                                : sameBlock ? Access::Block
                                                            : Access::Grid);
      r = Access::of(who, scope, false);
    } else {
      r = Access::of(who, Access::One, false);
    }
  }
  return race;
}

std::optional<Access> RaceShadow::write(uint64_t offset, unsigned bytes,
                                        uint64_t size, const Accessor &who,
                                        bool changes, bool atomic) {
  size_t count = size / granule + 1;
  if (!writers)
    writers.allocate(count);
  std::optional<Access> race;
  for (uint64_t g = offset / granule; g <= (offset + bytes - 1) / granule;
       ++g) {
    // A store that changes nothing decides nothing.
    if (changes && !atomic) {
      if (writers[g].unordered(who))
        race = writers[g];
      if (readers && readers[g].unordered(who))
        race = readers[g];
    }
    if (atomic && !writers[g].quiet && writers[g].unordered(who))
      race = writers[g];
    writers[g] = Access::of(who, Access::One, atomic || !changes);
  }
  return race;
}

void Touched::note(uint64_t offset, unsigned bytes, uint64_t size) {
  if (!seen)
    seen.allocate(size);
  total += bytes;
  for (uint64_t k = offset; k < offset + bytes; ++k) {
    distinct += !seen[k];
    seen[k] = 1;
  }
}

uint64_t MemoryMap::add(Region region) {
  // A gap follows, so that a small step beyond the end is found.
  uint64_t taken = (region.base + region.size + 4096 + 255) / 256 * 256;
  region.base += next;
  next += taken;
  regions.push_back(std::move(region));
  last = nullptr;
  return regions.back().base;
}

const Region *MemoryMap::nearest(uint64_t address) const {
  auto it =
      std::upper_bound(regions.begin(), regions.end(), address,
                       [](uint64_t a, const Region &r) { return a < r.base; });
  return it == regions.begin() ? nullptr : &*std::prev(it);
}

Region *MemoryMap::search(uint64_t address) {
  const Region *r = nearest(address);
  if (!r || address - r->base >= r->size)
    return nullptr;
  return last = const_cast<Region *>(r);
}
