/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From files to struct profile: the tables that aren't about functions, and
 * which figures are known.  The sites have no call paths, so no symbols are
 * needed.
 */
#include "reduce/monout/emit.h"
#include "reduce/profile/profile.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static struct err e;

/* A file to write. */
struct file {
	char path[64];
	uint64_t scale; /* of its sizes and of its peak */
	bool tables;
	bool limit;
	uint64_t timing;
};

/* Flags, threads and bytes; names are one letter. */
static const struct {
	char name[2];
	uint64_t flags, threads, bytes;
} threads[] = {
	{ "c", 0, 1, 50 },  { "b", 0, 3, 50 }, { "a", 0, 1, 10 },
	{ "z", 0, 1, 200 }, { "m", 1, 1, 20 }, { "\n", 0, 2, 5 },
};
enum { THREADS = sizeof(threads) / sizeof(threads[0]) };

/* Ten blocks without a call path in class s; eight are freed. */
static void
put_site(struct emit *f, uint64_t scale)
{
	const uint64_t site[] = { 0, 2, 1, 10, 10 * scale, 8, 8 * scale };
	size_t i;

	emit_open(f, MONOUT_SITES, 0);
	for (i = 0; i < 7; i++)
		emit_number(f, site[i]);
	emit_item(f);
	emit_close(f);
	emit_open(f, MONOUT_BINS, 0);
	emit_number(f, scale);
	emit_number(f, 10);
	emit_number(f, 8);
	emit_item(f);
	emit_close(f);
}

static void
put_after(struct emit *f, uint64_t scale)
{
	const uint64_t peak[] = { 0, 5, 5 * scale };
	const uint64_t life[] = { 0, 1,	  2,   3,   1, scale, 2, 1,
				  4, 400, 100, 100, 6, 1,     4 };
	size_t i;

	emit_open(f, MONOUT_PEAKS, 0);
	for (i = 0; i < 3; i++)
		emit_number(f, peak[i]);
	emit_item(f);
	emit_close(f);
	emit_open(f, MONOUT_LIVES, 0);
	for (i = 0; i < sizeof(life) / sizeof(life[0]); i++)
		emit_number(f, life[i]);
	emit_item(f);
	emit_close(f);
	emit_open(f, MONOUT_THREADS, 0);
	for (i = 0; i < THREADS; i++) {
		emit_number(f, threads[i].flags);
		emit_number(f, threads[i].threads);
		emit_string(f, threads[i].name, 1);
		emit_number(f, 1);
		emit_number(f, threads[i].bytes);
		emit_number(f, 4);
		emit_number(f, 3);
		emit_number(f, 2);
		emit_item(f);
	}
	emit_close(f);
}

static void
make(struct file *file)
{
	struct emit f = { 0 };
	int fd;

	strcpy(file->path, "/tmp/memmon-t_profile.XXXXXX");
	emit_header(&f, 0);
	emit_open(&f, MONOUT_RUN, 0);
	if (file->limit)
		emit_key_number(&f, MONOUT_R_MAXMEM, 4096);
	emit_key_number(&f, MONOUT_R_TIMING, file->timing);
	emit_close(&f);
	put_site(&f, file->scale);
	if (file->tables)
		put_after(&f, file->scale);
	emit_open(&f, MONOUT_TOTALS, 0);
	emit_key_number(&f, MONOUT_T_ALLOCS, 10);
	emit_key_number(&f, MONOUT_T_PEAK, 5 * file->scale + 1);
	emit_key_number(&f, MONOUT_T_PEAK_SLACK, file->scale);
	emit_key_number(&f, MONOUT_T_FRAMES, 70);
	emit_key_number(&f, MONOUT_T_SAME, 40);
	emit_key_number(&f, MONOUT_T_CHAINS, 9);
	emit_key_number(&f, MONOUT_T_SHORT, 3);
	emit_key_number(&f, MONOUT_T_UNTIMED, 4);
	emit_close(&f);
	fd = mkstemp(file->path);
	if (fd < 0 || write(fd, f.data, f.length) != (ssize_t)f.length)
		diag("%s: can't write", file->path);
	close(fd);
	emit_fini(&f);
}

