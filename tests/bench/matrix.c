/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dense numbers: matrices are multiplied, a grid is relaxed, values are
 * counted.
 *
 *	matrix [passes]				(600)
 *
 * Rows of equal length at varying places, in loops that compilers vectorize,
 * and one table that is written at random.
 *
 * By construction: 5 blocks, all freed.
 */
#include "bench.h"

#define SIDE 400 /* of each matrix and of the grid */

FRAME double *
filled(uint64_t *seed)
{
	double *m = must(malloc(SIDE * SIDE * sizeof(*m)));

	for (unsigned i = 0; i < SIDE * SIDE; i++)
		m[i] = (double)(rnd(seed) >> 48);
	return m;
}

FRAME void
multiply(double *to, const double *a, const double *b)
{
	for (unsigned row = 0; row < SIDE; row++) {
		double *t = to + row * SIDE;

		for (unsigned k = 0; k < SIDE; k++) {
			const double *r = b + k * SIDE;
			double factor = a[row * SIDE + k];

			for (unsigned col = 0; col < SIDE; col++)
				t[col] += factor * r[col];
		}
	}
}

/* Each point becomes the mean of its four neighbours. */
FRAME void
relax(double *to, const double *from)
{
	for (unsigned row = 1; row + 1 < SIDE; row++) {
		const double *above = from + (row - 1) * SIDE;
		const double *here = above + SIDE, *below = here + SIDE;
		double *t = to + row * SIDE;

		for (unsigned col = 1; col + 1 < SIDE; col++)
			t[col] = (above[col] + below[col] + here[col - 1] +
				  here[col + 1]) /
				 4;
	}
}

FRAME uint64_t
counted(const double *m)
{
	uint32_t *bins = must(calloc(1024, sizeof(*bins)));
	uint64_t sum = 0;

	for (unsigned i = 0; i < SIDE * SIDE; i++)
		bins[(uint64_t)m[i] & 1023]++;
	for (unsigned i = 0; i < 1024; i++)
		sum = mix(sum, bins[i]);
	free(bins);
	return sum;
}

int
main(int argc, char **argv)
{
	unsigned long passes = arg(argc, argv, 1, 600);
	uint64_t seed = 1;
	double *a = filled(&seed), *b = filled(&seed);
	double *c = must(calloc(SIDE * SIDE, sizeof(*c)));
	double *grid = filled(&seed);

	for (unsigned long i = 0; i < (passes + 49) / 50; i++)
		multiply(c, a, b);
	for (unsigned long i = 0; i < passes; i++) {
		relax(a, grid);
		relax(grid, a);
	}
	printf("matrix %lu %016" PRIx64 " %016" PRIx64 "\n", passes, counted(c),
	       counted(grid));
	free(a);
	free(b);
	free(c);
	free(grid);
	return 0;
}
