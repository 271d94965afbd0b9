/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of modules: their number and fields depend on the results. */
#include "display/schema/schema.h"

#include <stdio.h>
#include <strings.h>

enum { FIELDS = 64, NAME = 96 };

static struct schema_field fields[SCHEMA_FINDINGS][FIELDS];
static char names[SCHEMA_FINDINGS][NAME];
static void
schema_findings_value(struct schema *s, const void *row, size_t number,
		      size_t at, struct value *v)
{
	const struct finding_cell *c =
		(const struct finding_cell *)row + at / 8;

	(void)s, (void)number;
	switch ((enum finding_type)(at % 8)) {
	case FINDING_COUNT:
	case FINDING_BYTES:
		value_number(v, c->n, c->known);
		break;
	case FINDING_RATIO:
		value_share(v, c->n, c->known ? 1000000 : 0);
		break;
	default:
		value_text(v, c->known ? c->text : "");
	}
}

/* A field for a column; at: the column's number and type. */
static struct schema_field
schema_findings_field_of(const struct finding_column *c, size_t i)
{
	static const enum value_kind kinds[FINDING_NTYPES] = {
		VALUE_TEXT,  VALUE_COUNT, VALUE_BYTES,
		VALUE_SHARE, VALUE_TEXT,  VALUE_TEXT
	};

	return (struct schema_field){ .name = c->name,
				      .meaning = c->about,
				      .kind = kinds[c->type],
				      .from = SCHEMA_CALL,
				      .at = i * 8 + c->type };
}

/* Is the name taken by a view or a table?  n of the tables are of modules. */
static bool
is_taken(const struct schema_table *first, size_t n, const char *name)
{
	for (const struct schema_table *t = schema_tables; t < first + n; t++)
		if (!strcasecmp(t->name, name))
			return true;
	for (const struct schema_view *v = schema_views; v->name; v++)
		if (!strcasecmp(v->name, name))
			return true;
	return false;
}

/* Name table n "MODULE_TABLE".  Names in sqlite_ are reserved by SQLite. */
static void
set_name(const struct schema_table *first, size_t n, const char *module,
	 const char *table)
{
	char text[NAME - 32];
	size_t i = n;

	snprintf(text, sizeof text, "%s%s_%s",
		 strcasecmp(module, "sqlite") ? "" : "module_", module, table);
	snprintf(names[n], NAME, "%s", text);
	while (is_taken(first, n, names[n]))
		snprintf(names[n], NAME, "%s_%zu", text, ++i);
}

void
schema_findings(const struct profile *p)
{
	static struct schema_table *first; /* the first after the fixed
					    * tables */
	size_t n = 0;

	if (!first)
		for (first = schema_tables; first->name;)
			first++;
	for (size_t i = 0; i < p->nfindings; i++) {
		const struct findings *r = &p->findings[i];

		for (size_t k = 0; k < r->ntables && n < SCHEMA_FINDINGS; k++) {
			const struct finding_table *t = &r->table[k];

			set_name(first, n, r->module, t->name);
			for (size_t c = 0; c < t->ncolumns && c < FIELDS; c++)
				fields[n][c] =
					schema_findings_field_of(&t->column[c],
								 c);
			first[n] = (struct schema_table){
				.name = names[n],
				.meaning = t->title,
				.field = fields[n],
				.nfields = t->ncolumns,
				.size = t->ncolumns * sizeof(*t->cell),
				.findings = t,
				.value = schema_findings_value,
			};
			n++;
		}
	}
	first[n] = (struct schema_table){ .name = NULL };
}
