/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ types: short, and as people write them. */
#ifndef MEMMON_REDUCE_GUESS_NAME_H
#define MEMMON_REDUCE_GUESS_NAME_H

#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Longer names are none, in bytes. */
#define GUESS_NAME 4096

/* Arguments of a template beyond so many aren't looked at. */
#define GUESS_ARGUMENTS 24

/*
 * A name as compilers or the demangler have it, in one spelling: without
 * inline namespaces of the library (__cxx11, __1), without arguments that are
 * the defaults there (allocators, less, hash, char_traits), basic_string<char>
 * as string, integers as "unsigned long", "const" first, no needless spaces.
 * NULL when out of memory, or the name is beyond measure.
 */
const char *guess_name_clean(struct arena *a, const char *name);

/* "base<arg0, arg1>rest", as parts.  rest: "::member", "*" ... */
struct guess_name {
	const char *base;
	const char *arg[GUESS_ARGUMENTS];
	unsigned n;
	const char *rest; /* "" none */
};

/* Take a clean name apart.  0, or -1 when out of memory. */
int guess_name_split(struct arena *a, const char *name, struct guess_name *p);

/* Without "const " before it. */
const char *guess_name_plain(const char *name);

#endif
