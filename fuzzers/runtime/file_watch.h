/* file_watch.h: counts open files, to detect an input that leaves one open. */
#ifndef NDP_FUZZ_FILE_WATCH_H
#define NDP_FUZZ_FILE_WATCH_H

#include <stdint.h>

/* Number of open file descriptors among the first 128 of this process. */
uint32_t fuzz_files_open(void);

#endif
