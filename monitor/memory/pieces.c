/* SPDX-License-Identifier: MIT */
/* The mappings, in pieces. */
#include "monitor/memory/pieces.h"

#include <dlfcn.h>
#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/sort.h"
#include "monitor/leak/leak.h"
#include "monitor/record/mapped.h"

/* More mappings than Linux allows by default (vm.max_map_count). */
#define PIECES_MAX ((size_t)1 << 17)
#define PIECES_SIZE (PIECES_MAX * sizeof(struct mmi_piece))
#define WORDS (sizeof(struct mmi_piece) / sizeof(uint64_t))

/* A piece of more pages gets no bits: 64 GiB. */
#define PAGES_MAX ((uint64_t)1 << 24)

/* How many pages one system call asks for. */
#define ASKED 16384u

/* Most bytes of the guard that comes before a thread's stack. */
#define GUARD_MAX ((uintptr_t)64 << 10)

static unsigned char there[ASKED];

static bool
begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* By the name at the end of a line, and the access rights in the middle. */
static enum mmi_piece_kind
kind_of(const char *rights, const char *name)
{
	if (begins(name, "[heap]"))
		return MMI_PIECE_BRK;
	if (begins(name, "[stack"))
		return MMI_PIECE_STACK;
	if (!*name || begins(name, "[anon"))
		return rights[1] == 'w' ? MMI_PIECE_ANON : MMI_PIECE_OTHER;
	if (begins(name, "/dev/shm/") || begins(name, "/memfd:") ||
	    begins(name, "/dev/zero") || begins(name, "/SYSV"))
		return MMI_PIECE_SHARED;
	if (*name != '/' || begins(name, "/dev/"))
		return MMI_PIECE_OTHER;
	return MMI_PIECE_FILE;
}

static bool
is_code(uintptr_t a)
{
	struct dl_find_object f;

	return _dl_find_object((void *)a, &f) == 0;
}

/*
 * glibc keeps the stack of a thread that has ended.  A small piece without
 * access, the guard, comes before a stack.
 */
static bool
is_stack(const struct mmi_pieces *p, const struct mmi_piece *x)
{
	const struct mmi_piece *guard = x - 1;

	return x > p->piece && x->kind == MMI_PIECE_ANON &&
	       guard->end == x->start && !guard->resident &&
	       guard->kind == MMI_PIECE_OTHER &&
	       guard->end - guard->start <= GUARD_MAX;
}

/* "start-end rwxp offset major:minor inode   name" */
static bool
piece_begin(struct mmi_pieces *p, const char *s)
{
	struct mmi_piece *x = &p->piece[p->n];
	const char *rights;

	memset(x, 0, sizeof(*x));
	x->start = mmi_process_hex(&s);
	if (*s++ != '-')
		return true;
	x->end = mmi_process_hex(&s);
	if (*s++ != ' ' || x->start >= x->end)
		return true;
	rights = s;
	for (int field = 0; field < 4; field++) {
		while (*s && *s != ' ')
			s++;
		while (*s == ' ')
			s++;
	}
	if (s - rights < 4)
		return true;
	x->kind = kind_of(rights, s);
	if ((x->kind == MMI_PIECE_FILE || x->kind == MMI_PIECE_ANON) &&
	    is_code(x->start))
		x->kind = MMI_PIECE_CODE;
	return ++p->n < PIECES_MAX;
}

/* Bytes of a line "NAME:   123 kB". */
static uint64_t
kilobytes(const char *s)
{
	uint64_t n = 0;

	while (*s == ' ')
		s++;
	for (; *s >= '0' && *s <= '9'; s++)
		n = 10 * n + (uint64_t)(*s - '0');
	return n << 10;
}

static bool
line_read(void *arg, const char *s)
{
	struct mmi_pieces *p = arg;

	if ((*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'f'))
		return piece_begin(p, s);
	if (!p->n)
		return true;
	if (begins(s, "Rss:")) {
		p->piece[p->n - 1].resident = kilobytes(s + 4);
		p->resident += p->piece[p->n - 1].resident;
	} else if (begins(s, "Pss:")) {
		p->pss += kilobytes(s + 4);
	} else if (begins(s, "Swap:")) {
		p->swapped += kilobytes(s + 5);
	}
	return true;
}

/*
 * How many bytes of [a, end) are in memory; bits: sets the bits of these pages,
 * from the first bit on.
 */
