/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compile this without any recording. */
#include "tests/access/calls_word.h"

#include "monitor/abi.h"

static uint64_t
word(const volatile void *p)
{
	const struct memmon_access_state *h = __link_with_lmemmon_access_v6;

	return h->cells[(uintptr_t)p >> MEMMON_GRANULE_SHIFT & h->cells[-1]];
}

uint64_t
word_reads(const volatile void *p)
{
	uint64_t v = word(p), all = v << (64 - MEMMON_STAMP_SHIFT);

	return (all >> (64 - MEMMON_STAMP_SHIFT + MEMMON_ALL_SHIFT)) -
	       word_writes(p);
}

uint64_t
word_writes(const volatile void *p)
{
	return word(p) & ((1u << MEMMON_WRITES_BITS) - 1);
}
