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
