/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value of a field or a column, its kind, and whether it is known. */
#ifndef MEMMON_VALUE_H
#define MEMMON_VALUE_H

#include "display/text/writer.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum value_kind {
	VALUE_TEXT,
	VALUE_NUMBER, /* a text of digits */
	VALUE_COUNT,
	VALUE_BYTES,
	VALUE_TIME,  /* ns */
	VALUE_SHARE, /* 0 to 1, printed as a percentage */
	VALUE_SCORE  /* 0 to 1 */
};

/* A long double represents every 64-bit number exactly. */
struct value {
	bool known;
	long double number;
	const char *text; /* of VALUE_TEXT and VALUE_NUMBER */
};

/* Set *v to a number; or to n / of, which is unknown if `of' is 0. */
static inline void
value_number(struct value *v, uint64_t n, bool known)
{
	v->known = known;
	v->number = n;
}

static inline void
value_share(struct value *v, uint64_t n, uint64_t of)
{
	v->known = of > 0;
	v->number = of ? (long double)n / of : 0;
}

/* Make *v, a figure, its standard error; it is unknown if the figure is. */
static inline void
value_error(struct value *v, double var)
{
	v->known = v->known && !isinf(var);
	v->number = v->known && var > 0 ? sqrt(var) : 0;
}

/* Set *v to a text, which is unknown if it is empty or NULL. */
static inline void
value_text(struct value *v, const char *s)
{
	v->known = s && *s;
	v->text = v->known ? s : "";
}

/* The number, rounded, and limited to 64 bits. */
static inline uint64_t
value_whole(const struct value *v)
{
	long double x = roundl(v->number);

	return x <= 0			      ? 0
	       : x >= 18446744073709551615.0L ? UINT64_MAX
					      : (uint64_t)x;
}

/* Write the value as a member or an item: null if it is unknown. */
static inline void
value_write(struct writer *w, const char *name, enum value_kind kind,
	    const struct value *v)
{
	if (!v->known)
		writer_null(w, name);
	else if (kind <= VALUE_NUMBER)
		writer_text(w, name, v->text);
	else if (kind >= VALUE_SHARE)
		writer_real(w, name, (double)v->number);
	else
		writer_number(w, name, value_whole(v));
}

#endif
