# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: readme.py BIN FILE.md... [--update]

Keeps the code blocks of documents true:
- ```console: each `$ command` is run from the top of the tree with the tools of BIN in
  PATH, and the lines under it must be its output. --update writes the output it has.
- ```cpp, ```cmake after a comment <!-- FILE -->: the block stands in FILE.
- ```mlir with a func.func: prec-opt reads it.
"""
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
update = "--update" in sys.argv
binaries, *documents = [pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--update"]
environment = dict(os.environ, PATH=f"{binaries}{os.pathsep}{os.environ['PATH']}")
faults = []
blocks = 0


def run_console(block):
    """The block with each command's true output."""
    lines = []
    commands = re.split(r"^\$ ", block, flags=re.M)
    assert not commands[0], "expected a console block to start with a command"
    for command in commands[1:]:
        # A command goes on while its lines end in a backslash.
        text = re.match(r"(?:.*\\\n)*.*\n", command)[0]
        run = subprocess.run(["bash", "-c", text], cwd=root, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        lines.append(f"$ {text}{run.stdout}")
    return "".join(lines)


for document in documents:
    text = document.read_text()
    for match in list(re.finditer(r"(?:<!-- (\S+) -->\n)?```(console|cpp|cmake|mlir)\n(.*?)```", text, re.S)):
        file, language, block = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        blocks += 1
        if language == "console":
            actual = run_console(block)
            if actual != block and update:
                document.write_text(document.read_text().replace(block, actual))
            elif actual != block:
                faults.append(f"{document}:{line}: expected\n{block}but got\n{actual}")
        elif file and block not in (root / file).read_text():
            faults.append(f"{document}:{line}: expected the block to stand in {file}")
        elif language == "mlir" and "func.func" in block:
            run = subprocess.run([binaries / "prec-opt", "-", "-o", os.devnull], input=block, capture_output=True, text=True)
            if run.returncode:
                faults.append(f"{document}:{line}: {run.stderr}")

print("\n".join(faults + [f"{blocks} blocks, {len(faults)} faults"]))
sys.exit(bool(faults))
