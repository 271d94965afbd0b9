/* SPDX-License-Identifier: MIT */
/* Sorting in place. */
#ifndef MEMMON_SORT_H
#define MEMMON_SORT_H

#include "monitor/base/internal.h"

/* Sorts n items of `words' words each by their first word.  ctx: any. */
void mmi_sort(void *items, size_t n, size_t words);

#endif
