// What programs do, right and wrong, with the driver of tests. The first argument names the scenario.
#include "test/shim/fake/fake.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "include/tilecheck_rt.h"

enum { N = 1024, BYTES = N * 4 };

static u64 scale, in_place, staged, count, fill, bare, unknown, other_sizes, place;

static u64 code(const void *image) {
    u64 handle = 0;
    if (getenv("FAKE_LIBRARY"))
        cuLibraryLoadData(&handle, image, NULL, NULL, 0, NULL, NULL, 0);
    else
        cuModuleLoadData(&handle, image);
    fake_code(handle);
    return handle;
}

static const fake_image one_image = FAKE_IMAGE(1), other_image = FAKE_IMAGE(2);

static void load(void) {
    code(&one_image);
    static const unsigned three[] = {8, 8, 4}, rows[] = {8, 4, 4}, two[] = {8, 4}, wrong[] = {8, 8, 8};
    scale = fake_kernel("scale", 3, three);
    in_place = fake_kernel("scale_in_place", 3, three);
    staged = fake_kernel("staged", 3, three);
    count = fake_kernel("count", 3, three);
    fill = fake_kernel("fill", 3, rows);
    bare = fake_kernel("bare", 2, two);
    unknown = fake_kernel("_Z7unknownPf", 1, two);
    other_sizes = fake_kernel("scale", 3, wrong);
    place = fake_kernel("place", 3, three);
}

static u64 device(u64 bytes) {
    u64 p = 0;
    cuMemAlloc_v2(&p, bytes);
    return p;
}

static u64 stream_new(void) {
    u64 s = 0;
    cuStreamCreate(&s, CU_NON_BLOCKING);
    return s;
}

static u64 event_new(void) {
    u64 e = 0;
    cuEventCreate(&e, 2);
    return e;
}

static int launch3(u64 f, u64 x, u64 y, int n, u64 stream) {
    void *args[] = {&x, &y, &n};
    return cuLaunchKernel(f, ((u32)n + 63) / 64, 1, 1, 64, 1, 1, 0, stream, args, NULL);
}

static int launch_fill(u64 m, int rows, int pitch, u64 stream) {
    void *args[] = {&m, &rows, &pitch};
    return cuLaunchKernel(fill, (u32)rows, 1, 1, 16, 1, 1, 0, stream, args, NULL);
}

static int launch_bare(u64 y, int n, u64 stream) {
    void *args[] = {&y, &n};
    return cuLaunchKernel(bare, ((u32)n + 63) / 64, 1, 1, 64, 1, 1, 0, stream, args, NULL);
}

// ---- order ----

static void two_streams(bool ordered) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new(), e = event_new();
    launch3(scale, x, y, N, a);
    if (ordered) {
        cuEventRecord(e, a);
        cuStreamWaitEvent(b, e, 0);
    }
    launch3(scale, y, x, N, b);
    cuCtxSynchronize();
}

static void missing_event(void) {
    two_streams(false);
}

static void with_event(void) {
    two_streams(true);
}

static void host_early(bool waits) {
    static float host[N];
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), pinned = 0;
    cuMemAllocHost_v2(&pinned, BYTES);
    launch3(scale, x, y, N, a);
    cuMemcpyDtoHAsync_v2(pinned, y, BYTES, a);
    if (waits)
        cuStreamSynchronize(a);
    tc_rt_host_read((void *)(uintptr_t)pinned, BYTES);
    cuMemcpyHtoD_v2(x, (u64)(uintptr_t)host, BYTES);
    cuStreamSynchronize(a);
}

static void read_early(void) {
    host_early(false);
}

static void read_late(void) {
    host_early(true);
}

static void free_on(bool same) {
    u64 x = 0, y = device(BYTES), a = stream_new(), b = stream_new();
    cuMemAllocAsync(&x, BYTES, a);
    launch3(scale, x, y, N, a);
    cuMemFreeAsync(x, same ? a : b);
    cuCtxSynchronize();
}

static void free_elsewhere(void) {
    free_on(false);
}

static void free_there(void) {
    free_on(true);
}

static void pinned_freed(void) {
    u64 x = device(BYTES), pinned = 0, a = stream_new();
    cuMemHostAlloc(&pinned, BYTES, 0);
    cuMemcpyHtoDAsync_v2(x, pinned, BYTES, a);
    cuMemFreeHost(pinned);
}

