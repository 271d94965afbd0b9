/* SPDX-License-Identifier: MIT */
/* The live map: address of a block -> entry. */
#include "monitor/counts/live.h"

#include "monitor/base/process.h"
#include "monitor/base/wait.h"
#include "monitor/image/image.h"

#define LOCKED MMI_LIVE_LOCKED
#define DISTURBED MMI_LIVE_DISTURBED

/*
 * How long to wait for a page, in ns: after that its holder must be dead.  A
 * fork of a process with much memory may stop the holder for seconds.
 */
#define PATIENCE 20000000000u

/*
 * Has a line an entry with this OFF, and which places are free (two bits each)?
 */
static inline unsigned
line_look(const uint64_t *line, uint64_t off, unsigned *none)
{
	return arch_line_find(line, MMI_LIVE_OFF_SHIFT, (unsigned)off, none);
}

/* The page's word, once it isn't locked; LOCKED: it stays locked. */
static COLD uint64_t
page_wait(const uint64_t *page)
{
	struct mmi_wait wait = { 0, 0 };
	uint64_t word;

	/* The holder may be a thread that this forked process doesn't have. */
	if (!mmi_memory.mine)
		mmi_process_forked();
	do {
		word = LOAD_ACQ(page);
		if (!(word & LOCKED))
			return word;
	} while (mmi_wait_more(&wait, PATIENCE));
	return LOCKED;
}

/* In a line: the block's place or NULL; *empty: a free place or NULL. */
static uint64_t *
line_find(uint64_t *b, uint64_t off, uint64_t **empty)
{
	unsigned none, same = line_look(b, off, &none);

	*empty = none ? b + __builtin_ctz(none) / 2 : NULL;
	return same ? b + __builtin_ctz(same) / 2 : NULL;
}

/* line_find() in a bucket that is smaller than a line. */
static uint64_t *
small_find(uint64_t *b, unsigned n, uint64_t off, uint64_t **empty)
{
	*empty = NULL;
	for (unsigned i = 0; i < n; i++) {
		uint64_t v = LOAD(&b[i]);

		if (v >> MMI_LIVE_OFF_SHIFT == off)
			return &b[i];
		if (!v && !*empty)
			*empty = &b[i];
	}
	return NULL;
}

/*
 * The block's place; NULL: not there, and *empty is where it could be.  An
 * entry is in its second line only if the first line was full when it was made.
 */
static uint64_t *
bucket_find(uint64_t word, uint64_t off, uint64_t **empty)
{
	uint64_t *b = MMI_LIVE_BUCKET(word), *same, *first;
	unsigned n = MMI_LIVE_N(word);
	size_t line;

	if (word & MMI_LIVE_SMALL)
		return small_find(b, 1u << n, off, empty);
	line = mmi_live_line(off, n);
	same = line_find(b + line, off, &first);
	*empty = first;
	if (same || n == 32)
		return same;
	same = line_find(b + (line ^ MMI_LIVE_LINE), off, empty);
	if (first)
		*empty = first;
	return same;
}

/* The page's word; LOCKED: it stays locked. */
static inline uint64_t
page_word(uint64_t *page)
{
	uint64_t word = LOAD_ACQ(page);

	if (LIKELY(!(word & LOCKED)))
		return word;
	if (!__libc_single_threaded)
		return page_wait(page);
	while (word & LOCKED && !arch_cas_local(page, word, word | DISTURBED))
		word = LOAD(page);
	return word & ~(LOCKED | DISTURBED);
}

/*
 * Is the word still what page_word() gave?  LOCKED and DISTURBED matter only if
 * there are several threads: then another thread is moving entries.
 */
static inline bool
word_is(uint64_t now, uint64_t word)
{
	if (__libc_single_threaded)
		now &= ~(LOCKED | DISTURBED);
	return now == word;
}

/* Did the page keep its bucket while this bucket was searched? */
static inline bool
page_is(const uint64_t *page, uint64_t word)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return word_is(LOAD(page), word);
}

/* The same block is in the place already: its free wasn't recorded. */
static COLD bool
put_over(uint64_t *same, uint64_t entry, uint64_t *was)
{
	*was = LOAD(same);
	return *was >> MMI_LIVE_OFF_SHIFT == entry >> MMI_LIVE_OFF_SHIFT &&
	       mmi_live_cas(same, *was, entry);
}

/*
 * If the place isn't in the entry's line, set SPILLED first, but only if the
 * page still has the same bucket.  False: try again.
 */
static bool
spills(uint64_t *page, uint64_t word, uint64_t entry, const uint64_t *place)
{
	size_t i = (size_t)(place - MMI_LIVE_BUCKET(word));
	uint64_t now;

	if (word & (MMI_LIVE_SMALL | MMI_LIVE_SPILLED) ||
	    (i & ~(size_t)(MMI_LIVE_LINE - 1)) ==
		    mmi_live_line(entry >> MMI_LIVE_OFF_SHIFT,
				  MMI_LIVE_N(word)))
		return true;
	do {
		now = LOAD(page);
		if (!word_is(now, word))
			return false;
	} while (!mmi_live_cas(page, now, now | MMI_LIVE_SPILLED));
	return true;
}

