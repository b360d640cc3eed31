# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: layering.py ROOT

Checks that #includes and CMake's LINK_LIBS go only the allowed way, and that no
committed file refers to something outside the tree.
"""
import pathlib
import re
import subprocess
import sys

BASE = {"Numerics", "Symbolic"}
DIALECT = BASE | {"dialects"}
PASS = DIALECT | {"Analysis", "Transforms", "Conversion"}
FILES = BASE | {"Launch", "TensorIO"}
# Those that judge the compiler never depend on what they judge.
JUDGE = DIALECT | FILES | {"Reference", "PTX", "Audit"}
TOP = PASS | FILES | {"Target", "Pipelines"}
ALLOWED = {
    "Numerics": BASE, "Symbolic": BASE, "Launch": FILES, "TensorIO": FILES, "dialects": DIALECT,
    "Analysis": PASS, "Transforms": PASS, "Conversion": PASS,
    "Target": TOP, "Pipelines": TOP, "Compiler": TOP | {"Compiler"},
    "Reference": JUDGE, "PTX": JUDGE, "Audit": JUDGE,
    "Runner": TOP | {"Compiler", "Reference", "PTX", "Audit", "Runner"},
}
NO_MLIR = {"Numerics", "Symbolic", "Launch", "TensorIO", "PTX"}

root = pathlib.Path(sys.argv[1]).resolve()
if (root / ".git").exists():
    listed = subprocess.run(["git", "-c", f"safe.directory={root}", "ls-files", "-co", "--exclude-standard"],
                            cwd=root, check=True, capture_output=True, text=True).stdout.split("\n")
    files = [root / name for name in listed if name and (root / name).is_file()]
else:  # an unpacked archive
    files = [f for f in root.rglob("*") if f.is_file() and not f.relative_to(root).parts[0].startswith("build")]

faults = []


def layer(path):
    """The layer of a file or #include path, None above all layers (tools, tests) or outside the project."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "dialects":
        return "dialects"
    if parts[0] == "lib":
        return parts[1] if len(parts) > 2 else None
    if parts[:2] == ("include", "prec"):
        return parts[2] if len(parts) > 3 else None
    if parts[0] == "prec":
        return parts[1]
    return None


def fault(file, line, text):
    faults.append(f"{file.relative_to(root)}:{line}: {text}")


def matches(file, pattern):
    for number, line in enumerate(file.read_text(errors="replace").split("\n"), 1):
        for match in re.finditer(pattern, line):
            yield number, match


# Which folder declares which library.
libraries = {}
for file in files:
    if file.name == "CMakeLists.txt":
        for name in re.findall(r"prec_add_library\(\s*(\w+)", file.read_text()):
            libraries[name] = layer(file.relative_to(root))

for file in files:
    own = layer(file.relative_to(root))
    if own is None:
        continue
    if own not in ALLOWED:
        fault(file, 1, f"expected a layer named in {pathlib.Path(__file__).name} but got '{own}'")
        continue
    if file.suffix in (".h", ".cpp", ".td", ".inc"):
        for number, match in matches(file, r'^\s*#?\s*include\s+["<]([^">]+)[">]'):
            used = layer(match[1])
            if used and used not in ALLOWED[own]:
                fault(file, number, f"{own} may not include {match[1]}")
            if own in NO_MLIR and re.match(r"(mlir|llvm)/", match[1]):
                fault(file, number, f"{own} may not include MLIR or LLVM")
    elif file.name == "CMakeLists.txt":
        for call in re.findall(r"prec_add_library\((.*?)\)", file.read_text(), re.S):
            links = call.partition("LINK_LIBS")[2].split()
            for link in links:
                if link in libraries and libraries[link] not in ALLOWED[own]:
                    fault(file, 1, f"{own} may not link {link}")
            if own in NO_MLIR and "NO_MLIR" not in call:
                fault(file, 1, f"{own} may not link MLIR: expected NO_MLIR")

# The tree stands alone. Spelt in pieces, as this file is searched too.
outside = "|".join(["\\.\\./" + "shared", "(?<![\\w.])/" + "work/", "(?<![\\w.-])/" + "home/", "(?<![\\w.-])/" + "root/"])
for file in files:
    if file.is_symlink() and root not in file.resolve().parents:
        fault(file, 1, "a link out of the tree")
    if file.suffix in (".npy", ".safetensors"):
        continue
    for number, match in matches(file, outside):
        fault(file, number, f"a path outside the tree: {match[0]}")
    if file.suffix == ".md":
        for number, match in matches(file, r"\]\(([^)#:]+)(#[^)]*)?\)"):
            if not (file.parent / match[1]).exists():
                fault(file, number, f"a link to nothing: {match[1]}")

print("\n".join(faults + [f"{len(files)} files, {len(faults)} faults"]))
sys.exit(bool(faults))
