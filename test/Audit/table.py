# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: table.py PREC_AUDIT DATA CONTRACTS WORK [NAME...]

Audits other compilers' kernels (DATA/*.ptx) whose README says that they keep or
break their contract, and checks that the verdict and the kind agree.
"""
import concurrent.futures
import json
import pathlib
import re
import struct
import subprocess
import sys
import time

# Contracts: file, function, shapes, outputs' shapes by name.
MIX2 = ("mix.mlir", "mix", {"u": "2x4x2560", "xn": "2x4x2560"}, ["y"])
MIX = ("mix.mlir", "mix", {"u": "1x4x2560", "xn": "1x4x2560"}, ["y"])
WRITE = ("../../../examples/audit/write-back.mlir", "write_back", {"x": "1x4x2560", "h": "1x2560", "c": "1x4"}, ["out"])
SWIGLU = ("swiglu.mlir", "swiglu", {"gu": "1x2048", "p": "1"}, ["out"])
SWIGLU32 = ("swiglu.mlir", "swiglu_f32", {"gu": "1x2048", "p": "1"}, ["out"])

NULLS = [None, None]

# name: (contract, grid, block, parameters, expected verdict or kind for all outputs or each, integer inputs by name);
# "kept" is proven or tested
ROWS = {}


def row(names, contract, grid, block, params, expected, integers=None):
    for name in names.split():
        ROWS[name] = (contract, grid, block, params, expected, integers or {})


row("c100_a_mix_fwd_pk c_a_mix_fwd c_a_mix_fwd_fast1 c_a_mix_fwd_guard c_a_mix_fwd_pk", MIX, [1, 1, 1], [320, 1, 1],
    ["u", "xn", "y"], "kept")
# Their README: roundings kept, functions approximate. They flush subnormal results as well.
row("c_a_mix_fwd_fast2", MIX, [1, 1, 1], [320, 1, 1], ["u", "xn", "y"], "subnormal-flush")
row("c_d1_moe_act_eager_fast2", SWIGLU, [1, 1, 1], [128, 1, 1], ["gu", "p", "out"], "wrong-function")
row("c_c_writeback c_c_writeback_pk", WRITE, [1, 1, 1], [320, 1, 1], ["x", "h", "c", "out"], "proven")
row("c_d1_moe_act_eager c_d1_moe_act_eager_guard", SWIGLU, [1, 1, 1], [128, 1, 1],
    ["gu", "p", "out"], "kept")
row("c_d2_moe_act_f32", SWIGLU32, [1, 1, 1], [128, 1, 1], ["gu", "p", "out"], "kept")
for suffix, block, each, kind in (("default", 128, 1024, "rounding-lost"), ("default_cfg1", 256, 512, "rounding-lost"),
                                  ("emu", 128, 1024, "kept"), ("emu_eager", 128, 1024, "kept")):
    row(f"i_a_mix_fwd_{suffix}", MIX2, [5120 // each, 1, 1], [block, 1, 1], ["u", "xn", "y", 2560] + NULLS, kind)
    row(f"i_c_writeback_{suffix}", WRITE, [10240 // each, 1, 1], [block, 1, 1], ["x", "h", "c", "out", 10240] + NULLS,
        kind)
    row(f"i_d1_moe_act_eager_{suffix}", SWIGLU, [1024 // each, 1, 1], [block, 1, 1], ["gu", "p", "out", 1024] + NULLS,
        kind)
    row(f"i_d2_moe_act_f32_{suffix}", SWIGLU32, [1024 // each, 1, 1], [block, 1, 1], ["gu", "p", "out", 1024] + NULLS,
        "kept")
row("t_a_mix_fwd_loose", MIX, [1, 5, 1], [64, 1, 1], ["u", "xn", "y"] + NULLS, "rounding-lost")
row("t_a_mix_fwd_strict x_a_mix_fwd_strict_ftz", MIX, [1, 5, 1], [64, 1, 1], ["u", "xn", "y"] + NULLS, "kept")
row("t_a_mix_fwd_flat_loose", MIX, [3, 1, 1], [128, 1, 1], ["u", "xn", "y", 2560] + NULLS, "rounding-lost")
row("t_c_writeback_loose t100_c_writeback_loose x_c_writeback_strict_fused", WRITE, [1, 5, 1], [64, 1, 1],
    ["x", "h", "c", "out"] + NULLS, "rounding-lost")
row("t_c_writeback_strict", WRITE, [1, 5, 1], [64, 1, 1], ["x", "h", "c", "out"] + NULLS, "proven")
row("t_d1_moe_act_eager_loose", SWIGLU, [1, 1, 1], [128, 1, 1], ["gu", "p", "out"] + NULLS, "rounding-lost")
row("t_d1_moe_act_eager_strict x_d1_moe_act_eager_strict_fused", SWIGLU, [1, 1, 1], [128, 1, 1],
    ["gu", "p", "out"] + NULLS, "kept")
row("t_d2_moe_act_f32_strict", SWIGLU32, [1, 1, 1], [128, 1, 1], ["gu", "p", "out"] + NULLS, "kept")
# One rounding as declared, but its f32 exp and quotient are others.
row("t_d2_moe_act_f32_loose", SWIGLU32, [1, 1, 1], [128, 1, 1], ["gu", "p", "out"] + NULLS, "wrong-function")
MIXB = ("mix-backward.mlir", "mix_backward", {"g": "1x2560", "u": "1x4x2560", "xn": "1x4x2560"}, ["gu", "gxn"])
COMBINE = ("combine.mlir", "combine", {"z": "16x2048", "map": "2x8", "p": "2x8"}, ["out"])
row("c_b_mix_bwd c_b_mix_bwd_guard c_b_mix_bwd_pk", MIXB, [1, 1, 1], [320, 1, 1], ["g", "u", "xn", "gu", "gxn"], "kept")
row("c_b_mix_bwd_fast2", MIXB, [1, 1, 1], [320, 1, 1], ["g", "u", "xn", "gu", "gxn"], "subnormal-flush")
row("t_b_mix_bwd_loose", MIXB, [1, 5, 1], [64, 1, 1], ["g", "u", "xn", "gu", "gxn"] + NULLS, "rounding-lost")
row("t_b_mix_bwd_strict", MIXB, [1, 5, 1], [64, 1, 1], ["g", "u", "xn", "gu", "gxn"] + NULLS, "kept")
row("c_e_combine", COMBINE, [2, 1, 1], [256, 1, 1], ["z", "map", "p", "out"], "proven")
row("t_e_combine_strict t100_e_combine_strict", COMBINE, [2, 2, 1], [128, 1, 1], ["z", "map", "p", "out"] + NULLS,
    "proven")
row("t_e_combine_loose x_e_combine_strict_fused", COMBINE, [2, 2, 1], [128, 1, 1], ["z", "map", "p", "out"] + NULLS,
    "contraction")


def norm(function, rows=1):
    return ("norms.mlir", function, {"x": f"{rows}x4096", "w": "4096"}, ["y"])


def gated(function):
    return ("norms.mlir", function, {"o": "8x128", "z": "8x128", "w": "128"}, ["out"])


row("c_f_rmsnorm c_f_rmsnorm_pk", norm("rms_norm_block"), [1, 1, 1], [256, 1, 1], ["x", "w", "y", 1e-6], "kept")
row("c_f_rmsnorm_eagertree", norm("rms_norm_eager", 4), [1, 1, 1], [32, 4, 1], ["x", "w", "y", 1e-6], "kept")
row("t_f_rmsnorm_loose", norm("rms_norm_triton"), [1, 1, 1], [256, 1, 1], ["x", "w", "y", 1e-6] + NULLS,
    "rounding-lost")
row("t_f_rmsnorm_strict", norm("rms_norm_triton"), [1, 1, 1], [256, 1, 1], ["x", "w", "y", 1e-6] + NULLS, "kept")
row("c_g_gdn_norm c_g_gdn_norm_pk", gated("gated_norm_cuda"), [1, 1, 1], [128, 1, 1], ["o", "z", "w", "out", 1e-6],
    "kept")
row("t_g_gdn_norm_loose", gated("gated_norm_triton"), [1, 1, 1], [128, 1, 1], ["o", "z", "w", "out", 1e-6] + NULLS,
    "rounding-lost")
row("t_g_gdn_norm_strict", gated("gated_norm_triton"), [1, 1, 1], [128, 1, 1], ["o", "z", "w", "out", 1e-6] + NULLS,
    "kept")
row("x_gdn_norm_rz", gated("gated_norm_cuda"), [1, 1, 1], [128, 1, 1], ["o", "z", "w", "out", 1e-6],
    "wrong-rounding-mode")


def backward(function):
    return ("swiglu-backward.mlir", function, {"gu": "1x2048", "p": "1", "grad": "1x1024"}, ["dgu", "dp"])


row("c_d3_moe_act_f32_bwd", backward("swiglu_backward_cuda"), [1, 1, 1], [128, 1, 1], ["gu", "p", "grad", "dgu", "dp"],
    "kept")
row("t_d3_moe_act_f32_bwd_strict", backward("swiglu_backward_triton"), [1, 1, 1], [128, 1, 1],
    ["gu", "p", "grad", "dgu", "dp"] + NULLS, "kept")


def step(function):
    return ("gdn-step.mlir", function,
            {"S": "1x128x128", "q": "1x128", "k": "1x128", "v": "1x128", "g": "1", "beta": "1"}, ["S_out", "o"])


STEP, STEP_TRITON = step("gdn_step"), step("gdn_step_triton")
row("c_h_gdn_step", STEP, [1, 1, 1], [256, 1, 1], [("S", "S_out"), "q", "k", "v", "g", "beta", "o"], "kept")


row("t_h_gdn_step_strict t100_h_gdn_step_strict", STEP_TRITON, [1, 4, 1], [128, 1, 1],
    [("S", "S_out"), "q", "k", "v", "g", "beta", "o"] + NULLS, "kept")
# Its f32 products go into fused or fusible sums, and its exp is another: one of both is named. In o nothing differs.
row("t_h_gdn_step_loose", STEP_TRITON, [1, 4, 1], [128, 1, 1],
    [("S", "S_out"), "q", "k", "v", "g", "beta", "o"] + NULLS, ["wrong-function", "kept"])
# Final roundings as declared, but its f32 exp is another.
row("t_d3_moe_act_f32_bwd_loose", backward("swiglu_backward_triton"), [1, 1, 1], [128, 1, 1],
    ["gu", "p", "grad", "dgu", "dp"] + NULLS, ["wrong-function", "kept"])
for suffix, kind in (("emu", "kept"), ("emu_eager", "kept"), ("default", "rounding-lost"), ("default_cfg1", "rounding-lost")):
    row(f"i_f_rmsnorm_{suffix}", norm("rms_norm_inductor"), [1, 1, 1], [512, 1, 1],
        ["x", "w", "y", 1, 4096] + NULLS, kind)


# The samples of the language whose README says that they keep or break a contract.
def sample(function, shapes, outputs):
    return ("samples.mlir", function, shapes, outputs)


row("s01_smem_tree", sample("smem_tree", {"x": "2x1024"}, ["out"]), [2], [256], ["x", "out"], "proven")
row("s04_pred", sample("pred", {}, ["out", "cnt"]), [1], [256], ["x", "y", "out", "cnt", 256], "kept")
row("s06_params", sample("params", {}, ["out"]), [1], [64],
    [{"struct": [{"at": 0, "tensor": "x"}, {"at": 8, "tensor": "out"}, {"at": 16, "scalar": "i64", "value": 1},
                 {"at": 24, "scalar": "i64", "value": 1}, {"at": 32, "scalar": "i32", "value": 64}] +
      [{"at": 36 + 4 * k, "scalar": "f32", "value": v} for k, v in enumerate([0.75, -1.5, 3, 0.1])] +
      [{"at": 52, "scalar": "i8", "value": 1}], "bytes": 56},
     {"struct": [{"at": 0, "scalar": "i16", "value": -7}, {"at": 2, "scalar": "bf16", "value": 2.5},
                 {"at": 8, "scalar": "f64", "value": 0.001000000001}], "bytes": 16},
     0.3, {"scalar": "bf16", "value": 0.7}, {"scalar": "i8", "value": -3}], "proven")
row("s10_func", sample("functions", {}, ["out", "aux"]), [1], [128], ["x", "out", "aux", 5], ["kept", "proven"])
# Its loops' counts depend on data, as the order of the next ones' sums on the hardware: run on values.
row("s11_loop", sample("loop", {}, ["y", "steps"]), [1], [128],
    ["x", ("y0", "y"), ("steps0", "steps"), {"scalar": "i64", "value": 128}], "tested")
row("s08_mma", sample("mma", {}, ["C"]), [1, 1], [32], ["A", "B", "C", 16], "tested")
row("x_t_matmul_sm80", sample("matmul_silu", {}, ["c"]), [1, 1], [128], ["a", "b", "c", 64, 64, 32] + NULLS, "tested")
row("x_t_matmul_sm90", sample("matmul_silu", {}, ["c"]), [1, 1], [128], ["a", "b", "c", 64, 64, 32] + NULLS,
    "unsupported instruction 'wgmma.fence.sync.aligned'")
row("s12_switch", sample("switch", {}, ["y"]), [1], [128], ["x", "op", "y"], "kept",
    {"op": [[0, 1, 2, 3, 5, 6, 8, 0][k % 8] for k in range(128)]})
# The planes without .rn may be fused: against the same kernel with every rounding written.
row("s13_half2", (None, "", {"a": "256xbf16", "b": "256xbf16", "c": "256xbf16", "ha": "256xf16", "hb": "256xf16"},
                  {"o": ("bf16", 1536), "ho": ("f16", 1280)}),
    [1], [128], ["a", "b", "c", "ha", "hb", "o", "ho"], "contraction")
row("s17_layernorm", sample("layer_norm", {"x": "2x512"}, ["y", "stat"]), [2], [256],
    ["x", "w", "b", "y", "stat", 512, 1 / 512, 1e-5], "kept")
row("s18_softmax", sample("softmax", {}, ["y"]), [1], [128], ["x", "y", 64, 4], "kept")
# One rounding as declared; differences lie within what ex2.approx leaves open.
row("x_t_softmax", sample("softmax_triton", {}, ["y"]), [4], [128], ["x", "y", 64] + NULLS, "kept")
row("s19_indexadd", sample("index_add", {}, ["out"]), [1, 3], [128], ["z", "w", "start", "ent", "out", 128], "proven",
    {"start": [0, 4, 4, 10], "ent": [3, 1, 7, 0, 2, 9, 5, 4, 8, 6]})
row("s20_hand", sample("hand", {}, ["y"]), [1], [64],
    ["x", "op", "y", 64, {"struct": [{"at": 4, "scalar": "i32", "value": -5}], "bytes": 12}], "proven")
row("s22_llc_switch", sample("llc_switch", {}, ["y"]), [1], [128], ["x", "op", "y", 128], "proven")

# Integers, copies, f32 alone, sums of no defined order, or functions of no defined bits: nothing is kept or broken.
NO_CONTRACT = set("s02_shfl s03_atomics s05_bits s07_vec s09_local s14_approx s15_cvt s16_minmax s21_switch16 "
                  "x_t_scatter_add".split())


def parameter(value):
    if value is None:
        return {"pointer": "null"}
    if isinstance(value, int):
        return {"scalar": "i32", "value": str(value)}
    if isinstance(value, float):
        return {"scalar": "f32", "value": repr(value)}
    if isinstance(value, tuple):
        return {"tensor": value[0], "aliases": value[1]}
    if isinstance(value, dict):
        return value
    return {"tensor": value}


def entry(text):
    words = text.split(".entry", 1)[1].split("(", 1)[0].split()
    return words[0]


def write_npy(path, values):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}\n".encode()
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                     struct.pack(f"<{len(values)}i", *values))


def audit(tool, data, contracts, work, name):
    """Whether the row agrees, what the audit says, and the seconds it took."""
    (file, function, shapes, outputs), grid, block, params, expected, integers = ROWS[name]
    ptx = data / f"{name}.ptx"
    text = ptx.read_text()
    launch = {"version": 1, "function": function,
              "kernels": [{"entry": entry(text), "grid": grid, "block": block,
                           "dynamic_shared": 32768 if ".extern .shared" in text else 0,
                           "params": [parameter(p) for p in params]}]}
    launch_file = work / f"{name}.json"
    command = [tool, str(ptx), f"--launch={launch_file}", "--report=json"] + [f"--shape={t}={s}" for t, s in shapes.items()]
    if file:
        command += [f"--against={contracts / file}", f"--function={function}"]
    else:
        strict = work / f"{name}.strict.ptx"
        strict.write_text(re.sub(r"\b(add|sub|mul)(\.sat)?\.(bf16x2|f16x2)\b", r"\1.rn\2.\3", text))
        launch["results"] = [{"name": n, "type": t, "shape": [s]} for n, (t, s) in outputs.items()]
        command += [f"--against={strict}", f"--against-launch={launch_file}"]
    launch_file.write_text(json.dumps(launch))
    for tensor, values in integers.items():
        write_npy(work / f"{name}.{tensor}.npy", values)
        command.append(f"--in={tensor}={work / name}.{tensor}.npy")
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False, "timeout", 120
    seconds = time.time() - start
    if done.returncode == 2 or not done.stdout:
        error = done.stderr.strip()[:300]
        return isinstance(expected, str) and error.endswith(expected), error, seconds
    report = json.loads(done.stdout)
    got = [(o["verdict"], o.get("kind")) for o in report["outputs"]]
    wanted = expected if isinstance(expected, list) else [expected] * len(got)
    ok = len(wanted) == len(got) and all(
        v in ("proven", "tested") if w == "kept" else w in (v, k) for (v, k), w in zip(got, wanted))
    text = ", ".join(k or v for v, k in got)
    for o in report["outputs"]:
        if o["verdict"] == "tested":
            text += f" [{o['proven']}/{o['elements']} proven, {o['undecided']} undecided]"
        if o["verdict"] == "refuted":
            text += f" [{o['location']}: {o['explanation']}]"
    if not ok:
        text += f" (expected {expected})"
    return ok, text, seconds


def main():
    tool, data, contracts, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    work.mkdir(parents=True, exist_ok=True)
    names = sys.argv[5:] or list(ROWS)
    files = {p.stem for p in data.glob("*.ptx")}
    assert files == NO_CONTRACT | ROWS.keys(), files ^ (NO_CONTRACT | ROWS.keys())
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = pool.map(lambda name: audit(tool, data, contracts, work, name), names)
        for name, (ok, text, seconds) in zip(names, results):
            bad += not ok
            print(f"{'ok  ' if ok else 'FAIL'} {name}: {text} {seconds:.1f} s", flush=True)
    print(f"{bad} of {len(names)} disagree")
    sys.exit(bad != 0)


main()
