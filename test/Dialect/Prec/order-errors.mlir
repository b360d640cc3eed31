// RUN: prec-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected sequential, aten_cpu, lanes or digits}}
func.func private @word() attributes {o = #prec.order<pairwise>}

// -----

// C1
// expected-error @below {{malformed order: expected at least one digit}}
func.func private @none() attributes {o = #prec.order<digits [] steps []>}

// -----

// C2
// expected-error @below {{malformed order: expected '*' at most once among the digits}}
func.func private @rests() attributes {o = #prec.order<digits [*, *] steps [0 sequential, 1 sequential]>}

// -----

// C3
// expected-error @below {{malformed order: expected positive digits}}
func.func private @zero() attributes {o = #prec.order<digits [0, *] steps [1 sequential, 0 sequential]>}

// -----

// C3
// expected-error @below {{malformed order: a halving or adjacent step needs a digit that is a power of two}}
func.func private @no_lanes() attributes {o = #prec.order<lanes<-4>>}

// -----

// C4
// expected-error @below {{malformed order: step names digit 2 but there are only 2}}
func.func private @unknown() attributes {o = #prec.order<digits [4, *] steps [2 sequential]>}

// -----

// C4
// expected-error @below {{malformed order: digit 0 is summed twice}}
func.func private @twice() attributes {o = #prec.order<digits [4, *] steps [0 sequential, 0 halving]>}

// -----

// C4
// expected-error @below {{malformed order: digit 1 is never summed}}
func.func private @never() attributes {o = #prec.order<digits [4, *] steps [0 sequential]>}

// -----

// C5
// expected-error @below {{malformed order: a halving or adjacent step needs a digit that is a power of two}}
func.func private @power() attributes {o = #prec.order<digits [6, *] steps [1 sequential, 0 halving]>}

// -----

// C5
// expected-error @below {{malformed order: a halving or adjacent step needs a digit that is a power of two}}
func.func private @rest() attributes {o = #prec.order<digits [*] steps [0 adjacent]>}

// -----

// expected-error @below {{expected sequential, halving, adjacent or cascade}}
func.func private @kind() attributes {o = #prec.order<digits [*] steps [0 backwards]>}

// -----

// expected-error @+2 {{expected ::prec::MathKind to be one of: correctly_rounded, libdevice, fast}}
// expected-error @+1 {{failed to parse Prec_MathAttr parameter 'kind' which is to be a `::prec::MathKind`}}
func.func private @math() attributes {m = #prec.math<close>}
