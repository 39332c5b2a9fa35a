#include "base/suite.h"
#include "cmd/jobs.h"

static void shards_have_a_range(void **state) {
    static const struct {
        const char *text;
        bool is_shard;
        uint32_t index, count;
    } rows[] = {
        {"1/1", true, 0, 1},     {"2/4", true, 1, 4},           {"4/4", true, 3, 4},   {"4096/4096", true, 4095, 4096},
        {"0/4", false, 0, 0},    {"5/4", false, 0, 0},          {"1/0", false, 0, 0},  {"", false, 0, 0},
        {"1", false, 0, 0},      {"1/", false, 0, 0},           {"/4", false, 0, 0},   {"1/4/4", false, 0, 0},
        {"-1/4", false, 0, 0},   {" 1/4", false, 0, 0},         {"1/4 ", false, 0, 0}, {"1.0/4", false, 0, 0},
        {"1/4097", false, 0, 0}, {"1/4294967297", false, 0, 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint32_t index = 77, count = 77;
        assert_int_equal(ndp_job_read_shard(rows[i].text, &index, &count), rows[i].is_shard);
        assert_int_equal(index, rows[i].is_shard ? rows[i].index : 77);
        assert_int_equal(count, rows[i].is_shard ? rows[i].count : 77);
    }
}

static void available_memory_is_read(void **state) {
    assert_true(ndp_job_available_bytes(
                    "MemTotal: 24683520 kB\nMemFree: 1 kB\nMemAvailable:    2048 kB\nBuffers: 3 kB\n") == 2048 * 1024);
    assert_true(ndp_job_available_bytes("MemTotal: 24683520 kB\n") == UINT64_MAX);
    assert_true(ndp_job_available_bytes("") == UINT64_MAX);
}

static enum ndp_exit jobs_of(bool is_given, uint64_t number, uint32_t *jobs) {
    static struct ndp_settings settings;
    settings = (struct ndp_settings){.jobs = number, .given = is_given ? NDP_OPTION_BIT(JOBS) : 0};
    return ndp_job_count(&settings, jobs);
}

static void one_job_is_always_possible(void **state) {
    uint32_t jobs = 0;
    assert_int_equal(jobs_of(false, 0, &jobs), NDP_EXIT_CLEAN);
    assert_true(jobs >= 1 && jobs <= NDP_MAX_JOBS);
    assert_int_equal(jobs_of(true, 1, &jobs), NDP_EXIT_CLEAN);
    assert_int_equal(jobs, 1);
}

NDP_SUITE(jobs_test, NDP_TEST(shards_have_a_range), NDP_TEST(available_memory_is_read),
          NDP_TEST(one_job_is_always_possible));
