/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fill a struct err. */
#include "reduce/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int
err_set(struct err *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	return -1;
}

int
err_memory(struct err *e)
{
	return err_set(e, "out of memory");
}

int
err_if_program(struct err *e, const char *path)
{
	char begins[4] = "";
	struct stat st;
	FILE *f;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(f = fopen(path, "re")))
		return 0;
	if (fread(begins, sizeof(begins), 1, f) != 1)
		begins[0] = '\0';
	fclose(f);
	if (memcmp(begins, "\177ELF", sizeof(begins)) != 0)
		return 0;
	return err_set(e,
		       "%s: is a program or library and is not overwritten; "
		       "choose another file for the output",
		       path);
}
