// The end of a decode step: the new token is noted, and the next one stands one place further.
//
// Shapes: position and length have one number each, length = position + 1; token has one, tokens has capacity.
// Proved: whatever position holds, nothing is written outside of tokens.
#include "q3_kernels.h"
#include "tk_device.h"
#include "tk_host.h"

#include <tilecheck.h>

tc_block(1) tc_grid(1)
tc_requires(capacity >= 1 && capacity <= 1 << 24)
__global__ void advance_step(tc_mut tc_shape(1) int *position, tc_mut tc_shape(1) int *length, tc_mut tc_shape(capacity) int *tokens,
                             tc_shared tc_shape(1) const int *token, int capacity)
{
    tk_let_next_start();
    tk_wait_for_previous();
    const int next = position[0];
    if (next < 0 || next >= capacity - 1) // full: the caller asks for no further step
        return;
    tokens[next + 1] = token[0];
    position[0] = next + 1;
    length[0] = next + 2;
}

extern "C" tk_status q3_advance(int32_t *position, int32_t *length, int32_t *tokens, const int32_t *token, int64_t capacity, tk_stream stream)
{
    if (capacity < 1 || capacity > 1 << 24)
        return tk_fail(TK_SIZE, "a cache of %lld tokens: up to 2^24 are supported", (long long)capacity);
    const tk_tensor vectors[] = {tk_vector(position, TK_I32, 1), tk_vector(length, TK_I32, 1), tk_vector(tokens, TK_I32, capacity),
                                 tk_vector((void *)token, TK_I32, 1)};
    const char *const names[] = {"position", "length", "tokens", "token"};
    TK_TRY(tk_check_vectors(4, 3, vectors, names));
    tk_launch(advance_step, 1, 1, 0, stream, position, length, tokens, token, (int)capacity);
    return tk_launched("advance_step");
}
