/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types by size, from DWARF by way of libdw: which struct, class, union or
 * typedef is as large as a bin, or fits it as an array.
 */
#ifndef MEMMON_TYPES_H
#define MEMMON_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "reduce/base/progress.h"
#include "reduce/symbols/symbols.h"

struct types;

/*
 * NULL only when out of memory.  progress: whom to tell how far types_add() is,
 * or NULL; it must live as long.
 */
struct types *types_new(struct progress *progress);
void types_free(struct types *t);

/*
 * types_find() will be asked for n sizes, in bytes, and for no others: then
 * types in headers of the system that fit none of them aren't kept.  Before the
 * first types_add().  0, or -1 when out of memory.
 */
int types_want(struct types *t, const uint64_t *sizes, size_t n);

/*
 * Take the types of module m of s.  Returns 0, or -1 when there is no debug
 * information to read (which is no error).  Modules added first are the better
 * guesses.
 */
int types_add(struct types *t, struct symbols *s, size_t m);

/* Entries of debug information gone by so far, for tests. */
uint64_t types_entries(const struct types *t);

/*
 * Names of types for blocks of `size' bytes, best guess first, at most `most'
 * of them, into names[] (strings live until types_free()).  Exact sizes come
 * before arrays "T[n]", n >= 2.  Returns how many.
 */
size_t types_find(struct types *t, uint64_t size, const char **names,
		  size_t most);

/*
 * The one type of the program's own that is exactly as large, arrays aside, or
 * NULL if there is none, or more of them.
 */
const char *types_only(struct types *t, uint64_t size);

/* The size of the type of that name, bytes; 0: none, or several of a name. */
uint64_t types_size(struct types *t, const char *name);

#endif
