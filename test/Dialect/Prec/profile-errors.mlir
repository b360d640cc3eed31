// RUN: prec-opt %s --split-input-file --verify-diagnostics

// C1 of prec.profile
// expected-error @+1 {{'prec.profile' op expected another profile to extend but got 'a'}}
prec.profile @a extends @a {
}

// -----

// C2 of prec.profile
prec.profile @a {
  // expected-error @+1 {{'arith.constant' op is no rule: a profile holds only prec.rule}}
  %0 = arith.constant 1 : i32
}

// -----

// expected-error @+1 {{'prec.rule' op expects parent op 'prec.profile'}}
prec.rule "nn.silu" {}

// -----

// C1 of prec.rule
prec.profile @a {
  // expected-error @+1 {{'prec.rule' op unknown operation 'nn.sliu'; did you mean 'nn.silu'?}}
  prec.rule "nn.sliu" {}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op unknown operation 'mo.activation'; did you mean 'moe.activation'?}}
  prec.rule "mo.activation" {}
}

// -----

prec.profile @a {
  // expected-error-re @+1 {{'prec.rule' op unknown operation 'nothing.like.any.of.them'{{$}}}}
  prec.rule "nothing.like.any.of.them" {}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op expected an operation with rounding points but got 'arith.addf'}}
  prec.rule "arith.addf" {}
}

// -----

// C2 of prec.rule
prec.profile @a {
  // expected-error @+1 {{'prec.rule' op expected a rounding point (sum, result) but got 'sun'; did you mean 'sum'?}}
  prec.rule "nn.mean" {points = {sun = true}}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op rounding point 'result' follows from the result type and cannot be set}}
  prec.rule "nn.silu" {points = {result = false}}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op expected true or false for rounding point 'sum' but got 1 : i64}}
  prec.rule "nn.mean" {points = {sum = 1}}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op attribute 'points' failed to satisfy constraint: dictionary of named attribute values}}
  prec.rule "nn.mean" {points = true}
}

// -----

// C3
prec.profile @a {
  // expected-error @+1 {{'prec.rule' op 'nn.rms_norm' has no rule 'rstdd'; did you mean 'rstd'?}}
  prec.rule "nn.rms_norm" {rstdd = #nn<rsqrt_rule rsqrt>}
}

// -----

// What is computed is no rule.
prec.profile @a {
  // expected-error @+1 {{'prec.rule' op 'nn.rms_norm' has no rule 'eps'}}
  prec.rule "nn.rms_norm" {eps = 1.0e-6 : f32}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op attribute 'divide' failed to satisfy constraint: how a sum is divided by its count}}
  prec.rule "nn.mean" {divide = "reciprocal"}
}

// -----

prec.profile @a {
  // expected-error @+1 {{expected one of [quotient, reciprocal] for how a sum is divided by its count, got: inverse}}
  prec.rule "nn.mean" {divide = #nn<divide inverse>}
}

// -----

// C4
prec.profile @a {
  // expected-error @+1 {{'prec.rule' op 'nn.rms_norm' has no 'oneplus' to be asked for; did you mean 'one_plus'?}}
  prec.rule "nn.rms_norm" where {oneplus = true} {points = {normalized = true}}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op 'nn.rms_norm' has no 'rstd' to be asked for}}
  prec.rule "nn.rms_norm" where {rstd = #nn<rsqrt_rule rsqrt>} {points = {normalized = true}}
}

// -----

prec.profile @a {
  // expected-error @+1 {{'prec.rule' op expected true or false for the operand 'weights' but got 1 : i64}}
  prec.rule "moe.combine" where {weights = 1} {points = {term = true}}
}

// -----

// C5
prec.profile @a {
  // expected-error @+1 {{'prec.rule' op expected bf16, f16 or f32 but got 'f64'}}
  prec.rule "nn.silu" for [f32, f64] {math = #prec.math<libdevice>}
}
