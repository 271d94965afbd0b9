/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields: reads and writes by the place in a block. */
#include "display/grid/legend.h"
#include "display/grid/paths.h"
#include "display/grid/view.h"
#include "display/text/amount.h"
#include "display/text/layout.h"
#include "display/text/number.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The most rows of a layout without known members, unless all are asked for. */
enum { RANGES = 32 };

static const struct legend legend = {
	.about = "Reads and writes of each member, by type; if the type is "
		 "unknown, by size and call path.",
	.terms = {
		{ "offset", "bytes from the start of the block" },
		{ "size", "bytes of the member, or of the range if the "
			  "members are unknown" },
		{ "reads writes", "accesses to the member's granules; a "
				  "granule counts for the first member in "
				  "it.  *: a member in a row below begins in "
				  "one of them, and its accesses count here.  "
				  "\": all granules of the member are "
				  "in rows above; +: the member begins in "
				  "such a granule, and the counts are those "
				  "of its other granules" },
		{ "%", "share of all accesses" },
		{ "use", "hot: of the granules that are read, one of those "
			 "that together have 90 percent of the accesses; "
			 "cold: also read; write-only: written, never read; "
			 "never: not accessed" },
		{ "member type", "members of members are indented" },
	},
	.notes = { legend_granules, legend_percent },
};

struct widths {
	size_t reads, writes, use, name;
};

static const char *const fields_use[] = { [LAYOUT_NEVER] = "never",
					  [LAYOUT_WRITE_ONLY] = "write-only",
					  [LAYOUT_COLD] = "cold",
					  [LAYOUT_HOT] = "hot" };

static uint64_t
bytes(const struct fields *f)
{
	return amount_mul(f->size, f->blocks);
}

static uint64_t
fields_accesses(const struct fields *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n = amount_add(n, amount_add(f->reads[i], f->writes[i]));
	return n;
}

/* Does the glob match the type, with or without its keyword? */
static bool
matches(const char *type, const char *glob)
{
	static const char *const word[] = { "struct ", "union ", "class " };

	if (fnmatch(glob, type, 0) == 0)
		return true;
	for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
		size_t len = strlen(word[i]);

		if (strncmp(type, word[i], len) == 0 &&
		    fnmatch(glob, type + len, 0) == 0)
			return true;
	}
	return false;
}

static bool
fields_named(const struct fields *f, const struct profile_list *globs)
{
	for (size_t i = 0; i < globs->n; i++)
		if (f->type && matches(f->type, globs->item[i]))
			return true;
	return false;
}

int
fields_check(const struct profile *p, const struct options *o, struct err *e)
{
	const struct profile_list *globs = &o->fields_only;

	for (size_t i = 0; i < globs->n && p->uses_known; i++) {
		bool found = false;

		for (size_t k = 0; k < p->nfields; k++)
			found = found ||
				(p->fields[k].type &&
				 matches(p->fields[k].type, globs->item[i]));
		if (found)
			continue;
		return err_set(
			e,
			"no type %s is in the fields: no block of it, and no "
			"element of an array, has at most 4096 bytes; mpreduce "
			"--fields --verbose prints all types",
			globs->item[i]);
	}
	return 0;
}

static int
fields_by_accesses(const void *va, const void *vb)
{
	const struct fields *a = *(const struct fields *const *)va;
	const struct fields *b = *(const struct fields *const *)vb;
	uint64_t ba = bytes(a), bb = bytes(b);
	int c = (ba < bb) - (ba > bb);

	if (!c)
		c = strcmp(a->type ? a->type : "", b->type ? b->type : "");
	if (!c)
		c = (a->size > b->size) - (a->size < b->size);
	return c ? c : (a > b) - (a < b);
}

