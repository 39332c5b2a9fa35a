#include "reader/told.h"

#include <stdlib.h>
#include <string.h>

#include "form/ops.h"
#include "reader/told_atom.h"
#include "reader/told_name.h"

enum {
    STACK_MAX = 1 << 12,
    MEMO_MAX = 1 << 12,
    MARKS_MAX = 1 << 10,
    PAIRS_MAX = 1 << 12,
    PICKLE_BYTES = 1 << 15,
    NODES = 16
};

/* What a pickle is while it is read. */
struct reader {
    struct ndp_arena *arena;
    uint32_t count, mark_count, memo_end, memo_entries, protocol;
    bool is_done;
    struct fuzz_told *spare; /* of NODES, of which so many are taken */
    uint32_t spare_count;
    struct fuzz_told *stack[STACK_MAX], *memo[MEMO_MAX];
    uint32_t marks[MARKS_MAX];
};

/* Some at once: an allocation takes longer than an opcode. */
static struct fuzz_told *new_node(struct reader *r, enum fuzz_told_kind kind) {
    if (r->spare_count == 0) r->spare = NDP_ARENA_ITEMS(r->arena, struct fuzz_told, NODES);
    if (!r->spare) return NULL;
    struct fuzz_told *node = &r->spare[r->spare_count];
    r->spare_count = (r->spare_count + 1) % NODES;
    *node = (struct fuzz_told){.kind = kind};
    return node;
}

static bool push(struct reader *r, struct fuzz_told *node) {
    if (!node || r->count == STACK_MAX) return false;
    r->stack[r->count++] = node;
    return true;
}

static uint32_t floor_of(const struct reader *r) {
    return r->mark_count > 0 ? r->marks[r->mark_count - 1] : 0;
}

static struct fuzz_told *pop(struct reader *r) {
    return r->count > floor_of(r) ? r->stack[--r->count] : NULL;
}

static struct fuzz_told *top(const struct reader *r) {
    return r->count > floor_of(r) ? r->stack[r->count - 1] : NULL;
}

static bool add_items(struct reader *r, struct fuzz_told *node, struct fuzz_told *const *items, uint32_t count) {
    if (node->count + count > node->room) {
        const uint32_t room = node->count + count < 4 ? 4 : 2 * (node->count + count);
        struct fuzz_told **more = NDP_ARENA_ITEMS(r->arena, struct fuzz_told *, room);
        if (!more) return false;
        for (uint32_t i = 0; i < node->count; i++) more[i] = node->items[i];
        node->items = more;
        node->room = room;
    }
    for (uint32_t i = 0; i < count; i++) node->items[node->count++] = items[i];
    return true;
}

/* A container of the last `count` values, which are taken from the stack. */
static bool push_last(struct reader *r, enum fuzz_told_kind kind, uint32_t count) {
    struct fuzz_told *node = new_node(r, kind);
    if (!node || r->count - floor_of(r) < count) return false;
    r->count -= count;
    return add_items(r, node, r->stack + r->count, count) && push(r, node);
}

/* Takes the last mark away; gives how many values stood above it. */
static bool take_mark(struct reader *r, uint32_t *count) {
    if (r->mark_count == 0) return false;
    *count = r->count - r->marks[--r->mark_count];
    return true;
}

static bool push_marked(struct reader *r, enum fuzz_told_kind kind) {
    uint32_t count = 0;
    return take_mark(r, &count) && push_last(r, kind, count);
}

/* Puts the last `count` values into the one below them. */
static bool put_last(struct reader *r, uint32_t count, bool are_pairs) {
    if (r->count - floor_of(r) <= count) return false;
    r->count -= count;
    struct fuzz_told *node = r->stack[r->count - 1];
    if (count == 0) return true;
    if (are_pairs && node->kind == FUZZ_TOLD_CALL) {
        if (!node->pairs) node->pairs = new_node(r, FUZZ_TOLD_DICT);
        node = node->pairs;
    }
    return node && add_items(r, node, r->stack + r->count, count);
}

static bool put_marked(struct reader *r, bool are_pairs) {
    uint32_t count = 0;
    return take_mark(r, &count) && put_last(r, count, are_pairs);
}

static bool is_word(struct ndp_bytes bytes, const char *word) {
    return bytes.data && bytes.size_bytes == strlen(word) && memcmp(bytes.data, word, (size_t)bytes.size_bytes) == 0;
}

