// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestFiles.h"

#include "prec/TensorIO/Files.h"

using namespace prec::io;

namespace {

class Safetensors : public FileTest {
protected:
  static std::string length(uint64_t size) {
    std::string bytes;
    for (int i = 0; i < 8; ++i)
      bytes += static_cast<char>(size >> (8 * i) & 0xff);
    return bytes;
  }
  static std::string file(const std::string &header, const std::string &data) {
    return length(header.size()) + header + data;
  }
  /// What reading a file of these bytes says, without the path before it.
  std::string error(const std::string &bytes) {
    std::string name = put("x.safetensors", bytes);
    std::vector<NamedTensor> tensors;
    std::string message = readSafetensors(name, tensors);
    EXPECT_EQ(message.substr(0, name.size() + 2), name + ": ");
    return message.substr(std::min(message.size(), name.size() + 2));
  }
  static std::vector<NamedTensor> some() {
    return {{"x", {DType::BF16, {2, 1}, {1, 2, 3, 4}}},
            {"a \"quoted\" name", {DType::I64, {}, {1, 2, 3, 4, 5, 6, 7, 8}}},
            {"empty", {DType::F8E4M3, {0, 7}, {}}}};
  }
};

TEST_F(Safetensors, RoundTripOfEveryType) {
  std::vector<NamedTensor> tensors;
  for (int i = 0; i <= static_cast<int>(DType::F64); ++i) {
    Tensor tensor{static_cast<DType>(i), {3}, {}};
    for (size_t b = 0; b < 3 * byteWidth(tensor.dtype); ++b)
      tensor.bytes.push_back(b * 41 + i);
    tensors.push_back({"t" + std::to_string(i), tensor});
  }
  ASSERT_EQ(writeSafetensors(path("t.safetensors"), tensors), "");
  std::vector<NamedTensor> back;
  ASSERT_EQ(readSafetensors(path("t.safetensors"), back), "");
  ASSERT_EQ(back.size(), tensors.size());
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].name, tensors[i].name);
    EXPECT_EQ(describe(back[i].tensor), describe(tensors[i].tensor));
    EXPECT_EQ(back[i].tensor.bytes, tensors[i].tensor.bytes);
  }
}

TEST_F(Safetensors, Layout) {
  ASSERT_EQ(writeSafetensors(path("t"), some()), "");
  std::string header = R"({"x":{"dtype":"BF16","shape":[2,1],"data_offsets":)"
                       R"([0,4]},"a \"quoted\" name":{"dtype":"I64","shape":)"
                       R"([],"data_offsets":[4,12]},"empty":{"dtype":)"
                       R"("F8_E4M3","shape":[0,7],"data_offsets":[12,12]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  EXPECT_EQ(get(path("t")),
            file(header, "\x01\x02\x03\x04\x01\x02\x03\x04\x05\x06\x07\x08"));
}

TEST_F(Safetensors, MetadataIsSkipped) {
  put("m", file(R"({"__metadata__":{"format":"pt"},"x":{"dtype":"U8",)"
                R"("shape":[1],"data_offsets":[0,1]}})",
                "a"));
  std::vector<NamedTensor> tensors;
  ASSERT_EQ(readSafetensors(path("m"), tensors), "");
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].name, "x");
}

TEST_F(Safetensors, MalformedHeaders) {
  EXPECT_EQ(error("abc"), "truncated safetensors header");
  EXPECT_EQ(error(length(100) + "{}"), "truncated safetensors header");
  EXPECT_EQ(error(length(0xffffffffffffffff) + "{}"),
            "safetensors header of 18446744073709551615 bytes is too large");
  for (const char *header :
       {"", "{", "[]", "1", "{\"x\": }", "\xff\xfe", "nul"})
    EXPECT_EQ(error(file(header, "")), "malformed safetensors header");
  EXPECT_EQ(error(file(std::string(100000, '['), "")),
            "malformed safetensors header");
}

