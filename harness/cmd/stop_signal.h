/* stop_signal.h: the signals that end a run in order, instead of the process. */
#ifndef NDP_STOP_SIGNAL_H
#define NDP_STOP_SIGNAL_H

#include <signal.h>

/* Installs the handlers of SIGINT, SIGTERM and SIGHUP, which set the flag. Gives the flag, which is 0 before. */
const volatile sig_atomic_t *ndp_stop_signal_install(void);

#endif
