/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the examples of heap scores, ex_*.c: programs whose figures are worked
 * out by hand in the comment at their top.  Time is in ticks of ticks.h there.
 * Tests read the lines
 *
 *	expect FUNCTION key=value ...
 *
 * FUNCTION is the one that called malloc.  Keys are blocks, bytes, reads,
 * writes, span, cover, groups; the scores lifetime, usage, cover-score, useful;
 * and the flags, as blocks/bytes.  A flag not in the line must be 0/0; but
 * short, early and late are checked only if the line has them.  Values with a
 * point are exact to +-0.02, others are exact.  "expect program" has the means
 * over the sites: lifetime, usage, useful.
 */
#ifndef EX_H
#define EX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A function that isn't inlined, and keeps its name. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif

/* Read or write n bytes one by one; the compiler leaves none out. */
static inline void
put(void *p, size_t n)
{
	volatile char *c = p;

	while (n--)
		*c++ = 1;
}

static inline int
get(const void *p, size_t n)
{
	const volatile char *c = p;
	int sum = 0;

	while (n--)
		sum += *c++;
	return sum;
}

#endif