TEST_F(Safetensors, MalformedEntries) {
  auto entry = [&](const std::string &fields) {
    return error(file("{\"x\":" + fields + "}", "abcd"));
  };
  EXPECT_EQ(entry("7"), "tensor 'x' has no dtype");
  EXPECT_EQ(entry("{\"shape\":[1]}"), "tensor 'x' has no dtype");
  EXPECT_EQ(entry("{\"dtype\":\"F4\"}"),
            "tensor 'x' has the unsupported dtype 'F4'");
  for (const char *shape : {"7", "[-1]", "[1.5]", "[\"1\"]", "[true]",
                            "[9223372036854775808]", "[[1]]", "null"})
    EXPECT_EQ(entry(std::string("{\"dtype\":\"F32\",\"shape\":") + shape + "}"),
              "tensor 'x' has no valid shape");
  for (const char *offsets : {"7", "[]", "[0]", "[0,4,8]", "[4,0]", "[-4,0]",
                              "[0,18446744073709551615]", "[0.0,4.0]"})
    EXPECT_EQ(entry(std::string("{\"dtype\":\"F32\",\"shape\":[1],"
                                "\"data_offsets\":") +
                    offsets + "}"),
              "tensor 'x' has no valid data_offsets");
  EXPECT_EQ(entry("{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}"),
            "tensor 'x' has a shape of 8 bytes but data_offsets of 4");
  EXPECT_EQ(entry("{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],"
                  "\"data_offsets\":[0,4]}"),
            "tensor 'x' has a shape that is too large");
  EXPECT_EQ(entry("{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"),
            "expected 8 bytes of elements but got 4");
  EXPECT_EQ(entry("{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}"),
            "expected 2 bytes of elements but got 4");
}

TEST_F(Safetensors, LyingOffsets) {
  auto two = [&](const char *first, const char *second) {
    auto entry = [](const char *offsets) {
      return std::string("{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":") +
             offsets + "}";
    };
    return error(file(
        "{\"x\":" + entry(first) + ",\"y\":" + entry(second) + "}", "abcd"));
  };
  EXPECT_EQ(two("[0,2]", "[1,3]"), "tensor 'y' overlaps the one before it");
  EXPECT_EQ(two("[0,2]", "[0,2]"), "tensor 'y' overlaps the one before it");
  EXPECT_EQ(two("[0,2]", "[3,5]"), "unused bytes before tensor 'y'");
  EXPECT_EQ(two("[2,4]", "[4,6]"), "unused bytes before tensor 'x'");
  EXPECT_EQ(two("[0,2]", "[1000000,1000002]"),
            "unused bytes before tensor 'y'");
  EXPECT_EQ(error(file("{\"x\":{\"dtype\":\"U8\",\"shape\":[1],"
                       "\"data_offsets\":[0,1]},\"x\":{\"dtype\":\"U8\","
                       "\"shape\":[1],\"data_offsets\":[1,2]}}",
                       "ab")),
            "tensor 'x' is named twice");
}

TEST_F(Safetensors, EveryPrefixIsAnError) {
  ASSERT_EQ(writeSafetensors(path("t"), some()), "");
  std::string whole = get(path("t"));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error(whole.substr(0, size)), "") << size;
}

TEST_F(Safetensors, EveryChangedHeaderByteIsReadOrRefused) {
  ASSERT_EQ(writeSafetensors(path("t"), some()), "");
  std::string whole = get(path("t"));
  for (size_t at = 0; at < whole.size() - 12; ++at)
    for (int byte : {0x00, 0x20, 0x22, 0x2c, 0x30, 0x39, 0x5b, 0x7d, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(byte);
      std::vector<NamedTensor> back;
      if (!readSafetensors(put("x", changed), back).empty())
        continue;
      uint64_t total = 0;
      for (const NamedTensor &named : back)
        total += named.tensor.bytes.size();
      EXPECT_EQ(total, 12u);
    }
}

TEST_F(Safetensors, FailedWritesLeaveNothing) {
  EXPECT_EQ(writeSafetensors(path("no/t"), some()),
            path("no/t") + ": cannot write: No such file or directory");
  std::vector<NamedTensor> twice = some();
  twice.push_back(twice[0]);
  EXPECT_EQ(writeSafetensors(path("t"), twice),
            path("t") + ": cannot write: tensor 'x' is named twice");
  EXPECT_EQ(count(), 0u);
}

} // namespace
