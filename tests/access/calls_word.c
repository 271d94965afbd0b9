/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be compiled without any recording. */
#include "tests/access/calls_word.h"

#include "monitor/abi.h"

#define MASK ((2ull << MEMMON_COUNT_BITS) - 1)

static uint64_t
word(const volatile void *p)
{
	const struct memmon_access_state *h = __link_with_lmemmon_access_v1;

	return h->cells[(uintptr_t)p >> MEMMON_GRANULE_SHIFT & h->mask];
}

uint64_t
word_reads(const volatile void *p)
{
	return word(p) >> MEMMON_READ_SHIFT & MASK;
}

uint64_t
word_writes(const volatile void *p)
{
	return word(p) >> MEMMON_WRITE_SHIFT & MASK;
}
