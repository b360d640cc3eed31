# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil

import lit.formats

config.name = "prec"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ptx"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.prec_obj_root, "test")
config.excludes = ["data", "Inputs", "CMakeLists.txt"]

path = [os.path.join(config.prec_obj_root, "bin"), config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(path + [os.environ["PATH"]])
# A variable captured in one CHECK-LABEL block must not leak into the next:
# a test would then pass by matching a stale name.
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "CUDA_HOME", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%data", os.path.join(config.test_source_root, "data")))
config.substitutions.append(("%src", config.prec_src_root))
# The folder of the fake libcuda.so.1.
config.substitutions.append(("%cuda", os.path.join(config.prec_obj_root, "test", "Tools", "FakeCUDA")))

# ptxas is optional: PTX itself needs no CUDA toolkit.
if shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
    config.available_features.add("ptxas")
    config.environment["PATH"] += os.pathsep + "/usr/local/cuda/bin"
