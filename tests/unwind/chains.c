/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call paths of a data file, as oracle.h prints those of a program:
 *
 *	chains [-v] FILE ADDRESS [PROGRAM]
 *
 * Only call paths with innermost frame ADDRESS (hexadecimal, of oracle_after in
 * the file PROGRAM) or one in no module; the rest are the libraries'.  Equal
 * call paths are one line.  -v adds the frames, outermost first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/model/counts.h"
#include "reduce/image/open.h"
#include "tests/unwind/hash.h"

struct line {
	uint64_t hash;
	uint64_t n[4]; /* allocs, bytes, frees, freed */
	uint32_t node;
};

static struct mon mon;
static struct line *lines;
static size_t nlines;

static const char *
module_name(uint32_t m)
{
	const char *path = m && m < mon.nmodules ? mon.modules[m].path : "";
	const char *name = path ? strrchr(path, '/') : NULL;

	return name ? name + 1 : path ? path : "";
}

static int
is_root(uint32_t node)
{
	return node == 0 || node > MON_NUMBER_MAX;
}

/*
 * The walk ends in a coroutine's first frame in any case: the libc has rules
 * for its start, and none for the address that it returns to.
 */
static int
is_mark(uint32_t i, uint32_t child)
{
	const struct mon_node *n = &mon.nodes[i];

	if (n->module || n->addr > MONOUT_PC_STOPPED)
		return 0;
	return n->addr != MONOUT_PC_STOPPED || !child ||
	       strncmp(module_name(mon.nodes[child].module), "libc.", 5) != 0;
}

/* The hash from the root to node i; child: the node below it, or 0. */
static uint64_t
hash_chain(uint32_t i, uint32_t child)
{
	const struct mon_node *n;
	uint64_t above, own;

	if (is_root(i))
		return 0;
	n = &mon.nodes[i];
	above = hash_chain(n->parent, i);
	if (!n->module && n->addr <= MONOUT_PC_STOPPED)
		own = is_mark(i, child) ? hash_mark(n->addr) : 0;
	else
		own = hash_value(hash_name(module_name(n->module)), n->addr);
	return above * HASH_BASE + own;
}

static int
by_hash(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void
collect(uint64_t addr, const char *program)
{
	lines = calloc(mon.nsites + 1, sizeof(*lines));
	for (size_t i = 0; lines && i < mon.nsites; i++) {
		const struct mon_site *s = &mon.sites[i];
		const struct mon_node *n = &mon.nodes[s->node];
		struct line *l = &lines[nlines];

		if (is_root(s->node) || (!n->module && n->addr < 4096))
			continue;
		if (n->module && (n->addr != addr ||
				  strcmp(module_name(n->module), program) != 0))
			continue;
		l->hash = hash_chain(s->node, 0);
		l->hash += !l->hash;
		l->node = s->node;
		l->n[0] = counts_sum(s->count.allocs);
		l->n[1] = counts_sum(s->count.bytes);
		l->n[2] = counts_sum(s->count.frees);
		l->n[3] = counts_sum(s->count.freed);
		nlines++;
	}
}

static void
print_frames(uint32_t i)
{
	const struct mon_node *n = &mon.nodes[i];

	if (is_root(i))
		return;
	print_frames(n->parent);
	printf(" %s+%" PRIx64, module_name(n->module), n->addr);
}

static void
print(int verbose)
{
	for (size_t i = 0; i < nlines; i++) {
		struct line *l = &lines[i];

		if (i + 1 < nlines && lines[i + 1].hash == l->hash) {
			for (int k = 0; k < 4; k++)
				lines[i + 1].n[k] += l->n[k];
			continue;
		}
		printf("%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64,
		       l->hash, l->n[0], l->n[1], l->n[2], l->n[3]);
		if (verbose)
			print_frames(l->node);
		putchar('\n');
	}
}

int
main(int argc, char **argv)
{
	int verbose = argc > 1 && !strcmp(argv[1], "-v");
	const char *program;
	struct err e;

	argv += verbose;
	argc -= verbose;
	if (argc < 4)
		return 2;
	if (open_file(&mon, argv[1], &e)) {
		fprintf(stderr, "chains: cannot read %s\n", argv[1]);
		return 1;
	}
	program = strrchr(argv[3], '/');
	collect(strtoull(argv[2], NULL, 16), program ? program + 1 : argv[3]);
	qsort(lines, nlines, sizeof(*lines), by_hash);
	print(verbose);
	return 0;
}
