/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two runs did in all: see diff.h. */
#include "display/diff/diff.h"
#include "display/grid/notes.h"
#include "display/grid/table.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <string.h>

void
diff_number(char *buf, uint64_t n, bool bytes, bool human)
{
	number_bytes(buf, n, bytes && human);
}

void
diff_change(char *buf, uint64_t old, uint64_t new, bool bytes, bool human)
{
	if (new == old) {
		snprintf(buf, DIFF_CELL, "0");
		return;
	}
	*buf = new > old ? '+' : '-';
	diff_number(buf + 1, new > old ? new - old : old - new, bytes, human);
}

static void
runs(struct tables *t, const struct profile *p, const char *which)
{
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		line_add(&t->line, "%s: %s", which, r->path);
		if (r->problem) {
			line_add(&t->line, ": left out: %s", r->problem);
		} else {
			line_add(&t->line, ": %s",
				 *r->command ? r->command : r->program);
			if (r->length)
				line_add(&t->line, ", %s s",
					 number_seconds(buf, r->length));
			if (*r->end)
				line_add(&t->line, ", %s", r->end);
		}
		line_end(&t->line);
	}
	/* What is to be said of all of its figures. */
	t->p = p;
	tables_notes(t);
}

/* How much new is more than old, with a decimal; "-" more than nothing. */
static void
percent(char *buf, uint64_t old, uint64_t new)
{
	unsigned __int128 by = new > old ? new - old : old - new;

	if (!by)
		snprintf(buf, DIFF_CELL, "0.0");
	else if (!old)
		snprintf(buf, DIFF_CELL, "-");
	else
		snprintf(buf, DIFF_CELL, "%c%.1f", new > old ? '+' : '-',
			 (double)by * 100 / (double)old);
}

/* A line of the summary.  known: in both runs. */
static void
total(struct tables *t, const char *what, uint64_t old, uint64_t new,
      bool bytes, bool known)
{
	bool human = t->o->human;
	char buf[DIFF_CELL];

	line_left(&t->line, 22, what);
	if (!known) {
		line_say(&t->line, "%15s%15s%15s", "-", "-", "-");
		return;
	}
	diff_number(buf, old, bytes, human);
	line_right(&t->line, 15, buf);
	diff_number(buf, new, bytes, human);
	line_right(&t->line, 15, buf);
	diff_change(buf, old, new, bytes, human);
	line_right(&t->line, 15, buf);
	percent(buf, old, new);
	line_right(&t->line, 10, buf);
	line_end(&t->line);
}

static uint64_t
length(const struct profile *p)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < p->nruns; i++)
		ns = amount_add(ns, p->runs[i].length);
	return ns / 1000000;
}

static void
totals(struct tables *t, const struct diff *d)
{
	const struct profile *a = d->run[DIFF_OLD], *b = d->run[DIFF_NEW];
	uint64_t kept[DIFF_NRUN];

	line_say(&t->line, "%-22s%15s%15s%15s%10s", "", "old", "new",
		 "difference", "percent");
	for (int i = 0; i < DIFF_NRUN; i++)
		kept[i] = amount_sub(amount_allocs(&d->run[i]->total),
				     amount_frees(&d->run[i]->total));
	total(t, "bytes allocated", amount_bytes(&a->total),
	      amount_bytes(&b->total), true, true);
	total(t, "allocations", amount_allocs(&a->total),
	      amount_allocs(&b->total), false, true);
	total(t, "bytes freed", amount_freed(&a->total),
	      amount_freed(&b->total), true, true);
	total(t, "bytes kept", amount_kept(&a->total), amount_kept(&b->total),
	      true, true);
	total(t, "blocks kept", kept[DIFF_OLD], kept[DIFF_NEW], false, true);
	total(t, "bytes at the peak", a->peak, b->peak, true,
	      (!a->incomplete || a->peak) && (!b->incomplete || b->peak) &&
		      !a->filter.less && !b->filter.less);
	total(t, "reallocs", a->reallocs, b->reallocs, false,
	      !a->filter.part && !b->filter.part);
	total(t, "bytes lost", a->leak.bytes[PROFILE_LOST],
	      b->leak.bytes[PROFILE_LOST], true, a->leaks_all && b->leaks_all);
	total(t, "threads", a->threads, b->threads, false,
	      !profile_is_less(a) && !profile_is_less(b));
	total(t, "milliseconds", length(a), length(b), false,
	      length(a) && length(b));
}

/* That the runs did different amounts of work, or that this is allowed for. */
static void
work(struct tables *t, const struct diff *d)
{
	uint64_t old = amount_bytes(&d->run[DIFF_OLD]->total);
	uint64_t new = amount_bytes(&d->run[DIFF_NEW]->total);
	uint64_t large = old > new ? old : new, small = old > new ? new : old;

	if (d->scaled) {
		line_end(&t->line);
		line_say(&t->line,
			 "Below the old run's figures are multiplied by "
			 "%.6g, so that both allocate the",
			 (double)d->whole[DIFF_NEW] /
				 (double)d->whole[DIFF_OLD]);
		tables_say(t, "same number of bytes.");
	} else if (large - small > large / 10) {
		line_end(&t->line);
		tables_say(t, "The runs allocated different amounts: if one "
			      "did more work, --normalize compares");
		tables_say(t, "what is left when both allocate the same.");
	}
}

void
diff_summary(struct tables *t, const struct diff *d)
{
	tables_say(t, "--------- Difference of Two Runs ------------");
	line_end(&t->line);
	runs(t, d->run[DIFF_OLD], "old");
	runs(t, d->run[DIFF_NEW], "new");
	line_end(&t->line);
	totals(t, d);
	work(t, d);
}
