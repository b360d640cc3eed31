# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from the templates of this folder."""
import pathlib
import re

here = pathlib.Path(__file__).resolve().parent


def program(file, element, inner):
    """The text of a template for an element type and an innermost size."""
    text = (here / file).read_text()
    for name, value in {"TYPE": element, "INNER": inner, "TWICE": 2 * inner}.items():
        text = text.replace(name, str(value))
    if element != "f32":
        return text
    # From f32 to f32 is no conversion: the result's name becomes the operand's.
    functions = text.split("\nfunc.func")
    for i, function in enumerate(functions):
        for line, result, operand in re.findall(r"( +(%\w+) = arith\.(?:extf|truncf) (%\w+) : f32 to f32\n)", function):
            function = re.sub(re.escape(result) + r"\b", operand, function.replace(line, ""))
        functions[i] = function
    return "\nfunc.func".join(functions)
