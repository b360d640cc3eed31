# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: make_files.py FOLDER: the tensor files of the tests of prec-run."""
import json
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def npy(name, descr, shape, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def safetensors(name, tensors):
    header, data = {}, b""
    for key, (dtype, shape, content) in tensors.items():
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    (folder / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


def bits(*values):
    return struct.pack(f"<{len(values)}H", *values)


x = bits(0x3F8D, 0x4000, 0x7FC0, 0x8000)
w = bits(0x3F8B, 0x0080)
# 1.1015625 * 1.0859375 rounds to 1.1953125; 2 * 2^-126; NaN; -0.
y = bits(0x3F99, 0x0100, 0xFFC1, 0x8000)
npy("x.npy", "|V2", (2, 2), x)
npy("w.npy", "<u2", "(2,)", w)
npy("y.npy", "|V2", (2, 2), y)
npy("y_off.npy", "|V2", (2, 2), bits(0x3F98, 0x0100, 0xFFC1, 0x0000))
npy("w_short.npy", "|V2", "(1,)", w[:2])
npy("w_f32.npy", "<f4", "(2,)", x)
npy("w_rank2.npy", "|V2", (1, 2), w)
(folder / "w_cut.npy").write_bytes((folder / "w.npy").read_bytes()[:-1])
(folder / "text.npy").write_text("hello")
safetensors("in.safetensors", {"w": ("BF16", [2], w), "x": ("BF16", [2, 2], x)})
safetensors("y.safetensors", {"y": ("BF16", [2, 2], y)})
safetensors("extra.safetensors", {"x": ("BF16", [2, 2], x), "z": ("BF16", [2], w)})
(folder / "lying.safetensors").write_bytes(
    struct.pack("<Q", 62) + b'{"x":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,800]}}   ' + x)

# s20_hand.ptx: x * table[op], then (x + 2) + 1, (x - 2) - 1, x * 2 or -|x|.
npy("hand_x.npy", "|V2", "(64,)", bits(*[0x3F80] * 64))
npy("hand_op.npy", "<i4", "(64,)", struct.pack("<64i", *[0, 1, 2, 3] * 16))
npy("hand_k.npy", "<i4", "()", struct.pack("<i", 2))
npy("hand_y.npy", "|V2", "(64,)", bits(*[0x4080, 0xC020, 0x4080, 0xBE80] * 16))
