/* gate.h: what a run means for a release, as one exit code. */
#ifndef NDP_GATE_H
#define NDP_GATE_H

/* enum name, code, what it says */
#define NDP_EXIT_LIST(X)                                                                                               \
    X(CLEAN, 0, "clean")                                                                                               \
    X(DIVERGES, 1, "new divergence or crash")                                                                          \
    X(USAGE, 2, "usage or bad input file")                                                                             \
    X(FAULT, 3, "ndproof or a testee could not do its work")                                                           \
    X(STALE, 4, "baseline stale or expired")                                                                           \
    X(VACUOUS, 5, "too little work done to conclude")                                                                  \
    X(FLAKY, 6, "only flaky findings")

enum ndp_exit {
#define NDP_EXIT_ENUM(name, code, text) NDP_EXIT_##name = code,
    NDP_EXIT_LIST(NDP_EXIT_ENUM)
#undef NDP_EXIT_ENUM
};

#endif
