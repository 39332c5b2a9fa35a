/* child_test.c: the testees run this program. */
#include "base/clock.h"
#include "base/suite.h"
#include "target/process/child.h"
#include "target/process/own_testee.h"

#include <sys/wait.h>

static void child_start(struct ndp_child *child, const char *deed) {
    struct own_argv own;
    struct ndp_error error = {0};
    own_init(&own, deed);
    if (ndp_child_start(child, own.argv, &own_limits, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_true(child->guard > 0);
    assert_int_equal(child->ending, NDP_ENDING_RUNNING);
    assert_int_equal(access(child->folder, F_OK), 0);
}

static void child_stop(struct ndp_child *child) {
    ndp_child_stop(child);
    assert_int_equal(child->guard, 0);
    assert_int_equal(access(child->folder, F_OK), -1);
    assert_true(child->write_fd < 0 && child->read_fd < 0 && child->print_fd < 0 && child->control_fd < 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    ndp_child_stop(child); /* a second stop does nothing */
}

/* Reads until the testee has ended and its channel is empty. */
static uint64_t read_all(struct ndp_child *child, uint8_t *room, uint64_t room_bytes) {
    uint64_t at = 0;
    while (child->read_fd >= 0 || child->ending == NDP_ENDING_RUNNING) {
        uint64_t got = 0;
        assert_int_equal(ndp_child_wait(child, false, 60 * SECOND_NS), NDP_OK);
        assert_int_equal(ndp_child_read(child, room + at, room_bytes - at, &got), NDP_OK);
        at += got;
    }
    return at;
}

/* Sends more than the channel can buffer and reads it back piece by piece. */
static void bytes_go_there_and_back(void **state) {
    enum { SIZE = 1 << 22 };
    static uint8_t sent[SIZE], got[SIZE];
    struct ndp_child child;
    for (size_t i = 0; i < SIZE; i++) sent[i] = (uint8_t)(i * 7 + (i >> 11));
    child_start(&child, "echo");
    for (uint64_t to = 0, back = 0; back < SIZE;) {
        uint64_t written = 0, taken = 0;
        assert_int_equal(ndp_child_wait(&child, to < SIZE, 60 * SECOND_NS), NDP_OK);
        if (to < SIZE)
            assert_int_equal(ndp_child_write(&child, (struct ndp_bytes){sent + to, SIZE - to}, &written), NDP_OK);
        assert_int_equal(ndp_child_read(&child, got + back, SIZE - back, &taken), NDP_OK);
        to += written;
        back += taken;
    }
    assert_memory_equal(sent, got, SIZE);
    assert_in_range(child.network, 0, NDP_NETWORK_COUNT - 1);
    child_stop(&child);
    /* ndp_child_stop killed it. */
    assert_int_equal(child.ending, NDP_ENDING_SIGNALLED);
    assert_int_equal(child.death.signal, SIGKILL);
}

static void its_end_is_reported(void **state) {
    static const struct {
        const char *deed;
        enum ndp_ending ending;
        int signal, exit_code;
        const char *text;
    } rows[] = {
        {"exit7", NDP_ENDING_EXITED, 0, 7, "exited with 7"},
        {"nothing", NDP_ENDING_EXITED, 0, 0, "exited with 0"},
        {"crash", NDP_ENDING_SIGNALLED, SIGKILL, 0, "was killed by signal 9"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_child child;
        uint8_t room[16];
        char text[NDP_ENDING_TEXT_BYTES];
        child_start(&child, rows[i].deed);
        assert_int_equal(read_all(&child, room, sizeof room), 0);
        assert_int_equal(child.ending, rows[i].ending);
        assert_int_equal(child.death.signal, rows[i].signal);
        assert_int_equal(child.death.exit_code, rows[i].exit_code);
        ndp_child_describe(&child, text);
        assert_string_equal(text, rows[i].text);
        /* The testee has closed its end. */
        uint64_t written = 99;
        enum ndp_status status = NDP_OK;
        for (int tries = 0; tries < 100 && status == NDP_OK; tries++)
            status = ndp_child_write(&child, ndp_bytes_view("x"), &written);
        assert_int_equal(status, NDP_GONE);
        assert_int_equal(ndp_child_write(&child, ndp_bytes_view("x"), &written), NDP_GONE);
        child_stop(&child);
        assert_int_equal(child.ending, rows[i].ending);
    }
}

static void every_ending_has_a_text(void **state) {
    static const struct {
        struct ndp_child child;
        const char *text;
    } rows[] = {
        {{.ending = NDP_ENDING_RUNNING}, "is running"},
        {{.ending = NDP_ENDING_EXITED, .death = {.exit_code = -1}}, "exited with -1"},
        {{.ending = NDP_ENDING_SIGNALLED, .death = {.signal = 11}}, "was killed by signal 11"},
        {{.ending = NDP_ENDING_MEMORY}, "was killed for its use of memory"},
        {{.ending = NDP_ENDING_LOST}, "is gone with its guard"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char text[NDP_ENDING_TEXT_BYTES];
        ndp_child_describe(&rows[i].child, text);
        assert_string_equal(text, rows[i].text);
    }
}

static void its_guard_may_be_lost(void **state) {
    struct ndp_child child;
    uint8_t room[64];
    uint64_t got = 0;
    child_start(&child, "family");
    while (got == 0) {
        assert_int_equal(ndp_child_wait(&child, false, 60 * SECOND_NS), NDP_OK);
        assert_int_equal(ndp_child_read(&child, room, sizeof room, &got), NDP_OK);
    }
    assert_int_equal(kill(child.guard, SIGKILL), 0);
    while (child.ending == NDP_ENDING_RUNNING) assert_int_equal(ndp_child_wait(&child, false, 60 * SECOND_NS), NDP_OK);
    assert_int_equal(child.ending, NDP_ENDING_LOST);
    /* Nothing but this test ends a process that outlived its guard. */
    (void)kill((pid_t)strtol((const char *)room, NULL, 10), SIGKILL);
    child_stop(&child);
}

/* The last output is kept, from both standard output and error. */
static void its_last_output_is_kept(void **state) {
    struct ndp_child child;
    uint8_t room[16];
    NDP_ARENA_SCOPED(arena, 1 << 20);
    child_start(&child, "print");
    (void)read_all(&child, room, sizeof room);
    child_stop(&child);
    assert_int_equal(child.printed_bytes, 9000 * 5 + 8);
    assert_true(ndp_bytes_is_equal(ndp_child_printed(&child, &arena, 18), ndp_bytes_view("8998\n8999\nthe end\n")));
    const struct ndp_bytes all = ndp_child_printed(&child, &arena, UINT64_MAX);
    assert_int_equal(all.size_bytes, NDP_PRINT_RING_BYTES);
    for (uint64_t i = 0; i < all.size_bytes; i++) {
        const uint64_t at = child.printed_bytes - all.size_bytes + i;
        char line[32];
        snprintf(line, sizeof line, "%04u\n", (unsigned)(at / 5));
        const char expected = at < 9000 * 5 ? line[at % 5] : "the end\n"[at - 9000 * 5];
        assert_int_equal(all.data[i], expected);
    }
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_child_printed(&child, &arena, 5).size_bytes, 0);
    child.printed_bytes = 0;
    assert_null(ndp_child_printed(&child, &arena, 5).data);
}

static void what_cannot_be_started_leaves_nothing(void **state) {
    struct ndp_child child;
    struct own_argv own;
    struct ndp_error error = {0};
    const int fds = count_fds();
    own_init(&own, "nothing");
    char *const kept = own_lose_folder();
    assert_int_equal(ndp_child_start(&child, own.argv, &own_limits, &error), NDP_IO);
    assert_non_null(strstr(error.text, "/no/such/folder"));
    own_restore_folder(kept);
    assert_int_equal(child.guard, 0);
    assert_int_equal(count_fds(), fds);
}

static void a_wait_without_events_lasts_for_its_timeout(void **state) {
    struct ndp_child nothing = {.read_fd = -1, .print_fd = -1, .control_fd = -1, .write_fd = -1, .server_print_fd = -1};
    const uint64_t before = ndp_clock_ns();
    assert_int_equal(ndp_child_wait(&nothing, true, 3500000), NDP_OK);
    assert_true(ndp_clock_ns() - before >= 3500000);
}

NDP_SUITE_WITH(child_test, own_play_role, NULL, NULL, NDP_TEST(bytes_go_there_and_back), NDP_TEST(its_end_is_reported),
               NDP_TEST(every_ending_has_a_text), NDP_TEST(its_guard_may_be_lost), NDP_TEST(its_last_output_is_kept),
               NDP_TEST(what_cannot_be_started_leaves_nothing), NDP_TEST(a_wait_without_events_lasts_for_its_timeout));
