/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rawdump FILE: prints the content of a data file by the rows of
 * monitor/monrec.h, without reduce/: lines "run KEY VALUE", "total KEY VALUE",
 * and for each item of a table its name and its fields, such as "mark TIME
 * ALLOCS BYTES FREES FREED NAME".  rawdump --plain FILE: writes the file with
 * no record packed, and its CRCs unchanged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "monitor/monout.h"

static const unsigned char *at, *end;

static uint64_t
number(void)
{
	uint64_t v = 0;

	for (unsigned shift = 0; at < end; shift += 7) {
		v |= (uint64_t)(*at & 127) << shift;
		if (!(*at++ & 128))
			break;
	}
	return v;
}

static void
keys(const char *name, unsigned n)
{
	while (n-- > 0) {
		uint64_t key = number(), length = number();
		const unsigned char *from = at;

		printf("%s %llu %llu\n", name, (unsigned long long)key,
		       (unsigned long long)number());
		at = from + length;
	}
}

static uint64_t
dump(uint64_t v)
{
	printf(" %llu", (unsigned long long)v);
	return v;
}

static void
dump_zigzag(uint64_t v)
{
	printf(" %lld", (long long)(v >> 1 ^ -(v & 1)));
}

static void
dump_bytes(const char *format)
{
	uint64_t n = number();

	putchar(' ');
	for (; n > 0 && at < end; n--)
		printf(format, *at++);
}

#define DUMP_FIELD(kind, sum, name) DUMP_##kind(name)
#define DUMP_NUMBER(name) p->name = dump(number());
#define DUMP_ZIGZAG(name) dump_zigzag(number());
#define DUMP_SIGNED(name) dump_zigzag(number());
#define DUMP_SIZE(name) p->any = dump(number()) & 1;
#define DUMP_SITE(name) dump(number());
#define DUMP_MODULE(name) dump(number());
#define DUMP_NODE(name) dump(number());
#define DUMP_CELL(name) dump(number());
#define DUMP_SNAPSHOT(name) dump(number());
#define DUMP_THREAD(name) dump(number());
#define DUMP_TEXT(name) dump_bytes("%c");
#define DUMP_BYTES(name) dump_bytes("%02x");
#define DUMP_IF(name, ...) \
	if (x->name) { \
		__VA_ARGS__ \
	}
#define DUMP_PARTS(n, when, name, ...) \
	for (uint64_t i_ = 0; i_ < (n) && at < end; i_++) { \
		__typeof__(x->name[0]) part, *p = &part; \
		(void)p; \
		if (when) { \
			__VA_ARGS__ \
		} \
	}
#define DUMP_BITS(n, name, ...) \
	x->mask = dump(number()); \
	DUMP_PARTS(n, x->mask >> i_ & 1, name, __VA_ARGS__)
#define DUMP_EACH(n, name, ...) DUMP_PARTS(n, 1, name, __VA_ARGS__)
#define DUMP_LIST(name, ...) \
	x->n = dump(number()); \
	DUMP_PARTS(x->n, 1, name, __VA_ARGS__)

#define R(name, item, ...) \
	static void dump_##item(unsigned count) \
	{ \
		struct monrec_##item *x = calloc(1, sizeof(*x)), *p = x; \
\
		for (; x && count > 0 && at < end; count--) { \
			fputs(#item, stdout); \
			MONREC_##name(DUMP) putchar('\n'); \
		} \
		free(p); \
	}
MONREC_TABLES(R)
#undef R

static void
record(const struct monout_record *r)
{
	switch (r->tag) {
	case MONOUT_RUN:
		keys("run", r->count);
		break;
	case MONOUT_TOTALS:
		keys("total", r->count);
		break;
#define R(name, item, ...) \
	case MONOUT_##name: \
		dump_##item(r->count); \
		break;
		MONREC_TABLES(R)
#undef R
	default:
		break;
	}
}

static unsigned char payload[MONOUT_PAYLOAD_MAX];

/* Reads the payload of a record with the head *r, and unpacks both. */
static int
get(FILE *f, struct monout_record *r)
{
	static unsigned char packed[sizeof(payload)];
	const size_t k = sizeof(r->tag);
	size_t n;

	if (r->length > sizeof(packed) ||
	    fread(packed, 1, r->length, f) != r->length)
		return 0;
	if (r->tag != MONOUT_PACKED) {
		memcpy(payload, packed, r->length);
		return 1;
	}
	memcpy(&r->tag, packed, k);
	n = ZSTD_decompress(payload, sizeof(payload), packed + k,
			    r->length - k);
	r->length = (uint32_t)n;
	return !ZSTD_isError(n);
}

int
main(int argc, char **argv)
{
	int plain = argc == 3 && !strcmp(argv[1], "--plain");
	FILE *f = argc == 2 + plain ? fopen(argv[1 + plain], "rb") : NULL;
	struct monout_header head;
	struct monout_record r;

	if (!f || fread(&head, sizeof(head), 1, f) != 1)
		return 1;
	if (plain)
		fwrite(&head, sizeof(head), 1, stdout);
	while (fread(&r, sizeof(r), 1, f) == 1) {
		if (!get(f, &r))
			return 1;
		at = payload;
		end = at + r.length;
		if (plain) {
			fwrite(&r, sizeof(r), 1, stdout);
			fwrite(payload, 1, r.length, stdout);
		} else {
			record(&r);
		}
	}
	fclose(f);
	return 0;
}
