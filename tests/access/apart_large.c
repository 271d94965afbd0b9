/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large blocks of which a small part is accessed.
 *
 *	apart_large		prints page faults for each block
 *	apart_large mixed	accesses them before and after one of them
 *				gets no slot
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SIZE (8 << 20)
enum { N = 100, BLOCKS = 6 };

/* Accesses of several kinds, around byte `at'. */
static void
access_at(volatile char *p, size_t at)
{
	for (size_t i = 0; i < 1000; i += 3)
		p[at + i]++;
	memset((char *)p + at + 2000, 1, 500);
	p[at] = p[at + 100];
}

static void
mixed(void)
{
	char *p[BLOCKS];
	void *other;

	for (int i = 0; i < BLOCKS; i++) {
		p[i] = i % 2 ? malloc(SIZE) : calloc(1, SIZE);
		access_at(p[i], SIZE / 2);
	}
	p[0] = realloc(p[0], SIZE / 2 + 5000);
	p[1] = realloc(p[1], 2 * SIZE);
	p[2] = realloc(p[2], 100000);
	other = memalign(48, 3 * SIZE);
	for (int i = 0; i < BLOCKS; i++)
		for (size_t at = 0; at < 90000; at += 9000)
			access_at(p[i], at);
	access_at(other, SIZE);
	p[3] = realloc(p[3], 50000);
	p[4] = realloc(p[4], 3 * SIZE);
	access_at(p[3], 20000);
	access_at(p[4], 2 * SIZE);
	for (int i = 0; i < BLOCKS; i++)
		free(p[i]);
	free(other);
	puts("ok");
}

int
main(int argc, char **argv)
{
	struct rusage u;

	(void)argv;
	if (argc > 1) {
		mixed();
		return 0;
	}
	for (int i = 0; i < N; i++) {
		char *p = calloc(1, SIZE);

		access_at(p, SIZE / 2);
		free(p);
	}
	getrusage(RUSAGE_SELF, &u);
	printf("%ld\n", u.ru_minflt / N);
	return 0;
}
