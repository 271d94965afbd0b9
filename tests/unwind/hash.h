/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes of call paths, for oracle.h and chains.c. */
#ifndef MEMMON_TESTS_HASH_H
#define MEMMON_TESTS_HASH_H

#include <inttypes.h>
#include <stdint.h>

#define HASH_BASE 0x9e3779b97f4a7c15ull

/* Marks before a call path's outermost frame. */
#define HASH_CUT 1
#define HASH_STOPPED 2

static inline uint64_t
hash_mix(uint64_t v)
{
	v = (v ^ v >> 31) * 0xbf58476d1ce4e5b9ull;
	v = (v ^ v >> 29) * 0x94d049bb133111ebull;
	return v ^ v >> 32;
}

/* A module's name, without the directories; "" for none. */
static inline uint64_t
hash_name(const char *s)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3ull;
	return hash_mix(h);
}

/* One element of a call path: an address in a module. */
static inline uint64_t
hash_value(uint64_t module, uint64_t addr)
{
	return hash_mix(module + addr);
}

static inline uint64_t
hash_mark(uint64_t mark)
{
	return hash_mix(mark);
}

#endif
