/* poison.h: marks memory that must not be accessed, for AddressSanitizer; without it, does nothing. */
#ifndef NDP_POISON_H
#define NDP_POISON_H

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define NDP_POISON(data, size_bytes)   __asan_poison_memory_region(data, size_bytes)
#define NDP_UNPOISON(data, size_bytes) __asan_unpoison_memory_region(data, size_bytes)
#else
#define NDP_POISON(data, size_bytes)   ((void)(data))
#define NDP_UNPOISON(data, size_bytes) ((void)(data))
#endif

#endif
