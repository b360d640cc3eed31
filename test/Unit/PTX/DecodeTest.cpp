// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Kernels.h"
#include "lib/PTX/Program.h"

#include <regex>

using namespace prec::ptx;

namespace {
/// The error of decoding a kernel with this body, or "".
std::string decodeError(const std::string &body) {
  const std::string text =
      ".version 8.8\n.target sm_100a\n.address_size 64\n"
      ".global .align 16 .b8 g[64]; .const .b32 c[4] = {1, 2, 3, 4};\n"
      ".extern .shared .align 16 .b8 dynamic[];\n"
      ".func (.reg .b32 %o) f(.reg .b32 %i) { mov.b32 %o, %i; ret; }\n"
      ".visible .entry k(.param .u64 po) {\n"
      ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; "
      ".reg .b16 %h<9>; .reg .pred %p<9>;\n.shared .align 16 .b8 s[64]; "
      ".local .align 4 .b8 l[16];\nT: .branchtargets A;\n" +
      body + ";\nA: ret;\n}\n";
  std::vector<Diagnostic> diagnostics;
  auto module = parse(text, diagnostics);
  if (!module)
    return diagnostics[0].message;
  Diagnostic error;
  return decode(*module, "k", error) ? "" : error.message;
}

/// One row of the documentation's table: its first cell and some instructions.
struct Row {
  const char *name;
  std::vector<const char *> instances;
};
} // namespace

