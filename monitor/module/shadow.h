/* SPDX-License-Identifier: MIT */
/*
 * Shadow memory for modules: data about each address.  Part of memmon_module.h.
 */
#ifndef MEMMON_MODULE_SHADOW_H
#define MEMMON_MODULE_SHADOW_H

#include "monitor/module/api.h"

/* A chunk covers 4 MiB; addresses have 48 bits. */
#define MEMMON_CHUNK_SHIFT 22
#define MEMMON_CHUNKS (1ul << (48 - MEMMON_CHUNK_SHIFT))

/*
 * Entries of `size' bytes, 0 at first, one for each 2^granule bytes of memory.
 * Two loads find an entry; only entries that are touched use memory.
 */
struct memmon_shadow {
	struct memmon_host *host;
	char **chunk;
	char *nowhere; /* used for all chunks that got no memory */
	uint32_t size;
	unsigned granule;
	bool lost; /* `nowhere' was used */
};

static inline size_t
memmon_shadow_chunk_size(const struct memmon_shadow *s)
{
	return (size_t)s->size << (MEMMON_CHUNK_SHIFT - s->granule);
}

/* False: out of memory. */
static inline bool
memmon_shadow_init(struct memmon_shadow *s, struct memmon_host *h,
		   uint32_t size, unsigned granule)
{
	s->host = h;
	s->size = size;
	s->granule = granule;
	s->chunk = (char **)h->map(h, MEMMON_CHUNKS * sizeof(*s->chunk));
	s->nowhere = (char *)h->map(h, memmon_shadow_chunk_size(s));
	return s->chunk && s->nowhere;
}

static __attribute__((noinline, unused)) char *
memmon_shadow_new(struct memmon_shadow *s, uint64_t address)
{
	size_t size = memmon_shadow_chunk_size(s);
	char **c =
		&s->chunk[address >> MEMMON_CHUNK_SHIFT & (MEMMON_CHUNKS - 1)];

	*c = (char *)s->host->map(s->host, size);
	if (!*c) {
		s->lost = true;
		*c = s->nowhere;
	}
	return *c;
}

/*
 * The entry of an address; the following entries up to the chunk's end follow
 * it.  `size' and `granule' as in memmon_shadow_init(): constants make it
 * fastest.
 */
static inline __attribute__((always_inline)) void *
memmon_shadow_at(struct memmon_shadow *s, uint64_t address, uint32_t size,
		 unsigned granule)
{
	char *c = s->chunk[address >> MEMMON_CHUNK_SHIFT & (MEMMON_CHUNKS - 1)];

	if (__builtin_expect(!c, 0))
		c = memmon_shadow_new(s, address);
	return c + ((address & ((1ul << MEMMON_CHUNK_SHIFT) - 1)) >> granule) *
			   size;
}

/* Clear the entries of n bytes, except of granules that aren't whole. */
static inline void
memmon_shadow_clear(struct memmon_shadow *s, uint64_t address, uint64_t n)
{
	uint64_t one = 1ul << s->granule, chunk = 1ul << MEMMON_CHUNK_SHIFT;
	uint64_t at = (address + one - 1) & ~(one - 1), end = address + n;

	end &= ~(one - 1);
	while (at < end) {
		uint64_t to = (at | (chunk - 1)) + 1;
		char *c = s->chunk[at >> MEMMON_CHUNK_SHIFT &
				   (MEMMON_CHUNKS - 1)];

		if (to > end)
			to = end;
		if (c && c != s->nowhere && to - at == chunk) {
			s->host->unmap(s->host, c, memmon_shadow_chunk_size(s));
			s->chunk[at >> MEMMON_CHUNK_SHIFT &
				 (MEMMON_CHUNKS - 1)] = NULL;
		} else if (c) {
			memset(c + ((at & (chunk - 1)) >> s->granule) * s->size,
			       0, ((to - at) >> s->granule) * s->size);
		}
		at = to;
	}
}

/*
 * A word of 63 bits for each byte, 0 at first, in 8 bytes per granule of four
 * bytes.  If all bytes of a granule have the same word, the entry is this word.
 * If the words of a granule differ in the same way as those of other granules,
 * the entry is the number of a pattern and a number to add to the pattern's
 * words: for example, if a loop stores one byte after the other, each at its
 * time.  All other granules take 32 bytes more.
 */
