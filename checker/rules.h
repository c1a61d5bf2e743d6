// What the rules share: the context of one kernel's check, hypotheses at a program point, obligations in the making.
#ifndef TC_CHECKER_RULES_H
#define TC_CHECKER_RULES_H

#include "checker/verdict.h"

// The subscripts of an access under its contract's shape. Adjacent dimensions that lie without a gap in memory may be
// taken together, as one group with one subscript.
typedef struct tc_index {
    bool exact;  // the access begins in the element that the subscripts name, in any launch
    bool inside; // shown: every element that the access touches exists
    unsigned ngroups;
    unsigned last[TC_MAX_DIMS]; // last dimension of each group
    tc_t group[TC_MAX_DIMS];    // subscript of each group, for the first element
    tc_i128 count;              // elements touched, along the last group
    tc_i128 lead, bytes;        // where in its first element the access begins, and how many bytes it has
} tc_index;

// A memory event under settled terms. An event whose offset is a choice becomes several, one for each alternative.
typedef struct tc_site {
    const tc_event *event;
    uint32_t object;                    // index into the model's objects
    const tc_object_contract *contract; // settled copy, or NULL
    tc_borrow borrow;                   // stated or inferred
    tc_t offset, width, guard;
    tc_i128 bytes; // the width when it is a constant, else 0
    tc_index index;
    uint32_t bounds, owned; // obligations of TC2001 and TC1004, or TC_NONE
} tc_site;
typedef TC_VEC(tc_site) tc_sites;

// A value that an atomic addition gave, of a counter of which nothing else is made: no other addition of the launch gave
// a value in [value, value + amount). See tickets.c.
typedef struct tc_ticket {
    const tc_sym *symbol;
    tc_t value;      // as the counter's type reads it
    tc_t guard;      // where it was drawn, or loaded from where it was put
    tc_t amount;     // not negative under the guard
    tc_t twin;       // what an earlier load of the same store gave, where twin_guard holds too; or NULL
    tc_t twin_guard;
    uint32_t object; // the counter
    uint32_t relay;  // the object that it was read from: the counter, or shared memory
    tc_t offset;     // its place in the object: of one counter all are the same term
    unsigned width;  // bits
    tc_t fewer;      // the condition on the launch under which all amounts together are less than 2^width
    tc_t first;      // the value at launch, where the counter is shown never to leave its type's range; else NULL
    tc_t total;      // then: all amounts together are no more than this
} tc_ticket;

// What is known of a value that is loaded from shared memory. See stored.c.
typedef struct tc_stored {
    const tc_event *load;
    tc_t fact;  // under the load's guard
    tc_t value; // of the block: it is this; or NULL
} tc_stored;

// What a block has one of: the value that an event gives which one thread of it executes, once. See twins.c.
typedef struct tc_twin {
    const tc_event *event;
    tc_t twin;
} tc_twin;

// What is known of the value of a barrier that one thread of the block alone may vote for. See twins.c.
typedef struct tc_vote {
    const tc_event *barrier;
    tc_t fact;
} tc_vote;

// A load, and an earlier access of its object by the same thread. See readback.c.
typedef struct tc_read_back {
    const tc_event *load, *before;
    tc_t same;  // `before` was executed, and at the same place
    tc_t value; // that it stored or loaded, modulo the width
    tc_t fact;  // what is known of the loaded value; NULL where it is no integer
    bool asked, alone; // in lock-step: is it known whether others touch the place, and do none?
} tc_read_back;

