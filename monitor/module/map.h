/* SPDX-License-Identifier: MIT */
/*
 * Containers for modules: from a number to words, which are counts, ranges or
 * sets.  Each container says how two are merged.  Part of memmon_module.h.
 */
#ifndef MEMMON_MODULE_MAP_H
#define MEMMON_MODULE_MAP_H

#include "monitor/module/api.h"

/*
 * A map from keys, any except UINT64_MAX, to `width' words, 0 at first, whose
 * address never changes.  Open addressing with linear probing, at most half
 * full, finds the numbers of entries; entry i is in chunk[i >> 12].
 */
struct memmon_map {
	struct memmon_host *host;
	uint32_t *slot; /* 2^shift of them; number + 1, or 0: free */
	uint64_t **chunk;
	uint32_t width;
	unsigned shift;
	uint64_t n, lost; /* lost: keys for which there was no memory */
	uint64_t *spare;  /* the words of lost keys */
};
#define MEMMON_MAP_CHUNK 4096u
#define MEMMON_MAP_CHUNKS 65536u

static inline bool
memmon_map_init(struct memmon_map *m, struct memmon_host *h, uint32_t width)
{
	m->host = h;
	m->width = width;
	m->shift = 10;
	m->n = m->lost = 0;
	m->slot = (uint32_t *)h->map(h, sizeof(uint32_t) << m->shift);
	m->chunk = (uint64_t **)h->map(h, MEMMON_MAP_CHUNKS * 8ul);
	m->spare = (uint64_t *)h->map(h, (1ul + width) * 8);
	return m->slot && m->chunk && m->spare;
}

/* The words of entry i < m->n, in the order of adding; [-1]: the key. */
static inline uint64_t *
memmon_map_at(const struct memmon_map *m, uint64_t i)
{
	return m->chunk[i / MEMMON_MAP_CHUNK] +
	       i % MEMMON_MAP_CHUNK * (1ul + m->width) + 1;
}

static inline uint32_t *
memmon_map_slot(const struct memmon_map *m, uint64_t key)
{
	uint64_t i = (key * 0x9e3779b97f4a7c15u) >> (64 - m->shift);

	while (m->slot[i] && memmon_map_at(m, m->slot[i] - 1)[-1] != key)
		i = (i + 1) & ((1ul << m->shift) - 1);
	return &m->slot[i];
}

/* Make room for one more entry.  False: out of memory. */
static __attribute__((noinline, unused)) bool
memmon_map_grow(struct memmon_map *m)
{
	uint64_t **c = &m->chunk[m->n / MEMMON_MAP_CHUNK];
	uint32_t *old = m->slot;

	if (m->n >= (uint64_t)MEMMON_MAP_CHUNKS * MEMMON_MAP_CHUNK)
		return false;
	if (!*c)
		*c = (uint64_t *)m->host->map(m->host,
					      MEMMON_MAP_CHUNK *
						      (1ul + m->width) * 8);
	if (!*c)
		return false;
	if (m->n < 1ul << (m->shift - 1))
		return true;
	m->slot = (uint32_t *)m->host->map(m->host, sizeof(*old)
							    << (m->shift + 1));
	if (!m->slot) {
		m->slot = old;
		return false;
	}
	m->shift++;
	for (uint64_t i = 0; i < m->n; i++)
		*memmon_map_slot(m, memmon_map_at(m, i)[-1]) = (uint32_t)i + 1;
	m->host->unmap(m->host, old, sizeof(*old) << (m->shift - 1));
	return true;
}

/* The words of a key.  Adds the key if it is new. */
static inline uint64_t *
memmon_map_add(struct memmon_map *m, uint64_t key)
{
	uint32_t *s = memmon_map_slot(m, key);
	uint64_t *w;

	if (__builtin_expect(*s != 0, 1))
		return memmon_map_at(m, *s - 1);
	if (__builtin_expect(m->n % MEMMON_MAP_CHUNK == 0 ||
				     m->n >= 1ul << (m->shift - 1),
			     0)) {
		if (!memmon_map_grow(m)) {
			m->lost++;
			return m->spare + 1;
		}
		s = memmon_map_slot(m, key);
	}
	*s = (uint32_t)++m->n;
	w = memmon_map_at(m, m->n - 1);
	w[-1] = key;
	return w;
}

/* The words of a key, or NULL. */
static inline uint64_t *
memmon_map_find(const struct memmon_map *m, uint64_t key)
{
	uint32_t *s = memmon_map_slot(m, key);

	return *s ? memmon_map_at(m, *s - 1) : NULL;
}

