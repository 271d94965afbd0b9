/* SPDX-License-Identifier: MIT */
/* What the arguments of printf() and scanf() point to. */
#ifndef MEMMON_ACCESS_WRAP_FORMAT_H
#define MEMMON_ACCESS_WRAP_FORMAT_H

#include <stdarg.h>

#pragma GCC visibility push(hidden)

/*
 * Something was printed: the format and strings were read, numbers of %n
 * written.  Where arguments are named by place (%1$s), what they point to is
 * handed over (handed.h).  ctx: hook.
 */
void mmi_wrap_printed(const char *format, va_list ap);

/* n conversions were made of an input, and written.  The same.  ctx: hook. */
void mmi_wrap_scanned(const char *format, va_list ap, int n);

#pragma GCC visibility pop

#endif
