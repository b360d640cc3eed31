# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: guarded.py BIN WORK [CASE...]

Kernels that round products of approximations where both ends of the error round alike, and compute the others another way
(docs/audit.md, guarded-rounding): those whose guards are right must be proven, those with a fault not, and refuted where
inputs are likely to show it.
"""
import concurrent.futures
import os
import pathlib
import re
import struct
import subprocess
import sys

tools, work = map(pathlib.Path, sys.argv[1:3])
work.mkdir(parents=True, exist_ok=True)
COUNT = 4  # elements of a thread, two a register

SILU = """    %minus = arith.negf %zw : f32
    %e = math.exp %minus : f32
    %d = arith.addf %e, %one : f32
    %silu = arith.divf %zw, %d : f32
"""
HEAD = """#map = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>
func.func @f(%z: tensor<8xbf16> {prec.name = "z"}, %u: tensor<8xbf16> {prec.name = "u"}, %p: tensor<1xf32> {prec.name = "p"})
    -> (tensor<8xbf16> {prec.name = "out"}) {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<8xbf16>
  %y = linalg.generic {indexing_maps = [#map, #map, #one, #map], iterator_types = ["parallel"]}
      ins(%z, %u, %p : tensor<8xbf16>, tensor<8xbf16>, tensor<1xf32>) outs(%empty : tensor<8xbf16>) {
  ^bb0(%ze: bf16, %ue: bf16, %pe: f32, %o: bf16):
    %zw = arith.extf %ze : bf16 to f32
    %uw = arith.extf %ue : bf16 to f32
"""
TAIL = """    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8xbf16>
  return %y : tensor<8xbf16>
}
"""
CONTRACTS = {
    # R((silu(z) * u) * p)
    "swiglu": HEAD + SILU + "    %a = arith.mulf %silu, %uw : f32\n    %m = arith.mulf %a, %pe : f32\n" + TAIL,
    # R(R(u * p) * silu(z))
    "gated": HEAD + SILU + "    %a = arith.mulf %uw, %pe : f32\n    %b = arith.truncf %a : f32 to bf16\n"
             "    %c = arith.extf %b : bf16 to f32\n    %m = arith.mulf %c, %silu : f32\n" + TAIL,
}
LAUNCH = """{"version": 1, "function": "f", "kernels": [{"entry": "k", "grid": [1, 1, 1], "block": [2, 1, 1],
 "params": [{"tensor": "z"}, {"tensor": "u"}, {"tensor": "p"}, {"tensor": "out"}]}]}
"""


def f32(value):
    return "0f%08X" % struct.unpack("<I", struct.pack("<f", value))[0]


def function(source, to, scratch):
    """silu of an f32 register that holds a bf16 number, with all bits."""
    f, r, d = (f"%{kind}{scratch}" for kind in ("xf", "xr", "xd"))
    steps = [f"max.f32 {f}1, {source}, {f32(-104)};", f"min.f32 {f}1, {f}1, {f32(104)};", f"cvt.f64.f32 {d}0, {f}1;",
             f"fma.rn.f64 {d}1, {d}0, 0dBFF7154700000000, 0d4338000000000000;", f"cvt.u32.u64 {r}0, {d}1;",
             f"add.rn.f64 {d}1, {d}1, 0dC338000000000000;", f"fma.rn.f64 {d}0, {d}1, 0d3FE62E42FEFA39EF, {d}0;",
             f"fma.rn.f64 {d}1, {d}0, 0dBF29AEBF00000000, 0d3F56CA7D00000000;"]
    for c in ("BF81112700000000", "3FA555552A9FC4F9", "BFC5555555555555", "3FE0000000000000", "BFF0000000000000", "3FF0000000000000"):
        steps.append(f"fma.rn.f64 {d}1, {d}1, {d}0, 0d{c};")
    steps += [f"mov.b64 {{{r}1, {r}2}}, {d}1;", f"shl.b32 {r}0, {r}0, 20;", f"add.s32 {r}2, {r}2, {r}0;",
              f"mov.b64 {d}1, {{{r}1, {r}2}};", f"cvt.rn.f32.f64 {f}2, {d}1;", f"add.rn.f32 {f}2, {f}2, {f32(1)};",
              f"div.rn.f32 {to}, {source}, {f}2;"]
    return steps


SCRATCH = [".reg .f32 %xf<4>;", ".reg .b32 %xr<4>;", ".reg .f64 %xd<4>;"]


def kernel(kind, largest=11.0, low=1.5 * 2.0**-20, high=3 * 2.0**-20, most=2.0**40, mostP=2.0**20, least=2.0**-40, maximum="max.NaN.bf16x2",
           minimum="min.NaN.bf16x2", words=(0, 1), guards=("z", "u", "p", "least", "words"), slow="call", join="or", round2="rn",
           slowRound="rn", slowScale=1.0, masks=None):
    """A kernel's text. `low`: the approximation is made greater by that factor first; `high`: what the other end is less
    by; `masks`: for each word, the one whose difference lets it be computed again; else all are. The other names say what is
    tested and how."""
    lines = []
    add = lines.append
    wide = range(COUNT)
    for name in ("z", "u"):
        add(f"ld.global.v2.b32 {{%w{name}0, %w{name}1}}, [%rd{name}];")
        for k in wide:
            word = f"%w{name}{k // 2}"
            add(f"and.b32 %b{name}{k}, {word}, -65536;" if k % 2 else f"shl.b32 %b{name}{k}, {word}, 16;")
            add(f"mov.b32 %{name}{k}, %b{name}{k};")
    add("ld.global.f32 %p, [%rdp];")
    if kind == "gated":
        for k in wide:
            add(f"mul.rn.f32 %u{k}, %u{k}, %p;")
        for w in (0, 1):
            add(f"cvt.rn.bf16x2.f32 %wu{w}, %u{2 * w + 1}, %u{2 * w};")
        for k in wide:
            word = f"%wu{k // 2}"
            add(f"and.b32 %bu{k}, {word}, -65536;" if k % 2 else f"shl.b32 %bu{k}, {word}, 16;")
            add(f"mov.b32 %u{k}, %bu{k};")
    # silu(z) / (1 + low), to about 2^-21
    for k in wide:
        add(f"mul.rn.f32 %t{k}, %z{k}, {f32(-1.4426950408889634)};")
        add(f"ex2.approx.ftz.f32 %t{k}, %t{k};")
        add(f"fma.rn.f32 %t{k}, %t{k}, {f32(1 + low)}, {f32(1 + low)};")
        add(f"rcp.approx.ftz.f32 %t{k}, %t{k};")
        add(f"mul.rn.f32 %t{k}, %t{k}, %z{k};")
        add(f"mul.rn.f32 %t{k}, %t{k}, %u{k};")
        if kind == "swiglu":
            add(f"mul.rn.f32 %t{k}, %t{k}, %p;")
        add(f"mul.rn.f32 %h{k}, %t{k}, {f32(1 + high)};")
    for w in (0, 1):
        add(f"cvt.rn.bf16x2.f32 %a{w}, %t{2 * w + 1}, %t{2 * w};")
        add(f"cvt.{round2}.bf16x2.f32 %c{w}, %h{2 * w + 1}, %h{2 * w};")
        add(f"xor.b32 %c{w}, %a{w}, %c{w};")
    tests = []
    if "words" in guards:
        add(f"or.b32 %c, %c{words[0]}, %c{words[-1]};")
        add("setp.ne.b32 %pwords, %c, 0;")
        tests.append("%pwords")
    for name, word, limit, extreme, test in (("z", "%wz", largest, maximum, "gtu"), ("u", "%wu", most, maximum, "gtu"),
                                             ("least", "%a", least, minimum, "ltu")):
        if name not in guards:
            continue
        add(f"and.b32 %m0, {word}0, 0x7fff7fff;")
        add(f"abs.bf16x2 %m1, {word}1;")
        add(f"{extreme} %m0, %m0, %m1;")
        # The halves, as f32.
        add("shl.b32 %m1, %m0, 16;")
        add("and.b32 %m2, %m0, -65536;")
        add("mov.b32 %g0, %m1;")
        add("mov.b32 %g1, %m2;")
        add(f"{extreme.replace('bf16x2', 'f32')} %g0, %g0, %g1;")
        add(f"setp.{test}.f32 %p{name}, %g0, {f32(limit)};")
        tests.append(f"%p{name}")
    if "p" in guards and kind == "swiglu":
        add("abs.f32 %g0, %p;")
        add(f"setp.gtu.f32 %pp, %g0, {f32(mostP)};")
        tests.append("%pp")
    if join == "or":
        add(f"mov.pred %pall, {tests[0]};")
        for test in tests[1:]:
            add(f"or.pred %pall, %pall, {test};")
        add("@%pall bra SLOW;")
    elif join == "branches":
        lines += [f"@{test} bra SLOW;" for test in tests]
    elif join == "selp":
        add("mov.u32 %m0, 0;")
        for test in tests:
            add(f"selp.u32 %m1, 1, 0, {test};")
            add("or.b32 %m0, %m0, %m1;")
        add("setp.ne.u32 %pany, %m0, 0;")
        add("@%pany bra SLOW;")
    elif join == "not":
        add(f"not.pred %pall, {tests[0]};")
        for test in tests[1:]:
            add(f"not.pred %pany, {test};")
            add("and.pred %pall, %pall, %pany;")
        add("@!%pall bra SLOW;")
    add("bra DONE;")
    add("SLOW:")
    if masks:
        add(f"mov.pred %pany, {tests[1]};")
        for test in tests[2:]:
            add(f"or.pred %pany, %pany, {test};")
        add("selp.b32 %m0, -1, 0, %pany;")
        for w in (0, 1):
            add(f"or.b32 %m{w + 1}, %m0, %c{masks[w]};")
    for k in wide:
        if masks and k % 2 == 0:
            add(f"setp.eq.b32 %pany, %m{k // 2 + 1}, 0;")
            add(f"@%pany bra KEEP{k // 2};")
        if slow == "call":
            add("{ .param .b32 in; .param .b32 back;")
            add(f"st.param.f32 [in], %z{k};")
            add("call.uni (back), slow, (in);")
            add(f"ld.param.f32 %t{k}, [back]; }}")
        else:
            lines += function(f"%z{k}", f"%t{k}", "")
        if slowScale != 1:
            add(f"mul.rn.f32 %t{k}, %t{k}, {f32(slowScale)};")
        add(f"mul.rn.f32 %t{k}, %t{k}, %u{k};")
        if kind == "swiglu":
            add(f"mul.rn.f32 %t{k}, %t{k}, %p;")
        if k % 2:
            add(f"cvt.{slowRound}.bf16x2.f32 %a{k // 2}, %t{k}, %t{k - 1};")
            add(f"KEEP{k // 2}:")
    add("DONE:")
    add("st.global.v2.b32 [%rdo], {%a0, %a1};")
    add("ret;")
    device = ".func (.param .b32 back) slow(.param .b32 in)\n{\n" + "\n".join(
        SCRATCH + [".reg .f32 %x, %y;", "ld.param.f32 %x, [in];"] + function("%x", "%y", "") + ["st.param.f32 [back], %y;", "ret;"]) + "\n}\n"
    registers = SCRATCH + [
        ".reg .pred %pwords, %pz, %pu, %pp, %pleast, %pany, %pall;", ".reg .b32 %wz<2>, %wu<2>, %a<2>, %c<2>, %c, %m<3>, %r0;",
        ".reg .b32 %bz<4>, %bu<4>;", ".reg .f32 %z<4>, %u<4>, %t<4>, %h<4>, %p, %g<2>;", ".reg .b64 %rdz, %rdu, %rdp, %rdo, %rd0;"]
    address = []
    for name in "zupo":
        address.append(f"ld.param.u64 %rd{name}, [p{name}];")
    address += ["mov.u32 %r0, %tid.x;", "mul.wide.u32 %rd0, %r0, 8;"] + [f"add.s64 %rd{n}, %rd{n}, %rd0;" for n in "zuo"]
    return (".version 8.0\n.target sm_90\n.address_size 64\n" + (device if slow == "call" else "") +
            ".visible .entry k(.param .u64 pz, .param .u64 pu, .param .u64 pp, .param .u64 po)\n{\n" +
            "\n".join(registers + address + lines) + "\n}\n")


def without(*names):
    return tuple(g for g in ("z", "u", "p", "least", "words") if g not in names)


PROVEN, OPEN, REFUTED = {"proven"}, {"tested", "refuted"}, {"refuted"}
CASES = {
    "call": ("swiglu", {}, PROVEN),
    "inline": ("swiglu", {"slow": "inline"}, PROVEN),
    "branches": ("swiglu", {"join": "branches"}, PROVEN),
    "selp": ("swiglu", {"join": "selp"}, PROVEN),
    "not": ("swiglu", {"join": "not"}, PROVEN),
    "gated": ("gated", {}, PROVEN),
    "gated-inline": ("gated", {"slow": "inline", "join": "branches"}, PROVEN),
    # Only the words that are undecided are computed again.
    "masks": ("swiglu", {"masks": (0, 1)}, PROVEN),
    "masks-inline": ("gated", {"masks": (0, 1), "join": "branches", "slow": "inline"}, PROVEN),
    "masks-of-others": ("swiglu", {"masks": (1, 0), "join": "branches", "low": 2.0**-12}, REFUTED),
    # The range may be another, if the distance is.
    "smaller-range": ("swiglu", {"largest": 4.0}, PROVEN),
    "wide": ("swiglu", {"largest": 40.0, "low": 2.0**-17, "high": 2.0**-16}, PROVEN),
    # A NaN comes through to the least result.
    "maximum-without-nan": ("swiglu", {"maximum": "max.bf16x2"}, PROVEN),
    "minimum-without-nan": ("swiglu", {"minimum": "min.bf16x2"}, PROVEN),
    "neither-nan": ("swiglu", {"maximum": "max.bf16x2", "minimum": "min.bf16x2"}, OPEN),
    "equal": ("swiglu", {"low": 0.0, "high": 0.0}, OPEN),
    "too-near": ("swiglu", {"low": 2.0**-23, "high": 2.0**-22}, OPEN),
    "one-sided": ("swiglu", {"low": 0.0}, OPEN),
    "too-wide-a-range": ("swiglu", {"largest": 80.0}, OPEN),
    "no-range": ("swiglu", {"guards": without("z")}, OPEN),
    "no-least": ("swiglu", {"guards": without("least")}, OPEN),
    "too-small-a-least": ("swiglu", {"least": 2.0**-126}, OPEN),
    "no-most": ("swiglu", {"guards": without("u")}, OPEN),
    "too-large-a-most": ("swiglu", {"most": 2.0**120}, OPEN),
    "no-most-of-p": ("swiglu", {"guards": without("p")}, OPEN),
    "no-words": ("swiglu", {"guards": without("words")}, OPEN),
    "one-word": ("swiglu", {"words": (0,)}, OPEN),
    "far-and-no-words": ("swiglu", {"guards": without("words"), "low": 2.0**-12}, REFUTED),
    "far-and-one-word": ("swiglu", {"words": (0,), "low": 2.0**-12}, REFUTED),
    "far-and-one-sided": ("swiglu", {"low": 2.0**-12, "high": 0.0}, REFUTED),
    "other-rounding": ("swiglu", {"round2": "rz"}, OPEN),
    "slow-rounds-to-zero": ("swiglu", {"slowRound": "rz"}, REFUTED),
    "slow-is-another": ("swiglu", {"slowScale": 1.0 + 2.0**-10}, REFUTED),
    "gated-no-most": ("gated", {"guards": without("u")}, OPEN),
}


def judge(name):
    kind, options, verdicts = CASES[name]
    model, ptx, launch = (work / f"{name}.{suffix}" for suffix in ("mlir", "ptx", "json"))
    model.write_text(CONTRACTS[kind])
    ptx.write_text(kernel(kind, **options))
    launch.write_text(LAUNCH)
    done = subprocess.run([tools / "prec-audit", ptx, f"--launch={launch}", f"--against={model}", "--shape=z=8", "--shape=u=8", "--shape=p=1"],
                          capture_output=True, text=True)
    found = re.match(r"out: (\w+) ", done.stdout)
    good = found and found[1] in verdicts
    return "" if good else f"{name}: expected {' or '.join(sorted(verdicts))}\n{done.stdout}{done.stderr}"


names = sys.argv[3:] or CASES
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    failures = [text for text in pool.map(judge, names) if text]
print("".join(failures) + f"{len(names)} kernels, {len(failures)} wrong")
sys.exit(bool(failures))
