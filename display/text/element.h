/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The elements of a call path: a function's frame, or a cycle, which is all
 * from the first frame of a function to its last one (struct frame.entry).  An
 * element is known by its innermost frame: a path is
 *
 *	for (f = leaf; f; f = element_caller(f))
 *
 * and whoever prints a path has an element's text from element_text().
 */
#ifndef MEMMON_ELEMENT_H
#define MEMMON_ELEMENT_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The frame at which the element begins that ends with this one. */
static inline const struct frame *
element_entry(const struct frame *f)
{
	return f->entry ? f->entry : f;
}

/* The last frame of the element before; NULL if there is none. */
static inline const struct frame *
element_caller(const struct frame *f)
{
	return element_entry(f)->parent;
}

static inline bool
element_is_cycle(const struct frame *f)
{
	return f->entry != NULL;
}

/* How many functions a cycle has. */
size_t element_functions(const struct frame *f);

/*
 * The order of elements but for the functions in which they end; 0: they are
 * no cycles, or are entered by the same function and have the same ones.
 */
int element_compare(const struct frame *f, const struct frame *g);

/* Equal for those that are equal, as above. */
size_t element_hash(const struct frame *f);

/*
 * The functions of a cycle but for those of its first and its last frame, each
 * once, by name: *n of them, to be freed; NULL: out of memory.
 */
const struct func **element_others(const struct frame *f, size_t *n);

/*
 * Of a cycle's n functions but for its first and its last one, how many have
 * names in its text: at most ELEMENT_NAMES - 1.
 */
enum { ELEMENT_NAMES = 5 };
size_t element_named(size_t n);

/* A cycle's text, as element_text() has it, of such names; number 0: none. */
void element_put_cycle(FILE *out, unsigned number, const char *const *name,
		       size_t n, size_t more, const char *last);

/*
 * An element's text: `last', which is what its last frame is called; or of a
 * cycle "<cycle 1: f, g, 3 more, last>": its number in the call graph, the
 * function by which it was entered, some of the others, by name, and the one in
 * which it ends, which may be the first; "<cycle: last>" if there is only one.
 * Names are cut to `width' characters if that isn't 0.  The caller frees it;
 * NULL: out of memory.
 */
char *element_text(const struct frame *f, const char *last, size_t width);

#endif
