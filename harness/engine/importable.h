/* importable.h: a graph whose functions are one function of a module, which every pickler sends by name. Private to
 * this folder. */
#ifndef NDP_IMPORTABLE_H
#define NDP_IMPORTABLE_H

#include "model/graph/graph.h"

/* Gives `graph` with one function of a module in the place of all its functions (memory from `arena`, parts shared), so
 * that formats which take no local functions take it. *out is NULL if all functions are of a module already, or if no
 * such graph can be built. Errors: NOMEM. */
enum ndp_status ndp_importable_graph(struct ndp_arena *arena, const struct ndp_graph *graph,
                                     const struct ndp_graph **out) NDP_MUST_USE;

#endif