static void managed_freed(void) { // freeing waits
    u64 m = 0, y = device(BYTES), a = stream_new();
    cuMemAllocManaged(&m, BYTES, 1);
    launch3(scale, m, y, N, a);
    cuMemFree_v2(m);
    cuMemFree_v2(y);
}

static void registered(void) {
    static float host[N];
    u64 x = device(BYTES), a = stream_new(), h = (u64)(uintptr_t)host;
    cuMemHostRegister_v2(h, BYTES, 0);
    cuMemcpyHtoDAsync_v2(x, h, BYTES, a);
    cuMemHostUnregister(h);
}

static void set_and_kernel(void) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new();
    launch3(scale, x, y, N, a);
    cuMemsetD32Async(x, 0, N, b);
    cuCtxSynchronize();
}

static void atomics(void) { // two streams count into one word: no conflict
    u64 x = device(BYTES), y = device(BYTES), sum = device(4), a = stream_new(), b = stream_new();
    launch3(count, x, sum, N, a);
    launch3(count, y, sum, N, b);
    cuCtxSynchronize();
}

// ---- the contract ----

static void alias(void) {
    u64 x = device(BYTES);
    launch3(in_place, x, x, N, 0);
    launch3(scale, x, x, N, 0);
}

static void small(void) {
    u64 x = device(BYTES), y = device(BYTES / 2);
    launch3(scale, x, y, N, 0);
}

static void precondition(void) {
    u64 x = device(BYTES), y = device(BYTES);
    int n = N;
    void *args[] = {&x, &y, &n};
    cuLaunchKernel(scale, 16, 1, 1, 128, 1, 1, 0, 0, args, NULL);
}

static void null_pointer(void) {
    launch3(scale, 0, device(BYTES), N, 0);
}

static void contents(void) { // what the index array holds: FAKE_CONTENTS
    launch3(place, device(BYTES), device(BYTES), N, stream_new());
    cuCtxSynchronize();
}

// Integers of each size and sign, each as SEED says: in order, in order with one twice, anything between small bounds, anything.
static void facts(void) {
    static const char *const names[] = {"facts_u8", "facts_i8", "facts_u16", "facts_i16", "facts_u32", "facts_i32", "facts_u64", "facts_i64"};
    static const unsigned sizes[] = {8, 4};
    unsigned seed = (unsigned)atoi(getenv("SEED"));
    u64 random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, a = stream_new();
    for (unsigned k = 0; k < 8; k++) {
        unsigned size = 1u << (k / 2), mode = (seed + k) % 4;
        int n = (int)(1 + (random >> 33) % (mode < 2 && size == 1 ? 60 : 900));
        u64 x = device((u64)n * size), kernel = fake_kernel(names[k], 2, sizes);
        for (int i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            u64 v = mode < 2 ? (u64)i + 2 - (mode == 1 && i > n / 2) : mode == 2 ? (random >> 40) % 120 - (k % 2 ? 10 : 0) : random >> 7;
            memcpy((void *)(uintptr_t)(x + (u64)i * size), &v, size);
        }
        void *args[] = {&x, &n};
        cuLaunchKernel(kernel, ((u32)n + 63) / 64, 1, 1, 64, 1, 1, 0, a, args, NULL);
    }
}

// A kernel of the same name in another module: with WHICH=1 the first is launched, with 2 the second, with 3 both.
static void same_name(void) {
    static const unsigned three[] = {8, 8, 4};
    int which = atoi(getenv("WHICH"));
    u64 x = device(BYTES), other = code(&other_image), second = fake_kernel("scale", 3, three);
    if (which & 1)
        launch3(scale, x, x, N, 0);
    if (which & 2)
        launch3(second, x, x, N, 0);
    if (which == 3)
        launch3(scale, x, x + 4, N - 4, 0);
    cuModuleUnload(other);
}

// With the arguments of a launch that was right each time, and one thing else that is not.
static void almost_again(void) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new();
    int n = N;
    void *args[] = {&x, &y, &n};
    static const struct {
        u32 grid, block, smem;
    } launches[] = {{N / 64, 64, 256}, {N / 64, 64, 256}, {N / 64 + 1, 64, 256}, {N / 64, 64, 256}, {N / 64, 32, 256}, {N / 64, 64, 256}, {N / 64, 64, 512}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        cuLaunchKernel(staged, launches[i].grid, 1, 1, launches[i].block, 1, 1, launches[i].smem, a, args, NULL);
    n = N + 64;
    cuLaunchKernel(staged, N / 64 + 1, 1, 1, 64, 1, 1, 256, a, args, NULL);
}

