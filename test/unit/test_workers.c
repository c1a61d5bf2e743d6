// What workers find arrives whole and in its place; one that ends early loses its own part alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "checker/workers.h"

enum { COUNT = 23 };

typedef struct plan {
    tc_arena *arena;
    size_t dies; // number of the item at which its worker ends
    bool raises; // it runs out of memory instead
} plan;

static void work(void *ctx, size_t i, tc_outcome *o) {
    const plan *p = ctx;
    if (i == p->dies && p->raises)
        tc_trap_raise(tc_arena_trap(p->arena), TC_ENOMEM, "no more");
    if (i == p->dies) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    o->skipped = i % 5 == 4;
    o->verdict = (tc_verdict)(i % 4);
    o->report = i % 3 ? tc_fmt(p->arena, "report %zu", i) : NULL;
    tc_text dump = {.arena = p->arena};
    for (size_t k = 0; k < i * 4000; k++) // more than a pipe holds
        tc_putc(&dump, (char)('a' + i));
    o->dump = tc_text_str(&dump);
    for (size_t k = 0; k < i * 7 % 50; k++)
        tc_push(p->arena, &o->contract, (uint8_t)(k * i)); // zeros among them
    for (size_t k = 0; k < i % 4; k++) {
        tc_finding f = {.code = k ? "TC2001" : NULL, .severity = TC_SEV_WARNING, .loc = {1, (uint32_t)i, (uint32_t)k, 0, 0}};
        f.text = tc_fmt(p->arena, "finding %zu of %zu", k, i);
        f.kernel = "k";
        tc_note n = {{2, 3, 4, 5, 6}, "a note"};
        tc_push(p->arena, &f.notes, n);
        tc_push(p->arena, &o->findings, f);
    }
}

static void check(const tc_outcome *o, size_t i) {
    assert_false(o->lost);
    assert_int_equal(o->skipped, i % 5 == 4);
    assert_int_equal(o->verdict, i % 4);
    if (i % 3 == 0)
        assert_null(o->report);
    else
        assert_non_null(strstr(o->report, "report "));
    assert_int_equal(strlen(o->dump), i * 4000);
    assert_int_equal(o->contract.len, i * 7 % 50);
    for (size_t k = 0; k < o->contract.len; k++)
        assert_int_equal(o->contract.data[k], (uint8_t)(k * i));
    assert_int_equal(o->findings.len, i % 4);
    for (size_t k = 0; k < o->findings.len; k++) {
        const tc_finding *f = &o->findings.data[k];
        assert_true(k ? strcmp(f->code, "TC2001") == 0 : f->code == NULL);
        assert_int_equal(f->loc.line, i);
        assert_int_equal(f->notes.len, 1);
        assert_int_equal(f->notes.data[0].loc.end_column, 6);
        assert_string_equal(f->notes.data[0].text, "a note");
    }
}

static void run(tc_trap *trap, void *arg) {
    plan *p = arg;
    for (unsigned workers = 2; workers <= 70; workers += 17) {
        p->arena = tc_arena_new(trap);
        tc_outcome out[COUNT];
        tc_work_list list = {.count = COUNT, .workers = workers, .work = work, .ctx = p};
        assert_true(tc_workers_run(p->arena, &list, out));
        unsigned used = workers < COUNT ? workers : COUNT;
        for (size_t i = 0; i < COUNT; i++)
            if (i >= p->dies && i % used == p->dies % used)
                assert_true(out[i].lost);
            else
                check(&out[i], i);
    }
}

static void all_arrives(void **state) {
    (void)state;
    plan p = {.dies = COUNT};
    assert_int_equal(tc_trap_run(run, &p, NULL), TC_OK);
}

static void a_crash_loses_its_part(void **state) {
    (void)state;
    plan p = {.dies = 5};
    assert_int_equal(tc_trap_run(run, &p, NULL), TC_OK);
}

static void no_memory_loses_its_part(void **state) {
    (void)state;
    plan p = {.dies = 7, .raises = true};
    assert_int_equal(tc_trap_run(run, &p, NULL), TC_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_arrives),
        cmocka_unit_test(a_crash_loses_its_part),
        cmocka_unit_test(no_memory_loses_its_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
