// What a launch costs: empty kernels with 0 to 6 borrows, launched as fast as the host can. Prints "case ns" lines; scripts/bench-shim runs
// it with and without the shim.
//
// usage: launches time LAUNCHES | memory LAUNCHES
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <tilecheck.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess) {                                                                                   \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));                       \
            std::exit(3);                                                                                              \
        }                                                                                                              \
    } while (0)

#define LAUNCH tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n >= 1 && n <= 1 << 20)
#define IN tc_shared tc_shape(n) const float *
#define OUT tc_mut tc_shape(n) tc_tile(64) float *

// Without a borrow there is nothing to prove; the launch is checked all the same.
LAUNCH __global__ void borrows0(int n) {}
LAUNCH __global__ void borrows1(OUT a, int n) {}
LAUNCH __global__ void borrows2(OUT a, IN b, int n) {}
LAUNCH __global__ void borrows3(OUT a, IN b, IN c, int n) {}
LAUNCH __global__ void borrows4(OUT a, IN b, IN c, IN d, int n) {}
LAUNCH __global__ void borrows5(OUT a, IN b, IN c, IN d, IN e, int n) {}
LAUNCH __global__ void borrows6(OUT a, IN b, IN c, IN d, IN e, IN f, int n) {}
__global__ void no_contract(float *a, const float *b, const float *c, int n) {}

constexpr int N = 64;
constexpr int BORROWS = 6;
constexpr int NO_CONTRACT = 7;

struct work {
    float *p[BORROWS];
    cudaStream_t stream;

    work()
    {
        for (float *&x : p)
            CHECK(cudaMalloc(&x, N * sizeof(float)));
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }

    void launch(int which)
    {
        switch (which) {
        case 0: borrows0<<<1, 64, 0, stream>>>(N); break;
        case 1: borrows1<<<1, 64, 0, stream>>>(p[0], N); break;
        case 2: borrows2<<<1, 64, 0, stream>>>(p[0], p[1], N); break;
        case 3: borrows3<<<1, 64, 0, stream>>>(p[0], p[1], p[2], N); break;
        case 4: borrows4<<<1, 64, 0, stream>>>(p[0], p[1], p[2], p[3], N); break;
        case 5: borrows5<<<1, 64, 0, stream>>>(p[0], p[1], p[2], p[3], p[4], N); break;
        case 6: borrows6<<<1, 64, 0, stream>>>(p[0], p[1], p[2], p[3], p[4], p[5], N); break;
        default: no_contract<<<1, 64, 0, stream>>>(p[0], p[1], p[2], N); break;
        }
    }
};

static double now()
{
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The host's time alone: short bursts, so that the queue of the device is never full, and the wait is not counted.
static double nanoseconds(work &w, int which, long launches)
{
    const int burst = 256;
    double spent = 0;
    for (long i = 0; i < launches; i += burst) {
        double from = now();
        for (int k = 0; k < burst; k++)
            w.launch(which);
        spent += now() - from;
        CHECK(cudaStreamSynchronize(w.stream));
    }
    CHECK(cudaGetLastError());
    return spent / (double)launches;
}

static void time_threads(int threads, int which, long launches)
{
    std::vector<work> w(threads);
    std::vector<double> each(threads);
    std::vector<std::thread> t;
    for (int i = 0; i < threads; i++)
        t.emplace_back([&, i] { each[i] = nanoseconds(w[i], which, launches / threads); });
    double sum = 0;
    for (int i = 0; i < threads; i++) {
        t[i].join();
        sum += each[i];
    }
    const char *name = which == NO_CONTRACT ? "no contract" : "borrows";
    if (which == NO_CONTRACT)
        std::printf("%s, %d thread%s: %.1f\n", name, threads, threads == 1 ? "" : "s", sum / threads);
    else
        std::printf("%d %s, %d thread%s: %.1f\n", which, name, threads, threads == 1 ? "" : "s", sum / threads);
}

static void time_graph(long launches)
{
    work w;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(w.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 16; i++)
        w.launch(3);
    CHECK(cudaStreamEndCapture(w.stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    double spent = 0;
    for (long i = 0; i < launches; i += 64) {
        double from = now();
        for (int k = 0; k < 64; k++)
            CHECK(cudaGraphLaunch(exec, w.stream));
        spent += now() - from;
        CHECK(cudaStreamSynchronize(w.stream));
    }
    std::printf("graph of 16 kernels, a launch: %.1f\n", spent / (double)launches);
}

static long resident()
{
    long kib = -1;
    char line[256];
    std::FILE *f = std::fopen("/proc/self/status", "r");
    while (f && std::fgets(line, sizeof line, f))
        if (!std::strncmp(line, "VmRSS:", 6))
            kib = std::atol(line + 6);
    if (f)
        std::fclose(f);
    return kib;
}

static void memory(long launches)
{
    work w;
    nanoseconds(w, 6, 4096);
    std::printf("resident after 4096 launches, KiB: %ld\n", resident());
    nanoseconds(w, 6, launches);
    std::printf("resident after %ld launches, KiB: %ld\n", launches, resident());
}

int main(int argc, char **argv)
{
    long launches = argc > 2 ? std::atol(argv[2]) : 200000;
    if (argc > 1 && !std::strcmp(argv[1], "memory")) {
        memory(launches);
        return 0;
    }
    {
        work warm;
        for (int which = 0; which <= NO_CONTRACT; which++)
            nanoseconds(warm, which, 4096);
    }
    for (int threads : {1, 4})
        for (int which = 0; which <= NO_CONTRACT; which++)
            time_threads(threads, which, launches);
    time_graph(launches / 16);
    return 0;
}
