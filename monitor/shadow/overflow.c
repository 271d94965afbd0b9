/* SPDX-License-Identifier: MIT */
/* Counts that have outgrown their granule's word: an open hash. */
#include "monitor/shadow/overflow.h"

#include "monitor/base/arena.h"

#define BITS 20u
#define SLOTS (1u << BITS)
#define PROBES 256u
/* 2^NEAR_BITS neighbours stay together, on one page. */
#define NEAR_BITS 7u

struct slot {
	uint64_t key; /* granule + 1; 0: free.  Never changes after it is set */
	uint64_t reads, writes;
};

static struct slot *table;

static struct slot *
table_get(void)
{
	struct slot *t = LOAD_ACQ(&table), *none = NULL;
	size_t size = SLOTS * sizeof(*t);

	if (LIKELY(t))
		return t;
	t = mmi_arena_reserve(size);
	if (!t)
		return NULL;
	if (CAS(&table, &none, t))
		return t;
	mmi_arena_unreserve(t, size);
	return none;
}

/* The granule's slot, made if `make'; or NULL. */
static struct slot *
slot_find(uint64_t i, bool make)
{
	uint64_t key = i + 1, seen;
	uint64_t group = (i >> NEAR_BITS) * 0x9e3779b97f4a7c15u;
	struct slot *t = make ? table_get() : LOAD_ACQ(&table);
	uint32_t h = (uint32_t)(group >> (64 - BITS)) ^
		     (i & ((1u << NEAR_BITS) - 1));

	for (unsigned n = 0; t && n < PROBES; n++, h++) {
		struct slot *s = &t[h & (SLOTS - 1)];

		seen = LOAD_ACQ(&s->key);
		if (seen == key)
			return s;
		if (seen)
			continue;
		if (!make)
			return NULL;
		if (CAS(&s->key, &seen, key) || seen == key)
			return s;
	}
	return NULL;
}

COLD void
mmi_overflow_add(uint64_t i, uint64_t reads, uint64_t writes)
{
	struct slot *s = slot_find(i, true);

	if (!s)
		return;
	FETCH_ADD(&s->reads, reads);
	FETCH_ADD(&s->writes, writes);
}

COLD void
mmi_overflow_read(uint64_t i, bool take, uint64_t *reads, uint64_t *writes)
{
	struct slot *s = slot_find(i, false);

	*reads = *writes = 0;
	if (!s)
		return;
	*reads = take ? SWAP(&s->reads, 0) : LOAD(&s->reads);
	*writes = take ? SWAP(&s->writes, 0) : LOAD(&s->writes);
}