typedef struct tc_cx {
    tc_arena *arena;
    const tc_unit *unit;
    const tc_options *options;
    tc_terms *ts;
    tc_solver *solver;
    tc_contract *contract;
    tc_kmodel *model;
    tc_kernel_result *result;
    tc_findings *findings;
    bool host; // of a host function: nothing is inferred

    tc_map fixed;                // launch symbols of a fixed value
    tc_map settled;              // these, and WRAP nodes shown to change nothing
    tc_tvec facts;               // the contract's, settled
    tc_object_contract *objects; // the contract's, settled
    tc_borrow *borrow;           // of each object of the model, stated or inferred
    tc_sites sites;
    tc_sites idle; // of width 0: they touch nothing, but are to be aligned
    TC_VEC(tc_fact) ones;    // inferred: a grid extent that the kernel never reads is 1
    TC_VEC(tc_fact) block_ones; // … and a block extent
    TC_VEC(tc_fact) no_wrap; // inferred: bounds on products of extents
    uint32_t *region_lemma;  // TC1005 of each object of the contract, or TC_NONE
    uint32_t *stride_lemma;
    TC_VEC(tc_ticket) tickets;
    TC_VEC(tc_stored) stored;
    TC_VEC(tc_twin) twins;
    TC_VEC(tc_vote) votes;
    struct tc_signals *signals; // NULL: none (handed.h)
    struct tc_signals *thread_signals; // … of the threads of a block
    struct tc_locks *locks;     // the same
    struct tc_mades *made;      // NULL: none (made.h)
    tc_map last;                // symbols of loops that one thread executes -> the twins of their last values
    TC_VEC(tc_read_back) read_back;
    bool read_back_known;
    struct tc_alike *alike;         // what the threads of a block have in common (order.h)
    struct tc_alike *alike_in_warp; // and those of a warp; NULL where no barrier of warps counts
    struct tc_alike *alike_in_grid; // and those of the whole grid; NULL where it has no barriers
    struct tc_named *named;         // numbered barriers; NULL where there are none
    const tc_event *without;        // a barrier that is taken to be not there, or NULL (redundant.c)
    tc_map proofs; // answers of the solver
} tc_cx;

// ---- hyps.c: what is known at a program point. All terms are settled ones. ----

void tc_settle_launch(tc_cx *cx); // finds the launch symbols of a fixed value, and fills facts and objects
tc_t tc_settle(tc_cx *cx, tc_t t);
// settle.c: reductions modulo 2^w in facts and objects that change nothing are settled. The conditions under which they do not.
tc_tvec tc_settle_wraps(tc_cx *cx);
// Adds t, conjunction by conjunction, without doubles.
void tc_hyps_push(tc_cx *cx, tc_tvec *h, tc_t t);
// Facts of the contract, the guard (settled here), and the invariants that hold at (loop, point).
void tc_hyps_at(tc_cx *cx, tc_tvec *h, tc_t guard, uint32_t loop, uint32_t point);
void tc_hyps_site(tc_cx *cx, tc_tvec *h, const tc_site *s);
// Instances 1 and 2 of what is known at a and b, in two different blocks.
void tc_hyps_two_sites(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b);
// Facts of the contract in instances 1 and 2, and that the blocks differ.
void tc_hyps_two_blocks(tc_cx *cx, tc_tvec *h);
// The condition under which the element with flat index i of object o (of the contract) exists; NULL when the shape is
// not one piece.
tc_t tc_flat_exists(tc_cx *cx, const tc_object_contract *o, tc_t i);
void tc_hyps_tiles(tc_cx *cx, tc_tvec *h); // of tiles that an owner is asked for: they exist
// Adds what the contract says of the stored values that h and goal speak of.
void tc_hyps_contents(tc_cx *cx, tc_tvec *h, tc_t goal);
// Adds what it says of the first n elements of each array that the kernel reads, and each tc_forall with its names below n.
void tc_hyps_first_contents(tc_cx *cx, tc_tvec *h, size_t n);
// contents.c: of the arrays' contents the contract says what no contents are (TC9001).
void tc_rule_contents(tc_cx *cx);
// Objects of which t takes contents are added to ob->uses.
void tc_note_uses(tc_cx *cx, tc_obligation *ob, tc_t t);
// The program point from which on all operations of an iteration of the loop that stand in the term have had their checks; 0 when there
// are none.
uint32_t tc_wraps_decided(tc_cx *cx, uint32_t loop, tc_t term);
bool tc_loop_encloses(const tc_kmodel *m, uint32_t outer, uint32_t inner);
uint32_t tc_loop_outermost(const tc_kmodel *m, uint32_t loop); // around it, or itself; TC_NONE of TC_NONE
tc_t tc_loop_counter(const tc_cx *cx, uint32_t loop);          // as a term; NULL where it has none
tc_t tc_linear_thread(tc_cx *cx); // x + blockDim.x * (y + blockDim.y * z) of threadIdx
tc_t tc_block_threads(tc_cx *cx); // how many threads a block has

