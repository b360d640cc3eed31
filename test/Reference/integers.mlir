// RUN: prec-run %s --function=signed --print | FileCheck %s --check-prefix=SIGNED
// RUN: prec-run %s --function=unsigned --print | FileCheck %s --check-prefix=UNSIGNED
// RUN: prec-run %s --function=bits --print | FileCheck %s --check-prefix=BITS
// RUN: prec-run %s --function=booleans --print | FileCheck %s --check-prefix=BOOLEANS
// RUN: prec-run %s --function=affine --print | FileCheck %s --check-prefix=AFFINE

// Arithmetic wraps in the type's width.
// SIGNED: add: I8[3] -127 -5 1
// SIGNED: sub: I8[3] 125 -9 -1
// SIGNED: mul: I8[3] -2 -14 0
// SIGNED: div: I8[3] 63 -3 0
// SIGNED: rem: I8[3] 1 -1 0
// SIGNED: floordiv: I8[3] 63 -4 0
// SIGNED: ceildiv: I8[3] 64 -3 0
// SIGNED: max: I8[3] 127 2 1
// SIGNED: min: I8[3] 2 -7 0
func.func @signed() -> (tensor<3xi8> {prec.name = "add"}, tensor<3xi8> {prec.name = "sub"}, tensor<3xi8> {prec.name = "mul"},
    tensor<3xi8> {prec.name = "div"}, tensor<3xi8> {prec.name = "rem"}, tensor<3xi8> {prec.name = "floordiv"},
    tensor<3xi8> {prec.name = "ceildiv"}, tensor<3xi8> {prec.name = "max"}, tensor<3xi8> {prec.name = "min"}) {
  %x = arith.constant dense<[127, -7, 0]> : tensor<3xi8>
  %y = arith.constant dense<[2, 2, 1]> : tensor<3xi8>
  %add = arith.addi %x, %y : tensor<3xi8>
  %sub = arith.subi %x, %y : tensor<3xi8>
  %mul = arith.muli %x, %y : tensor<3xi8>
  %div = arith.divsi %x, %y : tensor<3xi8>
  %rem = arith.remsi %x, %y : tensor<3xi8>
  %floordiv = arith.floordivsi %x, %y : tensor<3xi8>
  %ceildiv = arith.ceildivsi %x, %y : tensor<3xi8>
  %max = arith.maxsi %x, %y : tensor<3xi8>
  %min = arith.minsi %x, %y : tensor<3xi8>
  return %add, %sub, %mul, %div, %rem, %floordiv, %ceildiv, %max, %min : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// -7 stands for 249.
// UNSIGNED: result0: I8[2] 63 124
// UNSIGNED: result1: I8[2] 1 1
// UNSIGNED: result2: I8[2] 64 125
// UNSIGNED: result3: I8[2] 127 -7
// UNSIGNED: result4: I8[2] 2 2
// UNSIGNED: result5: I32[2] 127 249
// UNSIGNED: result6: I32[2] 127 -7
// UNSIGNED: result7: BOOL[2] 0 0
// UNSIGNED: result8: BOOL[2] 0 1
func.func @unsigned() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi1>) {
  %x = arith.constant dense<[127, -7]> : tensor<2xi8>
  %y = arith.constant dense<2> : tensor<2xi8>
  %0 = arith.divui %x, %y : tensor<2xi8>
  %1 = arith.remui %x, %y : tensor<2xi8>
  %2 = arith.ceildivui %x, %y : tensor<2xi8>
  %3 = arith.maxui %x, %y : tensor<2xi8>
  %4 = arith.minui %x, %y : tensor<2xi8>
  %5 = arith.extui %x : tensor<2xi8> to tensor<2xi32>
  %6 = arith.extsi %x : tensor<2xi8> to tensor<2xi32>
  %7 = arith.cmpi ult, %x, %y : tensor<2xi8>
  %8 = arith.cmpi slt, %x, %y : tensor<2xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi1>
}

