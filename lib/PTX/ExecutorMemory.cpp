// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, atomics and copies, with the memory checker.
#include "DomainSymbolic.h"

#include <algorithm>
#include <cstdio>

using namespace prec::ptx;

static uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

static std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
  return text;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Where an address is, in words.
template <class D>
std::string Executor<D>::describe(Space space, uint64_t address) const {
  if (space == Space::Shared)
    return "shared address " + hex(address);
  if (space == Space::Local)
    return "local address " + hex(address);
  if (space == Space::Param)
    return "parameter address " + hex(address);
  std::string text = "address " + hex(address);
  const Region *r = memory.nearest(address);
  if (!r)
    return text;
  uint64_t offset = address - r->base;
  if (offset < r->size)
    return text + " ('" + r->name + "' + " + std::to_string(offset) + ")";
  if (offset - r->size < 4096)
    return text + " (" + std::to_string(offset - r->size) +
           " bytes behind the end of '" + r->name + "', " +
           std::to_string(r->size) + " bytes)";
  return text;
}

template <class D>
void Executor<D>::addresses(Warp &w, FrameT &f, const Inst &i, int32_t slot,
                            int64_t offset, unsigned bits, uint32_t active,
                            uint64_t *out) {
  if constexpr (D::symbolic)
    if (uint32_t unknown = f.data.symbolic[slot] & active)
      failOnData(w, i, __builtin_ctz(unknown), "address that depends on data");
  requireDefined(w, f, i, slot, active);
  const uint64_t *lanes = f.lanes(slot);
  uint64_t mask = maskOf(bits);
  for (unsigned l = 0; l < warpSize; ++l)
    out[l] = (lanes[l] + uint64_t(offset)) & mask;
}

/// Finds the bytes of an access and checks that they are there, aligned.
template <class D>
typename Executor<D>::Place
Executor<D>::resolve(Warp &w, FrameT &f, const Inst &i, Space space,
                     uint64_t address, unsigned bytes, unsigned lane,
                     bool write) {
  Place p;
  uint64_t where = address;
  if (space == Space::Generic) {
    space = Space::Global;
    if (address - sharedWindow < windowSize) {
      space = Space::Shared;
      where = address - sharedWindow;
    } else if (address - localWindow < windowSize) {
      space = Space::Local;
      where = address - localWindow;
    }
  }
  p.space = space;
  auto bad = [&](const char *what) {
    fail(w, i, lane,
         std::string(what) + (write ? " write of " : " read of ") +
             std::to_string(bytes) + " bytes at " + describe(space, where));
  };
  switch (space) {
  case Space::Shared:
    if (where < sharedBase || where + bytes > shared.size())
      bad("out-of-bounds");
    p.data = shared.data() + where;
    p.offset = where;
    break;
  case Space::Local: {
    uint64_t top = f.localBase + f.code->localBytes;
    if (where < 256 || where + bytes > top)
      bad("out-of-bounds");
    p.offset = size_t(lane) * w.localStride + where;
    p.data = w.local.data() + p.offset;
    break;
  }
  case Space::Param:
    if (where + bytes > f.code->paramBytes || where + bytes < where)
      bad("out-of-bounds");
    p.data = f.param(lane) + where;
    break;
  default:
    p.region = memory.find(where);
    if (!p.region || where - p.region->base + bytes > p.region->size)
      bad("out-of-bounds");
    p.offset = where - p.region->base;
    p.data = p.region->data + p.offset;
    if (write && !p.region->writable)
      bad("read-only memory:");
    break;
  }
  if (where & (bytes - 1))
    bad("misaligned");
  return p;
}

template <class D> uint8_t *Executor<D>::definedBytes(Warp &w, const Place &p) {
  if (p.space == Space::Shared)
    return sharedDefined.data() + p.offset;
  if (p.space == Space::Local)
    return w.localDefined.data() + p.offset;
  if (p.region && p.region->initialized)
    return p.region->initialized.get() + p.offset;
  return nullptr;
}

template <class D>
void Executor<D>::noteRead(Warp &w, const Inst &i, const Place &p,
                           unsigned bytes, unsigned lane, uint64_t address,
                           bool quiet) {
  if (const uint8_t *defined = definedBytes(w, p))
    for (unsigned k = 0; k < bytes; ++k)
      if (!defined[k])
        fail(w, i, lane,
             "uninitialised read of " + std::to_string(bytes) + " bytes at " +
                 describe(p.space,
                          p.region ? p.region->base + p.offset : address));
  if (!options.checkRaces || quiet)
    return;
  std::optional<Access> race;
  if (p.space == Space::Shared)
    race = sharedRaces.read(p.offset, bytes, shared.size(), accessor(w, lane));
  else if (p.region && p.region->writable)
    race = p.region->races.read(p.offset, bytes, p.region->size,
                                accessor(w, lane));
  if (race)
    fail(
        w, i, lane,
        "race: read of " + std::to_string(bytes) + " bytes at " +
            describe(p.space, p.region ? p.region->base + p.offset : p.offset) +
            ", which " + threadName(uint64_t(race->thread())) +
            " wrote with no barrier between,");
}