// ---- decide.c ----

// tc_prove with a memory.
tc_proof tc_try(tc_cx *cx, const tc_tvec *h, tc_t goal);
// The same for each part of a conjunction.
bool tc_try_all(tc_cx *cx, const tc_tvec *h, tc_t goal);
// Does what is known at (loop, point) under the guard imply it? Both are settled here.
bool tc_follows(tc_cx *cx, tc_t guard, uint32_t loop, uint32_t point, tc_t what);
// Tries ob's goal from ob's hyps, conjunct by conjunct, and gives the verdict. Facts about contents are added to the
// hyps.
bool tc_decide(tc_cx *cx, tc_obligation *ob);
// Once more with the inferred preconditions, for an obligation that they may serve; the verdict is then proved-if.
bool tc_decide_if(tc_cx *cx, tc_obligation *ob, const tc_fact *facts, size_t n);
// The inferred no-wrap bounds are among the hypotheses of everything: what is proved holds where they do.
void tc_lean_on_no_wrap(tc_cx *cx, tc_obligation *ob);
void tc_depend(tc_cx *cx, tc_obligation *ob, uint32_t on); // TC_NONE: nothing
uint32_t tc_oblige(tc_cx *cx, tc_obligation *ob);          // takes it into the result
tc_obligation tc_site_obligation(tc_cx *cx, tc_rule rule, const tc_site *s, const char *claim); // with hyps
// A TC9002 obligation that is unknown for this reason.
void tc_note_unknown(tc_cx *cx, tc_loc loc, const char *reason);
const char *tc_object_name(const tc_cx *cx, uint32_t object);
const char *tc_event_noun(const tc_event *e); // "read", "write", "atomic"
bool tc_event_reads(const tc_event *e);
bool tc_event_writes(const tc_event *e); // atomics do both
bool tc_is_atomic(const tc_event *e); // also loads and stores with an order and a scope; volatile ones are none
bool tc_event_touches(const tc_event *e);

// ---- names.c: objects of the contract that may be one memory ----

// Two parameters that are one buffer in some launches (tc_inplace).
bool tc_contract_one_buffer(const tc_object_contract *a, const tc_object_contract *b);
// Does another name of the contract stand for the same memory?
bool tc_has_two_names(const tc_cx *cx, uint32_t object);
// Does the kernel write it, under any name?
bool tc_is_written(const tc_cx *cx, uint32_t object);

// ---- pairs.c, same_value.c: two instances of accesses ----


// How a term looks in instance 1 or 2.
typedef struct tc_view {
    tc_t (*at)(void *ctx, tc_t t, int which);
    void *ctx;
    bool one_block; // two threads of it
} tc_view;
tc_view tc_view_blocks(tc_cx *cx); // of two blocks
tc_t tc_seen(const tc_view *v, tc_t t, int which);
tc_t tc_bytes_meet(tc_cx *cx, const tc_view *v, const tc_site *a, const tc_site *b);
// The same said of elements; ob leans on what makes it so. NULL where it is not.
tc_t tc_elements_meet(tc_cx *cx, tc_obligation *ob, const tc_view *v, const tc_site *a, const tc_site *b);
// Shown by offsets and constant widths alone: ob is proved then.
bool tc_disjoint_bytes(tc_cx *cx, tc_obligation *ob, const tc_view *v, const tc_tvec *h, const tc_site *a, const tc_site *b);
// Where writes of one value are no conflict: adds to what is known of instances 1 and 2 of two writes that they leave two
// values, or touch two places; of a write and a load by a thread that wrote there itself, that they are of two values. Of any
// other accesses it says nothing.
void tc_hyps_two_values(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_view *v);

// ---- index.c ----

