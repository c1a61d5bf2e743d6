// How softmax takes its long rows: as many threads as leave two blocks on a multiprocessor where that holds the whole row, else as many as there are.
#include "softmax_shape.h"

#include "tk_host.h"

enum { PACK = 16, RESERVED = 1024 }; // bytes, the second of what a block has of its own

int softmax_threads(int64_t packs, bool odd)
{
    const int64_t room = (tk_shared_bytes() - RESERVED) / 2;
    if (odd && packs <= 8 * 128)
        return 128;
    return packs <= 512 * (4 + room / (512 * PACK)) && packs <= 512 * (4 + SOFTMAX_SLOTS) ? 512 : 1024;
}

int softmax_slots(int64_t packs, int threads, int held)
{
    const int64_t needed = (packs + threads - 1) / threads - held, room = (tk_shared_bytes() - RESERVED) / (threads * PACK);
    const int64_t slots = needed < room ? needed : room;
    return slots < 0 ? 0 : slots > SOFTMAX_SLOTS ? SOFTMAX_SLOTS : (int)slots;
}
