# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: run-docs.py BIN FILE.md ROOT

Runs the commands of a document's console blocks ("$ command", then its output;
"\\" continues a line) in ROOT and compares what they print.
"""
import os
import pathlib
import re
import subprocess
import sys

tools, document, root = sys.argv[1:4]
environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
bad = count = 0
for block in re.findall(r"```console\n(.*?)```", pathlib.Path(document).read_text(), re.S):
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        lines = part.split("\n")
        command = lines.pop(0)
        while command.endswith("\\"):
            command = command[:-1] + lines.pop(0)
        expected = "\n".join(lines).strip()
        done = subprocess.run(command, shell=True, cwd=root, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        count += 1
        if done.stdout.strip() != expected:
            bad += 1
            print(f"$ {command}\nprints\n{done.stdout}\ninstead of\n{expected}\n")
print(f"{count} commands, {bad} print something else")
sys.exit(bad != 0 or not count)
