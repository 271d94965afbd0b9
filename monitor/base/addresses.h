/* SPDX-License-Identifier: MIT */
/*
 * A set of addresses; one thread uses it at a time.  It takes 11 to 22 bytes
 * for each address while it grows, and keeps its memory until
 * mmi_addresses_fini().
 */
#ifndef MEMMON_ADDRESSES_H
#define MEMMON_ADDRESSES_H

#include "monitor/base/internal.h"

/* An empty set is all 0. */
struct mmi_addresses {
	uintptr_t *slot; /* 2^shift places; 0: free */
	uint32_t used;
	uint32_t shift;
};

/*
 * Adds an address, not 0; *known: the set contains it already.  False: no
 * memory.  ctx: hook (slow now and then).
 */
bool mmi_addresses_add(struct mmi_thread *t, struct mmi_addresses *s,
		       uintptr_t p, bool *known);

/* Is it in the set?  Take it out; false: it wasn't in the set.  ctx: hook. */
bool mmi_addresses_has(const struct mmi_addresses *s, uintptr_t p);
bool mmi_addresses_remove(struct mmi_addresses *s, uintptr_t p);

/* Calls f(arg, p) for each address; f doesn't change the set.  ctx: hook. */
void mmi_addresses_each(const struct mmi_addresses *s,
			void (*f)(void *arg, uintptr_t p), void *arg);

/*
 * clear: empties the set; fini: also gives its memory to other sets.
 * ctx: hook.
 */
void mmi_addresses_clear(struct mmi_addresses *s);
void mmi_addresses_fini(struct mmi_addresses *s);

#endif