static void failed_launch(void) { // it lends nothing; the block that no device takes is told
    u64 x = device(BYTES), y = device(BYTES), a = stream_new();
    int n = N;
    void *args[] = {&x, &y, &n};
    fake_fail(1);
    cuLaunchKernel(scale, 16, 1, 1, 64, 32, 1, 0, a, args, NULL);
    cuMemFreeAsync(x, stream_new());
}

static void rows(void) { // columns 0 … 15 and 16 … 31 of one image: no conflict; 8 … 23: one
    u64 m = device(64 * 256), a = stream_new(), b = stream_new(), c = stream_new();
    launch_fill(m, 64, 64, a);
    launch_fill(m + 64, 64, 64, b);
    if (getenv("OVERLAP"))
        launch_fill(m + 32, 64, 64, c);
    cuCtxSynchronize();
}

static void halves(void) { // a contract without a shape says nothing of how much: halves of a buffer are two buffers
    u64 y = device(BYTES), a = stream_new(), b = stream_new();
    launch_bare(y, N / 2, a);
    launch_bare(y + BYTES / 2, N / 2, b);
    if (getenv("SAME"))
        launch_bare(y, N / 2, b);
    cuCtxSynchronize();
}

static void packed(void) { // arguments in one buffer, by the record's offsets
    struct {
        u64 x, y;
        int n;
    } args = {device(BYTES), device(BYTES / 2), N};
    size_t size = 20;
    void *extra[] = {(void *)CU_PARAM_POINTER, &args, (void *)CU_PARAM_SIZE, &size, (void *)CU_PARAM_END};
    cuLaunchKernel(scale, 16, 1, 1, 64, 1, 1, 0, 0, NULL, extra);
}

static void extended(void) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new();
    int n = N;
    void *args[] = {&x, &y, &n}, *back[] = {&y, &x, &n};
    u8 attributes[2][CU_ATTRIBUTE_SIZE] = {{CU_ATTRIBUTE_CLUSTER}, {6}};
    const tc_cu_CUlaunchConfig one = {16, 1, 1, 64, 1, 1, 0, a, attributes, 2};
    cuLaunchKernelEx(&one, scale, args, NULL);
    cuLaunchCooperativeKernel(scale, 16, 1, 1, 64, 1, 1, 0, b, back);
    cuCtxSynchronize();
}

static void untracked(void) {
    u64 x = device(BYTES), y = device(BYTES);
    void *args[] = {&x};
    cuLaunchKernel(unknown, 1, 1, 1, 64, 1, 1, 0, 0, args, NULL);
    launch3(other_sizes, x, y, N, 0);
}

static void unloaded(void) { // the handle comes again, for another kernel
    u64 x = device(BYTES), y = device(BYTES / 2), old = scale;
    launch3(scale, x, x + 16, 1, 0);
    fake_unload();
    static const unsigned three[] = {8, 8, 4};
    if (fake_kernel("_Z5otherPfS_i", 3, three) != old)
        abort();
    launch3(old, x, y, N, 0);
}

// ---- copies ----

static void pitched(void) { // columns left and right: no conflict; with OVERLAP one column in common
    u64 pitch = 0, m = 0, a = stream_new(), b = stream_new(), c = stream_new(), from = device(1 << 16);
    cuMemAllocPitch_v2(&m, &pitch, 256, 64, 4);
    tc_cu_CUDA_MEMCPY2D left = {.srcMemoryType = CU_DEVICE, .srcDevice = from, .srcPitch = 128, .dstMemoryType = CU_DEVICE, .dstDevice = m,
                                .dstPitch = pitch, .WidthInBytes = 128, .Height = 64};
    tc_cu_CUDA_MEMCPY2D right = left;
    right.dstXInBytes = getenv("OVERLAP") ? 127 : 128;
    cuMemcpy2DAsync_v2(&left, a);
    cuMemcpy2DAsync_v2(&right, b);
    tc_cu_CUDA_MEMCPY3D into_array = {.srcMemoryType = CU_DEVICE, .srcDevice = m, .srcPitch = pitch, .srcHeight = 64,
                                      .dstMemoryType = CU_ARRAY, .dstArray = 1, .WidthInBytes = 256, .Height = 64, .Depth = 1};
    cuCtxSynchronize();
    cuMemcpy3DAsync_v2(&into_array, c);
    cuMemsetD2D16Async(m + 4, pitch, 0, 2, 64, c);
    if (getenv("OVERLAP"))
        cuMemsetD2D16Async(m + 4, pitch, 0, 2, 64, a);
    cuCtxSynchronize();
}

