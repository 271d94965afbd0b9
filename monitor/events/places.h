/* SPDX-License-Identifier: MIT */
/*
 * What modules and their results may use of the driver: memory, and the meaning
 * of the numbers in events.
 */
#ifndef MEMMON_EVENTS_PLACES_H
#define MEMMON_EVENTS_PLACES_H

#include "monitor/events/stream.h"
#include "monitor/module/memmon_module.h"

#define DRIVER_MODULES 16u
#define DRIVER_POOL (1ul << 20)

struct driver;

/* The host of a worker's instance of a module. */
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
	const char *why;     /* why it isn't run; NULL: it is run */
	const char *options; /* in the stream, up to a blank */
	uint64_t known;	     /* options that it asked for, a bit for each */
	struct driver_host host[STREAM_WORKERS];
	void *state[STREAM_WORKERS]; /* by worker; NULL: none */
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
	/* Called for all memory that is mapped; or NULL. */
	void (*mapped)(const void *p, size_t size);
};

/* Add the blocks of a registered list. */
void mmi_places_add(struct driver *d, uint32_t list);

/* Describe a place; false: there is none. */
bool mmi_places_find(const struct driver *d, uint32_t where,
		     struct memmon_where *w);

/* A restriction of a file's events; found: something in the file matches. */
struct restriction {
	const char *name; /* as the user gave it */
	const char *file; /* of what is most similar, or "" */
	unsigned line;	  /* 0: `file' is the name of a function */
	bool found;
};

/* Restriction number i of a list; false: there is none. */
bool mmi_places_restriction(const struct driver *d, uint32_t list, uint32_t i,
			    struct restriction *x);

/* Zeroed memory, or NULL. */
void *mmi_places_map(const struct driver *d, size_t size);

#endif
