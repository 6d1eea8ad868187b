// A program longer than a part becomes functions that are run one after another, cut where only constants are needed on both
// sides.
// RUN: tessera-opt %s --tessera-split-program=size=2 | FileCheck %s
// RUN: tessera-opt %s --tessera-split-program | FileCheck %s --check-prefix=SHORT

// The bound of the loop is made again where it is used; the flag keeps the operations between it and its use together.
// CHECK: func.func private @tessera_main_part_0(%{{.*}}: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr) -> i32 {
// CHECK-NEXT: %[[FROM:.*]] = rt.entry %[[ARGUMENTS]][0]
// CHECK-NEXT: %[[TO:.*]] = rt.offset %[[ARENA]] + 0
// CHECK-NEXT: rt.copy %{{.*}} %[[FROM]] to %[[TO]]
// CHECK-NEXT: %[[DONE:.*]] = arith.constant 0 : i32
// CHECK-NEXT: return %[[DONE]]
// CHECK: func.func private @tessera_main_part_1(
// CHECK: %[[FLAG:.*]] = llvm.load
// CHECK: rt.copy
// CHECK: scf.if %[[FLAG]]
// CHECK: func.func private @tessera_main_part_2(
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %{{.*}} = %[[ONE]] to %[[ONE]] step %[[ONE]]
// CHECK: func.func @tessera_main(%[[C:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[R:.*]]: !llvm.ptr, %[[M:.*]]: !llvm.ptr) -> i32 {
// CHECK-NEXT: rt.run @tessera_main_part_0(%[[C]], %[[A]], %[[R]], %[[M]])
// CHECK-NEXT: rt.run @tessera_main_part_1(%[[C]], %[[A]], %[[R]], %[[M]])
// CHECK-NEXT: rt.run @tessera_main_part_2(%[[C]], %[[A]], %[[R]], %[[M]])
// CHECK-NEXT: %[[STATUS:.*]] = arith.constant 0 : i32
// CHECK-NEXT: return %[[STATUS]]

// SHORT-NOT: rt.run
module {
  module @program {
    func.func @tessera_main(%context: !llvm.ptr, %arguments: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) -> i32 {
      %from = rt.entry %arguments[0] : !llvm.ptr -> !llvm.ptr
      %to = rt.offset %arena + 0 : !llvm.ptr -> !llvm.ptr
      rt.copy %context %from to %to bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      %one = arith.constant 1 : index
      %flag = llvm.load %arena : !llvm.ptr -> i1
      rt.copy %context %arguments to %arena bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      rt.copy %context %arguments to %arena bytes = 8 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      scf.if %flag {
        rt.copy %context %arguments to %arena bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      }
      scf.for %i = %one to %one step %one {
        rt.copy %context %arguments to %arena bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      }
      %status = arith.constant 0 : i32
      return %status : i32
    }
  }
}
