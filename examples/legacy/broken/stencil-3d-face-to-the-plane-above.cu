// Fault: a point of a face is copied to the plane above.
// The repaired kernel is ../stencil-3d.cu.
#include <tilecheck.h>

#define TX 32
#define TY 8

tc_block(TX, TY) tc_grid(tc_cdiv(nx, TX), tc_cdiv(ny, TY))
tc_requires(nz >= 1 && nx <= 1 << 20 && ny <= 1 << 20 && nz <= 1 << 20 && nz * ny * nx < 1 << 30)
__global__ void heat_step(tc_out tc_shape(nz, ny, nx) tc_tile(nz, TY, TX) tc_at(0, blockIdx.y, blockIdx.x) float *out,
                          tc_shared tc_shape(nz, ny, nx) const float *in,
                          float r, int nz, int ny, int nx)
{
    const int x = blockIdx.x * TX + threadIdx.x;
    const int y = blockIdx.y * TY + threadIdx.y;
    if (x >= nx || y >= ny)
        return;

    const int plane = ny * nx;
    const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    float below = 0.0f, here = in[y * nx + x];
    for (int z = 0; z < nz; ++z) {
        const int i = z * plane + y * nx + x;
        const float above = z + 1 < nz ? in[i + plane] : 0.0f;
        if (inner && z > 0 && z < nz - 1)
            out[i] = here + r * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above - 6.0f * here);
        else
            out[i + plane] = here;
        below = here;
        here = above;
    }
}
