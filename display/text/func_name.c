/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions: see func_name.h. */
#define _GNU_SOURCE
#include "display/text/func_name.h"

#include "display/text/line.h"
#include "reduce/base/str.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *
func_name(const struct func *f, enum func_name_detail detail, size_t width)
{
	const char *where = *f->file ? str_basename(f->file) : f->module;
	char *text = NULL, *cut;
	int n;

	switch (detail) {
	case FUNC_NAME_USUAL:
		if (!f->ambiguous)
			return line_shorten(f->name, width);
		/* fall through */
	case FUNC_NAME_FILE:
		if (*where) {
			n = asprintf(&text, "%s (%s)", f->name, where);
			break;
		}
		/* fall through */
	case FUNC_NAME_ADDRESS:
		/* A function that is always inlined has no address. */
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
	case FUNC_NAME_LINE:
	default:
		n = asprintf(&text, "%s (%s:%u)", f->name, where, f->line);
		break;
	}
	if (n < 0)
		return NULL;
	cut = line_shorten(text, width);
	free(text);
	return cut;
}

char *
func_name_call(const struct func *f, bool path, bool place)
{
	const char *file = path ? f->call_file : str_basename(f->call_file);
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
