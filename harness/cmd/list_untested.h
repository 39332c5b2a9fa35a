/* list_untested.h: decides what a run should have tested but did not, and prints it. */
#ifndef NDP_LIST_UNTESTED_H
#define NDP_LIST_UNTESTED_H

#include <stdio.h>

#include "cmd/open_targets.h"

/* The question that a run answers. Borrowed. */
struct ndp_untested_request {
    const struct ndp_settings *settings;
    const struct ndp_opened *opened;
    struct ndp_property_set properties; /* empty: all */
    bool is_given;                      /* a list of given cases, which name their targets themselves */
};

/* Adds to report->untested, at the end of a run:
 *   - every target that is not available or compared nothing. With --target, those that it names are expected.
 * Otherwise those of every requested environment are, as far as --format and --property leave work for them, except a
 * library that the environment's list omits (.ci/env/NAME.txt);
 *   - every library that the list of an environment contains and its interpreter lacks;
 *   - every format and property with a floor that compared nothing.
 * Errors: NOMEM, and those of ndp_library_list_read. */
enum ndp_status ndp_list_untested(const struct ndp_untested_request *request, struct ndp_report *report,
                                  struct ndp_error *error) NDP_MUST_USE;

/* Prints one line for each permission that permits nothing, one for the items that do not gate, if there are any, and
 * then the line "NOT TESTED: ..." for those that do. It is the last output of a command. */
void ndp_list_untested_print(FILE *out, const struct ndp_report *report);

#endif
