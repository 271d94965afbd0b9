/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in for dlclose.t; with -DOTHER a second one of the same shape. */
#include <stdlib.h>

#ifdef OTHER
#define plug_alloc other_alloc
#define plug_deep other_deep
#define SIZE 48
#else
#define SIZE 24
#endif

void *plug_alloc(void);
void *plug_deep(int n);
void *plug(void);

__attribute__((noinline)) void *
plug_alloc(void)
{
	void *p = malloc(SIZE);

	/* Not a tail call. */
	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

/* The same n calls deep. */
__attribute__((noinline)) void *
plug_deep(int n)
{
	void *p = n > 1 ? plug_deep(n - 1) : plug_alloc();

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

void *
plug(void)
{
	void *p = plug_alloc();

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}
