/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions as they are printed. */
#ifndef MEMMON_FUNC_NAME_H
#define MEMMON_FUNC_NAME_H

#include "reduce/profile/profile.h"

#include <stddef.h>

/* How much is said of a function beside its name. */
enum func_name_detail {
	FUNC_NAME_USUAL,  /* "f"; the next if others have that name */
	FUNC_NAME_FILE,   /* "f (file.c)", or module, or address */
	FUNC_NAME_LINE,   /* "f (file.c:12)" */
	FUNC_NAME_ADDRESS /* "f (file.c, prog+0x1234)" */
};

/*
 * The name of f, cut to `width' characters if that isn't 0.  The caller frees
 * it; NULL: out of memory.
 */
char *func_name(const struct func *f, enum func_name_detail detail,
		size_t width);

/*
 * The name of f with the line that it is of: "f (file.c:12)"; with the whole
 * path of the file, or the function's place in its module, too, where that is
 * needed.  f->call_line isn't 0.  The caller frees it; NULL: out of memory.
 */
char *func_name_call(const struct func *f, bool path, bool place);

#endif
