/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types by size, from DWARF, read with libdw: the structs, classes, unions and
 * typedefs with the size of a bin, or that fit it as an array.
 */
#ifndef MEMMON_TYPES_H
#define MEMMON_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "reduce/base/progress.h"
#include "reduce/symbols/symbols.h"

struct types;

/*
 * progress: to report the progress of types_add() to, or NULL; it must live as
 * long as the result.
 */
struct types *types_new(struct progress *progress);
void types_free(struct types *t);

/*
 * Announce that types_find() will be called only for these n sizes, in bytes.
 * Then types in system headers that don't fit them aren't stored.  Call it
 * before the first types_add().
 */
void types_want(struct types *t, const uint64_t *sizes, size_t n);

/*
 * Take the types of module m of s.  Returns 0, or -1 when it has no readable
 * debug information (which isn't an error).  Types of modules that are added
 * earlier are better guesses.
 */
int types_add(struct types *t, struct symbols *s, size_t m);

/*
 * From now on, types_find() and types_only() find only types that one of these
 * n modules has; their numbers are those of types_add(), plus 1.  The array
 * must live until the next call.  NULL: types of all modules, as at first.
 */
void types_allow(struct types *t, const uint32_t *modules, size_t n);

/* Entries of debug information read so far, for tests. */
uint64_t types_entries(const struct types *t);

/*
 * Fill names[] with names of types for blocks of `size' bytes, best guess
 * first, at most `most'.  The strings live until types_free().  Types of this
 * size come before arrays "T[n]", n >= 2.  Returns the number of names.
 */
size_t types_find(struct types *t, uint64_t size, const char **names,
		  size_t most);

/*
 * The program's type of exactly this size, if it is the only one.  NULL: none,
 * several (nodes of the library's containers count, too), or an array.
 */
const char *types_only(struct types *t, uint64_t size);

/* The size in bytes of the type with this name; 0: none, or several sizes. */
uint64_t types_size(struct types *t, const char *name);

#endif
