// Each composite operation with every point on is the same as its formula
// written in 16-bit operations, each of which rounds; with every point off it is
// its formula in f32 with one rounding at the end.
// DEFINE: %{TYPE} = bf16
// DEFINE: %{run} = sed "s/TYPE/%{TYPE}/g" %s > %t.mlir && \
// DEFINE:   prec-run %t.mlir --function=rms_norm_written --random=1 --out=%t.0.npy && \
// DEFINE:   prec-run %t.mlir --function=rms_norm --random=1 --expect=%t.0.npy && \
// DEFINE:   prec-run %t.mlir --function=layer_norm_written --random=1 --out=%t.1.npy && \
// DEFINE:   prec-run %t.mlir --function=layer_norm --random=1 --expect=%t.1.npy && \
// DEFINE:   prec-run %t.mlir --function=softmax_written --random=1 --out=%t.2.npy && \
// DEFINE:   prec-run %t.mlir --function=softmax --random=1 --expect=%t.2.npy && \
// DEFINE:   prec-run %t.mlir --function=rope_written --random=1 --out=%t.3.npy && \
// DEFINE:   prec-run %t.mlir --function=rope --random=1 --expect=%t.3.npy
// RUN: %{run}
// REDEFINE: %{TYPE} = f16
// RUN: %{run}
// Points off: the recorded outputs of the same formulas without inner roundings.
// RUN: sed "s/TYPE/bf16/g" %s > %t.mlir
// RUN: prec-run %t.mlir --function=rope_off --in=%data/golden/rope.bf16.q.in.npy --in=%data/golden/rope.bf16.cos.in.npy \
// RUN:   --in=%data/golden/rope.bf16.sin.in.npy --expect=%data/golden/rope.bf16.drop.npy
// RUN: prec-run %t.mlir --function=llama_off --in=%data/golden/norm64.bf16.x.in.npy --in=%data/golden/norm64.bf16.w.in.npy \
// RUN:   --expect=%data/golden/norm64.bf16.llama.drop.npy
// RUN: sed "s/TYPE/f16/g" %s > %t.mlir
// RUN: prec-run %t.mlir --function=rope_off --in=%data/golden/rope.f16.q.in.npy --in=%data/golden/rope.f16.cos.in.npy \
// RUN:   --in=%data/golden/rope.f16.sin.in.npy --expect=%data/golden/rope.f16.drop.npy
// RUN: prec-run %t.mlir --function=llama_off --in=%data/golden/norm64.f16.x.in.npy --in=%data/golden/norm64.f16.w.in.npy \
// RUN:   --expect=%data/golden/norm64.f16.llama.drop.npy

#all = affine_map<(r, h) -> (r, h)>
#row = affine_map<(r, h) -> (r)>
#last = affine_map<(r, h) -> (h)>
#one = affine_map<(r) -> (r)>

