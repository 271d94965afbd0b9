/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of blocks as JSON: see json_figures.h. */
#include "display/export/json_figures.h"
#include "display/grid/table.h"
#include "display/tables/advice.h"
#include "display/text/amount.h"

#include <math.h>

void
json_array(struct json *j, const char *name, const void *v, size_t n,
	   size_t size, void (*one)(struct json *j, const void *row))
{
	writer_line(&j->w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_line(&j->w, NULL, '{');
		one(j, (const char *)v + i * size);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

void
json_table(struct json *j, const struct schema_table *t)
{
	const char *row;
	const void *rows;
	size_t n;

	if (schema_rows(&j->schema, t, &rows, &n))
		return;
	writer_line(&j->w, t->name, '[');
	row = rows;
	for (size_t i = 0; i < n; i++, row += t->size) {
		writer_line(&j->w, NULL, '{');
		schema_write(&j->schema, &j->w, t, row, i, NULL, NULL);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

/* Write values by size class.  CSV: the sum of the classes, then each. */
static void
classes(struct json *j, const char *name, const uint64_t v[PROFILE_NCLASS])
{
	static const char class[PROFILE_NCLASS] = { 's', 'm', 'l', 'x' };
	char text[32];

	if (!j->w.sink) {
		writer_numbers(&j->w, name, v, PROFILE_NCLASS);
		return;
	}
	writer_number(&j->w, name, v[0] + v[1] + v[2] + v[3]);
	for (int i = 0; i < PROFILE_NCLASS; i++) {
		snprintf(text, sizeof text, "%s.%c", name, class[i]);
		writer_number(&j->w, text, v[i]);
	}
}

void
json_counts(struct json *j, const char *name, const struct counts *c)
{
	uint64_t kept[PROFILE_NCLASS];

	amount_kept_by_class(c, kept);
	writer_enter(&j->w, name, '{');
	classes(j, "allocs", c->allocs);
	classes(j, "bytes", c->bytes);
	classes(j, "frees", c->frees);
	classes(j, "freed", c->freed);
	classes(j, "kept", kept);
	writer_maybe(&j->w, "peak", c->peak, j->p->peaks_known);
	json_errors(j, c->var);
	writer_leave(&j->w, '}');
}

void
json_error(struct json *j, const char *name, double var, bool known)
{
	if (known)
		writer_real(&j->w, name,
			    (double)errors_thousandths(var) / 1000);
	else
		writer_null(&j->w, name);
}

void
json_errors(struct json *j, const double var[PROFILE_NERROR])
{
	if (!j->p->sample.rate)
		return;
	writer_enter(&j->w, "errors", '{');
#define E(id, name) \
	json_error(j, #name, var[PROFILE_E_##id], \
		   (PROFILE_E_##id != PROFILE_E_PEAK || j->p->peaks_known) && \
			   !isinf(var[PROFILE_E_##id]));
	MEASURES_ERRORS(E)
#undef E
	writer_leave(&j->w, '}');
}

#define OF amounts
const struct writer_member json_amounts[JSON_AMOUNTS] = {
	WRITER_OF(NUMBER, allocs), WRITER_OF(NUMBER, bytes),
	WRITER_OF(NUMBER, frees), WRITER_OF(NUMBER, freed)
};
#undef OF
#define OF life
static const struct writer_member timed[] = { WRITER_OF(NUMBER, timed),
					      WRITER_OF(NUMBER, weight),
					      WRITER_AS("sum_ns", MAX, sum) };
#undef OF

static void
life_errors(struct json *j, const struct life *a)
{
	if (!j->p->sample.rate)
		return;
	writer_enter(&j->w, "errors", '{');
#define F(id, name, ...) \
	json_error(j, #name, a->var[MONOUT_FIGURE_##id], \
		   j->p->figures_known >> MONOUT_FIGURE_##id & 1 && \
			   !isinf(a->var[MONOUT_FIGURE_##id]));
	MONREC_FIGURE_KINDS(F)
#undef F
	writer_leave(&j->w, '}');
}

void
json_life(struct json *j, const struct life *a)
{
	static const struct life nothing;
	struct tally t = { .whole = true, .life = a ? a : &nothing };
	int n = PROFILE_NLIFE;

	a = t.life;
	if (!j->p->lives_known) {
		writer_null(&j->w, "life");
		return;
	}
	writer_enter(&j->w, "life", '{');
	columns_write(&j->schema, &t, &j->w, COLUMN_TEMPS, COLUMN_BY_OTHERS);
	columns_write(&j->schema, &t, &j->w, COLUMN_MOVED, COLUMN_LONGEST);
	life_errors(j, a);
	WRITER_ALL(&j->w, timed, a);
	writer_maybe(&j->w, "min_ns", a->min, a->timed);
	writer_maybe(&j->w, "max_ns", a->max, a->timed);
	/* Omit zeros at the end. */
	while (n > 0 && !a->bin[n - 1])
		n--;
	writer_numbers(&j->w, "histogram", a->bin, (size_t)n);
	writer_leave(&j->w, '}');
}

#define OF use
static const struct writer_member handed[] = {
	WRITER_OF(NUMBER, handed_blocks), WRITER_OF(NUMBER, handed_bytes)
};
static const struct writer_member used[] = {
	WRITER_OF(NUMBER, reads),     WRITER_OF(NUMBER, writes),
	WRITER_OF(NUMBER, span),      WRITER_OF(NUMBER, cover),
	WRITER_OF(NUMBER, span_used), WRITER_OF(NUMBER, cover_used),
	WRITER_OF(REAL, useful),      WRITER_AS("life_ns", NUMBER, life)
};
#undef OF

static void
amount(struct json *j, const char *name, uint64_t blocks, uint64_t bytes)
{
	writer_enter(&j->w, name, '{');
	writer_number(&j->w, "blocks", blocks);
	writer_number(&j->w, "bytes", bytes);
	writer_leave(&j->w, '}');
}

static void
use_errors(struct json *j, const struct use *u)
{
	if (!j->p->sample.rate)
		return;
	writer_enter(&j->w, "errors", '{');
#define E(id, name) \
	json_error(j, #name, u->var[PROFILE_UE_##id], \
		   !isinf(u->var[PROFILE_UE_##id]));
	MEASURES_USE_ERRORS(E)
#undef E
	writer_leave(&j->w, '}');
}

void
json_use(struct json *j, const struct use *u, bool site)
{
	int flags = site ? PROFILE_NFLAG : PROFILE_TOP_BYTES;
	struct tally t = { .whole = true, .use = u };

	if (!j->p->uses_known || !u || !u->blocks) {
		writer_null(&j->w, "use");
		return;
	}
	writer_enter(&j->w, "use", '{');
	writer_number(&j->w, "blocks", u->blocks);
	writer_number(&j->w, "bytes", u->bytes);
	if (u->handed_blocks)
		WRITER_ALL(&j->w, handed, u);
	WRITER_ALL(&j->w, used, u);
	writer_maybe(&j->w, "groups", u->groups, !u->sampled);
	if (u->sampled)
		writer_null(&j->w, "group_scores");
	else
		writer_real(&j->w, "group_scores", u->group_sum);
	writer_maybe(&j->w, "coarse_groups", u->coarse, !u->sampled);
	writer_enter(&j->w, "flags", '{');
	for (int i = 0; i < flags; i++) {
		const char *name = advice_name((enum profile_flag)i);

		if (profile_flag_told(u, (enum profile_flag)i))
			amount(j, name, u->flag_blocks[i], u->flag_bytes[i]);
		else
			writer_null(&j->w, name);
	}
	writer_leave(&j->w, '}');
	use_errors(j, u);
	if (profile_score(u).known) {
		writer_enter(&j->w, "scores", '{');
		columns_write(&j->schema, &t, &j->w, COLUMN_LIFETIME,
			      COLUMN_SAVE);
		writer_leave(&j->w, '}');
	} else {
		writer_null(&j->w, "scores");
	}
	writer_leave(&j->w, '}');
}

void
json_leaks(struct json *j, const struct leak *a, const struct counts *c)
{
	static const struct leak nothing;
	struct suppressed hidden = counts_of_all(c).hidden;

	a = a ? a : &nothing;
	if (j->p->holds_known)
		amount(j, "holds", a->holds.blocks, a->holds.bytes);
	else
		writer_null(&j->w, "holds");
	if (j->p->leaks_known) {
		writer_enter(&j->w, "leaks", '{');
		for (int i = 0; i < PROFILE_NLEAK; i++)
			amount(j, columns_field[COLUMN_LOST + 2 * i].name,
			       a->blocks[i], a->bytes[i]);
		writer_leave(&j->w, '}');
	} else {
		writer_null(&j->w, "leaks");
	}
	amount(j, "suppressed", hidden.blocks, hidden.bytes);
}
