/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Macros that describe the fields of tables (schema.h); for schema_*.c. */
#ifndef MEMMON_SCHEMA_FIELDS_H
#define MEMMON_SCHEMA_FIELDS_H

#include "display/schema/schema.h"

#include <stddef.h>

/* Fields of a struct: name, kind, how, member, meaning. */
#define F(n, k, f, m, text, ...) \
	{ \
		.name = n, .kind = VALUE_##k, .from = SCHEMA_##f, \
		.at = offsetof(struct ROW, m), .meaning = text, __VA_ARGS__ \
	}
/*
 * A field that is an estimate if blocks are samples, and after it the field of
 * its standard error: NAME_error.  var: the variance.
 */
#define VARIES(n, k, f, m, var, text, ...) \
	F(n, k, f, m, text, ##__VA_ARGS__), ERROR_OF(n, k, var)
#define ERROR_OF(n, k, var) \
	{ \
		.name = n "_error", .kind = VALUE_##k, .from = SCHEMA_ERROR, \
		.at = offsetof(struct ROW, var), \
		.meaning = "standard error of " n, .hidden = true, \
		.error = true \
	}
/* A field whose value comes from the table's value(). */
#define V(n, k, number, text, ...) \
	{ \
		.name = n, .kind = VALUE_##k, .at = number, .meaning = text, \
		__VA_ARGS__ \
	}
#define ID(text) \
	{ \
		.name = "id", .kind = VALUE_COUNT, .from = SCHEMA_ROWID, \
		.meaning = text, .sorted = true \
	}

#endif
