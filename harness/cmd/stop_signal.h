/* stop_signal.h: signals that stop a run in order. */
#ifndef NDP_STOP_SIGNAL_H
#define NDP_STOP_SIGNAL_H

#include <signal.h>

/* Installs handlers of SIGINT, SIGTERM and SIGHUP and returns the flag that they set, which starts as 0. */
const volatile sig_atomic_t *ndp_stop_signal_install(void);

#endif
