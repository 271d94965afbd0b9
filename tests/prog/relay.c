/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that go from thread to thread.  Each thread allocates from one place:
 *
 *	main	10 blocks of 64 bytes, which thread "eater" frees; 5 that aren't
 *		freed
 *	baker 1..4, one after the other: 100 K blocks of 32 bytes and 50 of 200;
 *		K is its number.  It frees 10 K of the former itself, main 20 K
 *		of them; the next baker frees 5 of the latter, except for baker
 *		4
 *	mover	30 blocks of 48 bytes, which main makes 96 by realloc: those are
 *		main's; mover's are freed
 *	crumb	300 threads, one after the other: each allocates 2 blocks of 16
 *		bytes, and main frees one of them
 *
 * With argument "sizes": main allocates 30 blocks of each of 3000 sizes, and
 * "eater" frees 10 of each.  "crowd": main allocates 100 blocks of 64 bytes;
 * one block of each of 140,000 sizes, freed at once; then 100 larger ones on
 * the same call path.  There are too many sizes: the last ones are counted by
 * class.  eater frees 40 of the first and of the last.  "swap": three threads
 * "swapper", one started by the other, each have one block: of 200,000, 200,100
 * and 200,200 bytes; the third frees the first one's, the first the second's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { BAKERS = 4, MOST = 100 * BAKERS, SIZES = 3000 };

static void *ours[15], *small[BAKERS][MOST], *large[BAKERS][50], *moved[100];
static void *crumbs[300][2], **sized;

static void *
eater(void *arg)
{
	int i;

	prctl(PR_SET_NAME, "eater");
	if (arg == ours) {
		for (i = 0; i < 40; i++) {
			free(moved[i]);
			free(small[0][i]);
		}
		return NULL;
	}
	if (arg) {
		for (i = 0; i < SIZES * 30; i += 3)
			free(sized[i]);
		return NULL;
	}
	for (i = 0; i < 10; i++)
		free(ours[i]);
	return NULL;
}

static void *
baker(void *arg)
{
	int k = *(int *)arg, i;
	char name[] = "baker 1";

	name[6] += (char)k;
	prctl(PR_SET_NAME, name);
	for (i = 0; i < 100 * (k + 1); i++)
		small[k][i] = malloc(32);
	for (i = 0; i < 50; i++)
		large[k][i] = malloc(200);
	for (i = 0; i < 10 * (k + 1); i++)
		free(small[k][i]);
	for (i = 0; k && i < 5; i++)
		free(large[k - 1][i]);
	return NULL;
}

static void *
mover(void *arg)
{
	int i;

	prctl(PR_SET_NAME, "mover");
	for (i = 0; i < 30; i++)
		moved[i] = malloc(48);
	return arg;
}

static void *
crumb(void *arg)
{
	void **c = arg;

	prctl(PR_SET_NAME, "crumb");
	c[0] = malloc(16);
	c[1] = malloc(16);
	return NULL;
}

static void
run(void *(*f)(void *), void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, f, arg);
	pthread_join(t, NULL);
}

static void
sizes(void)
{
	int i;

	sized = malloc(SIZES * 30 * sizeof(*sized));
	for (i = 0; i < SIZES * 30; i++)
		sized[i] = malloc((size_t)i / 30 + 1);
	run(eater, sized);
}

static void
crowd(void)
{
	void *p;
	int i;

	for (i = 0; i < 100; i++)
		moved[i] = malloc(64);
	for (i = 1; i <= 140100; i++) {
		p = malloc((size_t)(i <= 140000 ? i : i + 9999));
		if (i <= 140000)
			free(p);
		else
			small[0][i - 140001] = p;
	}
	run(eater, ours);
}

/* Each first has SWAPPED blocks of different sizes, one at a time. */
#define SWAPPED 3000

static void *
swapper(void *arg)
{
	static void *block[3];
	static int number[] = { 0, 1, 2 };
	int i = *(int *)arg, n = 0;

	prctl(PR_SET_NAME, "swapper");
	do {
		free(block[i]);
		n++;
		block[i] = malloc((size_t)(n > SWAPPED ? 200000 + 100 * i : n));
	} while (n <= SWAPPED);
	if (i < 2)
		run(swapper, &number[i + 1]);
	if (i != 1)
		free(block[(i + 1) % 3]);
	return NULL;
}

int
main(int argc, char **argv)
{
	int i, k;

	if (argc > 1 && !strcmp(argv[1], "sizes")) {
		sizes();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "crowd")) {
		crowd();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "swap")) {
		i = 0;
		run(swapper, &i);
		return 0;
	}
	for (i = 0; i < 15; i++)
		ours[i] = malloc(64);
	run(eater, NULL);
	for (k = 0; k < BAKERS; k++)
		run(baker, &k);
	for (k = 0; k < BAKERS; k++)
		for (i = 0; i < 20 * (k + 1); i++)
			free(small[k][MOST / BAKERS * (k + 1) - 1 - i]);
	run(mover, NULL);
	for (i = 0; i < 30; i++)
		moved[i] = realloc(moved[i], 96);
	for (i = 0; i < 300; i++) {
		run(crumb, crumbs[i]);
		free(crumbs[i][0]);
	}
	return 0;
}