/* Of the module of what is built in, which had another name while protocols had that. */
static bool is_builtin(const struct fuzz_told *global) {
    return is_word(global->bytes, "builtins") || (global->is_old && is_word(global->bytes, "__builtin__"));
}

/* Whether it is a class that is built in, or what encodes text; by dill a class out of a table of its own, where a
 * protocol has no opcode for what it makes. */
static bool is_called(const struct fuzz_told *callable, const char *name) {
    if (callable->kind == FUZZ_TOLD_GLOBAL)
        return is_word(callable->name, name) && (is_builtin(callable) || is_word(callable->bytes, "_codecs"));
    return callable->kind == FUZZ_TOLD_CALL && callable->bits == FUZZ_TOLD_REDUCE && callable->args->count == 1 &&
           fuzz_is_told_name(callable->callable, FUZZ_DILL, "_load_type") && strcmp(name, "encode") != 0 &&
           callable->args->items[0]->kind == FUZZ_TOLD_TEXT &&
           callable->args->items[0]->bits == fuzz_bits_of_text(ndp_bytes_view(name));
}

/* A call that stands for what some protocols have an opcode for. Gives false where nobody can say, and NULL for any
 * other. */
static bool read_call(struct reader *r, const struct fuzz_told *callable, const struct fuzz_told *args,
                      struct fuzz_told **out) {
    static const char *const words[] = {"set", "frozenset", "bytes", "bytearray", "encode"};
    static const enum fuzz_told_kind kinds[] = {FUZZ_TOLD_SET, FUZZ_TOLD_FROZENSET, FUZZ_TOLD_BYTES,
                                                FUZZ_TOLD_BYTEARRAY, FUZZ_TOLD_BYTES};
    static const char *const unsaid[] = {"getattr", "_get_attr", "__newobj__", "__newobj_ex__"};
    const struct fuzz_told *first = args->count > 0 ? args->items[0] : NULL;
    *out = NULL;
    for (size_t i = 0; i < NDP_ARRAY_LEN(unsaid) && callable->kind == FUZZ_TOLD_GLOBAL; i++)
        if (is_word(callable->name, unsaid[i])) return false;
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        if (!is_called(callable, words[i])) continue;
        const bool is_set = i < 2 && args->count == 1 && first->kind == FUZZ_TOLD_LIST;
        const bool is_empty = i >= 2 && args->count == 0;
        const bool is_bytes = i == 3 && args->count == 1 && first->kind == FUZZ_TOLD_BYTES;
        const bool is_latin = i >= 3 && args->count == 2 && first->kind == FUZZ_TOLD_TEXT;
        if (!is_set && !is_empty && !is_bytes && !is_latin) return false;
        *out = new_node(r, kinds[i]);
        if (*out && (is_bytes || is_latin)) (*out)->bits = first->bits;
        if (*out && is_bytes) (*out)->bytes = first->bytes;
        return *out && (!is_set || add_items(r, *out, first->items, first->count));
    }
    return true;
}

static bool push_call(struct reader *r, enum fuzz_told_how how, struct fuzz_told *callable, struct fuzz_told *args,
                      struct fuzz_told *keywords) {
    struct fuzz_told *node = NULL;
    if (!callable || !args || args->kind != FUZZ_TOLD_TUPLE) return false;
    if (how == FUZZ_TOLD_REDUCE && !read_call(r, callable, args, &node)) return false;
    if (node) return push(r, node);
    node = new_node(r, FUZZ_TOLD_CALL);
    if (!node) return false;
    const bool has_keywords = keywords && keywords->count > 0;
    node->bits = how == FUZZ_TOLD_NEWOBJ_EX && !has_keywords ? FUZZ_TOLD_NEWOBJ : how;
    node->callable = callable;
    node->args = args;
    node->keywords = has_keywords ? keywords : NULL;
    return push(r, node);
}

static bool push_global(struct reader *r, struct ndp_bytes module, struct ndp_bytes name) {
    struct fuzz_told *node = new_node(r, FUZZ_TOLD_GLOBAL);
    if (!node || !module.data || !name.data) return false;
    node->bytes = module;
    node->name = name;
    node->is_old = r->protocol < 3;
    return push(r, node);
}

/* "module\nname\n" behind an opcode. */
static bool push_named(struct reader *r, struct ndp_bytes op) {
    const uint8_t *end = memchr(op.data, '\n', (size_t)op.size_bytes);
    const uint64_t module = (uint64_t)(end - op.data);
    return push_global(r, (struct ndp_bytes){op.data + 1, module - 1},
                       (struct ndp_bytes){end + 1, op.size_bytes - module - 2});
}

