/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Step by step: a signal handler allocates 24 bytes at every instruction of
 * some code.  So call paths start in prologues and epilogues, the procedure
 * linkage table, the dynamic loader's lazy binding, the vdso.  Needs an
 * allocator that may be interrupted.  Prints the number of instructions, and
 * how many of them were in the linkage table, in the loader and in the vdso;
 * then "done".
 *
 *	step [malloc]	with malloc, through the allocator itself too: 10 blocks
 *			of 32 bytes
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone, noipa))
#endif

extern char **environ;
extern char _init[], _start[];
static unsigned long steps, in_plt, in_loader, in_vdso;
static volatile long sum;
static void *volatile block;

static int
is_in(uintptr_t pc, unsigned long base, unsigned long size)
{
	return base && pc - base < size;
}

static void
on_step(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *u = (const ucontext_t *)context;
	uintptr_t pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];

	(void)sig;
	(void)info;
	steps++;
	in_plt += pc > (uintptr_t)_init + 32 && pc < (uintptr_t)_start;
	in_loader += is_in(pc, getauxval(AT_BASE), 0x30000);
	in_vdso += is_in(pc, getauxval(AT_SYSINFO_EHDR), 0x2000);
	block = malloc(24);
}

/* Sets and clears the trap flag.  Not by a call: that would be stepped, too. */
#define STEP_ON() \
	__asm__ volatile( \
		"subq $128, %%rsp\n\tpushfq\n\torl $0x100, (%%rsp)\n\t" \
		"popfq\n\taddq $128, %%rsp" \
		: \
		: \
		: "memory", "cc")
#define STEP_OFF() \
	__asm__ volatile( \
		"subq $128, %%rsp\n\tpushfq\n\tandl $~0x100, (%%rsp)\n\t" \
		"popfq\n\taddq $128, %%rsp" \
		: \
		: \
		: "memory", "cc")

static APART long
saves(long a, long b, long c, long d)
{
	volatile long room[4] = { a, b, c, d };
	long x = a * b, y = b * c, z = c * d, u = d * a, v = a + b;

	for (int i = 0; i < 2; i++) {
		sum += x + y + z + u + v + room[i];
		__asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15");
	}
	return x ^ y ^ z ^ u ^ v;
}

static APART long
varies(long n)
{
	volatile char *p = (volatile char *)__builtin_alloca((size_t)n + 1);

	p[n] = (char)n;
	return n > 30 ? p[n] : varies(n * 2) + saves(n, 2, 3, 4) + p[n];
}

static APART long
aligns(long n)
{
	volatile long room[8] __attribute__((aligned(64)));

	room[n & 7] = n;
	return saves(n, n, n, n) + room[n & 7];
}

static APART long
pushes(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return saves(a, b, c, d) + saves(e, f, g, h);
}

static int
by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static APART void
library(void)
{
	int v[4] = { 3, 1, 4, 2 };
	struct timespec t;
	struct timeval tv;
	char text[60];

	qsort(v, 4, sizeof(v[0]), by_value);
	clock_gettime(CLOCK_MONOTONIC, &t);
	gettimeofday(&tv, NULL);
	snprintf(text, sizeof(text), "%d %s %.3f", v[0], "text", 1.5);
	sum += strtol(text, NULL, 10) + (long)strlen(text) + rand();
	memset(text, 1, sizeof(text));
	sum += (memchr(text, 2, sizeof(text)) == NULL) + atoi("12");
}

static APART void
all(void)
{
	for (long i = 0; i < 3; i++) {
		sum += varies(5 + i) + aligns(i);
		sum += pushes(i, 2, 3, 4, 5, 6, 7, 8);
	}
	library();
}

int
main(int argc, char **argv)
{
	void *volatile mine[10];
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_sigaction = on_step;
	a.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &a, NULL);
	STEP_ON();
	all();
	if (argc > 1 && !strcmp(argv[1], "malloc")) {
		for (int i = 0; i < 10; i++)
			mine[i] = malloc(32);
		for (int i = 0; i < 10; i++)
			free(mine[i]);
	}
	STEP_OFF();
	printf("steps %lu plt %lu loader %lu vdso %lu\ndone\n", steps, in_plt,
	       in_loader, in_vdso);
	return 0;
}