static uint64_t
resident(uintptr_t a, uintptr_t end, uint64_t *bits)
{
	uint64_t pages = 0, at = 0;
	size_t n;

	for (; a < end; a += n * ARCH_PAGE_NOW, at += n) {
		n = (end - a) / ARCH_PAGE_NOW;
		if (n > ASKED)
			n = ASKED;
		if (!n || ARCH_SYS(SYS_mincore, a, n * ARCH_PAGE_NOW, there, 0,
				   0, 0) != 0)
			break;
		for (size_t i = 0; i < n; i++) {
			pages += there[i] & 1;
			if (bits)
				bits[(at + i) / 64] |= (uint64_t)(there[i] & 1)
						       << (at + i) % 64;
		}
	}
	return pages * ARCH_PAGE_NOW;
}

/* Makes [from, to) of x a piece of its own; *rest: resident bytes left of x. */
static void
cut(struct mmi_pieces *p, const struct mmi_piece *x, uintptr_t from,
    uintptr_t to, uint64_t kind, uint64_t *rest)
{
	struct mmi_piece *y = &p->piece[p->n];
	uint64_t n = to == x->end ? *rest : resident(from, to, NULL);

	if (from >= to || p->n == PIECES_MAX)
		return;
	*y = (struct mmi_piece){ .start = from, .end = to, .kind = kind };
	y->resident = n < *rest ? n : *rest;
	*rest -= y->resident;
	p->n++;
}

/* Copies the pieces `old'; cuts out those of `own', whose kinds are known. */
static void
own_cut(struct mmi_pieces *p, const struct mmi_piece *old, size_t n,
	const struct mmi_piece *own, size_t nown)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		const struct mmi_piece *x = &old[i];
		uintptr_t at = x->start;
		uint64_t rest = x->resident;

		while (k < nown && own[k].end <= x->start)
			k++;
		for (size_t j = k; j < nown && own[j].start < x->end; j++) {
			uintptr_t from = own[j].start > at ? own[j].start : at;
			uintptr_t to =
				own[j].end < x->end ? own[j].end : x->end;

			if (from >= to)
				continue;
			cut(p, x, at, from, x->kind, &rest);
			cut(p, x, from, to, own[j].kind, &rest);
			at = to;
		}
		cut(p, x, at, x->end, x->kind, &rest);
	}
}

/* Joins pieces that touch: the kernel has one mapping for them. */
static size_t
own_join(struct mmi_piece *own, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (k && own[i].kind == own[k - 1].kind &&
		    own[i].start <= own[k - 1].end) {
			if (own[i].end > own[k - 1].end)
				own[k - 1].end = own[i].end;
		} else {
			own[k++] = own[i];
		}
	return k;
}

/*
 * Appends the program's private mappings to k pieces; returns their new number.
 */
static size_t
program_list(struct mmi_piece *own, size_t k)
{
	const uintptr_t page = ARCH_PAGE_NOW;
	uint32_t room = mmi_mapped_ranges(NULL, 0), n;
	struct mmi_mapped_range *r = mmi_arena_reserve(room * sizeof(*r));

	n = r ? mmi_mapped_ranges(r, room) : 0;
	for (uint32_t i = 0; i < n && k < PIECES_MAX; i++)
		if (r[i].kind & (MMI_MAPPED_PRIVATE | MMI_MAPPED_BREAK))
			own[k++] = (struct mmi_piece){
				.start = (r[i].start + page - 1) & -page,
				.end = (r[i].end + page - 1) & -page,
				.kind = MMI_PIECE_PROGRAM
			};
	MMI_ARENA_DROP_PART(r, room * sizeof(*r), 0);
	return k;
}

/*
 * Lists memmon's and the program's mappings and threads' stacks, in order;
 * returns their number.
 */
static size_t
own_list(struct mmi_piece *own)
{
	struct mmi_own_mapping o = mmi_own_module();
	struct mmi_leak_stack s;
	uintptr_t link = 0;
	uint32_t n = mmi_own_count();
	size_t k = 0;

	for (uint32_t i = 0;; i++) {
		if (o.size && k < PIECES_MAX)
			own[k++] = (struct mmi_piece){
				.start = o.start & -ARCH_PAGE_NOW,
				.end = (o.start + o.size + ARCH_PAGE_NOW - 1) &
				       -ARCH_PAGE_NOW,
				.kind = MMI_PIECE_OWN
			};
		if (i == n)
			break;
		o = mmi_own_at(i);
	}
	while (k < PIECES_MAX && mmi_leak_stack_next(&link, &s))
		own[k++] = (struct mmi_piece){ .start = s.start,
					       .end = s.end,
					       .kind = MMI_PIECE_STACK };
	k = program_list(own, k);
	mmi_sort(own, k, WORDS);
	return own_join(own, k);
}

