/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a text, and where in it. */
#ifndef MEMMON_CARET_H
#define MEMMON_CARET_H

#include "reduce/profile/profile.h"

#include <stddef.h>

/*
 * Set *e to "what: message", and the text with a caret below byte `at', or as
 * much of it as fits a line.  -1.
 */
int caret_complain(struct err *e, const char *what, const char *text, size_t at,
		   const char *message);

#endif