// BITS: and: I16[2] 4 8
// BITS: or: I16[2] 15 -1
// BITS: xor: I16[2] 11 -9
// BITS: shl: I16[2] 48 -4
// BITS: shru: I16[2] 3 16383
// BITS: shrs: I16[2] 3 -1
// BITS: ctlz: I16[2] 12 0
// BITS: cttz: I16[2] 2 0
// BITS: ctpop: I16[2] 2 16
// BITS: abs: I16[2] 12 1
// BITS: ipow: I16[2] 144 1
// BITS: trunc: I8[2] 12 -1
func.func @bits() -> (tensor<2xi16> {prec.name = "and"}, tensor<2xi16> {prec.name = "or"}, tensor<2xi16> {prec.name = "xor"},
    tensor<2xi16> {prec.name = "shl"}, tensor<2xi16> {prec.name = "shru"}, tensor<2xi16> {prec.name = "shrs"},
    tensor<2xi16> {prec.name = "ctlz"}, tensor<2xi16> {prec.name = "cttz"}, tensor<2xi16> {prec.name = "ctpop"},
    tensor<2xi16> {prec.name = "abs"}, tensor<2xi16> {prec.name = "ipow"}, tensor<2xi8> {prec.name = "trunc"}) {
  %x = arith.constant dense<[12, -1]> : tensor<2xi16>
  %y = arith.constant dense<[7, 8]> : tensor<2xi16>
  %two = arith.constant dense<2> : tensor<2xi16>
  %and = arith.andi %x, %y : tensor<2xi16>
  %or = arith.ori %x, %y : tensor<2xi16>
  %xor = arith.xori %x, %y : tensor<2xi16>
  %shl = arith.shli %x, %two : tensor<2xi16>
  %shru = arith.shrui %x, %two : tensor<2xi16>
  %shrs = arith.shrsi %x, %two : tensor<2xi16>
  %ctlz = math.ctlz %x : tensor<2xi16>
  %cttz = math.cttz %x : tensor<2xi16>
  %ctpop = math.ctpop %x : tensor<2xi16>
  %abs = math.absi %x : tensor<2xi16>
  %ipow = math.ipowi %x, %two : tensor<2xi16>
  %trunc = arith.trunci %x : tensor<2xi16> to tensor<2xi8>
  return %and, %or, %xor, %shl, %shru, %shrs, %ctlz, %cttz, %ctpop, %abs, %ipow, %trunc : tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi8>
}

// BOOLEANS: result0: BOOL[4] 0 0 0 1
// BOOLEANS: result1: BOOL[4] 0 1 1 1
// BOOLEANS: result2: BOOL[4] 0 1 1 0
// BOOLEANS: result3: F32[4] 0x00000000 0x00000000 0x3f800000 0x3f800000
// BOOLEANS: result4: BF16[4] 0x0000 0x0000 0xbf80 0xbf80
// BOOLEANS: result5: BOOL[4] 1 0 0 1
// BOOLEANS: result6: I32[4] 0 0 -1 -1
func.func @booleans() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xbf16>, tensor<4xi1>, tensor<4xi32>) {
  %a = arith.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = arith.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = arith.andi %a, %b : tensor<4xi1>
  %1 = arith.ori %a, %b : tensor<4xi1>
  %2 = arith.xori %a, %b : tensor<4xi1>
  %3 = arith.uitofp %a : tensor<4xi1> to tensor<4xf32>
  %4 = arith.sitofp %a : tensor<4xi1> to tensor<4xbf16>
  %5 = arith.cmpi eq, %a, %b : tensor<4xi1>
  %6 = arith.extsi %a : tensor<4xi1> to tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xbf16>, tensor<4xi1>, tensor<4xi32>
}

// AFFINE: result0: I64[] 17
// AFFINE: result1: I64[] 5
// AFFINE: result2: I64[] 16
func.func @affine() -> (i64, i64, i64) {
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %0 = affine.apply affine_map<(i)[s] -> (i * 2 + s)>(%c5)[%c7]
  %1 = affine.min affine_map<(i) -> (i, 16)>(%c5)
  %2 = affine.max affine_map<(i) -> (i, 16)>(%c5)
  %3 = arith.index_cast %0 : index to i64
  %4 = arith.index_cast %1 : index to i64
  %5 = arith.index_cast %2 : index to i64
  return %3, %4, %5 : i64, i64, i64
}