/* Put an entry into a place; *was: the old entry, or 0. */
static bool
flat_put(uint32_t *e, uint64_t entry, uint64_t *was)
{
	uint32_t v = mmi_live_flat_made(entry);

	if (!v)
		return false;
	*was = mmi_live_flat_gone(SWAP(e, v));
	return true;
}

/*
 * The line where an entry usually is or goes, in a bucket of lines; NULL: look
 * elsewhere.
 */
static inline uint64_t *
bucket_place(uint64_t word, uint64_t off, unsigned *none, unsigned *same)
{
	uint64_t *line;

	/* The word isn't 0, FLAT, SMALL or LOCKED. */
	if (UNLIKELY(word - 1 >= LOCKED - 1))
		return NULL;
	line = MMI_LIVE_BUCKET(word) + mmi_live_line(off, MMI_LIVE_N(word));
	*same = line_look(line, off, none);
	return line;
}

ARCH_REALIGN uint64_t
mmi_live_put_other(struct mmi_thread *t, const void *p, uint64_t size,
		   uint64_t entry, bool *ok)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *page = mmi_live_page(a), *same, *empty, word, was;
	unsigned found, none;

	*ok = true;
	entry |= MMI_LIVE_OFF(a) << MMI_LIVE_OFF_SHIFT;
	if (!page && !(page = mmi_live_pages_make(a)))
		goto fail;
	word = LOAD_ACQ(page);
	empty = bucket_place(word, MMI_LIVE_OFF(a), &none, &found);
	if (LIKELY(empty) && !(word & MMI_LIVE_SPILLED) && !found && none &&
	    mmi_live_cas(empty + __builtin_ctz(none) / 2, 0, entry))
		return 0;
	while (!((word = page_word(page)) & LOCKED)) {
		if (word & MMI_LIVE_FLAT) {
			*ok = flat_put((uint32_t *)MMI_LIVE_BUCKET(word) +
					       MMI_LIVE_OFF(a) - 1,
				       entry, &was);
			return *ok ? was : 0;
		}
		if (word) {
			same = bucket_find(word, MMI_LIVE_OFF(a), &empty);
			if (same) {
				if (put_over(same, entry, &was))
					return was & MMI_LIVE_ENTRY;
				continue;
			}
			if (empty && spills(page, word, entry, empty) &&
			    mmi_live_cas(empty, 0, entry))
				return 0;
			if (empty || !page_is(page, word))
				continue;
		}
		if (!t || !mmi_live_pages_grow(t, a, page, word, size))
			break;
	}
fail:
	*ok = false;
	return 0;
}

/* Take an entry out of a bucket; `word' is its page's; *gone: not found. */
static uint64_t
bucket_take_out(uint64_t *page, uint64_t word, uint64_t off, bool *gone)
{
	uint64_t *empty, *same = bucket_find(word, off, &empty), v;

	*gone = false;
	if (same) {
		v = LOAD(same);
		if (v >> MMI_LIVE_OFF_SHIFT == off && mmi_live_cas(same, v, 0))
			return v & MMI_LIVE_ENTRY;
	} else {
		*gone = page_is(page, word);
	}
	return 0;
}

ARCH_REALIGN uint64_t
mmi_live_take_other(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *page = mmi_live_page(a), *line, word, v;
	uint64_t off = MMI_LIVE_OFF(a);
	unsigned found, none;
	bool gone;

	if (!page)
		return 0;
	word = LOAD_ACQ(page);
	line = bucket_place(word, off, &none, &found);
	if (LIKELY(line) && LIKELY(found)) {
		line += __builtin_ctz(found) / 2;
		v = LOAD(line);
		if (LIKELY(v >> MMI_LIVE_OFF_SHIFT == off &&
			   mmi_live_cas(line, v, 0)))
			return v & MMI_LIVE_ENTRY;
	}
	for (;;) {
		word = page_word(page);
		if (!word || word & LOCKED)
			return 0;
		if (word & MMI_LIVE_FLAT)
			return mmi_live_flat_gone(
				SWAP((uint32_t *)MMI_LIVE_BUCKET(word) + off -
					     1,
				     0));
		v = bucket_take_out(page, word, off, &gone);
		if (v || gone)
			return v;
	}
}

#ifdef MEMMON_ACCESS
COLD uint64_t
mmi_live_put_odd(struct mmi_thread *t, const void *p, uint64_t size,
		 uint64_t entry, bool *ok)
{
	if (!mmi_shadow_had(p))
		return mmi_live_put_map(t, p, size, entry, ok);
	*ok = true;
	return mmi_shadow_put(p, entry);
}

COLD uint64_t
mmi_live_take_odd(const void *p)
{
	return mmi_live_take_map(p);
}
#endif
