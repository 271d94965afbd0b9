/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accesses [-bcfj] LOG MON <TRACE: are the accesses in a data file those that
 * the program made?
 *
 * TRACE is what valgrind --tool=lackey --trace-mem=yes writes of the program;
 * LOG, what numbered.so noted in that run; MON, the data file of another run,
 * with numbered.so, too.  What an instruction of the program's own text does to
 * a block counts, and what numbered.so says of memcpy and so on.
 *
 * Compared of each allocation: whether each granule was read, and written; the
 * flags and sums that follow from that.  With options:
 *
 *	-c	how often, too
 *	-j	loads and stores that together copy a struct are one access
 *	-b	the file may lack reads that a store to the same bytes follows
 *		soon: the other bits of a bit-field's
 *	-f	the file may have more reads of a granule that the program's own
 *		text reads or writes: of values that are never used, or that
 *		were still in a register
 *
 * Each difference is a line on stdout, with the code that accessed the granule
 * last; then "N blocks G granules", and how many granules -b and -f excused.
 * The status is 0 if there is no difference, 1 if there is, 2 if it can't be
 * told.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/monout.h"
#include "tests/access/numbered.h"

#define GRANULE MONOUT_GRANULE
#define DIFFERENCES 20 /* that are printed */

static _Noreturn void
die(const char *what)
{
	fprintf(stderr, "accesses: %s\n", what);
	exit(2);
}

static void *
room(size_t n, size_t size)
{
	void *p = calloc(n + !n, size);

	if (!p)
		die("no memory");
	return p;
}

/* ------------------------------------------------- what the program did -- */

/* How often, by granule, and where last; [0]: reads, [1]: writes. */
struct granule {
	uint64_t n[2], pc[2];
	uint64_t soon; /* of the reads, those before a store to the same */
};

struct block {
	uint64_t start, size, code;
	struct granule *granule;
	uint64_t cut[2]; /* in granules that realloc took away */
};

struct span {
	uint64_t start, end, last; /* end 0: there is none */
};

static bool counts, joins, bits, forwards; /* -c, -j, -b, -f */
static const volatile struct numbered_log *log_;
static uint64_t next_record;

/* Granules of the address space -> block, by pages of 4 KiB. */
#define PAGE_GRANULES 256
#define PAGES (1u << 20)
static struct page {
	uint64_t number; /* + 1; 0: free */
	struct block *of[PAGE_GRANULES];
} *pages[PAGES];

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

static uint64_t
granules(uint64_t size)
{
	return (size + GRANULE - 1) / GRANULE;
}

/*
 * An access of `size' bytes at a; pc: by the program's own code; 0: by libc.
 * But not in granules that hold some of `before'.
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

static void account(struct block *b);

/* The block at p goes, if there is one. */
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
			account(b);
		discard(b);
		break;
	case NUMBERED_READ:
	case NUMBERED_WRITE:
		accessed(r->p, r->size, r->kind == NUMBERED_WRITE, 0,
			 (struct span){ 0, 0, 0 });
		break;
	}
}

/* What is live at the end counts, too. */
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
				account(b);
		}
}

/* ------------------------------------------------------------ the trace -- */

static char buffer[1 << 16], *at, *end;

static int
get(void)
{
	if (at == end) {
		ssize_t n = read(STDIN_FILENO, buffer, sizeof(buffer));

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
 * Instructions that copy a struct, or what else a register is too small for,
 * are one access, as in the source.  Code that isn't optimized fetches each
 * pointer from the stack anew, so it is such a copy if between a load and the
 * next bytes' load there are only stores, and between a store and the next
 * bytes' store only loads that are themselves joined to those before.
 */
static struct span copy[2]; /* what was loaded and stored of it so far */
static bool copied;    /* the last instruction may have done some of it */
static uint64_t loaded; /* by this instruction */

/* The part of the copy that comes before this; end 0: it isn't of one. */
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

/* A store follows: was this just loaded? */
static void
stored(uint64_t a, uint64_t size)
{
	struct block **at = place_of(a, false);

	for (int i = 0; i < SOON && at && *at; i++)
		if (loads[i].a == a && loads[i].size == size &&
		    loads[i].time + SOON > time_) {
			(*at)->granule[(a - (*at)->start) / GRANULE].soon++;
			loads[i].size = 0;
		}
}

/* What an instruction of the program does. */
static void
act(uint64_t pc, int kind, uint64_t a, uint64_t size)
{
	struct span none = { 0, 0, 0 }, before;

	/* Of atomic instructions lackey tells the load twice. */
	if (kind != 'S' && a != loaded) {
		before = joined(a, size, false);
		accessed(a, size, false, pc, joins ? before : none);
		loads[nloads % SOON].a = loaded = a;
		loads[nloads % SOON].size = size;
		loads[nloads++ % SOON].time = time_;
	}
	if (kind != 'L') {
		before = joined(a, size, true);
		accessed(a, size, true, pc, joins ? before : none);
		stored(a, size);
	}
	copied = true;
}

/* An instruction begins: is a copy going on? */
static void
begin(void)
{
	if (!copied)
		copy[false].end = copy[true].end = 0;
	copied = false;
	loaded = 0;
	time_++;
}

/* "I  ADDRESS,SIZE", " L ADDRESS,SIZE", " S ..." or " M ..."; others are not
 * of the trace.  Addresses are hexadecimal, sizes decimal. */
static void
trace(void)
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
			} else if (self && pc >= log_->text[0] &&
				   pc < log_->text[1]) {
				act(pc, kind, a, size);
			}
		}
		while (c != '\n' && c != EOF)
			c = get();
	}
}

