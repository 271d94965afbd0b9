/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns and kinds of operands in conditions: see cond.h. */
#include "display/query/cond.h"

#include <string.h>

const char *
cond_kind_name(enum cond_kind kind)
{
	return kind == COND_NUMBER ? "a number"
	       : kind == COND_TEXT ? "a text"
				   : "a condition";
}

/* NAME.bytes is NAME, NAME.blocks is NAME_blocks, if both columns exist. */
const struct schema_field *
cond_field(const struct schema_table *t, const char *name, size_t n)
{
	const char *dot = memchr(name, '.', n);
	int before = dot ? (int)(dot - name) : 0;
	char text[64];
	bool blocks;

	if (!dot)
		return schema_field(t, name, n);
	blocks = n - before == 7 && !memcmp(dot, ".blocks", 7);
	if (before > 16 ||
	    (!blocks && (n - before != 6 || memcmp(dot, ".bytes", 6) != 0)))
		return NULL;
	snprintf(text, sizeof text, "%.*s_%s", before, name,
		 blocks ? "bytes" : "blocks");
	if (schema_field(t, text, strlen(text)))
		return schema_field(t, name, (size_t)before);
	snprintf(text, sizeof text, "%.*s_%s", before, name,
		 blocks ? "blocks" : "bytes");
	return schema_field(t, text, strlen(text));
}

enum column
cond_column(const char *name, size_t n)
{
	const struct schema_field *f = cond_field(&columns_table, name, n);

	return f ? (enum column)(f - columns_field) : COLUMN_N;
}

enum units_kind
cond_field_unit(const struct schema_field *f)
{
	return f->kind == VALUE_BYTES	? UNITS_BYTES
	       : f->kind == VALUE_TIME	? UNITS_TIME
	       : f->kind >= VALUE_SHARE ? UNITS_SHARE
					: UNITS_COUNT;
}

static bool
is_bare(const struct cond_operand *a)
{
	return a->literal && a->bare && a->number > 0;
}

/* Check a share or percentage against a figure with another unit. */
static const char *
check_share(const struct cond_operand *percent, const struct cond_operand *b,
	    char *message, size_t n)
{
	const char *name = b->field ? b->field->name : "this";
	const char *unit = b->unit == UNITS_BYTES  ? "in bytes"
			   : b->unit == UNITS_TIME ? "a time"
						   : "a number";
	double value = (double)(percent->number * 100);

	if (!percent->literal && b->literal) {
		if (b->bare && b->number <= 1)
			return NULL;
		snprintf(message, n,
			 "%s is from 0 to 100%%: compare it with a percentage",
			 percent->field ? percent->field->name : "a share");
		return message;
	}
	if (!percent->literal && b->unit == UNITS_COUNT)
		return NULL;
	if (!percent->literal)
		snprintf(message, n, "a share can't be compared with %s",
			 b->unit == UNITS_TIME ? "a time" : "bytes");
	else if (!b->field && b->unit == UNITS_COUNT)
		return NULL;
	else if (b->field && !b->field->whole && b->field->share)
		snprintf(message, n,
			 "%s is %s and can't be compared with %g%%: write %s",
			 name, unit, value, b->field->share);
	else
		snprintf(message, n,
			 "%s is %s and can't be compared with %g%%: write %g%% "
			 "* %s",
			 name, unit, value, value,
			 b->field && b->field->whole ? b->field->whole
						     : "the whole");
	return message;
}

/* Check bytes, times and shares; plain numbers go with bytes.  NULL: fine. */
static const char *
check_units(const struct cond_operand *a, const struct cond_operand *b,
	    char *message, size_t n)
{
	if (a->unit == b->unit)
		return NULL;
	if (a->unit == UNITS_SHARE)
		return check_share(a, b, message, n);
	if (b->unit == UNITS_SHARE)
		return check_share(b, a, message, n);
	if (is_bare(a) || is_bare(b))
		return a->unit == UNITS_TIME || b->unit == UNITS_TIME
			       ? "a time needs a unit: ns, us, ms, s, m or h"
			       : NULL;
	if ((a->unit == UNITS_TIME && b->unit == UNITS_BYTES) ||
	    (a->unit == UNITS_BYTES && b->unit == UNITS_TIME))
		return "a time can't be compared with bytes";
	return NULL;
}

const char *
cond_check(const char *op, const struct cond_operand *a,
	   const struct cond_operand *b, char *message, size_t n)
{
	bool match = !strcmp(op, "~") || !strcmp(op, "!~");
	bool same = !strcmp(op, "==") || !strcmp(op, "!=");
	enum cond_kind kind = *op == '&' || *op == '|' ? COND_TRUTH
			      : match		       ? COND_TEXT
			      : same		       ? a->kind
						       : COND_NUMBER;

	if (match && !b->string)
		return "expected a pattern in quotes after ~";
	if (a->kind != kind || b->kind != kind) {
		snprintf(message, n, "`%s' has %s on its left, %s on its right",
			 op, cond_kind_name(a->kind), cond_kind_name(b->kind));
		return message;
	}
	if (kind == COND_NUMBER && *op != '*' && *op != '/')
		return check_units(a, b, message, n);
	return NULL;
}

enum units_kind
cond_unit_of(const char *op, const struct cond_operand *left,
	     const struct cond_operand *right)
{
	enum units_kind a = left->unit, b = right->unit;

	/* A share of a figure has the unit of that figure. */
	if (*op == '*' || *op == '/') {
		if (a == UNITS_SHARE && b != UNITS_SHARE)
			a = UNITS_COUNT;
		if (b == UNITS_SHARE)
			b = UNITS_COUNT;
	}
	if (*op == '/')
		return b == UNITS_COUNT ? a : UNITS_COUNT;
	if (*op == '*' && a != UNITS_COUNT && b != UNITS_COUNT)
		return UNITS_COUNT;
	return a != UNITS_COUNT ? a : b;
}
