/* SPDX-License-Identifier: MIT */
/*
 * The functions that a program calls to announce its own allocators.  Compiled
 * with frame pointers, which ARCH_ENTRY() needs.
 */
#define MEMMON_ADDRESS(p) /* for callers only */
#include "monitor/base/pass.h"
#include "monitor/memmon.h"
#include "monitor/record/pool.h"

EXPORT void
memmon_alloc(const void *p, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	PASS(memmon_alloc, p, size);
	mmi_pool_alloc(NULL, false, p, size, &e);
}

EXPORT void
memmon_free(const void *p)
{
	PASS(memmon_free, p);
	if (p)
		mmi_pool_free(NULL, false, p);
}

EXPORT void
memmon_pool_create(const void *pool)
{
	PASS(memmon_pool_create, pool);
	mmi_pool_create(pool);
}

EXPORT void
memmon_pool_add(const void *pool, const void *base)
{
	PASS(memmon_pool_add, pool, base);
	mmi_pool_add(pool, base);
}

EXPORT void
memmon_pool_alloc(const void *pool, const void *p, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	PASS(memmon_pool_alloc, pool, p, size);
	mmi_pool_alloc(pool, true, p, size, &e);
}

EXPORT void
memmon_pool_realloc(const void *pool, const void *old, const void *p,
		    size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	PASS(memmon_pool_realloc, pool, old, p, size);
	mmi_pool_realloc(pool, old, p, size, &e);
}

EXPORT void
memmon_pool_free(const void *pool, const void *p)
{
	PASS(memmon_pool_free, pool, p);
	if (p)
		mmi_pool_free(pool, true, p);
}

EXPORT void
memmon_pool_discard(const void *pool)
{
	PASS(memmon_pool_discard, pool);
	mmi_pool_discard(pool);
}

EXPORT void
memmon_pool_destroy(const void *pool)
{
	PASS(memmon_pool_destroy, pool);
	mmi_pool_destroy(pool);
}
