/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages about files that can't be used: see problem.h. */
#include "reduce/symbols/problem.h"

#include <stdio.h>

/* The file is missing: which functions have names, and what to do. */
static const char *
problem_gone(struct arena *a, const char *why, bool named,
	     const unsigned char *id, size_t len)
{
	const char *names =
		named ? "its function names come from the data file, without "
			"lines and perhaps without static functions"
		      : "its functions have no names";
	char *text = arena_alloc(a, 2 * len + 1);
	size_t i;

	if (!len)
		return arena_print(
			a, "%s; %s: restore the file, or run the program again",
			why, names);
	for (i = 0; i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return arena_print(a,
			   "%s; %s; give that file or its debug symbols by "
			   "--debug-dir=DIR (build-id %s)",
			   why, names, text);
}

const char *
problem_open(struct arena *a, enum elffile_state state, const char *why,
	     bool named, const unsigned char *id, size_t len)
{
	const char *text = NULL;

	switch (state) {
	case ELFFILE_NOT_REGULAR:
		return "not a regular file; give the program that was run";
	case ELFFILE_NOT_OBJECT:
		return "not an ELF program or library; give the program that "
		       "was run";
	case ELFFILE_MACHINE:
		return "is for another kind of machine; give the program that "
		       "was run";
	case ELFFILE_OTHER:
		if (!why)
			why = "has another build-id than the file that ran";
		text = problem_gone(a, why, named, id, len);
		break;
	case ELFFILE_MISSING:
		text = why ? problem_gone(a, why, named, id, len) : NULL;
		break;
	default:
		break;
	}
	return text;
}
