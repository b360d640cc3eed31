// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TargetTest.h"

#include "prec/Target/Host/CHeader.h"
#include "prec/Target/PTX/DescribeLaunch.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace {
class LaunchTest : public TargetTest {
protected:
  LaunchTest() {
    context.loadDialect<func::FuncDialect, arith::ArithDialect,
                        affine::AffineDialect, memref::MemRefDialect,
                        cf::ControlFlowDialect, scf::SCFDialect>();
  }

  FailureOr<prec::Signature> signature(StringRef model) {
    models.push_back(parse(model));
    return prec::Signature::get(
        *models.back().get().getOps<func::FuncOp>().begin());
  }

  FailureOr<prec::launch::Description> describe(StringRef model,
                                                StringRef body) {
    FailureOr<prec::Signature> function = signature(model);
    OwningOpRef<ModuleOp> module = parse(R"(
      module attributes {gpu.container_module} {
        gpu.module @kernels {
          gpu.func @k(%a: memref<?xbf16>, %b: memref<?xbf16>, %n: index) kernel {
            gpu.return
          }
          gpu.func @s(%a: memref<?xbf16>, %s: bf16) kernel {
            gpu.return
          }
        }
        func.func @f)" + body.str() + "}");
    if (failed(function) || !module)
      return failure();
    return prec::describeLaunch(*module.get().getOps<func::FuncOp>().begin(),
                                *function, "sm_90");
  }

  std::vector<OwningOpRef<ModuleOp>> models;
};

constexpr const char *kModel = R"(
  func.func private @f(tensor<?x64xbf16> {prec.name = "x"}, tensor<?x64xbf16>, bf16)
      -> (tensor<?x64xbf16> {prec.name = "out"}))";
constexpr const char *kArguments =
    "(%x: memref<?xbf16>, %y: memref<?xbf16>, %s: bf16, %out: memref<?xbf16>, "
    "%n: index, %m: index)";

TEST_F(LaunchTest, Describes) {
  FailureOr<prec::launch::Description> description =
      describe(kModel, std::string(kArguments) + R"({
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %c128 = arith.constant 128 : index
        %same = arith.cmpi eq, %n, %m : index
        %some = arith.cmpi sge, %n, %c1 : index
        %both = arith.andi %same, %some : i1
        cf.assert %both, "rows differ"
        %total = arith.muli %n, %c64 : index
        %t = memref.alloc(%total) : memref<?xbf16>
        %grid = arith.ceildivui %total, %c128 : index
        gpu.launch_func @kernels::@k blocks in (%grid, %c1, %c1)
          threads in (%c128, %c1, %c1)
          args(%x : memref<?xbf16>, %t : memref<?xbf16>, %total : index)
        %rows = affine.apply affine_map<()[s0] -> (s0 mod 4 + s0 floordiv 2)>()[%n]
        gpu.launch_func @kernels::@s blocks in (%rows, %c1, %c1)
          threads in (%c64, %c1, %c1)
          args(%out : memref<?xbf16>, %s : bf16)
        memref.dealloc %t : memref<?xbf16>
        return
      })");
  ASSERT_TRUE(succeeded(description)) << errors.front();
  EXPECT_EQ(prec::launch::write(*description), R"json({
  "version": 1,
  "function": "f",
  "target": "sm_90",
  "dims": {"arg1_0":"arg1.0","x_0":"x.0"},
  "kernels": [
    {
      "entry": "k",
      "grid": ["ceildiv(x_0 * 64, 128)",1,1],
      "block": [128,1,1],
      "dynamic_shared": 0,
      "params": [
        {"tensor":"x"},
        {"tensor":"t0"},
        {"scalar":"i64","value":"x_0 * 64"}
      ],
      "alignment": 16
    },
    {
      "entry": "s",
      "grid": ["x_0 - x_0 / 4 * 4 + x_0 / 2",1,1],
      "block": [64,1,1],
      "dynamic_shared": 0,
      "params": [
        {"tensor":"out"},
        {"scalar":"bf16","value":"arg2"}
      ],
      "alignment": 16
    }
  ],
  "temporaries": [
    {
      "name": "t0",
      "type": "bf16",
      "shape": ["x_0 * 64"]
    }
  ],
  "results": [],
  "guards": [
    {"is":"==","left":"x_0","message":"rows differ","right":"arg1_0"},
    {"is":">=","left":"x_0","message":"rows differ","right":"1"}
  ]
}
)json");
}

TEST_F(LaunchTest, ExpandedDivisions) {
  FailureOr<prec::launch::Description> description =
      describe(kModel, std::string(kArguments) + R"({
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %cm1 = arith.constant -1 : index
        %t = memref.alloc() : memref<8xbf16>
        %cast = memref.cast %t : memref<8xbf16> to memref<?xbf16>
        %none = arith.cmpi sle, %n, %c0 : index
        %0 = arith.subi %c0, %n : index
        %1 = arith.subi %n, %c1 : index
        %2 = arith.select %none, %0, %1 : index
        %3 = arith.divsi %2, %c8 : index
        %4 = arith.subi %c0, %3 : index
        %5 = arith.addi %3, %c1 : index
        %ceil = arith.select %none, %4, %5 : index
        %negative = arith.cmpi slt, %n, %c0 : index
        %6 = arith.subi %cm1, %n : index
        %7 = arith.select %negative, %6, %n : index
        %8 = arith.divsi %7, %c8 : index
        %9 = arith.subi %cm1, %8 : index
        %floor = arith.select %negative, %9, %8 : index
        gpu.launch_func @kernels::@k blocks in (%ceil, %floor, %c1)
          threads in (%c8, %c1, %c1)
          args(%x : memref<?xbf16>, %cast : memref<?xbf16>, %n : index)
        return
      })");
  ASSERT_TRUE(succeeded(description)) << errors.front();
  EXPECT_EQ(description->kernels[0].grid[0].str(), "ceildiv(x_0, 8)");
  EXPECT_EQ(description->kernels[0].grid[1].str(), "x_0 / 8");
  EXPECT_EQ(description->kernels[0].params[1].tensor, "t0");
}

