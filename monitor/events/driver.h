/* SPDX-License-Identifier: MIT */
/*
 * Runs modules, in memmon-consume or in the program itself.  Uses neither the
 * heap nor stdio.
 */
#ifndef MEMMON_EVENTS_DRIVER_H
#define MEMMON_EVENTS_DRIVER_H

#include "monitor/events/places.h"

/* `d' is zeroed.  False: out of memory. */
bool mmi_driver_open(struct driver *d, struct stream_head *h, const char *home);

/*
 * Read what was registered since the last call.  Only one thread at a time,
 * while no other thread is in mmi_driver_batch().
 */
void mmi_driver_update(struct driver *d);
static inline bool
mmi_driver_behind(const struct driver *d)
{
	return __atomic_load_n(&d->h->nlists, __ATOMIC_ACQUIRE) != d->nlists;
}

/* Pass words of a thread to all modules of a worker. */
void mmi_driver_batch(struct driver *d, unsigned worker, uint32_t thread,
		      const uint64_t *words, const uint64_t *end);

/* Where the events end in a buffer that no thread has handed over. */
const uint64_t *mmi_driver_partial(const struct driver *d, uint64_t *words,
				   const uint64_t *end);

/* Merge the states of the workers, and write a file for each module. */
void mmi_driver_finish(struct driver *d);

/* If nothing was consumed: write files that say so. */
void mmi_driver_failed(struct driver *d, const char *why);

#endif
