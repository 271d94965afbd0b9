/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of the allocator: time, system calls, locks, memory. */
#include "display/grid/grid.h"
#include "display/grid/view.h"
#include "display/tables/allocator.h"
#include "display/text/amount.h"

#include <inttypes.h>
#include <string.h>

/* The place of the pair, or of its beginning, in the pre-run's text. */
static const char *
allocator_has(const char *probe, const char *pair)
{
	const char *s = probe;

	while ((s = s ? strstr(s, pair) : NULL))
		if (s == probe || s[-1] == ' ')
			return s;
		else
			s++;
	return NULL;
}

/* Print the kind of allocator, as the pre-run found it. */
static void
print_probe(struct line *l, const struct allocator *a)
{
	const char *name = allocator_object(a);
	const char *classes = allocator_has(a->probe, "classes=");
	const char *style = "", *cache = "";

	if (!name && !a->probe)
		return;
	if (allocator_has(a->probe, "style=runs"))
		style = ", with runs of blocks of one size";
	else if (allocator_has(a->probe, "style=sequential"))
		style = ", with blocks of all sizes side by side";
	if (allocator_has(a->probe, "cache=thread"))
		cache = " and a cache for each thread";
	else if (allocator_has(a->probe, "cache=shared"))
		cache = " and no caches of threads";
	line_say(l, "The allocator is %s%s%s.", name ? name : "not known",
		 style, cache);
	if (classes)
		line_say(l, "Its usable sizes: %.*s",
			 (int)strcspn(classes + strlen("classes="), " "),
			 classes + strlen("classes="));
}

/* Print what the allocator is, and how it was timed. */
static void
allocator_print_head(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	struct line *l = &t->line;
	char text[NUMBER_SIZE];

	print_probe(l, a);
	line_say(l, "Big blocks have %s bytes and more.%s",
		 number_bytes(text, a->threshold, false),
		 allocator_has(a->probe, "rises=1")
			 ? "  The allocator raises this "
			   "limit when a larger block is "
			   "freed; this report doesn't."
			 : "");
	line_say(l,
		 "The clock has %.2f GHz; reading it takes %" PRIu64
		 " cycles, which are taken out.",
		 (double)a->hz / 1e9, a->timer);
	if (a->one_in > 1)
		line_say(l, "One in %" PRIu64 " operations was timed.",
			 a->one_in);
	if (a->uncounted)
		line_say(l,
			 "%s of the operations %s in no row: inside another "
			 "operation, or of a thread that ended.",
			 number_count(text, a->uncounted),
			 a->uncounted == 1 ? "is" : "are");
	line_end(l);
}

/* The run time of the program, ns. */
static uint64_t
run_time(const struct profile *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->nruns; i++)
		sum = amount_add(sum, p->runs[i].length);
	return sum;
}

static void
say_verdict(void *arg, const char *text)
{
	line_say(arg, "* %s", text);
}

static void
print_verdict(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	char in[NUMBER_SIZE], all[NUMBER_SIZE];

	if (a->all.time.n)
		line_say(&t->line,
			 "In the allocator, all threads together: %s%s; the "
			 "run took %s.",
			 a->all.time.n < a->all.calls.n ? "~" : "",
			 number_time(in, a->all.ns.all),
			 number_time(all, run_time(t->p)));
	allocator_verdict(t->p, say_verdict, &t->line);
	line_end(&t->line);
}

int
allocator_print(struct tables *t)
{
	tables_title(t, "The Allocator");
	if (!t->p->allocator) {
		if (conditions_unwritten(t->p)) {
			tables_unknown(t, "The cost of the allocator");
			tables_say(t, "It is recorded by memmon --allocator.");
		} else {
			tables_say(t, "Nothing is known of the allocator: "
				      "run memmon --allocator.");
		}
		return 0;
	}
	if (t->o->allocator_how)
		return allocator_compare(t);
	allocator_print_head(t);
	print_verdict(t);
	allocator_operations(t);
	tables_say(t, "");
	if (allocator_memory(t))
		return -1;
	return allocator_predictions(t);
}
