// mix_and_reduce of examples/gated-residual.mlir with its inner roundings off:
// what a compiler makes that does not keep the contract.
func.func @mix_and_reduce_loose(%u: tensor<?x4x2560xbf16>, %xn: tensor<?x4x2560xbf16>) -> tensor<?x2560xbf16> {
  %uf = arith.extf %u : tensor<?x4x2560xbf16> to tensor<?x4x2560xf32>
  %xf = arith.extf %xn : tensor<?x4x2560xbf16> to tensor<?x4x2560xf32>
  %gate = nn.sigmoid %uf : tensor<?x4x2560xf32>
  %p = arith.mulf %gate, %xf : tensor<?x4x2560xf32>
  %y = nn.mean %p dim 1 : tensor<?x4x2560xf32> to tensor<?x2560xf32>
  %r = arith.truncf %y : tensor<?x2560xf32> to tensor<?x2560xbf16>
  return %r : tensor<?x2560xbf16>
}
