/* SPDX-License-Identifier: MIT */
/*
 * What the program's files have registered, and the memory that it goes to with
 * the buffers.  ctx: init, but where it says so.
 */
#ifndef MEMMON_EVENTS_REGISTERED_H
#define MEMMON_EVENTS_REGISTERED_H

#include "monitor/base/internal.h"
#include "monitor/events/stream.h"

/* The lists so far, of which a child after a fork makes its own stream. */
struct mmi_registered {
	struct {
		const struct memmon_places *list;
		const void *const *addresses;
		uint32_t first, n;
	} list[STREAM_LISTS];
	uint32_t n, places;
	char modules[STREAM_TEXT];
	bool chosen; /* by MEMMON_MODULES, whatever the lists say */
	unsigned workers;
	bool fixed; /* by MEMMON_WORKERS, the same */
};
extern HIDDEN struct mmi_registered mmi_registered;

/* Modules that aren't known yet are added; what the environment has. */
void mmi_registered_modules(const char *list);
void mmi_registered_environment(void);

/* List i goes into a stream.  ctx: slow. */
void mmi_registered_list(struct stream_head *h, uint32_t i);

/* The data file's name, as far as it is known.  ctx: slow, exit. */
void mmi_registered_path(struct stream_head *h, const char *path);

/* What is shared, with all that is known; *fd: its file, or -1.  ctx: slow. */
struct stream_head *mmi_registered_map(int *fd);

#endif
