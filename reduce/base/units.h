/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units, as people write them: "512K", "1.5ms", "10%". */
#ifndef MEMMON_UNITS_H
#define MEMMON_UNITS_H

#include "reduce/base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum units_kind {
	UNITS_COUNT, /* of anything: no unit, or k, K, M, G, T, of 1024 each */
	UNITS_BYTES, /* B, KB, KiB ... */
	UNITS_TIME,  /* ns, us, ms, s, m, h */
	UNITS_SHARE  /* % */
};

struct units {
	long double value; /* number, bytes, ns; 1 is 100% */
	enum units_kind kind;
	bool bare; /* it has no unit */
};

/*
 * Read the decimal number at *s, from 0 to 2^64 - 1, with the unit behind it;
 * *s gets behind both.  NULL, or what is wrong, at *s.
 */
const char *units_read(const char **s, struct units *u);

/*
 * The text up to `end' as a number of that kind, where one without a unit is in
 * bytes, seconds or percent.  Counts and bytes are whole.  Returns whether it
 * is one.
 */
bool units_parse(const char *text, const char *end, enum units_kind kind,
		 long double *value);

/*
 * The same for all of an option's value, which must be from least to most, both
 * as *value is.  0, or -1 with *e set: "--top=x: not a number from 1 to 10".
 */
int units_option(const char *option, const char *text, enum units_kind kind,
		 long double least, long double most, long double *value,
		 struct err *e);

#endif
