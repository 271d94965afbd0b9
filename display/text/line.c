/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of output: see line.h. */
#include "display/text/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
line_init(struct line *l, FILE *out)
{
	memset(l, 0, sizeof *l);
	l->out = out;
}

void
line_fini(struct line *l)
{
	free(l->text);
	l->text = NULL;
	l->len = l->room = 0;
}

/* Make room for n more bytes and a NUL. */
static bool
reserve(struct line *l, size_t n)
{
	size_t room;
	char *text;

	if (n < l->room - l->len)
		return true;
	room = (l->len + n + 1) * 2;
	text = realloc(l->text, room);
	if (!text) {
		l->failed = true;
		return false;
	}
	l->text = text;
	l->room = room;
	return true;
}

static void
append(struct line *l, const char *text, size_t n)
{
	if (!reserve(l, n))
		return;
	memcpy(l->text + l->len, text, n);
	l->len += n;
}

static void
blanks(struct line *l, size_t n)
{
	if (!reserve(l, n))
		return;
	memset(l->text + l->len, ' ', n);
	l->len += n;
}

static void
add(struct line *l, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !reserve(l, (size_t)n)) {
		l->failed = true;
		return;
	}
	vsnprintf(l->text + l->len, (size_t)n + 1, fmt, ap);
	l->len += (size_t)n;
}

void
line_add(struct line *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(l, fmt, ap);
	va_end(ap);
}

size_t
line_width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

void
line_right(struct line *l, size_t width, const char *text)
{
	size_t n = line_width(text);

	if (n < width)
		blanks(l, width - n);
	append(l, text, strlen(text));
}

void
line_left(struct line *l, size_t width, const char *text)
{
	size_t n = line_width(text);

	append(l, text, strlen(text));
	if (n < width)
		blanks(l, width - n);
}

void
line_dashes(struct line *l, size_t n)
{
	while (n-- > 0)
		append(l, "-", 1);
}

void
line_several(struct line *l, uint64_t n, const char *noun)
{
	line_add(l, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}

/*
 * Replace what a terminal could take for a command: ASCII controls, and the
 * controls U+0080 to U+009F in UTF-8.
 */
static void
clean(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f) {
			text[i] = '?';
		} else if (c == 0xc2 && i + 1 < len &&
			   ((unsigned char)text[i + 1] & 0xe0) == 0x80) {
			text[i++] = '?';
			text[i] = '?';
		}
	}
}

void
line_end(struct line *l)
{
	while (l->len && l->text[l->len - 1] == ' ')
		l->len--;
	clean(l->text, l->len);
	if (l->len)
		fwrite(l->text, 1, l->len, l->out);
	putc('\n', l->out);
	l->len = 0;
}

void
line_say(struct line *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(l, fmt, ap);
	va_end(ap);
	line_end(l);
}

void
line_block(struct line *l, const char *text)
{
	fputs(text, l->out);
}