// Subscripts of a site under its contract, tried until all elements are shown to exist; h is what is known at the site.
void tc_index_find(tc_cx *cx, tc_site *s, const tc_tvec *h);
// Every element touched exists.
tc_t tc_index_inside(tc_cx *cx, const tc_object_contract *o, const tc_index *x);
// The multi-index of the e-th element touched.
void tc_index_element(tc_cx *cx, const tc_object_contract *o, const tc_index *x, tc_i128 e, tc_t *out);
// The two accesses touch a common element, and no two fields of it without a common byte (both inside, indices of one object, exact).
tc_t tc_index_meet(tc_cx *cx, const tc_object_contract *o, const tc_index *x, const tc_index *y);
// a == c * b + rest, with rest free of b's leading monomial; coefficients exact. Always succeeds (c may be 0).
void tc_poly_divide(tc_terms *ts, tc_t a, tc_t b, tc_t *quotient, tc_t *rest);
// The constant part of a sum.
tc_i128 tc_poly_constant(tc_t t);

// ---- wraps.c, nowrap.c, invariants.c ----

// Which operations never wrap, and which invariants hold; fills settled.
void tc_resolve_wraps(tc_cx *cx);
// A bound on the launch that makes this check true, where the contract leaves the grid open; taken into facts and
// no_wrap.
bool tc_infer_no_wrap(tc_cx *cx, const tc_check *c);
// The bound itself, if it is of the kind that may be inferred.
bool tc_infer_bound(tc_cx *cx, tc_t bound, tc_loc loc);
void tc_take_bound(tc_cx *cx, tc_fact bound);
// Drops candidate invariants that fail under the present settled map. true when one was dropped.
bool tc_drop_invariants(tc_cx *cx);
void tc_report_invariants(tc_cx *cx); // declared ones that failed

// ---- tickets.c, relays.c: values of counters ----

// Finds the counters of the kernel and what was drawn from them; fills tickets. More is found when less wraps: true when it
// was. infer: also under bounds on the launch that become preconditions.
bool tc_find_tickets(tc_cx *cx, bool infer);
// Adds what is known of a single ticket.
void tc_hyps_tickets(tc_cx *cx, tc_tvec *h);
// Adds, to instances 1 and 2 of what is known at first and second, in two blocks or by two threads of one, that their
// tickets differ.
void tc_hyps_two_tickets(tc_cx *cx, tc_tvec *h, const tc_site *first, const tc_site *second, const tc_view *v);
// total <= last, of the launch: known, or (infer) taken as one more precondition.
bool tc_is_given(tc_cx *cx, tc_t total, tc_t last, tc_loc loc, bool infer);
// What is said of tickets leans on the accesses to the counters, and to what hands their values on, being in bounds.
void tc_lean_on_tickets(tc_cx *cx, tc_obligation *ob);

// ---- twins.c: values of which a block has one ----

// The thread that alone executes the events, and exists: thread indices -> constants. False where there is not shown to be one.
bool tc_one_thread(tc_cx *cx, const tc_event *const *events, size_t n, tc_map *thread);
// t, as the one thread that executes e has it there, as a term of the block; NULL where there may be more than one value.
tc_t tc_block_value(tc_cx *cx, const tc_event *e, tc_t t);
// The same where e may stand in an outermost loop: as its thread has it in the last iteration.
tc_t tc_last_value(tc_cx *cx, const tc_event *e, tc_t t);
// The same where that loop stands in another one: in the last of its iterations in one iteration of that one, whose counters remain. To
// be said of one such iteration of a block alone.
tc_t tc_turn_value(tc_cx *cx, const tc_event *e, tc_t t);
void tc_hyps_twins(tc_cx *cx, tc_tvec *h);
// What is known of the values of barriers, behind them; needs what is common to threads.
void tc_find_votes(tc_cx *cx);
void tc_hyps_votes(tc_cx *cx, tc_tvec *h, uint32_t point);
void tc_lean_on_votes(tc_cx *cx, tc_obligation *ob);

// ---- stored.c: values in shared memory ----

