/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an allocator costs: sums stop at the highest number; of a directory with
 * many references the first ones by name are read, in any order that the
 * directory lists them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define allocator_object test_object
#define allocator_by_reference test_by_reference
#define allocator_predict test_predict
#define allocator_references test_references
#define open_file fake_open
#define mon_fini fake_fini
#define allocator_of fake_of
#include "reduce/model/stages.h"
#include "reduce/profile/allocator_predict.c"
#include "tests/tap.h"

enum { FILES = 300, READ = 64 };

/* ----------------------------------------------------------- references -- */

static const char *opened;

int
fake_open(struct mon *m, const char *path, struct err *e)
{
	(void)m, (void)e;
	opened = path;
	return 0;
}

void
fake_fini(struct mon *m)
{
	(void)m;
}

/* Replaces the reader: each file has an allocator with the file's name. */
void
fake_of(const struct allocator **to, struct arena *arena, const struct mon *m,
	size_t runs)
{
	struct allocator *a = arena_array(arena, 1, sizeof *a);

	(void)m, (void)runs;
	a->path = arena_print(arena, "%s", opened);
	*to = a;
}

static void
name_of(char *to, size_t n, const char *dir, unsigned i)
{
	snprintf(to, n, "%s/%04u.mon", dir, i);
}

static void
references(void)
{
	char dir[] = "/tmp/t_allocator.XXXXXX", path[64];
	struct profile_priv priv = { 0 };
	struct profile p = { .priv = &priv };
	unsigned wrong = 0;
	FILE *f;

	if (!mkdtemp(dir))
		return;
	for (unsigned i = 0; i < FILES; i++) {
		/* Neither ascending nor descending. */
		name_of(path, sizeof path, dir, i * 7 % FILES);
		f = fopen(path, "w");
		if (f)
			fclose(f);
	}
	setenv("MEMMON_REFERENCE", dir, 1);
	test_references(&p);
	is_int(p.nreferences, READ, "... as many as there may be");
	for (unsigned i = 0; i < p.nreferences; i++) {
		name_of(path, sizeof path, dir, i);
		wrong += strcmp(p.references[i].name, strrchr(path, '/') + 1) !=
			 0;
	}
	is_int(wrong, 0, "... the first by name, in their order");
	for (unsigned i = 0; i < FILES; i++) {
		name_of(path, sizeof path, dir, i);
		unlink(path);
	}
	rmdir(dir);
	arena_fini(&priv.arena);
}

/* ----------------------------------------------------------------- sums -- */

static void
sums(void)
{
	struct allocator_sum to = { UINT64_MAX - 5, UINT64_MAX - 50, 7 };
	const struct allocator_sum x = { 5, 50, 6 };

	allocator_sum_add(&to, &x);
	ok(to.n == UINT64_MAX && to.sum == UINT64_MAX && to.most == 7,
	   "sums up to the highest number");
	allocator_sum_add(&to, &x);
	ok(to.n == UINT64_MAX && to.sum == UINT64_MAX, "... and not beyond it");
}

int
main(void)
{
	sums();
	references();
	return done_testing();
}
