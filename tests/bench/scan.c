/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An array that is read again and again, in a loop that compilers
 * vectorize.
 *
 *	scan [passes]				(3600)
 *
 * One block of 4 MiB.
 */
#include "bench.h"

#define N (1u << 20)

FRAME uint32_t
sum(const uint32_t *a)
{
	uint32_t s = 0;

	for (unsigned i = 0; i < N; i++)
		s += a[i];
	return s;
}

int
main(int argc, char **argv)
{
	unsigned long passes = arg(argc, argv, 1, 3600);
	uint32_t *a = must(malloc(N * sizeof(*a)));
	uint64_t seed = 1, check = 0;

	for (unsigned i = 0; i < N; i++)
		a[i] = (uint32_t)rnd(&seed);
	for (unsigned long k = 0; k < passes; k++) {
		a[k % N]++;
		check = mix(check, sum(a));
	}
	printf("%016" PRIx64 "\n", check);
	free(a);
	return 0;
}
