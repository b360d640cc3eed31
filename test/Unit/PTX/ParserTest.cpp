// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Files.h"
#include "prec/PTX/Module.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <unistd.h>

using namespace prec::ptx;

namespace {
std::optional<Module> parseText(const std::string &text) {
  std::vector<Diagnostic> diagnostics;
  auto m = parse(text, diagnostics);
  for (const Diagnostic &d : diagnostics)
    ADD_FAILURE() << d.str("text");
  return m;
}

/// A module with one kernel of this body; the body starts on line 4.
std::string kernel(const std::string &body) {
  return ".version 8.0\n.target sm_90\n.visible .entry k() {\n" + body +
         "\n}\n";
}

std::string errorOf(const std::string &text) {
  std::vector<Diagnostic> diagnostics;
  EXPECT_FALSE(parse(text, diagnostics)) << text;
  EXPECT_EQ(diagnostics.size(), 1u);
  return diagnostics.empty() ? "" : diagnostics[0].str("k.ptx");
}

/// The only instruction of the body.
Instruction instruction(const std::string &text) {
  auto m = parseText(kernel(text));
  return std::get<Instruction>(m->findFunction("k")->body.at(0));
}
} // namespace

TEST(PTXParser, EveryFileRoundTrips) {
  auto files = ptxFiles();
  EXPECT_EQ(files.size(), 99u);
  for (const auto &path : files) {
    SCOPED_TRACE(path.filename().string());
    auto m = parseText(readFile(path));
    ASSERT_TRUE(m);
    std::string text = print(*m);
    auto again = parseText(text);
    ASSERT_TRUE(again);
    EXPECT_TRUE(*m == *again);
    EXPECT_EQ(print(*again), text);
  }
}

/// What we print is PTX for the assembler too.
TEST(PTXParser, AssemblerTakesWhatWePrint) {
#ifndef PREC_PTXAS
  GTEST_SKIP() << "ptxas is not installed";
#else
  auto directory = std::filesystem::temp_directory_path() /
                   ("prec-ptx-" + std::to_string(::getpid()));
  std::filesystem::create_directory(directory);
  for (const auto &path : ptxFiles()) {
    auto m = parseText(readFile(path));
    ASSERT_TRUE(m);
    auto file = directory / path.filename();
    std::ofstream(file) << print(*m);
    std::string command = std::string(PREC_PTXAS) +
                          " -O0 -arch=" + m->target[0] + " -o /dev/null " +
                          file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << path;
  }
  std::filesystem::remove_all(directory);
#endif
}

TEST(PTXParser, Truncated) {
  // Whatever prefix of a file is given, the answer is an error or a module.
  for (const char *name : {"s20_hand", "s03_atomics", "x_t_matmul_sm90"}) {
    std::string text = readPTX(name);
    for (size_t length = 0; length < text.size(); length += 7) {
      std::vector<Diagnostic> diagnostics;
      auto m = parse(text.substr(0, length), diagnostics);
      EXPECT_EQ(m.has_value(), diagnostics.empty());
    }
  }
}

TEST(PTXParser, Operands) {
  Instruction i = instruction("@!%p1 ld.global.L1::evict_last.v2.b32 "
                              "{ %r1, _ }, [ %rd1 + -16 ], %rd2;");
  EXPECT_EQ(i.guard, "%p1");
  EXPECT_TRUE(i.guardNegated);
  EXPECT_EQ(i.opcode, "ld");
  EXPECT_EQ(i.modifiers, (std::vector<std::string>{"global", "L1::evict_last",
                                                   "v2", "b32"}));
  EXPECT_EQ(i.operands[1].value, uint64_t(-16));
  EXPECT_EQ(print(i), "@!%p1 ld.global.L1::evict_last.v2.b32 {%r1, _}, "
                      "[%rd1+-16], %rd2");
  EXPECT_EQ(print(instruction("setp.eq.and.s32 %p1|%p2, %r4, 3, !%p0;")),
            "setp.eq.and.s32 %p1|%p2, %r4, 3, !%p0");
  EXPECT_EQ(print(instruction("call.uni (r0), f, (a0, 1);")),
            "call.uni (r0), f, (a0, 1)");
  EXPECT_EQ(print(instruction("mov.u32 %r1, %tid.x;")), "mov.u32 %r1, %tid.x");
  EXPECT_EQ(print(instruction("bar.sync 0;")), "bar.sync 0");
}

TEST(PTXParser, Literals) {
  auto value = [](const std::string &literal) {
    return instruction("mov.b64 %r, " + literal + ";").operands[1].value;
  };
  EXPECT_EQ(value("10"), 10u);
  EXPECT_EQ(value("-1"), ~uint64_t(0));
  EXPECT_EQ(value("0x1fU"), 31u);
  EXPECT_EQ(value("017"), 15u);
  EXPECT_EQ(value("0b101"), 5u);
  EXPECT_EQ(value("18446744073709551615"), ~uint64_t(0));
  EXPECT_EQ(value("0f3F800000"), 0x3f800000u);
  EXPECT_EQ(value("-0f3F800000"), 0xbf800000u);
  EXPECT_EQ(value("0d3FF0000000000000"), 0x3ff0000000000000u);
  EXPECT_EQ(value("1.0"), 0x3ff0000000000000u);
  EXPECT_EQ(value("-2.5e-1"), 0xbfd0000000000000u);
}

