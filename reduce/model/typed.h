/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the profile (result.h, which includes this) that tell of types.
 *
 * Each type of blocks has a mark, which says how sure it is: '=' it is exact:
 * compiler or program said so, or the blocks themselves do; '~' it was found
 * out from the place of the allocation; '?' nothing but the size fits.
 */
#ifndef MEMMON_REDUCE_TYPED_H
#define MEMMON_REDUCE_TYPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;

/* How a type came to be known, the best first. */
enum profile_confidence {
	PROFILE_COMPILER,  /* the plugin wrote it down */
	PROFILE_PROGRAM,   /* memmon_type() */
	PROFILE_ALLOCATOR, /* template argument of a C++ allocator's function */
	PROFILE_NEW,	   /* what is constructed, or takes new's result */
	PROFILE_VARIABLE,  /* the variable or member that takes the result */
	PROFILE_RETURN,	   /* the function that returns it */
	PROFILE_VTABLE,	   /* the virtual table that live blocks begin with */
	PROFILE_SIZE,	   /* nothing but the size */
	PROFILE_NCONFIDENCE
};

/* A member of a type, or of one of its members: these follow theirs. */
struct member {
	uint64_t offset, size; /* bytes, from the start of the whole */
	const char *name;      /* "" it has none; of a base class its type */
	const char *type;
	unsigned depth; /* 0: of the type itself */
};

/* Bytes of a type that no member uses. */
struct hole {
	uint64_t offset, size; /* bytes, from the start of the whole */
	/* What ends there, or has it inside of each of its elements; NULL: it
	 * is at the start.  Its own place: */
	const char *name, *type;
	uint64_t member_offset, member_size;
	uint64_t times; /* so many of them, in the elements of an array */
};

/* What of a type's bytes no member uses. */
struct holes {
	bool known;
	bool flexible; /* it ends in an array of any length: no element */
	uint64_t bytes; /* of one object */
	struct hole *v; /* ascending; the tail padding is the last */
	size_t n;
};

/*
 * What was read and written where: in all blocks of one size of a site; and
 * besides, in all blocks of a type, whatever their sites.  Granules are of 16
 * bytes; the last one may be cut.  Of a type with a size that is a multiple of
 * 16, all elements of arrays are taken together: size is then the type's, and
 * blocks counts elements.  Of others each size of blocks is by itself.
 */
struct fields {
	const struct site *site; /* NULL: of a type, several sites together */
	const char *type;	 /* NULL not known */
	char type_mark;
	uint64_t type_size;
	uint64_t size;	 /* of a block, or of an element of an array */
	uint64_t blocks; /* of that size: elements count, too */
	uint64_t whole;	 /* blocks that these are, or are elements of */
	bool first; /* of arrays above MONOUT_FIELDS_MAX bytes, the accesses are
		     * those of the first elements */
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