/* Whether a call is one that picklers make and drop once the object is there: of any function that is given the object
 * and its state, or of one that says itself to what. */
static bool is_done_later(const struct fuzz_told *call, const struct fuzz_told *object) {
    if (object->kind != FUZZ_TOLD_CALL || call->bits != FUZZ_TOLD_REDUCE || call->state || call->pairs || call->later)
        return false;
    if (call->callable->kind != FUZZ_TOLD_GLOBAL) return false;
    const bool is_update =
        call->args->count == 2 && is_builtin(call->callable) && is_word(call->callable->name, "dict.update");
    if (call->args->count == 2 && call->args->items[0] == object) return !object->state && !object->later && !is_update;
    return is_update ||
           (call->args->count == 3 && is_builtin(call->callable) && is_word(call->callable->name, "setattr"));
}

/* A call that is dropped was made for what it does to what is there. */
static bool drop(struct reader *r) {
    if (r->mark_count > 0 && r->count == floor_of(r)) {
        r->mark_count--;
        return true;
    }
    struct fuzz_told *dropped = pop(r), *object = top(r);
    if (!dropped || dropped->kind != FUZZ_TOLD_CALL) return dropped != NULL;
    if (!object || !is_done_later(dropped, object)) return false;
    if (!object->later) object->later = new_node(r, FUZZ_TOLD_TUPLE);
    return object->later && add_items(r, object->later, &dropped, 1);
}

static bool put_memo(struct reader *r, uint64_t index) {
    struct fuzz_told *node = top(r);
    if (!node || index >= MEMO_MAX) return false;
    for (; r->memo_end <= index; r->memo_end++) r->memo[r->memo_end] = NULL;
    r->memo_entries += r->memo[index] == NULL;
    r->memo[index] = node;
    return true;
}

static bool get_memo(struct reader *r, uint64_t index) {
    return index < r->memo_end && push(r, r->memo[index]);
}

static uint64_t index_of(struct ndp_bytes op) {
    uint64_t index = 0;
    if (op.data[0] == 'p' || op.data[0] == 'g') return strtoull((const char *)op.data + 1, NULL, 10);
    for (uint64_t i = op.size_bytes - 1; i > 0; i--) index = index << 8 | op.data[i];
    return index;
}

/* Opcodes that make containers and calls. */
static bool run_making(struct reader *r, struct ndp_bytes op) {
    struct fuzz_told *last, *before;
    uint32_t count = 0;
    switch (op.data[0]) {
    case ']':
        return push_last(r, FUZZ_TOLD_LIST, 0);
    case '}':
        return push_last(r, FUZZ_TOLD_DICT, 0);
    case ')':
        return push_last(r, FUZZ_TOLD_TUPLE, 0);
    case 0x8f:
        return push_last(r, FUZZ_TOLD_SET, 0);
    case 0x85:
    case 0x86:
    case 0x87:
        return push_last(r, FUZZ_TOLD_TUPLE, op.data[0] - 0x84U);
    case 'l':
        return push_marked(r, FUZZ_TOLD_LIST);
    case 'd':
        return push_marked(r, FUZZ_TOLD_DICT);
    case 't':
        return push_marked(r, FUZZ_TOLD_TUPLE);
    case 0x91:
        return push_marked(r, FUZZ_TOLD_FROZENSET);
    case 'R':
    case 0x81:
        last = pop(r);
        return push_call(r, op.data[0] == 'R' ? FUZZ_TOLD_REDUCE : FUZZ_TOLD_NEWOBJ, pop(r), last, NULL);
    case 0x92:
        last = pop(r), before = pop(r);
        return push_call(r, FUZZ_TOLD_NEWOBJ_EX, pop(r), before, last);
    case 'o':
        if (!take_mark(r, &count) || count == 0 || !push_last(r, FUZZ_TOLD_TUPLE, count - 1)) return false;
        last = pop(r);
        return push_call(r, FUZZ_TOLD_INSTANCE, pop(r), last, NULL);
    case 'i':
        if (!push_marked(r, FUZZ_TOLD_TUPLE) || !push_named(r, op)) return false;
        last = pop(r);
        return push_call(r, FUZZ_TOLD_INSTANCE, last, pop(r), NULL);
    case 'c':
        return push_named(r, op);
    case 0x93:
        last = pop(r), before = pop(r);
        return last && before && last->kind == FUZZ_TOLD_TEXT && before->kind == FUZZ_TOLD_TEXT &&
               push_global(r, before->bytes, last->bytes);
    default:
        return false; /* persistent ids, extensions, buffers */
    }
}