// Finds bounds on what these loads from shared memory give; needs sites. True when there are some.
bool tc_find_stored(tc_cx *cx, const tc_map *loads);
void tc_hyps_stored(tc_cx *cx, tc_tvec *h, uint32_t loop, uint32_t point);
void tc_lean_on_stored(tc_cx *cx, tc_obligation *ob);

// ---- readback.c: values that a thread reads back ----

// Adds what is known of the loads before (loop, point) of which ob's hyps and goal speak; for two instances, of a and b. True
// when there was some. ob leans on the absence of races then.
bool tc_hyps_read_back(tc_cx *cx, tc_obligation *ob, uint32_t loop, uint32_t point);
bool tc_hyps_two_read_back(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_view *v);
// The last store to its object that the thread makes before the load, with no order with other threads between; or NULL.
const tc_read_back *tc_own_write_before(tc_cx *cx, const tc_event *load);

// A place in shared memory by which one thread of a block hands on what it draws to the others.
typedef struct tc_relay {
    uint32_t object;
    tc_t offset;
    unsigned width;                     // bits
    TC_VEC(const tc_event *) stores;    // each of one draw
    TC_VEC(const tc_event *) draws;     // of stores, in their order
    TC_VEC(const tc_event *) loads;     // each gives what one of the stores of its block put there
    uint32_t loop;                      // the outermost loop in which it is used, or TC_NONE
} tc_relay;
typedef TC_VEC(tc_relay) tc_relays;
// The relays of these draws, of a counter of this width.
tc_relays tc_find_relays(tc_cx *cx, const tc_event *const *draws, size_t n, unsigned width);
// Do two loads of it, in one iteration, give what one store put there?
bool tc_relay_same(const tc_relay *r, const tc_event *a, const tc_event *b);
bool tc_hole_may_touch(const tc_kmodel *m, uint32_t object);

// ---- the rules: each makes its obligations and decides them ----

void tc_sites_make(tc_cx *cx);
void tc_infer_borrows(tc_cx *cx);
void tc_infer_grid(tc_cx *cx);  // launch extents that the kernel never reads: ones
void tc_infer_block(tc_cx *cx); // block_ones
void tc_rule_contract(tc_cx *cx);   // TC1005, TC9001
void tc_rule_bounds(tc_cx *cx);     // TC2001
void tc_rule_align(tc_cx *cx);      // TC2003
void tc_rule_shared(tc_cx *cx);     // TC1003
void tc_rule_atomic(tc_cx *cx);     // TC1006
void tc_rule_owned(tc_cx *cx);      // TC1004
void tc_rule_overlap(tc_cx *cx);    // TC1001, TC1002
void tc_rule_arith(tc_cx *cx);      // TC2002, TC2004
tc_map tc_reached_wraps(tc_cx *cx); // WRAP nodes on which an address, guard or trip count depends
tc_map tc_asked_wraps(tc_cx *cx);   // those that any question may have to do with
void tc_rule_uninit(tc_cx *cx);     // TC2005
// Reads of shared memory (events) whose value decides an address, a guard or a trip count, perhaps stored and read again on the way.
tc_map tc_deciding_loads(tc_cx *cx);
// They were written before; after what is common to threads was found (order.h).
void tc_rule_uninit_shared(tc_cx *cx);
void tc_rule_assert(tc_cx *cx, bool races); // TC9002: once more, what is not shown; races: they are asked about
void tc_rule_holes(tc_cx *cx);      // TC9002
void tc_rule_assumptions(tc_cx *cx);
// The containment of a site in its block's region, decided but not yet taken into the result.
tc_obligation tc_owned_obligation(tc_cx *cx, tc_rule rule, tc_site *s);
void tc_link_dependencies(tc_cx *cx); // depends.c

// ---- hints.c ----

// Gives obligations that are unknown or violated a hint: the fact or attribute with which they are proved, or what they
// hang on. Changes no verdict.
void tc_find_hints(tc_cx *cx);

// ---- counter.c ----

// Looks for launches that show what is not proved; only what the interpreter replays becomes violated.
void tc_search_counterexamples(tc_cx *cx);

#endif
