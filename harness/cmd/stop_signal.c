#include "cmd/stop_signal.h"

#include <stddef.h>

static volatile sig_atomic_t stop_signal;

static void on_signal(int number) {
    stop_signal = number;
}

const volatile sig_atomic_t *ndp_stop_signal_install(void) {
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    return &stop_signal;
}
