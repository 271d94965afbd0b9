/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the profile (result.h, which includes this) about types.
 *
 * Each type of blocks has a mark, which says how sure it is.  '=': exact: the
 * compiler, the program or the blocks themselves say so.  '~': derived from the
 * code of the allocation.  '?': only the size fits.
 */
#ifndef MEMMON_REDUCE_TYPED_H
#define MEMMON_REDUCE_TYPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;

/* How a type became known, the best way first. */
enum profile_confidence {
	PROFILE_COMPILER,  /* the plugin wrote it down */
	PROFILE_PROGRAM,   /* memmon_type() */
	PROFILE_ALLOCATOR, /* template argument of a C++ allocator's function */
	PROFILE_NEW,	   /* the object constructed there, or the variable that
			    * takes new's result */
	PROFILE_VARIABLE,  /* the variable or member that takes the result */
	PROFILE_RETURN,	   /* the function that returns it */
	PROFILE_VTABLE,	   /* the virtual table that live blocks begin with */
	PROFILE_SIZE,	   /* only the size */
	PROFILE_NCONFIDENCE
};

/* A member of a type, followed by its own members. */
struct member {
	uint64_t offset, size; /* bytes, from the start of the whole */
	const char *name;      /* "" unnamed; of a base class its type */
	const char *type;
	unsigned depth; /* 0: of the type itself */
};

/* Bytes of a type that no member uses. */
struct hole {
	uint64_t offset, size; /* bytes, from the start of the whole */
	/* The member before the hole, or an array whose elements contain the
	 * hole; NULL: the hole is at the start.  Place and size of that
	 * member: */
	const char *name, *type;
	uint64_t member_offset, member_size;
	uint64_t times; /* how many of them, in the elements of an array */
};

/* The bytes of a type that no member uses. */
struct holes {
	bool known;
	bool flexible; /* it ends in an array of any length: no element
			* counts */
	uint64_t bytes; /* of one object */
	struct hole *v; /* ascending; the tail padding is the last */
	size_t n;
};

/*
 * Reads and writes by place in the block.  There is one for all blocks of one
 * size of a site, and one more for all blocks of a type, at any site.  Granules
 * are of 16 bytes; the last one may be shorter.  If the size of a type is a
 * multiple of 16, all elements of its arrays are added up: size is then the
 * type's size, and blocks counts elements.  Other types have one for each size
 * of blocks.
 */
struct fields {
	const struct site *site; /* NULL: all sites of a type */
	const char *type;	 /* NULL not known */
	char type_mark;
	uint64_t type_size;
	uint64_t size;	 /* of a block, or of an element of an array */
	uint64_t blocks; /* of that size; elements count, too */
	uint64_t whole;	 /* whole blocks: the same, or those that contain the
			  * elements */
	bool first; /* arrays above MONOUT_FIELDS_MAX bytes: only accesses of
		     * their first elements */
	size_t n;   /* granules */
	const uint64_t *reads, *writes;
	const struct member *members; /* of type, in order; NULL unknown */
	size_t nmembers;
};

/* A type that fits a bin. */
struct bin_type {
	const char *name; /* "widget", "node[3]" */
	char mark;
};

#endif
