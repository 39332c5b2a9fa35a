/* history.h: the events before and around the calls of a route, as one setting of it.
 *
 * A history uses a twin of the value: an array of the same type, shape and layout with every bit of its elements
 * inverted, or a graph of such arrays and of inverted numbers and bytes. The promises of the contract are those without
 * the history.
 */
#ifndef NDP_HISTORY_H
#define NDP_HISTORY_H

#include "base/bytes.h"

/* enum name, word in descriptors and on the wire, what happens */
#define NDP_HISTORY_LIST(X)                                                                                            \
    X(NONE, "", "nothing")                                                                                             \
    X(REUSED, "reused", "the same pickler, file object or path first carries the twin")                                \
    X(FAILED, "failed", "a call with the twin fails halfway")                                                          \
    X(FREED, "freed", "the twin travels and is freed; the value takes its place in memory")                            \
    X(THREADS, "threads", "other threads send twins at the same time")                                                 \
    X(FORKED, "forked", "the process forks while another thread works on the twin; the child makes the call")

#define NDP_HISTORY_ENUM(name, word, text) NDP_HISTORY_##name,
enum ndp_history { NDP_HISTORY_LIST(NDP_HISTORY_ENUM) NDP_HISTORY_COUNT };

/* "reused". */
extern const char *const ndp_history_words[NDP_HISTORY_COUNT];

/* A set of histories is a mask of these bits. */
#define NDP_HISTORY_BIT(history) (UINT32_C(1) << (history))

/* Fills *out with the history of that word. False for an unknown word. */
bool ndp_history_find(const char *word, enum ndp_history *out);

#endif
