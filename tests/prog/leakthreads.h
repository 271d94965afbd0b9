/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of leakshapes.c: what threads hold. */
#ifndef MEMMON_LEAKTHREADS_H
#define MEMMON_LEAKTHREADS_H

#include <dlfcn.h>
#include <fcntl.h>

#include "tests/prog/leakshapes.h"

/* If this file is compiled alone, all in it is unused. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"

static __thread void *local[4];
static pthread_key_t key;

static void
tls(void)
{
	local[1] = want_reachable(24);
}

static void *
tls_thread(void *arg)
{
	(void)arg;
	deep(tls);
	park();
	return NULL;
}

static void
thread_tls(void)
{
	start(tls_thread);
	await(1);
}

static void (*hold)(void *);

static void
dynamic(void)
{
	hold(want_reachable(24));
}

static void *
dynamic_thread(void *arg)
{
	(void)arg;
	deep(dynamic);
	park();
	return NULL;
}

static void
dynamic_tls(void)
{
	void *h = dlopen(how, RTLD_NOW);

	hold = h ? (void (*)(void *))dlsym(h, "leak_hold") : NULL;
	if (!hold)
		exit(3);
	how = "read";
	dynamic();
	start(dynamic_thread);
	await(1);
}

static void
specific(void)
{
	pthread_setspecific(key, want_reachable(24));
}

static void *
specific_thread(void *arg)
{
	(void)arg;
	deep(specific);
	park();
	return NULL;
}

static void
set_specific(void)
{
	/* The first keys are stored elsewhere. */
	for (int i = 0; i < 100; i++)
		pthread_key_create(&key, NULL);
	specific();
	start(specific_thread);
	await(1);
}

static void *
stack_thread(void *arg)
{
	void *volatile held = want_reachable(24);

	(void)arg;
	park();
	return held;
}

static void
on_stack(void)
{
	start(stack_thread);
	await(1);
}

static void
detached(void)
{
	pthread_detach(start(stack_thread));
	await(1);
}

static void *
blocking_thread(void *arg)
{
	uint64_t all = ~0ull;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	return stack_thread(arg);
}

static void
blocking(void)
{
	start(blocking_thread);
	await(1);
}

static void
hide(void)
{
	hidden = (uintptr_t)want_reachable(24) ^ HIDE;
}

/*
 * The only pointer is in r12 (x20), which the kernel keeps.  The thread counts
 * as parked when it is there.
 */
static void *
register_thread(void *arg)
{
	(void)arg;
	deep(hide);
#ifdef __aarch64__
	__asm__ volatile("eor x20, %1, %2\n\t"
			 "mov w5, #1\n\t"
			 "stlr w5, %0\n"
			 "1:\tmov x8, #73\n\t" /* ppoll, for ever */
			 "mov x0, xzr\n\tmov x1, xzr\n\tmov x2, xzr\n\t"
			 "mov x3, xzr\n\tmov x4, xzr\n\tsvc #0\n\t"
			 "b 1b"
			 : "+Q"(parked)
			 : "r"(hidden), "r"((uint64_t)HIDE)
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x8", "x20",
			   "memory");
#else
	__asm__ volatile("movq %1, %%r12\n\t"
			 "xorq %2, %%r12\n\t"
			 "movl $1, %0\n"
			 "1:\tmovl $34, %%eax\n\t" /* pause */
			 "syscall\n\t"
			 "jmp 1b"
			 : "+m"(parked)
			 : "r"(hidden), "r"(HIDE)
			 : "rax", "rcx", "r11", "r12", "memory");
#endif
	return NULL;
}

static void
in_register(void)
{
	start(register_thread);
	await(1);
}

/* The same in a vector register of a running thread. */
static void *
vector_thread(void *arg)
{
	uint64_t mask = HIDE;

	(void)arg;
	deep(hide);
#ifdef __aarch64__
	__asm__ volatile("ldr d9, %1\n\tldr d8, %2\n\t"
			 "eor v9.8b, v9.8b, v8.8b\n\t"
			 "mov w5, #1\n\t"
			 "stlr w5, %0\n"
			 "1:\tyield\n\t"
			 "b 1b"
			 : "+Q"(parked)
			 : "m"(hidden), "m"(mask)
			 : "x5", "v8", "v9", "memory");
#else
	__asm__ volatile("movq %1, %%xmm9\n\t"
			 "movq %2, %%xmm8\n\t"
			 "pxor %%xmm8, %%xmm9\n\t"
			 "movl $1, %0\n"
			 "1:\tpause\n\t"
			 "jmp 1b"
			 : "+m"(parked)
			 : "m"(hidden), "m"(mask)
			 : "xmm8", "xmm9", "memory");
#endif
	return NULL;
}

