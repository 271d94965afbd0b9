/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large blocks with few touched bytes: the recorder of accesses must not take
 * memory for the rest.
 *
 * huge		Four of 64 MB; one page, 4096 bytes from 32 MB on, of each is
 *		written and read by words of 8 bytes: 512 each.  Span and cover
 *		4096 of 67108864.  They are live together.
 * far		One of 64 MB, its first and last word written, its last read:
 *		span all, cover 32.
 *
 * Prints the largest memory of the process, in kB.
 *
 *	expect huge blocks=4 bytes=268435456 reads=2048 writes=2048 span=16384
 *		cover=16384 usage=0.0 low-cover=4/268435456
 *	expect far blocks=1 bytes=67108864 reads=1 writes=2 span=67108864
 *		cover=32 usage=1.0 cover-score=0.0 low-cover=1/67108864
 */
#include "tests/access/ex.h"
#include <stdio.h>
#include <sys/resource.h>

#define SIZE ((size_t)64 << 20)
#define PAGE 4096

#define MAKER(name) \
	static NOINLINE char *name(size_t size) \
	{ \
		return malloc(size); \
	}

MAKER(huge)
MAKER(far)

static void
words(char *p, size_t n)
{
	volatile uint64_t *w = (volatile uint64_t *)p;
	size_t i;

	for (i = 0; i < n / 8; i++)
		w[i] = i;
	for (i = 0; i < n / 8; i++)
		(void)w[i];
}

int
main(void)
{
	struct rusage use;
	char *p[4], *q;
	int i;

	for (i = 0; i < 4; i++) {
		p[i] = huge(SIZE);
		words(p[i] + SIZE / 2, PAGE);
	}
	q = far(SIZE);
	*(volatile uint64_t *)q = 1;
	words(q + SIZE - 8, 8);
	free(q);
	for (i = 0; i < 4; i++)
		free(p[i]);
	getrusage(RUSAGE_SELF, &use);
	printf("%ld\n", use.ru_maxrss);
	return 0;
}
