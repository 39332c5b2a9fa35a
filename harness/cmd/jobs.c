#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cmd/jobs.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/target.h"

#define GIB 1073741824.0

/* ---- memory ---- */

/* Reads the beginning of a file; "" if it cannot be read. */
static void read_file(const char *path, char *out, size_t out_bytes) {
    FILE *file = fopen(path, "re");
    size_t size = file != NULL ? fread(out, 1, out_bytes - 1, file) : 0;
    out[size] = '\0';
    if (file != NULL) fclose(file);
}

uint64_t ndp_job_available_bytes(const char *meminfo) {
    static const char name[] = "MemAvailable:";
    const char *line = strstr(meminfo, name);
    return line != NULL ? strtoull(line + strlen(name), NULL, 10) * 1024 : UINT64_MAX;
}

/* The limit in a file of a control group; UINT64_MAX for "max", and without the file. */
static uint64_t read_limit(const char *folder, const char *file) {
    char path[PATH_MAX + 64], text[64];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    read_file(path, text, sizeof text);
    return text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The lowest limit of a control group and of those that contain it. `path` is its line in /proc/self/cgroup, after the
 * last colon; version 1 has a folder for memory. */
static uint64_t group_limit(const char *mount, const char *path, const char *file) {
    char folder[PATH_MAX];
    uint64_t limit = UINT64_MAX;
    snprintf(folder, sizeof folder, "%s%.*s", mount, (int)strcspn(path, "\n"), path);
    while (strlen(folder) >= strlen(mount)) {
        limit = smaller(limit, read_limit(folder, file));
        char *slash = strrchr(folder, '/');
        if (slash == NULL) break;
        *slash = '\0';
    }
    return limit;
}

static uint64_t available_bytes(void) {
    char text[8192];
    read_file("/proc/meminfo", text, sizeof text);
    uint64_t bytes = ndp_job_available_bytes(text);
    read_file("/proc/self/cgroup", text, sizeof text);
    const char *unified = strstr(text, "0::/"), *memory = strstr(text, ":memory:");
    bytes = smaller(bytes, group_limit("/sys/fs/cgroup", unified != NULL ? unified + 3 : "", "memory.max"));
    return smaller(bytes,
                   group_limit("/sys/fs/cgroup/memory", memory != NULL ? memory + 8 : "", "memory.limit_in_bytes"));
}

/* ---- jobs ---- */

static uint64_t count_processors(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return CPU_COUNT(&set) > 0 ? (uint64_t)CPU_COUNT(&set) : 1;
}

enum ndp_exit ndp_job_count(const struct ndp_settings *settings, uint32_t *jobs) {
    const uint64_t each = ndp_target_default_limits.memory_bytes, available = available_bytes();
    const uint64_t fitting = smaller(available / each, NDP_MAX_JOBS), most = fitting > 0 ? fitting : 1;
    if (!ndp_settings_has(settings, NDP_OPTION_JOBS)) {
        *jobs = (uint32_t)smaller(count_processors(), most);
        return NDP_EXIT_CLEAN;
    }
    if (settings->jobs == 0) {
        fprintf(stderr, "ndproof: --jobs 0 would run nothing; the least is 1\n");
        return NDP_EXIT_USAGE;
    }
    if (settings->jobs > most) {
        fprintf(stderr,
                "ndproof: --jobs %llu needs up to %.1f GiB of memory (%.1f GiB for each job), and %.1f GiB are "
                "available; the most is %llu\n",
                (unsigned long long)settings->jobs, (double)settings->jobs * (double)each / GIB, (double)each / GIB,
                (double)available / GIB, (unsigned long long)most);
        return NDP_EXIT_USAGE;
    }
    *jobs = (uint32_t)settings->jobs;
    return NDP_EXIT_CLEAN;
}

/* ---- shards ---- */

static bool read_part(const char *text, char end, uint32_t *out, const char **next) {
    uint32_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number <= NDP_MAX_SHARDS; at++) number = 10 * number + (uint32_t)(*at - '0');
    if (at == text || *at != end || number == 0 || number > NDP_MAX_SHARDS) return false;
    *out = number;
    *next = at + 1;
    return true;
}

bool ndp_job_read_shard(const char *text, uint32_t *index, uint32_t *count) {
    const char *after = text;
    uint32_t part = 0, parts = 0;
    if (!read_part(text, '/', &part, &after) || !read_part(after, '\0', &parts, &after) || part > parts) return false;
    *index = part - 1;
    *count = parts;
    return true;
}

enum ndp_exit ndp_job_shard(const struct ndp_settings *settings, uint32_t *index, uint32_t *count) {
    *index = *count = 0;
    if (settings->shard == NULL || ndp_job_read_shard(settings->shard, index, count)) return NDP_EXIT_CLEAN;
    fprintf(stderr, "ndproof: --shard takes I/N with I from 1 to N and N up to %d, such as 1/4; not '%s'\n",
            (int)NDP_MAX_SHARDS, settings->shard);
    return NDP_EXIT_USAGE;
}
