/* SPDX-License-Identifier: MIT */
/*
 * The functions of memmon.h in libmemmon, for a program that contains
 * libmemmon-access, too.  memmon(1) loads libmemmon first, so the program calls
 * these functions; but libmemmon-access does the work.
 */
#ifndef MEMMON_PASS_H
#define MEMMON_PASS_H

#include "monitor/base/internal.h"

#if defined(MEMMON_STATIC) || defined(MEMMON_ACCESS)

#define PASS(f, ...) (void)0

static inline void
mmi_pass_find(void)
{
}

#else

#ifndef MEMMON_ADDRESS
#define MEMMON_ADDRESS(p) /* for callers only */
#endif
#include "monitor/memmon.h"

#define PASS_ALL(X) \
	X(memmon_totals) \
	X(memmon_dump) \
	X(memmon_dump_to) \
	X(memmon_start) \
	X(memmon_stop) \
	X(memmon_reset) \
	X(memmon_mark) \
	X(memmon_alloc) \
	X(memmon_free) \
	X(memmon_pool_create) \
	X(memmon_pool_add) \
	X(memmon_pool_alloc) \
	X(memmon_pool_realloc) \
	X(memmon_pool_free) \
	X(memmon_pool_discard) \
	X(memmon_pool_destroy) \
	X(memmon_leak_check) \
	X(memmon_graph) \
	X(memmon_leak_ignore) \
	X(memmon_type)

/* The functions of libmemmon-access; NULL: it isn't in the program. */
#define PASS_MEMBER(f) __typeof__(f) *f;
extern HIDDEN struct mmi_pass {
	PASS_ALL(PASS_MEMBER)
} mmi_pass;

/* Return what f of libmemmon-access returns, if there is one. */
#define PASS(f, ...) \
	do { \
		if (UNLIKELY(mmi_pass.f)) \
			return mmi_pass.f(__VA_ARGS__); \
	} while (0)

/* libmemmon-access is in the program: finds its functions.  ctx: init. */
void mmi_pass_find(void);

#endif

#endif
