/* SPDX-License-Identifier: MIT */
/*
 * What runs modules, as far as they and their results look into it: memory, and
 * what the numbers of events mean.
 */
#ifndef MEMMON_EVENTS_PLACES_H
#define MEMMON_EVENTS_PLACES_H

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
	uint64_t known;	     /* options that it has asked for, by number */
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

/* Blocks of a list that was registered are known from now on. */
void mmi_places_add(struct driver *d, uint32_t list);

/* What a place is; false: there is none. */
bool mmi_places_find(const struct driver *d, uint32_t where,
		     struct memmon_where *w);

/* What the events of a file are restricted to, and whether it has that. */
struct restriction {
	const char *name; /* as it was asked for */
	const char *file; /* of what is most like it, or "" */
	unsigned line;	  /* 0: `file' is the name of a function */
	bool found;
};

/* The i-th one of a list; false: there is none. */
bool mmi_places_restriction(const struct driver *d, uint32_t list, uint32_t i,
			    struct restriction *x);

/* Zeroed memory, or NULL. */
void *mmi_places_map(const struct driver *d, size_t size);

#endif
