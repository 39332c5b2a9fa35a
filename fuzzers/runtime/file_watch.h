/* file_watch.h: how many files are open, so that an input that leaves one open is found where it happens. */
#ifndef NDP_FUZZ_FILE_WATCH_H
#define NDP_FUZZ_FILE_WATCH_H

#include <stdint.h>

/* Open descriptors of this process, of the first 128. */
uint32_t fuzz_files_open(void);

#endif
