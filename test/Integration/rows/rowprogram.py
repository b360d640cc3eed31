# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from the templates of this folder."""
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.append(str(here.parent / "kernels"))
from template import static, without_conversions


def program(file, element, hidden, order, key=0, rows=None):
    """The text of a template for an element type, the length of a row and an order of sums; key: rows of gdn-step's state;
    rows: how many, if that is static."""
    text = (here / f"{file}.mlir").read_text()
    for word, value in {"TYPE": element, "HIDDEN": hidden, "ORDER": order, "KEY": key, "VALUE": hidden,
                        "LOWEST": {"bf16": "0xFF80", "f16": "0xFC00", "f32": "0xFF800000"}[element]}.items():
        text = text.replace(word, str(value))
    if rows is not None:
        text = static(text, rows)
    return without_conversions(text) if element == "f32" else text
