/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for outputs: see clean.h. */
#define _GNU_SOURCE
#include "reduce/base/clean.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Length in bytes of the UTF-8 sequence that begins with c; 0 if no sequence
 * begins with c.
 */
static unsigned
clean_length(unsigned char c)
{
	return c < 0x80	  ? 1
	       : c < 0xc0 ? 0
	       : c < 0xe0 ? 2
	       : c < 0xf0 ? 3
	       : c < 0xf8 ? 4
			  : 0;
}

enum clean
clean_next(const char *text, unsigned *n)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	unsigned length = clean_length(*s);
	uint32_t c = length < 2 ? *s : *s & (0x7fu >> length);

	*n = 1;
	for (unsigned i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return CLEAN_INVALID;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (!length || c < least[length] || c > 0x10ffff ||
	    (c >= 0xd800 && c <= 0xdfff))
		return CLEAN_INVALID;
	*n = length;
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ? CLEAN_CONTROL : CLEAN_FINE;
}

/* Put '?' for each character that isn't fine, except for `keep'. */
static char *
clean_but(char *s, char keep)
{
	unsigned n;

	for (char *p = s; p && *p; p += n)
		if (clean_next(p, &n) != CLEAN_FINE && *p != keep)
			memset(p, '?', n);
	return s;
}

char *
clean_text(char *s)
{
	return clean_but(s, '\0');
}

char *
clean_lines(char *s)
{
	return clean_but(s, '\n');
}

void
clean_put(FILE *out, const char *s, const char *unknown, const char *keep)
{
	enum clean what;
	unsigned n;

	for (; *s; s += n) {
		what = clean_next(s, &n);
		if (what == CLEAN_INVALID)
			fputs(unknown, out);
		else if (what == CLEAN_FINE || strchr(keep, *s))
			fwrite(s, 1, n, out);
		else
			fwrite("??", 1, n, out);
	}
}

char *
clean_controls(char *s)
{
	unsigned n;

	for (char *p = s; p && *p; p += n)
		if (clean_next(p, &n) == CLEAN_CONTROL)
			memset(p, '?', n);
	return s;
}

char *
clean_name(struct arena *a, const char *s)
{
	return clean_controls(arena_copy(a, s, strlen(s)));
}

void
clean_say(const char *program, const char *format, ...)
{
	char *text;
	va_list ap;

	va_start(ap, format);
	if (vasprintf(&text, format, ap) < 0)
		heap_out();
	va_end(ap);
	fprintf(stderr, "%s: %s\n", program, clean_lines(text));
	free(text);
}
