/* SPDX-License-Identifier: MIT */
/* When a block was first accessed, told by one of its granules. */
#ifndef MEMMON_ACCESS_FIRST_H
#define MEMMON_ACCESS_FIRST_H

#include <stdint.h>

/*
 * Remember that granule i, of word *v, was touched at the word's epoch, and not
 * before.  If its block can be found that is known for all granules of it, up
 * to the one returned at least, which weren't touched earlier.  ctx: hook.
 */
uint64_t mmi_access_first(uint64_t i, uint64_t *v);

#endif