static void pageable(void) { // the driver does not know the memory: the copy is over when it returns
    static float host[N];
    u64 x = device(BYTES), a = stream_new();
    cuMemcpyAsync(x, (u64)(uintptr_t)host, BYTES, a);
    tc_rt_host_write(host, BYTES);
    fake_pointer(0x1000000, BYTES, CU_HOST);
    fake_pointer(0x2000000, BYTES, CU_DEVICE);
    cuMemcpyAsync(0x2000000, x, BYTES, a);
}

static void batch(void) {
    u64 x = device(BYTES), y = device(BYTES), z = device(BYTES), a = stream_new(), b = stream_new();
    u64 to[] = {x, y}, from[] = {z, z + 16}, sizes[] = {16, 16};
    cuMemcpyBatchAsync_v2(to, from, sizes, 2, 0, 0, 0, a);
    cuMemsetD32Async(y, 0, 1, b);
    cuCtxSynchronize();
}

static void peers(void) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new();
    launch3(scale, x, y, N, a);
    cuMemcpyPeer(x, 0xc0, y, 0xc0, BYTES);
    launch3(scale, x, y, N, a);
    cuMemcpyPeerAsync(y, 0xc0, x, 0xc0, BYTES, stream_new());
}

static void peer_box(void) { // in order with all work of both devices; with HOST the host waits, with ASYNC it is its stream's alone
    static float host[N];
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new();
    const tc_cu_CUDA_MEMCPY3D_PEER m = {.srcMemoryType = CU_DEVICE, .srcDevice = x, .srcPitch = 64, .srcHeight = 4, .srcContext = 0xc0,
                                        .dstMemoryType = getenv("HOST") ? CU_HOST : CU_DEVICE, .dstDevice = y, .dstHost = (u64)(uintptr_t)host,
                                        .dstPitch = 64, .dstHeight = 4, .dstContext = 0xc0, .WidthInBytes = 64, .Height = 4, .Depth = 1};
    launch3(scale, y, x, N, a);
    cuMemcpy3DPeer(&m);
    launch3(scale, x, y, N, b);
    tc_rt_host_read(host, BYTES);
}

static void ipc_memory(void) { // opened twice it is there until it is closed twice; with EARLY the second time comes too early
    u64 x = 0, again = 0, y = device(BYTES), a = stream_new();
    cuIpcOpenMemHandle_v2(&x, 0);
    cuIpcOpenMemHandle_v2(&again, 0);
    launch3(scale, x, y, N, a);
    cuIpcCloseMemHandle(again);
    launch3(scale, x, y, N, a);
    if (!getenv("EARLY"))
        cuStreamSynchronize(a);
    cuIpcCloseMemHandle(x);
    if (getenv("AFTER"))
        launch3(scale, x, y, N, a);
}

static void ipc_event(void) { // another process has waited for stream a, and records e; OWN: an event that only this process has
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new(), e = event_new(), pinned = 0;
    cuMemAllocHost_v2(&pinned, BYTES);
    if (!getenv("OWN")) {
        cuEventDestroy_v2(e);
        cuIpcOpenEventHandle(&e);
    }
    launch3(scale, x, y, N, a);
    cuMemcpyDtoHAsync_v2(pinned, y, BYTES, a);
    cuStreamWaitEvent(b, e, 0);
    launch3(scale, y, x, N, b);
    cuEventSynchronize(e);
    cuMemFreeHost(pinned);
}

static void per_thread(void) { // the thread's default stream, and no other
    u64 x = device(BYTES), y = device(BYTES), pinned = 0, e = event_new();
    cuMemAllocHost_v2(&pinned, BYTES);
    int n = N;
    void *args[] = {&x, &y, &n};
    cuMemcpyHtoDAsync_v2_ptsz(x, pinned, BYTES, 0);
    cuLaunchKernel_ptsz(scale, 16, 1, 1, 64, 1, 1, 0, 0, args, NULL);
    cuEventRecord(e, TC_RT_PER_THREAD);
    cuEventSynchronize(e);
    cuMemFreeHost(pinned);
}

