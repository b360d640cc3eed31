# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts SASS instructions, with nvdisasm (PyPI: nvidia-cuda-nvdisasm)."""
import functools
import glob
import re
import shutil
import subprocess
import sys
import sysconfig


def disassembler():
    """The path of nvdisasm, or None."""
    found = glob.glob(sysconfig.get_paths()["purelib"] + "/nvidia/**/nvdisasm", recursive=True)
    return shutil.which("nvdisasm") or (found[0] if found else None)


def longest_path(cubin, entry):
    """Instructions on the longest way from a kernel's start to its EXIT that takes no call and no branch back."""
    text = subprocess.run([disassembler(), "-c", cubin], check=True, capture_output=True, text=True).stdout
    parts = re.split(r"^\.text\.([^:]+):", text, flags=re.M)
    return count(dict(zip(parts[1::2], parts[2::2]))[entry])


def count(text):
    code, labels = [], {}
    for line in text.splitlines():
        if label := re.match(r"(\.\w+):", line):
            labels[label[1]] = len(code)
        elif instruction := re.match(r"\s*/\*[0-9a-f]+\*/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?)\s*;", line):
            code.append((instruction[1], instruction[2].split(".")[0], instruction[3]))
    sys.setrecursionlimit(max(10000, 4 * len(code)))

    @functools.lru_cache(None)
    def rest(at):
        """Instructions from `at` to the end, or None where no such way leads there."""
        if at >= len(code):
            return None
        predicate, name, operands = code[at]
        if name in ("CALL", "RET") or (name == "EXIT" and not predicate):
            return 1 if name == "EXIT" else None
        ways = []
        if name == "BRA":
            target = labels.get((re.search(r"`\((\.\w+)\)", operands) or [None, None])[1], -1)
            if target > at:
                ways.append(rest(target))
        if name != "BRA" or predicate or re.match(r"!?U?P\d", operands):
            ways.append(rest(at + 1))
        ways = [way for way in ways if way]
        return 1 + max(ways) if ways else None

    for at in reversed(range(len(code))):
        rest(at)
    return rest(0) or 0