static struct widths
fields_measure(const struct layout *a, size_t cut)
{
	struct widths w = { 11, 11, 5, 8 };

	for (size_t i = 0; i < a->n; i++) {
		const struct layout_row *r = &a->row[i];
		size_t n = number_bytes_width(r->reads, false) + 2;

		if (w.reads < n)
			w.reads = n;
		if (w.writes < (n = number_bytes_width(r->writes, false) + 2))
			w.writes = n;
		if (r->first < r->end &&
		    w.use < (n = strlen(fields_use[r->heat])))
			w.use = n;
		if (!r->member)
			continue;
		n = line_width(r->member->name);
		n = (cut && n > cut ? cut : n) + 2 * (size_t)r->member->depth;
		if (w.name < n)
			w.name = n;
	}
	return w;
}

static void
fields_header(struct tables *t, const struct widths *w, const struct layout *a)
{
	struct line *l = &t->line;

	line_add(l, "%8s%8s", "offset", "size");
	line_right(l, w->reads, "reads");
	line_right(l, w->writes, "writes");
	line_add(l, "   %-4s %-*s", "%", (int)w->use, "use");
	if (a->members) {
		line_add(l, "   ");
		line_left(l, w->name, "member");
		line_add(l, "   type");
	}
	line_end(l);
	line_end(l);
}

/* Does the member of a later row begin in one of this row's granules? */
static bool
lends(const struct layout *a, const struct layout_row *r)
{
	const struct layout_row *end = a->row + a->n;

	for (const struct layout_row *x = r + 1; x < end; x++)
		if (x->member && x->shared && !x->whole)
			return x->offset / LAYOUT_GRANULE < r->end;
	return false;
}

/* Add a count, with marks if the row's granules have parts of other members. */
static void
add_count(struct line *l, size_t width, const struct layout *a,
	  const struct layout_row *r, uint64_t n)
{
	char buf[NUMBER_SIZE], text[NUMBER_SIZE + 2];

	number_count(buf, n);
	snprintf(text, sizeof text, "%s%s%s", lends(a, r) ? "*" : "",
		 r->shared ? "+" : "", buf);
	line_right(l, width, r->first < r->end ? text : "\"");
}

static void
add_figures(struct tables *t, const struct widths *w, const struct layout *a,
	    const struct layout_row *r)
{
	bool own = r->first < r->end;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (!own && !r->shared) {
		line_right(l, w->reads + w->writes + 3 + 4 + 1 + w->use, "");
		return;
	}
	add_count(l, w->reads, a, r, r->reads);
	add_count(l, w->writes, a, r, r->writes);
	line_add(l, "   %-4s %-*s",
		 own ? number_percent(buf, amount_add(r->reads, r->writes),
				      a->accesses)
		     : "\"",
		 (int)w->use, own ? fields_use[r->heat] : "\"");
}

static void
add_member(struct tables *t, const struct widths *w, const struct member *m)
{
	char *name = line_shorten(*m->name ? m->name : "(no name)",
				  t->o->name_width);
	char *type = line_shorten(m->type, t->o->name_width);
	size_t indent = 2 * (size_t)m->depth;
	struct line *l = &t->line;

	if (name && type) {
		line_right(l, indent, "");
		line_left(l, w->name > indent ? w->name - indent : 0, name);
		line_add(l, "   %s", type);
	} else {
		l->failed = true;
	}
	free(name);
	free(type);
}

static void
fields_rows(struct tables *t, const struct layout *a)
{
	struct widths w = fields_measure(a, t->o->name_width);
	struct line *l = &t->line;

	fields_header(t, &w, a);
	for (size_t i = 0; i < a->n; i++) {
		const struct layout_row *r = &a->row[i];

		line_add(l, "%8" PRIu64 "%8" PRIu64, r->offset, r->size);
		add_figures(t, &w, a, r);
		line_add(l, "   ");
		if (r->member)
			add_member(t, &w, r->member);
		else if (a->members)
			line_add(l, "(no member)");
		line_end(l);
	}
}

/* The bytes in granules of that heat, in one block. */
static uint64_t
of_heat(const struct layout *a, enum layout_heat heat)
{
	uint64_t n = 0;

	for (size_t i = 0; i < a->f->n; i++)
		if (layout_heat(a, i) == heat)
			n += layout_bytes(a->f, i);
	return n;
}

