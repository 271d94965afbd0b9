/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each function that headers of libc check with -D_FORTIFY_SOURCE, on its own
 * block, whose size the compiler knows or doesn't.  In any build 6 granules are
 * read and 1306 written, in all.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

static char from[4096], text[64];
static wchar_t wide[64];
static volatile size_t sixty = 60;
static void *volatile sink;

static APART int
by_list(char *p, size_t n, const char *format, ...)
{
	va_list ap;
	int r;

	va_start(ap, format);
	r = n ? vsnprintf(p, n, format, ap) : vsprintf(p, format, ap);
	va_end(ap);
	return r;
}

/* p has 4096 bytes; n is 60, but the compiler doesn't know that. */
#define CALLS(X) \
	X(memcpy64, memcpy(p, from, 64)) \
	X(memcpy4096, memcpy(p, from, 4096)) \
	X(memcpy7, memcpy(p, from, 7)) \
	X(memcpy_n, memcpy(p, from, n)) \
	X(memmove64, memmove(p, from, 64)) \
	X(memmove_n, memmove(p, from, n)) \
	X(mempcpy64, mempcpy(p, from, 64)) \
	X(mempcpy_n, mempcpy(p, from, n)) \
	X(memset64, memset(p, 'x', 64)) \
	X(memset4096, memset(p, 'x', 4096)) \
	X(memset0, memset(p, 0, 64)) \
	X(memset_n, memset(p, 'x', n)) \
	X(explicit_bzero, explicit_bzero(p, n)) \
	X(bzero, bzero(p, 64)) \
	X(strcpy, strcpy(p, text)) \
	X(strcpy_literal, \
	  strcpy(p, "a text that is known, of 40 characters.")) \
	X(stpcpy, stpcpy(p, text)) \
	X(stpcpy_literal, \
	  stpcpy(p, "a text that is known, of 40 characters.")) \
	X(strncpy, strncpy(p, text, n)) \
	X(strncpy32, strncpy(p, text, 32)) \
	X(stpncpy, stpncpy(p, text, n)) \
	X(strcat, (*(volatile char *)p = 0, strcat(p, text))) \
	X(strcat_literal, (*(volatile char *)p = 0, strcat(p, "known"))) \
	X(strncat, (*(volatile char *)p = 0, strncat(p, text, n))) \
	X(wmemcpy, wmemcpy((wchar_t *)p, wide, n)) \
	X(wmemset, wmemset((wchar_t *)p, L'w', n)) \
	X(wcscpy, wcscpy((wchar_t *)p, wide)) \
	X(sprintf, sprintf(p, "%s %d", text, 12)) \
	X(sprintf_s, sprintf(p, "%s", text)) \
	X(sprintf_literal, sprintf(p, "a text that is known")) \
	X(snprintf, snprintf(p, n, "%s", text)) \
	X(snprintf64, snprintf(p, 64, "known and %s", text)) \
	X(vsprintf, by_list(p, 0, "%s", text)) \
	X(vsnprintf, by_list(p, n, "%s", text))

#define FUNCTION(name, call) \
	static APART void do_##name(size_t n) \
	{ \
		char *p = malloc(4096); \
\
		sink = p; \
		if (p) \
			(void)(call); \
		(void)n; \
	} \
	static APART void unknown_##name(size_t n) \
	{ \
		char *p = malloc(68 * sixty + n - 44); \
\
		sink = p; \
		p = sink; \
		if (p) \
			(void)(call); \
		(void)n; \
	}
CALLS(FUNCTION)

int
main(void)
{
	memset(from, 'f', sizeof(from));
	memset(text, 't', 40);
	wmemset(wide, L'w', 50);
#define CALL(name, call) \
	do_##name(sixty); \
	unknown_##name(sixty);
	CALLS(CALL)
	return 0;
}
