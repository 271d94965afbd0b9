/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write a merged struct mon in the format of mon.out(5). */
#define _GNU_SOURCE
#include "reduce/monout/sum.h"
#include "reduce/base/err.h"
#include "reduce/base/replace.h"
#include "reduce/monout/items.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------- the content -- */

static void
sum_run(struct emit *e, const struct mon *m)
{
	enum { SAME, OWN, SUM, LEAST, OR, MOST, CAP, FIRST };
	static const unsigned char how[MONOUT_R_MAX] = {
#define K(name, kind, how) [MONOUT_R_##name] = how,
		MONREC_RUN_KEYS(K)
#undef K
	};
	const struct mon_value *v;
	uint64_t i;

	emit_open(e, MONOUT_RUN, 0);
	for (i = 1; i < MONOUT_R_MAX; i++) {
		v = &m->run[i];
		if (!v->set || how[i] == OWN ||
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
sum_sampled(struct emit *e, const struct mon *m)
{
	const struct profile_sample *s = &m->sample;

	if (!s->rate)
		return;
	if (s->all_known) {
		emit_key_number(e, MONOUT_T_ALL_ALLOCS, s->all_allocs);
		emit_key_number(e, MONOUT_T_ALL_BYTES, s->all_bytes);
	}
	emit_key_number(e, MONOUT_T_SAMPLES, s->blocks);
	emit_key_number(e, MONOUT_T_SOME, s->some);
}

/*
 * Write the number of items of a table, and the table's own sums, if the table
 * is known.
 */
static void
sum_count(struct emit *e, const struct mon *m, enum mon_kind kind,
	  const uint64_t items[MON_NKIND])
{
	if (items[kind] == SUM_NOT_KNOWN)
		return;
	emit_key_number(e, items_claim(kind), items[kind]);
	if (kind == MON_PEAKS) {
		emit_key_number(e, MONOUT_T_PEAK_BLOCKS, m->peak_blocks);
		emit_key_number(e, MONOUT_T_PEAK_BYTES, m->peak_bytes);
	}
	if (kind == MON_HANDED) {
		emit_key_number(e, MONOUT_T_READS, m->use.reads);
		emit_key_number(e, MONOUT_T_WRITES, m->use.writes);
	}
}

static void
sum_totals(struct emit *e, const struct mon *m, const uint64_t items[MON_NKIND])
{
	int i;

	emit_open(e, MONOUT_TOTALS, 0);
	if (!m->incomplete) {
		emit_key_number(e, MONOUT_T_ALLOCS, m->sums.allocs);
		emit_key_number(e, MONOUT_T_BYTES, m->sums.bytes);
		emit_key_number(e, MONOUT_T_FREES, m->sums.frees);
		emit_key_number(e, MONOUT_T_FREED, m->sums.freed);
		emit_key_number(e, MONOUT_T_REALLOCS, m->sums.reallocs);
	}
	for (i = MON_MODULES; i <= MON_BINS; i++)
		sum_count(e, m, i, items);
	for (i = MONOUT_T_PEAK; i < MONOUT_T_MAX; i++) {
		if (m->total_set[i])
			emit_key_number(e, (uint64_t)i, m->total[i]);
	}
	for (i = MON_PEAKS; i < MON_ERRORS; i++)
		sum_count(e, m, i, items);
	sum_count(e, m, MON_SNAPSHOTS, items);
	sum_count(e, m, MON_CHANGES, items);
	sum_sampled(e, m);
	sum_count(e, m, MON_ERRORS, items);
	for (i = MON_SNAPSHOTS + 1; i < MON_TOTALS; i++)
		sum_count(e, m, i, items);
	emit_close(e);
}

/*
 * A reader takes the figures of the sum's minor version for known: reduce it
 * below the first version with one that isn't, as some files are older.
 */
static void
sum_minor(struct emit *e, const struct mon *m)
{
	uint16_t minor = MONOUT_MINOR;

#define F(name, member, since) \
	if (!(m->figures_known >> MONOUT_FIGURE_##name & 1) && minor >= since) \
		minor = since - 1;
	MONREC_FIGURE_KINDS(F)
#undef F
	if (!m->figures_known || e->failed)
		return;
	memcpy(e->data + offsetof(struct monout_header, minor), &minor,
	       sizeof(minor));
	emit_header_crc(e);
}

void
sum_content(struct emit *e, const struct mon *m)
{
	uint64_t items[MON_NKIND];

	emit_header(e, MONOUT_F_SUM);
	sum_minor(e, m);
	sum_run(e, m);
	sum_tables(e, m, items);
	sum_totals(e, m, items);
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

/* Write to a new file in the directory of path and move it to path. */
static int
sum_replace(const char *path, const struct emit *e)
{
	struct replace r;
	int fd = replace_open(&r, path), status, saved;

	if (fd < 0)
		return -1;
	status = sum_put(fd, e->data, e->length);
	saved = errno;
	if (close(fd) && !status) {
		status = -1;
		saved = errno;
	}
	if (replace_close(&r, !status))
		return -1;
	errno = saved;
	return status;
}

int
sum_write(const struct merge *g, const char *path, struct err *err)
{
	struct emit e = { 0 };
	struct stat st;
	int status;

	if (err_if_program(err, path))
		return -1;
	sum_content(&e, &g->all);
	if (e.failed) {
		emit_fini(&e);
		return err_set(err, "%s: a record of the sum is too long",
			       path);
	}
	if (!strcmp(path, "-"))
		status = sum_put(STDOUT_FILENO, e.data, e.length);
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		status = sum_direct(path, &e);
	else
		status = sum_replace(path, &e);
	if (status)
		err_set(err,
			"%s: can't write the sum: %s; choose another file with "
			"-o",
			strcmp(path, "-") ? path : "standard output",
			strerror(errno));
	emit_fini(&e);
	return status;
}
