/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages about files that can't be used. */
#ifndef MEMMON_REDUCE_PROBLEM_H
#define MEMMON_REDUCE_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "reduce/base/arena.h"
#include "reduce/elf/elffile.h"

/*
 * A line of text about a file that isn't ELFFILE_FINE.  why: the reason if the
 * file is missing or was replaced, or NULL.  named: the data file has names of
 * its functions.  id, len: the recorded build-id; len 0: none was recorded.
 */
const char *problem_open(struct arena *a, enum elffile_state state,
			 const char *why, bool named, const unsigned char *id,
			 size_t len);

#endif
