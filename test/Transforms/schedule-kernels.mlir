// RUN: prec-opt %s "--prec-schedule-kernels=target=host lanes=4" --split-input-file | FileCheck %s --check-prefix=HOST
// RUN: prec-opt %s --prec-schedule-kernels=target=gpu --split-input-file | FileCheck %s --check-prefix=GPU
// RUN: prec-opt %s --prec-schedule-kernels=target=gpu --split-input-file --remarks-filter=prec-.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK

// A constant that is the same everywhere is read at no place.
// HOST-LABEL: func @splat
// HOST:         schedule = #prec.schedule<space = flat, width = 16>
// GPU-LABEL:  func @splat
// GPU:          schedule = #prec.schedule<space = flat, width = 8, threads = 256>
func.func @splat(%rows: index, %x: tensor<?x3xbf16>) -> tensor<?x3xbf16> {
  %0 = prec.kernel "splat"(%rows, %x) : (index, tensor<?x3xbf16>) -> tensor<?x3xbf16> {
  ^bb0(%n: index, %a: tensor<?x3xbf16>):
    %four = arith.constant dense<4.0> : tensor<3xbf16>
    %empty = tensor.empty(%n) : tensor<?x3xbf16>
    %fours = linalg.broadcast ins(%four : tensor<3xbf16>) outs(%empty : tensor<?x3xbf16>) dimensions = [0]
    %1 = arith.extf %a : tensor<?x3xbf16> to tensor<?x3xf32>
    %2 = arith.extf %fours : tensor<?x3xbf16> to tensor<?x3xf32>
    %3 = arith.divf %1, %2 : tensor<?x3xf32>
    %4 = prec.round %3 : tensor<?x3xf32> to tensor<?x3xbf16>
    prec.yield %4 : tensor<?x3xbf16>
  }
  return %0 : tensor<?x3xbf16>
}

// HOST-LABEL: func @flat
// HOST:         schedule = #prec.schedule<space = flat, width = 16>
// GPU-LABEL:  func @flat
// GPU:          schedule = #prec.schedule<space = flat, width = 8, threads = 256>
// REMARK:     [Analysis] schedule | Category:prec-schedule-kernels |{{.*}}space=flat
func.func @flat(%x: tensor<?x3xbf16>) -> tensor<?x3xbf16> {
  %0 = prec.kernel "flat"(%x) : (tensor<?x3xbf16>) -> tensor<?x3xbf16> {
  ^bb0(%a: tensor<?x3xbf16>):
    %1 = arith.extf %a : tensor<?x3xbf16> to tensor<?x3xf32>
    %2 = arith.negf %1 : tensor<?x3xf32>
    %3 = prec.round %2 : tensor<?x3xf32> to tensor<?x3xbf16>
    prec.yield %3 : tensor<?x3xbf16>
  }
  return %0 : tensor<?x3xbf16>
}

// -----

// The boundary of the concatenation allows four.
// HOST-LABEL: func @concat
// HOST:         schedule = #prec.schedule<space = rows, width = 4>
// GPU-LABEL:  func @concat
// GPU:          schedule = #prec.schedule<space = elements, width = 4, threads = 256>
// REMARK:     limit="access to memory"
func.func @concat(%x: tensor<8x20xbf16>, %y: tensor<8x12xbf16>) -> tensor<8x32xbf16> {
  %0 = prec.kernel "concat"(%x, %y) : (tensor<8x20xbf16>, tensor<8x12xbf16>) -> tensor<8x32xbf16> {
  ^bb0(%a: tensor<8x20xbf16>, %b: tensor<8x12xbf16>):
    %1 = tensor.concat dim(1) %a, %b : (tensor<8x20xbf16>, tensor<8x12xbf16>) -> tensor<8x32xbf16>
    prec.yield %1 : tensor<8x32xbf16>
  }
  return %0 : tensor<8x32xbf16>
}

// -----

// Columns are not neighbours in memory.
// HOST-LABEL: func @transpose
// HOST:         schedule = #prec.schedule<space = rows, width = 1>
// GPU-LABEL:  func @transpose
// GPU:          schedule = #prec.schedule<space = elements, width = 1, threads = 256>
func.func @transpose(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  %0 = prec.kernel "transpose"(%x) : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%a: tensor<32x64xf32>):
    %e = tensor.empty() : tensor<64x32xf32>
    %1 = linalg.transpose ins(%a : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) permutation = [1, 0]
    prec.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

// A row a block where that makes good blocks; f32 in pieces of 16 bytes.
// HOST-LABEL: func @rows
// HOST:         schedule = #prec.schedule<space = rows, width = 16>
// GPU-LABEL:  func @rows
// GPU:          schedule = #prec.schedule<space = rows, width = 4, threads = 640>
func.func @rows(%x: tensor<?x2560xf32>, %w: tensor<2560xf32>) -> tensor<?x2560xf32> {
  %0 = prec.kernel "rows"(%x, %w) : (tensor<?x2560xf32>, tensor<2560xf32>) -> tensor<?x2560xf32> {
  ^bb0(%a: tensor<?x2560xf32>, %b: tensor<2560xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%b : tensor<2560xf32>) outs(%a : tensor<?x2560xf32>) {
    ^bb0(%p: f32, %q: f32):
      %2 = arith.mulf %p, %q : f32
      linalg.yield %2 : f32
    } -> tensor<?x2560xf32>
    prec.yield %1 : tensor<?x2560xf32>
  }
  return %0 : tensor<?x2560xf32>
}

