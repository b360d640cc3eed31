// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values are bits, or expressions over the elements of input tensors. What
/// does not depend on a symbol is computed as ever; an instruction with a
/// symbolic operand builds a node.
#ifndef PREC_LIB_PTX_DOMAINSYMBOLIC_H
#define PREC_LIB_PTX_DOMAINSYMBOLIC_H

#include "Executor.h"

#include "prec/Symbolic/Graph.h"

namespace prec::ptx {

class SymbolicDomain {
public:
  static constexpr bool symbolic = true;

  /// The nodes of a frame's registers; 0 where the bits are the value.
  struct FrameData {
    std::vector<sym::Node> nodes;
    std::vector<uint32_t> symbolic; ///< per slot, the lanes with a node

    void reset(unsigned slots) {
      nodes.assign(size_t(slots) * warpSize, 0);
      symbolic.assign(slots, 0);
    }
    sym::Node node(int32_t slot, unsigned lane) const {
      return symbolic[slot] >> lane & 1 ? nodes[size_t(slot) * warpSize + lane]
                                        : 0;
    }
    void clear(int32_t slot, uint32_t lanes) { symbolic[slot] &= ~lanes; }
    void set(int32_t slot, unsigned lane, sym::Node node) {
      nodes[size_t(slot) * warpSize + lane] = node;
      symbolic[slot] = (symbolic[slot] & ~(1u << lane)) | uint32_t(node != 0)
                                                              << lane;
    }
    void copy(int32_t slot, unsigned lane, const FrameData &from,
              int32_t fromSlot, unsigned fromLane) {
      set(slot, lane, from.node(fromSlot, fromLane));
    }
    /// The nodes of one slot, as slot 0.
    FrameData snapshot(int32_t slot) const {
      FrameData one;
      one.nodes.assign(nodes.begin() + size_t(slot) * warpSize,
                       nodes.begin() + size_t(slot + 1) * warpSize);
      one.symbolic = {symbolic[slot]};
      return one;
    }
  };
  using FrameT = Frame<SymbolicDomain>;

  explicit SymbolicDomain(sym::Graph &graph) : graph(graph) {}

  /// Each runs the symbolic lanes of an instruction and returns the others.
  uint32_t pure(FrameT &f, const Inst &i, uint32_t active);
  uint32_t setPredicate(FrameT &f, const Inst &i, uint32_t active);
  uint32_t pack(FrameT &f, const Inst &i, unsigned width, uint32_t active);
  uint32_t unpack(FrameT &f, const Inst &i, unsigned width, uint32_t active);

  /// A pure instruction over its operands: the low bits of the leaves 0 to 2 of
  /// a tensor.
  sym::Node expression(const Code &code, const Inst &i);

  /// Elements of an input tensor are leaves.
  struct Input {
    uint32_t tensor;
    unsigned elementBytes;
  };
  std::vector<Input> inputs;

  /// The node of a loaded value or 0; `registerBits` not 0: sign-extended.
  sym::Node load(const Region *region, uint64_t offset, const uint8_t *data,
                 unsigned bytes, unsigned registerBits);
  /// A store by a lane; `always`: whatever its condition. Whether memory
  /// changes.
  bool store(uint8_t *data, unsigned bytes, sym::Node node, uint64_t bits,
             bool defined, unsigned lane, bool always);
  sym::Node loadNode(const uint8_t *data, unsigned bytes) {
    return load(nullptr, 0, data, bytes, 0);
  }
  void storeNode(uint8_t *data, unsigned bytes, sym::Node node);
  void copyBytes(uint8_t *to, const uint8_t *from, unsigned bytes);
  /// cp.async: the first `bytes` from a region, zeros up to `total`. Whether
  /// any of it is symbolic.
  bool copyRegion(uint8_t *to, const Region *region, uint64_t offset,
                  const uint8_t *from, unsigned bytes, unsigned total);
  /// stmatrix: one half of a register; whether it is symbolic.
  bool storeHalf(uint8_t *data, sym::Node pair, unsigned half);
  /// ldmatrix: two numbers as a register, or 0.
  sym::Node loadHalves(const uint8_t *low, const uint8_t *high);
  /// The node of the bytes in memory, symbolic or not.
  sym::Node value(const uint8_t *data, unsigned bytes);

  sym::Graph &graph;
  /// The line that first built each node.
  std::vector<unsigned> lines;
  /// Per lane, the condition under which it executes; 0: always.
  std::array<sym::Node, warpSize> condition{};

  /// Both conditions; 0 stands for true.
  sym::Node both(sym::Node a, sym::Node b) {
    return !a ? b : graph.logic(sym::Op::And, a, b);
  }
  /// In the given lanes every register becomes: as it is where the predicate
  /// holds, as it is in `values` and `data` elsewhere.
  void merge(FrameT &f, const std::vector<uint64_t> &values,
             const std::vector<uint32_t> &defined, const FrameData &data,
             const sym::Node *predicates, uint32_t lanes);

  /// The register becomes the node, zero-extended; its value if that is known.
  void setNode(FrameT &f, int32_t slot, unsigned lane, sym::Node node);
  /// The node of an operand, a constant where it is not symbolic.
  sym::Node operand(FrameT &f, const Inst &i, unsigned k, unsigned lane);

private:
  sym::Node build(FrameT &f, const Inst &i, unsigned lane);
  sym::Node opaque(FrameT &f, const Inst &i, unsigned lane, unsigned width);
  sym::Node floatNumber(const Inst &i, sym::FormatId format, sym::Node a,
                        sym::Node b, sym::Node c);
  sym::Node convert(const Inst &i, sym::Node a, sym::Node b);
  sym::Node convertNumber(const Inst &i, sym::FormatId from, sym::FormatId to,
                          sym::Node a);
  /// Nodes from `first` on are the instruction's.
  void noteLine(size_t first, const Inst &i);
  uint32_t symbolicLanes(const FrameT &f, const Inst &i, uint32_t active) const;

  /// Symbolic bytes of memory by address: a node and which of its bytes.
  struct Byte {
    sym::Node node;
    uint8_t index;
  };
  std::unordered_map<const uint8_t *, Byte> memory;
};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_DOMAINSYMBOLIC_H
