/* SPDX-License-Identifier: MIT */
/* An item of a table of mon.out: as a struct, and how it is written. */
#ifndef MEMMON_MONITEM_H
#define MEMMON_MONITEM_H

#include <stdint.h>

/*
 * The item of a table as it is in the file, struct monrec_peak and so on.  Code
 * that needs only some fields, or other ones, may read an item into, or write
 * it from, any struct that has these fields.
 */
#define MONREC_STRUCT_FIELD(kind, sum, name) MONREC_STRUCT_##kind(name)
#define MONREC_STRUCT_NUMBER(name) uint64_t name;
#define MONREC_STRUCT_ZIGZAG(name) uint64_t name;
#define MONREC_STRUCT_SIGNED(name) int64_t name;
#define MONREC_STRUCT_SIZE(name) uint64_t name, any;
#define MONREC_STRUCT_SITE(name) uint64_t name;
#define MONREC_STRUCT_MODULE(name) uint64_t name;
#define MONREC_STRUCT_NODE(name) uint64_t name;
#define MONREC_STRUCT_CELL(name) uint64_t name;
#define MONREC_STRUCT_SNAPSHOT(name) uint64_t name;
#define MONREC_STRUCT_THREAD(name) uint64_t name;
#define MONREC_STRUCT_TEXT(name) MONREC_STRUCT_BYTES(name)
#define MONREC_STRUCT_BYTES(name) \
	const void *name; \
	uint64_t name##len;
#define MONREC_STRUCT_IF(name, ...) __VA_ARGS__
#define MONREC_STRUCT_BITS(n, name, ...) \
	uint64_t mask; \
	MONREC_STRUCT_EACH(n, name, __VA_ARGS__)
#define MONREC_STRUCT_EACH(n, name, ...) \
	struct { \
		__VA_ARGS__ \
	} name[n];
#define MONREC_STRUCT_LIST(name, ...) \
	uint64_t n; \
	struct { \
		__VA_ARGS__ \
	} * name;

/*
 * Writing, where x is the item, and p the item or the part of it that has the
 * field.  A file that includes this defines MONREC_PUT_NUMBER_OF(v), which puts
 * a varint, MONREC_PUT_BYTES_OF(p, n), which puts n bytes, and
 * MONREC_PUT_LENGTH_OF(p, name), the length of a text.
 */
#define MONREC_PUT_FIELD(kind, sum, name) MONREC_PUT_##kind(name)
#define MONREC_PUT_NUMBER(name) MONREC_PUT_NUMBER_OF(p->name);
#define MONREC_PUT_ZIGZAG(name) \
	MONREC_PUT_NUMBER_OF((uint64_t)p->name << 1 ^ \
			     -((uint64_t)p->name >> 63));
#define MONREC_PUT_SIGNED(name) MONREC_PUT_ZIGZAG(name)
#define MONREC_PUT_SIZE(name) MONREC_PUT_NUMBER_OF(p->name << 1 | p->any);
#define MONREC_PUT_SITE(name) MONREC_PUT_NUMBER(name)
#define MONREC_PUT_MODULE(name) MONREC_PUT_NUMBER(name)
#define MONREC_PUT_NODE(name) MONREC_PUT_NUMBER(name)
#define MONREC_PUT_CELL(name) MONREC_PUT_NUMBER(name)
#define MONREC_PUT_SNAPSHOT(name) MONREC_PUT_NUMBER(name)
#define MONREC_PUT_THREAD(name) MONREC_PUT_NUMBER(name)
#define MONREC_PUT_TEXT(name) \
	MONREC_PUT_NUMBER_OF(MONREC_PUT_LENGTH_OF(p, name)); \
	MONREC_PUT_BYTES_OF(p->name, MONREC_PUT_LENGTH_OF(p, name));
#define MONREC_PUT_BYTES(name) \
	MONREC_PUT_NUMBER_OF(p->name##len); \
	MONREC_PUT_BYTES_OF(p->name, p->name##len);
#define MONREC_PUT_IF(name, ...) \
	if (x->name) { \
		__VA_ARGS__ \
	}
#define MONREC_PUT_BITS(n, name, ...) \
	MONREC_PUT_NUMBER_OF(x->mask); \
	for (unsigned i_ = 0; i_ < (n); i_++) { \
		__typeof__(&x->name[0]) p = &x->name[i_]; \
		if (x->mask >> i_ & 1) { \
			__VA_ARGS__ \
		} \
	}
#define MONREC_PUT_EACH(n, name, ...) \
	for (unsigned i_ = 0; i_ < (n); i_++) { \
		__typeof__(&x->name[0]) p = &x->name[i_]; \
		__VA_ARGS__ \
	}
#define MONREC_PUT_LIST(name, ...) \
	MONREC_PUT_NUMBER_OF(x->n); \
	for (uint64_t i_ = 0; i_ < x->n; i_++) { \
		__typeof__(&x->name[0]) p = &x->name[i_]; \
		__VA_ARGS__ \
	}

#endif