TEST(PTXParser, Variables) {
  auto m = parseText(
      ".version 8.0\n.target sm_90, debug\n.address_size 64\n"
      ".visible .global .align 8 .u64 self = generic(scratch);\n"
      ".extern .shared .align 16 .b8 dyn[];\n"
      ".const .align 4 .f32 tab[2] = {0f3F800000, 1.5};\n"
      ".global .v4 .f32 q, r[3];\n"
      ".visible .entry k(.param .u64 .ptr .global .align 2 p) .maxntid 64, 1, "
      "1 .minnctapersm 4 { .reg .b32 %r<3>, %s; ret; }");
  ASSERT_TRUE(m);
  ASSERT_EQ(m->items.size(), 6u);
  auto &self = std::get<Variable>(m->items[0]);
  EXPECT_TRUE(self.initializers[0].generic);
  EXPECT_EQ(std::get<Variable>(m->items[1]).dims, std::vector<uint64_t>{0});
  EXPECT_EQ(std::get<Variable>(m->items[4]).vector, "v4");
  const Function *k = m->findFunction("k");
  EXPECT_EQ(k->params[0].pointerAlign, 2u);
  EXPECT_EQ(k->directives[0].values, (std::vector<uint64_t>{64, 1, 1}));
  EXPECT_EQ(*std::get<Variable>(k->body[0]).count, 3u);
  EXPECT_EQ(std::get<Variable>(k->body[1]).name, "%s");
}

TEST(PTXParser, Errors) {
  EXPECT_EQ(
      errorOf(""),
      "k.ptx:1:1: error: expected '.version' but got the end of the file");
  EXPECT_EQ(errorOf(".version 8"),
            "k.ptx:1:10: error: expected a version such as 8.0 but got '8'");
  EXPECT_EQ(errorOf(".version 8.0\n.target sm_90\n.address_size 48"),
            "k.ptx:3:15: error: expected address size 32 or 64 but got 48");
  EXPECT_EQ(errorOf(".version 8.0\n.target sm_90\n.alias a, b;"),
            "k.ptx:3:1: error: unsupported directive '.alias'");
  EXPECT_EQ(errorOf(kernel("  frob.b32 %r1, %r2;")),
            "k.ptx:4:3: error: unknown instruction 'frob.b32'");
  EXPECT_EQ(errorOf(kernel("add.s32 %r1, %r2")),
            "k.ptx:5:1: error: expected ';' but got '}' in instruction "
            "'add.s32'");
  EXPECT_EQ(errorOf(kernel("add.s32 %r1, , %r2;")),
            "k.ptx:4:14: error: expected an operand but got ',' in instruction "
            "'add.s32'");
  EXPECT_EQ(errorOf(kernel("ld.global.b32 %r1, [%rd1;")),
            "k.ptx:4:25: error: expected ']' but got ';' in instruction "
            "'ld.global.b32'");
  EXPECT_EQ(errorOf(kernel("mov.b32 %r1, 0f3F8;")),
            "k.ptx:4:14: error: expected an operand but got '0f3F8' in "
            "instruction 'mov.b32'");
  EXPECT_EQ(errorOf(kernel("mov.b32 %r1, {{{{{{1}}}}}};")),
            "k.ptx:4:19: error: operand is nested too deeply");
  EXPECT_EQ(errorOf(kernel("mov.b64 %r1, 99999999999999999999;")),
            "k.ptx:4:14: error: expected an operand but got "
            "'99999999999999999999' in instruction 'mov.b64'");
  EXPECT_EQ(errorOf(kernel("@%p1")),
            "k.ptx:5:1: error: expected an instruction but got '}'");
  EXPECT_EQ(errorOf(kernel(".reg .b33 %r<3>;")),
            "k.ptx:4:6: error: unknown type or attribute '.b33'");
  EXPECT_EQ(errorOf(kernel(".shared .align 3 .b8 s[4];")),
            "k.ptx:4:16: error: expected a power of two as alignment but got "
            "3");
  EXPECT_EQ(errorOf(kernel(".shared .b8 s[99999999999];")),
            "k.ptx:4:15: error: expected an array size of 1 to 2^32 but got "
            "99999999999");
  EXPECT_EQ(errorOf(kernel(".callprototype _;")),
            "k.ptx:4:1: error: unsupported directive '.callprototype'");
  EXPECT_EQ(
      errorOf(".version 8.0\n.target sm_90\n.global .b32 a = {%r1, [0]};"),
      "k.ptx:3:24: error: expected a constant as initial value");
  std::string text = kernel("ret;");
  EXPECT_EQ(errorOf(text.substr(0, text.size() - 3)),
            "k.ptx:4:5: error: expected an instruction but got the end of the "
            "file");
}