/// What the documentation says is supported is understood, every instruction
/// and modifier that it names; what it says is not, is an error that names the
/// instruction.
TEST(PTXDecode, DocumentedInstructions) {
  const std::vector<Row> rows = {
      {"control",
       {"@%p1 bra A", "brx.idx %r1, T", "call (%r1), f, (%r2)", "ret", "exit",
        "trap"}},
      {"synchronization",
       {"bar.sync 0", "bar.red.popc.u32 %r1, 0, %p1", "barrier.sync 0",
        "barrier.red.and.pred %p1, 0, %p2", "bar.warp.sync -1",
        "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1",
        "vote.sync.ballot.b32 %r1, %p1, -1", "match.any.sync.b32 %r1, %r2, -1",
        "match.all.sync.b64 %r1|%p1, %d1, -1",
        "redux.sync.add.s32 %r1, %r2, -1", "activemask.b32 %r1",
        "elect.sync %r1|%p1, -1"}},
      {"memory",
       {"ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]",
        "ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%d1]",
        "st.shared.v2.b16 [s+4], {%h1, %h2}", "ld.shared.b32 %r1, [dynamic]",
        "ld.local.b32 %r1, [l]", "ld.const.b32 %r1, [c+4]",
        "ld.param.u64 %d1, [po]", "ld.b32 %r1, [%d1]",
        "atom.global.cas.b32 %r1, [%d1], %r2, %r3",
        "red.global.add.noftz.bf16x2 [%d1], %r1",
        "red.global.add.v2.f32 [%d1], {%f1, %f2}",
        "cp.async.cg.shared.global [s], [%d1], 16", "cp.async.wait_all",
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, "
        "[s]",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], {%r1}",
        "ld.global.u8 %h1, [g]"}},
      {"integers",
       {"add.s32 %r1, %r2, %r3", "mad24.lo.u32 %r1, %r2, %r3, %r4",
        "add.cc.u32 %r1, %r2, %r3", "addc.u32 %r1, %r2, %r3",
        "div.s64 %d1, %d2, %d3", "rem.u16 %h1, %h2, %h3",
        "bfe.u32 %r1, %r2, 3, 4", "bfi.b64 %d1, %d2, %d3, %r1, %r2",
        "bfind.shiftamt.u32 %r1, %r2", "prmt.b32.f4e %r1, %r2, %r3, %r4",
        "lop3.b32 %r1, %r2, %r3, %r4, 0x96",
        "shf.l.wrap.b32 %r1, %r2, %r3, %r4", "dp4a.s32.u32 %r1, %r2, %r3, %r4",
        "dp2a.lo.s32.s32 %r1, %r2, %r3, %r4", "popc.b64 %r1, %d1",
        "add.u16x2 %r1, %r2, %r3", "max.s16x2.relu %r1, %r2, %r3"}},
      {"floats",
       {"add.rz.ftz.f32 %f1, %f2, %f3", "fma.rn.sat.f16 %h1, %h2, %h3, %h4",
        "fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4", "mul.rm.f64 %fd1, %fd2, %fd3",
        "sub.rn.f16x2 %r1, %r2, %r3", "mul.rn.bf16 %h1, %h2, %h3",
        "add.rp.f32x2 %d1, %d2, %d3", "fma.rn.f32.bf16 %f1, %h1, %h2, %f2",
        "max.NaN.xorsign.abs.f32 %f1, %f2, %f3",
        "setp.ltu.or.f32 %p1|%p2, %f1, %f2, %p3",
        "set.gt.u32.f32 %r1, %f1, %f2", "selp.f32 %f1, %f2, %f3, %p1",
        "slct.f32.f32 %f1, %f2, %f3, %f4", "testp.normal.f32 %p1, %f1",
        "copysign.f64 %fd1, %fd2, %fd3"}},
      {"`cvt`",
       {"cvt.s64.s32 %d1, %r1", "cvt.rni.sat.s8.f32 %r1, %f1",
        "cvt.rn.bf16.f64 %h1, %fd1", "cvt.rna.tf32.f32 %r1, %f1",
        "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2",
        "cvt.rn.f16x2.e5m2x2 %r1, %h1", "cvt.rz.bf16x2.f32 %r1, %f1, %f2",
        "cvt.sat.f32.f32 %f1, %f2"}},
      {"matrices",
       {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, "
        "%f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f5, %f6, %f7, %f8}",
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3, "
        "%r4}, {%r5}, {%r6, %r7}"}},
  };
  std::string page = readFile(PREC_PTX_DOC);
  const std::string head = "\n| | |\n|---|---|\n";
  size_t at = page.find(head);
  ASSERT_NE(at, std::string::npos);
  std::istringstream lines(page.substr(at + head.size()));
  std::string line;
  size_t count = 0;
  while (std::getline(lines, line) && !line.empty()) {
    size_t end = line.find(" | ");
    std::string name = line.substr(2, end - 2);
    ASSERT_LT(count, rows.size());
    const Row &row = rows[count++];
    EXPECT_EQ(name, row.name);
    std::string all;
    for (const char *instance : row.instances) {
      EXPECT_EQ(decodeError(instance), "") << instance;
      all += std::string(instance) + "\n";
    }
    // Each name in backticks, and each format, stands in an instance.
    static const std::regex quoted(R"(`([^`]+)`|\b([a-z]\w*x2|m16n8k\d+)\b)");
    for (std::sregex_iterator it(line.begin(), line.end(), quoted), none;
         it != none; ++it) {
      std::string word = (*it)[1].matched ? (*it)[1] : (*it)[2];
      EXPECT_NE(all.find(word), std::string::npos) << name << ": " << word;
    }
  }
  EXPECT_EQ(count, rows.size());

  // The names that the documentation says are not supported, in its order.
  EXPECT_NE(page.find("Not: `wgmma`, `tcgen05`, clusters, `mbarrier` and bulk "
                      "copies, textures, surfaces, indirect calls, clocks, "
                      "128-bit registers."),
            std::string::npos);
  const std::pair<const char *, const char *> refused[] = {
      {"wgmma.fence.sync.aligned",
       "unsupported instruction 'wgmma.fence.sync.aligned'"},
      {"tcgen05.wait::ld.sync.aligned",
       "unsupported instruction 'tcgen05.wait::ld.sync.aligned'"},
      {"mapa.u64 %d1, %d2, %r1", "unsupported instruction 'mapa.u64'"},
      {"mbarrier.init.shared.b64 [s], 1",
       "unsupported instruction 'mbarrier.init.shared.b64'"},
      {"cp.async.bulk.commit_group",
       "unsupported modifier '.bulk' in instruction "
       "'cp.async.bulk.commit_group'"},
      {"cp.async.bulk.shared::cluster.global [s], [%d1], 16, [s]",
       "unsupported form in instruction "
       "'cp.async.bulk.shared::cluster.global'"},
      {"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [g, {%r1}]",
       "expected ']' but got ',' in instruction 'tex.1d.v4.f32.s32'"},
      {"sured.b.1d.add.u32.trap [g, {%r1}], %r2",
       "expected ']' but got ',' in instruction 'sured.b.1d.add.u32.trap'"},
      {"call (%r1), %d1, (%r2), T",
       "unsupported indirect call in instruction 'call'"},
      {"mov.u32 %r1, %clock", "unknown register '%clock'"},
      {".reg .b128 %q", "register '%q' has unsupported type '.b128'"},
  };
  for (auto &[instruction, message] : refused)
    EXPECT_EQ(decodeError(instruction), message);
}

/// Every kernel of the samples is understood, but for the one instruction
/// family that is not evaluated.
TEST(PTXDecode, EveryKernel) {
  for (const auto &path : ptxFiles()) {
    std::vector<Diagnostic> diagnostics;
    auto m = parse(readFile(path), diagnostics);
    ASSERT_TRUE(m);
    for (auto &item : m->items) {
      auto *f = std::get_if<Function>(&item);
      if (!f || !f->entry)
        continue;
      Diagnostic error;
      bool ok = decode(*m, f->name, error).has_value();
      if (path.stem() == "x_t_matmul_sm90")
        EXPECT_EQ(error.message,
                  "unsupported instruction 'wgmma.fence.sync.aligned'");
      else
        EXPECT_TRUE(ok) << error.str(path.filename().string());
    }
  }
}
