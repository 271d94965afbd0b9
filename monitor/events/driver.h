/* SPDX-License-Identifier: MIT */
/*
 * Modules, as they are run: in memmon-consume, or in the program itself.  Uses
 * neither the heap nor stdio.
 */
#ifndef MEMMON_EVENTS_DRIVER_H
#define MEMMON_EVENTS_DRIVER_H

#include "monitor/events/places.h"

/* `d' is zeroed.  False: there is no memory. */
bool mmi_driver_open(struct driver *d, struct stream_head *h, const char *home);

/*
 * What was registered since is known from now on.  By one thread at a time,
 * while no other is in mmi_driver_batch().
 */
void mmi_driver_update(struct driver *d);
static inline bool
mmi_driver_behind(const struct driver *d)
{
	return __atomic_load_n(&d->h->nlists, __ATOMIC_ACQUIRE) != d->nlists;
}

/* Words of a thread, for all modules of a worker. */
void mmi_driver_batch(struct driver *d, unsigned worker, uint32_t thread,
		      const uint64_t *words, const uint64_t *end);

/* Of a buffer that nobody has handed over: where its events end. */
const uint64_t *mmi_driver_partial(const struct driver *d, uint64_t *words,
				   const uint64_t *end);

/* Merge what the workers have, and write a file for each module. */
void mmi_driver_finish(struct driver *d);

/* The same where nothing was consumed: files that say so. */
void mmi_driver_failed(struct driver *d, const char *why);

#endif