/* ------------------------------------------------------------- the sums -- */

enum { MACHINE, FILE_, SIDES };

/* Of all blocks of one allocation. */
static struct sums {
	uint64_t blocks, bytes, n[2], span, cover, span_used, cover_used;
	uint64_t flag[MONOUT_READ_ONLY + 1];
	bool excused; /* the reads of one of its granules */
} *sums[SIDES]; /* by code */

/* Of blocks of one allocation and size: reads and writes of each granule. */
struct fields {
	uint64_t code, size, blocks[SIDES];
	struct granule *granule[SIDES];
};

#define FIELDS (1u << 20)
static struct fields *fields[FIELDS];
static uint64_t nfields;

static struct fields *
fields_of(uint64_t code, uint64_t size)
{
	uint64_t key = code << 13 ^ size, n = granules(size);
	uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15 >> 44);

	for (; fields[i]; i = (i + 1) % FIELDS)
		if (fields[i]->code == code && fields[i]->size == size)
			return fields[i];
	if (++nfields > FIELDS / 2)
		die("too many kinds of blocks");
	fields[i] = room(1, sizeof(*fields[i]));
	fields[i]->code = code;
	fields[i]->size = size;
	for (int s = 0; s < SIDES; s++)
		fields[i]->granule[s] = room(n, sizeof(struct granule));
	return fields[i];
}

/* A block's accesses by granule to those of its kind. */
static void
account_fields(const struct block *b)
{
	struct fields *f = fields_of(b->code, b->size);

	f->blocks[MACHINE]++;
	for (uint64_t i = 0; i < granules(b->size); i++) {
		f->granule[MACHINE][i].soon += b->granule[i].soon;
		for (int k = 0; k < 2; k++) {
			f->granule[MACHINE][i].n[k] += b->granule[i].n[k];
			if (b->granule[i].n[k])
				f->granule[MACHINE][i].pc[k] =
					b->granule[i].pc[k];
		}
	}
}

static void
account(struct block *b)
{
	struct sums *s = &sums[MACHINE][b->code];
	uint64_t count = granules(b->size), lo = count, hi = 0, cover = 0;
	uint64_t n[2] = { b->cut[0], b->cut[1] }, span;

	if (!count)
		return;
	for (uint64_t i = 0; i < count; i++) {
		const struct granule *g = &b->granule[i];

		n[0] += g->n[0];
		n[1] += g->n[1];
		if (!g->n[0] && !g->n[1])
			continue;
		lo = i < lo ? i : lo;
		hi = i + 1;
		cover += i + 1 < count ? GRANULE : b->size - i * GRANULE;
	}
	span = hi < count ? hi * GRANULE : b->size;
	span = hi ? span - lo * GRANULE : 0;
	s->blocks++;
	s->bytes += b->size;
	s->n[0] += n[0];
	s->n[1] += n[1];
	s->span += span;
	s->cover += cover;
	s->span_used += n[0] && n[1] ? span : 0;
	s->cover_used += n[0] && n[1] ? cover : 0;
	s->flag[MONOUT_UNUSED] += !n[0] && !n[1];
	s->flag[MONOUT_WRITE_ONLY] += !n[0] && n[1];
	s->flag[MONOUT_READ_ONLY] += n[0] && !n[1];
	if (b->size <= MONOUT_FIELDS_MAX)
		account_fields(b);
}

/* -------------------------------------------------------- the data file -- */

#define NAME "/numbered.so"
#define NOBODY UINT64_MAX

static const unsigned char *from, *to;

