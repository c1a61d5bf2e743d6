# lit: how the tests are found and run. scripts/test starts it; by hand:
#   lit-22 -sv test                       with the build in build/
#   lit-22 -sv -Dbuild=build-asan test    with another one
import glob
import os
import shutil
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, lit_config.params.get("build", "build"))
llvm = "/usr/lib/llvm-22/bin"

config.name = "tilecheck"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test", ".c"]
config.excludes = ["unit", "fuzz", "tools", "fake", "programs", "bench", "Inputs"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(build, "test")

# What a test may rely on.
clang = shutil.which("clang++-22") or os.path.join(llvm, "clang++")
plugin = os.path.join(build, "tilecheck.so")
standin = os.path.join(root, "resources/standin")
cuda = os.environ.get("CUDA_PATH") or "/usr/local/cuda"
if os.path.exists(os.path.join(cuda, "include/cuda_runtime.h")):
    config.available_features.add("cuda")
if os.path.exists(os.path.join(cuda, "bin/nvcc")):
    config.available_features.add("nvcc")
if glob.glob("/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-*.a"):
    config.available_features.add("tsan")
if shutil.which("ld.lld"):
    config.available_features.add("lld")
if shutil.which("gcc") and shutil.which("g++"):
    config.available_features.add("gcc")

environment = {"PATH": os.pathsep.join([llvm, os.environ.get("PATH", "")]), "LC_ALL": "C.UTF-8"}
for name in ("HOME", "TMPDIR", "CUDA_PATH"):
    if name in os.environ:
        environment[name] = os.environ[name]

# A sanitized plugin runs inside a Clang that is not: the runtime has to be there first. Memory of LLVM's own containers
# is poisoned by one side only, and Clang does not free what it allocates.
runtime = lit_config.params.get("asan")
if runtime:
    config.available_features.add("asan")
    environment["TC_ASAN_RUNTIME"] = runtime
    environment["ASAN_OPTIONS"] = "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0:detect_odr_violation=0"
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
config.environment.update(environment)

preload = "env LD_PRELOAD=%s " % runtime if runtime else ""
standin_flags = "-nocudainc -nocudalib -isystem %s -include %s/tilecheck_cuda.h" % (standin, standin)
compat = os.path.join(root, "resources/compat")
compat_flags = "-isystem %s -isystem %s/include/cccl -include %s/tilecheck_compat.h" % (compat, cuda, compat)
common = "-x cuda --cuda-gpu-arch=sm_90 -std=c++17 -Wno-unknown-cuda-version -I%s/include" % root
checked = "%s%s %s %s -fplugin=%s" % (preload, clang, common, standin_flags, plugin)
tools = os.path.join(root, "test/tools")

shim_env = "env LD_LIBRARY_PATH=%s/fake TILECHECK_RT_CUPTI=%s/fake/libcupti.so.13 TILECHECK_RT_STACKS=0 CUDA_INJECTION64_PATH=%s/libtilecheck-rt.so" % (build, build, build)

# Longer names first: lit replaces in order.
config.substitutions += [
    ("%tilecheck", os.path.join(build, "tilecheck")),
    # Clang with the plugin and the stand-in headers; checks only, or with -fno-… what the test adds.
    ("%clang_check", checked + " -fsyntax-only"),
    ("%clang_toolkit", "%s%s %s --cuda-path=%s %s -fplugin=%s -fsyntax-only"
     % (preload, clang, common, cuda, compat_flags, plugin)),
    # The same without the plugin, and without a mode: -fsyntax-only, -c, -S are the test's.
    ("%clang_plain", "%s %s %s" % (clang, common, standin_flags)),
    ("%clang_plugin", checked),
    # A whole build, device and host, without a CUDA toolkit: device code stays bitcode. With -c, -S, -o.
    ("%clang_build", checked + " -fgpu-rdc --offload-new-driver -foffload-lto"),
    ("%toolkit_plain", "%s %s --cuda-path=%s %s" % (clang, common, cuda, compat_flags)),
    ("%clangxx", clang),
    ("%clang", checked + " -fsyntax-only"),
    # %shim SCENARIO: the program of test/shim/fake under the shim, on a driver that does nothing. %shim_env: for other programs on it.
    ("%shim_env", shim_env),
    ("%shim", "%s %s/fake/program" % (shim_env, build)),
    # %exits 2,3 COMMAND…: the command ends with one of these.
    ("%exits", "%s %s/exits.py" % (sys.executable, tools)),
    # %verdicts FILE [options]: one line a kernel, "kernel NAME VERDICT".
    ("%verdicts", "%s %s/verdicts.py %s" % (sys.executable, tools, os.path.join(build, "tilecheck"))),
    # %pages PAGE…: what the pages say is what the tool does.
    ("%pages", "%s %s/pages.py %s %s" % (sys.executable, tools, root, build)),
    # %launches FILE [options]: one line a launch, "FUNCTION KERNEL line N: VERDICT, TC4001 VERDICT, …", then the findings.
    ("%launches", "%s %s/launches.py %s" % (sys.executable, tools, os.path.join(build, "tilecheck"))),
    ("%python", sys.executable),
    ("%plugin", plugin),
    ("%build", build),
    ("%include", os.path.join(root, "include")),
    ("%standin", standin),
    ("%resources", os.path.join(root, "resources")),
    ("%examples", os.path.join(root, "examples")),
    ("%root", root),
    ("%cuda", cuda),
]
