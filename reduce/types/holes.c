/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holes of types, from DWARF. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/types/holes.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/dwarf/dies.h"

/* With deeper nesting, or more members, holes are unknown. */
#define DEPTH 32u
#define PARTS 16384u

/* The bytes of a member that has no members itself. */
struct part {
	uint64_t start, end;
	uint64_t inner,
		times; /* holes of each element, in bytes, and the number of
			* elements */
	Dwarf_Die member;
	uint64_t offset; /* of the member: its start */
};

struct search {
	struct arena *arena;
	struct part *v;
	size_t n, room;
	unsigned left; /* entries that may still be looked at */
	bool unknown; /* some bytes may or may not be holes */
	/* An array without a size, and its start. */
	bool flexible;
	Dwarf_Die array;
	uint64_t array_at;
};

static void holes_walk(struct search *s, const Dwarf_Die *type, uint64_t base,
		       unsigned depth, bool in_union);

/* ------------------------------------------------------------ used bytes -- */

static void
cover(struct search *s, Dwarf_Die *member, uint64_t start, uint64_t size)
{
	uint64_t end;

	if (__builtin_add_overflow(start, size, &end) || s->n >= PARTS) {
		s->unknown = true;
		return;
	}
	ARRAY_ADD(s->v, s->room, s->n,
		  (struct part){ .start = start,
				 .end = end,
				 .member = *member,
				 .offset = start });
}

/* The struct in an array of structs; false: it isn't such an array. */
static bool
element_of(const Dwarf_Die *array, Dwarf_Die *element)
{
	Dwarf_Die next;
	int i;

	*element = *array;
	if (dwarf_tag(element) != DW_TAG_array_type)
		return false;
	for (i = 0; i < DIES_PEEL; i++) {
		if (dwarf_tag(element) != DW_TAG_array_type)
			break;
		if (!dies_type(element, &next))
			return false;
		*element = next;
		dies_peel(element);
	}
	return dies_is_class(element);
}

static uint64_t total_of(struct search *s, uint64_t size);

/*
 * Note the holes of the last part, an array of structs: they are the same in
 * each.
 */
static void
elements(struct search *s, const Dwarf_Die *element, uint64_t size,
	 unsigned depth)
{
	struct search its = { .arena = s->arena, .left = s->left };
	struct part *whole = &s->v[s->n - 1];
	uint64_t one = dies_size(element);

	if (!one || size % one) {
		s->unknown = true;
		return;
	}
	holes_walk(&its, element, 0, depth + 1, false);
	s->left = its.left;
	/* An element of an empty class uses its one byte. */
	if (its.n && !its.unknown) {
		whole->inner = total_of(&its, one);
		whole->times = size / one;
	}
	s->unknown |= its.unknown;
	free(its.v);
}

/* Add a member of this size at `start'. */
static void
holes_part(struct search *s, Dwarf_Die *member, Dwarf_Die *type, uint64_t start,
	   uint64_t size, unsigned depth, bool in_union)
{
	bool base = dwarf_tag(member) == DW_TAG_inheritance;
	Dwarf_Die element;
	size_t n = s->n;

	dies_peel(type);
	if (dies_is_class(type)) {
		/* A type without a definition. */
		s->unknown |= !dwarf_hasattr(type, DW_AT_byte_size);
		holes_walk(s, type, start, depth + 1, in_union);
		/* An empty member uses one byte; an empty base class uses
		 * none. */
		if (!(s->n > n || base))
			cover(s, member, start, size);
		return;
	}
	if (!size) {
		s->flexible = dwarf_tag(type) == DW_TAG_array_type;
		s->unknown |= !s->flexible;
		s->array = *member;
		s->array_at = start;
		return;
	}
	cover(s, member, start, size);
	if (s->n != n && !in_union && element_of(type, &element))
		elements(s, &element, size, depth);
}

/* Add all members of a type that starts at `base'. */
static void
holes_walk(struct search *s, const Dwarf_Die *type, uint64_t base,
	   unsigned depth, bool in_union)
{
	uint64_t offset, size, start;
	struct dies_child c;
	Dwarf_Die its;
	bool more;

	in_union |= dwarf_tag((Dwarf_Die *)type) == DW_TAG_union_type;
	if (depth >= DEPTH) {
		s->unknown = true;
		return;
	}
	for (more = dies_child(&c, type, &s->left); more;
	     more = dies_next(&c)) {
		if (!dies_is_part(&c.die))
			continue;
		if (!dies_member(&c.die, &its, &offset, &size) ||
		    __builtin_add_overflow(base, offset, &start))
			s->unknown = true;
		else
			holes_part(s, &c.die, &its, start, size, depth,
				   in_union);
	}
	/* The limit was reached: there may be more members. */
	s->unknown |= !s->left;
}

