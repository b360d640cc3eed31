// RUN: prec-opt %s --prec-expand-math=target=moon --verify-diagnostics

// expected-error @below {{expected target host or gpu but got moon}}
module {}
