/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the shapes of leakshapes.c are made with. */
#ifndef MEMMON_LEAKSHAPES_H
#define MEMMON_LEAKSHAPES_H

#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* If this file is compiled alone, all in it is unused. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"

#define NOINLINE __attribute__((noinline))
#define HIDE 0x5a5a5a5a5a5a5a5aull

static struct {
	const char *name;
	size_t blocks, bytes;
} wanted[4] = { { "want_lost", 0, 0 },
		{ "want_indirect", 0, 0 },
		{ "want_interior", 0, 0 },
		{ "want_reachable", 0, 0 } };

static void *
count(void *p, int i, size_t size)
{
	wanted[i].blocks++;
	wanted[i].bytes += size;
	memset(p, 0, size);
	return p;
}

#define WANT(i, name) \
	static NOINLINE void *want_##name(size_t size) \
	{ \
		return count(malloc(size), i, size); \
	}
WANT(0, lost)
WANT(1, indirect)
WANT(2, interior)
WANT(3, reachable)

static void *global[16];
static uintptr_t hidden;
static const char *how; /* the shape's variant */
static int parked;	/* threads that are about to park */
static int pipes[2];

/* What f leaves on the stack is far from what comes later. */
static NOINLINE void
deep(void (*f)(void))
{
	volatile char pad[60000];

	pad[0] = pad[sizeof(pad) - 1] = 0;
	f();
	pad[0]++;
}

static void
report(void)
{
	for (int i = 0; i < 4; i++)
		if (wanted[i].blocks)
			printf("%s %zu %zu\n", wanted[i].name, wanted[i].blocks,
			       wanted[i].bytes);
	fflush(stdout);
}

/* Wait for ever, as `how' says. */
static NOINLINE void
park(void)
{
	struct pollfd p = { .fd = pipes[0], .events = POLLIN };
	struct timespec t = { 1000, 0 };
	uint32_t word = 0;
	sigset_t set;
	char c;
	int sig;

	__atomic_fetch_add(&parked, 1, __ATOMIC_SEQ_CST);
	if (!strcmp(how, "poll"))
		poll(&p, 1, -1);
	else if (!strcmp(how, "futex"))
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
	else if (!strcmp(how, "nanosleep"))
		nanosleep(&t, NULL);
	else if (!strcmp(how, "sigwait")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		sigwait(&set, &sig);
	} else if (!strcmp(how, "spin")) {
		for (;;)
#ifdef __aarch64__
			__asm__ volatile("yield");
#else
			__asm__ volatile("pause");
#endif
	} else {
		while (read(pipes[0], &c, 1) != 1)
			continue;
	}
	puts("parked no more");
	fflush(stdout);
	for (;;)
		pause();
}

/* Registers that calls may leave as they like hold nothing. */
static void
forget(void)
{
#ifdef __aarch64__
	__asm__ volatile("mov x0, xzr\n\tmov x1, xzr\n\t"
			 "mov x2, xzr\n\tmov x3, xzr\n\t"
			 "mov x4, xzr\n\tmov x5, xzr\n\t"
			 "mov x6, xzr\n\tmov x7, xzr\n\t"
			 "mov x8, xzr\n\tmov x9, xzr\n\t"
			 "mov x10, xzr\n\tmov x11, xzr\n\t"
			 "mov x12, xzr\n\tmov x13, xzr\n\t"
			 "mov x14, xzr\n\tmov x15, xzr\n\t"
			 "mov x16, xzr\n\tmov x17, xzr"
			 :
			 :
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8",
			   "x9", "x10", "x11", "x12", "x13", "x14", "x15",
			   "x16", "x17", "memory");
#else
	__asm__ volatile("xorl %%eax, %%eax\n\t"
			 "xorl %%ecx, %%ecx\n\t"
			 "xorl %%edx, %%edx\n\t"
			 "xorl %%esi, %%esi\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "xorl %%r8d, %%r8d\n\t"
			 "xorl %%r9d, %%r9d\n\t"
			 "xorl %%r10d, %%r10d\n\t"
			 "xorl %%r11d, %%r11d"
			 :
			 :
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
			   "r11", "memory");
#endif
}

/* Wait until n threads have parked, for good. */
static void
await(int n)
{
	struct timespec t = { 0, 20000000 };

	while (__atomic_load_n(&parked, __ATOMIC_SEQ_CST) < n)
		nanosleep(&t, NULL);
	nanosleep(&t, NULL);
}

static pthread_t
start(void *(*f)(void *))
{
	pthread_t t;

	if (pipe(pipes) != 0 || pthread_create(&t, NULL, f, NULL) != 0)
		exit(3);
	return t;
}

#endif
