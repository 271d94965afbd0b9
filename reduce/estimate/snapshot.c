/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find a time of a run by its text on the command line, and its snapshot. */
#include "reduce/estimate/snapshot.h"
#include "reduce/base/err.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Time of the end of the run, in ns after start; 0 if unknown. */
static uint64_t
snapshot_end(const struct mon *m)
{
	if (m->times_known && m->nsnapshots)
		return m->snapshots[m->nsnapshots - 1].at;
	return m->run[MONOUT_R_LENGTH].set ? m->run[MONOUT_R_LENGTH].number : 0;
}

const char *
snapshot_seconds(struct arena *a, uint64_t ns)
{
	uint64_t s = ns / 1000000000, us = ns % 1000000000 / 1000;

	if (!ns)
		return "0 s";
	if (s)
		return arena_print(a, "%" PRIu64 ".%03" PRIu64 " s", s,
				   us / 1000);
	return us ? arena_print(a, "0.%06" PRIu64 " s", us)
		  : arena_print(a, "%" PRIu64 " ns", ns);
}

static uint64_t
rounded(long double ns)
{
	ns += 0.5L;
	return ns < (long double)UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

/* Read a time, or a share of the run.  False if text is neither. */
static bool
snapshot_number(const char *text, uint64_t end, uint64_t *ns)
{
	const char *behind = text + strlen(text);
	long double v;

	if (units_parse(text, behind, UNITS_TIME, &v))
		*ns = rounded(v);
	else if (behind > text && behind[-1] == '%' &&
		 units_parse(text, behind, UNITS_SHARE, &v))
		/* 100% is exactly the end, without rounding. */
		*ns = v == 1 ? end : rounded(v * (long double)end);
	else
		return false;
	return true;
}

/* -------------------------------------------------------------- by name -- */

/*
 * Find the want-th mark of a name.  Returns how many marks have the name;
 * *which is set if there is a want-th one.
 */
static size_t
snapshot_marks(const struct mon *m, const char *name, size_t length,
	       size_t want, const struct mon_mark **which)
{
	size_t i, n = 0;

	for (i = 0; i < m->nmarks; i++) {
		if (strlen(m->marks[i].name) != length ||
		    memcmp(m->marks[i].name, name, length) != 0)
			continue;
		if (++n == want)
			*which = &m->marks[i];
	}
	return n;
}

/*
 * "NAME#N": returns N and sets *length to the length of NAME; 0 if it has
 * another form.
 */
static size_t
snapshot_nth(const char *name, size_t *length)
{
	const char *hash = strrchr(name, '#');
	unsigned long n;
	char *end;

	if (!hash || hash[1] < '1' || hash[1] > '9')
		return 0;
	n = strtoul(hash + 1, &end, 10);
	*length = (size_t)(hash - name);
	return *end ? 0 : n;
}

/* Write the error, with as many names of marks as fit into a line. */
static int
snapshot_no_mark(const struct mon *m, const char *option, const char *name,
		 struct err *e)
{
	char names[400] = "";
	size_t i, n = 0, length, shown = 0;
	const struct mon_mark *first;

	if (!m->nmarks)
		return err_set(e,
			       "%s=mark:%s: %s; a program sets marks with "
			       "memmon_mark()",
			       option, name,
			       m->marks_dropped
				       ? "several runs have no common marks"
				       : "the program set no marks");
	for (i = 0; i < m->nmarks; i++) {
		first = NULL;
		length = strlen(m->marks[i].name);
		snapshot_marks(m, m->marks[i].name, length, 1, &first);
		if (first != &m->marks[i])
			continue;
		if (n + length + 3 >= sizeof(names) || shown == 20) {
			snprintf(names + n, sizeof(names) - n, ", ...");
			break;
		}
		n += (size_t)snprintf(names + n, sizeof(names) - n - 5, "%s%s",
				      n ? ", " : "", m->marks[i].name);
		if (n > sizeof(names) - 6)
			break;
		shown++;
	}
	for (n = 0; names[n]; n++)
		if ((unsigned char)names[n] < ' ' || names[n] == '\177')
			names[n] = '?';
	return err_set(e,
		       "%s=mark:%s: no mark has this name; the marks are: %s",
		       option, name, names);
}

static int
snapshot_mark(struct snapshot *x, const struct mon *m, const char *option,
	      const char *name, struct err *e)
{
	size_t length = strlen(name), nth;

	x->kind = SNAPSHOT_MARK;
	x->which = 1;
	x->of = snapshot_marks(m, name, length, 1, &x->mark);
	if (!x->of && (nth = snapshot_nth(name, &length))) {
		x->which = nth;
		x->of = snapshot_marks(m, name, length, nth, &x->mark);
		if (x->of && !x->mark)
			return err_set(e,
				       "%s=mark:%s: this name has %zu mark%s",
				       option, name, x->of,
				       x->of == 1 ? "" : "s");
	}
	if (!x->mark)
		return snapshot_no_mark(m, option, name, e);
	x->time = x->mark->time;
	return 0;
}

/* ------------------------------------------------------ any kind of time -- */

/* Find the snapshot; only times in the timeline have one. */
static void
snapshot_place(struct snapshot *x, const struct mon *m)
{
	size_t n = m->times_known ? m->nsnapshots : 0, low = n;

	if (x->kind != SNAPSHOT_END)
		low = SORT_PLACE(i, n, m->snapshots[i].at <= x->time);
	x->n = low;
	x->at = low ? m->snapshots[low - 1].at : 0;
	/* The time of the last snapshot counts as the end. */
	if (x->kind == SNAPSHOT_TIME && low && low == m->nsnapshots)
		x->kind = SNAPSHOT_END;
}

int
snapshot_find(struct snapshot *x, const struct mon *m, const char *option,
	      const char *text, struct err *e)
{
	uint64_t end = snapshot_end(m);
	struct arena a = { 0 };

	*x = (struct snapshot){ .time = end };
	if (!strcmp(text, "end"))
		x->kind = SNAPSHOT_END;
	else if (!strcmp(text, "start"))
		*x = (struct snapshot){ .kind = SNAPSHOT_START };
	else if (!strcmp(text, "peak"))
		*x = (struct snapshot){ .kind = SNAPSHOT_PEAK,
					.time = m->total[MONOUT_T_PEAK_AT] };
	else if (!strncmp(text, "mark:", 5)) {
		if (snapshot_mark(x, m, option, text + 5, e))
			return -1;
	} else if (!snapshot_number(text, end, &x->time)) {
		return err_set(e,
			       "%s=%s: not a time; give 3s (ns, us, ms, s, m, "
			       "h), 5%%, start, peak, end or mark:NAME",
			       option, text);
	} else if (x->time > end && end) {
		err_set(e, "%s=%s: %s %s; give an earlier time, or end", option,
			text,
			m->run[MONOUT_R_SEEN].set &&
					!m->run[MONOUT_R_RUNNING].number
				? "the last event that was timed was at"
				: "the run lasted",
			snapshot_seconds(&a, end));
		arena_fini(&a);
		return -1;
	}
	snapshot_place(x, m);
	return 0;
}

const char *
snapshot_text(struct arena *a, const struct snapshot *x)
{
	const char *time = snapshot_seconds(a, x->time);
	const char *at = snapshot_seconds(a, x->at);
	const char *name = x->mark ? clean_name(a, x->mark->name) : "";

	switch (x->kind) {
	case SNAPSHOT_START:
		return "the start";
	case SNAPSHOT_END:
		return arena_print(a, "the end, %s", time);
	case SNAPSHOT_PEAK:
		return arena_print(a, "the peak, %s", time);
	case SNAPSHOT_MARK:
		if (x->of > 1)
			return arena_print(a,
					   "mark %s, %s (%zu of %zu of that "
					   "name)",
					   name, time, x->which, x->of);
		return arena_print(a, "mark %s, %s", name, time);
	case SNAPSHOT_TIME:
		break;
	}
	if (!strcmp(at, time))
		return at;
	return arena_print(a, "%s (%s before %s)", at,
			   x->n ? "the last snapshot"
				: "the start, the last snapshot",
			   time);
}
