/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on figures: see fail.h. */
#include "display/query/fail.h"

#include "display/text/amount.h"
#include "reduce/base/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a figure is counted in: one, or either of two, the first if bare. */
enum unit { NUMBER, BYTES, BYTES_OR_BLOCKS, BLOCKS_OR_BYTES };

static const struct {
	const char *name;
	enum unit unit;
} figures[] = {
	[FAIL_LOST] = { "lost", BYTES_OR_BLOCKS },
	[FAIL_INDIRECT] = { "indirect", BYTES_OR_BLOCKS },
	[FAIL_INTERIOR] = { "interior", BYTES_OR_BLOCKS },
	[FAIL_REACHABLE] = { "reachable", BYTES_OR_BLOCKS },
	[FAIL_LEAKED] = { "leaked", BYTES_OR_BLOCKS },
	[FAIL_KEPT] = { "kept", BYTES_OR_BLOCKS },
	[FAIL_PEAK] = { "peak", BYTES_OR_BLOCKS },
	[FAIL_UNRECORDED] = { "unrecorded", BLOCKS_OR_BYTES },
	[FAIL_ALLOCS] = { "allocs", NUMBER },
	[FAIL_BYTES] = { "bytes", BYTES },
	[FAIL_FREES] = { "frees", NUMBER },
	[FAIL_REALLOCS] = { "reallocs", NUMBER },
	[FAIL_REFUSED] = { "refused", NUMBER },
	[FAIL_CUT] = { "cut", NUMBER },
	[FAIL_INCOMPLETE] = { "incomplete", NUMBER },
};

enum { NFIGURES = sizeof figures / sizeof *figures };

/* --------------------------------------------------------- the limit --- */

static bool
has_both(enum fail_what what)
{
	return figures[what].unit == BYTES_OR_BLOCKS ||
	       figures[what].unit == BLOCKS_OR_BYTES;
}

/* The figure's name, and its unit if there is one; returns what follows. */
static const char *
parse_name(struct fail *f, const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz"), i;

	for (i = 0; i < NFIGURES; i++)
		if (strlen(figures[i].name) == n &&
		    strncmp(figures[i].name, s, n) == 0)
			break;
	if (i == NFIGURES)
		return NULL;
	f->what = (enum fail_what)i;
	f->blocks = figures[i].unit == BLOCKS_OR_BYTES;
	s += n;
	if (*s != '.')
		return s;
	if (!has_both(f->what))
		return NULL;
	if (strncmp(s, ".blocks", 7) == 0) {
		f->blocks = true;
		return s + 7;
	}
	f->blocks = false;
	return strncmp(s, ".bytes", 6) == 0 ? s + 6 : NULL;
}

static const char *
parse_op(struct fail *f, const char *s)
{
	static const struct {
		const char *text;
		enum fail_op op;
		bool inverted;
	} ops[] = {
		{ ">=", FAIL_LESS, true }, { "<=", FAIL_MORE, true },
		{ "!=", FAIL_SAME, true }, { "==", FAIL_SAME, false },
		{ ">", FAIL_MORE, false }, { "<", FAIL_LESS, false },
		{ "=", FAIL_SAME, false },
	};

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		size_t n = strlen(ops[i].text);

		if (strncmp(s, ops[i].text, n) != 0)
			continue;
		f->op = ops[i].op;
		f->inverted = ops[i].inverted;
		return s + n;
	}
	return NULL;
}

/* A number, with a unit if wanted, and nothing else. */
static int
parse_number(struct fail *f, const char *s)
{
	enum units_kind kind = figures[f->what].unit == NUMBER || f->blocks
				       ? UNITS_COUNT
				       : UNITS_BYTES;
	long double n;

	if (!units_parse(s, s + strlen(s), kind, &n))
		return -1;
	f->number = (uint64_t)n;
	return 0;
}

static const char *
blanks(const char *s)
{
	return s ? s + strspn(s, " \t") : NULL;
}

