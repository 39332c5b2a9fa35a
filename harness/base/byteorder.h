/* byteorder.h: conversion between bytes and integers, byte by byte, without alignment requirements or casts. */
#ifndef NDP_BYTEORDER_H
#define NDP_BYTEORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint16_t ndp_load_u16le(const uint8_t *p) {
    return (uint16_t)(p[0] | (uint16_t)((uint16_t)p[1] << 8));
}

static inline uint32_t ndp_load_u32le(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t ndp_load_u64le(const uint8_t *p) {
    return (uint64_t)ndp_load_u32le(p) | (uint64_t)ndp_load_u32le(p + 4) << 32;
}

static inline void ndp_store_u16le(uint8_t *p, uint16_t v) {
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void ndp_store_u32le(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

static inline void ndp_store_u64le(uint8_t *p, uint64_t v) {
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> (8 * i));
}

/* Copies `size_bytes` bytes in reverse order. The ranges must not overlap. */
static inline void ndp_byteorder_copy_reversed(uint8_t *to, const uint8_t *from, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++) to[i] = from[size_bytes - 1 - i];
}

/* Reports whether this machine stores the low byte first. */
static inline bool ndp_byteorder_host_is_little(void) {
    const uint16_t probe = 1;
    return *(const uint8_t *)&probe == 1;
}

#endif