struct memmon_bytes {
	struct memmon_shadow shadow;
	/* Granules whose four words are stored one by one. */
	uint64_t (*split)[4];
	/* unused: list of the free ones, linked by [0]. */
	uint32_t nsplit, unused;
	uint64_t (*pattern)[4]; /* from 1 on; MEMMON_SPLIT: the word is 0 */
	uint32_t *pattern_by;	/* numbers of patterns, by hash */
	uint32_t npatterns, recent;
};
#define MEMMON_SPLIT (1ull << 63)
#define MEMMON_SPLITS (1u << 28)
#define MEMMON_PATTERNS (1u << 19)
/* In an entry with a pattern, the number is above the number to add. */
#define MEMMON_ADD_BITS 40
#define MEMMON_ADD ((1ull << MEMMON_ADD_BITS) - 1)
/* The lower bits of a pattern's words may differ by this much. */
#define MEMMON_APART 4096u

static inline bool
memmon_bytes_init(struct memmon_bytes *b, struct memmon_host *h)
{
	b->nsplit = b->npatterns = 1;
	b->split = (uint64_t(*)[4])h->map(h, (size_t)MEMMON_SPLITS * 32);
	b->pattern = (uint64_t(*)[4])h->map(h, (size_t)MEMMON_PATTERNS * 32);
	b->pattern_by = (uint32_t *)h->map(h, (size_t)MEMMON_PATTERNS * 2 * 4);
	return b->split && b->pattern && b->pattern_by &&
	       memmon_shadow_init(&b->shadow, h, 8, 2);
}

static inline __attribute__((always_inline)) uint64_t *
memmon_bytes_at(struct memmon_bytes *b, uint64_t address)
{
	return (uint64_t *)memmon_shadow_at(&b->shadow, address, 8, 2);
}

/* The number of an entry's pattern; 0: none. */
static inline uint32_t
memmon_bytes_pattern(uint64_t entry)
{
	return (uint32_t)((entry & ~MEMMON_SPLIT) >> MEMMON_ADD_BITS);
}

static inline bool
memmon_bytes_is_split(uint64_t entry)
{
	return entry >> MEMMON_ADD_BITS == MEMMON_SPLIT >> MEMMON_ADD_BITS;
}

/* The word of byte i of a granule. */
static inline uint64_t
memmon_bytes_word(const struct memmon_bytes *b, uint64_t entry, unsigned i)
{
	uint64_t word;

	if (!(entry & MEMMON_SPLIT))
		return entry;
	if (memmon_bytes_is_split(entry))
		return b->split[(uint32_t)entry][i];
	word = b->pattern[memmon_bytes_pattern(entry)][i];
	return word & MEMMON_SPLIT ? 0 : word + (entry & MEMMON_ADD);
}

/*
 * The one word of all n aligned bytes (n: 1, 2, 4 or 8).  MEMMON_SPLIT: they
 * have several words, or the caller must check byte by byte.
 */
static inline __attribute__((always_inline)) uint64_t
memmon_bytes_aligned(struct memmon_bytes *b, uint64_t address, uint64_t n)
{
	const uint64_t *e = memmon_bytes_at(b, address);

	if (__builtin_expect(e[0] != e[n >> 3], 0))
		return MEMMON_SPLIT;
	if (__builtin_expect(e[0] >> 63, 0))
		return n == 1 ? memmon_bytes_word(b, e[0], address & 3)
			      : MEMMON_SPLIT;
	return e[0];
}

/* Store a granule's words one by one from now on; NULL: no room. */
static inline uint64_t *
memmon_bytes_split(struct memmon_bytes *b, uint64_t *entry)
{
	uint32_t i = b->unused;

	if (memmon_bytes_is_split(*entry))
		return b->split[(uint32_t)*entry];
	if (i)
		b->unused = (uint32_t)b->split[i][0];
	else if (b->nsplit < MEMMON_SPLITS)
		i = b->nsplit++;
	else
		return NULL;
	for (unsigned k = 0; k < 4; k++)
		b->split[i][k] = memmon_bytes_word(b, *entry, k);
	*entry = MEMMON_SPLIT | i;
	return b->split[i];
}

/* Give a granule another entry; free its split words. */
static inline void
memmon_bytes_replace(struct memmon_bytes *b, uint64_t *entry, uint64_t by)
{
	if (memmon_bytes_is_split(*entry)) {
		b->split[(uint32_t)*entry][0] = b->unused;
		b->unused = (uint32_t)*entry;
	}
	*entry = by;
}