/* "what op number".  0, or -1 with *e set. */
static int
parse_plain(struct fail *f, const char *text, struct err *e)
{
	const char *s;
	bool dot;

	*f = (struct fail){ .text = text };
	s = parse_name(f, blanks(text));
	if (!s) {
		snprintf(e->text, sizeof e->text,
			 "--fail-if=%s: the figures are lost, indirect, "
			 "interior, reachable, leaked, kept and peak (with "
			 ".bytes or .blocks), unrecorded (the same), allocs, "
			 "bytes, frees, reallocs, refused, cut and incomplete",
			 text);
		return -1;
	}
	dot = memchr(text, '.', (size_t)(s - text));
	s = blanks(parse_op(f, blanks(s)));
	if (s && parse_number(f, s) == 0) {
		/* A block of 0 bytes is one, too, if bytes weren't named. */
		if (has_both(f->what) && !dot && !f->number)
			f->blocks = true;
		return 0;
	}
	snprintf(e->text, sizeof e->text,
		 "--fail-if=%s: what follows the figure is >, >=, <, <=, = or "
		 "!= and a number, which may end in k, M, G or T",
		 text);
	return -1;
}

int
fail_parse(struct fail *f, const char *text, struct err *e)
{
	struct err other;
	int status = parse_plain(f, text, e);

	/* What has more in it than a figure and a number is one of these. */
	if (!status || !fail_expr_parse(f, &other))
		return 0;
	if (strpbrk(text, "()&|~+*/%\"'"))
		*e = other;
	return -1;
}

/* ---------------------------------------------------------- the figure -- */

/* Blocks and bytes of kinds that are bits of mask. */
static void
leaks(const struct profile *p, unsigned mask, uint64_t v[2])
{
	for (int i = 0; i < PROFILE_NLEAK; i++)
		if (mask >> i & 1) {
			v[0] = amount_add(v[0], p->leak.blocks[i]);
			v[1] = amount_add(v[1], p->leak.bytes[i]);
		}
}

/* How many of the runs are so. */
static uint64_t
runs(const struct profile *p, bool killed)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->nruns; i++)
		n += killed ? p->runs[i].killed : p->runs[i].cut;
	return n;
}

/* Numbers, or blocks in v[0] and bytes in v[1] for what has both. */
static void
figure(const struct profile *p, enum fail_what what, uint64_t v[2])
{
	const struct counts *c = &p->total;

	v[0] = v[1] = 0;
	switch (what) {
	case FAIL_LOST:
	case FAIL_INDIRECT:
	case FAIL_INTERIOR:
	case FAIL_REACHABLE:
		leaks(p, 1u << (what - FAIL_LOST + PROFILE_LOST), v);
		break;
	case FAIL_LEAKED:
		leaks(p, 1u << PROFILE_LOST | 1u << PROFILE_INDIRECT, v);
		break;
	case FAIL_KEPT:
		v[0] = amount_sub(amount_sub(amount_allocs(c), amount_frees(c)),
				  p->leak.hidden.blocks);
		v[1] = amount_sub(amount_kept(c), p->leak.hidden.bytes);
		break;
	case FAIL_PEAK:
		v[0] = p->peak_blocks;
		v[1] = p->peak;
		break;
	case FAIL_UNRECORDED:
		v[0] = p->lost;
		v[1] = p->lost_bytes;
		break;
	case FAIL_ALLOCS:
		v[0] = amount_allocs(c);
		break;
	case FAIL_BYTES:
		v[1] = amount_bytes(c);
		break;
	case FAIL_FREES:
		v[0] = amount_frees(c);
		break;
	case FAIL_REALLOCS:
		v[0] = p->reallocs;
		break;
	case FAIL_REFUSED:
		v[0] = p->failed;
		break;
	case FAIL_CUT:
		v[0] = runs(p, true);
		break;
	case FAIL_INCOMPLETE:
		v[0] = runs(p, false);
		break;
	}
}

/* Why there was no leak check, if a run says so. */
static const char *
no_check(const struct profile *p)
{
	for (size_t i = 0; i < p->nruns; i++)
		if (p->runs[i].leak_why)
			return p->runs[i].leak_why;
	if (p->filter.part)
		return "it isn't known by size or thread, and the filter "
		       "leaves parts of call paths";
	if (p->moment.other)
		return "it is known of the end of the run only";
	if (p->leaks_known)
		return "some of the runs had no leak check";
	return p->nruns > 1 ? "the runs had no leak check"
			    : "the run had no leak check";
}