func.func @rms_norm(%x: tensor<33x64xTYPE>, %w: tensor<64xTYPE>) -> tensor<33x64xTYPE> {
  %y = nn.rms_norm %x weight(%w : tensor<64xTYPE>) one_plus eps 0.3
         points {square = true, sum = true, mean = true, eps = true, radicand = true, sqrt = true,
                 rstd = true, normalized = true, weight = true} : tensor<33x64xTYPE> to tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

func.func @rms_norm_written(%x: tensor<33x64xTYPE>, %w: tensor<64xTYPE>) -> tensor<33x64xTYPE> {
  %count = arith.constant 64.0 : TYPE
  %eps = arith.constant 0.3 : TYPE
  %unit = arith.constant 1.0 : TYPE
  %square = arith.mulf %x, %x : tensor<33x64xTYPE>
  %sum = nn.sum %square dim 1 : tensor<33x64xTYPE> to tensor<33xTYPE>
  %rows = tensor.empty() : tensor<33xTYPE>
  %rstd = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%sum : tensor<33xTYPE>) outs(%rows : tensor<33xTYPE>) {
  ^bb0(%in: TYPE, %out: TYPE):
    %mean = arith.divf %in, %count : TYPE
    %radicand = arith.addf %mean, %eps : TYPE
    %sqrt = math.sqrt %radicand : TYPE
    %r = arith.divf %unit, %sqrt : TYPE
    linalg.yield %r : TYPE
  } -> tensor<33xTYPE>
  %empty = tensor.empty() : tensor<33x64xTYPE>
  %y = linalg.generic {indexing_maps = [#all, #row, #last, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %rstd, %w : tensor<33x64xTYPE>, tensor<33xTYPE>, tensor<64xTYPE>) outs(%empty : tensor<33x64xTYPE>) {
  ^bb0(%in: TYPE, %r: TYPE, %weight: TYPE, %out: TYPE):
    %normalized = arith.mulf %in, %r : TYPE
    %plus = arith.addf %unit, %weight : TYPE
    %result = arith.mulf %normalized, %plus : TYPE
    linalg.yield %result : TYPE
  } -> tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

func.func @layer_norm(%x: tensor<33x64xTYPE>, %w: tensor<64xTYPE>, %b: tensor<64xTYPE>) -> tensor<33x64xTYPE> {
  %y = nn.layer_norm %x weight(%w : tensor<64xTYPE>) bias(%b : tensor<64xTYPE>) eps 0.3 form center
         points {mean = true, centered = true, square = true, variance = true, eps = true, radicand = true,
                 sqrt = true, rstd = true, normalized = true, scaled = true}
         : tensor<33x64xTYPE> to tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

func.func @layer_norm_written(%x: tensor<33x64xTYPE>, %w: tensor<64xTYPE>, %b: tensor<64xTYPE>) -> tensor<33x64xTYPE> {
  %eps = arith.constant 0.3 : TYPE
  %unit = arith.constant 1.0 : TYPE
  %mean = nn.mean %x dim 1 : tensor<33x64xTYPE> to tensor<33xTYPE>
  %empty = tensor.empty() : tensor<33x64xTYPE>
  %centered = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<33x64xTYPE>, tensor<33xTYPE>) outs(%empty : tensor<33x64xTYPE>) {
  ^bb0(%in: TYPE, %m: TYPE, %out: TYPE):
    %c = arith.subf %in, %m : TYPE
    linalg.yield %c : TYPE
  } -> tensor<33x64xTYPE>
  %square = arith.mulf %centered, %centered : tensor<33x64xTYPE>
  %variance = nn.mean %square dim 1 : tensor<33x64xTYPE> to tensor<33xTYPE>
  %y = linalg.generic {indexing_maps = [#all, #row, #last, #last, #all], iterator_types = ["parallel", "parallel"]}
      ins(%centered, %variance, %w, %b : tensor<33x64xTYPE>, tensor<33xTYPE>, tensor<64xTYPE>, tensor<64xTYPE>)
      outs(%empty : tensor<33x64xTYPE>) {
  ^bb0(%c: TYPE, %v: TYPE, %weight: TYPE, %bias: TYPE, %out: TYPE):
    %radicand = arith.addf %v, %eps : TYPE
    %sqrt = math.sqrt %radicand : TYPE
    %r = arith.divf %unit, %sqrt : TYPE
    %normalized = arith.mulf %c, %r : TYPE
    %scaled = arith.mulf %normalized, %weight : TYPE
    %result = arith.addf %scaled, %bias : TYPE
    linalg.yield %result : TYPE
  } -> tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

func.func @softmax(%x: tensor<33x64xTYPE>) -> tensor<33x64xTYPE> {
  %y = nn.softmax %x dim 0 points {shifted = true, exponential = true, sum = true}
         : tensor<33x64xTYPE> to tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

func.func @softmax_written(%x: tensor<33x64xTYPE>) -> tensor<33x64xTYPE> {
  %infinity = arith.constant 0xFF800000 : f32
  %lowest = arith.truncf %infinity : f32 to TYPE
  %columns = tensor.empty() : tensor<64xTYPE>
  %init = linalg.fill ins(%lowest : TYPE) outs(%columns : tensor<64xTYPE>) -> tensor<64xTYPE>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<33x64xTYPE>) outs(%init : tensor<64xTYPE>) dimensions = [0]
  %empty = tensor.empty() : tensor<33x64xTYPE>
  %exponential = linalg.generic {indexing_maps = [#all, #last, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<33x64xTYPE>, tensor<64xTYPE>) outs(%empty : tensor<33x64xTYPE>) {
  ^bb0(%in: TYPE, %m: TYPE, %out: TYPE):
    %shifted = arith.subf %in, %m : TYPE
    %e = math.exp %shifted : TYPE
    linalg.yield %e : TYPE
  } -> tensor<33x64xTYPE>
  %sum = nn.sum %exponential dim 0 : tensor<33x64xTYPE> to tensor<64xTYPE>
  %y = linalg.generic {indexing_maps = [#all, #last, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exponential, %sum : tensor<33x64xTYPE>, tensor<64xTYPE>) outs(%empty : tensor<33x64xTYPE>) {
  ^bb0(%e: TYPE, %s: TYPE, %out: TYPE):
    %q = arith.divf %e, %s : TYPE
    linalg.yield %q : TYPE
  } -> tensor<33x64xTYPE>
  return %y : tensor<33x64xTYPE>
}

func.func @rope(%x: tensor<2x8xTYPE>, %c: tensor<8xTYPE>, %s: tensor<8xTYPE>) -> tensor<2x8xTYPE> {
  %y = nn.rope %x cos(%c : tensor<8xTYPE>) sin(%s : tensor<8xTYPE>) : tensor<2x8xTYPE> to tensor<2x8xTYPE>
  return %y : tensor<2x8xTYPE>
}

func.func @rope_written(%x: tensor<2x8xTYPE>, %c: tensor<8xTYPE>, %s: tensor<8xTYPE>) -> tensor<2x8xTYPE> {
  %half = arith.constant 4 : index
  %size = arith.constant 8 : index
  %empty = tensor.empty() : tensor<2x8xTYPE>
  %y = linalg.generic {indexing_maps = [#last, #last, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c, %s : tensor<8xTYPE>, tensor<8xTYPE>) outs(%empty : tensor<2x8xTYPE>) {
  ^bb0(%cos: TYPE, %sin: TYPE, %out: TYPE):
    %r = linalg.index 0 : index
    %h = linalg.index 1 : index
    %moved = arith.addi %h, %half : index
    %other = arith.remui %moved, %size : index
    %value = tensor.extract %x[%r, %h] : tensor<2x8xTYPE>
    %partner = tensor.extract %x[%r, %other] : tensor<2x8xTYPE>
    %minus = arith.negf %partner : TYPE
    %low = arith.cmpi ult, %h, %half : index
    %rotated = arith.select %low, %minus, %partner : TYPE
    %a = arith.mulf %value, %cos : TYPE
    %b = arith.mulf %rotated, %sin : TYPE
    %sum = arith.addf %a, %b : TYPE
    linalg.yield %sum : TYPE
  } -> tensor<2x8xTYPE>
  return %y : tensor<2x8xTYPE>
}

func.func @rope_off(%q: tensor<1x2x?x64xTYPE>, %cos: tensor<?x64xTYPE>, %sin: tensor<?x64xTYPE>) -> tensor<1x2x?x64xTYPE> {
  %y = nn.rope %q cos(%cos : tensor<?x64xTYPE>) sin(%sin : tensor<?x64xTYPE>) points {product = false}
         : tensor<1x2x?x64xTYPE> to tensor<1x2x?x64xTYPE>
  return %y : tensor<1x2x?x64xTYPE>
}

func.func @llama_off(%x: tensor<?x64xTYPE>, %w: tensor<64xTYPE>) -> tensor<?x64xTYPE> {
  %y = nn.rms_norm %x weight(%w : tensor<64xTYPE>) points {normalized = false}
         : tensor<?x64xTYPE> to tensor<?x64xTYPE>
  return %y : tensor<?x64xTYPE>
}
