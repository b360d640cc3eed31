// RUN: prec-run %s --function=row_1 --engine=host --random=1 --check | FileCheck %s
// RUN: prec-run %s --function=row_13 --engine=host --random=13 --check | FileCheck %s
// RUN: prec-run %s --function=row_17 --engine=host --random=17 --check | FileCheck %s
// RUN: prec-run %s --function=row_67 --engine=host --random=67 --check | FileCheck %s
// RUN: prec-run %s --function=row_512 --engine=host --random=512 --check | FileCheck %s
// RUN: prec-run %s --function=row_2563 --engine=host --random=2563 --check | FileCheck %s
// RUN: prec-run %s --function=column_5 --engine=host --random=5 --check | FileCheck %s
// RUN: prec-run %s --function=column_67 --engine=host --random=67 --check | FileCheck %s
// RUN: prec-run %s --function=column_130 --engine=host --random=130 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=0 --shape=arg0=3x0 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=1 --shape=arg0=3x1 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=3 --shape=arg0=3x3 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=4 --shape=arg0=3x4 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=7 --shape=arg0=3x7 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=8 --shape=arg0=3x8 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=31 --shape=arg0=3x31 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=33 --shape=arg0=3x33 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=67 --shape=arg0=3x67 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=512 --shape=arg0=3x512 --check | FileCheck %s
// RUN: prec-run %s --function=row_any --engine=host --random=2563 --shape=arg0=3x2563 --check | FileCheck %s
// RUN: prec-run %s --function=column_any --engine=host --random=0 --shape=arg0=0x19 --check | FileCheck %s
// RUN: prec-run %s --function=column_any --engine=host --random=5 --shape=arg0=5x19 --check | FileCheck %s
// RUN: prec-run %s --function=column_any --engine=host --random=67 --shape=arg0=67x19 --check | FileCheck %s

// Sums in every order, at sizes that the digits divide and that they do not: the
// host's bits are the reference evaluator's.
// CHECK-NOT: {{[1-9][0-9]*}} mismatches
// CHECK: 0 mismatches
// CHECK-NOT: {{[1-9][0-9]*}} mismatches

