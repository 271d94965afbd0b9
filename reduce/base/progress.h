/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a slow operation is.  profile_options.progress names the function
 * that is called with it.
 */
#ifndef MEMMON_REDUCE_PROGRESS_H
#define MEMMON_REDUCE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* All zero: no progress is shown. */
struct progress {
	void (*say)(void *arg, const char *what, uint64_t done, uint64_t of);
	void *arg;
	char what[300]; /* file names are shorter */
};

/*
 * Begin an operation; `what' says which.  file: a path, whose last part is
 * shown behind `what', or NULL.  p may be NULL, here and below.
 */
void progress_start(struct progress *p, const char *what, const char *file);

/* `done' of `of' steps are done.  Cheap enough for each of 10^6 steps. */
void progress_at(struct progress *p, uint64_t done, uint64_t of);

/*
 * Erase the text: the operation is over, or something is to be printed.  arg is
 * a struct progress.
 */
void progress_erase(void *arg);

#endif
