/* SPDX-License-Identifier: MIT */
/*
 * The program's own allocators, as annotations in it tell of them (memmon.h).
 *
 * Their blocks are in the live map and in cells like malloc's.  A pool knows
 * besides which are its own, for they can go all at once; only one thread at a
 * time tells of one pool.  A block of malloc's, or of another pool's, that a
 * pool divides is its backing: it has left the map, where one of the pool's
 * blocks may have its address, and is remembered here until it is freed.
 */
#ifndef MEMMON_POOL_H
#define MEMMON_POOL_H

#include "monitor/base/internal.h"

/*
 * What the functions of memmon.h tell, called by the one at *e.  Not `pooled':
 * of no pool.  For free p isn't NULL.  ctx: hook.
 */
void mmi_pool_create(const void *pool);
void mmi_pool_add(const void *pool, const void *base);
void mmi_pool_alloc(const void *pool, bool pooled, const void *p, uint64_t size,
		    const struct arch_entry *e);
void mmi_pool_realloc(const void *pool, const void *old, const void *p,
		      uint64_t size, const struct arch_entry *e);
void mmi_pool_free(const void *pool, bool pooled, const void *p);
void mmi_pool_discard(const void *pool);
void mmi_pool_destroy(const void *pool);

/* Bytes of backing now, of pools that there are.  ctx: any. */
uint64_t mmi_pool_backing(void);

#endif
