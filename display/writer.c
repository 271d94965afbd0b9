/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of JSON: see writer.h. */
#include "display/writer.h"

#include <inttypes.h>
#include <math.h>

unsigned
writer_sequence(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned n = *s < 0x80	 ? 1
		     : *s < 0xc0 ? 0
		     : *s < 0xe0 ? 2
		     : *s < 0xf0 ? 3
		     : *s < 0xf8 ? 4
				 : 0;
	uint32_t c = n < 2 ? *s : *s & (0x7fu >> n);

	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (n > 1 &&
	    (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)))
		return 0;
	return n;
}

/* A string; what isn't UTF-8 becomes U+FFFD, byte by byte. */
static void
string(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	putc('"', out);
	while (*s) {
		unsigned n = writer_sequence((const char *)s);

		if (n == 0)
			fputs("\\ufffd", out);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, n, out);
		s += n ? n : 1;
	}
	putc('"', out);
}

/* Begin a value: a comma if there was one before, and its name if any. */
static void
begin(struct writer *w, const char *name)
{
	if (!w->first)
		putc(',', w->out);
	w->first = false;
	if (name)
		fprintf(w->out, "\"%s\":", name);
}

void
writer_enter(struct writer *w, const char *name, char bracket)
{
	begin(w, name);
	putc(bracket, w->out);
	w->first = true;
}

void
writer_leave(struct writer *w, char bracket)
{
	putc(bracket, w->out);
	w->first = false;
}

void
writer_line(struct writer *w, const char *name, char bracket)
{
	if (!w->first)
		putc(',', w->out);
	w->first = true;
	putc('\n', w->out);
	writer_enter(w, name, bracket);
}

void
writer_number(struct writer *w, const char *name, uint64_t n)
{
	begin(w, name);
	fprintf(w->out, "%" PRIu64, n);
}

void
writer_real(struct writer *w, const char *name, double value)
{
	if (!isfinite(value)) {
		writer_null(w, name);
		return;
	}
	begin(w, name);
	fprintf(w->out, "%.15g", value);
}

void
writer_text(struct writer *w, const char *name, const char *value)
{
	begin(w, name);
	string(w->out, value);
}

void
writer_truth(struct writer *w, const char *name, bool value)
{
	begin(w, name);
	fputs(value ? "true" : "false", w->out);
}

void
writer_null(struct writer *w, const char *name)
{
	begin(w, name);
	fputs("null", w->out);
}

void
writer_maybe(struct writer *w, const char *name, uint64_t n, bool known)
{
	if (known)
		writer_number(w, name, n);
	else
		writer_null(w, name);
}
