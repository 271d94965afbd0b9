/* SPDX-License-Identifier: MIT */
/*
 * The program's own allocators, which the program announces by annotations
 * (memmon.h).
 *
 * Their blocks are in the live map and in cells, like malloc's.  A pool also
 * has a set of its blocks because they can all be freed at once.  Only one
 * thread at a time may call these functions for one pool.  If a pool divides a
 * block of malloc or of another pool, that block is its backing: it is removed
 * from the map, because one of the pool's blocks may have its address, and is
 * stored here until it is freed.
 */
#ifndef MEMMON_POOL_H
#define MEMMON_POOL_H

#include "monitor/base/internal.h"

/*
 * The functions of memmon.h, called from *e.  pooled false: the block has no
 * pool.  For free p isn't NULL.  ctx: hook.
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

/* Bytes of backing blocks of existing pools.  ctx: any. */
uint64_t mmi_pool_backing(void);

#endif
