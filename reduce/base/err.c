/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting a struct err. */
#include "reduce/base/err.h"

#include <stdarg.h>
#include <stdio.h>

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
