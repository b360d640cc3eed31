// The greater and the lesser of two numbers, on every element type.

#rows = affine_map<(i, j) -> (i)>
#columns = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

// Of all pairs.
func.func @pairs(%x: tensor<?xTYPE> {prec.name = "x"}) -> (
    tensor<?x?xTYPE> {prec.name = "maximumf"}, tensor<?x?xTYPE> {prec.name = "minimumf"},
    tensor<?x?xTYPE> {prec.name = "maxnumf"}, tensor<?x?xTYPE> {prec.name = "minnumf"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xTYPE>
  %empty = tensor.empty(%n, %n) : tensor<?x?xTYPE>
  %0:4 = linalg.generic {indexing_maps = [#rows, #columns, #all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<?xTYPE>, tensor<?xTYPE>)
      outs(%empty, %empty, %empty, %empty : tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o0: TYPE, %o1: TYPE, %o2: TYPE, %o3: TYPE):
    %maximumf = arith.maximumf %a, %b : TYPE
    %minimumf = arith.minimumf %a, %b : TYPE
    %maxnumf = arith.maxnumf %a, %b : TYPE
    %minnumf = arith.minnumf %a, %b : TYPE
    linalg.yield %maximumf, %minimumf, %maxnumf, %minnumf : TYPE, TYPE, TYPE, TYPE
  } -> (tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>, tensor<?x?xTYPE>
}

// Of a number and CONSTANT, and of CONSTANT and one.
func.func @constant(%x: tensor<?xTYPE> {prec.name = "x"}) -> (
    tensor<?xTYPE> {prec.name = "maximumf"}, tensor<?xTYPE> {prec.name = "minimumf"},
    tensor<?xTYPE> {prec.name = "maxnumf"}, tensor<?xTYPE> {prec.name = "minnumf"},
    tensor<?xTYPE> {prec.name = "maxnumf_of_constant"}, tensor<?xTYPE> {prec.name = "minnumf_of_constant"},
    tensor<3xTYPE> {prec.name = "maxnumf_of_constants"}, tensor<3xTYPE> {prec.name = "minnumf_of_constants"}) {
  %d = arith.constant dense<CONSTANT> : tensor<3xTYPE>
  %one = arith.constant dense<1.0> : tensor<3xTYPE>
  %c0 = arith.constant 0 : index
  %c = arith.constant CONSTANT : TYPE
  %n = tensor.dim %x, %c0 : tensor<?xTYPE>
  %empty = tensor.empty(%n) : tensor<?xTYPE>
  %y = linalg.fill ins(%c : TYPE) outs(%empty : tensor<?xTYPE>) -> tensor<?xTYPE>
  %0 = arith.maximumf %x, %y : tensor<?xTYPE>
  %1 = arith.minimumf %x, %y : tensor<?xTYPE>
  %2 = arith.maxnumf %x, %y : tensor<?xTYPE>
  %3 = arith.minnumf %x, %y : tensor<?xTYPE>
  %4 = arith.maxnumf %y, %x : tensor<?xTYPE>
  %5 = arith.minnumf %y, %x : tensor<?xTYPE>
  %6 = arith.maxnumf %d, %one : tensor<3xTYPE>
  %7 = arith.minnumf %d, %one : tensor<3xTYPE>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<?xTYPE>, tensor<3xTYPE>, tensor<3xTYPE>
}

// Of a row and of a column, after CONSTANT.
func.func @reduced(%x: tensor<?x?xTYPE> {prec.name = "x"}) -> (
    tensor<?xTYPE> {prec.name = "rows"}, tensor<?xTYPE> {prec.name = "columns"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant CONSTANT : TYPE
  %m = tensor.dim %x, %c0 : tensor<?x?xTYPE>
  %n = tensor.dim %x, %c1 : tensor<?x?xTYPE>
  %r = tensor.empty(%m) : tensor<?xTYPE>
  %s = tensor.empty(%n) : tensor<?xTYPE>
  %u = linalg.fill ins(%c : TYPE) outs(%r : tensor<?xTYPE>) -> tensor<?xTYPE>
  %v = linalg.fill ins(%c : TYPE) outs(%s : tensor<?xTYPE>) -> tensor<?xTYPE>
  %rows = linalg.reduce { arith.OPERATION } ins(%x : tensor<?x?xTYPE>) outs(%u : tensor<?xTYPE>) dimensions = [1]
  %columns = linalg.reduce { arith.OPERATION } ins(%x : tensor<?x?xTYPE>) outs(%v : tensor<?xTYPE>) dimensions = [0]
  return %rows, %columns : tensor<?xTYPE>, tensor<?xTYPE>
}
