/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Debug files from a debuginfod server, when the user asks for it.  The client
 * library is loaded when the first file is wanted, and needn't be there.
 */
#ifndef MEMMON_REDUCE_DEBUGINFOD_H
#define MEMMON_REDUCE_DEBUGINFOD_H

#include <stddef.h>

struct debuginfod;

/*
 * seconds: how long all answers may take together.  NULL only when out of
 * memory.
 */
struct debuginfod *debuginfod_new(unsigned seconds);
void debuginfod_free(struct debuginfod *d);

/*
 * The path of the debug file of a build-id, len bytes, in the library's cache;
 * it lives as long as d.  NULL: nobody has it, or can be asked.  Each is asked
 * for once.  d may be NULL.
 */
const char *debuginfod_find(struct debuginfod *d, const unsigned char *id,
			    size_t len);

/* One line on why not all could be asked for, or NULL.  d may be NULL. */
const char *debuginfod_problem(const struct debuginfod *d);

#endif
