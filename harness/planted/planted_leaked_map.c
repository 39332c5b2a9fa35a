#include "planted/defect.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    (void)close(file);
}
NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_map, "leaks", "The program itself is mapped for every array, and never unmapped.", encode, decode);