/* Why the figure may be more than what is known of it; NULL: it isn't. */
static const char *
doubt(const struct fail *f, const struct profile *p)
{
	bool sum = false, blocks = f->what <= FAIL_PEAK;

	blocks |= f->what >= FAIL_ALLOCS && f->what <= FAIL_REALLOCS;
	if (blocks && p->filter.missed)
		return "something that the filter asks for isn't there";
	if (blocks && p->filter.unsized_allocs)
		return "the sizes of some blocks aren't known";
	if (f->what == FAIL_REALLOCS && p->filter.part)
		return "they aren't known by size or thread";
	if (f->what == FAIL_REALLOCS && p->moment.other)
		return "they are known of the end of the run only";
	for (size_t i = 0; i < p->nruns; i++)
		sum |= p->runs[i].sum;
	if (f->what <= FAIL_LEAKED && !p->leaks_all)
		return no_check(p);
	if (f->what == FAIL_CUT && sum)
		return "a sum of several files doesn't say how they ended";
	if (f->what == FAIL_PEAK && (f->blocks || profile_is_less(p)) &&
	    !p->peak_known)
		return "the data don't say what was live at the peak";
	if (p->nunread)
		return "a data file couldn't be read";
	if (p->incomplete && f->what != FAIL_INCOMPLETE)
		return "a data file was cut short";
	return NULL;
}

static bool
passed(const struct fail *f, uint64_t value)
{
	bool is = f->op == FAIL_MORE   ? value > f->number
		  : f->op == FAIL_LESS ? value < f->number
				       : value == f->number;

	return is != f->inverted;
}

/* Does it pass the limit whatever is still to be added? */
static bool
passed_surely(const struct fail *f, uint64_t value)
{
	bool more = (f->op == FAIL_MORE && !f->inverted) ||
		    (f->op == FAIL_LESS && f->inverted);

	return more && passed(f, value);
}

/* "lost is 10 bytes in 2 blocks" */
static void
say(const struct fail *f, const uint64_t v[2], struct err *e)
{
	const char *name = figures[f->what].name;

	/* Blocks of the peak aren't always known. */
	if (has_both(f->what) && (f->what != FAIL_PEAK || f->blocks))
		snprintf(e->text, sizeof e->text,
			 "--fail-if=%s: %s is %" PRIu64 " byte%s in %" PRIu64
			 " block%s",
			 f->text, name, v[1], v[1] == 1 ? "" : "s", v[0],
			 v[0] == 1 ? "" : "s");
	else
		snprintf(e->text, sizeof e->text,
			 "--fail-if=%s: %s is %" PRIu64, f->text, name,
			 figures[f->what].unit == NUMBER ? v[0] : v[1]);
}

const char *
fail_figure(const struct profile *p, enum fail_what what, bool blocks,
	    uint64_t *n)
{
	const struct fail f = { .what = what, .blocks = blocks };
	uint64_t v[2];

	figure(p, what, v);
	*n = v[!blocks];
	return doubt(&f, p);
}

const char *
fail_doubt(const struct profile *p)
{
	/* As of what was allocated. */
	const struct fail f = { .what = FAIL_ALLOCS };

	return doubt(&f, p);
}

bool
fail_check(const struct fail *f, const struct profile *p,
	   const struct options *o, struct err *e)
{
	const char *why = doubt(f, p);
	uint64_t v[2], value;

	if (f->words)
		return fail_expr_check(f, p, o, e);
	figure(p, f->what, v);
	value = f->blocks || figures[f->what].unit == NUMBER ? v[0] : v[1];
	if (why && !passed_surely(f, value)) {
		snprintf(e->text, sizeof e->text,
			 "--fail-if=%s: %s is not known: %s", f->text,
			 figures[f->what].name, why);
		return true;
	}
	if (!passed(f, value))
		return false;
	say(f, v, e);
	return true;
}
