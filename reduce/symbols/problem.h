/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of files that can't be used. */
#ifndef MEMMON_REDUCE_PROBLEM_H
#define MEMMON_REDUCE_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "reduce/base/arena.h"
#include "reduce/elf/elffile.h"

/*
 * A line of text on a file that isn't ELFFILE_FINE.  why: what became of one
 * that is missing or another; NULL: nothing else is known.  exported: functions
 * that it exports have names all the same.  id: the build-id of what was run,
 * of len bytes; len 0: it has none.
 */
const char *problem_open(struct arena *a, enum elffile_state state,
			 const char *why, bool exported,
			 const unsigned char *id, size_t len);

#endif
