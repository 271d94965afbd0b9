/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of the naive recorder, computed from its log by the formulas of
 * the manual: for each call path a line
 *
 *	site PC,PC... key=value...
 *
 * by memmon's resolution (16 bytes, and steps of its clock), then a line
 * "exact ..." by bytes and nanoseconds.  Other lines have the granules of the
 * first 4096 bytes of blocks, by size:
 *
 *	fields PC,PC... size=N blocks=N r,w r,w ...
 *
 * Before each line of a call path, "groups PC,PC..." or "exact-groups ..." has
 * its groups: first allocation, last one, last free (ns), blocks, life (ns).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/naive.h"

#define GRANULE 16
#define MOST 4096   /* bytes of a block with counts by place */
#define STEP 400000 /* ns, of the clock at first; one step is no gap */
#define NEAR 16	    /* other allocations of a thread: a short time */

/* A block from its allocation to its free, with all reallocations. */
struct chunk {
	uintptr_t p;
	size_t size;	       /* the last one */
	uint64_t chain;	       /* where it was allocated or reallocated last */
	size_t made;	       /* and which of `mades' that is */
	uint64_t birth, death; /* ns */
	uint64_t first, last;  /* access, ns; when `toucher' isn't 0 */
	uint16_t toucher;      /* thread of the first access */
	bool shared, growing, dead;
	uint64_t reads, writes;		/* accesses */
	uint64_t granule_reads, granule_writes;
	uint8_t *touched;		/* by byte */
	uint64_t (*granules)[2];	/* reads and writes */
};

/*
 * An allocation, by malloc or realloc, for the runs of growing sizes.  `nth':
 * how many its thread had made before.  Thread `by' freed or reallocated the
 * block at event `end' of the log (0: no thread did), and had made `left'
 * allocations by then.
 */
struct made {
	size_t number, chunk, size, nth, left, end;
	uint64_t chain;
	uint16_t thread, by;
};

static struct chunk *chunks;
static size_t nchunks;
static struct made *mades;
static size_t nmades;
static size_t nmades_of[UINT16_MAX + 1]; /* by each thread */
static uint64_t run_length;

/* Blocks that are live, by address. */
static size_t *live, nlive;

/* ------------------------------------------------------- reading the log -- */

