/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the reducer's results for data files, for tests of exact types and of
 * how blocks were used; no other figures:
 *
 *	usedump [-t TAU] [-n] [-w] PROGRAM FILE...
 *
 * -n: no types by size; -w: no wrappers are skipped.  A line each for
 *
 *	site PATH TYPE SIZE	by path, innermost function first; its use
 *	func NAME		its use, if it has one
 *	type NAME SIZE		allocations and bytes; its use
 *	bin SIZE		marks and names of types
 *	fields SITE|- TYPE SIZE	blocks; reads/writes by granule; members
 *	sums			sums over those that don't agree
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reduce/model/counts.h"
#include "reduce/profile/profile.h"

static void
print_path(const struct site *s)
{
	const struct frame *f = s ? s->leaf : NULL;

	if (!f)
		putchar('-');
	for (; f; f = f->parent)
		printf("%s%s", f->func->name, f->parent ? "<" : "");
}

static void
print_use(const struct use *u)
{
	struct score s;
	int i;

	if (!u || !u->blocks) {
		puts(" -");
		return;
	}
	s = profile_score(u);
	printf(" %" PRIu64 "/%" PRIu64 " r%" PRIu64 " w%" PRIu64 " %.4f %.4f"
	       " %.4f %u",
	       u->blocks, u->bytes, u->reads, u->writes, s.lifetime, s.usage,
	       s.useful, s.step);
	for (i = 0; i < PROFILE_NFLAG; i++) {
		if (u->flag_blocks[i])
			printf(" f%d:%" PRIu64, i, u->flag_blocks[i]);
	}
	putchar('\n');
}

static int
compare_sites(const void *a, const void *b)
{
	const struct frame *x = ((const struct site *)a)->leaf;
	const struct frame *y = ((const struct site *)b)->leaf;
	int c;

	for (; x && y; x = x->parent, y = y->parent) {
		c = strcmp(x->func->name, y->func->name);
		if (c)
			return c;
	}
	return !x - !y;
}

static int
compare_funcs(const void *a, const void *b)
{
	return strcmp((*(struct func *const *)a)->name,
		      (*(struct func *const *)b)->name);
}

/* Sorts a copy of the sites: pointers into the array must stay right. */
static void
print_sites(const struct profile *p)
{
	struct site *v = calloc(p->nsites + 1, sizeof(*v));
	size_t i;

	if (!v)
		return;
	memcpy(v, p->sites, p->nsites * sizeof(*v));
	qsort(v, p->nsites, sizeof(*v), compare_sites);
	for (i = 0; i < p->nsites; i++) {
		printf("site ");
		print_path(&v[i]);
		if (v[i].type)
			printf(" %c%s %" PRIu64, v[i].type_mark, v[i].type,
			       v[i].type_size);
		else
			printf(" ?");
		print_use(v[i].use);
	}
	free(v);
	qsort(p->funcs, p->nfuncs, sizeof(struct func *), compare_funcs);
	for (i = 0; i < p->nfuncs; i++) {
		if (!p->funcs[i]->use.blocks)
			continue;
		printf("func %s", p->funcs[i]->name);
		print_use(&p->funcs[i]->use);
	}
}

static void
print_types(const struct profile *p)
{
	const struct type_row *t;
	size_t i, k;

	for (i = 0; i < p->ntypes; i++) {
		t = &p->types[i];
		printf("type %c%s %" PRIu64 " %" PRIu64 "/%" PRIu64 " %" PRIu64
		       "/%" PRIu64,
		       t->mark, t->name, t->size, t->allocs, t->bytes, t->frees,
		       t->freed);
		print_use(&t->use);
	}
	for (i = 0; i < p->nbins; i++) {
		printf("bin %" PRIu64, p->bins[i].size);
		for (k = 0; k < p->bins[i].ntypes; k++)
			printf(" %c%s", p->bins[i].types[k].mark,
			       p->bins[i].types[k].name);
		putchar('\n');
	}
}

