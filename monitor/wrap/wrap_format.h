/* SPDX-License-Identifier: MIT */
/* The memory that arguments of printf() and scanf() point to. */
#ifndef MEMMON_ACCESS_WRAP_FORMAT_H
#define MEMMON_ACCESS_WRAP_FORMAT_H

#include <stdarg.h>

#pragma GCC visibility push(hidden)

/*
 * Something was printed: counts reads of the format and of strings, and writes
 * of numbers by %n.  If arguments are named by place (%1$s), marks the blocks
 * that they point to as passed to unrecorded code (handed.h).  ctx: hook.
 */
void mmi_wrap_printed(const char *format, va_list ap);

/* The same for input: n conversions were made and stored.  ctx: hook. */
void mmi_wrap_scanned(const char *format, va_list ap, int n);

#pragma GCC visibility pop

#endif
