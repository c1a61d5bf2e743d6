// How a decode step's attention is cut: attend_step.cu.
#ifndef Q3_ATTEND_SHAPE_H
#define Q3_ATTEND_SHAPE_H

#include <stddef.h>
#include <stdint.h>

enum { Q3_GROUP_MOST = 8 }; // heads of q with one head of k and v

#ifdef __cplusplus
extern "C" {
#endif

int64_t q3_attend_splits(int64_t kv_heads, int64_t capacity); // of the cache, 1 to 128

#ifdef __cplusplus
}
#endif
#endif
