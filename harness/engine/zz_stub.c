#include "describe/generate.h"
#include "target/target.h"
__attribute__((weak)) enum ndp_status ndp_target_open_process(const char *name, const char *environment,
                                                              char *const *argv, const struct ndp_target_limits *limits,
                                                              struct ndp_target **out, struct ndp_error *error) {
    (void)name;
    (void)environment;
    (void)argv;
    (void)limits;
    (void)out;
    return ndp_error_set(error, NDP_GONE, 0, "stub");
}
