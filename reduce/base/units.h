/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units, as people write them: "512K", "1.5ms", "10%". */
#ifndef MEMMON_UNITS_H
#define MEMMON_UNITS_H

#include "reduce/base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum units_kind {
	UNITS_COUNT, /* any number: no unit, or k, K, M, G, T in steps of
		      * 1024 */
	UNITS_BYTES, /* B, KB, KiB ... */
	UNITS_TIME,  /* ns, us, ms, s, m, h */
	UNITS_SHARE  /* % */
};

struct units {
	long double value; /* number, bytes, ns; 1 is 100% */
	enum units_kind kind;
	bool bare; /* the number has no unit */
};

/*
 * Read the decimal number at *s, from 0 to 2^64 - 1, with its unit; *s moves
 * behind both.  Returns NULL, or a message about the error at *s.
 */
const char *units_read(const char **s, struct units *u);

/*
 * Read the text up to `end' as a number of that kind.  A number without a unit
 * is in bytes, seconds or percent.  Counts and bytes must be whole.  Returns
 * whether the text is such a number.
 */
bool units_parse(const char *text, const char *end, enum units_kind kind,
		 long double *value);

/*
 * Like units_parse(), for the whole value of an option, which must be from
 * least to most, in the units of *value.  Returns 0, or -1 with *e set:
 * "--top=x: not a number from 1 to 10".
 */
int units_option(const char *option, const char *text, enum units_kind kind,
		 long double least, long double most, long double *value,
		 struct err *e);

#endif