/* The number of a pattern, added if it is new; 0: no room. */
static inline uint32_t
memmon_bytes_find(struct memmon_bytes *b, const uint64_t *pattern)
{
	uint64_t hash = 0;
	uint32_t i, *by;

	if (!memcmp(b->pattern[b->recent], pattern, 32))
		return b->recent;
	for (unsigned k = 0; k < 4; k++)
		hash = (hash ^ pattern[k]) * 0x9e3779b97f4a7c15u;
	for (i = (uint32_t)(hash >> 40);; i++) {
		by = &b->pattern_by[i % (2 * MEMMON_PATTERNS)];
		if (!*by || !memcmp(b->pattern[*by], pattern, 32))
			break;
	}
	if (!*by && b->npatterns < MEMMON_PATTERNS) {
		*by = b->npatterns++;
		memcpy(b->pattern[*by], pattern, 32);
	}
	if (*by)
		b->recent = *by;
	return *by;
}

/* Free a granule's split words if one word, or a pattern, describes them. */
static inline void
memmon_bytes_join(struct memmon_bytes *b, uint64_t *entry, const uint64_t *w)
{
	uint64_t pattern[4], least = MEMMON_ADD;
	uint32_t i;

	for (unsigned k = 0; k < 4; k++)
		if (w[k] && (w[k] & MEMMON_ADD) < least)
			least = w[k] & MEMMON_ADD;
	for (unsigned k = 0; k < 4; k++) {
		if (w[k] && (w[k] & MEMMON_ADD) - least >= MEMMON_APART)
			return;
		pattern[k] = w[k] ? w[k] - least : MEMMON_SPLIT;
	}
	if (w[0] == w[1] && w[0] == w[2] && w[0] == w[3]) {
		memmon_bytes_replace(b, entry, w[0]);
		return;
	}
	i = memmon_bytes_find(b, pattern);
	if (i)
		memmon_bytes_replace(b, entry,
				     MEMMON_SPLIT |
					     (uint64_t)i << MEMMON_ADD_BITS |
					     least);
}

/*
 * Are the bytes from `from' to `to' of a granule the last that are set for now?
 * A program that goes upwards ends at the last byte that has a word, one that
 * goes downwards at byte 0.
 */
static inline bool
memmon_bytes_is_last(const uint64_t *w, unsigned from, unsigned to)
{
	if (!from && w[1] != w[3] && (w[1] & MEMMON_ADD) >= (w[3] & MEMMON_ADD))
		return true;
	while (to < 4 && !w[to])
		to++;
	return to == 4;
}

/* Set the words of the bytes `from' to `to' of a granule. */
static inline void
memmon_bytes_set_part(struct memmon_bytes *b, uint64_t *entry, unsigned from,
		      unsigned to, uint64_t v)
{
	uint64_t *w;

	if (*entry == v)
		return;
	w = memmon_bytes_split(b, entry);
	if (!w)
		return;
	for (unsigned k = from; k < to; k++)
		w[k] = v;
	if (memmon_bytes_is_last(w, from, to))
		memmon_bytes_join(b, entry, w);
}

static __attribute__((noinline, unused)) void
memmon_bytes_set_some(struct memmon_bytes *b, uint64_t address, uint64_t n,
		      uint64_t v)
{
	for (uint64_t end = address + n; address < end;) {
		uint64_t *entry = memmon_bytes_at(b, address);
		unsigned from = address & 3;
		uint64_t to =
			end - (address - from) < 4 ? end - (address - from) : 4;

		if (from == 0 && to == 4)
			memmon_bytes_replace(b, entry, v);
		else
			memmon_bytes_set_part(b, entry, from, (unsigned)to, v);
		address += to - from;
	}
}

/* The entry after e; its granule is at `address'. */
static inline uint64_t *
memmon_bytes_behind(struct memmon_bytes *b, uint64_t *e, uint64_t address)
{
	return address & ((1ul << MEMMON_CHUNK_SHIFT) - 1)
		       ? e + 1
		       : memmon_bytes_at(b, address);
}

/* Set the words of whole granules. */
static __attribute__((noinline, unused)) void
memmon_bytes_set_whole(struct memmon_bytes *b, uint64_t address, uint64_t n,
		       uint64_t v)
{
	uint64_t *e = memmon_bytes_at(b, address), end = address + n;

	for (; address < end; e = memmon_bytes_behind(b, e, address)) {
		if (*e & MEMMON_SPLIT)
			memmon_bytes_set_some(b, address, 4, v);
		else
			*e = v;
		address += 4;
	}
}

