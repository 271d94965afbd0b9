/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One block of 64 bytes: 100,000 writes to its first long and as many reads and
 * writes of its last, so 100,000 reads and 200,000 writes.
 */
#include <stdlib.h>

int
main(void)
{
	volatile long *p = malloc(64);

	for (int i = 0; i < 100000; i++) {
		p[0] = i;
		p[7] = p[7] + i;
	}
	free((void *)p);
	return 0;
}
