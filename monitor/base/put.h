/* SPDX-License-Identifier: MIT */
/*
 * Items of the data file's tables, with the fields of monrec.h:
 * mmi_put_module() and so on write one to the table o.  An item that is larger
 * than any record is left out.  ctx: exit, as all of emit.h.
 */
#ifndef MEMMON_PUT_H
#define MEMMON_PUT_H

#include <string.h>

#include "monitor/base/emit.h"

/* The most bytes that an item takes. */
#define MMI_MOST_FIELD(kind, sum, name) MMI_MOST_##kind(name)
#define MMI_MOST_NUMBER(name) +MMI_EMIT_NUMBER
#define MMI_MOST_ZIGZAG(name) +MMI_EMIT_NUMBER
#define MMI_MOST_SIGNED(name) +MMI_EMIT_NUMBER
#define MMI_MOST_SIZE(name) +MMI_EMIT_NUMBER
#define MMI_MOST_SITE(name) +MMI_EMIT_NUMBER
#define MMI_MOST_MODULE(name) +MMI_EMIT_NUMBER
#define MMI_MOST_NODE(name) +MMI_EMIT_NUMBER
#define MMI_MOST_CELL(name) +MMI_EMIT_NUMBER
#define MMI_MOST_SNAPSHOT(name) +MMI_EMIT_NUMBER
#define MMI_MOST_THREAD(name) +MMI_EMIT_NUMBER
#define MMI_MOST_TEXT(name) +MMI_EMIT_NUMBER + x->name##len
#define MMI_MOST_BYTES(name) +MMI_EMIT_NUMBER + x->name##len
#define MMI_MOST_IF(name, ...) __VA_ARGS__
#define MMI_MOST_BITS(n, name, ...) \
	+MMI_EMIT_NUMBER MMI_MOST_EACH(n, name, __VA_ARGS__)
#define MMI_MOST_EACH(n, name, ...) +(n) * (0 __VA_ARGS__)
#define MMI_MOST_LIST(name, ...) +MMI_EMIT_NUMBER + x->n *(0 __VA_ARGS__)

#define MONREC_PUT_NUMBER_OF(v) mmi_emit_number(o, v)
#define MONREC_PUT_LENGTH_OF(p, name) ((p)->name##len)
#define MONREC_PUT_BYTES_OF(p, n) \
	memcpy(o->payload + o->used, p, n); \
	o->used += (uint32_t)(n)

#define R(name, item, ...) \
	static inline void mmi_put_##item(struct mmi_emit *o, \
					  const struct monrec_##item *x) \
	{ \
		const struct monrec_##item *p = x; \
\
		if (mmi_emit_item(o, 0 MONREC_##name(MMI_MOST))) { \
			MONREC_##name(MONREC_PUT) \
		} \
	}
MONREC_TABLES(R)
#undef R

#endif
