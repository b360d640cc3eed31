// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Launch/Description.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace prec::launch;

namespace {
const char *writeBack = R"({ "version": 1, "function": "write_back",
  "target": "sm_90", "dims": { "rows": "x.0" },
  "kernels": [
    { "entry": "c_writeback_pk", "grid": ["rows", 1, 1],
      "block": [320, 1, 1], "dynamic_shared": 0, "registers": 40,
      "params": [ { "tensor": "x" }, { "tensor": "S", "aliases": "S_out" },
                  { "scalar": "i32", "value": "rows" },
                  { "scalar": "f32", "value": "1e-6" },
                  { "scalar": "i64", "value": 12 },
                  { "pointer": "null" } ] } ],
  "temporaries": [ { "name": "t0", "type": "f32", "shape": ["rows", 2560] } ],
  "results": [ { "name": "out", "type": "bf16", "shape": ["2 * rows"] } ],
  "locations": {"0": [1, 2]} })";

Description parse(const std::string &text) {
  std::string error;
  auto d = read(text, "L.json", error);
  EXPECT_TRUE(d) << error;
  return d.value_or(Description());
}

std::string errorOf(const std::string &text) {
  std::string error;
  EXPECT_FALSE(read(text, "L.json", error)) << text;
  return error;
}

/// A description with one kernel that has `key` set to `value`.
std::string kernelWith(const std::string &key, const std::string &value) {
  std::string text = R"({"version": 1, "kernels": [{"entry": "k")";
  for (const auto &[name, usual] :
       {std::pair<std::string, std::string>{"grid", "[1]"},
        {"block", "[1]"},
        {"params", "[]"}})
    text += ", \"" + name + "\": " + (name == key ? value : usual);
  return text + "}]}";
}
} // namespace

/// A kernel with alternatives, for memory that is not aligned and for rows that
/// are multiples of 8.
static const char *withAlternatives = R"({ "version": 1, "dims": { "n": "x.0" },
  "kernels": [
    { "entry": "any", "grid": ["n"], "block": [32],
      "params": [ { "tensor": "x" }, { "tensor": "y" } ],
      "alternatives": [
        { "when": [ { "left": "n - n / 8 * 8", "is": "==", "right": 0 },
                    { "aligned": 16 } ],
          "entry": "vectors", "grid": ["n / 8"], "block": [32],
          "params": [ { "tensor": "x" } ], "registers": 8 },
        { "unless": [ { "left": "n", "is": "<", "right": 100 } ],
          "entry": "large", "grid": [1], "block": [32], "params": [] } ] } ] })";

TEST(LaunchDescription, ChoosesAlternatives) {
  Description d = parse(withAlternatives);
  ASSERT_EQ(d.kernels.size(), 1u);
  ASSERT_EQ(d.kernels[0].alternatives.size(), 2u);
  EXPECT_EQ(parse(write(d)), d);
  EXPECT_EQ(d.kernels[0].alternatives[0].kernel.extra.size(), 1u);
  auto chosen = [&](int64_t n, uint64_t x, uint64_t y) {
    std::string error;
    const Kernel *kernel = chooseKernel(
        d.kernels[0], {{"n", n}},
        [&](const Parameter &p) {
          return std::optional(p.tensor == "x" ? x : y);
        },
        error);
    return kernel ? kernel->entry : error;
  };
  EXPECT_EQ(chosen(64, 256, 512), "vectors");
  EXPECT_EQ(chosen(63, 256, 512), "any");
  EXPECT_EQ(chosen(64, 258, 512), "any");
  // A tensor that only the kernel itself gets counts too.
  EXPECT_EQ(chosen(64, 256, 514), "any");
  EXPECT_EQ(chosen(104, 256, 512), "vectors");
  EXPECT_EQ(chosen(101, 256, 512), "large");
  std::string error;
  auto none = [](const Parameter &) -> std::optional<uint64_t> { return {}; };
  EXPECT_EQ(chooseKernel(d.kernels[0], {}, none, error), nullptr);
  EXPECT_EQ(error, "unknown name 'n'");
}

