/* SPDX-License-Identifier: MIT */
/* When a block was first accessed, as known from one of its granules. */
#ifndef MEMMON_ACCESS_FIRST_H
#define MEMMON_ACCESS_FIRST_H

#include <stdint.h>

/*
 * Records that granule i, of word *v, was first touched at the word's epoch.
 * If its block is found, this holds for all granules of the block that weren't
 * touched earlier, at least up to the granule that is returned.  ctx: hook.
 */
uint64_t mmi_access_first(uint64_t i, uint64_t *v);

#endif
