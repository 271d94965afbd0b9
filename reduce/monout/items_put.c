/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write the items of records, by their fields in monrec.h. */
#include "reduce/monout/items.h"

#include <string.h>

#define MONREC_PUT_NUMBER_OF(v) emit_number(e, v)
#define MONREC_PUT_BYTES_OF(p, n) emit_bytes(e, p, n)
#define MONREC_PUT_LENGTH_OF(p, name) strlen((p)->name)
#define R(name, item, items, form, ...) \
	void items_put_##item(struct emit *e, const ITEMS_##form(item) * x) \
	{ \
		const ITEMS_##form(item) *p = x; \
\
		MONREC_##name(MONREC_PUT) emit_item(e); \
	}
MONREC_TABLES(R)
#undef R

void
items_put_of_life(struct emit *e, uint64_t site, const struct life *x)
{
	struct life copy = *x;
	unsigned first = life_bin(x->min);
	struct monrec_life v = {
		.site = site,
		MONREC_LIVES(LIFE_INIT).first = first,
		.n = life_bin(x->max) + 1 - first,
		.bins = (void *)(copy.bin + first),
	};

	items_put_life(e, &v);
}
