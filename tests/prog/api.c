/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls every function of the allocation API and checks the results.  If memmon
 * is loaded, it also checks what memmon_totals() counted between two points.
 * Prints TAP.  Without memmon the checks of counts pass, so that the results of
 * the allocator alone can be compared.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/memmon.h"

/* The test does what gcc warns of. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Walloc-size-larger-than="
#if __GNUC__ >= 12
#pragma GCC diagnostic ignored "-Wuse-after-free"
#endif
#endif

extern int memmon_totals(struct memmon_totals *) __attribute__((weak));
extern void free_sized(void *, size_t) __attribute__((weak));
extern void free_aligned_sized(void *, size_t, size_t) __attribute__((weak));

static int tests, failed;
static struct memmon_totals before, after;
static void *volatile sink;

static void
ok(int cond, const char *what)
{
	printf("%s %d - %s\n", cond ? "ok" : "not ok", ++tests, what);
	failed += !cond;
}

/* Since begin(): allocations, bytes, frees, freed bytes, reallocs. */
static void
begin(void)
{
	if (memmon_totals)
		memmon_totals(&before);
}

static void
is(const char *what, uint64_t allocs, uint64_t bytes, uint64_t frees,
   uint64_t freed, uint64_t reallocs)
{
	int good;

	if (!memmon_totals) {
		ok(1, what);
		return;
	}
	memmon_totals(&after);
	good = after.allocs - before.allocs == allocs &&
	       after.bytes - before.bytes == bytes &&
	       after.frees - before.frees == frees &&
	       after.freed - before.freed == freed &&
	       after.reallocs - before.reallocs == reallocs;
	ok(good, what);
	if (!good)
		printf("# got %ld allocs %ld bytes %ld frees %ld freed %ld "
		       "reallocs\n",
		       (long)(after.allocs - before.allocs),
		       (long)(after.bytes - before.bytes),
		       (long)(after.frees - before.frees),
		       (long)(after.freed - before.freed),
		       (long)(after.reallocs - before.reallocs));
}

static int
aligned(const void *p, size_t n)
{
	return p && (uintptr_t)p % n == 0;
}

static void
plain(void)
{
	void *p, *q;

	begin();
	p = malloc(100);
	sink = p;
	ok(aligned(p, 16), "malloc is aligned to 16");
	free(p);
	is("malloc, free", 1, 100, 1, 100, 0);

	begin();
	p = malloc(0);
	sink = p;
	free(p);
	is("malloc(0) is a block of 0 bytes", 1, 0, 1, 0, 0);

	begin();
	free(NULL);
	is("free(NULL) is nothing", 0, 0, 0, 0, 0);

	begin();
	p = calloc(7, 11);
	sink = p;
	free(p);
	is("calloc(7, 11)", 1, 77, 1, 77, 0);

	begin();
	errno = 0;
	p = calloc(SIZE_MAX / 2, 3);
	sink = p;
	ok(!p && errno == ENOMEM, "calloc overflow fails with ENOMEM");
	is("and changes nothing", 0, 0, 0, 0, 0);

	begin();
	p = malloc(10);
	q = malloc(20);
	sink = p;
	sink = q;
	errno = 77;
	free(p);
	ok(errno == 77, "free leaves errno alone");
	errno = 78;
	p = malloc(30);
	sink = p;
	ok(errno == 78, "malloc leaves errno alone");
	free(q);
	free(p);
	is("three blocks", 3, 60, 3, 60, 0);
}

static void
reallocs(void)
{
	size_t huge = PTRDIFF_MAX;
	void *p, *q;

	begin();
	p = realloc(NULL, 50);
	sink = p;
	is("realloc(NULL, n) is malloc(n)", 1, 50, 0, 0, 0);
	p = realloc(p, 5000);
	sink = p;
	is("realloc is one free and one allocation", 2, 5050, 1, 50, 1);
	q = realloc(p, huge);
	sink = q;
	ok(!q, "an impossible realloc fails");
	is("and changes nothing", 2, 5050, 1, 50, 1);
	p = reallocarray(p, 10, 10);
	sink = p;
	is("reallocarray", 3, 5150, 2, 5050, 2);
	errno = 0;
	q = reallocarray(p, SIZE_MAX, 2);
	sink = q;
	ok(!q && errno == ENOMEM, "reallocarray overflow");
	is("and changes nothing", 3, 5150, 2, 5050, 2);
	free(p);
	is("freed", 3, 5150, 3, 5150, 2);

	begin();
	p = malloc(64);
	sink = p;
	q = realloc(p, 0);
	sink = q;
	if (q) {
		free(q);
		is("realloc(p, 0) that gives a block", 2, 64, 2, 64, 1);
	} else {
		is("realloc(p, 0) that frees", 1, 64, 1, 64, 0);
	}
}