func.func @row_1(%x: tensor<3x1xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x1xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x1xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x1xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x1xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x1xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x1xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x1xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x1xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x1xf32> to tensor<3xf32>
  %9 = prec.sum %x dim 1 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<3x1xf32> to tensor<3xf32>
  %10 = prec.sum %x dim 1 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<3x1xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @row_13(%x: tensor<3x13xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x13xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x13xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x13xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x13xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x13xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x13xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x13xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x13xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x13xf32> to tensor<3xf32>
  %9 = prec.sum %x dim 1 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<3x13xf32> to tensor<3xf32>
  %10 = prec.sum %x dim 1 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<3x13xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @row_17(%x: tensor<3x17xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x17xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x17xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x17xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x17xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x17xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x17xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x17xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x17xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x17xf32> to tensor<3xf32>
  %9 = prec.sum %x dim 1 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<3x17xf32> to tensor<3xf32>
  %10 = prec.sum %x dim 1 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<3x17xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @row_67(%x: tensor<3x67xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x67xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x67xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x67xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x67xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x67xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x67xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x67xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x67xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x67xf32> to tensor<3xf32>
  %9 = prec.sum %x dim 1 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<3x67xf32> to tensor<3xf32>
  %10 = prec.sum %x dim 1 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<3x67xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @row_512(%x: tensor<3x512xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x512xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x512xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x512xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x512xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x512xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x512xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x512xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x512xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x512xf32> to tensor<3xf32>
  %9 = prec.sum %x dim 1 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<3x512xf32> to tensor<3xf32>
  %10 = prec.sum %x dim 1 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<3x512xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @row_2563(%x: tensor<3x2563xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x2563xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x2563xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x2563xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x2563xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x2563xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x2563xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x2563xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x2563xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x2563xf32> to tensor<3xf32>
  %9 = prec.sum %x dim 1 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<3x2563xf32> to tensor<3xf32>
  %10 = prec.sum %x dim 1 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<3x2563xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @column_5(%x: tensor<5x19xf32>) -> (tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>) {
  %0 = prec.sum %x dim 0 <sequential> : tensor<5x19xf32> to tensor<19xf32>
  %1 = prec.sum %x dim 0 <sequential from_zero> : tensor<5x19xf32> to tensor<19xf32>
  %2 = prec.sum %x dim 0 <lanes<8>> : tensor<5x19xf32> to tensor<19xf32>
  %3 = prec.sum %x dim 0 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<5x19xf32> to tensor<19xf32>
  %4 = prec.sum %x dim 0 <aten_cpu> : tensor<5x19xf32> to tensor<19xf32>
  %5 = prec.sum %x dim 0 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<5x19xf32> to tensor<19xf32>
  %6 = prec.sum %x dim 0 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<5x19xf32> to tensor<19xf32>
  %7 = prec.sum %x dim 0 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<5x19xf32> to tensor<19xf32>
  %8 = prec.sum %x dim 0 <digits [*] steps [0 cascade]> : tensor<5x19xf32> to tensor<19xf32>
  %9 = prec.sum %x dim 0 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<5x19xf32> to tensor<19xf32>
  %10 = prec.sum %x dim 0 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<5x19xf32> to tensor<19xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>
}

func.func @column_67(%x: tensor<67x19xf32>) -> (tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>) {
  %0 = prec.sum %x dim 0 <sequential> : tensor<67x19xf32> to tensor<19xf32>
  %1 = prec.sum %x dim 0 <sequential from_zero> : tensor<67x19xf32> to tensor<19xf32>
  %2 = prec.sum %x dim 0 <lanes<8>> : tensor<67x19xf32> to tensor<19xf32>
  %3 = prec.sum %x dim 0 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<67x19xf32> to tensor<19xf32>
  %4 = prec.sum %x dim 0 <aten_cpu> : tensor<67x19xf32> to tensor<19xf32>
  %5 = prec.sum %x dim 0 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<67x19xf32> to tensor<19xf32>
  %6 = prec.sum %x dim 0 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<67x19xf32> to tensor<19xf32>
  %7 = prec.sum %x dim 0 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<67x19xf32> to tensor<19xf32>
  %8 = prec.sum %x dim 0 <digits [*] steps [0 cascade]> : tensor<67x19xf32> to tensor<19xf32>
  %9 = prec.sum %x dim 0 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<67x19xf32> to tensor<19xf32>
  %10 = prec.sum %x dim 0 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<67x19xf32> to tensor<19xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>
}

func.func @column_130(%x: tensor<130x19xf32>) -> (tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>) {
  %0 = prec.sum %x dim 0 <sequential> : tensor<130x19xf32> to tensor<19xf32>
  %1 = prec.sum %x dim 0 <sequential from_zero> : tensor<130x19xf32> to tensor<19xf32>
  %2 = prec.sum %x dim 0 <lanes<8>> : tensor<130x19xf32> to tensor<19xf32>
  %3 = prec.sum %x dim 0 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<130x19xf32> to tensor<19xf32>
  %4 = prec.sum %x dim 0 <aten_cpu> : tensor<130x19xf32> to tensor<19xf32>
  %5 = prec.sum %x dim 0 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<130x19xf32> to tensor<19xf32>
  %6 = prec.sum %x dim 0 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<130x19xf32> to tensor<19xf32>
  %7 = prec.sum %x dim 0 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<130x19xf32> to tensor<19xf32>
  %8 = prec.sum %x dim 0 <digits [*] steps [0 cascade]> : tensor<130x19xf32> to tensor<19xf32>
  %9 = prec.sum %x dim 0 <digits [8, *] steps [1 cascade, 0 halving]> : tensor<130x19xf32> to tensor<19xf32>
  %10 = prec.sum %x dim 0 <digits [*, 4] steps [0 sequential, 1 adjacent]> : tensor<130x19xf32> to tensor<19xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>
}

func.func @row_any(%x: tensor<3x?xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = prec.sum %x dim 1 <sequential> : tensor<3x?xf32> to tensor<3xf32>
  %1 = prec.sum %x dim 1 <sequential from_zero> : tensor<3x?xf32> to tensor<3xf32>
  %2 = prec.sum %x dim 1 <lanes<8>> : tensor<3x?xf32> to tensor<3xf32>
  %3 = prec.sum %x dim 1 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<3x?xf32> to tensor<3xf32>
  %4 = prec.sum %x dim 1 <aten_cpu> : tensor<3x?xf32> to tensor<3xf32>
  %5 = prec.sum %x dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<3x?xf32> to tensor<3xf32>
  %6 = prec.sum %x dim 1 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<3x?xf32> to tensor<3xf32>
  %7 = prec.sum %x dim 1 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<3x?xf32> to tensor<3xf32>
  %8 = prec.sum %x dim 1 <digits [*] steps [0 cascade]> : tensor<3x?xf32> to tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @column_any(%x: tensor<?x19xf32>) -> (tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>) {
  %0 = prec.sum %x dim 0 <sequential> : tensor<?x19xf32> to tensor<19xf32>
  %1 = prec.sum %x dim 0 <sequential from_zero> : tensor<?x19xf32> to tensor<19xf32>
  %2 = prec.sum %x dim 0 <lanes<8>> : tensor<?x19xf32> to tensor<19xf32>
  %3 = prec.sum %x dim 0 <digits [3, *] steps [1 sequential, 0 sequential]> : tensor<?x19xf32> to tensor<19xf32>
  %4 = prec.sum %x dim 0 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<?x19xf32> to tensor<19xf32>
  %5 = prec.sum %x dim 0 <digits [8, *] steps [0 adjacent, 1 sequential]> : tensor<?x19xf32> to tensor<19xf32>
  %6 = prec.sum %x dim 0 <digits [2, 4, *] steps [0 sequential, 2 sequential, 1 halving]> : tensor<?x19xf32> to tensor<19xf32>
  %7 = prec.sum %x dim 0 <aten_cpu> : tensor<?x19xf32> to tensor<19xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>, tensor<19xf32>
}
