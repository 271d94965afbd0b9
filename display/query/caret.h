/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages that show the place of an error in a text. */
#ifndef MEMMON_CARET_H
#define MEMMON_CARET_H

#include "reduce/profile/profile.h"

#include <stddef.h>

/*
 * Set *e to "what: message", and the text with a caret below byte `at', or the
 * part of the text that fits on a line.  Returns -1.
 */
int caret_complain(struct err *e, const char *what, const char *text, size_t at,
		   const char *message);

#endif
