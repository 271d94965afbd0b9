/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon in the format of mon.out(5). */
#define _GNU_SOURCE
#include "reduce/file/sum.h"
#include "reduce/base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Items of the tables that go by the sites. */
struct sum_known {
	uint64_t peaks, lives, uses, groups, handed, leaks, changes, errors;
};

/* ---------------------------------------------------------- the content -- */

static void
sum_run(struct emit *e, const struct mon *m)
{
	const struct mon_value *v;
	uint64_t i;

	emit_open(e, MONOUT_RUN, 0);
	for (i = 1; i < MONOUT_R_MAX; i++) {
		v = &m->run[i];
		if (!v->set || i == MONOUT_R_END || i == MONOUT_R_SIGNAL ||
		    i == MONOUT_R_RUNNING || i == MONOUT_R_SEEN ||
		    (i == MONOUT_R_LEAKCHECK && !m->leaks_all))
			continue;
		if (v->text)
			emit_key_string(e, i, v->text, v->length);
		else
			emit_key_number(e, i, v->number);
	}
	emit_key_number(e, MONOUT_R_END, MONOUT_E_SUM);
	emit_close(e);
}

static void
sum_modules(struct emit *e, const struct mon *m)
{
	const struct mon_module *o;
	size_t i;

	emit_open(e, MONOUT_MODULES, 1);
	for (i = 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		emit_number(e, o->start);
		emit_number(e, o->end);
		emit_number(e, o->bias);
		emit_number(e, o->flags);
		emit_string(e, o->id, o->idlen);
		emit_string(e, o->path, strlen(o->path));
		emit_item(e);
	}
	emit_close(e);
}

static void
sum_nodes(struct emit *e, const struct mon *m)
{
	size_t i;

	emit_open(e, MONOUT_NODES, 1);
	for (i = 1; i < m->nnodes; i++) {
		emit_number(e, i - m->nodes[i].parent);
		emit_number(e, m->nodes[i].module);
		emit_number(e, m->nodes[i].addr);
		emit_item(e);
	}
	emit_close(e);
}

static void
sum_site(struct emit *e, const struct mon_site *s)
{
	const struct counts *n = &s->count;
	uint64_t mask = 0;
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++)
		mask |= (uint64_t)(n->allocs[i] != 0) << i;
	emit_number(e, s->node);
	emit_number(e, s->reallocs);
	emit_number(e, mask);
	for (i = 0; i < PROFILE_NCLASS; i++) {
		if (!n->allocs[i])
			continue;
		emit_number(e, n->allocs[i]);
		emit_number(e, n->bytes[i]);
		emit_number(e, n->frees[i]);
		emit_number(e, n->freed[i]);
	}
	emit_item(e);
}

static void
sum_sites_bins(struct emit *e, const struct mon *m)
{
	size_t i;

	emit_open(e, MONOUT_SITES, 0);
	for (i = 0; i < m->nsites; i++)
		sum_site(e, &m->sites[i]);
	emit_close(e);
	emit_open(e, MONOUT_BINS, 0);
	for (i = 0; i < m->nbins; i++) {
		emit_number(e, m->bins[i].size);
		emit_number(e, m->bins[i].allocs);
		emit_number(e, m->bins[i].frees);
		emit_item(e);
	}
	emit_close(e);
}

/* Returns how many sites held something at the peak. */
static uint64_t
sum_peaks(struct emit *e, const struct mon *m)
{
	const struct mon_site *s;
	uint64_t n = 0;
	size_t i;

	emit_open(e, MONOUT_PEAKS, 0);
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		if (!s->peak_blocks)
			continue;
		emit_number(e, i);
		emit_number(e, s->peak_blocks);
		emit_number(e, s->count.peak);
		emit_item(e);
		n++;
	}
	emit_close(e);
	return n;
}

static void
sum_life(struct emit *e, uint64_t site, const struct life *x)
{
	unsigned first, end, i;

	emit_number(e, site);
	emit_number(e, x->temps);
	emit_number(e, x->near);
	emit_number(e, x->foreign);
	emit_number(e, x->moved);
	emit_number(e, x->copied);
	emit_number(e, x->longest);
	emit_number(e, x->timed);
	if (x->timed) {
		first = life_bin(x->min);
		end = life_bin(x->max) + 1;
		emit_number(e, x->weight);
		emit_number(e, x->sum);
		emit_number(e, x->min);
		emit_number(e, x->max);
		emit_number(e, first);
		emit_number(e, end - first);
		for (i = first; i < end; i++)
			emit_number(e, x->bin[i]);
	}
	emit_item(e);
}

/* Returns how many there are. */
static uint64_t
sum_lives(struct emit *e, const struct mon *m)
{
	struct life x;
	uint64_t n = 0;
	size_t i;

	emit_open(e, MONOUT_LIVES, 0);
	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].life)
			continue;
		life_get(&m->lives, m->sites[i].life, &x);
		sum_life(e, i, &x);
		n++;
	}
	emit_close(e);
	return n;
}

static void
sum_threads(struct emit *e, const struct mon *m)
{
	const struct mon_thread *x;
	size_t i;

	emit_open(e, MONOUT_THREADS, 0);
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		emit_number(e, x->flags);
		emit_number(e, x->threads);
		emit_string(e, x->name, strlen(x->name));
		emit_number(e, x->allocs);
		emit_number(e, x->bytes);
		emit_number(e, x->frees);
		emit_number(e, x->freed);
		emit_number(e, x->foreign);
		emit_item(e);
	}
	emit_close(e);
}