// One call of each kind that no other scenario makes.
static void calls(void) {
    static float host[N];
    u64 h = (u64)(uintptr_t)host, x = device(BYTES), y = device(BYTES), z = 0, a = 0, e = event_new(), graph = 0, other = 0, exec = 0, node[4];
    cuStreamCreateWithPriority(&a, 0, 3);
    cuMemAllocFromPoolAsync(&z, BYTES, 0x77, a);
    cuMemcpyDtoD_v2(x, y, 64);
    cuMemcpyDtoDAsync_v2(y, x, 64, a);
    cuMemcpyDtoH_v2(h, x, 128);
    cuMemcpyHtoAAsync_v2(5, 0, h, 256, a);
    cuMemcpyAtoH_v2(h, 5, 0, 512);
    cuMemcpy(x, h, 16);
    const tc_cu_CUDA_MEMCPY2D up = {.srcMemoryType = CU_HOST, .srcHost = h, .srcPitch = 64, .srcY = 1, .dstMemoryType = CU_DEVICE, .dstDevice = x,
                                    .dstPitch = 128, .WidthInBytes = 32, .Height = 8};
    cuMemcpy2D_v2(&up);
    cuMemsetD8_v2(x, 1, 32);
    cuLaunchHostFunc(a, 1, 2);
    cuEventRecord(e, a);
    fake_fail(600); // not ready: nothing was learned
    cuEventQuery(e);
    cuEventQuery(e);
    cuStreamQuery(a);
    cuEventDestroy_v2(e);
    cuGraphCreate(&graph, 0);
    const tc_cu_CUDA_MEMCPY3D box = {.srcMemoryType = CU_DEVICE, .srcDevice = x, .srcPitch = 16, .srcHeight = 4, .srcZ = 1, .dstMemoryType = CU_DEVICE,
                                     .dstDevice = y, .dstPitch = 16, .dstHeight = 4, .WidthInBytes = 8, .Height = 2, .Depth = 3};
    cuGraphAddEmptyNode(&node[0], graph, NULL, 0);
    cuGraphAddMemcpyNode(&node[1], graph, node, 1, &box, 0);
    int n = N;
    void *args[] = {&x, &y, &n};
    const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 p = {scale, 16, 1, 1, 64, 1, 1, 0, args, NULL, 0, 0};
    cuGraphAddKernelNode_v2(&node[2], graph, &node[1], 1, &p);
    cuGraphAddEventRecordNode(&node[3], graph, &node[2], 1, event_new());
    cuGraphKernelNodeSetParams_v2(node[2], &p);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphClone(&other, graph);
    cuGraphExecUpdate_v2(exec, other, NULL);
    cuMemFreeAsync(z, a);
    cuStreamDestroy_v2(a);
}

// ---- virtual memory, values in memory ----

static void mapped(void) {
    u64 range = 0, y = device(BYTES), a = stream_new();
    cuMemAddressReserve(&range, 1 << 21, 0, 0, 0);
    launch3(scale, range, y, N, a);
    if (!getenv("EARLY"))
        cuStreamSynchronize(a);
    cuMemUnmap(range, 1 << 21);
    cuStreamSynchronize(a);
    cuMemAddressFree(range, 1 << 21);
}

static void waits_for_value(void) { // order that the shim cannot see is believed
    u64 x = device(BYTES), y = device(BYTES), flag = device(4), a = stream_new(), b = stream_new();
    launch3(scale, x, y, N, a);
    cuStreamWaitValue32_v2(b, flag, 1, 0);
    launch3(scale, y, x, N, b);
    cuCtxSynchronize();
}

// ---- graphs ----

static tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 node_of(void **args) {
    return (tc_cu_CUDA_KERNEL_NODE_PARAMS_v2){scale, 16, 1, 1, 64, 1, 1, 0, args, NULL, 0, 0};
}

static void captured(void) {
    u64 x = device(BYTES), y = 0, a = stream_new(), b = stream_new(), graph = 0, exec = 0;
    cuMemAllocAsync(&y, BYTES, b);
    cuStreamSynchronize(b);
    cuStreamBeginCapture_v2(a, 0);
    launch3(scale, x, y, N, a);
    cuStreamEndCapture(a, &graph);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphDestroy(graph);
    cuGraphLaunch(exec, a);
    cuStreamSynchronize(a);
    if (getenv("EARLY"))
        cuMemFreeAsync(y, b);
    cuGraphExecDestroy(exec);
}