/* -------------------------------------------------------------- the gaps -- */

SORT_BY(compare, struct part, SORT_UP(start) SORT_UP(end))

/*
 * Sort the parts.  Call f for each gap, with the part that ends there, and for
 * each part with holes inside.
 */
static void
gaps(struct search *s, uint64_t size,
     void (*f)(struct search *s, const struct part *p, uint64_t offset,
	       uint64_t size, uint64_t times, void *arg),
     void *arg)
{
	const struct part *last = NULL, *p;
	uint64_t at = 0;
	size_t i;

	SORT(s->v, s->n, compare);
	for (i = 0; i < s->n && at < size; i++) {
		p = &s->v[i];
		if (p->start > at)
			f(s, last, at, (p->start < size ? p->start : size) - at,
			  1, arg);
		if (p->inner && p->end <= size)
			f(s, p, p->start, p->inner, p->times, arg);
		if (p->end >= at) {
			at = p->end;
			last = p;
		}
	}
	if (at < size)
		f(s, last, at, size - at, 1, arg);
}

static void
add_up(struct search *s, const struct part *p, uint64_t offset, uint64_t size,
       uint64_t times, void *arg)
{
	uint64_t *sum = arg, more;

	(void)p;
	(void)offset;
	if (__builtin_mul_overflow(size, times, &more) ||
	    __builtin_add_overflow(*sum, more, sum))
		s->unknown = true;
}

static uint64_t
total_of(struct search *s, uint64_t size)
{
	uint64_t sum = 0;

	gaps(s, size, add_up, &sum);
	s->unknown |= sum > size;
	return sum;
}

/* Set the hole's name and type from the member. */
static void
holes_name(struct search *s, struct hole *h, const struct part *p)
{
	Dwarf_Die member = p->member, type;
	const char *text;

	text = dies_type(&member, &type) ? dies_type_text(s->arena, &type)
					 : "?";
	h->type = clean_name(s->arena, text);
	text = dwarf_diename(&member);
	h->name = clean_name(s->arena, text ? text : "");
	h->member_offset = p->offset;
	h->member_size = p->end - p->start;
}

static void
holes_note(struct search *s, const struct part *p, uint64_t offset,
	   uint64_t size, uint64_t times, void *arg)
{
	struct holes *h = arg;
	struct hole *v = &h->v[h->n++];

	*v = (struct hole){ .offset = offset, .size = size, .times = times };
	if (p)
		holes_name(s, v, p);
}

/*
 * An array without a size at the end of a struct uses the bytes after it,
 * including the padding.
 */
static void
stretch(struct search *s, uint64_t size)
{
	size_t i;

	for (i = 0; i < s->n && s->flexible; i++)
		s->flexible = s->v[i].end <= s->array_at;
	if (!s->flexible || s->array_at >= size)
		return;
	cover(s, &s->array, s->array_at, size - s->array_at);
}

void
holes_find(struct holes *h, struct arena *a, const Dwarf_Die *type)
{
	struct search s = { .arena = a, .left = PARTS };
	uint64_t size = dies_size(type);

	holes_walk(&s, type, 0, 0, false);
	stretch(&s, size);
	*h = (struct holes){ .flexible = s.flexible };
	if (s.n && size) {
		h->bytes = total_of(&s, size);
		h->known = !s.unknown;
	}
	if (h->known) {
		/* One hole before each part, one in it, and the tail. */
		h->v = arena_array(a, 2 * s.n + 1, sizeof(*h->v));
		gaps(&s, size, holes_note, h);
	}
	free(s.v);
}

/* ----------------------------------------------------------- other types -- */

bool
holes_has_none(const char *name)
{
	static const char *const words[] = {
		"char",	    "signed",	"unsigned",  "short",	 "int",
		"long",	    "float",	"double",    "bool",	 "_Bool",
		"wchar_t",  "size_t",	"ssize_t",   "int8_t",	 "int16_t",
		"int32_t",  "int64_t",	"uint8_t",   "uint16_t", "uint32_t",
		"uint64_t", "intptr_t", "uintptr_t", "char8_t",	 "char16_t",
		"char32_t", "const",	"volatile"
	};
	size_t n = strlen(name), i, k;

	if (n && name[n - 1] == '*')
		return true;
	if (!strncmp(name, "enum ", 5))
		return true;
	for (; *name; name += n + strspn(name + n, " ")) {
		n = strcspn(name, " ");
		for (i = k = 0; i < sizeof(words) / sizeof(words[0]); i++)
			k += strlen(words[i]) == n &&
			     !strncmp(words[i], name, n);
		if (!k)
			return false;
	}
	return true;
}
