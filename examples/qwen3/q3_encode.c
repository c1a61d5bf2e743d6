#include "q3_tokenizer_in.h"

#include <string.h>
#include <utf8proc.h>

#define MAX_TEXT ((size_t)1 << 29) // composed it is three times that at most: places are 31 bits

enum { REPLACEMENT = 0xfffd };

typedef struct symbol {
    int32_t id, previous, next; // places of the neighbours; -1: none
    int32_t bytes;              // 0: merged into the one before it
} symbol;

typedef struct candidate {
    int32_t rank, place, id, bytes; // of the two together
} candidate;

typedef struct encoder {
    const q3_tokenizer *t;
    q3_ids *out;
    symbol *symbols;
    candidate *heap; // the least rank, and of one rank the leftmost, first
    size_t room, nheap; // room: symbols; the heap has twice that
    q3_text clean, composed;
    int32_t *points; // of the text that is composed
    size_t points_room;
} encoder;

static tk_status put_id(q3_ids *ids, int32_t id)
{
    if (ids->n == ids->capacity) {
        const size_t capacity = ids->capacity + ids->capacity / 2 + 64;
        int32_t *at = q3_resize(ids->at, capacity, sizeof *at);
        if (!at)
            return q3_no_memory("tokens");
        ids->at = at;
        ids->capacity = capacity;
    }
    ids->at[ids->n++] = id;
    return TK_OK;
}

void q3_ids_free(q3_ids *ids)
{
    q3_free(ids->at);
    *ids = (q3_ids){0};
}

// ---- merging a piece ----

static bool is_before(const candidate *a, const candidate *b) { return a->rank != b->rank ? a->rank < b->rank : a->place < b->place; }

static void push(encoder *e, candidate c)
{
    size_t i = e->nheap++;
    for (; i > 0 && is_before(&c, &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
        e->heap[i] = e->heap[(i - 1) / 2];
    e->heap[i] = c;
}

static candidate pop(encoder *e)
{
    const candidate first = e->heap[0], last = e->heap[--e->nheap];
    size_t i = 0;
    for (size_t child = 1; child < e->nheap; child = 2 * i + 1) {
        child += child + 1 < e->nheap && is_before(&e->heap[child + 1], &e->heap[child]);
        if (!is_before(&e->heap[child], &last))
            break;
        e->heap[i] = e->heap[child];
        i = child;
    }
    e->heap[i] = last;
    return first;
}

// The symbol at place and the one after it, if they merge.
static void consider(encoder *e, int32_t place)
{
    const symbol *s = &e->symbols[place];
    if (s->next < 0)
        return;
    const symbol *next = &e->symbols[s->next];
    const q3_merge *m = q3_merge_of(e->t, s->id, next->id);
    if (m)
        push(e, (candidate){m->rank, place, m->id, s->bytes + next->bytes});
}

static void merge(encoder *e, const candidate *c)
{
    symbol *s = &e->symbols[c->place];
    // Stale: symbols only grow, so a place whose two have other lengths now has other symbols.
    if (s->bytes == 0 || s->next < 0 || s->bytes + e->symbols[s->next].bytes != c->bytes)
        return;
    symbol *gone = &e->symbols[s->next];
    s->id = c->id;
    s->bytes = c->bytes;
    s->next = gone->next;
    gone->bytes = 0;
    if (s->next >= 0)
        e->symbols[s->next].previous = c->place;
    if (s->previous >= 0)
        consider(e, s->previous);
    consider(e, c->place);
}

// A merge takes one candidate and brings two at most, and there are fewer merges than bytes: two a byte are enough.
static tk_status make_room(encoder *e, size_t n)
{
    if (n <= e->room)
        return TK_OK;
    const size_t room = n < MAX_TEXT / 2 ? 2 * n + 64 : n;
    symbol *symbols = q3_resize(e->symbols, room, sizeof *symbols);
    if (!symbols)
        return q3_no_memory("a text's symbols");
    e->symbols = symbols;
    candidate *heap = q3_resize(e->heap, 2 * room, sizeof *heap);
    if (!heap)
        return q3_no_memory("a text's symbols");
    e->heap = heap;
    e->room = room;
    return TK_OK;
}

static tk_status encode_piece(void *ctx, const char *piece, size_t n)
{
    encoder *e = ctx;
    TK_TRY(make_room(e, n));
    for (size_t i = 0; i < n; ++i)
        e->symbols[i] = (symbol){e->t->byte[(unsigned char)piece[i]], (int32_t)i - 1, i + 1 < n ? (int32_t)i + 1 : -1, 1};
    e->nheap = 0;
    for (size_t i = 0; i + 1 < n; ++i)
        consider(e, (int32_t)i);
    while (e->nheap) {
        const candidate c = pop(e);
        merge(e, &c);
    }
    for (int32_t i = 0; i >= 0; i = e->symbols[i].next)
        TK_TRY(put_id(e->out, e->symbols[i].id));
    return TK_OK;
}

// ---- composing (NFC) ----

// All before U+0300 is composed as it is.
static bool is_composed(const char *text, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if ((unsigned char)text[i] >= 0xcc)
            return false;
    return true;
}

static tk_status decompose(encoder *e, const char *text, size_t n, size_t *count)
{
    int class = 0;
    for (size_t i = 0; i < n;) {
        uint32_t c;
        i += (size_t)q3_utf8_first((const unsigned char *)text + i, n - i, &c);
        if (e->points_room - *count < 8) { // no character has more
            const size_t room = e->points_room + e->points_room / 2 + n / 2 + 64;
            int32_t *points = q3_resize(e->points, room, sizeof *points);
            if (!points)
                return q3_no_memory("a text");
            e->points = points;
            e->points_room = room;
        }
        const utf8proc_ssize_t more = utf8proc_decompose_char((int32_t)c, e->points + *count, 8, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &class);
        if (more < 0 || more > 8)
            return tk_fail(TK_UNSUPPORTED, "U+%04X has no decomposition of 8 characters", (unsigned)c);
        *count += (size_t)more;
    }
    return TK_OK;
}

static int class_of(int32_t c) { return utf8proc_get_property(c)->combining_class; }

// Stable, by combining class: by insertion where there are few, else by counting, so that a long run takes no square of its length.
static tk_status sort_marks(int32_t *marks, size_t n)
{
    if (n <= 32) {
        for (size_t i = 1; i < n; ++i) {
            const int32_t c = marks[i];
            size_t k = i;
            for (; k > 0 && class_of(marks[k - 1]) > class_of(c); --k)
                marks[k] = marks[k - 1];
            marks[k] = c;
        }
        return TK_OK;
    }
    size_t from[257] = {0};
    int32_t *sorted = q3_alloc(n, sizeof *sorted);
    if (!sorted)
        return q3_no_memory("a text");
    for (size_t i = 0; i < n; ++i)
        ++from[class_of(marks[i]) + 1];
    for (int k = 0; k < 256; ++k)
        from[k + 1] += from[k];
    for (size_t i = 0; i < n; ++i)
        sorted[from[class_of(marks[i])]++] = marks[i];
    memcpy(marks, sorted, n * sizeof *marks);
    q3_free(sorted);
    return TK_OK;
}

static tk_status order(int32_t *points, size_t n)
{
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && class_of(points[end]); ++end)
            ;
        TK_TRY(sort_marks(points + i, end - i));
    }
    return TK_OK;
}

