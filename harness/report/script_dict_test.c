/* A schedule on a typed dict as Python; cmd/test_script.py runs such scripts. */
#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

static const char *tell(struct making *m, const char *dict) {
    char text[512];
    making_init(m);
    snprintf(text, sizeof text, "{\"value\":{\"dict\":{%s}}}", dict);
    making_read(m, text);
    ndp_script_tell_dict(&m->script, m->descriptor.value.dict);
    assert_int_equal(m->script.status, NDP_OK);
    return making_said(m);
}

static void holds(const char *said, const char *piece, bool is_there) {
    if ((strstr(said, piece) != NULL) != is_there) fail_msg("%s%s in: %s", is_there ? "no " : "", piece, said);
}

/* The numbers of a block are its operation, first key, count and writer, as model/dict.h numbers them. */
static void a_schedule_is_told_thread_by_thread(void **state) {
    (void)state;
    struct making m;
    const char *said =
        tell(&m, "\"initial\":5,\"rounds\":3,\"threads\":[[[\"set\",0,10],[\"read\",2,3]],[[\"delete\",1,4]]]");
    holds(said, "[[(0, 0, 10, 1), (1, 2, 3, 2)], [(2, 1, 4, 5)]]", true);
    holds(said, "for _ in range(3)))", true);
    /* What is there before the threads start has writer 0. */
    holds(said, "work(d, 0, np.array([(0, 0, 5, 0)]), bad)", true);
    holds(said, "| set(range(5))", true);
    making_clear(&m);
}

/* Operations that nobody does are not compiled. */
static void only_what_is_done_is_defined(void **state) {
    (void)state;
    static const struct {
        const char *op;
        const char *piece;
    } rows[] = {
        {"read", "if op == 1 and k in d: item = d[k]; bad[me] += item // 64 != k\n"},
        {"delete", "if op == 2 and k in d: del d[k]\n"},
        {"iterate", "for item in d.values(): bad[me] += item < 0\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        char dict[128];
        snprintf(dict, sizeof dict, "\"threads\":[[[\"%s\",0,1]]]", rows[i].op);
        const char *said = tell(&m, dict);
        holds(said, "if op == 0: d[k] = k * 64 + writer\n", true);
        for (size_t k = 0; k < NDP_ARRAY_LEN(rows); k++) holds(said, rows[k].piece, k == i);
        making_clear(&m);
    }
}

/* By model/dict.h: a key is the number, half of it, its digits, or a pair; an item tells its key and who set it. */
static void types_have_their_words(void **state) {
    (void)state;
    static const struct {
        const char *dict;
        const char *pieces[4];
    } rows[] = {
        {"\"key\":\"int64\",\"item\":\"float64\"",
         {"empty(numba.int64, numba.float64)", "d[k] = float(k * 64 + writer)", "[key for key in d]"}},
        {"\"key\":\"float64\",\"item\":\"int64\"",
         {"empty(numba.float64, numba.int64)", "d[k * 0.5] = k * 64 + writer", "[int(key * 2) for key in d]"}},
        {"\"key\":\"unicode\",\"item\":\"int64\"",
         {"empty(numba.types.unicode_type, numba.int64)", "d[str(k)] = ", "[int(key) for key in d]"}},
        {"\"key\":\"tuple\",\"item\":\"array\"",
         {"empty(numba.types.UniTuple(numba.int64, 2), numba.int64[::1])", "d[(k, -k)] = np.full(2, k * 64 + writer)",
          "[key[0] for key in d]", "item[0] // 64 != k"}},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        char dict[256];
        snprintf(dict, sizeof dict, "%s,\"threads\":[[[\"read\",0,1]]]", rows[i].dict);
        const char *said = tell(&m, dict);
        for (int k = 0; k < 4 && rows[i].pieces[k] != NULL; k++) holds(said, rows[i].pieces[k], true);
        making_clear(&m);
    }
}

/* It ends by itself, and says so when it has not seen it. */
static void it_ends_with_what_it_saw(void **state) {
    (void)state;
    struct making m;
    const char *said = tell(&m, "");
    holds(said, "signal.alarm(20)", true);
    holds(said, "(attempt() for _ in range(40))), 0)", true);
    holds(said, "in 40 attempts: mended, or not seen by chance", true);
    const char *last = "sys.exit(int(got != 0))\n";
    assert_string_equal(said + strlen(said) - strlen(last), last);
    making_clear(&m);
}

NDP_SUITE(script_dict_test, cmocka_unit_test(a_schedule_is_told_thread_by_thread),
          cmocka_unit_test(only_what_is_done_is_defined), cmocka_unit_test(types_have_their_words),
          cmocka_unit_test(it_ends_with_what_it_saw));
