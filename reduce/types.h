/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types by size, from DWARF by way of libdw: which struct, class, union or
 * typedef is as large as a bin, or fits it as an array.
 */
#ifndef MEMMON_TYPES_H
#define MEMMON_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct places;
struct types;

/*
 * places: where debug information is looked for, or NULL.  Returns NULL only
 * when out of memory.
 */
struct types *types_new(const struct places *places);
void types_free(struct types *t);

/*
 * Take the types of an object file (or of its separate debug file).  path: the
 * file; build_id, len: what was recorded at run time, or len 0; a file with
 * another build-id is passed over.  Returns 0, or -1 when there is no debug
 * information to read (which is no error).  Files added first are the better
 * guesses.
 */
int types_add(struct types *t, const char *path, const unsigned char *build_id,
	      size_t len);

/*
 * Names of types for blocks of `size' bytes, best guess first, at most `most'
 * of them, into names[] (strings live until types_free()).  Exact sizes come
 * before arrays "T[n]", n >= 2.  Returns how many.
 */
size_t types_find(struct types *t, uint64_t size, const char **names,
		  size_t most);

#endif
