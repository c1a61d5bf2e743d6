/* What host code of kernels needs to link without CUDA's runtime. Launches do nothing. */
#include <stddef.h>

typedef struct {
    unsigned x, y, z;
} dim3;

#define PUBLIC __attribute__((visibility("default")))
PUBLIC int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
PUBLIC int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
PUBLIC int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);

int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
    (void)grid, (void)block, (void)shared, (void)stream;
    return 0;
}

int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    (void)grid, (void)block, (void)shared, (void)stream;
    return 0;
}

int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream) {
    (void)function, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    return 0;
}