TEST(LaunchDescription, RejectsBadAlternatives) {
  auto errorWith = [](const std::string &keys) {
    return errorOf(R"({"version": 1, "kernels": [{"entry": "k", "grid": [1],
        "block": [1], "params": [], "alternatives": [{"entry": "j", "grid": [1],
        "block": [1], "params": [])" +
                   keys + "}]}]}");
  };
  const std::string at = "L.json: kernels[0].alternatives[0]";
  EXPECT_EQ(errorWith(""),
            at + ": expected one of the keys 'when' and 'unless'");
  EXPECT_EQ(errorWith(R"(, "when": [], "unless": [])"),
            at + ": expected one of the keys 'when' and 'unless'");
  EXPECT_EQ(errorWith(R"(, "when": 1)"),
            at + ".when: expected a list but got number");
  EXPECT_EQ(errorWith(R"(, "when": [1])"),
            at + ".when[0]: expected an object for a condition but got number");
  EXPECT_EQ(errorWith(R"(, "when": [{"aligned": 12}])"),
            at + ".when[0]: expected a power of two up to 4096 for 'aligned' "
                 "but got 12");
  EXPECT_EQ(errorWith(R"(, "when": [{"left": 1, "is": "=="}])"),
            at + ".when[0]: expected key 'aligned', or 'left', 'is' and "
                 "'right'");
  EXPECT_EQ(errorWith(R"(, "when": [{"left": 1, "is": "=", "right": 1}])"),
            at + ".when[0]: unknown comparison '=', expected ==, !=, <, <=, > "
                 "or >=");
  EXPECT_EQ(errorWith(R"(, "when": [{"left": "n", "is": "<", "right": 1}])"),
            at + ": unknown name 'n', expected one of 'dims'");
  EXPECT_EQ(errorWith(R"(, "when": [], "alternatives": [{"when": [],
                         "entry": "i", "grid": [1], "block": [1],
                         "params": []}])"),
            at + ": an alternative has no alternatives of its own");
}

TEST(LaunchDescription, Reads) {
  Description d = parse(writeBack);
  EXPECT_EQ(d.function, "write_back");
  EXPECT_EQ(d.target, "sm_90");
  EXPECT_EQ(d.dims.at("rows").tensor, "x");
  EXPECT_EQ(d.dims.at("rows").index, 0u);
  ASSERT_EQ(d.kernels.size(), 1u);
  const Kernel &k = d.kernels[0];
  EXPECT_EQ(k.entry, "c_writeback_pk");
  EXPECT_EQ(k.grid[0], Expression::name("rows"));
  EXPECT_EQ(k.block[0], Expression(320));
  EXPECT_EQ(k.extra.at("registers"), "40");
  ASSERT_EQ(k.params.size(), 6u);
  EXPECT_EQ(k.params[0], Parameter::makeTensor("x"));
  EXPECT_EQ(k.params[1], Parameter::makeTensor("S", "S_out"));
  EXPECT_EQ(k.params[2], Parameter::makeScalar("i32", "rows"));
  EXPECT_EQ(k.params[4], Parameter::makeScalar("i64", "12"));
  EXPECT_EQ(k.params[5], Parameter::makeNull());
  EXPECT_EQ(d.temporaries[0].shape[1], Expression(2560));
  EXPECT_EQ(d.results[0].name, "out");
}

TEST(LaunchDescription, WritesWhatItReads) {
  Description d = parse(writeBack);
  EXPECT_EQ(parse(write(d)), d);
}

TEST(LaunchDescription, WritesForReaders) {
  Description d;
  d.function = "f";
  d.target = "sm_90";
  d.dims["n"] = {"x", 0};
  Kernel k;
  k.entry = "f_0";
  k.grid[0] =
      Expression::binary(Expression::Kind::CeilDiv, Expression::name("n"), 256);
  k.block[0] = 256;
  k.params = {Parameter::makeTensor("x"), Parameter::makeScalar("i64", "n")};
  k.extra["alignment"] = "16";
  d.kernels.push_back(k);
  const char *expected = R"json({
  "version": 1,
  "function": "f",
  "target": "sm_90",
  "dims": {"n":"x.0"},
  "kernels": [
    {
      "entry": "f_0",
      "grid": ["ceildiv(n, 256)",1,1],
      "block": [256,1,1],
      "dynamic_shared": 0,
      "params": [
        {"tensor":"x"},
        {"scalar":"i64","value":"n"}
      ],
      "alignment": 16
    }
  ],
  "temporaries": [],
  "results": []
}
)json";
  EXPECT_EQ(write(d), expected);
}

