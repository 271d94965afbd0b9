/* SPDX-License-Identifier: MIT */
/*
 * Mappings of the program.  A treap has the ranges that are mapped now: in the
 * order of addresses, and as a heap by random numbers (R. Seidel and C.
 * Aragon, Randomized Search Trees, 1996).  One thread at a time uses it, for a
 * short time.
 */
#include "monitor/record/mapped.h"

#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/mask.h"
#include "monitor/base/process.h"
#include "monitor/base/shared.h"
#include "monitor/base/table.h"
#include "monitor/base/wait.h"
#include "monitor/chain/sites.h"
#include "monitor/chain/unwind.h"
#include "monitor/record/times.h"
#include "monitor/thread/enter.h"

/*
 * A range [start, end) of one call.  head: it contains the mapping's first
 * byte.
 */
struct range {
	uintptr_t start, end, base; /* base: where the mapping began */
	uint64_t born; /* ns */
	uint32_t site, left, right, order, kind;
	bool head;
};

/* The mappings of a call path. */
struct site {
	uint32_t next; /* in the list of its hash */
	struct monrec_mapping n;
};

#define SHIFT 6u
#define RANGES_MAX (1u << 20)
#define SITES_MAX (1u << 16)
#define LISTS 1024u

static MMI_TABLE void *range_dir[RANGES_MAX >> SHIFT];
static MMI_TABLE void *site_dir[SITES_MAX >> SHIFT];
static struct mmi_array ranges = {
	.chunk = range_dir,
	.chunks = RANGES_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct range),
	.used = 1,
};
static struct mmi_array sites = {
	.chunk = site_dir,
	.chunks = SITES_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct site),
	.used = 1,
};
static uint32_t list[LISTS];
static uint32_t root, spare; /* ranges; spare ones by `left' */
static uint32_t dice = 1;
static uint32_t epoch; /* of recording, see control.h */
static uint64_t lost;  /* calls that couldn't be recorded */

/* ------------------------------------------------------------- one thread */

/*
 * How long to wait for another thread, which may be in munmap(2) of much
 * memory; less to write a file, as that thread may have been stopped.
 */
#define PATIENCE (2000 * MMI_WAIT_MS)
#define PATIENCE_FILE (5 * MMI_WAIT_MS)

static int held;
static TLS char self; /* its address identifies the thread */
static const char *holder;

/* A child of a bare clone(2) has a copy of the lock, but not its holder. */
static bool
is_foreign(void)
{
	return ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0) != mmi_process.pid;
}

/* Blocks signals until give(): a handler may map memory, too.  patience: ns. */
static bool
take(struct mmi_mask *mask, uint64_t patience)
{
	struct mmi_wait w = { 0, 0 };
	int none = 0;
	bool mine;

	mmi_mask_block(mask, MMI_MASK_MOST);
	mine = CAS(&held, &none, 1);
	if (LIKELY(mine)) {
		STORE(&holder, &self);
		return true;
	}
	/* Called again in this thread: another library's munmap() may map
	 * memory. */
	if (LOAD(&holder) == &self) {
		lost++;
	} else if (!is_foreign()) {
		while (!mine && mmi_wait_more(&w, patience)) {
			none = 0;
			mine = CAS(&held, &none, 1);
		}
		lost += !mine && patience == PATIENCE;
	}
	if (mine)
		STORE(&holder, &self);
	else
		mmi_mask_restore(mask);
	return mine;
}

static void
give(const struct mmi_mask *mask)
{
	STORE(&holder, NULL);
	STORE_REL(&held, 0);
	mmi_mask_restore(mask);
}

/* ----------------------------------------------------------------- ranges */

static struct range *
at(uint32_t i)
{
	return mmi_array_at(&ranges, i);
}

static uint32_t
range_new(const struct range *r)
{
	uint32_t i = spare;
	struct range *to = i ? at(i) : mmi_array_add(&ranges, &i);

	if (!to)
		return 0;
	if (i == spare)
		spare = to->left;
	dice ^= dice << 13;
	dice ^= dice >> 17;
	dice ^= dice << 5;
	*to = *r;
	to->order = dice;
	to->left = to->right = 0;
	return i;
}

static void
range_free(uint32_t i)
{
	at(i)->site = 0;
	at(i)->left = spare;
	spare = i;
}

