/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units. */
#include "reduce/base/units.h"

#include <stdint.h>
#include <string.h>

#define MOST 18446744073709551615.0L
#define SECOND 1e9L

/* Digits after this many places change nothing. */
#define PLACES 18

static const struct {
	const char *name;
	enum units_kind kind;
	long double times;
} units[] = {
	{ "k", UNITS_COUNT, 1024.0L },
	{ "K", UNITS_COUNT, 1024.0L },
	{ "M", UNITS_COUNT, 1048576.0L },
	{ "G", UNITS_COUNT, 1073741824.0L },
	{ "T", UNITS_COUNT, 1099511627776.0L },
	{ "B", UNITS_BYTES, 1.0L },
	{ "KB", UNITS_BYTES, 1024.0L },
	{ "MB", UNITS_BYTES, 1048576.0L },
	{ "GB", UNITS_BYTES, 1073741824.0L },
	{ "TB", UNITS_BYTES, 1099511627776.0L },
	{ "KiB", UNITS_BYTES, 1024.0L },
	{ "MiB", UNITS_BYTES, 1048576.0L },
	{ "GiB", UNITS_BYTES, 1073741824.0L },
	{ "TiB", UNITS_BYTES, 1099511627776.0L },
	{ "ns", UNITS_TIME, 1.0L },
	{ "us", UNITS_TIME, 1e3L },
	{ "ms", UNITS_TIME, 1e6L },
	{ "s", UNITS_TIME, SECOND },
	{ "m", UNITS_TIME, 60 * SECOND },
	{ "h", UNITS_TIME, 3600 * SECOND },
	{ "%", UNITS_SHARE, 1.0L },
};

static bool
units_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read digits, and perhaps a point with more digits.  False if too large. */
static bool
decimal(const char **s, long double *n)
{
	long double fraction = 0, scale = 1;
	const char *p = *s;
	int i;

	for (*n = 0; units_is_digit(*p); p++) {
		*n = *n * 10 + (*p - '0');
		if (*n > MOST)
			return false;
	}
	if (*p == '.' && units_is_digit(p[1])) {
		for (p++, i = 0; units_is_digit(*p); p++, i++) {
			if (i >= PLACES)
				continue;
			fraction = fraction * 10 + (*p - '0');
			scale *= 10;
		}
	}
	*n += fraction / scale;
	*s = p;
	return true;
}

/* Length of the word that may be a unit. */
static size_t
units_word(const char *s)
{
	size_t n = 0;

	if (*s == '%')
		return 1;
	while ((s[n] >= 'a' && s[n] <= 'z') || (s[n] >= 'A' && s[n] <= 'Z') ||
	       units_is_digit(s[n]) || s[n] == '_')
		n++;
	return n;
}

const char *
units_read(const char **s, struct units *u)
{
	const char *start = *s;
	size_t n, i;

	*u = (struct units){ .kind = UNITS_COUNT };
	if (!units_is_digit(**s) && !(**s == '.' && units_is_digit((*s)[1])))
		return "this is not a number";
	if (!decimal(s, &u->value))
		return "the number is too large";
	n = units_word(*s);
	u->bare = !n;
	for (i = 0; n && i < sizeof units / sizeof *units; i++) {
		if (strlen(units[i].name) != n ||
		    strncmp(units[i].name, *s, n) != 0)
			continue;
		u->kind = units[i].kind;
		u->value *= units[i].times;
		*s += n;
		n = 0;
	}
	if (n)
		return "unknown unit; the units are K, M, G, T (also with B), "
		       "ns, us, ms, s, m, h and %";
	if (u->kind == UNITS_SHARE)
		u->value /= 100;
	if (u->value > MOST) {
		*s = start;
		return "the number is too large";
	}
	return NULL;
}

bool
units_parse(const char *text, const char *end, enum units_kind kind,
	    long double *value)
{
	struct units u;

	if (units_read(&text, &u) || text != end)
		return false;
	*value = u.value;
	if (u.bare && kind == UNITS_TIME)
		*value *= SECOND;
	else if (u.bare && kind == UNITS_SHARE)
		*value /= 100;
	else if (u.kind != kind && (u.kind || kind != UNITS_BYTES))
		return false;
	if (*value > MOST)
		return false;
	return kind == UNITS_TIME || kind == UNITS_SHARE ||
	       *value == (long double)(uint64_t)*value;
}

int
units_option(const char *option, const char *text, enum units_kind kind,
	     long double least, long double most, long double *value,
	     struct err *e)
{
	static const struct {
		const char *what;
		long double one;
	} say[] = {
		[UNITS_COUNT] = { "number", 1 },
		[UNITS_BYTES] = { "number of bytes", 1 },
		[UNITS_TIME] = { "number of seconds", SECOND },
		[UNITS_SHARE] = { "percentage", 0.01L },
	};

	if (units_parse(text, text + strlen(text), kind, value) &&
	    *value >= least && *value <= most)
		return 0;
	return err_set(e, "%s%s: not a %s from %.15Lg to %.15Lg", option, text,
		       say[kind].what, least / say[kind].one,
		       most / say[kind].one);
}
