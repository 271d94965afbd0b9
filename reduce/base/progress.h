/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far something is that takes long, for whoever has asked to be told by
 * profile_options.progress.
 */
#ifndef MEMMON_REDUCE_PROGRESS_H
#define MEMMON_REDUCE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* All zero: nobody wants to know. */
struct progress {
	void (*say)(void *arg, const char *what, uint64_t done, uint64_t of);
	void *arg;
	char what[300]; /* no file has a longer name */
};

/*
 * From now on it is about what the text says; file: a path, whose last part
 * stands behind it, or NULL.  p may be NULL, here and below.
 */
void progress_start(struct progress *p, const char *what, const char *file);

/* So much of it is done.  Cheap enough for each of 10^6 steps. */
void progress_at(struct progress *p, uint64_t done, uint64_t of);

/* It is over, or something is to be printed; arg is a struct progress. */
void progress_erase(void *arg);

#endif
