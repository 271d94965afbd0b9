/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's run: its blocks and accesses, from the log and the trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/access/accesses.h"

struct span {
	uint64_t start, end, last; /* end 0 if there is none */
};
static const struct span no_span;

static uint64_t next_record;

/* Granules of the address space -> block, by pages of 4 KiB. */
#define PAGE_GRANULES 256
#define PAGES (1u << 20)
static struct page {
	uint64_t number; /* + 1; 0: free */
	struct block *of[PAGE_GRANULES];
} * pages[PAGES];

static struct page *
page_of(uint64_t address, bool add)
{
	uint64_t number = address / (GRANULE * PAGE_GRANULES);
	uint32_t i = (uint32_t)(number * 0x9e3779b97f4a7c15 >> 44);

	for (; pages[i]; i = (i + 1) % PAGES)
		if (pages[i]->number == number + 1)
			return pages[i];
	if (!add)
		return NULL;
	pages[i] = room(1, sizeof(*pages[i]));
	pages[i]->number = number + 1;
	return pages[i];
}

static struct block **
place_of(uint64_t address, bool add)
{
	struct page *p = page_of(address, add);

	return p ? &p->of[address / GRANULE % PAGE_GRANULES] : NULL;
}

/* The counts for the byte at a; NULL: it is in no block. */
static struct granule *
granule_of(uint64_t a)
{
	struct block **at = place_of(a, false), *b = at ? *at : NULL;

	return b && a >= b->start && a < b->start + b->size
		       ? &b->granule[(a - b->start) / GRANULE]
		       : NULL;
}

/*
 * An access of `size' bytes at a.  pc: the program's own code; 0: libc's.
 * Granules that hold some of `before' don't count.
 */
static void
accessed(uint64_t a, uint64_t size, bool write, uint64_t pc, struct span before)
{
	uint64_t g = a & -(uint64_t)GRANULE, end = a + size;
	struct block **at, *b;

	for (; size && g < end; g += GRANULE) {
		if (g < before.end && g + GRANULE > before.start)
			continue;
		at = place_of(g, false);
		b = at ? *at : NULL;
		if (!b || (g < a ? a : g) >= b->start + b->size)
			continue;
		b->granule[(g - b->start) / GRANULE].n[write]++;
		if (pc)
			b->granule[(g - b->start) / GRANULE].pc[write] = pc;
	}
}

/* Forgets the block at p; returns it, or NULL. */
static struct block *
taken(uint64_t p)
{
	struct block **at = place_of(p, false), *b = at ? *at : NULL;

	if (!b || b->start != p)
		return NULL;
	for (uint64_t i = 0; i < granules(b->size); i++)
		*place_of(p + i * GRANULE, true) = NULL;
	return b;
}

static void
discard(struct block *b)
{
	if (b)
		free(b->granule);
	free(b);
}

static void
made(const volatile struct numbered_record *r)
{
	struct block *b = room(1, sizeof(*b)), *old;
	uint64_t n = granules(r->size);

	b->start = r->p;
	b->size = r->size;
	b->code = r->code;
	b->granule = room(n, sizeof(*b->granule));
	old = r->old ? taken(r->old) : NULL;
	for (uint64_t i = 0; old && i < granules(old->size); i++)
		for (int k = 0; k < 2; k++)
			if (i < n)
				b->granule[i] = old->granule[i];
			else
				b->cut[k] += old->granule[i].n[k];
	for (int k = 0; old && k < 2; k++)
		b->cut[k] += old->cut[k];
	discard(old);
	for (uint64_t i = 0; i < n; i++)
		*place_of(r->p + i * GRANULE, true) = b;
}

static void
record(void)
{
	const volatile struct numbered_record *r = &log_->record[next_record++];
	struct block *b;

	if (next_record >= log_->room)
		die("too many records");
	switch (r->kind) {
	case NUMBERED_MADE:
		made(r);
		break;
	case NUMBERED_FREED:
		b = taken(r->p);
		if (b)
			sums_add(b);
		discard(b);
		break;
	case NUMBERED_READ:
	case NUMBERED_WRITE:
		accessed(r->p, r->size, r->kind == NUMBERED_WRITE, 0, no_span);
		break;
	}
}

