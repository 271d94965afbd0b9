/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=massif: massif.out, for ms_print.  It has a snapshot for each
 * snapshot of the profile and one for the peak.  Some have a tree of the
 * memory, from the functions that allocated it to their callers.
 */
#include "display/export/export.h"
#include "display/text/amount.h"
#include "display/text/intern.h"
#include "reduce/base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * massif's defaults: frames of a call path, percent.  Then the most snapshots
 * with trees: unmarked, and marked.
 */
enum { DEPTH = 30, THRESHOLD = 1, TREES = 10, MARKS = 100 };

/* A call in the tree: its number is that in `calls' plus 1; 0 is the root. */
struct node {
	const struct frame *frame; /* one of its frames */
	uint32_t parent;
	uint64_t bytes; /* in the current snapshot */
	size_t first, n; /* its callers in `order' */
};

struct massif {
	struct export *x;
	const struct profile *p;
	FILE *out;
	struct intern calls; /* pairs: node of the callee, function */
	struct node *nodes;
	size_t nnodes;
	uint32_t *leaf;	 /* for each site */
	uint32_t *order; /* nodes, with the callers of each node adjacent */
	unsigned snapshot;
	size_t mark; /* the next mark */
};

/* ------------------------------------------------------------- the tree -- */

/* Add the frames of a site, up to DEPTH, and note the node of the last. */
static int
export_massif_add_site(struct massif *m, size_t i)
{
	const struct frame *f = m->p->sites[i].leaf;
	uint32_t at = 0, n;

	/* An unknown call path is one unknown function. */
	for (unsigned depth = 0; depth < DEPTH && (f || !depth); depth++) {
		n = intern_pair(&m->calls, at, f ? (uintptr_t)f->func : 0);
		if (n == INTERN_FAILED)
			return -1;
		if (n + 1 == m->nnodes) {
			m->nodes[m->nnodes++] =
				(struct node){ .frame = f, .parent = at };
		}
		at = n + 1;
		f = f ? f->parent : NULL;
	}
	m->leaf[i] = at;
	return 0;
}

/* Make room for as many nodes as there can be. */
static int
make_room(struct massif *m)
{
	size_t n = 1;

	for (size_t i = 0; i < m->p->nsites; i++) {
		const struct frame *f = m->p->sites[i].leaf;

		n += !f ? 1 : f->depth < DEPTH ? f->depth : DEPTH;
	}
	m->nodes = export_room(m->x, n, sizeof *m->nodes);
	m->order = export_room(m->x, n, sizeof *m->order);
	m->leaf = export_room(m->x, m->p->nsites + 1, sizeof *m->leaf);
	return m->nodes && m->order && m->leaf ? 0 : -1;
}

/* Order the nodes so that the callers of each node are adjacent. */
static void
make_order(struct massif *m)
{
	size_t at = 0;

	for (size_t i = 1; i < m->nnodes; i++)
		m->nodes[m->nodes[i].parent].n++;
	for (size_t i = 0; i < m->nnodes; i++) {
		m->nodes[i].first = at;
		at += m->nodes[i].n;
		m->nodes[i].n = 0;
	}
	for (size_t i = 1; i < m->nnodes; i++) {
		struct node *parent = &m->nodes[m->nodes[i].parent];

		m->order[parent->first + parent->n++] = (uint32_t)i;
	}
}

static int
make_tree(struct massif *m)
{
	if (make_room(m))
		return -1;
	m->nnodes = 1;
	for (size_t i = 0; i < m->p->nsites; i++)
		if (export_massif_add_site(m, i))
			return -1;
	make_order(m);
	return 0;
}

/* Bytes of a site that were live at snapshot n; SIZE_MAX: at the peak. */
static uint64_t
export_massif_live(const struct profile *p, size_t site, size_t n)
{
	struct amounts c;

	if (n == SIZE_MAX)
		return p->sites[site].count.peak;
	c = amount_before(&p->time.sites[site], n);
	return amount_live(&c);
}

static void
fill_tree(struct massif *m, size_t n)
{
	for (size_t i = 0; i < m->nnodes; i++)
		m->nodes[i].bytes = 0;
	for (size_t i = 0; i < m->p->nsites; i++) {
		struct node *a = &m->nodes[m->leaf[i]];

		a->bytes = amount_add(a->bytes, export_massif_live(m->p, i, n));
	}
	/* A caller comes after its callees. */
	for (size_t i = m->nnodes; i-- > 1;) {
		struct node *a = &m->nodes[m->nodes[i].parent];

		a->bytes = amount_add(a->bytes, m->nodes[i].bytes);
	}
}

/* --------------------------------------------------------------- in text -- */

static void
export_massif_put_call(struct massif *m, const struct node *a)
{
	const struct func *f = a->frame ? a->frame->func : NULL;

	if (!f) {
		fputs("0x0: ???", m->out);
		return;
	}
	fprintf(m->out, "0x%" PRIX64 ": ",
		a->frame->addr ? a->frame->addr : f->addr);
	export_clean(m->out, f->name);
	if (f->call_line) {
		fputs(" (", m->out);
		export_clean(m->out, str_basename(f->call_file));
		fprintf(m->out, ":%u)", f->call_line);
	} else if (*f->module) {
		fputs(" (in ", m->out);
		export_clean(m->out, f->module);
		putc(')', m->out);
	}
}