static bool run_build(struct reader *r, bool is_dump) {
    struct fuzz_told *state = pop(r), *node = top(r);
    if (!state || !node || node->kind != FUZZ_TOLD_CALL || node->state || node->later) return false;
    node->state = state;
    r->is_done = is_dump;
    return true;
}

/* Opcodes that work on what is there; the others make something. */
static bool run(struct reader *r, struct ndp_bytes op, bool is_dump) {
    uint32_t count = 0;
    switch (op.data[0]) {
    case 0x80:
        r->protocol = op.data[1];
        return true;
    case 0x95:
        return true;
    case '.':
        r->is_done = true;
        return true;
    case '(':
        if (r->mark_count == MARKS_MAX) return false;
        r->marks[r->mark_count++] = r->count;
        return true;
    case '0':
        return drop(r);
    case '1':
        if (!take_mark(r, &count)) return false;
        r->count -= count;
        return true;
    case '2':
        return push(r, top(r));
    case 'a':
        return put_last(r, 1, false);
    case 's':
        return put_last(r, 2, true);
    case 'e':
    case 'u':
    case 0x90:
        return put_marked(r, op.data[0] == 'u');
    case 'b':
        return run_build(r, is_dump && r->mark_count == 0 && r->count == 2);
    case 'p':
    case 'q':
    case 'r':
        return put_memo(r, index_of(op));
    case 0x94:
        return put_memo(r, r->memo_entries);
    case 'g':
    case 'h':
    case 'j':
        return get_memo(r, index_of(op));
    default:
        break;
    }
    struct fuzz_told atom = {.kind = FUZZ_TOLD_NONE};
    if (!fuzz_is_atom(op.data[0])) return run_making(r, op);
    struct fuzz_told *node = fuzz_read_atom(op, &atom) ? new_node(r, FUZZ_TOLD_NONE) : NULL;
    if (node) *node = atom;
    return push(r, node);
}

bool fuzz_tell(struct ndp_arena *arena, struct ndp_bytes pickle, bool is_dump, struct fuzz_told **out,
               struct ndp_bytes *behind) {
    static struct reader r;
    r.arena = arena;
    r.count = r.mark_count = r.memo_end = r.memo_entries = r.protocol = 0;
    r.is_done = false;
    r.spare_count = 0;
    struct ndp_bytes rest = pickle;
    while (!r.is_done) {
        const uint64_t size = rest.size_bytes == 0 ? 0 : fuzz_op_bytes(rest);
        if (size == 0 || pickle.size_bytes - rest.size_bytes > PICKLE_BYTES) return false;
        if (!run(&r, (struct ndp_bytes){rest.data, size}, is_dump)) return false;
        rest = (struct ndp_bytes){rest.data + size, rest.size_bytes - size};
    }
    *out = top(&r);
    *behind = rest;
    return *out != NULL;
}

/* ---- comparison ---- */

/* Pairs that are still to be compared. */
struct pairs {
    struct fuzz_told *list[PAIRS_MAX][2], *met[PAIRS_MAX];
    uint32_t count, met_count;
    bool is_body; /* a text may be what latin-1 makes of a string of Python 2, and code is kept in one form */
};

static bool add_pair(struct pairs *pairs, struct fuzz_told *a, struct fuzz_told *b, bool *is_same) {
    if (!a || !b) {
        *is_same = *is_same && a == b;
        return true;
    }
    if (pairs->count == PAIRS_MAX) return false;
    pairs->list[pairs->count][0] = a;
    pairs->list[pairs->count++][1] = b;
    return true;
}

/* Whether what the first means is what the second says. */
static bool is_same_global(const struct fuzz_told *a, const struct fuzz_told *b) {
    struct fuzz_global global = fuzz_told_global(a);
    if (b->is_old) global = fuzz_name_written(global);
    return ndp_bytes_is_equal(global.module, b->bytes) && ndp_bytes_is_equal(global.name, b->name);
}

/* Whether the call makes the code of a function, by a name or by what a library's function gives for the name. */
static bool is_code(const struct fuzz_told *call) {
    if (call->kind != FUZZ_TOLD_CALL) return false;
    const struct fuzz_told *by = call->callable;
    const bool is_given = by->kind == FUZZ_TOLD_CALL && by->args->count > 0;
    const struct ndp_bytes name = is_given ? by->args->items[0]->bytes : by->name;
    return name.data && (ndp_bytes_is_word(name, "_create_code") || ndp_bytes_is_word(name, "CodeType"));
}

