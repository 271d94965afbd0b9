/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions: see name.h. */
#define _GNU_SOURCE
#include "display/text/name.h"

#include "display/text/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
name_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The byte where character n of text starts. */
static size_t
offset(const char *text, size_t n)
{
	size_t i = 0;

	while (text[i]) {
		if (((unsigned char)text[i] & 0xc0) != 0x80 && n-- == 0)
			break;
		i++;
	}
	return i;
}

char *
name_cut(const char *text, size_t width)
{
	size_t len = line_width(text);
	size_t head, tail;
	char *cut;

	if (width < 4 || len <= width)
		return strdup(text);
	head = (width - 3) / 2;
	tail = width - 3 - head;
	if (asprintf(&cut, "%.*s...%s", (int)offset(text, head), text,
		     text + offset(text, len - tail)) < 0)
		return NULL;
	return cut;
}

char *
name_make(const struct func *f, enum name_detail detail, size_t width)
{
	const char *where = *f->file ? name_base(f->file) : f->module;
	char *text = NULL, *cut;
	int n;

	switch (detail) {
	case NAME_USUAL:
		if (!f->ambiguous)
			return name_cut(f->name, width);
		/* fall through */
	case NAME_FILE:
		if (*where) {
			n = asprintf(&text, "%s (%s)", f->name, where);
			break;
		}
		/* fall through */
	case NAME_ADDRESS:
		/* One that exists only inlined has no address. */
		if (!f->addr) {
			n = asprintf(&text, "%s (%s%s%s)", f->name,
				     *f->file ? where : "",
				     *f->file ? ", " : "", f->module);
			break;
		}
		n = asprintf(&text, "%s (%s%s%s+0x%" PRIx64 ")", f->name,
			     *f->file ? where : "", *f->file ? ", " : "",
			     f->module, f->addr);
		break;
	case NAME_LINE:
	default:
		n = asprintf(&text, "%s (%s:%u)", f->name, where, f->line);
		break;
	}
	if (n < 0)
		return NULL;
	cut = name_cut(text, width);
	free(text);
	return cut;
}

char *
name_call(const struct func *f, bool path, bool place)
{
	const char *file = path ? f->call_file : name_base(f->call_file);
	char *text;
	int n;

	if (!place)
		n = asprintf(&text, "%s (%s:%u)", f->name, file, f->call_line);
	else if (!f->addr)
		n = asprintf(&text, "%s (%s:%u, %s)", f->name, file,
			     f->call_line, f->module);
	else
		n = asprintf(&text, "%s (%s:%u, %s+0x%" PRIx64 ")", f->name,
			     file, f->call_line, f->module, f->addr);
	return n < 0 ? NULL : text;
}
