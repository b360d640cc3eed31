// Combinations without weights that written-out activations feed.
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --split-input-file --verify-diagnostics

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_other_uses(%g: tensor<66x64xbf16>, %u: tensor<66x64xbf16>, %p: tensor<66xf32>, %i: tensor<33x2xi32>, %to: tensor<66x64xbf16>) -> (tensor<33x64xbf16>, tensor<66x64xbf16>) {
  %s = nn.silu %g : tensor<66x64xbf16>
  %m = arith.mulf %s, %u : tensor<66x64xbf16>
  %h = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<66x64xbf16>, tensor<66xf32>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    // expected-note @below {{the activation is here}}
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<66x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: the activation has other uses}}
  %y = moe.combine %h indices(%i : tensor<33x2xi32>) : tensor<66x64xbf16> to tensor<33x64xbf16>
  return %y, %h : tensor<33x64xbf16>, tensor<66x64xbf16>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_bias(%g: tensor<66x64xbf16>, %u: tensor<66x64xbf16>, %p: tensor<66xf32>, %i: tensor<33x2xi32>, %to: tensor<66x64xbf16>, %bias: tensor<64xbf16>) -> (tensor<33x64xbf16>) {
  %s = nn.silu %g : tensor<66x64xbf16>
  %m = arith.mulf %s, %u : tensor<66x64xbf16>
  %h = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<66x64xbf16>, tensor<66xf32>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    // expected-note @below {{the activation is here}}
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<66x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: it has a bias}}
  %y = moe.combine %h indices(%i : tensor<33x2xi32>) bias(%bias : tensor<64xbf16>) : tensor<66x64xbf16> to tensor<33x64xbf16>
  return %y : tensor<33x64xbf16>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_narrow_activation(%g: tensor<66x64xbf16>, %u: tensor<66x64xbf16>, %p: tensor<66xbf16>, %i: tensor<33x2xi32>, %to: tensor<66x64xbf16>) -> (tensor<33x64xbf16>) {
  %s = nn.silu %g : tensor<66x64xbf16>
  %m = arith.mulf %s, %u : tensor<66x64xbf16>
  %h = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<66x64xbf16>, tensor<66xbf16>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<66x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: expected router probabilities in f32 but got 'bf16'}}
  %y = moe.combine %h indices(%i : tensor<33x2xi32>) : tensor<66x64xbf16> to tensor<33x64xbf16>
  return %y : tensor<33x64xbf16>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_inner_probability(%g: tensor<66x64xbf16>, %u: tensor<66x64xbf16>, %p: tensor<66xf32>, %i: tensor<33x2xi32>, %to: tensor<66x64xbf16>) -> (tensor<33x64xbf16>) {
  %s = nn.silu %g : tensor<66x64xbf16>
  %h = linalg.generic {indexing_maps = [#all, #all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %u, %p : tensor<66x64xbf16>, tensor<66x64xbf16>, tensor<66xf32>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %c: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    // expected-note @below {{the activation is here}}
    %3 = arith.mulf %2, %c : bf16
    linalg.yield %3 : bf16
  } -> tensor<66x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: cannot move the probability of the activation to it: it is not the activation's last factor}}
  %y = moe.combine %h indices(%i : tensor<33x2xi32>) : tensor<66x64xbf16> to tensor<33x64xbf16>
  return %y : tensor<33x64xbf16>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func @written_twice_operation(%g: tensor<66x64xbf16>, %u: tensor<66x64xbf16>, %p: tensor<66xf32>, %i: tensor<33x2xi32>, %to: tensor<66x64xbf16>, %w: tensor<33x2xf32>) -> (tensor<33x64xbf16>) {
  %s = nn.silu %g : tensor<66x64xbf16>
  %m = arith.mulf %s, %u : tensor<66x64xbf16>
  %h = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<66x64xbf16>, tensor<66xf32>) outs(%to : tensor<66x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    // expected-note @below {{applied here too}}
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<66x64xbf16>
  // expected-error @below {{cannot promote this combination to f32: the probability is applied twice}}
  %y = moe.combine %h weights(%w : tensor<33x2xf32>) indices(%i : tensor<33x2xi32>) : tensor<66x64xbf16> to tensor<33x64xbf16>
  return %y : tensor<33x64xbf16>
}
