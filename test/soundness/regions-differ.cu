// Regions whose size differs from block to block, or whose place is no function of the block.
// RUN: %verdicts %s --rules=TC1,TC2,TC9 | FileCheck %s
#include <tilecheck.h>
#define G __global__ void

// Block b would own [b (b + 1), (b + 1) (b + 1)), and these are apart; but tiles of a growing size are no tiling.
// CHECK: kernel grows {{violated|unknown}}
tc_block(1) tc_grid(8) G grows(tc_mut tc_shape(64) tc_tile(blockIdx.x + 1) float *y, int rare) {
    if (rare == 1000002) y[blockIdx.x * (blockIdx.x + 1)] = 1; }
// Places of different blocks are different, tiles overlap all the same.
// CHECK: kernel grows_and_meets {{violated|unknown}}
tc_block(1) tc_grid(8) G grows_and_meets(tc_mut tc_shape(64) tc_tile(blockIdx.x + 1) float *y) {
    for (int i = 0; i <= blockIdx.x; i++) y[blockIdx.x * (blockIdx.x + 1) + i] = 1; y[blockIdx.x == 1 ? 2 : 63 - blockIdx.x] = 1; }
// Tiles of 4 and of 2 elements at places 0 and 1: elements 0 … 3 and 2, 3.
// CHECK: kernel two_sizes {{violated|unknown}}
tc_block(4) tc_grid(2) G two_sizes(tc_mut tc_shape(8) tc_tile(4 - 2 * blockIdx.x) float *y, int rare) {
    if (rare == 1000002 && threadIdx.x < 4 - 2 * blockIdx.x) y[2 * blockIdx.x + threadIdx.x] = 1; }
// The same where no small launch shows it: from block 1000000 on.
// CHECK: kernel two_sizes_far {{violated|unknown}}
tc_block(4) tc_grid(n) tc_requires(n <= 1 << 21) G two_sizes_far(tc_mut tc_shape(4 * n) tc_tile(blockIdx.x < 1000000 ? 4 : 2) float *y, int n) {
    if (blockIdx.x < 1000000) y[4 * blockIdx.x + threadIdx.x] = 1; else if (threadIdx.x < 2) y[2 * blockIdx.x + threadIdx.x] = 1; }
// CHECK: kernel own_owner_far {{violated|unknown}}
tc_block(1) tc_grid(n) tc_requires(n <= 1 << 21) G own_owner_far(tc_mut tc_shape(n) tc_tile(1) tc_owner(i; blockIdx.x < 1000000 ? i : blockIdx.x) float *y, int n) {
    y[blockIdx.x < 1000000 ? blockIdx.x : 3] = 1; }
// The owner of the last tile is a block that is not there: nobody may write it, and the contract says otherwise.
// CHECK: kernel owner_not_there {{violated|unknown}}
tc_block(1) tc_grid(8) G owner_not_there(tc_mut tc_shape(9) tc_tile(1) tc_owner(i; i) float *y) {
    y[blockIdx.x] = 1; }
// Two blocks along y with one tile, which only a rare launch shows.
// CHECK: kernel lacks_an_axis {{violated|unknown}}
tc_block(1) tc_grid(8, 2) G lacks_an_axis(tc_mut tc_shape(8) tc_tile(1) tc_at(blockIdx.x) float *y, int rare) {
    if (rare == 1000002 && blockIdx.y < 2) y[blockIdx.x] = 1; }
// The owner of a tile is one block for all that look.
// CHECK: kernel own_owner {{violated|unknown}}
tc_block(1) tc_grid(8) G own_owner(tc_mut tc_shape(64) tc_tile(1) tc_owner(i; blockIdx.x) float *y, int rare) {
    if (rare == 1000002) y[3] = 1; }
// Rows that begin where another block's end, less one.
// CHECK: kernel rows_meet {{violated|unknown}}
tc_block(1) tc_grid(8) G rows_meet(tc_mut tc_shape(65) tc_rows(blockIdx.x * 8, blockIdx.x * 8 + 9) float *y, int rare) {
    if (rare == 1000002) y[blockIdx.x * 8 + 8] = 1; }
// CHECK: kernel rows_apart proved
tc_block(1) tc_grid(8) G rows_apart(tc_mut tc_shape(64) tc_rows(blockIdx.x * 8, blockIdx.x * 8 + 8) float *y, int rare) {
    if (rare == 1000002) y[blockIdx.x * 8 + 7] = 1; }
// A place that a division makes one for two blocks, far out.
// CHECK: kernel far_out {{violated|unknown}}
tc_block(1) tc_grid(n) tc_requires(n <= 1 << 20) G far_out(tc_mut tc_shape(n) tc_tile(1) tc_at(blockIdx.x < 1000000 ? blockIdx.x : blockIdx.x - blockIdx.x % 2) float *y, int n) {
    if (blockIdx.x >= 1000000 && blockIdx.x % 2 == 1) y[blockIdx.x - 1] = 1; }
// A negative place has an empty tile, and no element to write.
// CHECK: kernel negative_place {{violated|unknown}}
tc_block(1) tc_grid(8) G negative_place(tc_mut tc_shape(8) tc_tile(1) tc_at((int)blockIdx.x - 1) float *y, int rare) {
    if (rare == 1000002) y[blockIdx.x == 0 ? 7 : blockIdx.x - 1] = 1; }
// CHECK: kernel negative_place_kept proved
tc_block(1) tc_grid(8) G negative_place_kept(tc_mut tc_shape(8) tc_tile(1) tc_at((int)blockIdx.x - 1) float *y) {
    if (blockIdx.x > 0) y[blockIdx.x - 1] = 1; }
