// RUN: prec-opt %s --prec-finalize-abi --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %[[X:[^ ]+]]: !llvm.ptr {llvm.align = 2 : i64, llvm.noalias, llvm.noundef, llvm.readonly}
// CHECK-SAME: %[[S:[^ ]+]]: i16, %[[F:[^ ]+]]: f32, %[[B:[^ ]+]]: i8
// CHECK-SAME: %[[Y:[^ ]+]]: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.noundef}
// CHECK-SAME: %[[N:[^ ]+]]: i64) -> i32
func.func @arguments(%x: memref<?xbf16> {prec.name = "x"}, %s: bf16, %f: f32, %b: i1, %y: memref<4xf32>, %n: index) {
  // CHECK-DAG: llvm.insertvalue %[[X]], %{{.*}}[1]
  // CHECK-DAG: %[[M:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xbf16>
  // CHECK-DAG: arith.bitcast %[[S]] : i16 to bf16
  // CHECK-DAG: arith.cmpi ne, %[[B]]
  // CHECK-DAG: %[[I:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK: memref.load %[[M]][%[[I]]]
  %0 = memref.load %x[%n] : memref<?xbf16>
  %1 = arith.extf %0 : bf16 to f32
  %2 = arith.extf %s : bf16 to f32
  %3 = arith.select %b, %1, %2 : f32
  memref.store %3, %y[%n] : memref<4xf32>
  // CHECK: %[[OK:.*]] = arith.constant 0 : i32
  // CHECK: cf.br ^[[EXIT:.*]](%[[OK]] : i32)
  // CHECK: ^[[EXIT]](%[[STATUS:.*]]: i32):
  // CHECK: return %[[STATUS]] : i32
  return
}

// -----

// What was allocated before a failing check and not freed is freed on that path.
// CHECK-LABEL: func.func @checks
// CHECK-SAME: attributes {prec.checks = ["first", "second"]}
func.func @checks(%y: memref<?xf32>, %n: index, %m: index) {
  %c = arith.cmpi eq, %n, %m : index
  // CHECK: %[[T:.*]] = memref.alloc
  %t = memref.alloc(%n) : memref<?xf32>
  // CHECK: cf.cond_br %{{.*}}, ^[[NEXT:.*]], ^[[FIRST:[^ ]+]]
  cf.assert %c, "first"
  // CHECK: ^[[NEXT]]:
  // CHECK: memref.dealloc %[[T]]
  memref.dealloc %t : memref<?xf32>
  // CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[SECOND:[^ ]+]]
  cf.assert %c, "second"
  // CHECK: ^[[FIRST]]:
  // CHECK-NEXT: memref.dealloc %[[T]]
  // CHECK-NEXT: arith.constant 1 : i32
  // CHECK: ^[[SECOND]]:
  // CHECK-NEXT: arith.constant 2 : i32
  return
}

// -----

// A view is followed; memory handed on to another block may be written there.
// CHECK-LABEL: func.func @readonly
// CHECK-SAME: %{{[^ ]+}}: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.noundef, llvm.readonly}
// CHECK-SAME: %{{[^ ]+}}: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.noundef}
// CHECK-SAME: %{{[^ ]+}}: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.noundef}
func.func @readonly(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %n: index) {
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %0 = memref.load %v[%n] : memref<4xf32, strided<[1]>>
  %w = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.store %0, %w[%n] : memref<4xf32, strided<[1]>>
  cf.br ^next(%c : memref<8xf32>)
^next(%d: memref<8xf32>):
  return
}

// -----

// A declaration stays as it is.
// CHECK-LABEL: func.func private @declared(memref<?xf32>, index)
func.func private @declared(memref<?xf32>, index)
