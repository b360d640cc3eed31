// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few instructions run by one warp, for tests of single instructions.
#ifndef PREC_TEST_UNIT_PTX_SNIPPET_H
#define PREC_TEST_UNIT_PTX_SNIPPET_H

#include "Kernels.h"

/// Runs `body` in every thread of a warp. Thread t finds a[t], b[t], c[t] in
/// %da %db %dc (64 bits), %ra %rb %rc (32) and %ha %hb %hc (16), and leaves its
/// result in %d, %r, %h or the predicate %p: `result` says which. Short
/// vectors repeat their last value.
class Snippet {
public:
  explicit Snippet(std::string body, char result = 'r')
      : body(std::move(body)), result(result) {}

  std::string text() const {
    std::string take = result == 'd'   ? "mov.b64 %out, %d;"
                       : result == 'r' ? "cvt.u64.u32 %out, %r;"
                       : result == 'h' ? "cvt.u64.u16 %out, %h;"
                                       : "selp.b64 %out, 1, 0, %p;";
    return ".version 8.6\n.target sm_100a\n.address_size 64\n"
           ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, "
           ".param .u64 po) {\n"
           ".reg .b64 %addr, %out, %d, %da, %db, %dc, %x<8>; .reg .b32 %t, %r, "
           "%ra, %rb, %rc, %y<8>; .reg .b16 %h, %ha, %hb, %hc, %z<8>; .reg "
           ".pred %p, %q;\n"
           "mov.u32 %t, %tid.x; "
           "ld.param.u64 %addr, [pa]; mad.wide.u32 %addr, %t, 8, %addr; "
           "ld.global.b64 %da, [%addr]; "
           "ld.param.u64 %addr, [pb]; mad.wide.u32 %addr, %t, 8, %addr; "
           "ld.global.b64 %db, [%addr]; "
           "ld.param.u64 %addr, [pc]; mad.wide.u32 %addr, %t, 8, %addr; "
           "ld.global.b64 %dc, [%addr]; "
           "cvt.u32.u64 %ra, %da; cvt.u32.u64 %rb, %db; cvt.u32.u64 %rc, %dc; "
           "cvt.u16.u64 %ha, %da; cvt.u16.u64 %hb, %db; cvt.u16.u64 %hc, "
           "%dc;\n" +
           body + "\n" + take +
           " ld.param.u64 %addr, [po]; mad.wide.u32 %addr, %t, 8, %addr; "
           "st.global.b64 [%addr], %out; ret;\n}\n";
  }

  std::vector<uint64_t> run(std::vector<uint64_t> a,
                            std::vector<uint64_t> b = {0},
                            std::vector<uint64_t> c = {0}) const {
    std::vector<uint64_t> out(32);
    Launch l = launch(a, b, c, out);
    l.run();
    return out;
  }
  /// One result for one set of operands.
  uint64_t operator()(uint64_t a, uint64_t b = 0, uint64_t c = 0) const {
    return run({a}, {b}, {c})[0];
  }
  /// ... with other outcomes of approximate instructions (RunOptions).
  uint64_t within(uint64_t outcome, uint64_t x) const {
    std::vector<uint64_t> a{x}, b{0}, c{0}, out(32);
    Launch l = launch(a, b, c, out);
    l.options.outcome = outcome;
    l.run();
    return out[0];
  }
  /// The error of a run: "LINE: message"; the body starts on line 7.
  std::string error() const {
    std::vector<uint64_t> a{0}, b{0}, c{0}, out(32);
    return launch(a, b, c, out).error();
  }

private:
  Launch launch(std::vector<uint64_t> &a, std::vector<uint64_t> &b,
                std::vector<uint64_t> &c, std::vector<uint64_t> &out) const {
    for (auto *v : {&a, &b, &c})
      v->resize(32, v->back());
    Launch l(text(), "k");
    l.shape(1, 32).in(a).in(b).in(c).out(out);
    return l;
  }
  std::string body;
  char result;
};

#endif // PREC_TEST_UNIT_PTX_SNIPPET_H
