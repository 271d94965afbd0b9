/* SPDX-License-Identifier: MIT */
/*
 * A set of addresses, which one thread uses at a time.  It takes 11 to 22 bytes
 * for each address while it grows, and keeps its memory until
 * mmi_addresses_fini().
 */
#ifndef MEMMON_ADDRESSES_H
#define MEMMON_ADDRESSES_H

#include "monitor/base/internal.h"

/* All 0: empty. */
struct mmi_addresses {
	uintptr_t *slot; /* 2^shift of them; 0: none there */
	uint32_t used;
	uint32_t shift;
};

/*
 * Add an address, not 0; *known: it is there already.  False: no memory.  ctx:
 * hook (slow now and then).
 */
bool mmi_addresses_add(struct mmi_thread *t, struct mmi_addresses *s,
		       uintptr_t p, bool *known);

/* Is it there?  Take it out; false: it isn't there.  ctx: hook. */
bool mmi_addresses_has(const struct mmi_addresses *s, uintptr_t p);
bool mmi_addresses_remove(struct mmi_addresses *s, uintptr_t p);

/* Call f(arg, p) for each address; f doesn't change the set.  ctx: hook. */
void mmi_addresses_each(const struct mmi_addresses *s,
			void (*f)(void *arg, uintptr_t p), void *arg);

/* Make it empty; and give its memory to other sets, too.  ctx: hook. */
void mmi_addresses_clear(struct mmi_addresses *s);
void mmi_addresses_fini(struct mmi_addresses *s);

#endif
