/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions as they are printed. */
#ifndef MEMMON_FUNC_NAME_H
#define MEMMON_FUNC_NAME_H

#include "reduce/profile/profile.h"

#include <stddef.h>

/* The details to print with a function's name. */
enum func_name_detail {
	FUNC_NAME_USUAL,  /* "f"; as FILE if others have that name */
	FUNC_NAME_FILE,   /* "f (file.c)", or module, or address */
	FUNC_NAME_LINE,   /* "f (file.c:12)" */
	FUNC_NAME_ADDRESS /* "f (file.c, prog+0x1234)" */
};

/*
 * The name of f, shortened to `width' characters, unless it is 0.  From
 * malloc(); NULL: out of memory.
 */
char *func_name(const struct func *f, enum func_name_detail detail,
		size_t width);

/*
 * The name of f with its line: "f (file.c:12)".  path: with the whole path of
 * the file.  place: with the function's place in its program or library.
 * f->call_line must not be 0.  From malloc(); NULL: out of memory.
 */
char *func_name_call(const struct func *f, bool path, bool place);

#endif