/* Set the words of n bytes to v. */
static inline void
memmon_bytes_set(struct memmon_bytes *b, uint64_t address, uint64_t n,
		 uint64_t v)
{
	uint64_t at = (address + 3) & ~3ull, end = (address + n) & ~3ull;

	if (at >= end) {
		memmon_bytes_set_some(b, address, n, v);
		return;
	}
	if (at > address)
		memmon_bytes_set_some(b, address, at - address, v);
	memmon_bytes_set_whole(b, at, end - at, v);
	if (end < address + n)
		memmon_bytes_set_some(b, end, address + n - end, v);
}

/* Set the words of n aligned bytes, n 1, 2, 4 or 8. */
static inline __attribute__((always_inline)) void
memmon_bytes_set_aligned(struct memmon_bytes *b, uint64_t address, unsigned n,
			 uint64_t v)
{
	uint64_t *e = memmon_bytes_at(b, address), *last = e + (n >> 3);

	if (__builtin_expect(n >= 4 && !((e[0] | *last) >> 63), 1))
		e[0] = *last = v;
	else if (n == 1 && memmon_bytes_is_split(*e) && (address + 1) & 2 &&
		 b->split[(uint32_t)*e][3])
		b->split[(uint32_t)*e][address & 3] = v;
	else
		memmon_bytes_set(b, address, n, v);
}

/* The word of one byte. */
static inline uint64_t
memmon_bytes_get(struct memmon_bytes *b, uint64_t address)
{
	return memmon_bytes_word(b, *memmon_bytes_at(b, address), address & 3);
}

/*
 * *v gets the word of the byte at `address'.  How many bytes in a row, from
 * this one on and at most `left', have it?
 */
static __attribute__((noinline, unused)) uint64_t
memmon_bytes_run(struct memmon_bytes *b, uint64_t address, uint64_t left,
		 uint64_t *v)
{
	uint64_t *e = memmon_bytes_at(b, address);
	uint64_t at = address, end = address + left;

	*v = memmon_bytes_word(b, *e, at & 3);
	if (*e != *v && !(++at & 3))
		e = memmon_bytes_behind(b, e, at);
	for (;;) {
		/* Usually they are whole granules with one word. */
		while (!(at & 3) && at < end && *e == *v) {
			at += 4;
			e = memmon_bytes_behind(b, e, at);
		}
		if (at >= end)
			return left;
		if (memmon_bytes_word(b, *e, at & 3) != *v)
			return at - address;
		if (!(++at & 3))
			e = memmon_bytes_behind(b, e, at);
	}
}

/* for each run of bytes with one word, v, of n bytes at `address'. */
#define memmon_each_run(v, b, address, n) \
	for (uint64_t v##_left = (n), v##_run = 0; v##_left; \
	     v##_left -= v##_run) \
		for (uint64_t v, \
		     v##_once = (v##_run = memmon_bytes_run( \
					 b, (address) + (n)-v##_left, \
					 v##_left, &v), \
				1); \
		     v##_once; v##_once = 0)

/* Clear the granules from `at' to `end'. */
static __attribute__((noinline, unused)) void
memmon_bytes_clear_some(struct memmon_bytes *b, uint64_t at, uint64_t end)
{
	uint64_t chunk = 1ul << MEMMON_CHUNK_SHIFT;

	while (at < end) {
		uint64_t *e;

		if (!b->shadow.chunk[at >> MEMMON_CHUNK_SHIFT &
				     (MEMMON_CHUNKS - 1)]) {
			at = (at | (chunk - 1)) + 1;
			continue;
		}
		e = memmon_bytes_at(b, at);
		if (*e & MEMMON_SPLIT)
			memmon_bytes_set_some(b, at, 4, 0);
		else if (*e)
			*e = 0;
		at += 4;
	}
}

/* Set all words of n bytes to 0. */
static inline void
memmon_bytes_clear(struct memmon_bytes *b, uint64_t address, uint64_t n)
{
	uint64_t at = (address + 3) & ~3ull, end = (address + n) & ~3ull;

	if (at >= end) {
		memmon_bytes_set_some(b, address, n, 0);
		return;
	}
	memmon_bytes_set_some(b, address, at - address, 0);
	memmon_bytes_clear_some(b, at, end);
	memmon_bytes_set_some(b, end, address + n - end, 0);
}

#endif
