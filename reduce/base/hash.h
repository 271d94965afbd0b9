/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table from three numbers to one number.  The reducer finds nodes,
 * frames, functions and arcs with it.
 */
#ifndef MEMMON_REDUCE_HASH_H
#define MEMMON_REDUCE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_slot;

/* The caller owns the struct; all zero is an empty table. */
struct hash {
	struct hash_slot *slots;
	size_t nslots; /* a power of two, or 0 */
	size_t used;
};

/*
 * Marks an empty slot; hash_find() returns it for "not found".  No value may be
 * HASH_NONE.
 */
#define HASH_NONE UINT32_MAX

/*
 * Find the value of key (a, b, c).  A key that is missing is added with the
 * value `fresh', which must not be HASH_NONE.  Returns the value.
 */
uint32_t hash_intern(struct hash *h, uint64_t a, uint64_t b, uint64_t c,
		     uint32_t fresh);

/*
 * The value of key (a, b, c), or HASH_NONE if the key is missing.  Never adds.
 */
uint32_t hash_find(const struct hash *h, uint64_t a, uint64_t b, uint64_t c);

void hash_fini(struct hash *h);

/*
 * FNV-1a over n bytes.  h is HASH_BYTES for the first bytes, and the result so
 * far for the bytes that follow.
 */
#define HASH_BYTES UINT64_C(0xcbf29ce484222325)

static inline uint64_t
hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	while (n--)
		h = (h ^ *b++) * UINT64_C(0x100000001b3);
	return h;
}

#endif
