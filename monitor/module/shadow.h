/* SPDX-License-Identifier: MIT */
/*
 * Shadow memory of modules: what is known of each address.  Part of
 * memmon_module.h.
 */
#ifndef MEMMON_MODULE_SHADOW_H
#define MEMMON_MODULE_SHADOW_H

#include "monitor/module/api.h"

/* A chunk holds what is known of 4 MiB; addresses have 48 bits. */
#define MEMMON_CHUNK_SHIFT 22
#define MEMMON_CHUNKS (1ul << (48 - MEMMON_CHUNK_SHIFT))

/*
 * Entries of `size' bytes, 0 at first, one for each 2^granule bytes of memory.
 * A cell is found by two loads; only what is touched takes memory.
 */
struct memmon_shadow {
	struct memmon_host *host;
	char **chunk;
	char *nowhere; /* in place of a chunk for which there is no memory */
	uint32_t size;
	unsigned granule;
	bool lost; /* it was needed */
};

static inline size_t
memmon_shadow_chunk_size(const struct memmon_shadow *s)
{
	return (size_t)s->size << (MEMMON_CHUNK_SHIFT - s->granule);
}

/* False: there is no memory. */
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
 * The entry of an address, and behind it those up to the chunk's end.  `size'
 * and `granule' as at the start: where they are constants it is quickest.
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

/* Nothing is known any more of n bytes, but for granules that aren't whole. */
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
 * A word for each byte, 0 at first, in 8 bytes for every four as long as these
 * four were set together, and 40 otherwise.  The highest bit of a word is ours.
 */
struct memmon_bytes {
	struct memmon_shadow shadow;
	uint64_t (*split)[4]; /* of granules that have several words */
	uint32_t nsplit, unused; /* unused: list of those, by [0] */
};
#define MEMMON_SPLIT (1ull << 63)
#define MEMMON_SPLITS (1u << 28)

static inline bool
memmon_bytes_init(struct memmon_bytes *b, struct memmon_host *h)
{
	b->nsplit = 1;
	b->split = (uint64_t(*)[4])h->map(h, (size_t)MEMMON_SPLITS * 32);
	return b->split && memmon_shadow_init(&b->shadow, h, 8, 2);
}

static inline __attribute__((always_inline)) uint64_t *
memmon_bytes_at(struct memmon_bytes *b, uint64_t address)
{
	return (uint64_t *)memmon_shadow_at(&b->shadow, address, 8, 2);
}

/*
 * The word of all of n aligned bytes, n 1, 2, 4 or 8; MEMMON_SPLIT: they have
 * several, or it takes a closer look.
 */
static inline __attribute__((always_inline)) uint64_t
memmon_bytes_aligned(struct memmon_bytes *b, uint64_t address, uint64_t n)
{
	const uint64_t *e = memmon_bytes_at(b, address);

	if (__builtin_expect(e[0] != e[n >> 3], 0))
		return MEMMON_SPLIT;
	if (__builtin_expect(e[0] >> 63, 0))
		return n == 1 ? b->split[(uint32_t)e[0]][address & 3]
			      : MEMMON_SPLIT;
	return e[0];
}

/* A granule that had one word gets four. */
static inline uint64_t *
memmon_bytes_split(struct memmon_bytes *b, uint64_t *entry)
{
	uint64_t v = *entry;
	uint32_t i = b->unused;

	if (i)
		b->unused = (uint32_t)b->split[i][0];
	else if (b->nsplit < MEMMON_SPLITS)
		i = b->nsplit++;
	else
		return NULL;
	for (int k = 0; k < 4; k++)
		b->split[i][k] = v;
	*entry = MEMMON_SPLIT | i;
	return b->split[i];
}

static __attribute__((noinline, unused)) void
memmon_bytes_set_some(struct memmon_bytes *b, uint64_t address, unsigned n,
		      uint64_t v)
{
	for (uint64_t end = address + n; address < end;) {
		uint64_t *entry = memmon_bytes_at(b, address), *w;
		unsigned from = address & 3;
		uint64_t to =
			end - (address - from) < 4 ? end - (address - from) : 4;

		if (*entry & MEMMON_SPLIT) {
			w = b->split[(uint32_t)*entry];
			if (from == 0 && to == 4) {
				w[0] = b->unused;
				b->unused = (uint32_t)*entry;
				*entry = v;
			}
		} else {
			w = NULL;
			if (from == 0 && to == 4)
				*entry = v;
			else if (*entry != v)
				w = memmon_bytes_split(b, entry);
		}
		if (w && !(from == 0 && to == 4))
			for (unsigned k = from; k < to; k++)
				w[k] = v;
		address += to - from;
	}
}

/* The same of whole granules within a line. */
static __attribute__((noinline, unused)) void
memmon_bytes_set_whole(struct memmon_bytes *b, uint64_t address, unsigned n,
		       uint64_t v)
{
	uint64_t *e = memmon_bytes_at(b, address);

	for (unsigned i = 0; i < n / 4; i++)
		if (e[i] & MEMMON_SPLIT)
			memmon_bytes_set_some(b, address + 4 * i, 4, v);
		else
			e[i] = v;
}

/* Set the words of n bytes within a line to v. */
static inline void
memmon_bytes_set(struct memmon_bytes *b, uint64_t address, unsigned n,
		 uint64_t v)
{
	if (!((address | n) & 3))
		memmon_bytes_set_whole(b, address, n, v);
	else
		memmon_bytes_set_some(b, address, n, v);
}

/* The same of n aligned bytes, n 1, 2, 4 or 8. */
static inline __attribute__((always_inline)) void
memmon_bytes_set_aligned(struct memmon_bytes *b, uint64_t address, unsigned n,
			 uint64_t v)
{
	uint64_t *e = memmon_bytes_at(b, address), *last = e + (n >> 3);

	if (__builtin_expect(n >= 4 && !((e[0] | *last) >> 63), 1))
		e[0] = *last = v;
	else if (n == 1 && *e >> 63)
		b->split[(uint32_t)*e][address & 3] = v;
	else
		memmon_bytes_set(b, address, n, v);
}

/* The word of one byte. */
static inline uint64_t
memmon_bytes_get(struct memmon_bytes *b, uint64_t address)
{
	uint64_t e = *memmon_bytes_at(b, address);

	return e & MEMMON_SPLIT ? b->split[(uint32_t)e][address & 3] : e;
}

/* Of `left' bytes at `address', how many have the same word, v, in a row? */
static __attribute__((noinline, unused)) unsigned
memmon_bytes_run(struct memmon_bytes *b, uint64_t address, unsigned left,
		 uint64_t *v)
{
	const uint64_t *e = memmon_bytes_at(b, address & ~3ull);
	unsigned n = 0, at = address & 3;

	*v = memmon_bytes_get(b, address);
	/* Whole granules, which have one word. */
	for (; !at && n + 4 <= left && *e == *v; e++)
		n += 4;
	for (; n < left; e++, at = 0) {
		const uint64_t *w = *e >> 63 ? b->split[(uint32_t)*e] : NULL;

		if (!w && *e != *v)
			break;
		for (; at < 4 && (!w || w[at] == *v); at++)
			n++;
		if (at < 4)
			break;
	}
	if (n > left)
		n = left;
	return n;
}

/* for each run of bytes with one word, v, of n bytes at `address'. */
#define memmon_each_run(v, b, address, n) \
	for (unsigned v##_left = (unsigned)(n), v##_run = 0; v##_left; \
	     v##_left -= v##_run) \
		for (uint64_t v, \
		     v##_once = (v##_run = memmon_bytes_run( \
					 b, (address) + (n)-v##_left, \
					 v##_left, &v), \
				1); \
		     v##_once; v##_once = 0)

/* The same of the granules from `at' to `end'. */
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

/* All words of n bytes are 0 again. */
static inline void
memmon_bytes_clear(struct memmon_bytes *b, uint64_t address, uint64_t n)
{
	uint64_t end = address + n, at = (address + 3) & ~3ull;

	if (end <= at) {
		memmon_bytes_set_some(b, address, (unsigned)n, 0);
		return;
	}
	if (at > address)
		memmon_bytes_set_some(b, address, (unsigned)(at - address), 0);
	memmon_bytes_clear_some(b, at, end & ~3ull);
	if (end & 3)
		memmon_bytes_set_some(b, end & ~3ull, end & 3, 0);
}

#endif