static tk_status put_points(encoder *e, const int32_t *points, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        char bytes[4];
        TK_TRY(q3_text_put(&e->composed, bytes, (size_t)q3_utf8_write(bytes, (uint32_t)points[i])));
    }
    return TK_OK;
}

// The place before the first trailing consonant composes with nothing (Unicode 3.12, Hangul Syllable Composition), and utf8proc drops it behind a syllable:
// the text is composed around it.
enum { BEFORE_TRAILING = 0x11a7 };

static tk_status compose(encoder *e, const char *text, size_t n)
{
    size_t count = 0;
    e->composed.n = 0;
    TK_TRY(decompose(e, text, n, &count));
    TK_TRY(order(e->points, count));
    for (size_t i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && e->points[end] != BEFORE_TRAILING; ++end)
            ;
        const utf8proc_ssize_t left = utf8proc_normalize_utf32(e->points + i, (utf8proc_ssize_t)(end - i), UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        if (left < 0)
            return tk_fail(TK_UNSUPPORTED, "composing a text: %s", utf8proc_errmsg(left));
        TK_TRY(put_points(e, e->points + i, (size_t)left));
        TK_TRY(put_points(e, e->points + end, end < count));
    }
    return TK_OK;
}

// ---- cutting a text ----

static tk_status encode_part(encoder *e, const char *text, size_t n)
{
    if (e->t->composes && !is_composed(text, n)) {
        TK_TRY(compose(e, text, n));
        text = e->composed.at;
        n = e->composed.n;
    }
    return n ? q3_pattern_split(e->t->pattern, text, n, encode_piece, e) : TK_OK;
}

