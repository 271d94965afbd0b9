/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/events_naive.h"

static FILE *out;

static void
start(void)
{
	const char *name = getenv("NAIVE_LOG");

	if (!out)
		out = fopen(name ? name : "/dev/null", "w");
	if (!out)
		abort();
}

void
naive(const char *kind, const char *name)
{
	start();
	fprintf(out, "%s %s\n", kind, name);
}

void
naive_access(const char *kind, volatile const void *p, size_t size)
{
	uint64_t value = 0;

	start();
	memcpy(&value, (const void *)p, size);
	fprintf(out, "%s %lx %zu %lx\n", kind, (unsigned long)p, size,
		(unsigned long)value);
}