template <class D>
void Executor<D>::noteWrite(Warp &w, const Inst &i, const Place &p,
                            unsigned bytes, unsigned lane, uint64_t address,
                            bool changes, bool atomic) {
  if (uint8_t *defined = definedBytes(w, p)) {
    for (unsigned k = 0; k < bytes; ++k)
      changes |= !defined[k];
    std::memset(defined, 1, bytes);
  }
  if (!options.checkRaces)
    return;
  std::optional<Access> race;
  if (p.space == Space::Shared)
    race = sharedRaces.write(p.offset, bytes, shared.size(), accessor(w, lane),
                             changes, atomic);
  else if (p.region)
    race = p.region->races.write(p.offset, bytes, p.region->size,
                                 accessor(w, lane), changes, atomic);
  if (race)
    fail(
        w, i, lane,
        "race: write of " + std::to_string(bytes) + " bytes at " +
            describe(p.space, p.region ? p.region->base + p.offset : p.offset) +
            ", which " + threadName(uint64_t(race->thread())) +
            " accessed with no barrier between,");
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Distinct 32-byte sectors of a warp's access, and the fewest that could hold
/// as many distinct bytes.
template <class D>
void Executor<D>::countGlobal(const uint64_t *address, uint32_t lanes,
                              unsigned bytes, bool isLoad) {
  uint64_t sorted[warpSize];
  unsigned n = 0;
  bool ascending = true;
  for (uint32_t m = lanes; m; m &= m - 1) {
    sorted[n] = address[__builtin_ctz(m)];
    ascending &= n == 0 || sorted[n - 1] <= sorted[n];
    ++n;
  }
  if (!ascending)
    std::sort(sorted, sorted + n);
  uint64_t sectors = 0, distinct = 0, nextSector = 0, nextByte = 0;
  for (unsigned k = 0; k < n; ++k) {
    uint64_t begin = std::max(sorted[k], nextByte), end = sorted[k] + bytes;
    if (end > begin) {
      distinct += end - begin;
      nextByte = end;
    }
    uint64_t first = std::max(sorted[k] / 32, nextSector);
    uint64_t last = (end - 1) / 32 + 1;
    if (last > first) {
      sectors += last - first;
      nextSector = last;
    }
  }
  uint64_t minimum = (distinct + 31) / 32;
  (isLoad ? counters.loadSectors : counters.storeSectors) += sectors;
  (isLoad ? counters.loadSectorsMinimum : counters.storeSectorsMinimum) +=
      minimum;
}

/// A warp's access to shared memory takes one pass for every 32 banks of 4
/// bytes: 8-byte accesses a half warp at a time, 16-byte ones a quarter.
/// Different words of one bank need further passes: those are conflicts.
template <class D>
void Executor<D>::countShared(const uint64_t *address, uint32_t lanes,
                              unsigned bytes) {
  unsigned group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  for (unsigned first = 0; first < warpSize; first += group) {
    uint32_t part = lanes >> first & maskOf(group);
    if (!part)
      continue;
    uint64_t words[warpSize * 4];
    unsigned n = 0;
    for (uint32_t m = part; m; m &= m - 1) {
      uint64_t a = address[first + __builtin_ctz(m)];
      for (uint64_t word = a / 4; word <= (a + bytes - 1) / 4; ++word)
        words[n++] = word;
    }
    std::sort(words, words + n);
    n = unsigned(std::unique(words, words + n) - words);
    unsigned perBank[32] = {}, passes = 0;
    for (unsigned k = 0; k < n; ++k)
      passes = std::max(passes, ++perBank[words[k] % 32]);
    counters.bankConflicts += passes - 1;
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

template <class D>
void Executor<D>::load(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  uint64_t address[warpSize];
  addresses(w, f, i, i.src[0], i.offset, i.addressBits, active, address);
  const unsigned each = i.elementBytes, bytes = each * i.elements;
  uint32_t global = 0, sharedLanes = 0;
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    Place p = resolve(w, f, i, i.space, address[l], bytes, l, false);
    if (p.space == Space::Global) {
      global |= 1u << l;
      if (options.countMemory)
        p.region->loaded.note(p.offset, bytes, p.region->size);
    } else if (p.space == Space::Shared)
      sharedLanes |= 1u << l;
    if (p.space != Space::Param && !(p.region && !p.region->writable))
      noteRead(w, i, p, bytes, l, address[l], i.strong);
    for (unsigned e = 0; e < i.elements; ++e) {
      uint64_t value = 0;
      std::memcpy(&value, p.data + e * each, each);
      int32_t slot = i.regs[e];
      if (isSigned(i.type)) {
        unsigned unused = 64 - each * 8;
        value = uint64_t(int64_t(value << unused) >> unused) &
                maskOf(f.code->bits[slot]);
      }
      setResult(f, slot, l, value);
      if constexpr (D::symbolic)
        if (sym::Node node =
                domain.load(p.region, p.offset + e * each, p.data + e * each,
                            each, isSigned(i.type) ? f.code->bits[slot] : 0))
          domain.setNode(f, slot, l, node);
    }
  }
  if (options.countMemory) {
    if (global)
      countGlobal(address, global, bytes, true);
    if (sharedLanes)
      countShared(address, sharedLanes, bytes);
  }
}

template <class D>
void Executor<D>::store(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  uint64_t address[warpSize];
  addresses(w, f, i, i.src[0], i.offset, i.addressBits, active, address);
  for (int32_t slot : i.regs)
    requireDefined(w, f, i, slot, active);
  const unsigned each = i.elementBytes, bytes = each * i.elements;
  uint32_t global = 0, sharedLanes = 0;
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    Place p = resolve(w, f, i, i.space, address[l], bytes, l, true);
    if (p.space == Space::Global) {
      global |= 1u << l;
      if (options.countMemory)
        p.region->stored.note(p.offset, bytes, p.region->size);
    } else if (p.space == Space::Shared)
      sharedLanes |= 1u << l;
    uint8_t data[64];
    bool changes = false;
    for (unsigned e = 0; e < i.elements; ++e) {
      std::memcpy(data + e * each, &f.lanes(i.regs[e])[l], each);
      if constexpr (D::symbolic) {
        // Parameters of calls belong to the call: no condition concerns them.
        const uint8_t *defined = definedBytes(w, p);
        changes |=
            domain.store(p.data + e * each, each, f.data.node(i.regs[e], l),
                         f.lanes(i.regs[e])[l], !defined || defined[e * each],
                         l, p.space == Space::Param);
      }
    }
    if constexpr (!D::symbolic)
      changes = std::memcmp(p.data, data, bytes) != 0;
    if (p.space != Space::Param)
      noteWrite(w, i, p, bytes, l, address[l], changes, false);
    std::memcpy(p.data, data, bytes);
  }
  if (options.countMemory) {
    if (global)
      countGlobal(address, global, bytes, false);
    if (sharedLanes)
      countShared(address, sharedLanes, bytes);
  }
}

template <class D>
void Executor<D>::atomic(Warp &w, FrameT &f, const Inst &i, uint32_t active) {
  uint64_t address[warpSize];
  addresses(w, f, i, i.src[0], i.offset, i.addressBits, active, address);
  bool cas = i.mode == Mode::CompareAndSwap;
  for (unsigned e = 0; e < i.elements; ++e)
    requireDefined(w, f, i, i.regs[e], active);
  if (cas)
    requireDefined(w, f, i, i.src[2], active);
  if constexpr (D::symbolic)
    for (unsigned e = 0; e < i.elements; ++e)
      if (uint32_t unknown = f.data.symbolic[i.regs[e]] & active)
        failOnData(w, i, __builtin_ctz(unknown), "atomic operation on data");
  const unsigned each = i.elementBytes, bytes = each * i.elements;
  // Operands first: a destination may be one of them.
  std::vector<uint64_t> operands(size_t(i.elements) * warpSize);
  for (unsigned e = 0; e < i.elements; ++e)
    std::copy_n(f.lanes(i.regs[e]), warpSize, &operands[size_t(e) * warpSize]);
  uint64_t swap[warpSize];
  std::copy_n(f.lanes(i.src[2]), warpSize, swap);
  bool wantsOld = i.regs.size() > i.elements;
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    Place p = resolve(w, f, i, i.space, address[l], bytes, l, true);
    noteRead(w, i, p, bytes, l, address[l], true);
    noteWrite(w, i, p, bytes, l, address[l], true, true);
    if (options.countMemory && p.space == Space::Global) {
      p.region->loaded.note(p.offset, bytes, p.region->size);
      p.region->stored.note(p.offset, bytes, p.region->size);
    }
    for (unsigned e = 0; e < i.elements; ++e) {
      uint64_t old = 0, b = operands[size_t(e) * warpSize + l], result = 0;
      std::memcpy(&old, p.data + e * each, each);
      switch (i.mode) {
      case Mode::Exchange:
        result = b;
        break;
      case Mode::CompareAndSwap:
        result = old == b ? swap[l] : old;
        break;
      case Mode::Inc:
        result = old >= b ? 0 : old + 1;
        break;
      case Mode::Dec:
        result = old == 0 || old > b ? b : old - 1;
        break;
      default:
        result = i.fn.lane(i, old, b, 0);
        break;
      }
      std::memcpy(p.data + e * each, &result, each);
      if (wantsOld)
        setResult(f, i.regs[i.elements + e], l, old);
    }
  }
}