static void
read_files(struct profile *p, struct file *files, size_t n)
{
	const char *paths[4];
	struct profile_options o = { .exe = (char *)getauxval(AT_EXECFN),
				     .files = paths,
				     .nfiles = n };
	size_t i;

	for (i = 0; i < n; i++) {
		make(&files[i]);
		paths[i] = files[i].path;
	}
	if (!is_int(profile_read(p, &o, &e), 0, "read %zu files", n))
		diag("%s", e.text);
	for (i = 0; i < n; i++)
		unlink(paths[i]);
}

static bool
warned(const struct profile *p, const char *of)
{
	size_t i;

	for (i = 0; i < p->nwarnings; i++) {
		if (strstr(p->warnings[i], of))
			return true;
	}
	return false;
}

static void
one(void)
{
	static const char *const order[] = { "m", "z", "b", "c", "a", "?" };
	struct file f = {
		.scale = 16, .tables = true, .limit = true, .timing = 32
	};
	struct profile p;
	size_t i;

	read_files(&p, &f, 1);
	ok(p.peaks_known && p.lives_known, "peak and lives are known");
	is_int(p.peak, 80, "peak: what they held, not as counted");
	is_int(p.total.peak, 80, "who held it: bytes");
	is_int(p.peak_blocks, 5, "blocks");
	is_int(p.peak_slack, 16, "slack");
	is_int(p.timing, 32, "timing");
	is_int(p.maxmem, 4096, "limit");
	is_int(p.frames, 70, "frames");
	is_int(p.same, 40, "of them as before");
	is_int(p.chains, 9, "chains that these are of");
	is_int(p.shortened, 3, "shortened");
	is_int(p.untimed, 4, "untimed");
	is_int(p.life.by_others, 3, "life of all");
	is_int(p.nsites, 1, "one site");
	is_int(p.sites[0].life->bin[6], 4, "its lifetimes");
	is_int(p.sites[0].reallocs, 2, "its reallocs");
	is_int(p.nthreads, THREADS, "threads");
	for (i = 0; i < p.nthreads; i++)
		is_str(p.all_threads[i].name, order[i], "thread %zu", i);
	ok(p.all_threads[0].main && !p.all_threads[1].main, "the main one");
	is_int(p.all_threads[2].threads, 3, "several of one name");
	is_int(p.all_threads[2].bytes, 50, "their bytes");
	is_int(p.all_threads[2].allocs, 1, "their allocations");
	is_int(p.all_threads[2].frees, 4, "their frees");
	is_int(p.all_threads[2].freed, 3, "bytes of these");
	is_int(p.all_threads[2].of_others, 2, "others' blocks");
	is_int(p.nwarnings, 0, "no warning");
	profile_fini(&p);
}

static void
several(void)
{
	struct file two[] = { { .scale = 16, .tables = true, .timing = 32 },
			      { .scale = 8, .tables = true, .timing = 64 } };
	struct file old[] = { { .scale = 16, .tables = true, .timing = 32 },
			      { .scale = 8, .timing = 32 } };
	struct file large[] = { { .scale = 16, .tables = true },
				{ .scale = 24 } };
	struct profile p;

	read_files(&p, two, 2);
	is_int(p.total.peak, 80, "two: the larger peak");
	is_int(p.peak_slack, 16, "two: its slack");
	is_int(p.life.temps, 2, "two: both lives");
	is_int(p.timing, 0, "two: not the same timing");
	is_int(p.maxmem, 0, "two: no limit");
	is_int(p.shortened, 6, "two: shortened");
	is_int(p.chains, 18, "two: chains");
	is_int(p.all_threads[2].threads, 6, "two: threads");
	is_int(p.nwarnings, 0, "two: no warning");
	profile_fini(&p);
	read_files(&p, old, 2);
	ok(p.peaks_known && !p.lives_known, "one without: the peak is known");
	is_int(p.total.peak, 80, "one without: who held it");
	is_int(p.life.temps, 0, "one without: no lives");
	ok(!p.sites[0].life, "one without: none of the site");
	is_int(p.nthreads, 0, "one without: no threads");
	is_int(p.timing, 32, "one without: the same timing");
	ok(warned(&p, "don't record the fate of blocks"), "which is said");
	ok(warned(&p, "don't record threads"), "of threads too");
	profile_fini(&p);
	read_files(&p, large, 2);
	ok(!p.peaks_known, "a larger peak: who held it isn't known");
	is_int(p.peak, 121, "a larger peak");
	is_int(p.total.peak, 0, "a larger peak: nobody");
	profile_fini(&p);
}

int
main(void)
{
	one();
	several();
	return done_testing();
}
