# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: gen_norms.py > norms.mlir

The norms' contracts: one function for each tree in which the kernels of the table sum."""
SQUARE = """    %f = arith.extf %e : bf16 to f32
    %s = arith.mulf %f, %f : f32
    linalg.yield %s : f32"""
print("""// Written by gen_norms.py: the norms, once for each tree in which the kernels sum.
#all = affine_map<(row, column) -> (row, column)>
#row = affine_map<(row, column) -> (row)>
#column = affine_map<(row, column) -> (column)>""")


def squares(width):
    return f"""  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x{width}xbf16>
  %wide = tensor.empty(%rows) : tensor<?x{width}xf32>
  %squares = linalg.generic {{indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%x : tensor<?x{width}xbf16>) outs(%wide : tensor<?x{width}xf32>) {{
  ^bb0(%e: bf16, %o: f32):
{SQUARE}
  }} -> tensor<?x{width}xf32>"""


def rms(name, order, interleaved=False):
    """y = R(w * R(x * rsqrt(sum(x * x) * 2^-12 + 1e-6)))"""
    print(f"""
// y = R(w * R(x * rsqrt(sum(x * x) * 2^-12 + 1e-6)))
func.func @{name}(%x: tensor<?x4096xbf16> {{prec.name = "x"}}, %w: tensor<4096xbf16> {{prec.name = "w"}})
    -> (tensor<?x4096xbf16> {{prec.name = "y"}}) {{
{squares(4096)}""")
    if interleaved:
        # Both groups of 8 of a thread stand together: its 16 elements are one running sum.
        print(f"""  %split = tensor.expand_shape %squares [[0], [1, 2, 3]] output_shape [%rows, 2, 256, 8]
      : tensor<?x4096xf32> into tensor<?x2x256x8xf32>
  %swapped = tensor.empty(%rows) : tensor<?x256x2x8xf32>
  %threads = linalg.transpose ins(%split : tensor<?x2x256x8xf32>) outs(%swapped : tensor<?x256x2x8xf32>)
      permutation = [0, 2, 1, 3]
  %own = tensor.collapse_shape %threads [[0], [1], [2, 3]] : tensor<?x256x2x8xf32> into tensor<?x256x16xf32>
  %partial = prec.sum %own dim 2 <digits [*] steps [0 sequential] from_zero> : tensor<?x256x16xf32> to tensor<?x256xf32>
  %sum = prec.sum %partial dim 1 {order} : tensor<?x256xf32> to tensor<?xf32>""")
    else:
        print(f"  %sum = prec.sum %squares dim 1 {order} : tensor<?x4096xf32> to tensor<?xf32>")
    print("""  %empty = tensor.empty(%rows) : tensor<?x4096xbf16>
  %y = linalg.generic {indexing_maps = [#all, #column, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w, %sum : tensor<?x4096xbf16>, tensor<4096xbf16>, tensor<?xf32>) outs(%empty : tensor<?x4096xbf16>) {
  ^bb0(%e: bf16, %we: bf16, %s: f32, %o: bf16):
    %scale = arith.constant 0.000244140625 : f32
    %eps = arith.constant 1.0e-6 : f32
    %mean = arith.mulf %s, %scale : f32
    %shifted = arith.addf %mean, %eps : f32
    %rs = math.rsqrt %shifted : f32
    %f = arith.extf %e : bf16 to f32
    %n = arith.mulf %f, %rs : f32
    %nr = arith.truncf %n : f32 to bf16
    %normed = prec.observe %nr "normed" : bf16
    %r = arith.mulf %we, %normed : bf16
    linalg.yield %r : bf16
  } -> tensor<?x4096xbf16>
  return %y : tensor<?x4096xbf16>
}""")


def gated(name, order):
    print(f"""
// out = R(R(w * R(x * rsqrt(sum(x * x) * 2^-7 + 1e-6))) * silu(z)), silu in f32
func.func @{name}(%x: tensor<?x128xbf16> {{prec.name = "o"}}, %z: tensor<?x128xbf16> {{prec.name = "z"}},
                  %w: tensor<128xbf16> {{prec.name = "w"}}) -> (tensor<?x128xbf16> {{prec.name = "out"}}) {{
{squares(128)}
  %sum = prec.sum %squares dim 1 {order} : tensor<?x128xf32> to tensor<?xf32>
  %empty = tensor.empty(%rows) : tensor<?x128xbf16>
  %y = linalg.generic {{indexing_maps = [#all, #all, #column, #row, #all], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %z, %w, %sum : tensor<?x128xbf16>, tensor<?x128xbf16>, tensor<128xbf16>, tensor<?xf32>)
      outs(%empty : tensor<?x128xbf16>) {{
  ^bb0(%e: bf16, %ze: bf16, %we: bf16, %s: f32, %o: bf16):
    %scale = arith.constant 0.0078125 : f32
    %eps = arith.constant 1.0e-6 : f32
    %one = arith.constant 1.0 : f32
    %mean = arith.mulf %s, %scale : f32
    %shifted = arith.addf %mean, %eps : f32
    %rs = math.rsqrt %shifted : f32
    %f = arith.extf %e : bf16 to f32
    %n = arith.mulf %f, %rs : f32
    %normed = arith.truncf %n : f32 to bf16
    %weighted = arith.mulf %we, %normed : bf16
    %zf = arith.extf %ze : bf16 to f32
    %neg = arith.negf %zf : f32
    %ex = math.exp %neg : f32
    %d = arith.addf %one, %ex : f32
    %silu = arith.divf %zf, %d : f32
    %wf = arith.extf %weighted : bf16 to f32
    %p = arith.mulf %wf, %silu : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  }} -> tensor<?x128xbf16>
  return %y : tensor<?x128xbf16>
}}""")


rms("rms_norm_block", "<digits [32, 8] steps [0 halving, 1 sequential]>", interleaved=True)
rms("rms_norm_eager", "<digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>")
rms("rms_norm_triton", "<digits [8, 32, 8, 2] steps [0 adjacent, 3 sequential, 1 halving, 2 halving]>")
rms("rms_norm_inductor", "<digits [8, 32, 16] steps [0 adjacent, 1 halving, 2 halving]>")
gated("gated_norm_cuda", "<digits [8, 16] steps [0 sequential, 1 halving] from_zero>")
gated("gated_norm_triton", "<digits [8, 16] steps [0 adjacent, 1 halving]>")