/// The example of the documentation is a description.
TEST(LaunchDescription, DocumentedExample) {
  std::ifstream file(PREC_DOCS "/launch.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string page = text.str();
  size_t begin = page.find("```json\n"), end = page.find("```", begin + 8);
  ASSERT_NE(begin, std::string::npos);
  Description d = parse(page.substr(begin + 8, end - begin - 8));
  EXPECT_EQ(d.kernels.at(0).params.size(), 4u);
  EXPECT_EQ(d.results.at(0).shape.at(1), Expression(64));
  EXPECT_EQ(parse(write(d)), d);
}

TEST(LaunchDescription, SyntaxErrorsAreLocated) {
  EXPECT_EQ(errorOf("{\n  \"version\" 1}").substr(0, 11), "L.json:2:13");
  EXPECT_NE(errorOf(std::string(100000, '[')), "");
  EXPECT_EQ(errorOf("{\"version\": 1, \"x\": " + std::string(1000, '[') +
                    std::string(1000, ']') + "}"),
            "L.json: nested too deeply");
}

TEST(LaunchDescription, Errors) {
  EXPECT_EQ(errorOf("[]"), "L.json: expected an object for the launch "
                           "description but got array");
  EXPECT_EQ(errorOf("{}"), "L.json: expected key 'version'");
  EXPECT_EQ(errorOf(R"({"version": 2})"),
            "L.json: version: expected 1 but got 2");
  EXPECT_EQ(errorOf(R"({"version": 1})"),
            "L.json: expected at least one kernel in 'kernels'");
  EXPECT_EQ(errorOf(R"({"version": 1, "function": 3})"),
            "L.json: function: expected a string but got number");
  EXPECT_EQ(errorOf(R"({"version": 1, "dims": {"n": "x"}})"),
            "L.json: dims.n: expected 'TENSOR.INDEX' but got 'x'");
  EXPECT_EQ(errorOf(R"({"version": 1, "kernels": {}})"),
            "L.json: kernels: expected a list but got object");
  EXPECT_EQ(errorOf(R"({"version": 1, "kernels": [{"entry": "k"}]})"),
            "L.json: kernels[0]: expected key 'grid'");
  EXPECT_EQ(errorOf(kernelWith("grid", "[1, 2, 3, 4]")),
            "L.json: kernels[0].grid: expected a list of one to three sizes");
  EXPECT_EQ(errorOf(kernelWith("grid", "[1, true]")),
            "L.json: kernels[0].grid[1]: expected an integer or an expression "
            "but got boolean");
  EXPECT_EQ(errorOf(kernelWith("grid", "[18446744073709551615]")),
            "L.json: kernels[0].grid[0]: integer out of range");
  EXPECT_EQ(errorOf(kernelWith("grid", "[\"1 +\"]")),
            "L.json: kernels[0].grid[0]: in expression '1 +': expected an "
            "integer, a name or '(' at the end");
  EXPECT_EQ(errorOf(kernelWith("block", "[\"rows\"]")),
            "L.json: kernels[0].block[0]: unknown name 'rows', expected one of "
            "'dims'");
  EXPECT_EQ(errorOf(kernelWith("params", "[{}]")),
            "L.json: kernels[0].params[0]: expected key 'tensor', 'scalar', "
            "'pointer' or 'struct'");
  EXPECT_EQ(errorOf(kernelWith("params", "[{\"scalar\": \"i33\"}]")),
            "L.json: kernels[0].params[0]: unknown scalar type 'i33', expected "
            "i8, i16, i32, i64, bf16, f16, f32 or f64");
  EXPECT_EQ(errorOf(kernelWith("params", "[{\"scalar\": \"i32\"}]")),
            "L.json: kernels[0].params[0]: expected key 'value'");
  EXPECT_EQ(
      errorOf(kernelWith("params", "[{\"scalar\": \"i32\", \"value\": []}]")),
      "L.json: kernels[0].params[0]: expected a number or a string for 'value' "
      "but got array");
  EXPECT_EQ(errorOf(kernelWith("params", "[{\"pointer\": \"x\"}]")),
            "L.json: kernels[0].params[0]: expected \"null\" for 'pointer' but "
            "got \"x\"");
  std::string one = R"({"name": "t", "type": "f32", "shape": [1]})";
  std::string head = kernelWith("", "");
  head.pop_back();
  EXPECT_EQ(errorOf(head + R"(, "temporaries": [)" + one + "," + one + "]}"),
            "L.json: temporaries[1]: tensor 't' is declared twice");
  EXPECT_EQ(errorOf(head + R"(, "results": [{"name": "t", "type": "f31", )"
                           R"("shape": []}]})"),
            "L.json: results[0]: unknown element type 'f31'");
  EXPECT_EQ(errorOf(head + R"(, "results": [3]})"),
            "L.json: results[0]: expected an object for a tensor but got "
            "number");
  EXPECT_EQ(errorOf(head + R"(, "results": [{"name": "t", "type": "f32"}]})"),
            "L.json: results[0]: expected key 'shape'");
  EXPECT_EQ(errorOf(head + R"(, "results": [{"name": "t", "type": "f32", )"
                           R"("shape": 4}]})"),
            "L.json: results[0].shape: expected a list but got number");
  EXPECT_EQ(errorOf(head + R"(, "results": [{"name": "t", "type": "f32", )"
                           R"("shape": ["n"]}]})"),
            "L.json: results[0].shape: unknown name 'n', expected one of "
            "'dims'");
  EXPECT_EQ(errorOf(R"({"version": 1, "dims": []})"),
            "L.json: dims: expected an object for dims but got array");
  EXPECT_EQ(errorOf(R"({"version": 1, "kernels": [3]})"),
            "L.json: kernels[0]: expected an object for a kernel but got "
            "number");
  EXPECT_EQ(errorOf(kernelWith("params", "[3]")),
            "L.json: kernels[0].params[0]: expected an object for a parameter "
            "but got number");
  EXPECT_EQ(errorOf(R"({"version": 1, "kernels": [{"entry": "k", )"
                    R"("grid": [1], "block": [1], "params": [], )"
                    R"("dynamic_shared": "rows"}]})"),
            "L.json: kernels[0].dynamic_shared: unknown name 'rows', expected "
            "one of 'dims'");
}

/// A struct by value: fields in any order, zeros between them.
TEST(LaunchDescription, Structs) {
  Description d = parse(kernelWith(
      "params", R"([{"struct": [{"at": 8, "scalar": "i16", "value": -2},
                                {"at": 0, "tensor": "x", "aliases": "y"},
                                {"at": 12, "scalar": "f32", "value": "k"},
                                {"at": 16, "pointer": "null"}],
                     "bytes": 24}])"));
  const Parameter expected =
      Parameter::makeStruct(24, {Parameter::makeScalar("i16", "-2").at(8),
                                 Parameter::makeTensor("x", "y").at(0),
                                 Parameter::makeScalar("f32", "k").at(12),
                                 Parameter::makeNull().at(16)});
  EXPECT_EQ(d.kernels[0].params[0], expected);
  EXPECT_EQ(parse(write(d)), d);
  EXPECT_EQ(expected.parts().size(), 4u);
  EXPECT_EQ(expected.fields[0].parts().size(), 1u);

  std::string error;
  auto address = [](const Parameter &p) -> std::optional<uint64_t> {
    return p.tensor == "x" ? std::optional<uint64_t>(0x0102030405060708)
                           : std::nullopt;
  };
  auto bytes =
      parameterBytes(expected, {}, {{"k", 0x11223344}}, address, error);
  ASSERT_TRUE(bytes) << error;
  EXPECT_EQ(*bytes, (std::vector<uint8_t>{
                        8,    7,    6,    5,    4, 3, 2, 1, 0xfe, 0xff, 0, 0,
                        0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0, 0,    0,    0, 0}));
  EXPECT_FALSE(parameterBytes(expected, {}, {}, address, error));
  EXPECT_EQ(error, "expected a number or the name of a scalar argument but got "
                   "'k'");
  EXPECT_FALSE(
      parameterBytes(Parameter::makeTensor("z"), {}, {}, address, error));
  EXPECT_EQ(error, "no tensor 'z' is given");
}

