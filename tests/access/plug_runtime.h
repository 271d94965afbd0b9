/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the runtime that the plugin's test programs call. */
#ifndef PLUG_RUNTIME_H
#define PLUG_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Prints reads/writes of each granule of [p, p + size), and clears them. */
void plug_show(const char *what, const void *p, size_t size);
/* Clears them. */
void plug_forget(const void *p, size_t size);
/* The counts of one granule. */
uint64_t plug_reads(const void *p);
uint64_t plug_writes(const void *p);
/* Calls of the runtime's functions so far. */
uint64_t plug_ranges(void);
uint64_t plug_loops(void);
#ifdef __cplusplus
}
#endif

#endif
