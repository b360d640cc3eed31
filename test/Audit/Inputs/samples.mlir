// Contracts of the samples of the language: what their sources say, operation by operation.
#id = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// s01_smem_tree: a thread sums 4 elements in order from 0, then halves of the 256 sums are added.
func.func @smem_tree(%x: tensor<?x1024xbf16> {prec.name = "x"}) -> (tensor<?xbf16> {prec.name = "out"}) {
  %wide = arith.extf %x : tensor<?x1024xbf16> to tensor<?x1024xf32>
  %sum = prec.sum %wide dim 1 <digits [256, 4] steps [1 sequential, 0 halving] from_zero>
      : tensor<?x1024xf32> to tensor<?xf32>
  %out = arith.truncf %sum : tensor<?xf32> to tensor<?xbf16>
  return %out : tensor<?xbf16>
}

// s04_pred: x > y ? x : x == y ? R(x + y) : NaN ? 0x7fc0 : y, and four comparisons as bits.
func.func @pred(%x: tensor<256xbf16> {prec.name = "x"}, %y: tensor<256xbf16> {prec.name = "y"})
    -> (tensor<256xbf16> {prec.name = "out"}, tensor<256xi32> {prec.name = "cnt"}) {
  %nan = arith.constant dense<0x7FC0> : tensor<256xbf16>
  %0 = arith.constant dense<0> : tensor<256xi32>
  %1 = arith.constant dense<1> : tensor<256xi32>
  %2 = arith.constant dense<2> : tensor<256xi32>
  %4 = arith.constant dense<4> : tensor<256xi32>
  %8 = arith.constant dense<8> : tensor<256xi32>
  %gt = arith.cmpf ogt, %x, %y : tensor<256xbf16>
  %eq = arith.cmpf oeq, %x, %y : tensor<256xbf16>
  %uno = arith.cmpf uno, %x, %y : tensor<256xbf16>
  %sum = arith.addf %x, %y : tensor<256xbf16>
  %a = arith.select %uno, %nan, %y : tensor<256xi1>, tensor<256xbf16>
  %b = arith.select %eq, %sum, %a : tensor<256xi1>, tensor<256xbf16>
  %out = arith.select %gt, %x, %b : tensor<256xi1>, tensor<256xbf16>
  %lt = arith.cmpf olt, %x, %y : tensor<256xbf16>
  %le = arith.cmpf ole, %x, %y : tensor<256xbf16>
  %ne = arith.cmpf une, %x, %y : tensor<256xbf16>
  %ge = arith.cmpf uge, %x, %y : tensor<256xbf16>
  %m1 = arith.select %lt, %1, %0 : tensor<256xi1>, tensor<256xi32>
  %m2 = arith.select %le, %2, %0 : tensor<256xi1>, tensor<256xi32>
  %m4 = arith.select %ne, %4, %0 : tensor<256xi1>, tensor<256xi32>
  %m8 = arith.select %ge, %8, %0 : tensor<256xi1>, tensor<256xi32>
  %m12 = arith.ori %m1, %m2 : tensor<256xi32>
  %m124 = arith.ori %m12, %m4 : tensor<256xi32>
  %mask = arith.ori %m124, %m8 : tensor<256xi32>
  return %out, %mask : tensor<256xbf16>, tensor<256xi32>
}