static void
alignments(void)
{
	void *p = NULL;
	int r;

	begin();
	r = posix_memalign(&p, 64, 100);
	ok(r == 0 && aligned(p, 64), "posix_memalign is aligned");
	free(p);
	is("posix_memalign", 1, 100, 1, 100, 0);

	begin();
	p = (void *)1;
	errno = 5;
	r = posix_memalign(&p, 3, 100);
	ok(r == EINVAL && p == (void *)1 && errno == 5,
	   "posix_memalign(3) says EINVAL, leaves errno and the pointer");
	is("and is nothing", 0, 0, 0, 0, 0);

	begin();
	p = aligned_alloc(256, 512);
	sink = p;
	ok(aligned(p, 256), "aligned_alloc is aligned");
	free(p);
	is("aligned_alloc", 1, 512, 1, 512, 0);

	begin();
	p = memalign(128, 33);
	sink = p;
	ok(aligned(p, 128), "memalign is aligned");
	free(p);
	is("memalign", 1, 33, 1, 33, 0);

	begin();
	p = valloc(77);
	sink = p;
	ok(aligned(p, 4096), "valloc is aligned to a page");
	free(p);
	is("valloc", 1, 77, 1, 77, 0);

	begin();
	p = memalign(1 << 20, 10);
	sink = p;
	ok(aligned(p, 1 << 20), "memalign of 1 MiB");
	p = realloc(p, 20);
	sink = p;
	free(p);
	is("realloc of an aligned block", 2, 30, 2, 30, 1);
}

/* For a libc that has no free_sized(). */
static void
plain_free_sized(void *p, size_t size)
{
	(void)size;
	free(p);
}

static void
plain_free_aligned_sized(void *p, size_t align, size_t size)
{
	(void)align;
	(void)size;
	free(p);
}

static void
sized(void)
{
	void *p;

	begin();
	p = malloc(123);
	sink = p;
	(free_sized ? free_sized : plain_free_sized)(p, 123);
	p = aligned_alloc(64, 128);
	sink = p;
	(free_aligned_sized ? free_aligned_sized
			    : plain_free_aligned_sized)(p, 64, 128);
	is("free_sized, free_aligned_sized", 2, 251, 2, 251, 0);
}

/* The libc's own allocations are unknown, but more than 0, and live. */
static void
seen(const char *what)
{
	if (memmon_totals)
		memmon_totals(&after);
	ok(!memmon_totals ||
		   (after.allocs > before.allocs && after.live > before.live &&
		    after.live - before.live ==
			    after.bytes - before.bytes -
				    (after.freed - before.freed)),
	   what);
}

static void
libc_calls(void)
{
	char *s = NULL;
	size_t n = 0;
	FILE *f;

	begin();
	s = strdup("twelve bytes");
	is("strdup", 1, 13, 0, 0, 0);
	free(s);
	s = strndup("twelve bytes", 6);
	is("strndup", 2, 20, 1, 13, 0);
	free(s);

	begin();
	if (asprintf(&s, "%d-%s", 42, "x") < 0)
		abort();
	seen("asprintf is seen");
	free(s);

	begin();
	s = realpath("/", NULL);
	seen("realpath(NULL) is seen");
	free(s);

	f = fopen("/proc/self/stat", "r");
	s = NULL;
	begin();
	if (!f || getline(&s, &n, f) < 0)
		abort();
	seen("getline is seen");
	free(s);
	fclose(f);
}

static void
usable(void)
{
	void *p = malloc(100);
	size_t n = malloc_usable_size(p);

	ok(n >= 100 && n < 200, "malloc_usable_size is the allocator's");
	memset(p, 0xff, n);
	free(p);
	ok(1, "all of it may be written");
}

static void
huge_block(void)
{
	size_t n = (size_t)5 << 30;
	void *p;

	begin();
	p = malloc(n);
	sink = p;
	if (!p) {
		ok(1, "5 GiB # SKIP no such address space");
		return;
	}
	is("a block of 5 GiB", 1, n, 0, 0, 0);
	free(p);
	is("and its free", 1, n, 1, n, 0);
}

int
main(void)
{
	static char buffer[1 << 16];

	/* stdout must not allocate in the middle. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	plain();
	reallocs();
	alignments();
	sized();
	libc_calls();
	usable();
	huge_block();
	printf("1..%d\n", tests);
	return failed != 0;
}
