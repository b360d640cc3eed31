# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from the templates of this folder."""
import pathlib
import re

here = pathlib.Path(__file__).resolve().parent


def static(text, rows):
    """The text of a program with a static number of rows."""
    text = re.sub(r"empty\(%\w+\)", "empty()", text.replace("?x", f"{rows}x")).replace("[%rows,", f"[{rows},")
    # combine's rows are others than its tokens.
    return re.sub(r"(%z: |%z\[.*\] : )tensor<\d+x", r"\1tensor<16x", text) if "@combine(" in text else text


def without_conversions(text):
    """The text of a program of f32: from f32 to f32 is no conversion, so the result's name becomes the operand's."""
    functions = text.split("\nfunc.func")
    for i, function in enumerate(functions):
        for line, result, operand in re.findall(r"( +(%\w+) = arith\.(?:extf|truncf) (%\w+) : (?:(?:f32|tensor<\S*xf32>)(?: to )?){2}\n)", function):
            function = re.sub(re.escape(result) + r"\b", operand, function.replace(line, ""))
        functions[i] = function
    return "\nfunc.func".join(functions)


def program(file, element, inner):
    """The text of a template for an element type and an innermost size."""
    text = (here / file).read_text()
    for name, value in {"TYPE": element, "INNER": inner, "TWICE": 2 * inner}.items():
        text = text.replace(name, str(value))
    return without_conversions(text) if element == "f32" else text
