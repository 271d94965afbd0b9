/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of arm64's scalable vectors, whose size only the CPU knows, with an
 * allocation under each.  Prints "done".
 */
#include <arm_sve.h>
#include <stdio.h>
#include <stdlib.h>

static void *volatile sink;

static __attribute__((noinline)) void
leaf(size_t n)
{
	void *p = malloc(n);

	sink = p;
	free(p);
}

/* Keeps vectors over the call, below words of the usual size. */
static __attribute__((noinline)) svfloat64_t
scalable(svfloat64_t v, int n)
{
	volatile char bytes[40];
	svfloat64_t w = svadd_f64_x(svptrue_b64(), v, svdup_f64(n));

	bytes[n] = 1;
	if (n > 0)
		w = scalable(w, n - 1);
	leaf((size_t)n + 16);
	bytes[0] = 2;
	return svmul_f64_x(svptrue_b64(), v, w);
}

/* A frame that is found by its frame pointer, too. */
static __attribute__((noinline)) double
both(int n)
{
	volatile char *p = __builtin_alloca((size_t)n * 7 + 1);
	svfloat64_t v;

	p[n] = 1;
	v = scalable(svdup_f64(1.5), n);
	leaf((size_t)p[n]);
	return svaddv_f64(svptrue_b64(), v) + p[n];
}

int
main(void)
{
	double sum = 0;

	for (int i = 0; i < 40; i++)
		sum += both(i % 20);
	puts(sum != 0 ? "done" : "wrong");
	return 0;
}