/* Blocks that are live at the end count, too. */
static void
finish(void)
{
	struct block *b;

	for (uint32_t i = 0; i < PAGES; i++)
		for (uint32_t k = 0; pages[i] && k < PAGE_GRANULES; k++) {
			b = pages[i]->of[k];
			if (b && b->start / GRANULE % PAGE_GRANULES == k &&
			    b->start / (GRANULE * PAGE_GRANULES) + 1 ==
				    pages[i]->number)
				sums_add(b);
		}
}

static char buffer[1 << 16], *at, *end;

static int
get(void)
{
	if (at == end) {
		ssize_t n;

		/* Lackey writes lines: each would wake this process up. */
		usleep(500);
		n = read(STDIN_FILENO, buffer, sizeof(buffer));
		if (n <= 0)
			return EOF;
		at = buffer;
		end = buffer + n;
	}
	return *at++;
}

static uint64_t
hex(int *c)
{
	uint64_t v = 0;

	for (;; *c = get()) {
		if (*c >= '0' && *c <= '9')
			v = v << 4 | (uint64_t)(*c - '0');
		else if (*c >= 'a' && *c <= 'f')
			v = v << 4 | (uint64_t)(*c - 'a' + 10);
		else
			return v;
	}
}

/*
 * Instructions that copy a struct, or anything too large for a register, count
 * as one access, as in the source.  Unoptimized code reads each pointer from
 * the stack again.  So it is such a copy if between a load and the load of the
 * next bytes there are only stores, and between a store and the store of the
 * next bytes only loads that are themselves joined to earlier ones.
 */
static struct span copy[2]; /* bytes loaded and stored so far */
static bool copied;    /* the last instruction may be a part of it */
static uint64_t loaded; /* by this instruction */

/* The part of the copy before this access; end 0: there is none. */
static struct span
joined(uint64_t a, uint64_t size, bool write)
{
	struct span *c = &copy[write], before = *c;

	if (before.end && a != before.last && a <= before.end + GRANULE &&
	    a + size + GRANULE >= before.start) {
		c->start = a < c->start ? a : c->start;
		c->end = a + size > c->end ? a + size : c->end;
		c->last = a;
		return before;
	}
	if (!write)
		copy[true].end = 0;
	*c = (struct span){ a, a + size, a };
	before.end = 0;
	return before;
}

/* The last loads, for -b; `time' is in instructions of the program. */
#define SOON 32
static struct {
	uint64_t a, size, time;
} loads[SOON];
static uint64_t time_, nloads;

/* A store: was this just loaded? */
static void
stored(uint64_t a, uint64_t size)
{
	struct granule *g = granule_of(a);

	for (int i = 0; i < SOON && g; i++)
		if (loads[i].a == a && loads[i].size == size &&
		    loads[i].time + SOON > time_) {
			g->soon++;
			loads[i].size = 0;
		}
}

/*
 * A call can return a packed struct in registers.  Unoptimized code stores it
 * byte by byte, each byte together with its old bits, although all bits change.
 * A load and a store of one byte, directly after a store to the bytes before
 * it, are a part of that store.  Other source code would read pointers in
 * between.
 */
static struct {
	struct span so_far;
	bool fetched; /* the next byte is loaded, not stored yet */
	bool counts;  /* that load was counted */
} pieces;

/* A byte is loaded, perhaps the next one; counts: the load was counted. */
static void
piece_loaded(uint64_t a, uint64_t size, bool counts)
{
	pieces.fetched = size == 1 && a == pieces.so_far.end;
	pieces.counts = counts;
	if (!pieces.fetched)
		pieces.so_far.end = 0;
}

/* The part of the store before this access; end 0: there is none. */
static struct span
piece_stored(uint64_t a, uint64_t size)
{
	struct span before = pieces.so_far;
	struct granule *g = granule_of(a);

	if (!joins || !pieces.fetched || size != 1 || a != before.end) {
		before.end = 0;
		pieces.so_far = (struct span){ a, a + size, a };
	} else {
		pieces.so_far.end++;
		if (g && pieces.counts)
			g->n[0]--;
	}
	pieces.fetched = false;
	return before;
}

