/* SPDX-License-Identifier: MIT */
/* Generated code: a table of it. */
#include "monitor/chain/generated.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/thread.h"
#include "monitor/base/wait.h"
#include "monitor/chain/modules.h"

#define CODES_SHIFT 10u
#define CODES_MAX (1u << 17)
static void *codes_dir[CODES_MAX >> CODES_SHIFT];
static struct mmi_array codes = {
	.chunk = codes_dir,
	.chunks = CODES_MAX >> CODES_SHIFT,
	.shift = CODES_SHIFT,
	.size = sizeof(struct mmi_generated),
};

/* Code by the pages that it is on: lists, newest first. */
struct link {
	uint32_t code, next; /* numbers, plus 1 */
};
#define LINKS_MAX (2 * CODES_MAX)
static void *links_dir[LINKS_MAX >> CODES_SHIFT];
static struct mmi_array links = {
	.chunk = links_dir,
	.chunks = LINKS_MAX >> CODES_SHIFT,
	.shift = CODES_SHIFT,
	.size = sizeof(struct link),
};
#define LISTS_BITS 13u
static uint32_t lists[1u << LISTS_BITS]; /* atomic */

/* Limits of names: all together, and one allocation. */
#define NAMES_MAX (16u << 20)
#define NAMES_PIECE (1u << 16)
static char *names;
static size_t names_left, names_all;

uint32_t mmi_generated_n, mmi_generated_nnamed; /* atomic */
static uintptr_t lowest = UINTPTR_MAX, highest; /* atomic: starts of code */
static int looking; /* atomic: a thread reads */
static uint64_t again = 1; /* atomic: next read, by arch_ticks() */
#define NEAR ((uintptr_t)1 << 30)
/* How long to wait for the thread that reads the files. */
#define PATIENCE (20 * MMI_WAIT_MS)

#define STEP (1ull << 21)
#define NEWS (STEP - (1ull << 17))
#define STEP_MOST (1ull << 30)
static uint64_t step = STEP;

static uint32_t *
list_of(uintptr_t page)
{
	return &lists[page * 0x9e3779b97f4a7c15ull >> (64 - LISTS_BITS)];
}

static bool
is_in(const struct mmi_generated *c, uintptr_t at)
{
	return at - c->start < c->size;
}

/* The newest code at an address, named or not; of that age, or (-1) any. */
static struct mmi_generated *
find(uintptr_t at, bool named, int age)
{
	uint32_t i = LOAD_ACQ(list_of(at / ARCH_PAGE));
	struct mmi_generated *c;
	const struct link *l;

	for (; i; i = l->next) {
		l = mmi_array_at(&links, i - 1);
		c = mmi_array_at(&codes, l->code - 1);
		if (c->named == named && is_in(c, at) &&
		    (age < 0 || c->age == age))
			return c;
	}
	return NULL;
}

struct mmi_generated *
mmi_generated_find(uintptr_t at)
{
	return find(at, false, -1);
}

bool
mmi_generated_near(uintptr_t at)
{
	return at + NEAR >= LOAD(&lowest) && at <= LOAD(&highest) + NEAR;
}

struct mmi_generated *
mmi_generated_of(uint64_t key)
{
	unsigned gen = MMI_KEY_GEN(key);

	return gen > MMI_GEN_MAX ? find(MMI_KEY_ADDR(key) - 1, false,
					(int)(MMI_GEN_NONE - gen))
				 : NULL;
}

struct mmi_generated *
mmi_generated_at(uint32_t i)
{
	return i < LOAD_ACQ(&codes.used) ? mmi_array_at(&codes, i) : NULL;
}

static COLD char *
name_copy(const char *name, size_t n)
{
	char *p;

	if (names_left < n) {
		if (names_all + NAMES_PIECE > NAMES_MAX || mmi_arena_tight() ||
		    !(p = mmi_arena_map(NAMES_PIECE)))
			return NULL;
		names = p;
		names_left = NAMES_PIECE;
		names_all += NAMES_PIECE;
	}
	p = names;
	memcpy(p, name, n);
	names += n;
	names_left -= n;
	return p;
}

/*
 * The age of new code: one more than the highest age of code that it replaces.
 */
static unsigned
age_of(const struct mmi_generated *new, bool *same)
{
	const struct mmi_generated *c;
	const struct link *l;
	unsigned age = 0;
	uint32_t i;

	*same = false;
	for (uintptr_t p = new->start / ARCH_PAGE;
	     p <= (new->start + new->size - 1) / ARCH_PAGE; p++)
		for (i = LOAD(list_of(p)); i; i = l->next) {
			l = mmi_array_at(&links, i - 1);
			c = mmi_array_at(&codes, l->code - 1);
			if (c->named || c->start >= new->start + new->size ||
			    new->start >= c->start + c->size || c->age < age)
				continue;
			/* Some programs list the same code again. */
			*same = c->start == new->start &&
				c->length == new->length &&
				!memcmp(c->name, new->name, c->length);
			age = c->age + !*same;
		}
	return age < MMI_GENERATED_AGES ? age : MMI_GENERATED_AGES - 1;
}

