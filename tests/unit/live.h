/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live map alone, for tests: blocks can be at any address. */
#ifndef MEMMON_TESTS_LIVE_H
#define MEMMON_TESTS_LIVE_H

#include "monitor/base/arena.c"
#include "monitor/base/own_mappings.c"
#include "monitor/counts/live.c"
#include "monitor/counts/live_pages.c"
#include "monitor/counts/live_wide.c"
#include "tests/unit/noimage.h"

void
mmi_process_forked(void)
{
}

uint64_t
mmi_process_clock(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}
#include "tests/tap.h"

#define TAIL ((1u << MMI_LIVE_TAIL_BITS) - 1)
#define ALL_OF_IT ((1ull << MMI_LIVE_OFF_SHIFT) - 1)

static struct mmi_thread self;

/* A block's address: any number that a heap could have. */
static inline const void *
at(uintptr_t a)
{
	return (const void *)a;
}

/* A different entry for each cell; never 0. */
static inline uint64_t
entry_of(uint32_t cell)
{
	return mmi_live_entry(cell, cell % 3 ? 0 : MMI_LIVE_TIMED,
			      (cell * 7919u) & TAIL);
}

/*
 * mmi_live_put(); returns the old entry, without its place; ~0: out of
 * memory.
 */
static inline uint64_t
put(uintptr_t a, uint64_t size, uint64_t entry)
{
	bool ok;
	uint64_t was = mmi_live_put(&self, at(a), size, entry, &ok);

	return ok ? was & ALL_OF_IT : ~0ull;
}

static inline uint64_t
take(uintptr_t a)
{
	return mmi_live_take(at(a)) & ALL_OF_IT;
}

#endif