/* for each entry: its words are w[0] ..., its key w[-1]. */
#define memmon_map_each(w, m) \
	for (uint64_t w##_i = 0, *w; \
	     w##_i < (m)->n && (w = memmon_map_at(m, w##_i), 1); w##_i++)

/* A set: width 0.  True: the key is new. */
static inline bool
memmon_set_add(struct memmon_map *m, uint64_t key)
{
	uint64_t n = m->n;

	memmon_map_add(m, key);
	return m->n != n;
}

static inline void
memmon_set_merge(struct memmon_map *to, const struct memmon_map *from)
{
	memmon_map_each (s, from)
		memmon_map_add(to, s[-1]);
}

/* Counts, or sums: each word is a sum. */
static inline void
memmon_count_add(struct memmon_map *m, uint64_t key, uint64_t n)
{
	*memmon_map_add(m, key) += n;
}

static inline void
memmon_count_merge(struct memmon_map *to, const struct memmon_map *from)
{
	memmon_map_each (s, from) {
		uint64_t *w = memmon_map_add(to, s[-1]);

		for (uint32_t i = 0; i < to->width; i++)
			w[i] += s[i];
	}
}

/* Width 4: count, least, most, sum. */
static inline void
memmon_range_add(struct memmon_map *m, uint64_t key, uint64_t value)
{
	uint64_t *w = memmon_map_add(m, key);

	if (!w[0] || value < w[1])
		w[1] = value;
	if (!w[0] || value > w[2])
		w[2] = value;
	w[3] += value;
	w[0]++;
}

static inline void
memmon_range_merge(struct memmon_map *to, const struct memmon_map *from)
{
	memmon_map_each (s, from) {
		uint64_t *w = memmon_map_add(to, s[-1]);

		if (!w[0] || s[1] < w[1])
			w[1] = s[1];
		if (!w[0] || s[2] > w[2])
			w[2] = s[2];
		w[3] += s[3];
		w[0] += s[0];
	}
}

/*
 * Width MEMMON_SPREAD: how many have no value; the least (or 0) and the most of
 * the values from 2 on; and the histogram of all values.
 */
#define MEMMON_SPREAD (3u + MEMMON_HISTOGRAM_SIZE)

static inline __attribute__((always_inline)) void
memmon_spread_add(uint64_t *w, uint64_t value)
{
	if (__builtin_expect(value <= 1, 1)) {
		w[3 + value]++;
		return;
	}
	w[3 + memmon_histogram_at(value)]++;
	w[1] = w[1] && w[1] < value ? w[1] : value;
	w[2] = w[2] > value ? w[2] : value;
}

/* How many there are in all. */
static inline uint64_t
memmon_spread_count(const uint64_t *w)
{
	uint64_t n = w[0];

	for (unsigned i = 3; i < MEMMON_SPREAD; i++)
		n += w[i];
	return n;
}

static inline void
memmon_spread_merge_one(uint64_t *w, const uint64_t *s)
{
	if (s[1] && (!w[1] || s[1] < w[1]))
		w[1] = s[1];
	if (s[2] > w[2])
		w[2] = s[2];
	w[0] += s[0];
	for (unsigned i = 3; i < MEMMON_SPREAD; i++)
		w[i] += s[i];
}

static inline void
memmon_spread_merge(struct memmon_map *to, const struct memmon_map *from)
{
	memmon_map_each (s, from)
		memmon_spread_merge_one(memmon_map_add(to, s[-1]), s);
}

/* The least and the most of the known values; false: none is known. */
static inline bool
memmon_spread_range(const uint64_t *w, uint64_t *least, uint64_t *most)
{
	*least = w[3] ? 0 : w[4] ? 1 : w[1];
	*most = w[2] ? w[2] : w[4] ? 1 : 0;
	return w[3] || w[4] || w[1];
}

/* Width 2: 0 no value, 1 always the same value, 2 several; the first value. */
static inline void
memmon_constant_add(struct memmon_map *m, uint64_t key, uint64_t value)
{
	uint64_t *w = memmon_map_add(m, key);

	if (!w[0]) {
		w[0] = 1;
		w[1] = value;
	} else if (w[1] != value) {
		w[0] = 2;
	}
}

static inline void
memmon_constant_merge(struct memmon_map *to, const struct memmon_map *from)
{
	memmon_map_each (s, from) {
		memmon_constant_add(to, s[-1], s[1]);
		if (s[0] == 2)
			*memmon_map_add(to, s[-1]) = 2;
	}
}

/*
 * Sets of at most width - 1 values: how many values, and the values in the
 * order of adding; a count of `width': there are more.  True: the value is new.
 */
static inline bool
memmon_sets_add(struct memmon_map *m, uint64_t key, uint64_t value)
{
	uint64_t *w = memmon_map_add(m, key);

	for (uint64_t i = 0; i < w[0] && i + 1 < m->width; i++)
		if (w[1 + i] == value)
			return false;
	if (w[0] + 1 < m->width) {
		w[1 + w[0]++] = value;
		return true;
	}
	w[0] = m->width;
	return false;
}

static inline void
memmon_sets_merge(struct memmon_map *to, const struct memmon_map *from)
{
	memmon_map_each (s, from) {
		for (uint64_t i = 0; i < s[0] && i + 1 < from->width; i++)
			memmon_sets_add(to, s[-1], s[1 + i]);
		if (s[0] >= from->width)
			*memmon_map_add(to, s[-1]) = to->width;
	}
}

/* The keys of a map in ascending order, in the host's memory; or NULL. */
static inline uint64_t *
memmon_map_keys(const struct memmon_map *m)
{
	uint64_t *v = (uint64_t *)m->host->map(m->host, 2 * (m->n + 1) * 8);
	uint64_t *to = v, n = 0;

	if (!v)
		return NULL;
	memmon_map_each (s, m)
		v[n++] = s[-1];
	/* A merge sort from the bottom up, from one half to the other. */
	for (uint64_t run = 1; run < n; run *= 2) {
		uint64_t *from = to;

		to = from == v ? v + n : v;
		for (uint64_t at = 0; at < n; at += 2 * run) {
			uint64_t a = at, mid = at + run < n ? at + run : n;
			uint64_t b = mid, k = at;
			uint64_t end = at + 2 * run < n ? at + 2 * run : n;

			while (a < mid || b < end)
				to[k++] = b >= end || (a < mid &&
						       from[a] <= from[b])
						  ? from[a++]
						  : from[b++];
		}
	}
	return to;
}

#endif
