// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestFiles.h"

#include "prec/TensorIO/Files.h"

using namespace prec::io;

namespace {

class Npy : public FileTest {
protected:
  /// A version 1 file with this dict and these elements.
  static std::string file(const std::string &dict, const std::string &data) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(dict.size() & 0xff);
    bytes += static_cast<char>(dict.size() >> 8);
    return bytes + dict + data;
  }
  /// What reading a file of these bytes says, without the path before it.
  std::string error(const std::string &bytes) {
    std::string name = put("x.npy", bytes);
    Tensor tensor;
    std::string message = readNpy(name, tensor);
    EXPECT_EQ(message.substr(0, name.size() + 2), name + ": ");
    return message.substr(std::min(message.size(), name.size() + 2));
  }
};

TEST_F(Npy, RoundTripOfEveryType) {
  for (int i = 0; i <= static_cast<int>(DType::F64); ++i) {
    Tensor tensor{static_cast<DType>(i), {2, 3}, {}};
    for (size_t b = 0; b < 6 * byteWidth(tensor.dtype); ++b)
      tensor.bytes.push_back(tensor.dtype == DType::Bool ? b % 2 : b * 37 + 1);
    ASSERT_EQ(writeNpy(path("t.npy"), tensor), "");
    Tensor back;
    ASSERT_EQ(readNpy(path("t.npy"), back), "");
    EXPECT_TRUE(sameBits(back.dtype, tensor.dtype)) << name(tensor.dtype);
    EXPECT_EQ(back.shape, tensor.shape);
    EXPECT_EQ(back.bytes, tensor.bytes);
  }
}

TEST_F(Npy, ElementsStartAtMultipleOf64) {
  Tensor tensor{DType::F32, {1}, {0, 0, 128, 63}};
  ASSERT_EQ(writeNpy(path("t.npy"), tensor), "");
  std::string bytes = get(path("t.npy"));
  ASSERT_EQ(bytes.size(), 132u);
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(bytes.substr(10, 61),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }    ");
}

TEST_F(Npy, ReadsWhatNumpyWrites) {
  // ml_dtypes' bfloat16; a scalar; version 2; no space, no trailing comma.
  Tensor tensor;
  put("a.npy", file("{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }"
                    "   \n",
                    std::string("\x80\x3f\x00\x40", 4)));
  ASSERT_EQ(readNpy(path("a.npy"), tensor), "");
  EXPECT_EQ(describe(tensor), "BF16[2]");
  put("b.npy", file("{'descr': '<u2', 'fortran_order': False, 'shape': (), }\n",
                    "\x80\x3f"));
  ASSERT_EQ(readNpy(path("b.npy"), tensor), "");
  EXPECT_EQ(describe(tensor), "U16[]");
  std::string dict =
      "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|i1\"}";
  put("c.npy", std::string("\x93NUMPY\x02\x00", 8) +
                   static_cast<char>(dict.size()) + std::string(3, '\0') +
                   dict + "ab");
  ASSERT_EQ(readNpy(path("c.npy"), tensor), "");
  EXPECT_EQ(describe(tensor), "I8[1, 2]");
}

TEST_F(Npy, FortranOrder) {
  put("f.npy", file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}",
                    "adbecf"));
  Tensor tensor;
  ASSERT_EQ(readNpy(path("f.npy"), tensor), "");
  EXPECT_EQ(std::string(tensor.bytes.begin(), tensor.bytes.end()), "abcdef");
}

TEST_F(Npy, MalformedHeaders) {
  EXPECT_EQ(error("hello, this is text"), "not an .npy file");
  EXPECT_EQ(error(""), "not an .npy file");
  EXPECT_EQ(error(std::string("\x93NUMPY\x01\x00\x05", 9)),
            "truncated .npy header");
  EXPECT_EQ(error(std::string("\x93NUMPY\x02\x00\x05\x00", 10)),
            "truncated .npy header");
  EXPECT_EQ(error(std::string("\x93NUMPY\x07\x00\x05\x00\x00\x00", 12)),
            "unknown .npy version 7");
  EXPECT_EQ(error(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)),
            "truncated .npy header");
  EXPECT_EQ(error(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)),
            "truncated .npy header");
  for (const char *dict :
       {"", "{", "{}", "{'descr'", "{'descr': '<f4}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(9223372036854775808,)}"})
    EXPECT_EQ(error(file(dict, "abcd")), "malformed .npy header") << dict;
}

TEST_F(Npy, UnsupportedTypes) {
  for (const char *descr : {">f4", "<f16", "<c8", "|O", "<U3", "|V3", "", "f4"})
    EXPECT_EQ(error(file(std::string("{'descr': '") + descr +
                             "', 'fortran_order': False, 'shape': (1,)}",
                         "abcd")),
              std::string("unsupported .npy element type '") + descr + "'");
}

TEST_F(Npy, LyingSizes) {
  auto dict = [](const std::string &shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}";
  };
  EXPECT_EQ(error(file(dict("(3,)"), "abcd")),
            "expected 12 bytes of elements but got 4");
  EXPECT_EQ(error(file(dict("()"), "abcdefgh")),
            "expected 4 bytes of elements but got 8");
  EXPECT_EQ(error(file(dict("(1000000000000,)"), "abcd")),
            "expected 4000000000000 bytes of elements but got 4");
  EXPECT_EQ(error(file(dict("(4294967296, 4294967296)"), "abcd")),
            "shape of the .npy header is too large");
  EXPECT_EQ(error(file(dict("(0, 4294967296, 4294967296)"), "")),
            "shape of the .npy header is too large");
}

TEST_F(Npy, EveryPrefixIsAnError) {
  Tensor tensor{DType::F16, {2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
  ASSERT_EQ(writeNpy(path("t.npy"), tensor), "");
  std::string whole = get(path("t.npy"));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error(whole.substr(0, size)), "") << size;
}

TEST_F(Npy, EveryChangedHeaderByteIsReadOrRefused) {
  Tensor tensor{DType::F16, {2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}};
  ASSERT_EQ(writeNpy(path("t.npy"), tensor), "");
  std::string whole = get(path("t.npy"));
  for (size_t at = 0; at < 128; ++at)
    for (int byte : {0x00, 0x20, 0x27, 0x28, 0x39, 0x7b, 0x7d, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(byte);
      Tensor back;
      if (readNpy(put("x.npy", changed), back).empty())
        EXPECT_EQ(back.bytes.size(), 8u);
    }
}

TEST_F(Npy, FilesThatCannotBeOpened) {
  Tensor tensor;
  EXPECT_EQ(readNpy(path("none.npy"), tensor),
            path("none.npy") + ": cannot open: No such file or directory");
  EXPECT_EQ(readNpy(folder, tensor), folder + ": not a regular file");
  EXPECT_EQ(readNpy("/dev/zero", tensor), "/dev/zero: not a regular file");
}

TEST_F(Npy, FailedWritesLeaveNothing) {
  Tensor tensor{DType::U8, {1}, {7}};
  EXPECT_EQ(writeNpy(path("no/t.npy"), tensor),
            path("no/t.npy") + ": cannot write: No such file or directory");
  EXPECT_EQ(writeNpy(folder, tensor),
            folder + ": cannot write: not a regular file");
  EXPECT_EQ(writeNpy("/dev/null", tensor),
            "/dev/null: cannot write: not a regular file");
  EXPECT_EQ(count(), 0u);
  ASSERT_EQ(writeNpy(path("t.npy"), tensor), "");
  ASSERT_EQ(writeNpy(path("t.npy"), tensor), "");
  EXPECT_EQ(count(), 1u);
}

} // namespace
