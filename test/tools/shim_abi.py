# shim_abi.py ROOT CUDA: a C file of static assertions that driver.def, params.def and the CUPTI structures of the shim agree with the
# headers of a toolkit. Both sides are in the one file: the shim's names are tc_cu_…, the toolkit's as they are.
import re
import sys

root, cuda = sys.argv[1:3]
front = root + "/runtime-shim/front/"
meta = open(cuda + "/include/generated_cuda_meta.h").read()
rows = re.findall(r"^[XY]\((\d+), (\w+), (\w+), (\w+), (\w+)\)", open(front + "driver.def").read(), re.M)
params = re.sub(r"//.*", "", open(front + "params.def").read())
tables = re.findall(r"(PARAMS|STRUCT)\((\w+),(.*?)\)\s*(?=PARAMS|STRUCT|$)", params, re.S)
fields = {name: re.findall(r"F\(([^,]+), (\w+)\)", body + ")") for _, name, body in tables}

print('#include <stddef.h>\n#include "runtime-shim/front/driver.h"')
print("#include <cuda.h>\n#include <cupti.h>") # which includes generated_cuda_meta.h


def say(condition, text):
    print('_Static_assert(%s, "%s");' % (condition, text))


def real_type(function):
    names = [function, function + "_ptsz", function + "_ptds"]
    return next((n + "_params" for n in names if re.search(r"\} %s_params;" % n, meta)), None)


def compare(ours, theirs, list_of_fields, text):
    for kind, field in list_of_fields:
        a, b = "offsetof(%s, %s)" % (ours, field), "offsetof(%s, %s)" % (theirs, field)
        say("%s == %s && sizeof(((%s *)0)->%s) == sizeof(((%s *)0)->%s)" % (a, b, ours, field, theirs, field), "%s.%s" % (text, field))


for kind, name, _ in tables:
    theirs = name if kind == "STRUCT" else real_type(name)
    if theirs:
        compare("tc_cu_" + name, theirs, fields[name], name)
    else:
        print("// no structure of %s in these headers" % name)

for number, name, used, when, take in rows:
    print("enum { cbid_%s = CUPTI_DRIVER_TRACE_CBID_%s };" % (name, name))
    say("cbid_%s == %s" % (name, number), name)
    theirs = real_type(name) or real_type(re.sub(r"_pts[zd]|_ptds", "", name))
    # A row that takes another function's structure: the real one begins with the same fields.
    if theirs and used != name and take not in ("take_device_sync", "take_wait_value", "take_ipc_open"):
        body = re.search(r"typedef struct %s_st \{(.*?)\} %s;" % (theirs, theirs), meta, re.S).group(1)
        real = re.findall(r"(\w+)(?:\[\w+\])?;", body)
        for (_, ours), real_name in list(zip(fields[used], real))[:2]:
            say("offsetof(tc_cu_%s, %s) == offsetof(%s, %s) && sizeof(((tc_cu_%s *)0)->%s) == sizeof(((%s *)0)->%s)"
                % (used, ours, theirs, real_name, used, ours, theirs, real_name), name + "." + real_name)

for ours, theirs in {"CU_DEVICE": "CU_MEMORYTYPE_DEVICE", "CU_ARRAY": "CU_MEMORYTYPE_ARRAY", "CU_UNIFIED": "CU_MEMORYTYPE_UNIFIED",
                     "CU_NON_BLOCKING": "CU_STREAM_NON_BLOCKING", "CU_MEMORY_TYPE": "CU_POINTER_ATTRIBUTE_MEMORY_TYPE",
                     "CU_CAPTURE_FIRST": "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "CU_CAPTURE_LAST": "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
                     "CU_ATTRIBUTE_CLUSTER": "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION", "CU_ATTRIBUTE_SIZE": "sizeof(CUlaunchAttribute)",
                     "8": "offsetof(CUlaunchAttribute, value)", "16": "offsetof(CUgraphNodeParams, kernel)",
                     "16 ": "offsetof(CUDA_MEMCPY_NODE_PARAMS, copyParams)", "TC_RT_LEGACY": "(size_t)CU_STREAM_LEGACY",
                     "TC_RT_PER_THREAD": "(size_t)CU_STREAM_PER_THREAD", "CU_PARAM_POINTER": "(size_t)CU_LAUNCH_PARAM_BUFFER_POINTER",
                     "CU_PARAM_SIZE": "(size_t)CU_LAUNCH_PARAM_BUFFER_SIZE", "39": "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
                     "1": "CUPTI_CB_DOMAIN_DRIVER_API", "3": "CUPTI_CB_DOMAIN_RESOURCE", "2": "CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING",
                     "7": "CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING", "0": "CUPTI_API_ENTER"}.items():
    say("%s == %s" % (ours, theirs), theirs)

# CUpti_CallbackData as cupti.c has it, field by field.
source = open(front + "cupti.c").read()
body = re.search(r"typedef struct tc_cupti_data \{(.*?)\} tc_cupti_data;", source, re.S)
print(body.group(0).replace("// CUpti_CallbackData", ""))
compare("tc_cupti_data", "CUpti_CallbackData", re.findall(r"([\w ]+[ \*]+)(\w+);", body.group(1).split("// CUpti_CallbackData")[-1]), "CUpti_CallbackData")
say("offsetof(CUpti_ResourceData, context) == 0", "CUpti_ResourceData.context")

# The runtime's structures, as wrap.c has them.
print("#include <cuda_runtime_api.h>")
wrapped = open(root + "/runtime-shim/wrap/wrap.c").read()
for name in ["size3", "launch_config", "side", "parms_3d", "node_params"]:
    print(re.search(r"typedef struct %s \{.*?\} %s;" % (name, name), wrapped, re.S).group(0))
for ours, theirs, pairs in [
        ("size3", "dim3", [("y", "y"), ("z", "z")]),
        ("launch_config", "cudaLaunchConfig_t", [("block", "blockDim"), ("smem", "dynamicSmemBytes"), ("stream", "stream"),
                                                 ("attrs", "attrs"), ("numAttrs", "numAttrs")]),
        ("parms_3d", "struct cudaMemcpy3DParms", [("from.array", "srcArray"), ("from.x", "srcPos.x"), ("from.y", "srcPos.y"),
                                                  ("from.z", "srcPos.z"), ("from.ptr", "srcPtr.ptr"), ("from.pitch", "srcPtr.pitch"),
                                                  ("from.ysize", "srcPtr.ysize"), ("to.array", "dstArray"), ("to.ptr", "dstPtr.ptr"),
                                                  ("width", "extent.width"), ("depth", "extent.depth"), ("kind", "kind")]),
        ("node_params", "struct cudaKernelNodeParams", [("grid", "gridDim"), ("block", "blockDim"), ("smem", "sharedMemBytes"),
                                                        ("params", "kernelParams"), ("extra", "extra")])]:
    say("sizeof(%s) == sizeof(%s)" % (ours, theirs), theirs)
    for a, b in pairs:
        say("offsetof(%s, %s) == offsetof(%s, %s) && sizeof(((%s *)0)->%s) == sizeof(((%s *)0)->%s)" % (ours, a, theirs, b, ours, a, theirs, b),
            "%s.%s" % (theirs, b))