static void built(void) { // with LOOSE: no edge between the first two
    u64 x = device(BYTES), y = device(BYTES), z = device(BYTES), graph = 0, exec = 0, first = 0, second = 0, third = 0, gone = 0, a = stream_new();
    int n = N;
    void *args[] = {&x, &y, &n}, *back[] = {&y, &x, &n}, *away[] = {&x, &z, &n}, *home[] = {&z, &x, &n};
    tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 p = node_of(args), q = node_of(back), r = node_of(away), s = node_of(home);
    cuGraphCreate(&graph, 0);
    cuGraphAddKernelNode_v2(&second, graph, NULL, 0, &q);
    cuGraphAddKernelNode_v2(&first, graph, NULL, 0, &p);
    cuGraphAddKernelNode_v2(&gone, graph, NULL, 0, &q);
    cuGraphDestroyNode(gone);
    if (!getenv("LOOSE"))
        cuGraphAddDependencies(graph, &first, &second, 1); // edges may come later, and against the order of making
    const tc_cu_CUDA_MEMSET_NODE_PARAMS zeros = {z, 0, 0, 4, N, 1};
    cuGraphAddMemsetNode(&third, graph, &second, 1, &zeros, 0);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphLaunch(exec, a);
    cuCtxSynchronize();
    // From here on the executable uses z and not y: y may go.
    cuGraphExecKernelNodeSetParams_v2(exec, first, &r);
    cuGraphExecKernelNodeSetParams_v2(exec, second, &s);
    if (!getenv("WRONG"))
        cuMemFree_v2(y);
    cuGraphLaunch(exec, a);
    cuCtxSynchronize();
    if (getenv("WRONG"))
        cuMemFree_v2(z);
    cuGraphExecDestroy(exec);
    cuGraphDestroy(graph);
}

static void cloned(void) {
    u64 x = device(BYTES), y = device(BYTES), graph = 0, clone = 0, exec = 0, first = 0;
    int n = N;
    void *args[] = {&x, &y, &n};
    tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 p = node_of(args);
    cuGraphCreate(&graph, 0);
    cuGraphAddKernelNode_v2(&first, graph, NULL, 0, &p);
    cuGraphClone(&clone, graph);
    cuGraphDestroy(graph);
    cuGraphInstantiateWithFlags(&exec, clone, 0);
    cuMemFree_v2(y);
}

static void graph_events(void) { // an event that a node records orders what waits for it
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new(), e = event_new(), graph = 0, exec = 0, nodes[2];
    int n = N;
    void *args[] = {&x, &y, &n};
    tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 p = node_of(args);
    struct {
        u32 type, pad[3];
        u64 body[30];
    } record = {7, {0}, {e}};
    cuGraphCreate(&graph, 0);
    cuGraphAddKernelNode_v2(&nodes[0], graph, NULL, 0, &p);
    cuGraphAddNode_v2(&nodes[1], graph, nodes, NULL, 1, &record);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphLaunch(exec, a);
    cuStreamWaitEvent(b, e, 0);
    launch3(scale, y, x, N, b);
    cuCtxSynchronize();
}

static void sync_in_capture(void) {
    u64 a = stream_new(), graph = 0;
    cuStreamBeginCapture_v2(a, 0);
    fake_fail(900);
    cuStreamSynchronize(a);
    fake_fail(901);
    cuStreamEndCapture(a, &graph);
}

// ---- allocators ----

static void pool(void) {
    u64 block = device(BYTES), other = device(BYTES), a = stream_new(), b = stream_new(), e = event_new();
    void *p = (void *)(uintptr_t)block;
    tc_rt_sub_alloc(p, BYTES, (void *)(uintptr_t)a, "activations");
    launch3(scale, block, other, N, a);
    tc_rt_sub_free(p);
    if (!getenv("EARLY")) {
        cuEventRecord(e, a);
        cuStreamWaitEvent(b, e, 0);
    }
    tc_rt_sub_alloc(p, BYTES, (void *)(uintptr_t)b, "gradients");
    cuCtxSynchronize();
}

static void on_finding(void *ctx, const tc_rt_report *r) {
    printf("sink: %s buffer %s in %s\n", r->code, r->buffer ? r->buffer : "?", (const char *)ctx);
    tc_rt_host_read(ctx, 1); // a call from a sink is a call
    fflush(stdout);
}

