/* jobs.h: the number of worker processes of a sweep, and its part of a sweep that several machines share. */
#ifndef NDP_JOBS_H
#define NDP_JOBS_H

#include "cmd/settings.h"
#include "report/gate.h"

/* Fills *jobs from --jobs. Without it, one job for each available processor, but no more than the memory allows and at
 * least one. A job may use as much memory as its testee's limit. Prints an error and returns USAGE for no job, and for
 * more jobs than the available memory allows. */
enum ndp_exit ndp_job_count(const struct ndp_settings *settings, uint32_t *jobs);

/* Fills *index (from 0) and *count from --shard; 0 and 0 without it. Prints an error and returns USAGE for a text that
 * is no shard. */
enum ndp_exit ndp_job_shard(const struct ndp_settings *settings, uint32_t *index, uint32_t *count);

enum { NDP_MAX_JOBS = 1024, NDP_MAX_SHARDS = 4096 };

/* "2/4" -> 1 and 4. Returns false, and fills nothing, for any other text and for a shard outside its range. */
bool ndp_job_read_shard(const char *text, uint32_t *index, uint32_t *count);

/* The bytes of the line "MemAvailable:" in the text of /proc/meminfo; UINT64_MAX if it has none. */
uint64_t ndp_job_available_bytes(const char *meminfo);

#endif