struct node {
	uint64_t parent, module, address;
};
static struct node *nodes;
static uint64_t nnodes, nsites, module, nmodules;
static uint64_t *sites; /* codes */

static uint64_t
number(void)
{
	uint64_t v = 0;

	for (unsigned shift = 0; from < to; shift += 7) {
		v |= (uint64_t)(*from & 127) << shift;
		if (!(*from++ & 128))
			break;
	}
	return v;
}

static void *
longer(void *p, uint64_t n, size_t size)
{
	if ((n & (n - 1)) != 0)
		return p;
	p = realloc(p, 2 * (n + !n) * size);
	if (!p)
		die("no memory");
	return p;
}

static void
read_module(void)
{
	uint64_t n;

	for (int i = 0; i < 4; i++)
		number();
	n = number();
	from += n;
	n = number();
	nmodules++;
	if (n > strlen(NAME) &&
	    !memcmp(from + n - strlen(NAME), NAME, strlen(NAME)))
		module = nmodules;
	from += n;
}

static void
read_node(void)
{
	uint64_t own = nnodes + 1;

	nodes = longer(nodes, own, sizeof(*nodes));
	nodes[own].parent = own - number();
	nodes[own].module = number();
	nodes[own].address = number();
	nnodes = own;
}

/* The digit whose function has the address. */
static uint64_t
digit(uint64_t address)
{
	uint64_t best = 0, digit = 0;

	for (uint64_t i = 0; i < NUMBERED_RADIX; i++)
		if (log_->digit[i] < address && log_->digit[i] > best) {
			best = log_->digit[i];
			digit = i;
		}
	return digit;
}

/* Which allocation a chain is of: above the innermost frame are its digits. */
static uint64_t
code_of(uint64_t node)
{
	uint64_t code = 0;

	for (int i = 0; i <= NUMBERED_DIGITS; i++) {
		if (!node || node > nnodes || nodes[node].module != module)
			return NOBODY;
		if (i)
			code |= digit(nodes[node].address)
				<< (i - 1) * NUMBERED_BITS;
		node = nodes[node].parent;
	}
	return code;
}

static void
read_site(void)
{
	uint64_t mask;

	sites = longer(sites, nsites, sizeof(*sites));
	sites[nsites++] = code_of(number());
	number();
	for (mask = number(); mask; mask &= mask - 1)
		for (int i = 0; i < 4; i++)
			number();
}

static void
read_use(void)
{
	uint64_t site = number(), v[10 + 2 * MONOUT_NFLAG];
	struct sums *s;

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++)
		v[i] = number();
	if (site >= nsites || sites[site] == NOBODY)
		die("a block that numbered.so didn't make");
	s = &sums[FILE_][sites[site]];
	s->blocks += v[0];
	s->bytes += v[1];
	s->n[0] += v[2];
	s->n[1] += v[3];
	s->span += v[4];
	s->cover += v[5];
	s->span_used += v[6];
	s->cover_used += v[7];
	for (int i = 0; i <= MONOUT_READ_ONLY; i++)
		s->flag[i] += v[10 + 2 * i];
}

static void
read_fields(void)
{
	uint64_t site = number(), size = number(), blocks = number();
	uint64_t n = number();
	struct fields *f;

	if (site >= nsites || n > granules(size))
		die("bad fields");
	f = fields_of(sites[site], size);
	f->blocks[FILE_] += blocks;
	for (uint64_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			f->granule[FILE_][i].n[k] += number();
}

static void
read_file(const char *name)
{
	static unsigned char payload[MONOUT_PAYLOAD_MAX];
	struct monout_header head;
	struct monout_record r;
	FILE *f = fopen(name, "rb");
	bool uses = false;
	static const struct {
		uint32_t tag;
		void (*read)(void);
	} tables[] = {
		{ MONOUT_MODULES, read_module }, { MONOUT_NODES, read_node },
		{ MONOUT_SITES, read_site },	 { MONOUT_USES, read_use },
		{ MONOUT_FIELDS, read_fields },
	};

	if (!f || fread(&head, sizeof(head), 1, f) != 1)
		die("no data file");
	while (fread(&r, sizeof(r), 1, f) == 1) {
		if (r.length > sizeof(payload) ||
		    fread(payload, 1, r.length, f) != r.length)
			die("the data file is cut off");
		for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
			from = payload;
			to = payload + r.length;
			for (uint32_t k = 0; tables[i].tag == r.tag &&
					     k < r.count; k++)
				tables[i].read();
		}
		uses |= r.tag == MONOUT_USES;
	}
	if (!uses)
		die("no accesses in the data file");
	fclose(f);
}