static void
print_fields(const struct profile *p)
{
	const struct fields *f;
	const struct member *m;
	size_t i, k;

	for (i = 0; i < p->nfields; i++) {
		f = &p->fields[i];
		printf("fields ");
		print_path(f->site);
		printf(" %s %" PRIu64 " of %" PRIu64 " x%" PRIu64 ":",
		       f->type ? f->type : "?", f->type_size, f->size,
		       f->blocks);
		for (k = 0; k < f->n; k++)
			printf(" %" PRIu64 "/%" PRIu64, f->reads[k],
			       f->writes[k]);
		putchar('\n');
		for (k = 0; k < f->nmembers; k++) {
			m = &f->members[k];
			printf("  %*s%" PRIu64 "+%" PRIu64 " %s: %s\n",
			       2 * (int)m->depth, "", m->offset, m->size,
			       *m->name ? m->name : "-", m->type);
		}
	}
}

/* Compares sums that are computed in several ways. */
static void
print_sums(const struct profile *p)
{
	uint64_t n[3][3] = { { 0 } }, lone[3] = { 0 }, allocs = 0;
	const struct use *u;
	size_t i;
	int k;

	for (i = 0; i < p->nsites; i++) {
		u = p->sites[i].use;
		n[0][0] += u ? u->blocks : 0;
		n[0][1] += u ? u->reads : 0;
		n[0][2] += u ? u->groups : 0;
		if (u && !p->sites[i].leaf) {
			lone[0] += u->blocks;
			lone[1] += u->reads;
			lone[2] += u->groups;
		}
	}
	for (i = 0; i < p->nfuncs; i++) {
		n[1][0] += p->funcs[i]->use.blocks;
		n[1][1] += p->funcs[i]->use.reads;
		n[1][2] += p->funcs[i]->use.groups;
	}
	for (i = 0; i < p->ntypes; i++) {
		n[2][0] += p->types[i].use.blocks;
		n[2][1] += p->types[i].use.reads;
		n[2][2] += p->types[i].use.groups;
		allocs += p->types[i].allocs;
	}
	/* Groups of several sites are joined if they overlap in time. */
	for (k = 0; k < 3; k++) {
		if (k < 2 ? n[1][k] + lone[k] != n[0][k]
			  : n[1][k] + lone[k] > n[0][k])
			printf("sums: %d of functions\n", k);
		if (p->ntypes &&
		    (k < 2 ? n[2][k] != n[0][k] : n[2][k] > n[0][k]))
			printf("sums: %d of types\n", k);
	}
	if (p->uses_known && n[0][1] != p->reads)
		printf("sums: reads\n");
	if (p->ntypes && allocs != counts_sum(p->total.allocs))
		printf("sums: allocations of types\n");
	printf("known %d way %" PRIu64 " step %" PRIu64 " tau %" PRIu64
	       " why \"%s\" sites %" PRIu64 "\n",
	       p->uses_known, p->way, p->step, p->tau, p->uses_why,
	       p->program_sites);
}

int
main(int argc, char **argv)
{
	struct profile_options o = { .fields = true };
	struct profile p;
	struct err e;
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "t:nw")) != -1) {
		o.no_types |= c == 'n';
		o.no_wrappers |= c == 'w';
		if (c == 't')
			o.tau = atof(optarg);
	}
	if (argc - optind < 2)
		return 2;
	o.exe = argv[optind];
	o.files = (const char *const *)argv + optind + 1;
	o.nfiles = (size_t)(argc - optind - 1);
	if (profile_read(&p, &o, &e)) {
		fprintf(stderr, "usedump: %s\n", e.text);
		return 1;
	}
	for (i = 0; i < p.nwarnings; i++)
		fprintf(stderr, "usedump: %s\n", p.warnings[i]);
	print_sites(&p);
	print_types(&p);
	print_fields(&p);
	print_sums(&p);
	profile_fini(&p);
	return 0;
}