/* The place in `live' of the last block at or below p, plus 1. */
static size_t
find(uintptr_t p)
{
	size_t low = 0, high = nlive;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (chunks[live[mid]].p <= p)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The block with address p in it, or NULL. */
static struct chunk *
chunk_at(uintptr_t p)
{
	size_t i = find(p);
	struct chunk *c = i ? &chunks[live[i - 1]] : NULL;

	return c && p < c->p + c->size + !c->size ? c : NULL;
}

static void
insert(struct chunk *c)
{
	size_t i = find(c->p);

	memmove(&live[i + 1], &live[i], (nlive++ - i) * sizeof(live[0]));
	live[i] = (size_t)(c - chunks);
}

static void
take_out(struct chunk *c)
{
	size_t i = find(c->p);

	memmove(&live[i - 1], &live[i], (nlive-- - i) * sizeof(live[0]));
}

static size_t
granules(size_t size)
{
	return (size + GRANULE - 1) / GRANULE;
}

/* The block is freed or reallocated. */
static void
goes(const struct chunk *c, const struct naive_event *e)
{
	struct made *m = &mades[c->made];

	m->by = e->thread;
	m->left = nmades_of[e->thread];
	m->end = (size_t)(e - naive_events);
}

static void
allocated(const struct naive_event *e)
{
	struct chunk *c = e->old ? chunk_at(e->old) : NULL;
	uint64_t(*had)[2] = c ? c->granules : NULL;
	uint8_t *touched = c ? c->touched : NULL;
	size_t keep = c ? c->size : 0;

	if (c) {
		goes(c, e);
		take_out(c);
	} else {
		c = &chunks[nchunks++];
		c->birth = e->at;
	}
	if (keep > e->size)
		keep = e->size;
	c->p = e->p;
	c->size = e->size;
	c->chain = e->chain;
	c->touched = naive_room(e->size);
	c->granules = naive_room(granules(e->size) * sizeof(*had));
	if (keep) {
		memcpy(c->touched, touched, keep);
		memcpy(c->granules, had, granules(keep) * sizeof(*had));
	}
	insert(c);
	c->made = nmades;
	mades[nmades] = (struct made){ .number = nmades,
				       .chunk = (size_t)(c - chunks),
				       .size = e->size,
				       .nth = nmades_of[e->thread]++,
				       .end = SIZE_MAX,
				       .chain = e->chain,
				       .thread = e->thread };
	nmades++;
}

static void
accessed(const struct naive_event *e)
{
	struct chunk *c = chunk_at(e->p);
	bool write = e->kind == NAIVE_WRITE;
	size_t at, g;

	if (!c)
		return;
	at = e->p - c->p;
	memset(c->touched + at, 1, e->size);
	for (g = at / GRANULE; g <= (at + e->size - 1) / GRANULE; g++) {
		c->granules[g][write]++;
		*(write ? &c->granule_writes : &c->granule_reads) += 1;
	}
	*(write ? &c->writes : &c->reads) += 1;
	if (!c->toucher) {
		c->toucher = e->thread;
		c->first = e->at;
	}
	if (c->toucher != e->thread)
		c->shared = true;
	c->last = e->at;
}

static void
read_log(void)
{
	struct chunk *c;
	size_t i;

	for (i = 0; i < naive_nevents; i++) {
		const struct naive_event *e = &naive_events[i];

		if (e->kind == NAIVE_ALLOC) {
			allocated(e);
		} else if (e->kind != NAIVE_FREE) {
			accessed(e);
		} else if ((c = chunk_at(e->p))) {
			goes(c, e);
			c->death = e->at;
			c->dead = true;
			take_out(c);
		}
	}
	for (c = chunks; c < chunks + nchunks; c++)
		if (!c->dead)
			c->death = run_length;
}

static int
by_thread(const void *a, const void *b)
{
	const struct made *m = a, *n = b;

	if (m->chain != n->chain)
		return m->chain < n->chain ? -1 : 1;
	if (m->thread != n->thread)
		return m->thread < n->thread ? -1 : 1;
	return m->number < n->number ? -1 : m->number > n->number;
}

/*
 * Is m in the place of the allocation before it?  The same thread freed that
 * one: shortly before m was made; or shortly after, while m lived and was the
 * newest one (`next' is the one after it, or NULL).
 */
static bool
replaces(const struct made *m, const struct made *before,
	 const struct made *next)
{
	if (before->by != m->thread)
		return false;
	if (before->left <= m->nth)
		return m->nth - before->left <= NEAR;
	return before->left - m->nth - 1 <= NEAR && before->end < m->end &&
	       (!next || before->left <= next->nth);
}

static bool
same_row(const struct made *m, const struct made *n)
{
	return m->chain == n->chain && m->thread == n->thread;
}

/*
 * Counts the fourth and later ones of a row in which each is larger than the
 * one before and in its place.  A block that was reallocated counts by its last
 * realloc.
 */
static void
find_growing(void)
{
	const struct made *m, *before, *next;
	size_t i, row = 0;

	qsort(mades, nmades, sizeof(mades[0]), by_thread);
	for (i = 0; i < nmades; i++) {
		m = &mades[i];
		before = m - 1;
		next = i + 1 < nmades && same_row(m, m + 1) ? m + 1 : NULL;
		if (i && same_row(m, before) && m->size > before->size &&
		    replaces(m, before, next))
			row++;
		else
			row = 1;
		if (m->number == chunks[m->chunk].made)
			chunks[m->chunk].growing = row >= 4;
	}
}

/* ---------------------------------------------------------- the formulas -- */

static bool exact; /* in bytes and ns, not in granules and steps */

/*
 * A time in the clock's steps: of 400 us for the first 2048 steps, of twice
 * that for as long again, and so on.
 */
static uint64_t
when(uint64_t t)
{
	uint64_t step = STEP;

	if (exact)
		return t;
	while (t >= step * 2048)
		step *= 2;
	return t - t % step;
}

enum flag {
	UNUSED,
	WRITE_ONLY,
	READ_ONLY,
	SHORT,
	EARLY,
	LATE,
	GROWING,
	SHARED,
	LOW,
	NFLAG
};
static const char *const flag_names[NFLAG] = {
	"unused", "write-only", "read-only", "short",  "early",
	"late",	  "growing",	"shared",    "low-cover"
};

struct sums {
	uint64_t blocks, bytes, reads, writes, span, cover, span_used,
		cover_used, life;
	double useful;
	uint64_t flag_blocks[NFLAG], flag_bytes[NFLAG];
	uint64_t groups;
	double group_sum;
};

/* The span from the first touched byte to the last, and the touched bytes. */
static void
touched(const struct chunk *c, uint64_t *span, uint64_t *cover)
{
	uint64_t first = 0, end = 0, i;
	bool yes;

	*span = *cover = 0;
	for (i = 0; i < c->size; i++) {
		const uint64_t *g = c->granules[i / GRANULE];

		yes = exact ? c->touched[i] != 0 : g[0] + g[1] != 0;
		if (!yes)
			continue;
		if (!*cover)
			first = i;
		end = i + 1;
		*cover += 1;
	}
	*span = end - first;
}

static void
flag(struct sums *s, enum flag f, bool set, const struct chunk *c)
{
	if (!set)
		return;
	s->flag_blocks[f]++;
	s->flag_bytes[f] += c->size;
}

static void
add_chunk(struct sums *s, const struct chunk *c)
{
	uint64_t birth = when(c->birth), death = when(c->death);
	uint64_t first = when(c->first), last = when(c->last);
	uint64_t life = death - birth, span, cover;
	uint64_t reads = exact ? c->reads : c->granule_reads;
	uint64_t writes = exact ? c->writes : c->granule_writes;
	bool any = c->toucher != 0;

	touched(c, &span, &cover);
	s->blocks++;
	s->bytes += c->size;
	s->reads += reads;
	s->writes += writes;
	s->span += span;
	s->cover += cover;
	if (reads && writes) {
		s->span_used += span;
		s->cover_used += cover;
	}
	s->life += life;
	if (any)
		s->useful += life ? (double)(last - first) / (double)life : 1;
	flag(s, UNUSED, !any, c);
	flag(s, WRITE_ONLY, writes && !reads, c);
	flag(s, READ_ONLY, reads && !writes, c);
	flag(s, SHORT, !life || life * 1000 < death, c);
	flag(s, EARLY, any && 2 * (first - birth) > life, c);
	flag(s, LATE, any && 2 * (death - last) > life, c);
	flag(s, GROWING, c->growing, c);
	flag(s, SHARED, c->shared, c);
	flag(s, LOW, any && 2 * cover < c->size, c);
}

static int
by_birth(const void *a, const void *b)
{
	const struct chunk *c = a, *d = b;

	if (c->chain != d->chain)
		return c->chain < d->chain ? -1 : 1;
	return c->birth < d->birth ? -1 : c->birth > d->birth;
}

/* Writes the groups of chunks [i, end), of one call path, by birth, to f. */
static void
add_groups(FILE *f, struct sums *s, size_t i, size_t end)
{
	double tau = (double)run_length / 1000, life;
	uint64_t birth, last, death, n;

	if (tau < STEP)
		tau = STEP;
	while (i < end) {
		birth = last = when(chunks[i].birth);
		death = n = 0;
		for (life = 0; i < end; i++, n++) {
			const struct chunk *c = &chunks[i];

			if ((double)(when(c->birth) - last) > tau)
				break;
			last = when(c->birth);
			if (when(c->death) > death)
				death = when(c->death);
			life += (double)(when(c->death) - when(c->birth));
		}
		fprintf(f, " %lu,%lu,%lu,%lu,%.0f", birth, last, death, n,
			life);
		s->groups++;
		s->group_sum +=
			death == birth
				? 1
				: life / ((double)n * (double)(death - birth));
	}
}

/* -------------------------------------------------------------- printing -- */

static void
print_chain(FILE *f, const char *what, uint64_t chain, uintptr_t bias)
{
	const struct naive_chain *c = &naive_chains[chain];

	fprintf(f, "%s ", what);
	for (size_t i = 0; i < c->n; i++)
		fprintf(f, "%s%#lx", i ? "," : "", c->pc[i] - bias);
	fputs(c->n ? " " : "- ", f);
}

static void
print_sums(FILE *f, const struct sums *s)
{
	double bytes = (double)s->bytes, blocks = (double)s->blocks;

	fprintf(f,
		"blocks=%lu bytes=%lu reads=%lu writes=%lu span=%lu cover=%lu "
		"span-used=%lu cover-used=%lu life=%lu groups=%lu",
		s->blocks, s->bytes, s->reads, s->writes, s->span, s->cover,
		s->span_used, s->cover_used, s->life, s->groups);
	for (int i = 0; i < NFLAG; i++)
		fprintf(f, " %s=%lu/%lu", flag_names[i], s->flag_blocks[i],
			s->flag_bytes[i]);
	fprintf(f, " lifetime=%.6f usage=%.6f cover-score=%.6f useful=%.6f\n",
		s->group_sum / (double)s->groups, (double)s->span_used / bytes,
		(double)s->cover_used / bytes, s->useful / blocks);
}

/* For the chunks [i, end): the summed granules of those of one size. */
static void
print_size(FILE *f, size_t i, size_t end, size_t size, uintptr_t bias)
{
	size_t blocks = 0, g, n = granules(size < MOST ? size : MOST);
	uint64_t sum[MOST / GRANULE][2] = { { 0 } };

	for (size_t k = i; k < end; k++) {
		if (chunks[k].size != size)
			continue;
		blocks++;
		for (g = 0; g < n; g++) {
			sum[g][0] += chunks[k].granules[g][0];
			sum[g][1] += chunks[k].granules[g][1];
		}
	}
	print_chain(f, "fields", chunks[i].chain, bias);
	fprintf(f, "size=%zu blocks=%zu", size, blocks);
	for (g = 0; g < n; g++)
		fprintf(f, " %lu,%lu", sum[g][0], sum[g][1]);
	fputc('\n', f);
}

static void
print_fields(FILE *f, size_t i, size_t end, uintptr_t bias)
{
	for (size_t k = i; k < end; k++) {
		size_t before = i;

		while (chunks[before].size != chunks[k].size)
			before++;
		if (before == k && chunks[k].size)
			print_size(f, i, end, chunks[k].size, bias);
	}
}

static void
print_site(FILE *f, size_t i, size_t end, uintptr_t bias)
{
	for (int way = 0; way < 2; way++) {
		struct sums s = { 0 };

		exact = way == 1;
		for (size_t k = i; k < end; k++)
			add_chunk(&s, &chunks[k]);
		print_chain(f, exact ? "exact-groups" : "groups",
			    chunks[i].chain, bias);
		add_groups(f, &s, i, end);
		fputc('\n', f);
		print_chain(f, exact ? "exact" : "site", chunks[i].chain, bias);
		print_sums(f, &s);
	}
	print_fields(f, i, end, bias);
}

void
naive_print(FILE *f, uint64_t length, uintptr_t bias)
{
	size_t i, j;

	run_length = length;
	chunks = naive_room(naive_nevents * sizeof(chunks[0]));
	mades = naive_room(naive_nevents * sizeof(mades[0]));
	live = naive_room((naive_nevents + 1) * sizeof(live[0]));
	read_log();
	find_growing();
	for (i = j = 0; i < nchunks; i++)
		if (chunks[i].size) /* blocks of no bytes don't count */
			chunks[j++] = chunks[i];
	nchunks = j;
	qsort(chunks, nchunks, sizeof(chunks[0]), by_birth);
	fprintf(f, "length %lu\n", length);
	for (i = 0; i < nchunks; i = j) {
		for (j = i; j < nchunks && chunks[j].chain == chunks[i].chain;)
			j++;
		print_site(f, i, j, bias);
	}
}
