/* route_table.h: the table of `ndproof replay`: one row for every route of a case. */
#ifndef NDP_ROUTE_TABLE_H
#define NDP_ROUTE_TABLE_H

#include <stdio.h>

#include "engine/batch.h"

enum { NDP_TABLE_LIBRARY_BYTES = 80, NDP_TABLE_TEXT_BYTES = 76, NDP_TABLE_WORD_BYTES = 64 };

struct ndp_table_row {
    char library[NDP_TABLE_LIBRARY_BYTES]; /* "numpy 1.26.4", "joblib 1.4.2 in numpy", "numpy 1.26.4 to reference" */
    char route[NDP_ROUTE_TEXT_BYTES];
    char outcome[NDP_TABLE_WORD_BYTES]; /* "accepted" */
    char value[NDP_TABLE_TEXT_BYTES];   /* "(3, 4) >f8 C", or the error */
    char against[NDP_TABLE_TEXT_BYTES]; /* "as specified" */
    uint32_t shared;                    /* routes that share the row; set by ndp_route_table_print */
};

/* Empty when zeroed. */
struct ndp_route_table {
    struct ndp_table_row *rows; /* heap */
    uint32_t count;
    uint32_t room;
    bool has_expected;             /* a decode case: the specification has a result */
    struct ndp_table_row expected; /* `outcome`, `value` */
};

/* Adds the row of a case that ran on its route (`descriptor->route` is complete). All is copied. Errors: NOMEM. */
enum ndp_status ndp_route_table_add(struct ndp_route_table *table, const struct ndp_bench *bench,
                                    const struct ndp_descriptor *descriptor,
                                    const struct ndp_result *result) NDP_MUST_USE;

/* Prints header and rows in aligned columns, indented by two spaces. Long texts are cut and end in "...". In a table of
 * more than NDP_TABLE_MAX_ROWS rows, the routes of one format with equal cells share a row. */
enum { NDP_TABLE_MAX_ROWS = 40 };
void ndp_route_table_print(FILE *out, struct ndp_route_table *table);

void ndp_route_table_clear(struct ndp_route_table *table);

#endif
