// What prec-elide-rounding rewrites, on all pairs of N special numbers or on all
// numbers. TYPE is bf16 or f16.

#pair = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>
#second = affine_map<(i, j) -> (j)>

func.func @sum(%x: tensor<NxTYPE>, %y: tensor<NxTYPE>) -> tensor<NxNxTYPE> {
  %empty = tensor.empty() : tensor<NxNxTYPE>
  %r = linalg.generic {indexing_maps = [#first, #second, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<NxTYPE>, tensor<NxTYPE>) outs(%empty : tensor<NxNxTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):
    %0 = arith.addf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<NxNxTYPE>
  return %r : tensor<NxNxTYPE>
}

func.func @difference(%x: tensor<NxTYPE>, %y: tensor<NxTYPE>) -> tensor<NxNxTYPE> {
  %empty = tensor.empty() : tensor<NxNxTYPE>
  %r = linalg.generic {indexing_maps = [#first, #second, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<NxTYPE>, tensor<NxTYPE>) outs(%empty : tensor<NxNxTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):
    %0 = arith.subf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<NxNxTYPE>
  return %r : tensor<NxNxTYPE>
}

func.func @product(%x: tensor<NxTYPE>, %y: tensor<NxTYPE>) -> tensor<NxNxTYPE> {
  %empty = tensor.empty() : tensor<NxNxTYPE>
  %r = linalg.generic {indexing_maps = [#first, #second, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<NxTYPE>, tensor<NxTYPE>) outs(%empty : tensor<NxNxTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):
    %0 = arith.mulf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<NxNxTYPE>
  return %r : tensor<NxNxTYPE>
}

func.func @larger(%x: tensor<NxTYPE>, %y: tensor<NxTYPE>) -> tensor<NxNxTYPE> {
  %empty = tensor.empty() : tensor<NxNxTYPE>
  %r = linalg.generic {indexing_maps = [#first, #second, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<NxTYPE>, tensor<NxTYPE>) outs(%empty : tensor<NxNxTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):
    %0 = arith.maximumf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<NxNxTYPE>
  return %r : tensor<NxNxTYPE>
}

func.func @smaller(%x: tensor<NxTYPE>, %y: tensor<NxTYPE>) -> tensor<NxNxTYPE> {
  %empty = tensor.empty() : tensor<NxNxTYPE>
  %r = linalg.generic {indexing_maps = [#first, #second, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<NxTYPE>, tensor<NxTYPE>) outs(%empty : tensor<NxNxTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):
    %0 = arith.minimumf %a, %b : TYPE
    linalg.yield %0 : TYPE
  } -> tensor<NxNxTYPE>
  return %r : tensor<NxNxTYPE>
}

// Exact products of f16 numbers, added in f32: contracted.
func.func @multiply_add(%x: tensor<NxTYPE>, %y: tensor<NxTYPE>) -> tensor<NxNxf32> {
  %empty = tensor.empty() : tensor<NxNxf32>
  %r = linalg.generic {indexing_maps = [#first, #second, #pair], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<NxTYPE>, tensor<NxTYPE>) outs(%empty : tensor<NxNxf32>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: f32):
    %0 = arith.extf %a : TYPE to f32
    %1 = arith.extf %b : TYPE to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %2, %1 : f32
    %4 = arith.mulf %0, %1 : f32
    %5 = arith.subf %3, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<NxNxf32>
  return %r : tensor<NxNxf32>
}

func.func @quarter(%x: tensor<65536xTYPE>) -> tensor<65536xTYPE> {
  %c = arith.constant dense<4.0> : tensor<65536xf32>
  %0 = arith.extf %x : tensor<65536xTYPE> to tensor<65536xf32>
  %1 = arith.divf %0, %c : tensor<65536xf32>
  %2 = arith.truncf %1 : tensor<65536xf32> to tensor<65536xTYPE>
  return %2 : tensor<65536xTYPE>
}

func.func @third(%x: tensor<65536xTYPE>) -> tensor<65536xTYPE> {
  %c = arith.constant dense<3.0> : tensor<65536xf32>
  %0 = arith.extf %x : tensor<65536xTYPE> to tensor<65536xf32>
  %1 = arith.divf %0, %c : tensor<65536xf32>
  %2 = arith.truncf %1 : tensor<65536xf32> to tensor<65536xTYPE>
  return %2 : tensor<65536xTYPE>
}

func.func @tenth(%x: tensor<65536xTYPE>) -> tensor<65536xTYPE> {
  %c = arith.constant dense<10.0> : tensor<65536xf32>
  %0 = arith.extf %x : tensor<65536xTYPE> to tensor<65536xf32>
  %1 = arith.divf %0, %c : tensor<65536xf32>
  %2 = arith.truncf %1 : tensor<65536xf32> to tensor<65536xTYPE>
  return %2 : tensor<65536xTYPE>
}

func.func @by_root(%x: tensor<65536xTYPE>) -> tensor<65536xTYPE> {
  %c = arith.constant dense<11.3137083> : tensor<65536xf32>
  %0 = arith.extf %x : tensor<65536xTYPE> to tensor<65536xf32>
  %1 = arith.divf %0, %c : tensor<65536xf32>
  %2 = arith.truncf %1 : tensor<65536xf32> to tensor<65536xTYPE>
  return %2 : tensor<65536xTYPE>
}
