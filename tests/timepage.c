/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page with a known heap over time.
 *
 *	timepage EXE MON	the page of MON, on standard output
 *
 * There are ten snapshots, 1 ms apart.  At each snapshot from number i (modulo
 * 10) on, site i allocated 10 more blocks of 100 (i + 1) bytes and freed 5 of
 * them.
 */
#include "display/html/html.h"
#include "display/cli/options.h"
#include "reduce/profile/profile.h"

#include <stdio.h>
#include <stdlib.h>

enum { SNAPSHOTS = 10 };

static struct amounts
after(size_t site, size_t snapshot)
{
	size_t from = site % SNAPSHOTS, size = 100 * (site + 1);
	uint64_t times = snapshot < from ? 0 : snapshot - from + 1;

	return (struct amounts){ 10 * times, 10 * size * times, 5 * times,
				 5 * size * times };
}

static void
add(struct amounts *to, struct amounts c)
{
	to->allocs += c.allocs;
	to->bytes += c.bytes;
	to->frees += c.frees;
	to->freed += c.freed;
}

static void
make(struct profile *p)
{
	static uint64_t at[SNAPSHOTS], peak[SNAPSHOTS], rss[SNAPSHOTS];
	static struct amounts total[SNAPSHOTS];
	struct time_row *rows = calloc(p->nsites + 1, sizeof *rows);

	if (!rows)
		exit(1);
	for (size_t i = 0; i < p->nsites; i++) {
		size_t from = i % SNAPSHOTS;
		struct time_change *c = calloc(SNAPSHOTS, sizeof *c);

		if (!c)
			exit(1);
		rows[i] = (struct time_row){ c, SNAPSHOTS - from };
		for (size_t m = from; m < SNAPSHOTS; m++)
			c[m - from] = (struct time_change){ (uint32_t)m,
							    after(i, m) };
	}
	for (size_t m = 0; m < SNAPSHOTS; m++) {
		at[m] = (m + 1) * 1000000;
		for (size_t i = 0; i < p->nsites; i++)
			add(&total[m], after(i, m));
		peak[m] = total[m].bytes - total[m].freed + 50;
		rss[m] = m < 2 ? UINT64_MAX : 4096 * (m + 10);
	}
	p->time = (struct profile_time){ .known = true,
					 .step = 1000000,
					 .n = SNAPSHOTS,
					 .at = at,
					 .total = total,
					 .peak = peak,
					 .rss = rss,
					 .sites = rows };
}

int
main(int argc, char **argv)
{
	struct options o;
	struct profile p;
	struct err e;

	if (argc != 3)
		return 2;
	options_default(&o);
	o.say_human = OPTIONS_NO;
	o.read.exe = argv[1];
	o.read.files = (const char *const *)&argv[2];
	o.read.nfiles = 1;
	if (profile_read(&p, &o.read, &e)) {
		fprintf(stderr, "timepage: %s\n", e.text);
		return 1;
	}
	make(&p);
	if (html_write(&p, NULL, &o, stdout, &e)) {
		fprintf(stderr, "timepage: %s\n", e.text);
		return 1;
	}
	for (size_t i = 0; i < p.nsites; i++)
		free((void *)p.time.sites[i].change);
	free((void *)p.time.sites);
	profile_fini(&p);
	options_fini(&o);
	return 0;
}
