/* SPDX-License-Identifier: MIT */
/* Locks that the allocator takes. */
#include "monitor/costs/locks.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/base/next.h"
#include "monitor/base/relocations.h"

/* By class and lock; lock 0 sums up those that find no place in reach. */
#define PLACES 2048u
#define REACH 32u
static struct place {
	uint64_t key; /* atomic: the lock's address, of in the upper bits */
	struct mmi_cost_lock l;
} place[PLACES];

static unsigned slots;

/* ------------------------------------------------------- what is taken -- */

/* The lock's row in this operation; NULL: no operation is under way. */
static struct mmi_cost_lock *
row(void *lock)
{
	struct mmi_costs *c = mmi_costs_mine;
	struct mmi_cost_lock *l;

	if (!c || !c->busy)
		return NULL;
	for (unsigned i = 0; i < c->nlocks; i++)
		if (c->lock[i].at == (uintptr_t)lock)
			return &c->lock[i];
	if (c->nlocks == MMI_COST_TAKEN) {
		l = &c->lock[MMI_COST_TAKEN - 1];
		l->at = 0;
		return l;
	}
	l = &c->lock[c->nlocks++];
	memset(l, 0, sizeof(*l));
	l->at = (uintptr_t)lock;
	return l;
}

static uint64_t
since(uint64_t t)
{
	return mmi_cost_less(arch_ticks() - t, mmi_costs_ticks);
}

static void
taken(void *lock, uint64_t waited, bool contended)
{
	struct mmi_cost_lock *l = row(lock);

	if (!l)
		return;
	l->n++;
	if (contended) {
		l->contended++;
		l->waited += waited;
		mmi_cost_most(&l->most, waited);
	}
	l->since = arch_ticks();
}

static void
released(void *lock)
{
	struct mmi_cost_lock *l = row(lock);
	uint64_t t;

	if (!l || !l->since)
		return;
	t = since(l->since);
	l->since = 0;
	l->held += t;
	mmi_cost_most(&l->longest, t);
}

/* A lock is tried first: it is contended if that fails. */
#define LOCK(kind, type) \
	static int (*next_##kind##_lock)(type *); \
	static int (*next_##kind##_trylock)(type *); \
	static int (*next_##kind##_unlock)(type *); \
	static int our_##kind##_lock(type *lock) \
	{ \
		int r = next_##kind##_trylock(lock); \
		bool contended = r == EBUSY; \
		uint64_t t = 0; \
\
		if (contended) { \
			t = arch_ticks(); \
			r = next_##kind##_lock(lock); \
			t = since(t); \
		} \
		if (r == 0) \
			taken((void *)lock, t, contended); \
		return r; \
	} \
	static int our_##kind##_trylock(type *lock) \
	{ \
		int r = next_##kind##_trylock(lock); \
\
		if (r == 0) \
			taken((void *)lock, 0, false); \
		return r; \
	} \
	static int our_##kind##_unlock(type *lock) \
	{ \
		released((void *)lock); \
		return next_##kind##_unlock(lock); \
	}
LOCK(pthread_mutex, pthread_mutex_t)
LOCK(pthread_spin, pthread_spinlock_t)

/* ------------------------------------------------------------ by class -- */

static struct place *
place_of(uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15ull >> 32, was;

	for (unsigned i = 0; i < REACH; i++) {
		struct place *p = &place[(h + i) % PLACES];

		was = LOAD_ACQ(&p->key);
		if (!was && CAS(&p->key, &was, key))
			return p;
		if (was == key)
			return p;
	}
	return NULL;
}

void
mmi_locks_add(struct mmi_costs *c, unsigned of)
{
	for (unsigned i = 0; i < c->nlocks; i++) {
		const struct mmi_cost_lock *l = &c->lock[i];
		uint64_t high = (uint64_t)(of + 1) << ARCH_ADDR_BITS;
		struct place *p = place_of(l->at | high);

		if (!p)
			p = place_of(high);
		if (!p)
			continue;
		FETCH_ADD(&p->l.n, l->n);
		FETCH_ADD(&p->l.held, l->held);
		FETCH_ADD(&p->l.contended, l->contended);
		FETCH_ADD(&p->l.waited, l->waited);
		mmi_raise(&p->l.longest, l->longest);
		mmi_raise(&p->l.most, l->most);
	}
	c->nlocks = 0;
}

void
mmi_locks_each(void (*f)(unsigned of, const struct mmi_cost_lock *l, void *arg),
	       void *arg)
{
	for (unsigned i = 0; i < PLACES; i++) {
		uint64_t key = LOAD_ACQ(&place[i].key);
		struct mmi_cost_lock l = place[i].l;

		if (!key)
			continue;
		l.at = key & ((1ull << ARCH_ADDR_BITS) - 1);
		f((unsigned)(key >> ARCH_ADDR_BITS) - 1, &l, arg);
	}
}

void
mmi_locks_fork(void)
{
	memset(place, 0, sizeof(place));
}

unsigned
mmi_locks_slots(void)
{
	return slots;
}

/* ----------------------------------------------------------------- slots -- */

#ifdef MEMMON_STATIC
void
mmi_locks_start(uintptr_t malloc)
{
	(void)malloc;
	(void)our_pthread_mutex_lock;
	(void)our_pthread_mutex_trylock;
	(void)our_pthread_mutex_unlock;
	(void)our_pthread_spin_lock;
	(void)our_pthread_spin_trylock;
	(void)our_pthread_spin_unlock;
}
#else
#define NAMES(X) \
	X(pthread_mutex_lock) \
	X(pthread_mutex_trylock) \
	X(pthread_mutex_unlock) \
	X(pthread_spin_lock) \
	X(pthread_spin_trylock) \
	X(pthread_spin_unlock)

static uintptr_t
replaced(const char *name)
{
#define X(f) \
	if (!strcmp(name, #f)) \
		return (uintptr_t)our_##f;
	NAMES(X)
#undef X
	return 0;
}

static bool
slot(const struct mmi_relocation *r, void *arg)
{
	const uintptr_t page = -ARCH_PAGE_NOW;
	uintptr_t to = ARCH_RELOC_ADDRESS(r->type) ? replaced(r->name) : 0;
	uintptr_t at = (uintptr_t)r->at & page;
	uintptr_t end =
		((uintptr_t)r->at + sizeof(to) + ARCH_PAGE_NOW - 1) & page;

	(void)arg;
	/* What the loader has made read-only is read-only again afterwards. */
	if (!to || r->symbol->st_shndx != SHN_UNDEF ||
	    ARCH_SYS(SYS_mprotect, at, end - at, PROT_READ | PROT_WRITE, 0, 0,
		     0) != 0)
		return false;
	STORE_REL((uintptr_t *)(uintptr_t)r->at, to);
	slots++;
	return false;
}

void
mmi_locks_start(uintptr_t malloc)
{
	struct dl_find_object f;

	/* The C library calls its own functions without a slot. */
	if (_dl_find_object((void *)malloc, &f) != 0 || !f.dlfo_link_map)
		return;
#define X(f) next_##f = (__typeof__(next_##f))mmi_next_symbol(#f);
	NAMES(X)
#undef X
	mmi_next_forget();
	if (!next_pthread_mutex_lock || !next_pthread_mutex_trylock ||
	    !next_pthread_mutex_unlock || !next_pthread_spin_lock ||
	    !next_pthread_spin_trylock || !next_pthread_spin_unlock)
		return;
	mmi_relocations_each(f.dlfo_link_map, slot, NULL);
}
#endif
