/* SPDX-License-Identifier: MIT */
/*
 * Modules, as they are run: in memmon-consume, or in the program itself.  Uses
 * neither the heap nor stdio.
 */
#ifndef MEMMON_EVENTS_DRIVER_H
#define MEMMON_EVENTS_DRIVER_H

#include "monitor/events/stream.h"
#include "monitor/module/memmon_module.h"

#define DRIVER_MODULES 16u
#define DRIVER_POOL (1ul << 20)

struct driver;

/* What a worker's instance of a module is called with. */
struct driver_host {
	struct memmon_host host; /* first */
	struct driver *driver;
	struct driver_module *module;
	char *pool;
	size_t pool_left;
};

struct driver_module {
	const struct memmon_module *m;
	char name[64];
	const char *why;    /* it isn't run; NULL: it is */
	const char *options; /* in the stream, up to a blank */
	struct driver_host host[STREAM_WORKERS];
	void *state[STREAM_WORKERS]; /* NULL: this worker has none */
	struct results *results;
};

struct driver {
	struct stream_head *h;
	const char *home;
	unsigned workers;
	uint32_t nlists, nmodules;
	struct memmon_decoder *blocks;
	uint32_t nblocks;
	struct driver_module module[DRIVER_MODULES];
	uint64_t words; /* consumed by worker 0 */
	/* Told of all memory that is mapped; or NULL. */
	void (*mapped)(const void *p, size_t size);
};

/* `d' is zeroed.  False: there is no memory. */
bool driver_open(struct driver *d, struct stream_head *h, const char *home);

/*
 * What was registered since is known from now on.  By one thread at a time,
 * while no other is in driver_batch().
 */
void driver_update(struct driver *d);
static inline bool
driver_behind(const struct driver *d)
{
	return __atomic_load_n(&d->h->nlists, __ATOMIC_ACQUIRE) != d->nlists;
}

/* Words of a thread, for all modules of a worker. */
void driver_batch(struct driver *d, unsigned worker, uint32_t thread,
		  const uint64_t *words, const uint64_t *end);

/* Of a buffer that nobody has handed over: where its events end. */
const uint64_t *driver_partial(const struct driver *d, uint64_t *words,
			       const uint64_t *end);

/* Merge what the workers have, and write a file for each module. */
void driver_finish(struct driver *d);

/* The same where nothing was consumed: files that say so. */
void driver_failed(struct driver *d, const char *why);

/* What a place is; false: there is none. */
bool driver_place(const struct driver *d, uint32_t where,
		  struct memmon_where *w);

/* Zeroed memory, or NULL. */
void *driver_map(const struct driver *d, size_t size);

#endif
