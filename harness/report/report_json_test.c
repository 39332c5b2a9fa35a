#include "base/suite.h"
#include "describe/json_fixture.h"
#include "report/report_json.h"
#include "report/report_sample.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const cJSON *member(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_non_null(item);
    return item;
}

static void test_content(void **state) {
    struct ndp_buffer text;
    sample_print(&text);
    cJSON *root = cJSON_ParseWithLength((const char *)text.data, (size_t)text.size_bytes);
    assert_non_null(root);
    const cJSON *run = member(root, "run");
    assert_string_equal(member(run, "seed")->valuestring, "18446744073709551615");
    assert_string_equal(member(run, "started")->valuestring, "2026-01-31T23:59:59Z");
    assert_string_equal(member(run, "ended")->valuestring, "2026-02-01T00:00:00Z");
    assert_string_equal(member(run, "stop_reason")->valuestring, "cases");
    assert_int_equal(cJSON_GetArraySize(member(root, "targets")), 3);
    const cJSON *missing = cJSON_GetArrayItem(member(root, "targets"), 2);
    assert_string_equal(member(missing, "unavailable")->valuestring, "no such interpreter");
    const cJSON *first = cJSON_GetArrayItem(member(root, "targets"), 0);
    assert_string_equal(member(member(first, "libraries"), "astropy")->valuestring, "8.0.2");
    assert_string_equal(member(member(first, "stand_ins"), "cudf.pandas")->valuestring, "proxy");
    assert_int_equal(cJSON_GetArraySize(member(first, "stand_ins")), 1);
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(member(root, "targets"), 1), "stand_ins"));
    assert_int_equal(member(member(root, "work"), "cases")->valueint, 20);
    assert_int_equal(member(member(root, "work"), "comparisons")->valueint, 200);
    const cJSON *cell = cJSON_GetArrayItem(member(member(root, "work"), "cells"), 0);
    assert_string_equal(member(cell, "route")->valuestring, "numpy>reference npy:file>mmap:r");
    assert_int_equal(member(cell, "pass")->valueint, 10);
    assert_int_equal(cJSON_GetArraySize(member(member(root, "work"), "cells")), 4);
    const cJSON *findings = member(root, "findings");
    assert_int_equal(cJSON_GetArraySize(findings), 2);
    const cJSON *finding = cJSON_GetArrayItem(findings, 0);
    assert_int_equal(member(finding, "count")->valueint, 3);
    assert_string_equal(member(finding, "status")->valuestring, "new");
    assert_string_equal(member(cJSON_GetArrayItem(findings, 1), "status")->valuestring, "flaky");
    assert_string_equal(member(finding, "stderr_tail")->valuestring, "warning \xc3\xa9 ?\n");
    assert_string_equal(member(cJSON_GetArrayItem(member(finding, "difference"), 0), "got")->valuestring,
                        "3.0386e-319 ?");
    const cJSON *result = member(member(finding, "observations"), "result");
    assert_memory_equal(member(result, "elements")->valuestring, "3ff000", 6);
    assert_string_equal(member(member(result, "backing"), "mode")->valuestring, "r");
    assert_int_equal(member(member(root, "gate"), "exit_code")->valueint, 1);
    assert_int_equal(member(run, "jobs")->valueint, 2);
    assert_string_equal(member(run, "shard")->valuestring, "2/4");
    assert_string_equal(member(finding, "first_group")->valuestring, "numpy>reference npy");
    assert_int_equal(member(finding, "first_case")->valueint, 17);
    assert_true(member(finding, "found_after_s")->valuedouble == 12.3);
    const cJSON *cause = cJSON_GetArrayItem(member(root, "causes"), 0);
    assert_string_equal(member(cause, "first_group")->valuestring, "numpy>reference npy");
    assert_true(member(cause, "found_after_s")->valuedouble == 12.3);
    const cJSON *groups = member(member(root, "work"), "coverage");
    assert_int_equal(cJSON_GetArraySize(groups), 2);
    assert_int_equal(member(cJSON_GetArrayItem(groups, 1), "triples")->valueint, 3);
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(groups, 0), "bits"));
    const cJSON *lost = cJSON_GetArrayItem(member(member(root, "work"), "lost_workers"), 0);
    assert_string_equal(member(lost, "ending")->valuestring, "signal 9");
    assert_true(cJSON_IsTrue(member(lost, "repeated")));
    cJSON_Delete(root);
    ndp_buffer_clear(&text);
}