static int
export_massif_compare(const void *va, const void *vb, void *nodes)
{
	uint32_t i = *(const uint32_t *)va, k = *(const uint32_t *)vb;
	const struct node *a = (struct node *)nodes + i;
	const struct node *b = (struct node *)nodes + k;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return (i > k) - (i < k);
}

/* One line for all callers below the threshold. */
static void
put_rest(struct massif *m, size_t n, uint64_t bytes, unsigned depth)
{
	fprintf(m->out,
		"%*sn0: %" PRIu64 " in %zu place%s, %sbelow massif's "
		"threshold (%d.00%%)\n",
		(int)depth, "", bytes, n, n == 1 ? "" : "s",
		n == 1 ? "" : "all ", THRESHOLD);
}

static void
put_node(struct massif *m, uint32_t i, uint64_t all, unsigned depth)
{
	const struct node *a = &m->nodes[i];
	uint32_t *child = m->order + a->first;
	uint64_t rest = 0;
	size_t n = 0, some = 0;

	qsort_r(child, a->n, sizeof *child, export_massif_compare, m->nodes);
	for (; some < a->n && m->nodes[child[some]].bytes; some++)
		if ((unsigned __int128)m->nodes[child[some]].bytes * 100 >=
		    (unsigned __int128)all * THRESHOLD)
			n++;
		else
			rest = amount_add(rest, m->nodes[child[some]].bytes);
	fprintf(m->out, "%*sn%zu: %" PRIu64 " ", (int)depth, "", n + (some > n),
		a->bytes);
	if (i)
		export_massif_put_call(m, a);
	else
		fputs("(heap allocation functions) malloc/new/new[], "
		      "--alloc-fns, etc.",
		      m->out);
	putc('\n', m->out);
	for (size_t k = 0; k < n; k++)
		put_node(m, child[k], all, depth + 1);
	if (some > n)
		put_rest(m, some - n, rest, depth + 1);
}

/* ------------------------------------------------------------- snapshots -- */

/* tree: "empty", "detailed" or "peak"; n: as in export_massif_live(). */
static void
export_massif_put_snapshot(struct massif *m, uint64_t at, uint64_t bytes,
			   size_t n, const char *tree)
{
	fprintf(m->out,
		"#-----------\nsnapshot=%u\n#-----------\n"
		"time=%" PRIu64 "\nmem_heap_B=%" PRIu64 "\n"
		"mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n",
		m->snapshot++, at / 1000000, bytes, tree);
	if (!strcmp(tree, "empty"))
		return;
	fill_tree(m, n);
	put_node(m, 0, bytes, 0);
}

static uint64_t
export_massif_total(const struct profile *p, size_t n)
{
	const struct amounts *c = n ? &p->time.total[n - 1] : NULL;

	return c ? amount_live(c) : 0;
}

/* Does snapshot n have one of the first MARKS marks?  Then it gets a tree. */
static bool
marked(struct massif *m, size_t n)
{
	const struct profile_time *time = &m->p->time;
	size_t most = time->nmarks < MARKS ? time->nmarks : MARKS;
	bool is = false;

	for (; m->mark < most && time->marks[m->mark].snapshot <= n; m->mark++)
		is |= time->marks[m->mark].snapshot == n;
	return is;
}

/* The snapshot with most bytes, if the peak itself is unknown. */
static size_t
export_massif_largest(const struct profile *p)
{
	size_t n = 0;

	for (size_t i = 1; i <= p->time.n; i++)
		if (export_massif_total(p, i) > export_massif_total(p, n))
			n = i;
	return n;
}

static void
export_massif_put_all(struct massif *m)
{
	const struct profile *p = m->p;
	bool trees = p->time.sites != NULL, exact = p->peaks_known && p->peak;
	size_t peak = exact ? SIZE_MAX : export_massif_largest(p),
	       n = p->time.n;

	export_massif_put_snapshot(m, 0, 0, 0, "empty");
	for (size_t i = 1; i <= n; i++) {
		bool some = marked(m, i) || i == n || i * TREES % n < TREES;

		if (exact && p->peak_at < p->time.at[i - 1]) {
			export_massif_put_snapshot(m, p->peak_at, p->total.peak,
						   SIZE_MAX, "peak");
			exact = false;
		}
		export_massif_put_snapshot(m, p->time.at[i - 1],
					   export_massif_total(p, i), i,
					   !trees || !export_massif_total(p, i)
						   ? "empty"
					   : i == peak ? "peak"
					   : some      ? "detailed"
						       : "empty");
	}
	/* No snapshot was after the peak. */
	if (exact)
		export_massif_put_snapshot(m, p->peak_at, p->total.peak,
					   SIZE_MAX, "peak");
}

int
export_massif(struct export *x)
{
	const struct profile *p = x->p;
	struct massif m = { .x = x, .p = p, .out = x->out };
	int status = make_tree(&m);

	intern_fini(&m.calls);
	if (status)
		return -1;
	fprintf(x->out, "desc: mpreduce %s --export=massif", MEMMON_VERSION);
	if (x->note)
		fprintf(x->out, "; %s", x->note);
	fputs("\ncmd: ", x->out);
	export_clean(x->out, p->nruns && *p->runs[0].command
				     ? p->runs[0].command
				     : "(not known)");
	fputs("\ntime_unit: ms\n", x->out);
	export_massif_put_all(&m);
	return 0;
}