/* The tables that are written only when they are known; t gets what of them
 * stands among the totals. */
static void
sum_known(struct emit *e, const struct mon *m, struct sum_known *t)
{
	if (m->peaks_known)
		t->peaks = sum_peaks(e, m);
	if (m->lives_known)
		t->lives = sum_lives(e, m);
	if (m->threads_known)
		sum_threads(e, m);
	if (m->uses_known)
		sum_uses(e, m, &t->uses, &t->groups, &t->handed);
	t->leaks = sum_more(e, m);
	t->errors = sum_cells(e, m);
	t->changes = sum_times(e, m);
}

static void
sum_totals(struct emit *e, const struct mon *m, const struct sum_known *t)
{
	uint64_t i;

	emit_open(e, MONOUT_TOTALS, 0);
	if (!m->incomplete) {
		emit_key_number(e, MONOUT_T_ALLOCS, m->sums.allocs);
		emit_key_number(e, MONOUT_T_BYTES, m->sums.bytes);
		emit_key_number(e, MONOUT_T_FREES, m->sums.frees);
		emit_key_number(e, MONOUT_T_FREED, m->sums.freed);
		emit_key_number(e, MONOUT_T_REALLOCS, m->sums.reallocs);
	}
	/* Item 0 of modules and nodes isn't in the file. */
	emit_key_number(e, MONOUT_T_MODULES, m->nmodules - (m->nmodules > 0));
	emit_key_number(e, MONOUT_T_NODES, m->nnodes - (m->nnodes > 0));
	emit_key_number(e, MONOUT_T_SITES, m->nsites);
	emit_key_number(e, MONOUT_T_BINS, m->nbins);
	for (i = MONOUT_T_PEAK; i < MONOUT_T_MAX; i++) {
		if (m->total_set[i])
			emit_key_number(e, i, m->total[i]);
	}
	if (m->peaks_known) {
		emit_key_number(e, MONOUT_T_PEAKS, t->peaks);
		emit_key_number(e, MONOUT_T_PEAK_BLOCKS, m->peak_blocks);
		emit_key_number(e, MONOUT_T_PEAK_BYTES, m->peak_bytes);
	}
	if (m->lives_known)
		emit_key_number(e, MONOUT_T_LIVES, t->lives);
	if (m->threads_known)
		emit_key_number(e, MONOUT_T_THREADS, m->nthreads);
	if (m->uses_known) {
		emit_key_number(e, MONOUT_T_USES, t->uses);
		emit_key_number(e, MONOUT_T_GROUPS, t->groups);
		emit_key_number(e, MONOUT_T_FIELDS, m->nfields);
		emit_key_number(e, MONOUT_T_HANDED, t->handed);
		emit_key_number(e, MONOUT_T_READS, m->use.n[MON_U_READS]);
		emit_key_number(e, MONOUT_T_WRITES, m->use.n[MON_U_WRITES]);
	}
	if (m->nmarks)
		emit_key_number(e, MONOUT_T_MARKS, m->nmarks);
	if (m->leaks_known)
		emit_key_number(e, MONOUT_T_LEAKS, t->leaks);
	if (m->ntypes)
		emit_key_number(e, MONOUT_T_TYPES, m->ntypes - 1);
	if (m->cells_known)
		emit_key_number(e, MONOUT_T_CELLS, m->ncells);
	if (m->vtables_known)
		emit_key_number(e, MONOUT_T_VTABLES, m->nvtables);
	if (m->times_known)
		emit_key_number(e, MONOUT_T_MOMENTS, m->nmoments);
	if (m->changes_known)
		emit_key_number(e, MONOUT_T_CHANGES, t->changes);
	sum_sampled(e, m, t->errors);
	emit_close(e);
}

/* ------------------------------------------------------------- the file -- */

static int
sum_put(int fd, const unsigned char *p, size_t n)
{
	ssize_t done;

	while (n) {
		done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int
sum_direct(const char *path, const struct emit *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), status;

	if (fd < 0)
		return -1;
	status = sum_put(fd, e->data, e->length);
	return close(fd) || status ? -1 : 0;
}

/* Write to a new file of the directory of path and move it there. */
static int
sum_replace(const char *path, const struct emit *e)
{
	mode_t mask = umask(0);
	char *temporary;
	int fd, status, saved;

	umask(mask);
	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return -1;
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		free(temporary);
		return -1;
	}
	status = sum_put(fd, e->data, e->length);
	if (!status)
		status = fchmod(fd, 0666 & ~mask);
	status |= close(fd);
	if (!status)
		status = rename(temporary, path);
	if (status) {
		saved = errno;
		unlink(temporary);
		errno = saved;
	}
	free(temporary);
	return status ? -1 : 0;
}

int
sum_write(const struct merge *g, const char *path, struct err *err)
{
	const struct mon *m = &g->all;
	struct emit e = { 0 };
	struct sum_known known = { 0 };
	struct stat st;
	int status;

	emit_header(&e, MONOUT_F_SUM);
	sum_run(&e, m);
	sum_modules(&e, m);
	sum_nodes(&e, m);
	sum_sites_bins(&e, m);
	sum_known(&e, m, &known);
	sum_totals(&e, m, &known);
	if (e.failed) {
		emit_fini(&e);
		return err_memory(err);
	}
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		status = sum_direct(path, &e);
	else
		status = sum_replace(path, &e);
	if (status)
		err_set(err,
			"%s: can't write the sum: %s; run mpreduce -s "
			"where there is room and permission to write",
			path, strerror(errno));
	emit_fini(&e);
	return status;
}
