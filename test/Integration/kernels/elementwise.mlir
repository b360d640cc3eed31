// Kernels without long reductions, operation by operation: each operation on
// 16-bit values rounds. TYPE is bf16, f16 or f32, INNER the innermost size, TWICE
// its double.

#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
#gate = affine_map<(row, stream, column) -> (row, stream)>
#element = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>

// y = R(mean over the streams of R(R(sigmoid(u)) * xn))
func.func @mix_forward(%u: tensor<?x4xINNERxTYPE> {prec.name = "u"}, %xn: tensor<?x4xINNERxTYPE> {prec.name = "xn"})
    -> (tensor<?xINNERxTYPE> {prec.name = "y"}) {
  %w = nn.sigmoid %u : tensor<?x4xINNERxTYPE>
  %p = arith.mulf %w, %xn : tensor<?x4xINNERxTYPE>
  %y = nn.mean %p dim 1 : tensor<?x4xINNERxTYPE> to tensor<?xINNERxTYPE>
  return %y : tensor<?xINNERxTYPE>
}

// gp = R(g / 4), w = R(sigmoid(u)), gw = R(gp * xn), gxn = R(gp * w), gu = R(R(gw * R(1 - w)) * w)
func.func @mix_backward(%g: tensor<?xINNERxTYPE> {prec.name = "g"}, %u: tensor<?x4xINNERxTYPE> {prec.name = "u"},
                        %xn: tensor<?x4xINNERxTYPE> {prec.name = "xn"})
    -> (tensor<?x4xINNERxTYPE> {prec.name = "gu"}, tensor<?x4xINNERxTYPE> {prec.name = "gxn"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : TYPE
  %four = arith.constant 4.0 : TYPE
  %rows = tensor.dim %u, %c0 : tensor<?x4xINNERxTYPE>
  %empty = tensor.empty(%rows) : tensor<?x4xINNERxTYPE>
  %w = nn.sigmoid %u : tensor<?x4xINNERxTYPE>
  %gu, %gxn = linalg.generic {indexing_maps = [#column, #all, #all, #all, #all],
                              iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %w, %xn : tensor<?xINNERxTYPE>, tensor<?x4xINNERxTYPE>, tensor<?x4xINNERxTYPE>)
      outs(%empty, %empty : tensor<?x4xINNERxTYPE>, tensor<?x4xINNERxTYPE>) {
  ^bb0(%ge: TYPE, %we: TYPE, %xe: TYPE, %out0: TYPE, %out1: TYPE):
    %gp = arith.divf %ge, %four : TYPE
    %gw = arith.mulf %gp, %xe : TYPE
    %r = arith.mulf %gp, %we : TYPE
    %rest = arith.subf %one, %we : TYPE
    %s = arith.mulf %gw, %rest : TYPE
    %t = arith.mulf %s, %we : TYPE
    linalg.yield %t, %r : TYPE, TYPE
  } -> (tensor<?x4xINNERxTYPE>, tensor<?x4xINNERxTYPE>)
  return %gu, %gxn : tensor<?x4xINNERxTYPE>, tensor<?x4xINNERxTYPE>
}

// out = R(x + R(h * c))
func.func @write_back(%x: tensor<?x4xINNERxTYPE> {prec.name = "x"}, %h: tensor<?xINNERxTYPE> {prec.name = "h"},
                      %c: tensor<?x4xTYPE> {prec.name = "c"}) -> (tensor<?x4xINNERxTYPE> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xINNERxTYPE>
  %empty = tensor.empty(%rows) : tensor<?x4xINNERxTYPE>
  %out = linalg.generic {indexing_maps = [#all, #column, #gate, #all],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %c : tensor<?x4xINNERxTYPE>, tensor<?xINNERxTYPE>, tensor<?x4xTYPE>)
      outs(%empty : tensor<?x4xINNERxTYPE>) {
  ^bb0(%xe: TYPE, %he: TYPE, %ce: TYPE, %o: TYPE):
    %m = arith.mulf %he, %ce : TYPE
    %r = arith.addf %xe, %m : TYPE
    linalg.yield %r : TYPE
  } -> tensor<?x4xINNERxTYPE>
  return %out : tensor<?x4xINNERxTYPE>
}

// R(R(R(silu(g)) * u) * p): g and u are the halves of a row, p is f32.
func.func @swiglu(%gate_up: tensor<?xTWICExTYPE> {prec.name = "gate_up"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?xINNERxTYPE> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %gate_up, %c0 : tensor<?xTWICExTYPE>
  %g = tensor.extract_slice %gate_up[0, 0] [%rows, INNER] [1, 1] : tensor<?xTWICExTYPE> to tensor<?xINNERxTYPE>
  %u = tensor.extract_slice %gate_up[0, INNER] [%rows, INNER] [1, 1] : tensor<?xTWICExTYPE> to tensor<?xINNERxTYPE>
  %s = nn.silu %g : tensor<?xINNERxTYPE>
  %a = arith.mulf %s, %u : tensor<?xINNERxTYPE>
  %empty = tensor.empty(%rows) : tensor<?xINNERxTYPE>
  %y = linalg.generic {indexing_maps = [#element, #row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%a, %p : tensor<?xINNERxTYPE>, tensor<?xf32>) outs(%empty : tensor<?xINNERxTYPE>) {
  ^bb0(%ae: TYPE, %pe: f32, %o: TYPE):
    %wide = arith.extf %ae : TYPE to f32
    %m = arith.mulf %wide, %pe : f32
    %r = arith.truncf %m : f32 to TYPE
    linalg.yield %r : TYPE
  } -> tensor<?xINNERxTYPE>
  return %y : tensor<?xINNERxTYPE>
}

// R((silu(g) * u) * p), all in f32 but the last rounding.
func.func @swiglu_f32(%gate_up: tensor<?xTWICExTYPE> {prec.name = "gate_up"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?xINNERxTYPE> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %rows = tensor.dim %gate_up, %c0 : tensor<?xTWICExTYPE>
  %g = tensor.extract_slice %gate_up[0, 0] [%rows, INNER] [1, 1] : tensor<?xTWICExTYPE> to tensor<?xINNERxTYPE>
  %u = tensor.extract_slice %gate_up[0, INNER] [%rows, INNER] [1, 1] : tensor<?xTWICExTYPE> to tensor<?xINNERxTYPE>
  %empty = tensor.empty(%rows) : tensor<?xINNERxTYPE>
  %y = linalg.generic {indexing_maps = [#element, #element, #row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u, %p : tensor<?xINNERxTYPE>, tensor<?xINNERxTYPE>, tensor<?xf32>) outs(%empty : tensor<?xINNERxTYPE>) {
  ^bb0(%ge: TYPE, %ue: TYPE, %pe: f32, %o: TYPE):
    %gw = arith.extf %ge : TYPE to f32
    %uw = arith.extf %ue : TYPE to f32
    %minus = arith.negf %gw : f32
    %e = math.exp %minus : f32
    %d = arith.addf %e, %one : f32
    %silu = arith.divf %gw, %d : f32
    %a = arith.mulf %silu, %uw : f32
    %m = arith.mulf %a, %pe : f32
    %r = arith.truncf %m : f32 to TYPE
    linalg.yield %r : TYPE
  } -> tensor<?xINNERxTYPE>
  return %y : tensor<?xINNERxTYPE>
}

// R(((0 + f32(z[map[0]]) * p[0]) + ...) + f32(z[map[7]]) * p[7]): the rows that
// eight experts gave for one token.
func.func @combine(%z: tensor<?xINNERxTYPE> {prec.name = "z"}, %map: tensor<?x8xi32> {prec.name = "map"},
                   %p: tensor<?x8xf32> {prec.name = "p"}) -> (tensor<?xINNERxTYPE> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %map, %c0 : tensor<?x8xi32>
  %sums = tensor.empty(%tokens) : tensor<?xINNERxf32>
  %start = linalg.fill ins(%zero : f32) outs(%sums : tensor<?xINNERxf32>) -> tensor<?xINNERxf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(token, column, k) -> (token, k)>, affine_map<(token, column, k) -> (token, k)>,
                       affine_map<(token, column, k) -> (token, column)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%map, %p : tensor<?x8xi32>, tensor<?x8xf32>) outs(%start : tensor<?xINNERxf32>) {
  ^bb0(%row: i32, %pe: f32, %acc: f32):
    %i = arith.index_cast %row : i32 to index
    %column = linalg.index 1 : index
    %ze = tensor.extract %z[%i, %column] : tensor<?xINNERxTYPE>
    %wide = arith.extf %ze : TYPE to f32
    %m = arith.mulf %wide, %pe : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?xINNERxf32>
  %empty = tensor.empty(%tokens) : tensor<?xINNERxTYPE>
  %y = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?xINNERxf32>) outs(%empty : tensor<?xINNERxTYPE>) {
  ^bb0(%s: f32, %o: TYPE):
    %r = arith.truncf %s : f32 to TYPE
    linalg.yield %r : TYPE
  } -> tensor<?xINNERxTYPE>
  return %y : tensor<?xINNERxTYPE>
}

// Halves rotated, with Hugging Face's three roundings; cos and sin of the rows.
func.func @rope(%x: tensor<2x?xTWICExTYPE> {prec.name = "x"}, %cos: tensor<?xTWICExTYPE> {prec.name = "cos"},
                %sin: tensor<?xTWICExTYPE> {prec.name = "sin"}) -> (tensor<2x?xTWICExTYPE> {prec.name = "y"}) {
  %y = nn.rope %x cos(%cos : tensor<?xTWICExTYPE>) sin(%sin : tensor<?xTWICExTYPE>)
         : tensor<2x?xTWICExTYPE> to tensor<2x?xTWICExTYPE>
  return %y : tensor<2x?xTWICExTYPE>
}
