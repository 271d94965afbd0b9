/* SPDX-License-Identifier: MIT */
/* All blocks in the live map. */
#include "monitor/counts/live.h"

#define WALK_PAGES (sizeof(((struct mmi_live_leaf *)0)->page) / ARCH_PAGE)
#define PAGE_WORDS (ARCH_PAGE / sizeof(uint64_t))

/* The function to call, and its argument. */
struct walk {
	void (*f)(uintptr_t a, uint64_t entry, void *arg);
	void *arg;
};

/* The number of places in a bucket. */
static unsigned
bucket_size(uint64_t word)
{
	unsigned n = MMI_LIVE_N(word);

	return word & MMI_LIVE_SMALL ? 1u << n : 8u << (32 - n);
}

static void
walk_flat(const struct walk *w, uintptr_t a, const uint32_t *flat)
{
	uint64_t entry;
	uint32_t v;

	for (unsigned i = 0; i < MMI_LIVE_PLACES; i++) {
		v = LOAD_ACQ(&flat[i]);
		entry = v ? mmi_live_flat_entry(v) : 0;
		if (entry)
			w->f(a + 16 * i, entry, w->arg);
	}
}

/*
 * The blocks of the page at a (8 bytes on for the second half); `word' is its
 * word.
 */
static void
walk_bucket(const struct walk *w, uintptr_t a, uint64_t word)
{
	const uint64_t *b = MMI_LIVE_BUCKET(word);
	unsigned size = bucket_size(word);
	uint64_t v;

	if (word & MMI_LIVE_FLAT) {
		walk_flat(w, a, (const uint32_t *)b);
		return;
	}
	for (unsigned i = 0; i < size; i++) {
		v = LOAD(&b[i]);
		/* All ones: the bucket was replaced. */
		if (v && v != UINT64_MAX)
			w->f(a + ((v >> MMI_LIVE_OFF_SHIFT) - 1) * 16,
			     v & MMI_LIVE_ENTRY, w->arg);
	}
}

static void
walk_leaf(const struct walk *w, size_t root, const struct mmi_live_leaf *l)
{
	size_t odd = root >> MMI_LIVE_ROOT_BITS;
	uintptr_t a = (uintptr_t)(root & ~(odd << MMI_LIVE_ROOT_BITS))
			      << (MMI_LIVE_LEAF_BITS + MMI_LIVE_PAGE_BITS) |
		      8 * odd;
	uint64_t word;

	for (size_t i = 0; i < WALK_PAGES; i++) {
		if (!(LOAD(&l->touched[i / 32]) & 1u << (i & 31)))
			continue;
		for (size_t k = i * PAGE_WORDS; k < (i + 1) * PAGE_WORDS; k++) {
			word = LOAD_ACQ(&l->page[k]);
			if (MMI_LIVE_BUCKET(word))
				walk_bucket(w, a + (k << MMI_LIVE_PAGE_BITS),
					    word);
		}
	}
}

static void
walk_group(const struct walk *w, size_t group)
{
	const struct mmi_live_leaf *l;

	for (size_t i = 64 * group; i < 64 * (group + 1); i++) {
		l = LOAD_ACQ(&mmi_live_root[i]);
		if (l)
			walk_leaf(w, i, l);
	}
}

void
mmi_live_walk(void (*f)(uintptr_t a, uint64_t entry, void *arg), void *arg)
{
	struct walk w = { f, arg };
	uint64_t groups;

	for (size_t i = 0; i < MMI_LIVE_GROUPS / 64; i++) {
		groups = LOAD_ACQ(&mmi_live_groups[i]);
		for (; groups; groups &= groups - 1)
			walk_group(&w,
				   64 * i + (size_t)__builtin_ctzll(groups));
	}
}

void
mmi_live_walk_page(uintptr_t a,
		   void (*f)(uintptr_t a, uint64_t entry, void *arg), void *arg)
{
	struct walk w = { f, arg };
	const uint64_t *page = mmi_live_page(a);
	uint64_t word = page ? LOAD_ACQ(page) : 0;

	if (MMI_LIVE_BUCKET(word))
		walk_bucket(&w, a, word);
}

uint64_t
mmi_live_peek(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	const uint64_t *page = mmi_live_page(a);
	uint64_t word = page ? LOAD_ACQ(page) : 0, v;
	const uint64_t *b = MMI_LIVE_BUCKET(word);

	if (word & MMI_LIVE_FLAT) {
		v = LOAD_ACQ((const uint32_t *)b + MMI_LIVE_OFF(a) - 1);
		if (v)
			return mmi_live_flat_entry((uint32_t)v);
	}
	for (unsigned i = 0;
	     b && !(word & MMI_LIVE_FLAT) && i < bucket_size(word); i++) {
		v = LOAD(&b[i]);
		if (v != UINT64_MAX &&
		    v >> MMI_LIVE_OFF_SHIFT == MMI_LIVE_OFF(a))
			return v & MMI_LIVE_ENTRY;
	}
#ifdef MEMMON_ACCESS
	if (mmi_shadow.blocks && !(a & 15)) {
		v = LOAD(&mmi_shadow.blocks[mmi_shadow_granule(a)]);
		if (v & MMI_SHADOW_START)
			return v & MMI_SHADOW_ENTRY;
	}
#endif
	return 0;
}
