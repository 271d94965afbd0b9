/* SPDX-License-Identifier: MIT */
/* Blocks that the program declared as intentionally not freed. */
#include "monitor/leak/leak_check.h"

#include "monitor/base/arena.h"
#include "monitor/base/pass.h"
#include "monitor/counts/live.h"
#include "monitor/memmon.h"

/*
 * A block and its entry in the live map.  A later block at the same address
 * usually has another entry.  entry 0: not set yet.
 */
struct ignored {
	uintptr_t start;
	uint64_t entry;
};

#define IGNORED_MAX 65536u
static struct ignored *table; /* atomic; IGNORED_MAX of them */
static uint32_t used;	      /* atomic */

static struct ignored *
table_get(void)
{
	struct ignored *t = LOAD_ACQ(&table), *none = NULL;
	const size_t size = IGNORED_MAX * sizeof(*t);

	if (t)
		return t;
	t = mmi_arena_reserve(size);
	if (!t || CAS(&table, &none, t))
		return t;
	mmi_arena_unreserve(t, size);
	return none;
}

EXPORT int
memmon_leak_ignore(const void *p)
{
	struct ignored *t;
	uint64_t entry;
	uint32_t n;

	PASS(memmon_leak_ignore, p);
	t = table_get();
	entry = mmi_live_peek(p);
	n = LOAD_ACQ(&used);
	if (!t || !entry)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (LOAD(&t[i].start) == (uintptr_t)p) {
			STORE_REL(&t[i].entry, entry);
			return 0;
		}
	do
		if (n >= IGNORED_MAX)
			return -1;
	while (!CAS(&used, &n, n + 1));
	STORE(&t[n].start, (uintptr_t)p);
	STORE_REL(&t[n].entry, entry);
	return 0;
}

void
mmi_leak_ignored(struct mmi_leak *l)
{
	const struct ignored *t = LOAD_ACQ(&table);
	uint64_t entry;
	uintptr_t p;

	for (uint32_t i = 0; t && i < LOAD_ACQ(&used); i++) {
		entry = LOAD_ACQ(&t[i].entry);
		p = LOAD(&t[i].start);
		if (entry && mmi_live_peek((const void *)p) == entry)
			mmi_leak_word(l, p);
	}
}