TEST(LaunchDescription, StructErrors) {
  auto errorOfStruct = [](const std::string &fields, const char *bytes) {
    std::string message =
        errorOf(kernelWith("params", "[{\"struct\": " + fields + bytes + "}]"));
    std::string prefix = "L.json: kernels[0].params[0]";
    EXPECT_EQ(message.substr(0, prefix.size()), prefix);
    return message.substr(prefix.size());
  };
  const char *sixteen = ", \"bytes\": 16";
  EXPECT_EQ(errorOfStruct("[]", ""), ": expected key 'bytes'");
  EXPECT_EQ(errorOfStruct("[]", ", \"bytes\": -1"),
            ": expected 0 to 32768 for 'bytes' but got -1");
  EXPECT_EQ(errorOfStruct("[]", ", \"bytes\": 32769"),
            ": expected 0 to 32768 for 'bytes' but got 32769");
  EXPECT_EQ(errorOfStruct("{}", sixteen),
            ".struct: expected a list but got object");
  EXPECT_EQ(errorOfStruct("[3]", sixteen),
            ".struct[0]: expected an object for a parameter but got number");
  EXPECT_EQ(errorOfStruct(R"([{"tensor": "x"}])", sixteen),
            ".struct[0]: expected key 'at'");
  EXPECT_EQ(errorOfStruct(R"([{"tensor": "x", "at": "8"}])", sixteen),
            ".struct[0]: expected 0 to 32768 for 'at' but got \"8\"");
  EXPECT_EQ(errorOfStruct(R"([{"tensor": "x", "at": 12}])", sixteen),
            ".struct[0]: bytes 12 to 19 are not in a struct of 16 bytes");
  EXPECT_EQ(errorOfStruct(R"([{"tensor": "x", "at": 0},
                              {"scalar": "i32", "value": 1, "at": 4}])",
                          sixteen),
            ".struct[1]: byte 4 is in two fields");
  EXPECT_EQ(
      errorOfStruct(R"([{"struct": [], "bytes": 4, "at": 0}])", sixteen),
      ".struct[0]: a struct in a struct: list its fields in the outer one");
}

