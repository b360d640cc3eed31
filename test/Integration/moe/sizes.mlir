// Nothing of a size of 0 is read, on any engine; a router without enough experts says so.
// DEFINE: %{ENGINE} = reference
// DEFINE: %{run} = prec-run %s --engine=%{ENGINE} --random=1
// DEFINE: %{sizes} = %{run} --function=activation --shape=x=0x16 --shape=p=0 && \
// DEFINE:   %{run} --function=rows --shape=z=0x8 --shape=w=5x3 --shape=i=5x3 --check | FileCheck %s --check-prefix=ROWS && \
// DEFINE:   %{run} --function=rows --shape=z=4x8 --shape=w=0x3 --shape=i=0x3 && \
// DEFINE:   %{run} --function=rows --shape=z=4x8 --shape=w=5x0 --shape=i=5x0 --check | FileCheck %s --check-prefix=ROWS && \
// DEFINE:   %{run} --function=router --shape=l=0x9 && \
// DEFINE:   %{run} --function=router --shape=l=3x4 --check | FileCheck %s --check-prefix=ROUTER && \
// DEFINE:   not %{run} --function=router --shape=l=3x3 2>&1 | FileCheck %s --check-prefix=%{ENGINE}
// RUN: %{sizes}
// REDEFINE: %{ENGINE} = host
// RUN: %{sizes}
// REDEFINE: %{ENGINE} = ptx
// RUN: %{sizes}

// ROWS: y: 40 elements, 0 mismatches
// ROUTER: weights: 12 elements, 0 mismatches
// ROUTER: indices: 12 elements, 0 mismatches
// reference: moe.router: fewer experts than top_k
// host: moe.router: fewer experts than top_k
// ptx: moe.router: fewer experts than top_k

func.func @activation(%x: tensor<?x16xbf16> {prec.name = "x"}, %p: tensor<?xf32> {prec.name = "p"}) -> (tensor<?x8xbf16> {prec.name = "h"}) {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x16xbf16> to tensor<?x8xbf16>
  return %h : tensor<?x8xbf16>
}

func.func @rows(%z: tensor<?x8xbf16> {prec.name = "z"}, %w: tensor<?x?xf32> {prec.name = "w"}, %i: tensor<?x?xi32> {prec.name = "i"})
    -> (tensor<?x8xbf16> {prec.name = "y"}) {
  %y = moe.combine %z weights(%w : tensor<?x?xf32>) indices(%i : tensor<?x?xi32>) by(%i : tensor<?x?xi32>)
         : tensor<?x8xbf16> to tensor<?x8xbf16>
  return %y : tensor<?x8xbf16>
}

func.func @router(%l: tensor<?x?xf32> {prec.name = "l"}) -> (tensor<?x4xf32> {prec.name = "weights"}, tensor<?x4xi32> {prec.name = "indices"}) {
  %w, %i = moe.router %l softmax top_k 4 : tensor<?x?xf32> to tensor<?x4xf32>, tensor<?x4xi32>
  return %w, %i : tensor<?x4xf32>, tensor<?x4xi32>
}