TEST_F(LaunchTest, WhatCannotBeDescribed) {
  std::string arguments = kArguments;
  EXPECT_TRUE(failed(describe(kModel, "() { return }")));
  EXPECT_TRUE(failed(describe(kModel, arguments + "{ return }")));
  EXPECT_TRUE(failed(describe(kModel, arguments + R"({
    %c = arith.constant false
    cf.assert %c, "never"
    return
  })")));
  EXPECT_TRUE(failed(describe(kModel, arguments + R"({
    cf.br ^next
  ^next:
    return
  })")));
  EXPECT_TRUE(failed(describe(kModel, arguments + R"({
    memref.store %s, %out[%n] : memref<?xbf16>
    return
  })")));
  EXPECT_TRUE(failed(describe(kModel, arguments + R"({
    %c1 = arith.constant 1 : index
    %odd = arith.xori %n, %m : index
    gpu.launch_func @kernels::@s blocks in (%odd, %c1, %c1)
      threads in (%c1, %c1, %c1) args(%x : memref<?xbf16>, %s : bf16)
    return
  })")));
  EXPECT_TRUE(failed(describe(kModel, arguments + R"({
    %c1 = arith.constant 1 : index
    %same = arith.cmpi eq, %n, %m : index
    %either = arith.select %same, %x, %y : memref<?xbf16>
    gpu.launch_func @kernels::@s blocks in (%c1, %c1, %c1)
      threads in (%c1, %c1, %c1) args(%either : memref<?xbf16>, %s : bf16)
    return
  })")));
  EXPECT_TRUE(failed(describe(kModel, arguments + R"({
    %same = arith.cmpi eq, %n, %m : index
    scf.if %same {
    }
    return
  })")));
  std::vector<std::string> expected = {
      "expected 6 arguments but got 0",
      "expected at least one kernel",
      "expected a check that compares sizes on the GPU target",
      "expected no control flow on the host side",
      "expected a launch, memory or sizes on the host side",
      "expected a launch that depends on sizes only but got %1 = "
      "\"arith.xori\"(%arg4, %arg5) : (index, index) -> index",
      "expected an argument or a temporary but got %2 = "
      "\"arith.select\"(%1, %arg0, %arg1) : (i1, memref<?xbf16>, "
      "memref<?xbf16>) -> memref<?xbf16>",
      "expected a choice between two launches"};
  EXPECT_EQ(errors, expected);
}

TEST_F(LaunchTest, Identifiers) {
  FailureOr<prec::Signature> function = signature(R"(
    func.func private @f(tensor<?x?xf32> {prec.name = "layer.0"},
                         tensor<4xf32> {prec.name = "layer_0"},
                         tensor<4xf32> {prec.name = "int"},
                         tensor<4xf32> {prec.name = "2x"}) -> f32)");
  ASSERT_TRUE(succeeded(function));
  std::vector<std::string> identifiers;
  for (const prec::SignatureValue &value : function->arguments)
    identifiers.push_back(value.identifier);
  for (const prec::SignatureSize &size : function->sizes)
    identifiers.push_back(size.identifier);
  std::vector<std::string> expected = {"layer_0", "layer_0_1", "_int",
                                       "_2x",     "layer_0_0", "layer_0_1_1"};
  EXPECT_EQ(identifiers, expected);
  EXPECT_EQ(function->arguments[0].name, "layer.0");
  ASSERT_TRUE(function->results[0].isTensor());
  EXPECT_TRUE(function->results[0].shape->empty());
}

TEST_F(LaunchTest, NamesThatCCannotHave) {
  FailureOr<prec::Signature> function =
      signature("func.func private @main(f32 {prec.name = \"main\"})");
  ASSERT_TRUE(succeeded(function));
  EXPECT_EQ(function->function, "main");
  EXPECT_EQ(function->symbol, "_main");
  EXPECT_EQ(function->arguments[0].identifier, "_main_1");
}

TEST_F(LaunchTest, HostHeader) {
  FailureOr<prec::Signature> function = signature(kModel);
  ASSERT_TRUE(succeeded(function));
  EXPECT_EQ(prec::writeHostHeader(*function, {"rows differ", "odd */ text"}),
            R"(/* Made by precc. Tensors are contiguous and row-major; floats of
   less than 32 bits are passed as their bit patterns. */
#ifndef PREC_F_H
#define PREC_F_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* f: x bf16[?x64], arg1 bf16[?x64], arg2 bf16 -> out bf16[?x64]
   Results must not overlap other tensors. Rounding mode and subnormals are
   expected as a C program starts with them. Returns 0, or
     1: rows differ
     2: odd * / text */
int f(const uint16_t *x, const uint16_t *arg1, uint16_t arg2, uint16_t *out, int64_t x_0, int64_t arg1_0);

#ifdef __cplusplus
}
#endif

#endif
)");
}

} // namespace