/* Only the comparisons of a cell are lost: the file does not have them. */
static void test_read_back(void **state) {
    struct ndp_buffer text;
    struct ndp_report report;
    struct ndp_gate gate;
    struct ndp_error error = {.status = NDP_OK};
    sample_print(&text);
    NDP_BUFFER_SCOPED(again, 1 << 20);
    if (ndp_report_read(ndp_buffer_view(&text), &report, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
    ndp_report_fill_floors(&report);
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_DIVERGES);
    assert_int_equal(gate.reason_count, 1);
    assert_int_equal(ndp_report_print(&again, &report, NULL, &gate), NDP_OK);
    assert_int_equal(again.size_bytes, text.size_bytes);
    assert_memory_equal(again.data, text.data, text.size_bytes);
    ndp_report_clear(&report);
    ndp_buffer_clear(&text);
}

/* A temporary folder. */
struct folder {
    char path[64];
    char report[96];
};

static void folder_open(struct folder *folder) {
    strcpy(folder->path, "/tmp/ndproof-report-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    snprintf(folder->report, sizeof folder->report, "%s/report.json", folder->path);
}

static int entries_of(const char *path) {
    DIR *dir = opendir(path);
    assert_non_null(dir);
    int count = 0;
    while (readdir(dir) != NULL) count++;
    closedir(dir);
    return count - 2;
}

static void test_write(void **state) {
    struct folder folder;
    struct ndp_report report;
    struct ndp_gate gate;
    struct stat before, after;
    folder_open(&folder);
    sample_report(&report);
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(ndp_report_write(folder.report, &report, NULL, &gate, NULL), NDP_OK);
    assert_int_equal(stat(folder.report, &before), 0);
    assert_int_equal(ndp_report_write(folder.report, &report, NULL, &gate, NULL), NDP_OK);
    assert_int_equal(stat(folder.report, &after), 0);
    assert_true(before.st_ino != after.st_ino);
    assert_true(before.st_size == after.st_size);
    assert_int_equal(entries_of(folder.path), 1);
    unlink(folder.report);
    rmdir(folder.path);
    ndp_report_clear(&report);
}

static void test_write_fails(void **state) {
    struct folder folder;
    struct ndp_report report;
    struct ndp_gate gate;
    struct ndp_error error = {.status = NDP_OK};
    folder_open(&folder);
    sample_report(&report);
    ndp_gate_judge(&report, NULL, &gate);
    /* A file cannot replace a folder. */
    assert_int_equal(mkdir(folder.report, 0700), 0);
    assert_int_equal(ndp_report_write(folder.report, &report, NULL, &gate, &error), NDP_IO);
    assert_int_equal(error.status, NDP_IO);
    assert_int_equal(entries_of(folder.path), 1);
    rmdir(folder.report);
    rmdir(folder.path);
    assert_int_equal(ndp_report_write(folder.report, &report, NULL, &gate, &error), NDP_IO);
    ndp_report_clear(&report);
}

static const char python[] = "build/venv/bin/python";

/* Runs the validator on the file; returns its exit code. */
static int validate(const char *report, const char *copy) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int quiet = open("/dev/null", O_WRONLY);
        if (quiet < 0 || dup2(quiet, STDOUT_FILENO) < 0) _exit(126);
        execl(python, python, ".ci/validate.py", "reports/schema.json", copy, "cp", report, copy, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The jsonschema library must accept a report and reject a damaged one. */
static void test_schema(void **state) {
    if (access(python, X_OK) != 0 || access("reports/schema.json", R_OK) != 0) skip();
    struct folder folder;
    struct ndp_buffer text;
    char copy[128];
    folder_open(&folder);
    snprintf(copy, sizeof copy, "%s/copy.json", folder.path);
    sample_print(&text);
    for (int is_spoilt = 0; is_spoilt < 2; is_spoilt++) {
        if (is_spoilt != 0) {
            assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
            char *place = strstr((char *)text.data, "\"elements\"");
            assert_non_null(place);
            memcpy(place, "\"elephant\"", strlen("\"elephant\""));
            text.size_bytes--;
        }
        FILE *file = fopen(folder.report, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(text.data, 1, (size_t)text.size_bytes, file), text.size_bytes);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(validate(folder.report, copy), is_spoilt);
    }
    unlink(copy);
    unlink(folder.report);
    rmdir(folder.path);
    ndp_buffer_clear(&text);
}

static void test_fail_nth_allocation(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    sample_finding(&report, "s", NDP_SEVERITY_DEFECT, 3);
    ndp_gate_judge(&report, NULL, &gate);
    enum ndp_status status = NDP_NOMEM;
    uint64_t calls = 0;
    for (; status != NDP_OK && calls < 5000; calls++) {
        NDP_BUFFER_SCOPED(text, 1 << 20);
        ndp_json_allow(calls);
        status = ndp_report_print(&text, &report, NULL, &gate);
        if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
    }
    ndp_json_allow_all();
    assert_int_equal(status, NDP_OK);
    assert_true(calls > 100);
    ndp_report_clear(&report);
}

NDP_SUITE(report_json_test, NDP_TEST(test_content), NDP_TEST(test_read_back), NDP_TEST(test_write),
          NDP_TEST(test_write_fails), NDP_TEST(test_schema), NDP_TEST(test_fail_nth_allocation));