/* ------------------------------------------------------- what's different -- */

static uint64_t differences, excused;

static bool
differs(const char *what, uint64_t code, uint64_t machine, uint64_t file)
{
	if (machine == file)
		return false;
	if (differences++ < DIFFERENCES)
		printf("allocation %" PRIu64 ": %s: %" PRIu64 " in truth, %"
		       PRIu64 " in the file\n", code, what, machine, file);
	return true;
}

/* Do -b or -f explain the reads? */
static bool
is_excused(const struct granule *m, const struct granule *o)
{
	if (bits && m->n[0] > o->n[0] && m->n[0] - o->n[0] <= m->soon)
		return true;
	return forwards && o->n[0] > m->n[0] && (m->pc[0] || m->pc[1]);
}

static void
compare_granule(const struct fields *f, uint64_t i)
{
	const struct granule *m = &f->granule[MACHINE][i];
	const struct granule *o = &f->granule[FILE_][i];
	static const char *const names[] = { "reads", "writes" };

	for (int k = 0; k < 2; k++) {
		if (counts ? m->n[k] == o->n[k] : !m->n[k] == !o->n[k])
			continue;
		if (!k && is_excused(m, o)) {
			excused++;
			sums[MACHINE][f->code].excused = true;
			continue;
		}
		if (differences++ >= DIFFERENCES)
			continue;
		printf("allocation %" PRIu64 ", %" PRIu64 " of %" PRIu64
		       " bytes: %s at %" PRIu64 ": %" PRIu64 " in truth, %"
		       PRIu64 " in the file", f->code, f->blocks[MACHINE],
		       f->size, names[k], i * GRANULE, m->n[k], o->n[k]);
		for (int w = 0; w < 2; w++)
			if (m->pc[w])
				printf(", last %s by %#" PRIx64,
				       w ? "written" : "read",
				       m->pc[w] - log_->bias);
		putchar('\n');
	}
}

static void
compare_sums(uint64_t code)
{
	const struct sums *m = &sums[MACHINE][code], *f = &sums[FILE_][code];

	/* Another run: no sense in more. */
	if (differs("blocks", code, m->blocks, f->blocks) ||
	    differs("bytes", code, m->bytes, f->bytes))
		return;
	differs("granules", code, m->cover, f->cover);
	differs("span", code, m->span, f->span);
	if (counts)
		differs("writes", code, m->n[1], f->n[1]);
	if (m->excused)
		return;
	differs("read and written", code, m->cover_used, f->cover_used);
	differs("their span", code, m->span_used, f->span_used);
	differs("not accessed", code, m->flag[0], f->flag[0]);
	differs("only written", code, m->flag[1], f->flag[1]);
	differs("only read", code, m->flag[2], f->flag[2]);
	if (counts)
		differs("reads", code, m->n[0], f->n[0]);
}

static void
compare(void)
{
	uint64_t blocks = 0, n = 0;

	for (uint32_t i = 0; i < FIELDS; i++) {
		if (!fields[i])
			continue;
		for (uint64_t k = 0; k < granules(fields[i]->size); k++)
			compare_granule(fields[i], k);
	}
	for (uint64_t code = 0; code < NUMBERED_CODES; code++) {
		compare_sums(code);
		blocks += sums[MACHINE][code].blocks;
		n += (sums[MACHINE][code].cover + GRANULE - 1) / GRANULE;
	}
	if (differences > DIFFERENCES)
		printf("... %" PRIu64 " differences\n", differences);
	printf("%" PRIu64 " blocks %" PRIu64 " granules %" PRIu64 " excused\n",
	       blocks, n, excused);
}

int
main(int argc, char **argv)
{
	struct stat st;
	int fd;

	while ((fd = getopt(argc, argv, "bcfj")) != -1) {
		bits |= fd == 'b';
		counts |= fd == 'c';
		forwards |= fd == 'f';
		joins |= fd == 'j';
	}
	if (argc - optind != 2)
		die("usage: accesses [-bcfj] LOG MON <TRACE");
	fd = open(argv[optind], O_RDONLY);
	if (fd < 0 || fstat(fd, &st) ||
	    (uint64_t)st.st_size < sizeof(*log_))
		die("no log");
	log_ = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (log_ == MAP_FAILED)
		die("no log");
	for (int s = 0; s < SIDES; s++)
		sums[s] = room(NUMBERED_CODES, sizeof(**sums));
	trace();
	if (!next_record)
		die("nothing in the trace");
	finish();
	read_file(argv[optind + 1]);
	compare();
	return differences != 0;
}
