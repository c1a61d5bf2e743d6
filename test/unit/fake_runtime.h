// A CUDA runtime without a device: launches are noted, not run. For the host side of examples/.
#ifndef FAKE_RUNTIME_H
#define FAKE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

enum { FAKE_ARGS = 32 };

typedef struct fake_launch {
    const void *kernel; // the host's function for it
    char name[256];     // mangled; "" where it is not told
    unsigned grid[3], block[3];
    size_t smem;
    void *stream;
    void *args[FAKE_ARGS]; // addresses of the arguments: valid during the launch only
} fake_launch;

// What the next launch gives back (0: success), and what happens at it.
extern int fake_launch_error;
extern void (*fake_on_launch)(const fake_launch *l);

extern size_t fake_launches;    // since the last fake_reset
extern fake_launch fake_last;   // the last of them
extern int fake_multiprocessors;
extern int fake_waits;          // calls that wait, or allocate: the library makes none

void fake_reset(void);

#endif