/* Whether it is _create_array(function, arguments, state, attributes) of dill, without attributes: what pickle itself
 * says of an array. Source: dill 0.4, _dill.py, save_numpy_array. */
static bool is_dill_array(const struct fuzz_told *call) {
    if (call->kind != FUZZ_TOLD_CALL || call->state) return false;
    const struct fuzz_told *args = call->args;
    if (!fuzz_is_told_name(call->callable, FUZZ_DILL, "_create_array")) return false;
    if (args->count != 3 && args->count != 4) return false;
    if (args->items[0]->kind != FUZZ_TOLD_GLOBAL || args->items[1]->kind != FUZZ_TOLD_TUPLE) return false;
    const struct fuzz_told *attributes = args->count == 4 ? args->items[3] : NULL;
    return !attributes || attributes->kind == FUZZ_TOLD_NONE ||
           (attributes->kind == FUZZ_TOLD_DICT && attributes->count == 0);
}

/* Compares two by themselves, and leaves what is in them for later. False where there is no room. */
static bool compare(struct pairs *pairs, struct fuzz_told *a, struct fuzz_told *b, bool *is_same) {
    const bool are_nans = fuzz_is_told_nan(a) && fuzz_is_told_nan(b) && (a->is_unsure || b->is_unsure);
    const bool is_read = pairs->is_body && a->kind == FUZZ_TOLD_STRING && b->kind == FUZZ_TOLD_TEXT;
    *is_same = (a->kind == b->kind || is_read) && (a->bits == b->bits || are_nans) && a->count == b->count;
    if (!*is_same || a->kind < FUZZ_TOLD_BYTEARRAY || (pairs->is_body && is_code(a) && is_code(b))) return true;
    if (a->kind == FUZZ_TOLD_GLOBAL) *is_same = is_same_global(a, b);
    if (a->kind == FUZZ_TOLD_GLOBAL || (a->kind == FUZZ_TOLD_TUPLE && a->count == 0)) return true;
    *is_same = (!a->pair && !b->pair) || (a->pair == b && b->pair == a);
    if (!*is_same || a->pair) return true;
    if (pairs->met_count == PAIRS_MAX) return false;
    pairs->met[pairs->met_count++] = a;
    a->pair = b;
    b->pair = a;
    for (uint32_t i = 0; i < a->count; i++)
        if (!add_pair(pairs, a->items[i], b->items[i], is_same)) return false;
    /* What was read writes an array of dill's as any other. */
    struct fuzz_told *const *array = pairs->is_body && is_dill_array(a) ? a->args->items : NULL;
    return add_pair(pairs, array ? array[0] : a->callable, b->callable, is_same) &&
           add_pair(pairs, array ? array[1] : a->args, b->args, is_same) &&
           add_pair(pairs, a->keywords, b->keywords, is_same) &&
           add_pair(pairs, array ? array[2] : a->state, b->state, is_same) &&
           add_pair(pairs, a->pairs, b->pairs, is_same) && add_pair(pairs, a->later, b->later, is_same);
}

static bool is_same(struct fuzz_told *a, struct fuzz_told *b, bool is_body) {
    static struct pairs pairs;
    bool is_same = true, has_room = true;
    pairs.count = pairs.met_count = 0;
    pairs.is_body = is_body;
    (void)add_pair(&pairs, a, b, &is_same);
    while (pairs.count > 0 && is_same && has_room) {
        struct fuzz_told *const *pair = pairs.list[--pairs.count];
        has_room = compare(&pairs, pair[0], pair[1], &is_same);
    }
    for (uint32_t i = 0; i < pairs.met_count; i++) pairs.met[i]->pair = NULL;
    return is_same || !has_room;
}

bool fuzz_tells_same(struct ndp_arena *arena, struct ndp_bytes a, struct ndp_bytes b) {
    struct fuzz_told *first, *second;
    struct ndp_bytes rest;
    if (!fuzz_tell(arena, a, false, &first, &rest) || !fuzz_tell(arena, b, false, &second, &rest)) return true;
    return is_same(first, second, false);
}

bool fuzz_tells_of(struct ndp_arena *arena, struct fuzz_told *told, struct ndp_bytes pickle) {
    struct fuzz_told *root;
    struct ndp_bytes rest;
    return told->pair || !fuzz_tell(arena, pickle, false, &root, &rest) || is_same(told, root, true);
}