/* The accesses to all hot granules. */
static uint64_t
hot_accesses(const struct layout *a)
{
	uint64_t n = 0;

	for (size_t i = 0; i < a->f->n; i++)
		if (layout_heat(a, i) == LAYOUT_HOT)
			n = amount_add(n, amount_add(a->f->reads[i],
						     a->f->writes[i]));
	return n;
}

/* The cache lines with a hot granule, if the block begins a line. */
static uint64_t
hot_lines(const struct layout *a)
{
	size_t each = LAYOUT_LINE / LAYOUT_GRANULE;
	uint64_t n = 0;

	for (size_t i = 0; i < a->f->n; i += each) {
		bool hot = false;

		for (size_t k = i; k < i + each && k < a->f->n; k++)
			hot = hot || layout_heat(a, k) == LAYOUT_HOT;
		n += hot;
	}
	return n;
}

/* Do granules first to end - 1 have no reads, but a write? */
static bool
fields_unread(const struct fields *f, size_t first, size_t end)
{
	bool some = false;

	for (size_t i = first; i < end && i < f->n; i++) {
		if (f->reads[i])
			return false;
		some = some || f->writes[i];
	}
	return some;
}

/* Print the members that are in such granules only, after the bytes. */
static void
unread_members(struct tables *t, const struct layout *a)
{
	const char *before = " (";
	struct line *l = &t->line;

	for (size_t i = 0; i < a->n && a->members; i++) {
		const struct layout_row *r = &a->row[i];
		size_t first = (size_t)(r->offset / LAYOUT_GRANULE);

		if (!r->member || r->whole || !r->size ||
		    !fields_unread(a->f, first,
				   r->end > first ? r->end : first + 1))
			continue;
		line_add(l, "%s", before);
		tables_name(t, r->member->name);
		before = ", ";
	}
	if (*before == ',')
		line_add(l, ")");
}

/* Print that this number of bytes in each block were `what'. */
static void
fields_advise(struct tables *t, const struct layout *a, uint64_t bytes,
	      const char *what, bool unread)
{
	const struct fields *f = a->f;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_add(l, "%" PRIu64 " of %" PRIu64 " bytes", bytes, f->size);
	if (unread)
		unread_members(t, a);
	line_add(l, " were %s, in ", what);
	line_several(l, f->blocks, f->blocks == f->whole ? "block" : "element");
	tables_bytes(t, buf, amount_mul(bytes, f->blocks));
	line_say(l, ": %s bytes.", buf);
}

/* Print advice: bytes that are never used, and bytes that belong together. */
static void
advice(struct tables *t, const struct layout *a)
{
	const struct fields *f = a->f;
	uint64_t never = of_heat(a, LAYOUT_NEVER), hot = of_heat(a, LAYOUT_HOT);
	uint64_t cold = of_heat(a, LAYOUT_COLD), lines = hot_lines(a);
	uint64_t fit = (hot + LAYOUT_LINE - 1) / LAYOUT_LINE;
	uint64_t written = of_heat(a, LAYOUT_WRITE_ONLY);
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (!never && !written && lines <= fit && (!cold || hot * 2 > f->size))
		return;
	line_end(l);
	if (never)
		fields_advise(t, a, never, "never accessed", false);
	if (written)
		fields_advise(t, a, written,
			      "never read by recorded code, at most written",
			      true);
	if (lines > fit) {
		line_say(l,
			 "%" PRIu64 " hot bytes are in %" PRIu64
			 " cache lines (%d bytes) and "
			 "would fit in %" PRIu64 ": put them together.",
			 hot, lines, LAYOUT_LINE, fit);
	} else if (cold && f->size > LAYOUT_LINE && hot * 2 <= f->size) {
		line_say(l,
			 "%" PRIu64 " hot bytes have %s%% of the accesses: the "
			 "%" PRIu64 " cold bytes could be in another block.",
			 hot, number_percent(buf, hot_accesses(a), a->accesses),
			 cold);
	}
}