/*
 * Unoptimized code loads bytes directly after those that it just loaded, with
 * no access between, only for a bit-field of a packed struct that lies in both.
 * Returns the part of the load before this access; end 0: there is none.
 */
static struct span just_loaded;

static struct span
piece_of_load(uint64_t a, uint64_t size)
{
	struct span before = just_loaded;

	if (!before.end || a != before.end) {
		before.end = 0;
		just_loaded.start = a;
	}
	just_loaded.end = a + size;
	return before;
}

/* Is it XCHG, which may be an atomic store, too? */
static bool
is_exchange(uint64_t pc)
{
	const volatile uint8_t *code =
		(const volatile uint8_t *)&log_->record[log_->room];
	int t = pc >= log_->text[1][0] && pc < log_->text[1][1];

	if (t)
		code += log_->text[0][1] - log_->text[0][0];
	code += pc - log_->text[t][0];
	while (*code == 0x66 || (*code & 0xf0) == 0x40)
		code++;
	return *code == 0x86 || *code == 0x87;
}

static void
load(uint64_t pc, uint64_t a, uint64_t size, bool exchanges)
{
	struct span before = joined(a, size, false);
	struct span piece = piece_of_load(a, size);
	struct granule *g = granule_of(a);
	uint64_t n = g ? g->n[0] : 0;

	if (!before.end)
		before = piece;
	accessed(a, size, false, pc, joins ? before : no_span);
	if (g && exchanges)
		g->exchanged++;
	piece_loaded(a, size, g && g->n[0] != n);
	loads[nloads % SOON].a = loaded = a;
	loads[nloads % SOON].size = size;
	loads[nloads++ % SOON].time = time_;
}

static void
store(uint64_t pc, uint64_t a, uint64_t size)
{
	struct span before = joined(a, size, true), piece;

	just_loaded.end = 0;
	piece = piece_stored(a, size);
	if (piece.end)
		before = piece;
	accessed(a, size, true, pc, joins ? before : no_span);
	stored(a, size);
}

/* An access by an instruction of the program. */
static void
act(uint64_t pc, int kind, uint64_t a, uint64_t size)
{
	/* Lackey prints the load of an atomic instruction twice. */
	if (kind != 'S' && a != loaded)
		load(pc, a, size, is_exchange(pc));
	if (kind != 'L')
		store(pc, a, size);
	copied = true;
}

/* An instruction begins: does it continue a copy? */
static void
begin(void)
{
	if (!copied)
		copy[false].end = copy[true].end = 0;
	copied = false;
	loaded = 0;
	time_++;
}

static bool
is_own(uint64_t pc)
{
	for (int i = 0; i < 2; i++)
		if (pc >= log_->text[i][0] && pc < log_->text[i][1])
			return true;
	return false;
}

/* "I  ADDRESS,SIZE", " L ADDRESS,SIZE", " S ..." or " M ..."; other lines are
 * skipped.  Addresses are hexadecimal, sizes decimal. */
void
trace_read(void)
{
	uint64_t pc = 0, a, size, self = 0;
	int c, kind;

	while ((c = get()) != EOF) {
		kind = c;
		if (c == ' ')
			kind = get();
		if (strchr("ILSM", kind) && (c = get()) == ' ') {
			if (kind == 'I')
				c = get();
			c = get();
			a = hex(&c);
			size = 0;
			for (c = get(); c >= '0' && c <= '9'; c = get())
				size = 10 * size + (uint64_t)(c - '0');
			if (!self)
				self = log_->self;
			if (kind == 'I') {
				pc = a;
				begin();
			} else if (self && kind != 'L' && a == self + 8) {
				record();
			} else if (self && is_own(pc)) {
				act(pc, kind, a, size);
			}
		}
		while (c != '\n' && c != EOF)
			c = get();
	}
	if (!log_->self)
		die("not a trace of a program with ld-linux-numbered.so");
	finish();
}
