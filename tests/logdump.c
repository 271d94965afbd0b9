/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the log of blocks (memmon --log) that belongs to a data file:
 *
 *	logdump [-b] FILE
 *
 * A line for each block: address size born died thread freer flags function
 * reads writes first last; "-" for what is unknown.  Flags: r it was resized, f
 * another thread freed it, u its accesses are known.  Two more lines show the
 * log, and whether its blocks are those that the sites counted:
 *
 *	log BLOCKS FOLDED WHOLE_FROM MISSED DAMAGED LIVE
 *	sum BLOCKS LIVE COUNTED COUNTED_LIVE WRONG
 *
 * WRONG is the number of sites whose blocks differ.  -b: only those two lines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/profile/profile.h"

struct log_sums {
	uint64_t allocs, bytes, frees, freed;
};

struct dump {
	const struct profile *p;
	struct log_sums *site;
	bool quiet;
	uint64_t blocks, live;
};

static void
time_(uint64_t ns)
{
	if (ns == UINT64_MAX)
		printf(" -");
	else
		printf(" %" PRIu64, ns);
}

static const char *
name(const struct thread *x)
{
	return !x ? "-" : x->main ? "(main)" : *x->name ? x->name : "?";
}

static void
print(const struct block *b)
{
	printf("%#" PRIx64 " %" PRIu64, b->address, b->size);
	time_(b->early ? UINT64_MAX : b->born);
	time_(b->died);
	printf(" %s %s %s%s%s. %s", name(b->thread), name(b->freer),
	       b->resized ? "r" : "", b->by_others ? "f" : "",
	       b->used ? "u" : "",
	       b->site && b->site->leaf ? b->site->leaf->func->name : "-");
	printf(" %" PRIu64 " %" PRIu64, b->reads, b->writes);
	time_(b->first);
	time_(b->last);
	putchar('\n');
}

static int
block(void *arg, const struct block *b)
{
	struct dump *d = arg;
	size_t i = b->site ? (size_t)(b->site - d->p->sites) : d->p->nsites;
	struct log_sums *s = &d->site[i];
	bool live = b->died == UINT64_MAX;

	if (!d->quiet)
		print(b);
	d->blocks++;
	d->live += live;
	s->allocs++;
	s->bytes += b->size;
	s->frees += !live;
	s->freed += live ? 0 : b->size;
	return 0;
}

/* Returns the number of sites whose blocks differ from their counts. */
static unsigned
compare(const struct dump *d, uint64_t *counted, uint64_t *live)
{
	const struct profile *p = d->p;
	unsigned wrong = d->site[p->nsites].allocs != 0;
	struct log_sums n;

	for (size_t i = 0; i < p->nsites; i++) {
		const struct counts *c = &p->sites[i].count;

		n = (struct log_sums){ 0 };
		for (int k = 0; k < PROFILE_NCLASS; k++) {
			n.allocs += c->allocs[k];
			n.bytes += c->bytes[k];
			n.frees += c->frees[k];
			n.freed += c->freed[k];
		}
		wrong += memcmp(&n, &d->site[i], sizeof n) != 0;
		*counted += n.allocs;
		*live += n.allocs - n.frees;
	}
	return wrong;
}

int
main(int argc, char **argv)
{
	bool quiet = argc > 1 && !strcmp(argv[1], "-b");
	const char *file = argv[1 + quiet];
	struct profile_options o = { .files = &file,
				     .nfiles = 1,
				     .no_types = true,
				     .no_guess = true,
				     .no_wrappers = true,
				     .log = true };
	struct dump d = { .quiet = quiet };
	uint64_t counted = 0, live = 0;
	struct profile p;
	struct err e;
	unsigned wrong;

	if (argc != 2 + quiet)
		return 2;
	if (profile_read(&p, &o, &e)) {
		fprintf(stderr, "logdump: %s\n", e.text);
		return 1;
	}
	d.p = &p;
	d.site = calloc(p.nsites + 1, sizeof(*d.site));
	if (!d.site || profile_log_each(&p, block, &d, &e)) {
		printf("no log: %s\n", p.log.why);
		free(d.site);
		profile_fini(&p);
		return 1;
	}
	wrong = compare(&d, &counted, &live);
	printf("log %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %d\n",
	       p.log.blocks, p.log.folded, p.log.whole_from, p.log.missed,
	       p.log.damaged, p.log.live);
	printf("sum %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u\n",
	       d.blocks, d.live, counted, live, wrong);
	free(d.site);
	profile_fini(&p);
	return 0;
}