/* Print which blocks the rows describe. */
static void
fields_title(struct tables *t, const struct layout *a)
{
	const struct fields *f = a->f;
	uint64_t reads = 0, writes = 0;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	if (f->site) {
		paths_print_chain(t, f->site->leaf);
		line_end(l);
	}
	if (f->type)
		line_add(l, "%c", f->type_mark);
	tables_name(t, f->type ? f->type : "(type not known)");
	line_add(l, ", %" PRIu64 " bytes", f->size);
	if (f->type && f->type_size && f->type_size != f->size)
		line_add(l, " (the type has %" PRIu64 ")", f->type_size);
	line_end(l);
	for (size_t i = 0; i < f->n; i++) {
		reads = amount_add(reads, f->reads[i]);
		writes = amount_add(writes, f->writes[i]);
	}
	if (f->blocks != f->whole) {
		line_several(l, f->blocks, "element");
		line_add(l, " in ");
	}
	line_several(l, f->whole, "block");
	line_add(l, ", %s bytes, ", tables_bytes(t, buf, bytes(f)));
	line_several(l, reads, "read");
	line_add(l, ", ");
	line_several(l, writes, "write");
	line_end(l);
	if (f->first)
		tables_say(t, "Reads and writes of arrays above 4096 bytes are "
			      "those of the elements in the first 4096.");
	line_end(l);
}

static int
print_one(struct tables *t, const struct fields *f)
{
	bool all = t->o->verbosity == OPTIONS_VERBOSE;
	struct layout a;
	int status = layout_init(&a, f, all ? 0 : RANGES);

	if (!status) {
		fields_title(t, &a);
		fields_rows(t, &a);
		advice(t, &a);
	}
	layout_fini(&a);
	return status;
}

/*
 * Is it a candidate for the table?  Blocks of a site with a known type are
 * counted under that type, too, so their site is left out.
 */
static bool
eligible(const struct tables *t, const struct fields *f)
{
	const struct profile_list *globs = &t->o->fields_only;

	if (f->site && f->type && t->o->verbosity != OPTIONS_VERBOSE)
		return false;
	return !globs->n || fields_named(f, globs);
}

/* Write those that are large enough into list[]; returns their number. */
static size_t
fields_choose(const struct tables *t, const struct fields **list,
	      size_t *left_out)
{
	const struct profile *p = t->p;
	uint64_t all_bytes = 0, all_accesses = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->nfields; i++) {
		const struct fields *f = &p->fields[i];

		if (!eligible(t, f))
			continue;
		all_bytes = amount_add(all_bytes, bytes(f));
		all_accesses = amount_add(all_accesses, fields_accesses(f));
	}
	for (size_t i = 0; i < p->nfields; i++) {
		const struct fields *f = &p->fields[i];

		if (!eligible(t, f))
			continue;
		if (t->o->fields_only.n ||
		    tables_worth(t, bytes(f), all_bytes) ||
		    tables_worth(t, fields_accesses(f), all_accesses))
			list[n++] = f;
		else
			++*left_out;
	}
	qsort(list, n, sizeof(*list), fields_by_accesses);
	return n;
}

static int
fields_table(struct tables *t)
{
	const struct fields **list =
		tables_room(t, t->p->nfields, sizeof(*list));
	struct line *l = &t->line;
	size_t left_out = 0, n = fields_choose(t, list, &left_out);
	int status = 0;

	for (size_t i = 0; i < n && !status; i++) {
		if (i) {
			line_end(l);
			line_end(l);
		}
		status = print_one(t, list[i]);
	}
	if (!status && left_out) {
		line_end(l);
		tables_left_out(t, left_out, "layout", "under",
				" of bytes and accesses");
	}
	return status;
}

int
fields_print(struct tables *t)
{
	if (!tables_uses(t, "Fields"))
		return 0;
	if (!t->p->nfields) {
		tables_say(t, "No accesses to blocks of at most 4096 bytes "
			      "are known.");
		return 0;
	}
	if (fields_table(t))
		return -1;
	legend_explain(t, &legend, NULL, NULL);
	if (t->p->sample.rate)
		legend_note(t, "The reads and writes of samples are "
			       "estimates with unknown errors.");
	return 0;
}
