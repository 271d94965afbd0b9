/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TAP for the test programs: each assertion prints one "ok" or "not ok" line,
 * and prove(1) counts them.
 *
 *	int
 *	main(void)
 *	{
 *		plan(2);
 *		ok(1 + 1 == 2, "sum");
 *		is_int(1 + 1, 2, "sum of %d", 1);
 *		return done_testing();
 *	}
 *
 * Instead of plan() at the start, done_testing() at the end prints the plan.
 * Every assertion returns whether it is true.  One thread only.
 */
#ifndef MEMMON_TAP_H
#define MEMMON_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct {
	int planned; /* the argument of plan(); 0: no plan */
	int run;
	int failed;
} tap_state;

/* Print the lines of a message on stderr, each after "# ". */
static __attribute__((unused, format(printf, 1, 2))) void
diag(const char *fmt, ...)
{
	char text[4096];
	char *line = text, *end;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fflush(stdout);
	while ((end = strchr(line, '\n'))) {
		fprintf(stderr, "# %.*s\n", (int)(end - line), line);
		line = end + 1;
	}
	if (*line)
		fprintf(stderr, "# %s\n", line);
}

/* Print how many assertions will follow. */
static __attribute__((unused)) void
plan(int n)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	tap_state.planned = n;
	printf("1..%d\n", n);
}

/* Returns the exit status for main: 0 if all passed, else 1. */
static __attribute__((unused)) int
done_testing(void)
{
	if (!tap_state.planned)
		printf("1..%d\n", tap_state.run);
	else if (tap_state.planned != tap_state.run)
		diag("planned %d assertions, ran %d", tap_state.planned,
		     tap_state.run);
	fflush(stdout);
	return tap_state.failed != 0 ||
	       (tap_state.planned != 0 && tap_state.planned != tap_state.run);
}

static __attribute__((unused, format(printf, 4, 5))) bool
tap_ok(bool held, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", held ? "" : "not ", ++tap_state.run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (!held) {
		tap_state.failed++;
		diag("failed at %s:%d", file, line);
	}
	return held;
}

static inline bool
tap_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static inline void
tap_show(const char *what, const char *s)
{
	if (s)
		diag("%s '%s'", what, s);
	else
		diag("%s NULL", what);
}

/* ok(condition, name as for printf ...) */
#define ok(cond, ...) \
	tap_ok((cond) ? true : false, __FILE__, __LINE__, __VA_ARGS__)

/* is_int(got, want, name ...): integers of any type up to 64 bits. */
#define is_int(got, want, ...) \
	__extension__({ \
		intmax_t tap_got = (intmax_t)(got), \
			 tap_want = (intmax_t)(want); \
		bool tap_held = tap_ok(tap_got == tap_want, __FILE__, \
				       __LINE__, __VA_ARGS__); \
		if (!tap_held) \
			diag(" got %jd\nwant %jd", tap_got, tap_want); \
		tap_held; \
	})

/* is_str(got, want, name ...): either may be NULL. */
#define is_str(got, want, ...) \
	__extension__({ \
		const char *tap_got = (got), *tap_want = (want); \
		bool tap_held = tap_ok(tap_same(tap_got, tap_want), __FILE__, \
				       __LINE__, __VA_ARGS__); \
		if (!tap_held) { \
			tap_show(" got", tap_got); \
			tap_show("want", tap_want); \
		} \
		tap_held; \
	})

/* Counts n assertions as passed without running them, and prints why. */
static __attribute__((unused)) void
skip(int n, const char *why)
{
	while (n-- > 0)
		printf("ok %d # SKIP %s\n", ++tap_state.run, why);
	fflush(stdout);
}

#endif
