/* load_baseline.h: reads a baseline file, and today's date. */
#ifndef NDP_LOAD_BASELINE_H
#define NDP_LOAD_BASELINE_H

#include "report/baseline.h"

enum { NDP_DAY_BYTES = 11 };

/* Fills *out from the file at `path` (arena), or prints the error on standard error and returns false. */
bool ndp_load_baseline(struct ndp_arena *arena, const char *path, struct ndp_baseline *out);

/* "2026-01-31", UTC. */
void ndp_load_baseline_today(char out[NDP_DAY_BYTES]);

#endif
