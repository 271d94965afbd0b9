/* SPDX-License-Identifier: MIT */
/*
 * Numbers read from strings: counts the string up to the end of the number, and
 * the byte that ends it.  atoi() and similar functions are defined as in libc:
 * they are strtol() and similar ones without the end.
 */
#include "monitor/wrap/wrap.h"

#include <ctype.h>

/* If there is no number, blanks and a sign may have been read. */
static const char *
stop(const char *s, const char *end)
{
	if (end != s)
		return end;
	while (isspace((unsigned char)*s))
		s++;
	return *s == '-' || *s == '+' ? s + 1 : s;
}

/* A number was read from s; stores where it ended for the caller. */
static void
number(const char *s, char *end, char **tell)
{
	mmi_wrap_read(s, (size_t)(stop(s, end) - s) + 1);
	if (tell) {
		*tell = end;
		mmi_wrap_write(tell, sizeof(*tell));
	}
}

/*
 * Functions have other names in C: headers may turn some of them into their
 * newer versions, or define them inline.
 */
#define INTEGER(type, name) \
	EXPORT type wrap_##name(const char *, char **, int) __asm__(#name); \
	static type read_##name(const char *s, char **tell, int base) \
	{ \
		char *end = NULL; \
		type r; \
\
		if (UNREADY(name)) \
			return 0; \
		r = NEXT(name)(s, &end, base); \
		if (end) \
			number(s, end, tell); \
		return r; \
	} \
	type wrap_##name(const char *s, char **tell, int base) \
	{ \
		return read_##name(s, tell, base); \
	}
#define FRACTION(type, name) \
	EXPORT type wrap_##name(const char *, char **) __asm__(#name); \
	static type read_##name(const char *s, char **tell) \
	{ \
		char *end; \
		type r; \
\
		if (UNREADY(name)) \
			return 0; \
		r = NEXT(name)(s, &end); \
		number(s, end, tell); \
		return r; \
	} \
	type wrap_##name(const char *s, char **tell) \
	{ \
		return read_##name(s, tell); \
	}
#define ENDLESS(type, name, other) \
	EXPORT type wrap_##name(const char *) __asm__(#name); \
	type wrap_##name(const char *s) \
	{ \
		return (type)other; \
	}
/* Another name of the same function. */
#define ALIAS(type, name, of) \
	EXPORT type wrap_##name(const char *, char **, int) __asm__(#name) \
		__attribute__((alias(#of)));

INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
ALIAS(long, strtoimax, strtol)
ALIAS(unsigned long, strtoumax, strtoul)
ALIAS(long long, strtoq, strtoll)
ALIAS(unsigned long long, strtouq, strtoull)

INTEGER(long, __isoc23_strtol)
INTEGER(unsigned long, __isoc23_strtoul)
INTEGER(long long, __isoc23_strtoll)
INTEGER(unsigned long long, __isoc23_strtoull)
ALIAS(long, __isoc23_strtoimax, __isoc23_strtol)
ALIAS(unsigned long, __isoc23_strtoumax, __isoc23_strtoul)
VERSIONED(__isoc23_strtol, "2.38, remove")
VERSIONED(__isoc23_strtoul, "2.38, remove")
VERSIONED(__isoc23_strtoll, "2.38, remove")
VERSIONED(__isoc23_strtoull, "2.38, remove")
VERSIONED(__isoc23_strtoimax, "2.38, remove")
VERSIONED(__isoc23_strtoumax, "2.38, remove")

FRACTION(float, strtof)
FRACTION(double, strtod)
FRACTION(long double, strtold)

ENDLESS(int, atoi, read_strtol(s, NULL, 10))
ENDLESS(long, atol, read_strtol(s, NULL, 10))
ENDLESS(long long, atoll, read_strtoll(s, NULL, 10))
ENDLESS(double, atof, read_strtod(s, NULL))
