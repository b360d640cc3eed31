// The kernels of test/Integration in bf16 without their inner roundings: the same functions (a sigmoid of a bf16 number is
// a bf16 number), what stands between them in f32, one rounding at the end. INNER is the innermost size, TWICE its
// double. A kernel that is not here has no inner rounding.

#all = affine_map<(row, stream, column) -> (row, stream, column)>
#column = affine_map<(row, stream, column) -> (row, column)>
#gate = affine_map<(row, stream, column) -> (row, stream)>
#element = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>

func.func @mix_forward(%u: tensor<?x4xINNERxbf16> {prec.name = "u"}, %xn: tensor<?x4xINNERxbf16> {prec.name = "xn"})
    -> (tensor<?xINNERxbf16> {prec.name = "y"}) {
  %w = nn.sigmoid %u : tensor<?x4xINNERxbf16>
  %w32 = arith.extf %w : tensor<?x4xINNERxbf16> to tensor<?x4xINNERxf32>
  %x32 = arith.extf %xn : tensor<?x4xINNERxbf16> to tensor<?x4xINNERxf32>
  %p = arith.mulf %w32, %x32 : tensor<?x4xINNERxf32>
  %y = nn.mean %p dim 1 : tensor<?x4xINNERxf32> to tensor<?xINNERxf32>
  %r = arith.truncf %y : tensor<?xINNERxf32> to tensor<?xINNERxbf16>
  return %r : tensor<?xINNERxbf16>
}

func.func @mix_backward(%g: tensor<?xINNERxbf16> {prec.name = "g"}, %u: tensor<?x4xINNERxbf16> {prec.name = "u"},
                        %xn: tensor<?x4xINNERxbf16> {prec.name = "xn"})
    -> (tensor<?x4xINNERxbf16> {prec.name = "gu"}, tensor<?x4xINNERxbf16> {prec.name = "gxn"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %four = arith.constant 4.0 : f32
  %rows = tensor.dim %u, %c0 : tensor<?x4xINNERxbf16>
  %empty = tensor.empty(%rows) : tensor<?x4xINNERxbf16>
  %w = nn.sigmoid %u : tensor<?x4xINNERxbf16>
  %gu, %gxn = linalg.generic {indexing_maps = [#column, #all, #all, #all, #all],
                              iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %w, %xn : tensor<?xINNERxbf16>, tensor<?x4xINNERxbf16>, tensor<?x4xINNERxbf16>)
      outs(%empty, %empty : tensor<?x4xINNERxbf16>, tensor<?x4xINNERxbf16>) {
  ^bb0(%ge: bf16, %we: bf16, %xe: bf16, %out0: bf16, %out1: bf16):
    %g32 = arith.extf %ge : bf16 to f32
    %w32 = arith.extf %we : bf16 to f32
    %x32 = arith.extf %xe : bf16 to f32
    %gp = arith.divf %g32, %four : f32
    %gw = arith.mulf %gp, %x32 : f32
    %r = arith.mulf %gp, %w32 : f32
    %rest = arith.subf %one, %w32 : f32
    %s = arith.mulf %gw, %rest : f32
    %t = arith.mulf %s, %w32 : f32
    %t16 = arith.truncf %t : f32 to bf16
    %r16 = arith.truncf %r : f32 to bf16
    linalg.yield %t16, %r16 : bf16, bf16
  } -> (tensor<?x4xINNERxbf16>, tensor<?x4xINNERxbf16>)
  return %gu, %gxn : tensor<?x4xINNERxbf16>, tensor<?x4xINNERxbf16>
}

func.func @write_back(%x: tensor<?x4xINNERxbf16> {prec.name = "x"}, %h: tensor<?xINNERxbf16> {prec.name = "h"},
                      %c: tensor<?x4xbf16> {prec.name = "c"}) -> (tensor<?x4xINNERxbf16> {prec.name = "out"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xINNERxbf16>
  %empty = tensor.empty(%rows) : tensor<?x4xINNERxbf16>
  %out = linalg.generic {indexing_maps = [#all, #column, #gate, #all],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h, %c : tensor<?x4xINNERxbf16>, tensor<?xINNERxbf16>, tensor<?x4xbf16>)
      outs(%empty : tensor<?x4xINNERxbf16>) {
  ^bb0(%xe: bf16, %he: bf16, %ce: bf16, %o: bf16):
    %x32 = arith.extf %xe : bf16 to f32
    %h32 = arith.extf %he : bf16 to f32
    %c32 = arith.extf %ce : bf16 to f32
    %m = arith.mulf %h32, %c32 : f32
    %s = arith.addf %x32, %m : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x4xINNERxbf16>
  return %out : tensor<?x4xINNERxbf16>
}

func.func @swiglu(%gate_up: tensor<?xTWICExbf16> {prec.name = "gate_up"}, %p: tensor<?xf32> {prec.name = "p"})
    -> (tensor<?xINNERxbf16> {prec.name = "y"}) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %gate_up, %c0 : tensor<?xTWICExbf16>
  %g = tensor.extract_slice %gate_up[0, 0] [%rows, INNER] [1, 1] : tensor<?xTWICExbf16> to tensor<?xINNERxbf16>
  %u = tensor.extract_slice %gate_up[0, INNER] [%rows, INNER] [1, 1] : tensor<?xTWICExbf16> to tensor<?xINNERxbf16>
  %s = nn.silu %g : tensor<?xINNERxbf16>
  %empty = tensor.empty(%rows) : tensor<?xINNERxbf16>
  %y = linalg.generic {indexing_maps = [#element, #element, #row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%s, %u, %p : tensor<?xINNERxbf16>, tensor<?xINNERxbf16>, tensor<?xf32>) outs(%empty : tensor<?xINNERxbf16>) {
  ^bb0(%se: bf16, %ue: bf16, %pe: f32, %o: bf16):
    %s32 = arith.extf %se : bf16 to f32
    %u32 = arith.extf %ue : bf16 to f32
    %a = arith.mulf %s32, %u32 : f32
    %m = arith.mulf %a, %pe : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?xINNERxbf16>
  return %y : tensor<?xINNERxbf16>
}

func.func @rope(%x: tensor<2x?xTWICExbf16> {prec.name = "x"}, %cos: tensor<?xTWICExbf16> {prec.name = "cos"},
                %sin: tensor<?xTWICExbf16> {prec.name = "sin"}) -> (tensor<2x?xTWICExbf16> {prec.name = "y"}) {
  %x32 = arith.extf %x : tensor<2x?xTWICExbf16> to tensor<2x?xTWICExf32>
  %c32 = arith.extf %cos : tensor<?xTWICExbf16> to tensor<?xTWICExf32>
  %s32 = arith.extf %sin : tensor<?xTWICExbf16> to tensor<?xTWICExf32>
  %y = nn.rope %x32 cos(%c32 : tensor<?xTWICExf32>) sin(%s32 : tensor<?xTWICExf32>)
         : tensor<2x?xTWICExf32> to tensor<2x?xTWICExf32>
  %r = arith.truncf %y : tensor<2x?xTWICExf32> to tensor<2x?xTWICExbf16>
  return %r : tensor<2x?xTWICExbf16>
}
