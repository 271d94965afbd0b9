/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of output: see line.h. */
#include "display/text/line.h"

#include "reduce/base/arena.h"
#include "reduce/base/clean.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
line_init(struct line *l, FILE *out)
{
	memset(l, 0, sizeof *l);
	l->out = out;
	l->name = SIZE_MAX;
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
line_reserve(struct line *l, size_t n)
{
	char *text;

	if (n < l->room - l->len)
		return true;
	text = array_grow(l->text, &l->room, l->len + n + 1, 1);
	if (!text)
		l->failed = true;
	else
		l->text = text;
	return text;
}

static void
line_append(struct line *l, const char *text, size_t n)
{
	if (!line_reserve(l, n))
		return;
	memcpy(l->text + l->len, text, n);
	l->len += n;
}

static void
blanks(struct line *l, size_t n)
{
	if (!line_reserve(l, n))
		return;
	memset(l->text + l->len, ' ', n);
	l->len += n;
}

static void
line_add_va(struct line *l, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !line_reserve(l, (size_t)n)) {
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
	line_add_va(l, fmt, ap);
	va_end(ap);
}

/* The width of n bytes, columns. */
static size_t
line_columns_of(const char *text, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

size_t
line_width(const char *text)
{
	return line_columns_of(text, strlen(text));
}

size_t
line_columns(const struct line *l)
{
	return line_columns_of(l->text, l->len);
}

void
line_look(struct line *l, enum line_look look)
{
	if (!l->colour || l->nlooks == LINE_LOOKS)
		return;
	l->look[l->nlooks].at = l->len;
	l->look[l->nlooks++].look = look;
}

void
line_name(struct line *l)
{
	if (l->name == SIZE_MAX)
		l->name = l->len;
}

void
line_right(struct line *l, size_t width, const char *text)
{
	size_t n = line_width(text);

	if (n < width)
		blanks(l, width - n);
	line_append(l, text, strlen(text));
}

void
line_left(struct line *l, size_t width, const char *text)
{
	size_t n = line_width(text);

	line_append(l, text, strlen(text));
	if (n < width)
		blanks(l, width - n);
}

void
line_dashes(struct line *l, size_t n)
{
	while (n-- > 0)
		line_append(l, "-", 1);
}

void
line_several(struct line *l, uint64_t n, const char *noun)
{
	line_add(l, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}

/* The offset, at most len, of character n of the text. */
static size_t
offset(const char *text, size_t len, size_t n)
{
	size_t i = 0;

	for (; i < len; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

char *
line_shorten(const char *text, size_t width)
{
	size_t len = strlen(text), all = line_columns_of(text, len), head, tail;
	char *cut;

	if (width < 4 || all <= width)
		return strdup(text);
	head = (width - 3) / 2;
	tail = width - 3 - head;
	if (asprintf(&cut, "%.*s...%s", (int)offset(text, len, head), text,
		     text + offset(text, len, all - tail)) < 0)
		return NULL;
	return cut;
}

/* The columns for a name that begins after `before' columns. */
static size_t
line_room(const struct line *l, size_t before)
{
	return l->width > before + LINE_LEAST ? l->width - before : LINE_LEAST;
}

/* Shorten the line's name to fit the width, if the name is long enough. */
static void
line_cut(struct line *l)
{
	size_t all = line_columns_of(l->text, l->len), before, room, from, to;

	if (!l->width || all <= l->width || l->name >= l->len)
		return;
	before = line_columns_of(l->text, l->name);
	room = line_room(l, before);
	if (all - before <= room)
		return;
	room -= 3;
	from = l->name + offset(l->text + l->name, l->len - l->name, room / 2);
	to = l->name + offset(l->text + l->name, l->len - l->name,
			      all - before - (room - room / 2));
	memcpy(&l->text[from], "...", 3);
	memmove(&l->text[from + 3], &l->text[to], l->len - to);
	l->len -= to - from - 3;
	for (size_t i = 0; i < l->nlooks; i++)
		if (l->look[i].at >= to)
			l->look[i].at -= to - from - 3;
		else if (l->look[i].at > from)
			l->look[i].at = from + 3;
}

/* Break the line at blanks, except those before its first word. */
static void
wrap(struct line *l)
{
	size_t column = 0, blank = 0;

	for (size_t i = 0; i < l->len; i++) {
		if (i && l->text[i] == ' ' && l->text[i - 1] != ' ')
			blank = i;
		column += ((unsigned char)l->text[i] & 0xc0) != 0x80;
		if (column <= l->width || !blank)
			continue;
		l->text[blank] = '\n';
		l->lines++;
		column = line_columns_of(&l->text[blank + 1], i - blank);
		blank = 0;
	}
}

size_t
line_left_over(const struct line *l, size_t behind)
{
	return l->width ? line_room(l, line_columns(l) + behind) : 0;
}

/* Write the line, with escape sequences for its looks. */
static void
write_out(const struct line *l)
{
	static const char *const escape[LINE_NLOOKS] = { "\33[0m", "\33[1m",
							 "\33[1;33m",
							 "\33[36m" };
	size_t done = 0;
	bool plain = true;

	for (size_t i = 0; i < l->nlooks && l->look[i].at < l->len; i++) {
		size_t at = l->look[i].at;

		fwrite(&l->text[done], 1, at - done, l->out);
		if (!plain)
			fputs(escape[LINE_PLAIN], l->out);
		plain = l->look[i].look == LINE_PLAIN;
		if (!plain)
			fputs(escape[l->look[i].look], l->out);
		done = at;
	}
	if (l->len > done)
		fwrite(&l->text[done], 1, l->len - done, l->out);
	if (!plain)
		fputs(escape[LINE_PLAIN], l->out);
	putc('\n', l->out);
}

void
line_end(struct line *l)
{
	while (l->len && l->text[l->len - 1] == ' ')
		l->len--;
	if (l->len) {
		l->text[l->len] = '\0';
		clean_text(l->text);
	}
	line_cut(l);
	if (l->wrap)
		wrap(l);
	write_out(l);
	l->lines++;
	l->len = 0;
	l->nlooks = 0;
	l->name = SIZE_MAX;
}

void
line_below(struct line *l, size_t indent)
{
	size_t from = l->name, before;
	char *name;

	if (!l->width || from >= l->len)
		return;
	before = line_columns_of(l->text, from);
	if (line_columns(l) - before <= line_room(l, before) ||
	    before <= indent)
		return;
	name = strndup(l->text + from, l->len - from);
	if (!name) {
		l->failed = true;
		return;
	}
	while (l->nlooks && l->look[l->nlooks - 1].at >= from)
		l->nlooks--;
	l->len = from;
	line_end(l);
	line_right(l, indent, "");
	line_name(l);
	line_add(l, "%s", name);
	free(name);
}

void
line_say(struct line *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line_add_va(l, fmt, ap);
	va_end(ap);
	line_end(l);
}

void
line_block(struct line *l, const char *text)
{
	fputs(text, l->out);
}
