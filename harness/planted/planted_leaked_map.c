#include "planted/defect.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static void leak_map(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    (void)close(file);
}
NDP_DECODE_WITH(decode, leak_map)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_map, "leaks", "Every array maps the program's file and never unmaps it.", encode, decode);