// -----

// PyTorch's digits: a warp has a row in its registers, 128 elements a thread.
// GPU-LABEL:  func @warp
// GPU:          fallback = #prec.schedule<space = teams, width = 1, threads = 128, team = 128>
// GPU-SAME:     schedule = #prec.schedule<space = teams, width = 4, threads = 32, team = 32>
func.func @warp(%x: tensor<?x4096xf32>) -> tensor<?xf32> {
  %0 = prec.kernel "warp"(%x) : (tensor<?x4096xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?x4096xf32>):
    %s = prec.sum %a dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent]> : tensor<?x4096xf32> to tensor<?xf32>
    prec.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Digits of eight warps: the high half of the threads' digit is one of vectors.
// GPU-LABEL:  func @halves
// GPU:          fallback = #prec.schedule<space = teams, width = 4, threads = 256, team = 256>
// GPU-SAME:     schedule = #prec.schedule<space = teams, width = 4, threads = 128, team = 128>
func.func @halves(%x: tensor<?x4096xf32>) -> tensor<?xf32> {
  %0 = prec.kernel "halves"(%x) : (tensor<?x4096xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?x4096xf32>):
    %s = prec.sum %a dim 1 <digits [4, 256, *] steps [2 sequential, 0 sequential, 1 halving]> : tensor<?x4096xf32> to tensor<?xf32>
    prec.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// One chain of additions is no layout.
// GPU-LABEL:  func @across
// GPU:          schedule = #prec.schedule<space = teams, width = 4, threads = 512, team = 512>
func.func @across(%x: tensor<?x4096xf32>) -> tensor<?xf32> {
  %0 = prec.kernel "across"(%x) : (tensor<?x4096xf32>) -> tensor<?xf32> {
  ^bb0(%a: tensor<?x4096xf32>):
    %s = prec.sum %a dim 1 <sequential> : tensor<?x4096xf32> to tensor<?xf32>
    prec.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// A size that is not known: vectors for its multiples, one element a thread for
// all others.
// GPU-LABEL:  func @dynamic
// GPU-SAME:     (%[[X:.*]]: tensor<?x?xbf16>, %{{.*}}: tensor<?xbf16>)
// GPU:          fallback = #prec.schedule<space = elements, width = 1, threads = 256>
// GPU-SAME:     schedule = #prec.schedule<space = elements, width = 8, threads = 256, multiples = [8, 1]>
func.func @dynamic(%x: tensor<?x?xbf16>, %p: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %0 = prec.kernel "dynamic"(%x, %p) : (tensor<?x?xbf16>, tensor<?xbf16>) -> tensor<?x?xbf16> {
  ^bb0(%a: tensor<?x?xbf16>, %b: tensor<?xbf16>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%b : tensor<?xbf16>) outs(%a : tensor<?x?xbf16>) {
    ^bb0(%pe: bf16, %xe: bf16):
      %pw = arith.extf %pe : bf16 to f32
      %xw = arith.extf %xe : bf16 to f32
      %m = arith.mulf %pw, %xw : f32
      %r = prec.round %m : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<?x?xbf16>
    prec.yield %1 : tensor<?x?xbf16>
  }
  return %0 : tensor<?x?xbf16>
}

// -----

// Every second element: vectors of pairs. Not where the last pair may be cut.
// HOST-LABEL: func @pairs
// HOST:         "pairs"{{.*}}space = rows, width = 16
// HOST:         "cut"{{.*}}space = rows, width = 1>
// GPU-LABEL:  func @pairs
// GPU:          "pairs"{{.*}}space = rows, width = 8
// GPU:          "cut"{{.*}}space = elements, width = 1,
func.func @pairs(%x: tensor<?x2048xbf16>, %y: tensor<?x2047xbf16>) -> (tensor<?x1024xbf16>, tensor<?x1024xbf16>) {
  %0 = prec.kernel "pairs"(%x) : (tensor<?x2048xbf16>) -> tensor<?x1024xbf16> {
  ^bb0(%a: tensor<?x2048xbf16>):
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?x2048xbf16>
    %1 = tensor.extract_slice %a[0, 1] [%n, 1024] [1, 2] : tensor<?x2048xbf16> to tensor<?x1024xbf16>
    prec.yield %1 : tensor<?x1024xbf16>
  }
  %1 = prec.kernel "cut"(%y) : (tensor<?x2047xbf16>) -> tensor<?x1024xbf16> {
  ^bb0(%a: tensor<?x2047xbf16>):
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?x2047xbf16>
    %2 = tensor.extract_slice %a[0, 0] [%n, 1024] [1, 2] : tensor<?x2047xbf16> to tensor<?x1024xbf16>
    prec.yield %2 : tensor<?x1024xbf16>
  }
  return %0, %1 : tensor<?x1024xbf16>, tensor<?x1024xbf16>
}
