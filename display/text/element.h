/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The elements of a call path.  An element is a function's frame, or a cycle:
 * all frames from the first frame of a function to its last (frame.entry).
 * An element is represented by its innermost frame, so this walks a path:
 *
 *	for (f = leaf; f; f = element_caller(f))
 *
 * element_text() has the text of an element.
 */
#ifndef MEMMON_ELEMENT_H
#define MEMMON_ELEMENT_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The first frame of the element that ends with frame f. */
static inline const struct frame *
element_entry(const struct frame *f)
{
	return f->entry ? f->entry : f;
}

/* The last frame of the element before; NULL: none. */
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

/* The number of functions in a cycle. */
size_t element_functions(const struct frame *f);

/*
 * The order of elements, without their last functions.  0: both are no cycles,
 * or both are cycles with the same entry and the same functions.
 */
int element_compare(const struct frame *f, const struct frame *g);

/* A hash that is equal for elements that element_compare() finds equal. */
size_t element_hash(const struct frame *f);

/*
 * The functions of a cycle, except those of its first and last frame, each
 * once, by name: *n of them, from malloc(); NULL: out of memory.
 */
const struct func **element_others(const struct frame *f, size_t *n);

/*
 * A cycle has n functions in addition to its first and last: the number that
 * its text names, at most ELEMENT_NAMES - 1.
 */
enum { ELEMENT_NAMES = 5 };
size_t element_named(size_t n);

/* Print the text of a cycle, as element_text(), from names; number 0: none. */
void element_put_cycle(FILE *out, unsigned number, const char *const *name,
		       size_t n, size_t more, const char *last);

/*
 * The text of an element.  For a function it is `last', the name of the last
 * frame.  For a cycle it is "<cycle 1: f, g, 3 more, last>": the cycle's number
 * in the call graph, the function that was entered first, some other functions
 * by name, and the last function, which may be the first; or "<cycle: last>"
 * for a single function.  Names are shortened to `width' characters, unless it
 * is 0.  From malloc(); NULL: out of memory.
 */
char *element_text(const struct frame *f, const char *last, size_t width);

#endif
