/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths by their hashes.  The hash of v[0] ... v[n - 1], outermost first,
 * is the polynomial ((v[0] * B + v[1]) * B + v[2]) ...  So two hashes give that
 * of any part of a call path.  v[i] is made of the address in its module, and
 * the module's name.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unwind/oracle.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "tests/unwind/hash.h"

#define SLOTS (1u << 20) /* different call paths */

/* The allocations of one call path. */
struct slot {
	uint64_t hash; /* 0: unused */
	uint64_t allocs, bytes, frees, freed;
};

/* The start of each block. */
struct head {
	struct slot *slot;
	size_t size;
};

/* From oracle.S: a block, and the return address of the call. */
struct block {
	void *p;
	void *ra;
};

#ifdef __cplusplus
extern "C" {
#endif
struct block oracle_malloc(size_t n);
extern char oracle_after[]; /* the allocation's return address */
extern const char __executable_start[], etext[];
#ifdef __cplusplus
}
#endif

static struct slot *slots;
static uint64_t powers[ORACLE_DEPTH + 1]; /* of B */
static uintptr_t bias;			  /* of the program */
static uint64_t self;			  /* hash of its name */
static unsigned limit;			  /* MEMMON_DEPTH */

void
oracle_begin(void)
{
	const char *depth = getenv("MEMMON_DEPTH");
	const struct link_map *map =
		(const struct link_map *)dlopen(NULL, RTLD_LAZY);

	limit = depth ? (unsigned)atoi(depth) : 1024;
	bias = map->l_addr;
	self = hash_name(program_invocation_short_name);
	powers[0] = 1;
	for (unsigned i = 1; i <= ORACLE_DEPTH; i++)
		powers[i] = powers[i - 1] * HASH_BASE;
	slots = (struct slot *)oracle_map(sizeof(*slots) * SLOTS);
}

/* A return address as a number that doesn't depend on load addresses. */
static uint64_t
value(void *ra)
{
	uintptr_t pc = (uintptr_t)ra;
	const char *name;
	Dl_info d;

	if (pc - (uintptr_t)__executable_start <
	    (uintptr_t)etext - (uintptr_t)__executable_start)
		return hash_value(self, pc - bias);
	/* The call may be the last instruction of its module. */
	if (!dladdr((void *)(pc - 1), &d))
		return hash_value(hash_name(""), pc);
	name = strrchr(d.dli_fname, '/');
	return hash_value(hash_name(name ? name + 1 : d.dli_fname),
			  pc - (uintptr_t)d.dli_fbase);
}

void
oracle_push(struct shadow *s, void *ra)
{
	if (s->n >= ORACLE_DEPTH)
		abort();
	s->h[s->n + 1] = s->h[s->n] * HASH_BASE + value(ra);
	s->n++;
}

/* A stack's outermost frames, as the compiler's own unwinder sees them. */
struct roots {
	void *from;
	unsigned n;
	void *ra[16];
};

static _Unwind_Reason_Code
root_frame(struct _Unwind_Context *c, void *arg)
{
	struct roots *r = (struct roots *)arg;
	void *ra = (void *)_Unwind_GetIP(c);

	if (ra && (r->n || ra == r->from) && r->n < 16)
		r->ra[r->n++] = ra;
	return _URC_NO_REASON;
}

void
oracle_root(struct shadow *s, void *ra)
{
	struct roots r;

	r.from = ra;
	r.n = 0;
	s->n = s->bottom = 0;
	_Unwind_Backtrace(root_frame, &r);
	if (!r.n)
		abort();
	while (r.n > 0)
		oracle_push(s, r.ra[--r.n]);
}

/* The hash of the frames above frame `from', after a mark. */
static uint64_t
part(const struct shadow *s, unsigned from, uint64_t mark)
{
	uint64_t power = powers[s->n - from];

	return s->h[s->n] - s->h[from] * power + hash_mark(mark) * power;
}

/* The hash of the call path, as the monitor records it. */
static uint64_t
recorded(const struct shadow *s)
{
	if (s->n - s->bottom > limit)
		return part(s, s->n - limit, HASH_CUT);
	if (s->bottom)
		return part(s, s->bottom, HASH_STOPPED);
	return s->h[s->n];
}

/* The place of a call path in the table. */
static struct slot *
slot_find(uint64_t hash)
{
	size_t i = hash % SLOTS;

	hash += !hash;
	for (size_t n = 0; n < SLOTS; n++) {
		struct slot *s = &slots[i];
		uint64_t old = 0;

		if (__atomic_compare_exchange_n(&s->hash, &old, hash, 0,
						__ATOMIC_RELAXED,
						__ATOMIC_RELAXED) ||
		    old == hash)
			return s;
		i = (i + 1) % SLOTS;
	}
	abort();
}

void *
oracle_count(const struct shadow *s, void *p, size_t n)
{
	struct slot *slot = slot_find(recorded(s));
	struct head *head = (struct head *)p;

	if (!p || n < sizeof(*head))
		abort();
	__atomic_fetch_add(&slot->allocs, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&slot->bytes, n, __ATOMIC_RELAXED);
	head->slot = slot;
	head->size = n;
	return p;
}

ORACLE void *
oracle_take(struct shadow *s, size_t n)
{
	struct block b;
	void *p;

	if (n < sizeof(struct head))
		n = sizeof(struct head);
	ENTER(s);
	b = oracle_malloc(n);
	oracle_push(s, b.ra);
	oracle_push(s, oracle_after);
	p = oracle_count(s, b.p, n);
	s->n -= 3;
	return p;
}

void
oracle_give(void *p)
{
	struct head *head = (struct head *)p;

	if (!p)
		return;
	__atomic_fetch_add(&head->slot->frees, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&head->slot->freed, head->size, __ATOMIC_RELAXED);
	free(p);
}

void *
oracle_map(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

void
oracle_print(void)
{
	const char *name = getenv("ORACLE_OUT");
	int fd = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	for (size_t i = 0; fd >= 0 && i < SLOTS; i++) {
		const struct slot *s = &slots[i];
		char line[128];
		int n;

		if (!s->hash)
			continue;
		n = snprintf(line, sizeof(line),
			     "%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			     " %" PRIu64 "\n",
			     s->hash, s->allocs, s->bytes, s->frees, s->freed);
		if (write(fd, line, (size_t)n) != n)
			abort();
	}
	close(fd);
}
