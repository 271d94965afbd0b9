/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular expressions from users. */
#ifndef MEMMON_PATTERN_H
#define MEMMON_PATTERN_H

#include <regex.h>
#include <stddef.h>

/*
 * Compile an extended regular expression, if it is safe: at most 1000 bytes, no
 * back-references, few repetitions.  The caller frees it with pattern_free().
 * 0, or -1 with a message of at most n bytes, which is "" when out of memory.
 */
int pattern_compile(regex_t **regex, const char *text, char *message, size_t n);
void pattern_free(void *regex); /* a regex_t; NULL: nothing */

#endif