/* Splits t into the ranges that start below a and the other ranges. */
static void
split(uint32_t t, uintptr_t a, uint32_t *below, uint32_t *others)
{
	while (t) {
		struct range *r = at(t);

		if (r->start < a) {
			*below = t;
			below = &r->right;
			t = r->right;
		} else {
			*others = t;
			others = &r->left;
			t = r->left;
		}
	}
	*below = *others = 0;
}

/* Joins two treaps; all ranges of a are below all of b. */
static uint32_t
join(uint32_t a, uint32_t b)
{
	uint32_t top = 0, *to = &top;

	while (a && b) {
		if (at(a)->order > at(b)->order) {
			*to = a;
			to = &at(a)->right;
			a = *to;
		} else {
			*to = b;
			to = &at(b)->left;
			b = *to;
		}
	}
	*to = a ? a : b;
	return top;
}

static uint32_t
first(uint32_t t)
{
	while (t && at(t)->left)
		t = at(t)->left;
	return t;
}

static uint32_t
last(uint32_t t)
{
	while (t && at(t)->right)
		t = at(t)->right;
	return t;
}

/* ------------------------------------------------------------------ sites */

static struct site *
site_at(uint32_t i)
{
	return mmi_array_at(&sites, i);
}

/* The site of a node, made if necessary; 0: no memory. */
static uint32_t
site_of(uint32_t node)
{
	uint32_t *head = &list[node % LISTS], i;
	struct site *s;

	for (i = *head; i; i = site_at(i)->next)
		if (site_at(i)->n.node == node)
			return i;
	s = mmi_array_add(&sites, &i);
	if (!s)
		return 0;
	*s = (struct site){ .next = *head, .n.node = node };
	*head = i;
	return i;
}

/*
 * n bytes of the range are unmapped; first_byte: its first byte is one of them.
 */
static void
ended(struct range *r, uint64_t n, bool first_byte, uint64_t now)
{
	struct site *s = site_at(r->site);

	s->n.live -= n;
	if (first_byte && r->head) {
		s->n.ended++;
		s->n.life += now - r->born;
		r->head = false;
	}
}

static void
grown(struct site *s, uint64_t n)
{
	s->n.live += n;
	if (s->n.live > s->n.most)
		s->n.most = s->n.live;
}

/* ------------------------------------------------------------------ events */

/* After a reset earlier mappings aren't known any more. */
static void
forget(void)
{
	root = spare = 0;
	lost = 0;
	ranges.used = sites.used = 1;
	for (unsigned i = 0; i < LISTS; i++)
		list[i] = 0;
}

static void
look_for_reset(void)
{
	uint32_t now = LOAD_ACQ(&mmi_shared.control.epoch);

	if (now == epoch)
		return;
	epoch = now;
	forget();
}

/* Memory that mremap(2) moves: its first range, and all bytes of that site. */
struct part {
	struct range r;
	uint64_t n; /* 0: no such range is known */
};

/*
 * n bytes of the range go; first_byte: its first byte is one of them.  With p
 * they are moved; without p they end at the time `now'.
 */
static void
goes(struct range *r, uint64_t n, bool first_byte, uint64_t now, struct part *p)
{
	if (p && !p->n) {
		p->r = *r;
		p->r.head &= first_byte;
	}
	if (p && p->r.site == r->site) {
		p->n += n;
		if (first_byte)
			r->head = false;
	}
	ended(r, n, first_byte, now);
}

/* Takes [lo, hi) out; a range around it becomes two. */
static void
cut(uintptr_t lo, uintptr_t hi, uint64_t now, struct part *p)
{
	uint32_t below, within, above, i;
	struct range *r, rest;

	split(root, lo, &below, &within);
	split(within, hi, &within, &above);
	i = last(below);
	r = i ? at(i) : NULL;
	if (r && r->end > lo) {
		rest = *r;
		goes(r, (r->end < hi ? r->end : hi) - lo, false, now, p);
		r->end = lo;
		rest.start = hi;
		rest.head = false;
		i = rest.end > hi ? range_new(&rest) : 0;
		if (i) {
			above = join(i, above);
		} else if (rest.end > hi) {
			site_at(rest.site)->n.live -= rest.end - hi;
			lost++;
		}
	}
	while (within) {
		i = first(within);
		r = at(i);
		split(within, r->start + 1, &i, &within);
		goes(r, (r->end < hi ? r->end : hi) - r->start, true, now, p);
		if (r->end > hi) {
			r->start = hi;
			above = join(i, above);
		} else {
			range_free(i);
		}
	}
	root = join(below, above);
}

