/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write JSON values: see writer.h. */
#include "display/text/writer.h"

#include "reduce/base/clean.h"

#include <inttypes.h>
#include <math.h>

/* Write a string; each byte that isn't UTF-8 becomes U+FFFD. */
static void
string(struct writer *w, const char *s)
{
	FILE *out = w->out;
	enum clean what;
	unsigned n;

	putc('"', out);
	for (; *s; s += n) {
		what = clean_next(s, &n);
		if (what == CLEAN_INVALID)
			fputs("\\ufffd", out);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (what == CLEAN_CONTROL || (w->page && *s == '<'))
			/* The last byte is the character's number. */
			fprintf(out, "\\u%04x", (unsigned char)s[n - 1]);
		else
			fwrite(s, 1, n, out);
	}
	putc('"', out);
}

/*
 * Begin a value: a comma if a value precedes it, and its name, if any.  Returns
 * the writer to continue with, or NULL: the value isn't wanted.
 */
static struct writer *
writer_begin(struct writer *w, const char *name)
{
	if (w->sink) {
		w = w->sink->cell(w->arg, &name);
		if (!w)
			return NULL;
	}
	if (!w->first)
		putc(',', w->out);
	w->first = false;
	if (name) {
		string(w, name);
		putc(':', w->out);
	}
	return w;
}

/* End a value; text: it is a string. */
static void
writer_end(struct writer *w, bool text)
{
	if (w->sink)
		w->sink->cell_end(w->arg, text);
}

void
writer_enter(struct writer *w, const char *name, char bracket)
{
	if (w->sink) {
		w->sink->enter(w->arg, name, bracket);
		return;
	}
	writer_begin(w, name);
	putc(bracket, w->out);
	w->first = true;
}

void
writer_leave(struct writer *w, char bracket)
{
	if (w->sink) {
		w->sink->leave(w->arg, bracket);
		return;
	}
	putc(bracket, w->out);
	w->first = false;
}

void
writer_line(struct writer *w, const char *name, char bracket)
{
	if (!w->sink) {
		if (!w->first)
			putc(',', w->out);
		w->first = true;
		putc('\n', w->out);
	}
	writer_enter(w, name, bracket);
}

void
writer_number(struct writer *w, const char *name, uint64_t n)
{
	struct writer *to = writer_begin(w, name);

	if (!to)
		return;
	fprintf(to->out, "%" PRIu64, n);
	writer_end(w, false);
}

void
writer_digits(struct writer *w, const char *name, const char *digits)
{
	struct writer *to = writer_begin(w, name);

	if (!to)
		return;
	fputs(digits, to->out);
	writer_end(w, false);
}

void
writer_real(struct writer *w, const char *name, double value)
{
	struct writer *to;

	if (!isfinite(value)) {
		writer_null(w, name);
		return;
	}
	/* The same digits for whole numbers, in a tenth of the time. */
	if (!signbit(value) && value < 1e15 && value == floor(value)) {
		writer_number(w, name, (uint64_t)value);
		return;
	}
	to = writer_begin(w, name);
	if (!to)
		return;
	fprintf(to->out, "%.15g", value);
	writer_end(w, false);
}

void
writer_text(struct writer *w, const char *name, const char *value)
{
	struct writer *to;

	if (!value) {
		writer_null(w, name);
		return;
	}
	to = writer_begin(w, name);
	if (!to)
		return;
	string(to, value);
	writer_end(w, true);
}

void
writer_truth(struct writer *w, const char *name, bool value)
{
	struct writer *to = writer_begin(w, name);

	if (!to)
		return;
	fputs(value ? "true" : "false", to->out);
	writer_end(w, false);
}

void
writer_null(struct writer *w, const char *name)
{
	struct writer *to = writer_begin(w, name);

	if (!to)
		return;
	fputs("null", to->out);
	writer_end(w, false);
}

void
writer_maybe(struct writer *w, const char *name, uint64_t n, bool known)
{
	if (known)
		writer_number(w, name, n);
	else
		writer_null(w, name);
}

void
writer_place(struct writer *w, const char *name, uint64_t n, const char *value)
{
	if (w->sink)
		writer_text(w, name, value);
	else
		writer_number(w, name, n);
}

static void
member(struct writer *w, const struct writer_member *m, const char *of)
{
	const void *at = of + m->at;
	const char *text = NULL;
	uint64_t n = 0;

	if (m->how <= WRITER_IF && m->how != WRITER_UNSIGNED)
		n = *(const uint64_t *)at;
	else if (m->how == WRITER_TEXT || m->how == WRITER_FULL)
		text = *(const char *const *)at;
	switch (m->how) {
	case WRITER_UNSIGNED:
		writer_number(w, m->name, *(const unsigned *)at);
		return;
	case WRITER_TRUTH:
		writer_truth(w, m->name, *(const bool *)at);
		return;
	case WRITER_REAL:
		writer_real(w, m->name, *(const double *)at);
		return;
	case WRITER_MARK:
		writer_text(w, m->name, (char[2]){ *(const char *)at, '\0' });
		return;
	case WRITER_TEXT:
		writer_text(w, m->name, text);
		return;
	case WRITER_FULL:
		writer_text(w, m->name, text && *text ? text : NULL);
		return;
	default:
		writer_maybe(w, m->name, n,
			     m->how == WRITER_MAX ? n != UINT64_MAX
			     : m->how == WRITER_IF
				     ? *(const bool *)(const void *)(of +
								     m->known)
				     : true);
		return;
	}
}

void
writer_members(struct writer *w, const struct writer_member *m, size_t n,
	       const void *of)
{
	for (size_t i = 0; i < n; i++)
		member(w, &m[i], of);
}

void
writer_numbers(struct writer *w, const char *name, const uint64_t *v, size_t n)
{
	WRITER_EACH(w, name, n, writer_number(w, NULL, v[i]));
}
