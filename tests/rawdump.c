/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rawdump FILE: numbers of a data file as they stand there, by keys of
 * monitor/monout.h, with nothing of reduce/ between: lines "run KEY VALUE",
 * "total KEY VALUE", and "mark TIME ALLOCS BYTES FREES FREED NAME".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void
marks(unsigned n)
{
	while (n-- > 0) {
		int length;

		fputs("mark", stdout);
		for (int i = 0; i < 5; i++)
			printf(" %llu", (unsigned long long)number());
		length = (int)number();
		printf(" %.*s\n", length, (const char *)at);
		at += length;
	}
}

int
main(int argc, char **argv)
{
	static unsigned char payload[MONOUT_PAYLOAD_MAX];
	struct monout_header head;
	struct monout_record r;
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;

	if (!f || fread(&head, sizeof(head), 1, f) != 1)
		return 1;
	while (fread(&r, sizeof(r), 1, f) == 1) {
		if (r.length > sizeof(payload) ||
		    fread(payload, 1, r.length, f) != r.length)
			return 1;
		at = payload;
		end = at + r.length;
		if (r.tag == MONOUT_RUN)
			keys("run", r.count);
		else if (r.tag == MONOUT_TOTALS)
			keys("total", r.count);
		else if (r.tag == MONOUT_MARKS)
			marks(r.count);
	}
	fclose(f);
	return 0;
}
