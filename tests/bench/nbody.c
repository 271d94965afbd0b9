/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies that attract each other: nbody [STEPS]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
	double at[3], speed[3], mass;
};
enum { BODIES = 40 };

static void
attract(struct body *a, struct body *b, double dt)
{
	double d[3], square = 0.01, way;

	for (int k = 0; k < 3; k++) {
		d[k] = a->at[k] - b->at[k];
		square += d[k] * d[k];
	}
	way = dt / (square * sqrt(square));
	for (int k = 0; k < 3; k++) {
		a->speed[k] -= d[k] * b->mass * way;
		b->speed[k] += d[k] * a->mass * way;
	}
}

static void
step(struct body *b, double dt)
{
	for (int i = 0; i < BODIES; i++)
		for (int j = i + 1; j < BODIES; j++)
			attract(&b[i], &b[j], dt);
	for (int i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			b[i].at[k] += dt * b[i].speed[k];
}

int
main(int argc, char **argv)
{
	long steps = argc > 1 ? atol(argv[1]) : 10000;
	struct body *b = calloc(BODIES, sizeof(*b));

	if (!b)
		return 1;
	for (int i = 0; i < BODIES; i++) {
		b[i].at[0] = i;
		b[i].at[1] = i * i % 7;
		b[i].speed[1] = 0.1 * i;
		b[i].mass = 1 + i % 5;
	}
	while (steps-- > 0)
		step(b, 0.001);
	printf("%.6g\n", b[3].at[0]);
	free(b);
	return 0;
}