template <class D>
void Executor<D>::copyAsync(Warp &w, FrameT &f, const Inst &i,
                            uint32_t active) {
  uint64_t to[warpSize], from[warpSize];
  addresses(w, f, i, i.src[0], i.offset, i.addressBits, active, to);
  addresses(w, f, i, i.src[1], i.offset2, 64, active, from);
  const unsigned bytes = i.elementBytes;
  uint32_t reading = 0;
  for (uint32_t m = active; m; m &= m - 1) {
    unsigned l = __builtin_ctz(m);
    // Bytes beyond the source size are zero.
    uint64_t size = f.lanes(i.src[2])[l];
    if (size > bytes)
      fail(w, i, l,
           "source size " + std::to_string(size) + " larger than the copy's " +
               std::to_string(bytes));
    Place d = resolve(w, f, i, Space::Shared, to[l], bytes, l, true);
    uint8_t data[16] = {};
    if (from[l] & (bytes - 1))
      fail(w, i, l,
           "misaligned read of " + std::to_string(bytes) + " bytes at " +
               describe(Space::Global, from[l]));
    Place s;
    if (size) {
      s = resolve(w, f, i, Space::Global, from[l], bytes, l, false);
      if (s.region->writable)
        noteRead(w, i, s, unsigned(size), l, from[l], false);
      std::memcpy(data, s.data, size);
      reading |= 1u << l;
      if (options.countMemory)
        s.region->loaded.note(s.offset, unsigned(size), s.region->size);
    }
    bool symbolic = false;
    if constexpr (D::symbolic)
      symbolic = domain.copyRegion(d.data, s.region, s.offset, s.data,
                                   unsigned(size), bytes);
    noteWrite(w, i, d, bytes, l, to[l],
              symbolic || std::memcmp(d.data, data, bytes) != 0, false);
    std::memcpy(d.data, data, bytes);
  }
  if (options.countMemory) {
    if (reading)
      countGlobal(from, reading, bytes, true);
    countShared(to, active, bytes);
  }
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// ldmatrix and stmatrix: thread 8m + r has the address of row r of the m-th
/// 8x8 matrix; thread l holds elements 2(l % 4), 2(l % 4) + 1 of row l / 4 (or
/// of that column, transposed).
template <class D>
void Executor<D>::matrixMove(Warp &w, FrameT &f, const Inst &i,
                             uint32_t active) {
  bool isLoad = i.kind == Kind::LoadMatrix;
  uint32_t rows = uint32_t(maskOf(8u * i.elements));
  uint64_t address[warpSize];
  addresses(w, f, i, i.src[0], i.offset, i.addressBits, rows, address);
  if (!isLoad)
    for (int32_t slot : i.regs)
      requireDefined(w, f, i, slot, active);
  for (unsigned matrix = 0; matrix < i.elements; ++matrix) {
    Place row[8];
    for (unsigned r = 0; r < 8; ++r) {
      unsigned l = matrix * 8 + r;
      row[r] = resolve(w, f, i, Space::Shared, address[l], 16, l, !isLoad);
    }
    for (unsigned l = 0; l < warpSize; ++l) {
      uint64_t pair = isLoad ? 0 : f.lanes(i.regs[matrix])[l];
      Place p[2];
      for (unsigned k = 0; k < 2; ++k) {
        unsigned major = l / 4, minor = l % 4 * 2 + k;
        p[k] = row[i.trans ? minor : major];
        unsigned column = i.trans ? major : minor;
        p[k].data += column * 2;
        p[k].offset += column * 2;
        uint16_t element = uint16_t(pair >> 16 * k);
        if (isLoad) {
          noteRead(w, i, p[k], 2, l, p[k].offset, false);
          std::memcpy(&element, p[k].data, 2);
          pair |= uint64_t(element) << 16 * k;
          continue;
        }
        bool symbolic = false;
        if constexpr (D::symbolic)
          symbolic =
              domain.storeHalf(p[k].data, f.data.node(i.regs[matrix], l), k);
        noteWrite(w, i, p[k], 2, l, p[k].offset,
                  symbolic || std::memcmp(p[k].data, &element, 2) != 0, false);
        std::memcpy(p[k].data, &element, 2);
      }
      if (isLoad) {
        setResult(f, i.regs[matrix], l, pair);
        if constexpr (D::symbolic)
          f.data.set(i.regs[matrix], l,
                     domain.loadHalves(p[0].data, p[1].data));
      }
    }
  }
  if (options.countMemory)
    countShared(address, rows, 16);
}

template class prec::ptx::Executor<BitsDomain>;
template class prec::ptx::Executor<SymbolicDomain>;
