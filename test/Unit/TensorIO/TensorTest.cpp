// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/TensorIO/Tensor.h"

#include <gtest/gtest.h>

using namespace prec::io;

TEST(Tensor, ByteSize) {
  uint64_t size;
  EXPECT_TRUE(byteSize(DType::BF16, {3, 5}, size));
  EXPECT_EQ(size, 30u);
  EXPECT_TRUE(byteSize(DType::F64, {}, size));
  EXPECT_EQ(size, 8u);
  EXPECT_TRUE(byteSize(DType::F64, {7, 0}, size));
  EXPECT_EQ(size, 0u);
  EXPECT_FALSE(byteSize(DType::F32, {-1}, size));
  EXPECT_FALSE(byteSize(DType::F32, {int64_t(1) << 61}, size));
  EXPECT_FALSE(byteSize(DType::F32, {int64_t(1) << 40, 0, 1 << 30}, size));
}

TEST(Tensor, SameBits) {
  EXPECT_TRUE(sameBits(DType::BF16, DType::BF16));
  EXPECT_TRUE(sameBits(DType::U16, DType::BF16));
  EXPECT_TRUE(sameBits(DType::U16, DType::F16));
  EXPECT_TRUE(sameBits(DType::U8, DType::F8E5M2));
  EXPECT_TRUE(sameBits(DType::I32, DType::U32));
  EXPECT_FALSE(sameBits(DType::F16, DType::BF16));
  EXPECT_FALSE(sameBits(DType::BF16, DType::U16));
  EXPECT_FALSE(sameBits(DType::I16, DType::F16));
  EXPECT_FALSE(sameBits(DType::U8, DType::Bool));
  EXPECT_FALSE(sameBits(DType::U32, DType::F64));
}

TEST(Tensor, Describe) {
  EXPECT_EQ(describe({DType::F8E4M3, {4, 64}, {}}), "F8_E4M3[4, 64]");
  EXPECT_EQ(describe({DType::I64, {}, {}}), "I64[]");
}
