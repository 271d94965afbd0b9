/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks to take samples of.  In all: 20,000 of 40 bytes, each freed at once;
 * 10,000 of 200 bytes and 2,000 of 3,000, every fourth not freed; 20 of
 * 100,000, all live at once, which is the peak, then freed; 100 from realloc,
 * of 1,000 bytes that were 500.  That is 32,220 allocations of 10,950,000
 * bytes; 2,500 + 500 blocks of 2,000,000 bytes are not freed.
 *
 * They are read 264,099 times and written 59,600 times, each time a byte; 1,250
 * of those of 200 bytes are never touched.
 */
#include <stdlib.h>

static void *kept[3000];
static int nkept;

static __attribute__((noinline)) void *
tiny(void)
{
	return malloc(40);
}

static __attribute__((noinline)) void *
middling(void)
{
	return malloc(200);
}

static __attribute__((noinline)) void *
page(void)
{
	return calloc(3, 1000);
}

static __attribute__((noinline)) void *
large(void)
{
	return malloc(100000);
}

static __attribute__((noinline)) void *
touch(void *block, int reads, int writes)
{
	volatile char *p = block;

	for (int i = 0; i < writes; i++)
		p[0] = 1;
	for (int i = 0; i < reads; i++)
		(void)p[0];
	return block;
}

static void
keep(void *p, int i)
{
	if (i % 4 == 0)
		kept[nkept++] = p;
	else
		free(p);
}

int
main(void)
{
	void *big[20];

	for (int i = 0; i < 20000; i++)
		free(touch(tiny(), i % 3, 1));
	for (int i = 0; i < 10000; i++)
		keep(touch(middling(), i % 8 * (i % 8), i % 8 ? 2 : 0), i);
	for (int i = 0; i < 2000; i++)
		keep(touch(page(), i % 50, 1), i);
	for (int i = 0; i < 100; i++)
		free(touch(realloc(touch(malloc(500), 0, 1), 1000), 1, 0));
	for (int i = 0; i < 20; i++)
		big[i] = touch(large(), 1000, 1000);
	for (int i = 0; i < 20; i++)
		free(big[i]);
	return nkept == 3000 ? 0 : 1;
}