// The longest added token that the text begins with; -1: none.
static int32_t added_at(const q3_tokenizer *t, const char *text, size_t n, unsigned flags)
{
    const int32_t end = t->added_from[(unsigned char)*text + 1];
    for (int32_t i = t->added_from[(unsigned char)*text]; i < end; ++i) {
        const q3_token *token = &t->tokens[t->added[i]];
        if (token->nspelled > n || (token->special && (flags & Q3_SPECIAL_IS_TEXT)) || memcmp(token->spelled, text, token->nspelled) != 0)
            continue;
        return t->added[i];
    }
    return -1;
}

static tk_status encode(encoder *e, const char *text, size_t n, unsigned flags)
{
    size_t from = 0;
    for (size_t at = 0; at < n;) {
        const int32_t id = added_at(e->t, text + at, n - at, flags);
        if (id < 0) {
            ++at;
            continue;
        }
        TK_TRY(encode_part(e, text + from, at - from));
        TK_TRY(put_id(e->out, id));
        from = at += e->t->tokens[id].nspelled;
    }
    return encode_part(e, text + from, n - from);
}

static tk_status put_replacement(q3_text *out)
{
    char bytes[4];
    return q3_text_put(out, bytes, (size_t)q3_utf8_write(bytes, REPLACEMENT));
}

static tk_status clean(q3_text *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t c;
        const int length = q3_utf8_first((const unsigned char *)text + i, n - i, &c);
        const size_t bytes = length > 0 ? (size_t)length : length < 0 ? (size_t)-length : n - i;
        TK_TRY(length > 0 ? q3_text_put(out, text + i, bytes) : put_replacement(out));
        i += bytes;
    }
    return TK_OK;
}

tk_status q3_encode(const q3_tokenizer *t, const char *text, size_t n, unsigned flags, q3_ids *out)
{
    if (n > MAX_TEXT)
        return tk_fail(TK_SIZE, "a text of %zu bytes; at most %zu", n, MAX_TEXT);
    const size_t before = out->n;
    encoder e = {.t = t, .out = out};
    tk_status status = TK_OK;
    if (!q3_utf8_is_valid(text, n)) {
        status = clean(&e.clean, text, n);
        text = e.clean.at;
        n = e.clean.n;
    }
    if (status == TK_OK)
        status = n > MAX_TEXT ? tk_fail(TK_SIZE, "a text of %zu bytes; at most %zu", n, MAX_TEXT) : encode(&e, text, n, flags);
    if (status != TK_OK)
        out->n = before;
    q3_free(e.symbols);
    q3_free(e.heap);
    q3_free(e.points);
    q3_text_free(&e.clean);
    q3_text_free(&e.composed);
    return status;
}

// ---- decoding ----

tk_status q3_decode(const q3_tokenizer *t, const int32_t *ids, size_t n, unsigned flags, q3_text *out)
{
    const size_t before = out->n;
    for (size_t i = 0; i < n; ++i) {
        size_t bytes;
        const char *at = q3_token_bytes(t, ids[i], &bytes);
        if (!at || ((flags & Q3_SKIP_SPECIAL) && q3_token_is_special(t, ids[i])))
            continue;
        const tk_status status = q3_text_put(out, at, bytes);
        if (status != TK_OK) {
            out->n = before;
            return status;
        }
    }
    return TK_OK;
}

// The whole characters of what is held; the rest stays.
static tk_status put_byte(q3_stream *s, unsigned char byte, q3_text *out)
{
    s->held[s->n++] = byte;
    while (s->n) {
        uint32_t c;
        const int length = q3_utf8_first(s->held, s->n, &c);
        if (length == 0)
            return TK_OK;
        const unsigned bytes = (unsigned)(length > 0 ? length : -length);
        TK_TRY(length > 0 ? q3_text_put(out, s->held, bytes) : put_replacement(out));
        s->n -= bytes;
        memmove(s->held, s->held + bytes, s->n);
    }
    return TK_OK;
}

tk_status q3_stream_put(q3_stream *s, const q3_tokenizer *t, int32_t id, unsigned flags, q3_text *out)
{
    size_t n;
    const char *bytes = q3_token_bytes(t, id, &n);
    const q3_stream was = *s;
    const size_t before = out->n;
    if (!bytes || ((flags & Q3_SKIP_SPECIAL) && q3_token_is_special(t, id)))
        return TK_OK;
    for (size_t i = 0; i < n; ++i) {
        const tk_status status = put_byte(s, (unsigned char)bytes[i], out);
        if (status != TK_OK) {
            *s = was;
            out->n = before;
            return status;
        }
    }
    return TK_OK;
}

tk_status q3_stream_end(q3_stream *s, q3_text *out)
{
    if (s->n)
        TK_TRY(put_replacement(out));
    s->n = 0;
    return TK_OK;
}