/* Unused links; the number of the first, plus 1. */
static uint32_t unused_links;

/* Makes sure that there are that many unused links; false: no memory. */
static bool
links_ready(uintptr_t pages)
{
	uint32_t i = unused_links, k;
	struct link *l;

	for (; i && pages; pages--)
		i = ((struct link *)mmi_array_at(&links, i - 1))->next;
	for (; pages; pages--) {
		l = mmi_array_add(&links, &k);
		if (!l)
			return false;
		l->next = unused_links;
		unused_links = k + 1;
	}
	return true;
}

/* Adds code to the table.  False: no room; nothing was added. */
static bool
enter(struct mmi_generated *new)
{
	uintptr_t page = new->start / ARCH_PAGE,
		  last = (new->start + new->size - 1) / ARCH_PAGE;
	struct mmi_generated *c;
	struct link *l;
	uint32_t i, k;

	if (!links_ready(last - page + 1) ||
	    !(new->name = name_copy(new->name, new->length)))
		return false;
	c = mmi_array_add(&codes, &i);
	if (!c) {
		names -= new->length;
		names_left += new->length;
		return false;
	}
	*c = *new;
	for (; page <= last; page++) {
		k = unused_links;
		l = mmi_array_at(&links, k - 1);
		unused_links = l->next;
		l->code = i + 1;
		l->next = LOAD(list_of(page));
		STORE_REL(list_of(page), k);
	}
	return true;
}

bool
mmi_generated_add(uintptr_t start, uint64_t size, const char *name,
		  size_t length)
{
	struct mmi_generated new = { .start = start, .name = name };
	bool same;

	if (!size || size > 1u << 24 || start >> ARCH_ADDR_BITS)
		return true;
	new.size = (uint32_t)size;
	new.length = (uint16_t)(length < 1024 ? length : 1024);
	new.age = (uint8_t)age_of(&new, &same);
	if (same)
		return true;
	if (!enter(&new))
		return false;
	if (start < lowest)
		STORE(&lowest, start);
	if (start > highest)
		STORE(&highest, start);
	/* Rules and call paths may change from now on. */
	if (new.age || !mmi_generated_n)
		mmi_modules_next(MMI_MODULES_EPOCH);
	STORE(&mmi_generated_n, mmi_generated_n + 1);
	return true;
}

struct mmi_generated *
mmi_generated_named(uintptr_t at)
{
	return find(at, true, -1);
}

void
mmi_generated_name(uintptr_t start, const char *name, size_t length,
		   uint64_t size, bool function)
{
	struct mmi_generated new = { .start = start,
				     .size = size ? (uint32_t)size : 1,
				     .named = function,
				     .length = (uint16_t)length,
				     .name = name };
	const struct mmi_generated *c =
		function ? mmi_generated_named(start) : NULL;
	struct mmi_wait wait = { 0, 0 };

	if (c && c->start == start && c->length == length &&
	    !memcmp(c->name, name, length))
		return;
	/* The holder only appends one entry. */
	while (!mmi_thread_hold(&looking))
		if (!mmi_wait_more(&wait, PATIENCE))
			return;
	if (enter(&new) && function)
		STORE(&mmi_generated_nnamed, mmi_generated_nnamed + 1);
	mmi_thread_release(&looking);
}

static void
look(bool all)
{
	uint32_t n = codes.used;

	if (mmi_process.secure || !mmi_thread_hold(&looking))
		return;
	mmi_generated_read(all);
	/* If no code comes, the files are read less and less often. */
	step = n || codes.used ? STEP : step < STEP_MOST ? 2 * step : step;
	STORE(&again, arch_ticks() + step);
	mmi_thread_release(&looking);
}

void
mmi_generated_look(void)
{
	look(true);
}

COLD unsigned
mmi_generated_gen(uintptr_t pc)
{
	const struct mmi_generated *c;

	uint64_t now = arch_ticks(), due = LOAD(&again);

	c = find(pc - 1, false, -1);
	/* A program that lists code has listed new code just before it runs. */
	if (now >= due || (!c && mmi_generated_any() && now >= due - NEWS)) {
		look(false);
		c = find(pc - 1, false, -1);
	}
	return MMI_GEN_NONE - (c ? c->age : 0u);
}

void
mmi_generated_fork(void)
{
	STORE(&looking, 0);
}
