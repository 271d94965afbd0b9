/* SPDX-License-Identifier: MIT */
/*
 * What the program's files have registered, and the memory that holds it
 * together with the buffers.  ctx: init, unless a comment says otherwise.
 */
#ifndef MEMMON_EVENTS_REGISTERED_H
#define MEMMON_EVENTS_REGISTERED_H

#include "monitor/base/internal.h"
#include "monitor/events/stream.h"

/* The lists so far; a child makes its own stream of them after a fork. */
struct mmi_registered {
	struct {
		const struct memmon_places *list;
		const void *const *addresses;
		uint32_t first, n;
	} list[STREAM_LISTS];
	uint32_t n, places;
	char modules[STREAM_TEXT];
	bool chosen; /* by MEMMON_MODULES; what the lists say doesn't count */
	unsigned workers;
	bool fixed; /* by MEMMON_WORKERS; the lists don't count */
};
extern HIDDEN struct mmi_registered mmi_registered;

/* Add the modules that aren't known yet; read the environment. */
void mmi_registered_modules(const char *list);
void mmi_registered_environment(void);

/* Put list i into a stream.  ctx: slow. */
void mmi_registered_list(struct stream_head *h, uint32_t i);

/* Copy the data file's name, if it is known.  ctx: slow, exit. */
void mmi_registered_path(struct stream_head *h, const char *path);

/*
 * Make the shared memory with all that is registered; *fd: its file, or -1.
 * ctx: slow.
 */
struct stream_head *mmi_registered_map(int *fd);

#endif