static void explicit_loans(void) {
    static char host[64] = "context";
    u64 a = stream_new();
    void *s = (void *)(uintptr_t)a;
    tc_rt_on_finding(on_finding, host);
    tc_rt_alloc(host, sizeof host, "table");
    tc_rt_lend(host, sizeof host, TC_RT_LEND_MUT, s, "engine");
    if (getenv("EARLY"))
        tc_rt_host_write(host, 8);
    tc_rt_release(host, s);
    tc_rt_host_write(host, 8);
    tc_rt_free(host);
    tc_rt_totals t = tc_rt_counts_now();
    printf("active %d, findings %llu, live %llu\n", tc_rt_active(), (unsigned long long)t.findings, (unsigned long long)t.live_allocations);
}

// ---- the process ----

static void *work(void *ctx) {
    (void)ctx;
    u64 a = stream_new(), y = device(BYTES);
    for (int i = 0; i < 2000; i++) {
        u64 x = device(BYTES);
        launch3(scale, x, y, N, a);
        cuStreamSynchronize(a);
        cuMemFree_v2(x);
    }
    return NULL;
}

static void threads(void) { // addresses are given out again to other threads at once
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
}

static void forked(void) {
    missing_event();
    pid_t child = fork();
    if (child == 0) {
        set_and_kernel();
        exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("child %d\n", status);
}

static void *endless(void *ctx) {
    for (;;)
        work(ctx);
    return NULL;
}

static void exit_in_work(void) {
    missing_event(); // before others free memory, which waits for all work
    for (int i = 0; i < 4; i++) {
        pthread_t t;
        pthread_create(&t, NULL, endless, NULL);
    }
    usleep(20000);
    exit(7);
}

static void aborts(void) {
    missing_event();
    raise(SIGABRT);
}

static void twice(void) { // each once
    missing_event();
    u64 x = device(BYTES), y = device(BYTES), a = stream_new(), b = stream_new();
    for (int i = 0; i < 5; i++) {
        launch3(scale, x, y, N, a);
        launch3(scale, y, x, N, b);
    }
}

// Nanoseconds a launch, for a look; scripts/bench-shim measures with a driver that works.
static void bench(void) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new();
    struct timespec t, u;
    clock_gettime(CLOCK_MONOTONIC, &t);
    for (int i = 0; i < 1000000; i++) {
        launch3(scale, x, y, N, a);
        if (i % (getenv("EVERY") ? atoi(getenv("EVERY")) : 1024) == 0)
            cuStreamSynchronize(a);
    }
    clock_gettime(CLOCK_MONOTONIC, &u);
    printf("%.0f ns\n", ((double)(u.tv_sec - t.tv_sec) * 1e9 + (double)(u.tv_nsec - t.tv_nsec)) / 1e6);
}

static void context_ends(void) {
    u64 x = device(BYTES), y = device(BYTES), a = stream_new();
    launch3(scale, x, y, N, a);
    fake_context_destroy();
    u64 z = device(BYTES), b = stream_new();
    launch3(scale, z, y, N, b);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
#define S(name) {#name, name}
    S(missing_event), S(with_event),   S(read_early),   S(read_late),       S(free_elsewhere), S(free_there),   S(pinned_freed), S(managed_freed),
    S(registered),    S(set_and_kernel), S(atomics),    S(alias),           S(small),          S(precondition), S(null_pointer), S(almost_again), S(failed_launch), S(rows),
    S(halves),        S(packed),       S(extended),     S(untracked),       S(unloaded),       S(pitched),      S(pageable),     S(batch),
    S(peers), S(peer_box), S(ipc_memory), S(ipc_event),         S(per_thread),   S(mapped),       S(waits_for_value), S(captured),       S(built),        S(cloned),       S(graph_events),
    S(sync_in_capture), S(pool),       S(explicit_loans), S(threads),       S(forked),         S(exit_in_work), S(aborts),       S(twice),
    S(context_ends), S(contents), S(facts),  S(same_name), S(bench), S(calls)};

int main(int argc, char **argv) {
    cuInit(0);
    load();
    for (size_t i = 0; argc > 1 && i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(argv[1], scenarios[i].name)) {
            scenarios[i].run();
            return 0;
        }
    fprintf(stderr, "no such scenario\n");
    return 99;
}