TEST(LaunchDescription, BindsDims) {
  Description d = parse(writeBack);
  std::string error;
  auto sizes = bindDims(d, {{"x", {17, 4, 64}}}, error);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->at("rows"), 17);
  EXPECT_FALSE(bindDims(d, {}, error));
  EXPECT_EQ(error, "dim 'rows': no tensor 'x' is given");
  EXPECT_FALSE(bindDims(d, {{"x", {}}}, error));
  EXPECT_EQ(error, "dim 'rows': tensor 'x' has 0 dimensions, expected more "
                   "than 0");
}

TEST(LaunchDescription, ScalarBits) {
  std::string error;
  auto bits = [&](const char *type, const char *value) {
    auto result = scalarBits(Parameter::makeScalar(type, value), {{"n", 3}},
                             {{"eps", 0x42}}, error);
    EXPECT_TRUE(result) << error;
    return result.value_or(0);
  };
  EXPECT_EQ(bits("i32", "n * 2"), 6u);
  EXPECT_EQ(bits("i32", "-1"), 0xffffffffu);
  EXPECT_EQ(bits("i8", "255"), 0xffu);
  EXPECT_EQ(bits("f32", "1e-6"), 0x358637bdu);
  EXPECT_EQ(bits("f64", "1"), 0x3ff0000000000000u);
  EXPECT_EQ(bits("bf16", "1.5"), 0x3fc0u);
  EXPECT_EQ(bits("f16", "1.5"), 0x3e00u);
  EXPECT_EQ(bits("f32", "eps"), 0x42u);
  EXPECT_FALSE(scalarBits(Parameter::makeScalar("i8", "256"), {}, {}, error));
  EXPECT_EQ(error, "value 256 does not fit i8");
  EXPECT_FALSE(
      scalarBits(Parameter::makeScalar("f32", "epsilon"), {}, {}, error));
  EXPECT_EQ(error, "expected a number or the name of a scalar argument but got "
                   "'epsilon'");
}

TEST(LaunchDescription, BufferShapes) {
  std::string error;
  Buffer b{"t", "f32", {Expression::name("n"), 4}};
  EXPECT_EQ(*bufferShape(b, {{"n", 3}}, error), (std::vector<int64_t>{3, 4}));
  EXPECT_FALSE(bufferShape(b, {{"n", -1}}, error));
  EXPECT_EQ(error, "tensor 't': negative size -1");
  EXPECT_FALSE(bufferShape(b, {{"n", int64_t(1) << 40}}, error));
  EXPECT_EQ(error, "tensor 't' is larger than 2^40 bytes");
  EXPECT_FALSE(bufferShape(b, {}, error));
  EXPECT_EQ(error, "tensor 't': unknown name 'n'");
}
