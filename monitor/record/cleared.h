/* SPDX-License-Identifier: MIT */
/* What calloc clears, by call path. */
#ifndef MEMMON_CLEARED_H
#define MEMMON_CLEARED_H

#include <stdint.h>

/*
 * calloc returned p, of `size' bytes; p NULL, or unrecorded: nothing is done.
 * ctx: hook.
 */
void mmi_cleared(const void *p, uint64_t size);

#endif
