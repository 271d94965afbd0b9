/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accesses [-bcfju] LOG MON <TRACE: does a data file have the accesses that the
 * program made?
 *
 * TRACE is the output of valgrind --tool=lackey --trace-mem=yes for the
 * program; LOG is ld-linux-numbered.so's log of that run; MON is the data file
 * of another run, with ld-linux-numbered.so, too.  An access to a block counts
 * if an instruction of the program's own text makes it, or if
 * ld-linux-numbered.so logs it, for memcpy and so on.
 *
 * Compared for each allocation: whether each granule was read, and written; the
 * flags and sums that follow from that.  The file may lack reads of an
 * exchange: an atomic store is made of one.  If the file says that unrecorded
 * code got blocks of the allocation, only their number of accesses is compared.
 * With options:
 *
 *	-c	how often, too
 *	-j	loads and stores that together copy a struct are one access
 *	-b	the file may lack reads that a store to the same bytes follows
 *		soon: they keep the other bits of a bit-field
 *	-f	the file may have more reads of a granule that the program's own
 *		text reads or writes: the values were still in a register
 *	-u	the file may have more reads: of values that are never used; gcc
 *		and clang make no code for them, even without optimization
 *
 * Each difference is a line on stdout, with the code that accessed the granule
 * last; then "N blocks G granules", how many granules -b, -f, -u and exchanges
 * excused, and how many allocations unrecorded code got.  The status is 0
 * without a difference, 1 with one, 2 if the comparison fails.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/access/accesses.h"

#define DIFFERENCES 20 /* printed at most */

const volatile struct numbered_log *log_;
bool joins;

void
die(const char *what)
{
	fprintf(stderr, "accesses: %s\n", what);
	exit(2);
}

void *
room(size_t n, size_t size)
{
	void *p = calloc(n + !n, size);

	if (!p)
		die("no memory");
	return p;
}

static bool counts, bits, forwards, unused; /* -c, -b, -f, -u */
static uint64_t differences, excused, handed;

static bool
differs(const char *what, uint64_t code, uint64_t machine, uint64_t file)
{
	if (machine == file)
		return false;
	if (differences++ < DIFFERENCES)
		printf("allocation %" PRIu64 ": %s: %" PRIu64
		       " in truth, %" PRIu64 " in the file\n",
		       code, what, machine, file);
	return true;
}

/* Do -b, -f, -u or exchanges explain the reads? */
static bool
is_excused(const struct granule *m, const struct granule *o)
{
	if (bits && m->n[0] > o->n[0] && m->n[0] - o->n[0] <= m->soon)
		return true;
	if (unused && o->n[0] > m->n[0])
		return true;
	if (m->n[0] > o->n[0] && m->n[0] - o->n[0] <= m->exchanged)
		return true;
	return forwards && o->n[0] > m->n[0] && (m->pc[0] || m->pc[1]);
}

static void
compare_granule(const struct fields *f, uint64_t i)
{
	const struct granule *m = &f->granule[MACHINE][i];
	const struct granule *o = &f->granule[FILE_][i];
	static const char *const names[] = { "reads", "writes" };

	if (sums[FILE_][f->code].handed || f->code == NUMBERED_EARLY)
		return;
	for (int k = 0; k < 2; k++) {
		if (counts ? m->n[k] == o->n[k] : !m->n[k] == !o->n[k])
			continue;
		if (!k && is_excused(m, o)) {
			excused++;
			sums[MACHINE][f->code].excused = true;
			continue;
		}
		if (differences++ >= DIFFERENCES)
			continue;
		printf("allocation %" PRIu64 ", %" PRIu64 " of %" PRIu64
		       " bytes: %s at %" PRIu64 ": %" PRIu64
		       " in truth, %" PRIu64 " in the file",
		       f->code, f->blocks[MACHINE], f->size, names[k],
		       i * GRANULE, m->n[k], o->n[k]);
		for (int w = 0; w < 2; w++)
			if (m->pc[w])
				printf(", last %s by %#" PRIx64,
				       w ? "written" : "read",
				       m->pc[w] - log_->bias);
		putchar('\n');
	}
}

static void
compare_fields(const struct fields *f)
{
	for (uint64_t i = 0; i < counted(f->size); i++)
		compare_granule(f, i);
}

/* Unrecorded code got it: are the accesses as many, or is there any? */
static void
compare_numbers(uint64_t code)
{
	static const char *const names[] = { "reads", "writes" };
	const struct sums *m = &sums[MACHINE][code], *f = &sums[FILE_][code];

	for (int k = 0; k < 2; k++)
		if (counts)
			differs(names[k], code, m->n[k], f->n[k]);
		else
			differs(names[k], code, m->n[k] != 0, f->n[k] != 0);
}

static void
compare_sums(uint64_t code)
{
	const struct sums *m = &sums[MACHINE][code], *f = &sums[FILE_][code];

	/* The runs differ: no more to compare. */
	if (differs("blocks", code, m->blocks, f->blocks) ||
	    differs("bytes", code, m->bytes, f->bytes))
		return;
	if (f->handed) {
		handed++;
		compare_numbers(code);
		return;
	}
	differs("granules", code, m->cover, f->cover);
	differs("span", code, m->span, f->span);
	if (counts)
		differs("writes", code, m->n[1], f->n[1]);
	if (m->excused)
		return;
	differs("read and written", code, m->cover_used, f->cover_used);
	differs("their span", code, m->span_used, f->span_used);
	differs("not accessed", code, m->flag[0], f->flag[0]);
	differs("only written", code, m->flag[1], f->flag[1]);
	differs("only read", code, m->flag[2], f->flag[2]);
	if (counts)
		differs("reads", code, m->n[0], f->n[0]);
}

static void
compare(void)
{
	uint64_t blocks = 0, n = 0;

	fields_each(compare_fields);
	for (uint64_t code = NUMBERED_EARLY + 1; code < NUMBERED_CODES;
	     code++) {
		compare_sums(code);
		blocks += sums[MACHINE][code].blocks;
		n += (sums[MACHINE][code].cover + GRANULE - 1) / GRANULE;
	}
	if (differences > DIFFERENCES)
		printf("... %" PRIu64 " differences\n", differences);
	printf("%" PRIu64 " blocks %" PRIu64 " granules %" PRIu64
	       " excused %" PRIu64 " handed over\n",
	       blocks, n, excused, handed);
}

int
main(int argc, char **argv)
{
	struct stat st;
	int fd;

	while ((fd = getopt(argc, argv, "bcfju")) != -1) {
		bits |= fd == 'b';
		counts |= fd == 'c';
		forwards |= fd == 'f';
		joins |= fd == 'j';
		unused |= fd == 'u';
	}
	if (argc - optind != 2)
		die("usage: accesses [-bcfju] LOG MON <TRACE");
	fd = open(argv[optind], O_RDONLY);
	if (fd < 0 || fstat(fd, &st) || (uint64_t)st.st_size < sizeof(*log_))
		die("no log");
	log_ = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (log_ == MAP_FAILED)
		die("no log");
	sums_init();
	trace_read();
	file_read(argv[optind + 1]);
	compare();
	return differences != 0;
}
