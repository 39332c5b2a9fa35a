/* script_dict.c: a schedule of threads on a typed dict. What it shows, it shows by chance: the script forks process
 * after process for it, a bounded number of times, and says when it did not see it. */
#include "report/script_parts.h"

enum { ATTEMPTS = 40, SECONDS = 20 };

/* Python's words for a type, by enum ndp_dict_type: numba's name; the key k; the number of a key; the item of k by a
 * writer (model/dict.h); what an item holds. What is no key, or no item, has "". */
static const struct {
    const char *type, *key, *of_key, *item, *of_item;
} words[] = {
    [NDP_DICT_INT64] = {"numba.int64", "k", "key", "k * 64 + writer", "item"},
    [NDP_DICT_FLOAT64] = {"numba.float64", "k * 0.5", "int(key * 2)", "float(k * 64 + writer)", "int(item)"},
    [NDP_DICT_UNICODE] = {"numba.types.unicode_type", "str(k)", "int(key)", "", ""},
    [NDP_DICT_TUPLE] = {"numba.types.UniTuple(numba.int64, 2)", "(k, -k)", "key[0]", "", ""},
    [NDP_DICT_ARRAY] = {"numba.int64[::1]", "", "", "np.full(2, k * 64 + writer)", "item[0]"},
};

static bool has_op(const struct ndp_dict_value *value, enum ndp_dict_op op) {
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = 0; b < value->threads[t].block_count; b++) {
            if (value->threads[t].blocks[b].op == op) return true;
        }
    }
    return false;
}

/* For each thread its operations, first keys, counts and writers. */
static const char *plans_of(struct ndp_script *script, const struct ndp_dict_value *value) {
    const char *text = "";
    for (uint32_t t = 0; t < value->thread_count; t++) {
        const struct ndp_dict_thread *thread = &value->threads[t];
        const char *rows = "";
        for (uint32_t b = 0; b < thread->block_count; b++) {
            const struct ndp_dict_block *block = &thread->blocks[b];
            rows = ndp_script_text(script, "%s%s(%d, %u, %u, %u)", rows, b > 0 ? ", " : "", (int)block->op,
                                   (unsigned)block->first, (unsigned)block->count, (unsigned)ndp_dict_writer(t, b));
        }
        text = ndp_script_text(script, "%s%s[%s]", text, t > 0 ? ", " : "", rows);
    }
    return text;
}

/* The function that every thread runs without the interpreter's lock. */
static void define_work(struct ndp_script *script, const struct ndp_dict_value *value) {
    const char *key = words[value->key].key;
    const char *of_item = words[value->item].of_item;
    ndp_script_define(script,
                      "@numba.njit(nogil=True)\n"
                      "def work(d, me, plan, bad):\n"
                      "    for op, first, count, writer in zip(plan[:, 0], plan[:, 1], plan[:, 2], plan[:, 3]):\n"
                      "        for k in range(first, first + count):");
    ndp_script_define(script, ndp_script_text(script, "            if op == %d: d[%s] = %s", (int)NDP_DICT_OP_SET, key,
                                              words[value->item].item));
    if (has_op(value, NDP_DICT_OP_READ))
        ndp_script_define(script, ndp_script_text(script,
                                                  "            if op == %d and %s in d: item = d[%s]; "
                                                  "bad[me] += %s // %d != k",
                                                  (int)NDP_DICT_OP_READ, key, key, of_item, NDP_DICT_WRITERS));
    if (has_op(value, NDP_DICT_OP_DELETE))
        ndp_script_define(script, ndp_script_text(script, "            if op == %d and %s in d: del d[%s]",
                                                  (int)NDP_DICT_OP_DELETE, key, key));
    if (has_op(value, NDP_DICT_OP_ITERATE))
        ndp_script_define(script, ndp_script_text(script,
                                                  "        if op == %d:\n"
                                                  "            for item in d.values(): bad[me] += %s < 0",
                                                  (int)NDP_DICT_OP_ITERATE, of_item));
}

/* One round on a new dict, which tells whether anything is wrong: a broken item, a length that is not that of the keys,
 * a key that was lost or made up. A thread that was refused may have left its work undone. */
static void define_round(struct ndp_script *script, const struct ndp_dict_value *value) {
    ndp_script_define(script,
                      ndp_script_text(script,
                                      "def done(plans, op): return {k for plan in plans for o, f, n, w in plan "
                                      "if o == op for k in range(f, f + n)}\n"
                                      "def is_wrong(plans):\n"
                                      "    d, errors = numba.typed.Dict.empty(%s, %s), []\n"
                                      "    bad, gate = np.zeros(len(plans), int), threading.Barrier(len(plans))\n"
                                      "    threading.excepthook = errors.append; "
                                      "work(d, 0, np.array([(%d, 0, %u, 0)]), bad)",
                                      words[value->key].type, words[value->item].type, (int)NDP_DICT_OP_SET,
                                      (unsigned)value->initial));
    ndp_script_define(script,
                      "    go = lambda t: (gate.wait(), work(d, t, np.array(plans[t], int).reshape(-1, 4), bad))\n"
                      "    jobs = [threading.Thread(target=go, args=(t,)) for t in range(len(plans))]\n"
                      "    [job.start() for job in jobs], [job.join() for job in jobs]");
    ndp_script_define(
        script, ndp_script_text(
                    script,
                    "    keys, there = [%s for key in d], done(plans, %d) | set(range(%u))\n"
                    "    is_kept = bool(errors) or there - done(plans, %d) <= set(keys)\n"
                    "    return bad.any() or not len(d) == len(keys) == len(set(keys)) or not set(keys) <= there or "
                    "not is_kept",
                    words[value->key].of_key, (int)NDP_DICT_OP_SET, (unsigned)value->initial, (int)NDP_DICT_OP_DELETE));
}

void ndp_script_tell_dict(struct ndp_script *script, const struct ndp_dict_value *value) {
    define_work(script, value);
    define_round(script, value);
    ndp_script_define(script, ndp_script_text(script,
                                              "def attempt():\n"

                                              "    if (pid := os.fork()): return os.waitpid(pid, 0)[1]\n"
                                              "    signal.alarm(%d); os._exit(any(is_wrong([%s]) for _ in range(%u)))",
                                              SECONDS, plans_of(script, value), (unsigned)value->rounds));
    ndp_script_do(script, ndp_script_text(script,
                                          "is_wrong([[(%d, 0, 1, 0)]])  # compiled before anything is forked\n"
                                          "got = next(filter(None, (attempt() for _ in range(%d))), 0)",
                                          (int)NDP_DICT_OP_READ, ATTEMPTS));
    ndp_script_do(script,
                  ndp_script_text(script,
                                  "print(\"expected: wait status 0, of a process whose dict is whole\\ngot:      wait "
                                  "status\", got, \"\" if got else \"in %d attempts: mended, or not seen by chance\")\n"
                                  "sys.exit(int(got != 0))",
                                  ATTEMPTS));
}