/* Takes the known mappings out of other pieces; false: no memory for that. */
static bool
own_apart(struct mmi_pieces *p)
{
	struct mmi_piece *old = p->piece;
	struct mmi_piece *own = mmi_arena_reserve(PIECES_SIZE);
	size_t n = p->n;

	p->piece = own ? mmi_arena_reserve(PIECES_SIZE) : NULL;
	p->n = 0;
	if (p->piece)
		own_cut(p, old, n, own, own_list(own));
	if (own)
		mmi_arena_unreserve(own, PIECES_SIZE);
	mmi_arena_unreserve(old, PIECES_SIZE);
	return p->piece != NULL;
}

static bool
has_bits(const struct mmi_piece *x)
{
	return (x->kind == MMI_PIECE_ANON || x->kind == MMI_PIECE_BRK ||
		x->kind == MMI_PIECE_PROGRAM || x->kind == MMI_PIECE_STACK) &&
	       (x->end - x->start) / ARCH_PAGE_NOW <= PAGES_MAX;
}

/* How many words have the bits of a piece's pages. */
static size_t
words_of(const struct mmi_piece *x)
{
	return ((x->end - x->start) / ARCH_PAGE_NOW + 63) / 64;
}

bool
mmi_pieces_read(struct mmi_pieces *p, bool pages)
{
	static char buffer[16384];

	*p = (struct mmi_pieces){ .piece = mmi_arena_reserve(PIECES_SIZE) };
	if (!p->piece ||
	    !mmi_process_lines("/proc/self/smaps", buffer, sizeof(buffer),
			       line_read, p) ||
	    !p->n || !own_apart(p)) {
		mmi_pieces_free(p);
		return false;
	}
	for (size_t i = 0; i < p->n; i++) {
		if (is_stack(p, &p->piece[i]))
			p->piece[i].kind = MMI_PIECE_STACK;
		p->nbits +=
			has_bits(&p->piece[i]) ? 2 * words_of(&p->piece[i]) : 0;
	}
	if (p->nbits)
		p->bits = mmi_arena_reserve(p->nbits * sizeof(*p->bits));
	if (p->bits && pages)
		p->pages = mmi_arena_reserve(p->nbits * 32 * sizeof(*p->pages));
	return true;
}

void
mmi_pieces_free(struct mmi_pieces *p)
{
	MMI_ARENA_DROP_PART(p->bits, p->nbits * sizeof(*p->bits), 0);
	MMI_ARENA_DROP_PART(p->pages, p->nbits * 32 * sizeof(*p->pages), 0);
	MMI_ARENA_DROP_PART(p->piece, PIECES_SIZE, 0);
	*p = (struct mmi_pieces){ .piece = NULL };
}

struct mmi_piece *
mmi_pieces_at(struct mmi_pieces *p, uintptr_t a)
{
	size_t lo = 0, hi = p->n, mid;

	if (p->near < hi && a >= p->piece[p->near].start &&
	    a < p->piece[p->near].end)
		return &p->piece[p->near];
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (p->piece[mid].end <= a)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == p->n || p->piece[lo].start > a)
		return NULL;
	p->near = lo;
	return &p->piece[lo];
}

bool
mmi_pieces_look(struct mmi_pieces *p, struct mmi_piece *x)
{
	size_t n = words_of(x), pages = (x->end - x->start) / ARCH_PAGE_NOW;

	if (x->there)
		return true;
	if (!p->bits || !has_bits(x) || p->bits_used + 2 * n > p->nbits)
		return false;
	x->there = p->bits + p->bits_used;
	x->taken = x->there + n;
	x->page = p->pages ? p->pages + p->bits_used * 32 : NULL;
	p->bits_used += 2 * n;
	if (x->resident != x->end - x->start) {
		resident(x->start, x->end, x->there);
		return true;
	}
	memset(x->there, 0xff, pages / 64 * sizeof(*x->there));
	if (pages % 64)
		x->there[n - 1] = (1ull << pages % 64) - 1;
	return true;
}

uint64_t
mmi_pieces_resident(struct mmi_pieces *p, uintptr_t a, uintptr_t end)
{
	const uintptr_t page = ARCH_PAGE_NOW;
	const struct mmi_piece *x;
	uint64_t sum = 0, n;
	uintptr_t to;

	a = (a + page - 1) & -page;
	end = (end + page - 1) & -page;
	for (; a < end && (x = mmi_pieces_at(p, a)) != NULL; a = to) {
		to = end < x->end ? end : x->end;
		if (x->resident && (a != x->start || to != x->end))
			n = resident(a, to, NULL);
		else
			n = x->resident;
		sum += n < x->resident ? n : x->resident;
	}
	return sum;
}