// s06_params: R(R(R(x * scale) + table) + ...), scale and table by the index; what is added comes from the launch description.
func.func @params(%x: tensor<64xbf16> {prec.name = "x"}) -> (tensor<64xbf16> {prec.name = "out"}) {
  %scale = arith.constant dense<[0.75, -1.5, 3.0, 0.1, 0.75, -1.5, 3.0, 0.1]> : tensor<8xf32>
  %table = arith.constant dense<[0.5, -1.0, 2.0, 0.25, 3.0, -0.125, 1.5, 0.0]> : tensor<8xf32>
  %k = arith.constant 0.3 : f32
  %h = arith.constant 0.7 : bf16
  %b = arith.constant 2.5 : f32
  %c = arith.constant 0.001000000001 : f64
  %a = arith.constant -7.0 : f32
  %s8 = arith.constant -3.0 : f32
  %hf = arith.extf %h : bf16 to f32
  %kh = arith.mulf %k, %hf : f32
  %cf = arith.truncf %c : f64 to f32
  %rows = tensor.expand_shape %x [[0, 1]] output_shape [8, 8] : tensor<64xbf16> into tensor<8x8xbf16>
  %empty = tensor.empty() : tensor<8x8xbf16>
  %y = linalg.generic {indexing_maps = [#ij, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%rows, %scale, %table : tensor<8x8xbf16>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8x8xbf16>) {
  ^bb0(%e: bf16, %s: f32, %t: f32, %o: bf16):
    %f = arith.extf %e : bf16 to f32
    %0 = arith.mulf %f, %s : f32
    %1 = arith.truncf %0 : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.addf %2, %t : f32
    %4 = arith.truncf %3 : f32 to bf16
    %5 = arith.extf %4 : bf16 to f32
    %6 = arith.addf %5, %b : f32
    %7 = arith.addf %6, %kh : f32
    %8 = arith.addf %7, %cf : f32
    %9 = arith.addf %8, %a : f32
    %10 = arith.addf %9, %s8 : f32
    %11 = arith.truncf %10 : f32 to bf16
    linalg.yield %11 : bf16
  } -> tensor<8x8xbf16>
  %out = tensor.collapse_shape %y [[0, 1]] : tensor<8x8xbf16> into tensor<64xbf16>
  return %out : tensor<64xbf16>
}

// s10_func: s = silu(x) in f32, R(R(s) * (s + 1) + (s - 1) * (2i + 1)); the first 5 of each 8 elements summed in order from 0.
func.func @functions(%x: tensor<128xbf16> {prec.name = "x"})
    -> (tensor<128xbf16> {prec.name = "out"}, tensor<128xf32> {prec.name = "aux"}) {
  %one = arith.constant 1.0 : f32
  %i1 = arith.constant 1 : i32
  %empty = tensor.empty() : tensor<128xbf16>
  %out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<128xbf16>) outs(%empty : tensor<128xbf16>) {
  ^bb0(%e: bf16, %o: bf16):
    %f = arith.extf %e : bf16 to f32
    %n = arith.negf %f : f32
    %ex = math.exp %n : f32
    %d = arith.addf %one, %ex : f32
    %s = arith.divf %f, %d : f32
    %r16 = arith.truncf %s : f32 to bf16
    %r = arith.extf %r16 : bf16 to f32
    %up = arith.addf %s, %one : f32
    %down = arith.subf %s, %one : f32
    %index = linalg.index 0 : index
    %i = arith.index_cast %index : index to i32
    %twice = arith.addi %i, %i : i32
    %odd = arith.addi %twice, %i1 : i32
    %b = arith.sitofp %odd : i32 to f32
    %0 = arith.mulf %r, %up : f32
    %1 = arith.mulf %down, %b : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<128xbf16>
  %rows = tensor.expand_shape %x [[0, 1]] output_shape [16, 8] : tensor<128xbf16> into tensor<16x8xbf16>
  %part = tensor.extract_slice %rows[0, 0] [16, 5] [1, 1] : tensor<16x8xbf16> to tensor<16x5xbf16>
  %wide = arith.extf %part : tensor<16x5xbf16> to tensor<16x5xf32>
  %sums = prec.sum %wide dim 1 <digits [*] steps [0 sequential] from_zero> : tensor<16x5xf32> to tensor<16xf32>
  %all = tensor.empty() : tensor<16x8xf32>
  %same = linalg.broadcast ins(%sums : tensor<16xf32>) outs(%all : tensor<16x8xf32>) dimensions = [1]
  %aux = tensor.collapse_shape %same [[0, 1]] : tensor<16x8xf32> into tensor<128xf32>
  return %out, %aux : tensor<128xbf16>, tensor<128xf32>
}

// s11_loop: v = R(v * 0.7) until |v| < 1, at most 20 times; what is not a number keeps what was there.
func.func @loop(%x: tensor<128xbf16> {prec.name = "x"}, %y0: tensor<128xbf16> {prec.name = "y0"},
                %steps0: tensor<128xi32> {prec.name = "steps0"})
    -> (tensor<128xbf16> {prec.name = "y"}, tensor<128xi32> {prec.name = "steps"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %one = arith.constant dense<1.0> : tensor<128xf32>
  %factor = arith.constant dense<0.7> : tensor<128xf32>
  %zero = arith.constant dense<0> : tensor<128xi32>
  %more = arith.constant dense<1> : tensor<128xi32>
  %start = arith.extf %x : tensor<128xbf16> to tensor<128xf32>
  %v, %k = scf.for %i = %c0 to %c20 step %c1 iter_args(%a = %start, %n = %zero) -> (tensor<128xf32>, tensor<128xi32>) {
    %size = math.absf %a : tensor<128xf32>
    %done = arith.cmpf olt, %size, %one : tensor<128xf32>
    %product = arith.mulf %a, %factor : tensor<128xf32>
    %rounded = arith.truncf %product : tensor<128xf32> to tensor<128xbf16>
    %wide = arith.extf %rounded : tensor<128xbf16> to tensor<128xf32>
    %next = arith.select %done, %a, %wide : tensor<128xi1>, tensor<128xf32>
    %count = arith.addi %n, %more : tensor<128xi32>
    %steps = arith.select %done, %n, %count : tensor<128xi1>, tensor<128xi32>
    scf.yield %next, %steps : tensor<128xf32>, tensor<128xi32>
  }
  %nan = arith.cmpf uno, %x, %x : tensor<128xbf16>
  %narrow = arith.truncf %v : tensor<128xf32> to tensor<128xbf16>
  %y = arith.select %nan, %y0, %narrow : tensor<128xi1>, tensor<128xbf16>
  %s = arith.select %nan, %steps0, %k : tensor<128xi1>, tensor<128xi32>
  return %y, %s : tensor<128xbf16>, tensor<128xi32>
}

// s12_switch: by op: -x, |x|, sqrt, 1 / x, relu (5), sigmoid (6), x + 1 (8), each in f32 and rounded once. The others write to more places.
func.func @switch(%x: tensor<128xbf16> {prec.name = "x"}, %op: tensor<128xi32> {prec.name = "op"})
    -> (tensor<128xbf16> {prec.name = "y"}) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i5 = arith.constant 5 : i32
  %i6 = arith.constant 6 : i32
  %empty = tensor.empty() : tensor<128xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %op : tensor<128xbf16>, tensor<128xi32>) outs(%empty : tensor<128xbf16>) {
  ^bb0(%e: bf16, %k: i32, %o: bf16):
    %v = arith.extf %e : bf16 to f32
    %neg = arith.negf %v : f32
    %abs = math.absf %v : f32
    %sqrt = math.sqrt %v : f32
    %rcp = arith.divf %one, %v : f32
    %relu = arith.maxnumf %v, %zero : f32
    %ex = math.exp %neg : f32
    %d = arith.addf %one, %ex : f32
    %sigmoid = arith.divf %one, %d : f32
    %next = arith.addf %v, %one : f32
    %is0 = arith.cmpi eq, %k, %i0 : i32
    %is1 = arith.cmpi eq, %k, %i1 : i32
    %is2 = arith.cmpi eq, %k, %i2 : i32
    %is3 = arith.cmpi eq, %k, %i3 : i32
    %is5 = arith.cmpi eq, %k, %i5 : i32
    %is6 = arith.cmpi eq, %k, %i6 : i32
    %r6 = arith.select %is6, %sigmoid, %next : f32
    %r5 = arith.select %is5, %relu, %r6 : f32
    %r3 = arith.select %is3, %rcp, %r5 : f32
    %r2 = arith.select %is2, %sqrt, %r3 : f32
    %r1 = arith.select %is1, %abs, %r2 : f32
    %r0 = arith.select %is0, %neg, %r1 : f32
    %r = arith.truncf %r0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<128xbf16>
  return %y : tensor<128xbf16>
}

// s17_layernorm: R(fma(w, rstd * (x - mean), b)); a thread's elements in order, then 32 lanes, then 8 warps in order.
func.func @layer_norm(%x: tensor<?x512xbf16> {prec.name = "x"}, %w: tensor<512xbf16> {prec.name = "w"},
                      %b: tensor<512xbf16> {prec.name = "b"})
    -> (tensor<?x512xbf16> {prec.name = "y"}, tensor<?x2xf32> {prec.name = "stat"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %inverse = arith.constant 0.001953125 : f32
  %eps = arith.constant 1.0e-5 : f32
  %wide = arith.extf %x : tensor<?x512xbf16> to tensor<?x512xf32>
  %sum = prec.sum %wide dim 1 <digits [32, 8, *] steps [2 sequential, 0 halving, 1 sequential] from_zero>
      : tensor<?x512xf32> to tensor<?xf32>
  %row = tensor.empty(%rows) : tensor<?xf32>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%sum : tensor<?xf32>) outs(%row : tensor<?xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.mulf %s, %inverse : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %all = tensor.empty(%rows) : tensor<?x512xf32>
  %centred, %squares = linalg.generic {indexing_maps = [#ij, #i, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %mean : tensor<?x512xf32>, tensor<?xf32>) outs(%all, %all : tensor<?x512xf32>, tensor<?x512xf32>) {
  ^bb0(%e: f32, %m: f32, %o0: f32, %o1: f32):
    %0 = arith.subf %e, %m : f32
    %1 = arith.mulf %0, %0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x512xf32>, tensor<?x512xf32>)
  %variance = prec.sum %squares dim 1 <digits [32, 8, *] steps [2 sequential, 0 halving, 1 sequential] from_zero>
      : tensor<?x512xf32> to tensor<?xf32>
  %rstd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%variance : tensor<?xf32>) outs(%row : tensor<?xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.mulf %s, %inverse : f32
    %1 = arith.addf %0, %eps : f32
    %2 = math.rsqrt %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  %narrow = tensor.empty(%rows) : tensor<?x512xbf16>
  %y = linalg.generic {indexing_maps = [#ij, #i, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%centred, %rstd, %w, %b : tensor<?x512xf32>, tensor<?xf32>, tensor<512xbf16>, tensor<512xbf16>)
      outs(%narrow : tensor<?x512xbf16>) {
  ^bb0(%d: f32, %r: f32, %we: bf16, %be: bf16, %o: bf16):
    %wf = arith.extf %we : bf16 to f32
    %bf = arith.extf %be : bf16 to f32
    %0 = arith.mulf %r, %d : f32
    %1 = math.fma %wf, %0, %bf : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x512xbf16>
  %m1 = tensor.expand_shape %mean [[0, 1]] output_shape [%rows, 1] : tensor<?xf32> into tensor<?x1xf32>
  %r1 = tensor.expand_shape %rstd [[0, 1]] output_shape [%rows, 1] : tensor<?xf32> into tensor<?x1xf32>
  %stat = tensor.concat dim(1) %m1, %r1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  return %y, %stat : tensor<?x512xbf16>, tensor<?x2xf32>
}

// R(exp(x - max) / sum), f32 inside; the order of the sum is the engine's.
func.func private @exponentials(%x: tensor<4x64xbf16>) -> tensor<4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%lowest : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %wide = arith.extf %x : tensor<4x64xbf16> to tensor<4x64xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<4x64xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%e: f32, %m: f32):
    %0 = arith.maxnumf %m, %e : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %all = tensor.empty() : tensor<4x64xf32>
  %e = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %max : tensor<4x64xf32>, tensor<4xf32>) outs(%all : tensor<4x64xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %0 = arith.subf %v, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x64xf32>
  return %e : tensor<4x64xf32>
}
func.func private @quotients(%e: tensor<4x64xf32>, %sum: tensor<4xf32>) -> tensor<4x64xbf16> {
  %narrow = tensor.empty() : tensor<4x64xbf16>
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%narrow : tensor<4x64xbf16>) {
  ^bb0(%v: f32, %s: f32, %o: bf16):
    %0 = arith.divf %v, %s : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<4x64xbf16>
  return %y : tensor<4x64xbf16>
}
// s18_softmax: a warp a row, a lane's elements in order.
func.func @softmax(%x: tensor<4x64xbf16> {prec.name = "x"}) -> (tensor<4x64xbf16> {prec.name = "y"}) {
  %e = call @exponentials(%x) : (tensor<4x64xbf16>) -> tensor<4x64xf32>
  %sum = prec.sum %e dim 1 <digits [32, *] steps [1 sequential, 0 halving] from_zero>
      : tensor<4x64xf32> to tensor<4xf32>
  %y = call @quotients(%e, %sum) : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xbf16>
  return %y : tensor<4x64xbf16>
}
// x_t_softmax: 8 elements a thread as a tree, then 32 lanes.
func.func @softmax_triton(%x: tensor<4x64xbf16> {prec.name = "x"}) -> (tensor<4x64xbf16> {prec.name = "y"}) {
  %e = call @exponentials(%x) : (tensor<4x64xbf16>) -> tensor<4x64xf32>
  %sum = prec.sum %e dim 1 <digits [8, 32] steps [0 adjacent, 1 halving]> : tensor<4x64xf32> to tensor<4xf32>
  %y = call @quotients(%e, %sum) : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xbf16>
  return %y : tensor<4x64xbf16>
}

// s19_indexadd: a = R(a + R(z * w)) over the entries of a token, in order from 0.
func.func @index_add(%z: tensor<10x256xbf16> {prec.name = "z"}, %w: tensor<10xbf16> {prec.name = "w"},
                     %start: tensor<4xi32> {prec.name = "start"}, %ent: tensor<10xi32> {prec.name = "ent"})
    -> (tensor<3x256xbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<256xbf16>
  %empty = tensor.empty() : tensor<3x256xbf16>
  %out = scf.for %t = %c0 to %c3 step %c1 iter_args(%o = %empty) -> tensor<3x256xbf16> {
    %next = arith.addi %t, %c1 : index
    %b32 = tensor.extract %start[%t] : tensor<4xi32>
    %e32 = tensor.extract %start[%next] : tensor<4xi32>
    %b = arith.index_cast %b32 : i32 to index
    %e = arith.index_cast %e32 : i32 to index
    %sum = scf.for %k = %b to %e step %c1 iter_args(%a = %zero) -> tensor<256xbf16> {
      %j32 = tensor.extract %ent[%k] : tensor<10xi32>
      %j = arith.index_cast %j32 : i32 to index
      %row = tensor.extract_slice %z[%j, 0] [1, 256] [1, 1] : tensor<10x256xbf16> to tensor<256xbf16>
      %we = tensor.extract %w[%j] : tensor<10xbf16>
      %ws = tensor.splat %we : tensor<256xbf16>
      %product = arith.mulf %row, %ws : tensor<256xbf16>
      %added = arith.addf %a, %product : tensor<256xbf16>
      scf.yield %added : tensor<256xbf16>
    }
    %with = tensor.insert_slice %sum into %o[%t, 0] [1, 256] [1, 1] : tensor<256xbf16> into tensor<3x256xbf16>
    scf.yield %with : tensor<3x256xbf16>
  }
  return %out : tensor<3x256xbf16>
}

// s20_hand: v = R(x * table[op & 3]), then (v + k) + 1, (v - k) - 1, v * 2 or -|v|, k = -5.
func.func @hand(%x: tensor<64xbf16> {prec.name = "x"}, %op: tensor<64xi32> {prec.name = "op"})
    -> (tensor<64xbf16> {prec.name = "y"}) {
  %table = arith.constant dense<[1.0, 0.5, 2.0, 0.25]> : tensor<4xf32>
  %k = arith.constant -5.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<64xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %op : tensor<64xbf16>, tensor<64xi32>) outs(%empty : tensor<64xbf16>) {
  ^bb0(%e: bf16, %code: i32, %o: bf16):
    %case = arith.andi %code, %i3 : i32
    %index = arith.index_cast %case : i32 to index
    %t = tensor.extract %table[%index] : tensor<4xf32>
    %f = arith.extf %e : bf16 to f32
    %0 = arith.mulf %f, %t : f32
    %1 = arith.truncf %0 : f32 to bf16
    %v = arith.extf %1 : bf16 to f32
    %up = arith.addf %v, %k : f32
    %up1 = arith.addf %up, %one : f32
    %down = arith.subf %v, %k : f32
    %down1 = arith.subf %down, %one : f32
    %twice = arith.mulf %v, %two : f32
    %abs = math.absf %v : f32
    %minus = arith.negf %abs : f32
    %is1 = arith.cmpi eq, %case, %i1 : i32
    %is2 = arith.cmpi eq, %case, %i2 : i32
    %is3 = arith.cmpi eq, %case, %i3 : i32
    %r3 = arith.select %is3, %minus, %up1 : f32
    %r2 = arith.select %is2, %twice, %r3 : f32
    %r1 = arith.select %is1, %down1, %r2 : f32
    %r = arith.truncf %r1 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64xbf16>
  return %y : tensor<64xbf16>
}

// s22_llc_switch: by op: x + 1, x - 1, x * 2, x * x, -x, |x|, x * 0.5, sqrt(|x|), else x.
func.func @llc_switch(%x: tensor<128xbf16> {prec.name = "x"}, %op: tensor<128xi32> {prec.name = "op"})
    -> (tensor<128xbf16> {prec.name = "y"}) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %i6 = arith.constant 6 : i32
  %i7 = arith.constant 7 : i32
  %empty = tensor.empty() : tensor<128xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %op : tensor<128xbf16>, tensor<128xi32>) outs(%empty : tensor<128xbf16>) {
  ^bb0(%e: bf16, %k: i32, %o: bf16):
    %v = arith.extf %e : bf16 to f32
    %abs = math.absf %v : f32
    %c0 = arith.addf %v, %one : f32
    %c1 = arith.subf %v, %one : f32
    %c2 = arith.mulf %v, %two : f32
    %c3 = arith.mulf %v, %v : f32
    %c4 = arith.negf %v : f32
    %c6 = arith.mulf %v, %half : f32
    %c7 = math.sqrt %abs : f32
    %is0 = arith.cmpi eq, %k, %i0 : i32
    %is1 = arith.cmpi eq, %k, %i1 : i32
    %is2 = arith.cmpi eq, %k, %i2 : i32
    %is3 = arith.cmpi eq, %k, %i3 : i32
    %is4 = arith.cmpi eq, %k, %i4 : i32
    %is5 = arith.cmpi eq, %k, %i5 : i32
    %is6 = arith.cmpi eq, %k, %i6 : i32
    %is7 = arith.cmpi eq, %k, %i7 : i32
    %r7 = arith.select %is7, %c7, %v : f32
    %r6 = arith.select %is6, %c6, %r7 : f32
    %r5 = arith.select %is5, %abs, %r6 : f32
    %r4 = arith.select %is4, %c4, %r5 : f32
    %r3 = arith.select %is3, %c3, %r4 : f32
    %r2 = arith.select %is2, %c2, %r3 : f32
    %r1 = arith.select %is1, %c1, %r2 : f32
    %r0 = arith.select %is0, %c0, %r1 : f32
    %r = arith.truncf %r0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<128xbf16>
  return %y : tensor<128xbf16>
}

// s08_mma: R(sum A * B^T), the sum as the evaluator of the tensor cores takes it: ascending, rounded to f32 once.
func.func @mma(%a: tensor<16x16xbf16> {prec.name = "A"}, %b: tensor<8x16xbf16> {prec.name = "B"})
    -> (tensor<16x8xbf16> {prec.name = "C"}) {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<16x8xf64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<16x8xf64>) -> tensor<16x8xf64>
  %sum = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x16xbf16>, tensor<8x16xbf16>) outs(%start : tensor<16x8xf64>) {
  ^bb0(%x: bf16, %y: bf16, %s: f64):
    %xw = arith.extf %x : bf16 to f64
    %yw = arith.extf %y : bf16 to f64
    %product = arith.mulf %xw, %yw : f64
    %next = arith.addf %s, %product : f64
    linalg.yield %next : f64
  } -> tensor<16x8xf64>
  %f32 = arith.truncf %sum : tensor<16x8xf64> to tensor<16x8xf32>
  %c = arith.truncf %f32 : tensor<16x8xf32> to tensor<16x8xbf16>
  return %c : tensor<16x8xbf16>
}

// Adds 16 products to an f32 matrix as the evaluator of the tensor cores does: ascending, rounded to f32 once.
func.func private @add_products(%c: tensor<64x64xf32>, %a: tensor<64x16xbf16>, %b: tensor<16x64xbf16>)
    -> tensor<64x64xf32> {
  %start = arith.extf %c : tensor<64x64xf32> to tensor<64x64xf64>
  %sum = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x16xbf16>, tensor<16x64xbf16>) outs(%start : tensor<64x64xf64>) {
  ^bb0(%x: bf16, %y: bf16, %s: f64):
    %xw = arith.extf %x : bf16 to f64
    %yw = arith.extf %y : bf16 to f64
    %product = arith.mulf %xw, %yw : f64
    %next = arith.addf %s, %product : f64
    linalg.yield %next : f64
  } -> tensor<64x64xf64>
  %out = arith.truncf %sum : tensor<64x64xf64> to tensor<64x64xf32>
  return %out : tensor<64x64xf32>
}
// x_t_matmul: R(silu(R(a b))).
func.func @matmul_silu(%a: tensor<64x32xbf16> {prec.name = "a"}, %b: tensor<32x64xbf16> {prec.name = "b"})
    -> (tensor<64x64xbf16> {prec.name = "c"}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a0 = tensor.extract_slice %a[0, 0] [64, 16] [1, 1] : tensor<64x32xbf16> to tensor<64x16xbf16>
  %a1 = tensor.extract_slice %a[0, 16] [64, 16] [1, 1] : tensor<64x32xbf16> to tensor<64x16xbf16>
  %b0 = tensor.extract_slice %b[0, 0] [16, 64] [1, 1] : tensor<32x64xbf16> to tensor<16x64xbf16>
  %b1 = tensor.extract_slice %b[16, 0] [16, 64] [1, 1] : tensor<32x64xbf16> to tensor<16x64xbf16>
  %first = call @add_products(%start, %a0, %b0)
      : (tensor<64x64xf32>, tensor<64x16xbf16>, tensor<16x64xbf16>) -> tensor<64x64xf32>
  %sum = call @add_products(%first, %a1, %b1)
      : (tensor<64x64xf32>, tensor<64x16xbf16>, tensor<16x64xbf16>) -> tensor<64x64xf32>
  %narrow = tensor.empty() : tensor<64x64xbf16>
  %c = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<64x64xf32>) outs(%narrow : tensor<64x64xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %r16 = arith.truncf %s : f32 to bf16
    %r = arith.extf %r16 : bf16 to f32
    %n = arith.negf %r : f32
    %e = math.exp %n : f32
    %d = arith.addf %one, %e : f32
    %silu = arith.divf %r, %d : f32
    %1 = arith.truncf %silu : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<64x64xbf16>
  return %c : tensor<64x64xbf16>
}
