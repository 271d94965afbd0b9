/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of monitor/wrap/wrap*.c.  Two arenas have the same bytes.  A
 * test calls the tested function on the first, and on the second libc's own,
 * found in the library itself.  Afterwards the results, the bytes and errno
 * must be the same, and the counts in the granules of the first arena must be
 * those of the ranges that R() and W() named.
 */
#ifndef MEMMON_TESTS_WRAP_TEST_H
#define MEMMON_TESTS_WRAP_TEST_H

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include "monitor/wrap/wrap_list.h"
#include "tests/access/wrap_rt.h"
#include "tests/tap.h"

#define ARENA 8192
#define TRIALS 1200

static char a[ARENA] __attribute__((aligned(4096)));
static char b[ARENA] __attribute__((aligned(4096)));
static unsigned reads[ARENA / 16], writes[ARENA / 16];
static int bad;
static uint32_t seed = 1;

static __attribute__((unused)) unsigned
rnd(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* libc's own function. */
static __attribute__((unused)) void *
libc_function(const char *name)
{
	static void *libc;

	if (!libc)
		libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	return libc ? dlsym(libc, name) : NULL;
}
#define LIBC(name) ((__typeof__(name) *)libc_function(#name))

/* n bytes from a + at are read, or written. */
static __attribute__((unused)) void
range(unsigned *count, size_t at, size_t n)
{
	for (size_t i = at / 16; n && i <= (at + n - 1) / 16; i++)
		count[i]++;
}
#define R(at, n) range(reads, at, n)
#define W(at, n) range(writes, at, n)

/* If they differ, the trial has failed: prints that for the first few. */
static __attribute__((unused)) void
same(intmax_t got, intmax_t want, const char *what)
{
	if (got != want && bad++ < 3)
		diag("%s: got %jd, want %jd", what, got, want);
}
#define SAME(got, want) same((intmax_t)(got), (intmax_t)(want), #got)
/* Pointers into the two arenas. */
static __attribute__((unused)) void
same_at(const void *got, const void *want, const char *what)
{
	same(got ? (const char *)got - a : -1,
	     want ? (const char *)want - b : -1, what);
}
#define SAME_AT(got, want) same_at(got, want, #got)

/* After a trial: do the bytes and the counts agree?  Clears the counts. */
static __attribute__((unused)) void
trial_end(int do_bytes)
{
	unsigned r, w;

	for (size_t i = 0; do_bytes && i < ARENA; i++)
		if (a[i] != b[i] && bad++ < 3)
			diag("byte %zu: %d, want %d", i, a[i], b[i]);
	for (size_t i = 0; i < ARENA / 16; i++) {
		r = rt_take(a + 16 * i, &w);
		if ((r != reads[i] || w != writes[i]) && bad++ < 3)
			diag("granule %zu: %u reads, %u writes; "
			     "want %u, %u",
			     i, r, w, reads[i], writes[i]);
		reads[i] = writes[i] = 0;
	}
}

/* Fill both arenas with n different letters, and with some 0s if wanted. */
static __attribute__((unused)) void
fill(unsigned letters, unsigned one_0_of)
{
	for (size_t i = 0; i < ARENA; i++)
		a[i] = b[i] = one_0_of && !rnd(one_0_of)
				      ? 0
				      : (char)("abcABC,; "[rnd(letters)]);
}

/* A string of `len' of the first letters, at + `at'. */
static __attribute__((unused)) void
string(size_t at, size_t len, unsigned letters)
{
	for (size_t i = 0; i < len; i++)
		a[at + i] = b[at + i] = "abcABC,; "[rnd(letters)];
	a[at + len] = b[at + len] = '\0';
}

/* Sizes of all kinds, small ones most often; and two distant places. */
static __attribute__((unused)) size_t
size(void)
{
	unsigned k = rnd(8);

	return k < 2 ? rnd(5) : k < 4 ? rnd(20) : k < 7 ? rnd(200) : rnd(2000);
}
static __attribute__((unused)) size_t
here(void)
{
	return rnd(64);
}
static __attribute__((unused)) size_t
there(void)
{
	return ARENA / 2 + rnd(64);
}

/* The length of the string at a + at, at most n, without its 0. */
static __attribute__((unused)) size_t
length(size_t at, size_t n)
{
	size_t i = 0;

	while (i < n && a[at + i])
		i++;
	return i;
}

/* Runs a trial many times, with each way of counting in turn. */
static __attribute__((unused)) void
try(void (*f)(void), const char *name, int do_bytes)
{
	bad = 0;
	trial_end(0);
	bad = 0;
	for (int i = 0; i < TRIALS; i++) {
		rt_watch(i % 3 == 2);
		f();
		trial_end(do_bytes);
	}
	ok(bad == 0, "%s", name);
}
#define TRY(name) try(t_##name, #name, 1)

#endif