static void
add(const struct range *r)
{
	uint32_t below, above, i = range_new(r);

	if (!i) {
		lost++;
		return;
	}
	split(root, r->start, &below, &above);
	root = join(join(below, i), above);
	grown(site_at(r->site), r->end - r->start);
}

/* The node of the caller; 0: it wasn't recorded. */
static uint32_t
node_of(const struct arch_entry *e)
{
	struct mmi_thread *t = mmi_thread_enter_on();
	uint32_t node;

	if (!t)
		return 0;
	node = mmi_sites_node_of(t, mmi_unwind(t, e));
	mmi_thread_leave(t);
	return node;
}

static uint64_t
now_ns(void)
{
	return mmi_process_clock(CLOCK_MONOTONIC);
}

ARCH_REALIGN void
mmi_mapped_made(uintptr_t a, uint64_t n, unsigned kind,
		const struct arch_entry *e)
{
	struct range r = {
		.start = a, .end = a + n, .base = a, .kind = kind, .head = true
	};
	uint32_t node = n && r.end > a ? node_of(e) : 0;
	struct mmi_mask mask;

	if (!node || !take(&mask, PATIENCE))
		return;
	look_for_reset();
	r.born = now_ns();
	cut(a, r.end, r.born, NULL);
	r.site = site_of(node);
	if (r.site) {
		struct site *s = site_at(r.site);

		s->n.maps++;
		s->n.bytes += n;
		s->n.kinds |= kind;
		add(&r);
	} else {
		lost++;
	}
	give(&mask);
	mmi_times_look(r.born);
}

ARCH_REALIGN bool
mmi_mapped_before(struct mmi_mask *mask)
{
	return LOAD(&root) && take(mask, PATIENCE);
}

ARCH_REALIGN void
mmi_mapped_after(const struct mmi_mask *mask)
{
	give(mask);
}

ARCH_REALIGN void
mmi_mapped_gone(uintptr_t a, uint64_t n)
{
	look_for_reset();
	if (n && a + n > a)
		cut(a, a + n, now_ns(), NULL);
}

ARCH_REALIGN void
mmi_mapped_moved(uintptr_t old, uint64_t was, uintptr_t a, uint64_t n)
{
	struct part p = { .n = 0 };

	look_for_reset();
	if (!was || !n || old + was < old || a + n < a)
		return;
	cut(old, old + was, now_ns(), &p);
	cut(a, a + n, now_ns(), NULL);
	if (!p.n)
		return;
	if (n > p.n)
		site_at(p.r.site)->n.bytes += n - p.n;
	p.r.start = p.r.base = a;
	p.r.end = a + n;
	add(&p.r);
}

ARCH_REALIGN void
mmi_mapped_detached(uintptr_t a)
{
	look_for_reset();
	for (uint32_t i = 1; i < ranges.used; i++) {
		const struct range *r = at(i);

		if (r->site && r->base == a && r->kind & MMI_MAPPED_SHARED)
			cut(r->start, r->end, now_ns(), NULL);
	}
}

void
mmi_mapped_fork(void)
{
	held = 0;
	holder = NULL;
	epoch = mmi_shared.control.epoch;
	forget();
}

/* ------------------------------------------------------------------- files */

uint32_t
mmi_mapped_ranges(struct mmi_mapped_range *to, uint32_t room)
{
	struct mmi_mask mask;
	uint32_t n = 0;
	bool mine;

	if (!to)
		return LOAD_ACQ(&ranges.used);
	/* A stopped thread may hold the lock: the ranges can be read anyway. */
	mine = take(&mask, PATIENCE_FILE);
	if (mine)
		look_for_reset();
	for (uint32_t i = 1; i < ranges.used && n < room; i++) {
		const struct range *r = at(i);

		if (r && r->site)
			to[n++] = (struct mmi_mapped_range){ r->start, r->end,
							     r->site, r->kind };
	}
	if (mine)
		give(&mask);
	return n;
}

uint32_t
mmi_mapped_sites(void)
{
	return LOAD_ACQ(&sites.used);
}

bool
mmi_mapped_site(uint32_t i, struct monrec_mapping *to)
{
	const struct site *s = site_at(i);
	struct mmi_mask mask;
	bool mine;

	if (!s)
		return false;
	mine = take(&mask, PATIENCE_FILE);
	*to = s->n;
	if (mine)
		give(&mask);
	return to->maps != 0;
}

uint64_t
mmi_mapped_lost(void)
{
	return LOAD(&lost);
}