static void
in_vector(void)
{
	start(vector_thread);
	await(1);
}

static void
stale(void)
{
	void *volatile held = want_lost(24);

	if (!held)
		exit(3);
}

static void *
stale_thread(void *arg)
{
	(void)arg;
	deep(stale);
	forget();
	park();
	return NULL;
}

static void
below(void)
{
	start(stale_thread);
	await(1);
	deep(stale);
}

static void *
ending_thread(void *arg)
{
	void *volatile held = want_lost(24);

	(void)arg;
	return held ? NULL : arg;
}

static void
ended(void)
{
	pthread_join(start(ending_thread), NULL);
}

static int ending; /* the number of a thread that is not joined; 0: none */

/* Wait until the thread `ending' is gone. */
static void
await_end(void)
{
	const struct timespec t = { 0, 1000000 };
	int tid;

	while (!(tid = __atomic_load_n(&ending, __ATOMIC_SEQ_CST)) ||
	       syscall(SYS_tgkill, getpid(), tid, 0) == 0)
		nanosleep(&t, NULL);
	ending = 0;
}

/* Threads that aren't joined: one has a result, which a join could return. */
static void *
result_thread(void *arg)
{
	void *volatile unused = want_lost(32);

	__atomic_store_n(&ending, (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	return arg ? want_reachable(24) : unused;
}

static void *
detached_thread(void *arg)
{
	pthread_detach(pthread_self());
	result_thread(NULL);
	free(arg);
	return want_lost(40);
}

static void
unjoined(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, result_thread, global) != 0)
		exit(3);
	await_end();
	if (pthread_create(&t, NULL, detached_thread, malloc(10)) != 0)
		exit(3);
	await_end();
}

/* After the join, no result is left. */
static void *
dropped_thread(void *arg)
{
	(void)arg;
	return want_lost(24);
}

/* n threads, `once' at a time; stack: its size, 0 for the default. */
static void
crowd(void *(*f)(void *), int n, int once, size_t stack)
{
	pthread_t t[50];
	pthread_attr_t a;

	pthread_attr_init(&a);
	if (stack)
		pthread_attr_setstacksize(&a, stack);
	for (int k = 0; k < n; k += once) {
		for (int i = 0; i < once; i++)
			if (pthread_create(&t[i], &a, f, NULL) != 0)
				exit(3);
		for (int i = 0; i < once; i++)
			pthread_join(t[i], NULL);
	}
	pthread_attr_destroy(&a);
}

static void
dropped(void)
{
	crowd(dropped_thread, 1, 1, 0);
}

static void *
idle_thread(void *arg)
{
	return arg;
}

static void
thousand(void)
{
	crowd(idle_thread, 1000, 50, 0);
	crowd(idle_thread, 100, 50, 1 << 16);
}

/* Stacks too large to be kept. */
static void
big_stacks(void)
{
	crowd(idle_thread, 6, 3, 64 << 20);
}

/* A stack that is in use again. */
static void
reused(void)
{
	crowd(idle_thread, 4, 2, 0);
	start(stack_thread);
	await(1);
}

/* Blocks that ended threads kept in storage made at the first access. */
static void
dynamic_lost(void)
{
	hold(want_lost(24));
}

static void *
dynamic_ending(void *arg)
{
	deep(dynamic_lost);
	return arg;
}

static void
dynamic_ended(void)
{
	void *h = dlopen(how, RTLD_NOW);

	hold = h ? (void (*)(void *))dlsym(h, "leak_hold") : NULL;
	if (!hold)
		exit(3);
	crowd(dynamic_ending, 3, 3, 0);
	dynamic();
}

/* A main thread that has ended stays, as a zombie. */
static int
main_runs(void)
{
	char text[64] = "";
	int fd = open("/proc/self/stat", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		exit(3);
	close(fd);
	return !strstr(text, ") Z ");
}

static void *
last_thread(void *arg)
{
	const struct timespec t = { 0, 1000000 };

	(void)arg;
	while (main_runs())
		nanosleep(&t, NULL);
	report();
	exit(0);
}

static void
main_ended(void)
{
	void *volatile held = want_lost(24);

	start(last_thread);
	if (held)
		pthread_exit(NULL);
}

/* The block that a thread uses as its stack. */
static void
own_stack(void)
{
	pthread_attr_t a;
	pthread_t t;
	void *stack;

	if (pipe(pipes) != 0 || posix_memalign(&stack, 4096, 1 << 17) != 0)
		exit(3);
	pthread_attr_init(&a);
	pthread_attr_setstack(&a, stack, 1 << 17);
	stack = NULL;
	if (pthread_create(&t, &a, stack_thread, NULL) != 0)
		exit(3);
	await(1);
}

#endif
