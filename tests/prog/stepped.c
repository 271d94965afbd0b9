/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stepped HOW EVERY [CALL]: runs hooks one instruction at a time, by the
 * processor's trap flag.  It acts at every EVERY-th instruction of the monitor,
 * or at every EVERY-th one that makes the system call of number CALL:
 *
 *	dump	writes a data file, step.N
 *	jump	leaves the event by siglongjmp()
 *	first	allocates, in a thread whose first event that is; 40 bytes
 *	fork	allocates, in the child of a fork; 48 bytes
 *
 * Then it makes 1000 blocks of 100 bytes in after(), 500 of them through
 * deeper(), and frees those.  Prints how often it did something.  Status 77:
 * this processor has no such flag.
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define MEMMON_WEAK
#include "monitor/memmon.h"

static uintptr_t from, end; /* the monitor's code */
static void (*act)(void);
static long at, met; /* act at instruction `at'; `met' came so far */
static int acted, done;
static long of_call = -1;
static sigjmp_buf out;
static long parent;

#ifdef __x86_64__
static inline void
step(int on)
{
	if (on)
		__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::
					 : "memory", "cc");
	else
		__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::
					 : "memory", "cc");
}

static uintptr_t
pc_of(const ucontext_t *u)
{
	return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
}

/*
 * A trap that is blocked would end the process.  So this makes the monitor's
 * call that blocks signals, but blocks none: it only keeps the mask.  Would the
 * monitor have any signal blocked now?
 */
static int
blocked(ucontext_t *u)
{
	static __thread uint64_t mask;
	greg_t *r = u->uc_mcontext.gregs;
	uint64_t was = mask;

	if (memcmp((void *)r[REG_RIP], "\x0f\x05", 2) != 0 ||
	    r[REG_RAX] != SYS_rt_sigprocmask)
		return mask != 0;
	if (r[REG_RSI])
		mask = r[REG_RDI] == SIG_SETMASK ? *(uint64_t *)r[REG_RSI]
		       : r[REG_RDI] == SIG_BLOCK
			       ? mask | *(uint64_t *)r[REG_RSI]
			       : mask & ~*(uint64_t *)r[REG_RSI];
	if (r[REG_RDX])
		*(uint64_t *)r[REG_RDX] = was;
	r[REG_RAX] = 0;
	r[REG_RIP] += 2;
	return 1;
}

/* Is the instruction wanted? */
static int
wanted(const ucontext_t *u)
{
	const greg_t *r = u->uc_mcontext.gregs;

	return of_call < 0 || (r[REG_RAX] == of_call &&
			       !memcmp((void *)r[REG_RIP], "\x0f\x05", 2));
}

/* The interrupted code goes on without traps. */
static void
no_more_steps(ucontext_t *u)
{
	u->uc_mcontext.gregs[REG_EFL] &= ~0x100ll;
}
#else
static inline void
step(int on)
{
	(void)on;
	exit(77);
}

static uintptr_t
pc_of(const ucontext_t *u)
{
	(void)u;
	return 0;
}

static int
blocked(ucontext_t *u)
{
	(void)u;
	return 0;
}

static int
wanted(const ucontext_t *u)
{
	(void)u;
	return 0;
}

static void
no_more_steps(ucontext_t *u)
{
	(void)u;
}
#endif

static void
on_step(int sig, siginfo_t *info, void *context)
{
	uintptr_t pc = pc_of(context);

	(void)sig;
	(void)info;
	if (pc - from >= end - from || blocked(context))
		return;
	if (!wanted(context) || (parent && syscall(SYS_getpid) == parent))
		return;
	if (met++ != at)
		return;
	acted = 1;
	no_more_steps(context);
	act();
}

static int
find(struct dl_phdr_info *o, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	if (!strstr(o->dlpi_name, "libmemmon"))
		return 0;
	for (int i = 0; i < o->dlpi_phnum; i++)
		if (o->dlpi_phdr[i].p_type == PT_LOAD &&
		    o->dlpi_phdr[i].p_flags & PF_X) {
			from = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
			end = from + o->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

static void
dump(void)
{
	char name[32];

	snprintf(name, sizeof(name), "step.%d", done++);
	memmon_dump_to(name);
}

static void
jump(void)
{
	done++;
	siglongjmp(out, 1);
}

static __attribute__((noinline)) void
in_handler(void)
{
	void *volatile p = malloc(parent ? 48 : 40);

	done++;
	free(p);
}

/* One event of each kind. */
static __attribute__((noinline)) void
events(long fresh)
{
	void *p, *q;

	p = malloc(24);
	q = calloc(1, 2000 + (size_t)fresh % 900);
	p = realloc(p, 50);
	free(q);
	free(p);
}

/* Chooses the next instruction to act at; 0: the last round met none. */
static int
next(long every)
{
	static int begun;
	int goes_on = acted || !begun;

	begun = 1;
	at += acted ? every : 0;
	met = acted = 0;
	return goes_on;
}

static void
in_steps(long every)
{
	while (next(every)) {
		if (!sigsetjmp(out, 1)) {
			step(1);
			events(at);
		}
		step(0);
	}
}

static void *
first(void *arg)
{
	void *volatile p;

	step(1);
	p = malloc(24);
	step(0);
	free(p);
	return arg;
}

static void
in_threads(long every)
{
	pthread_t t;

	while (next(every))
		if (pthread_create(&t, NULL, first, NULL) == 0)
			pthread_join(t, NULL);
}

static void
in_children(long every)
{
	int status;
	long pid;

	parent = getpid();
	while (next(every)) {
		step(1);
		pid = fork();
		step(0);
		if (pid == 0)
			_exit(acted);
		if (pid < 0 || waitpid((pid_t)pid, &status, 0) != pid)
			break;
		acted = WEXITSTATUS(status);
		done += acted;
	}
}

static __attribute__((noinline)) void *
deeper(void)
{
	void *volatile p = malloc(100);

	return p;
}

static __attribute__((noinline)) void
after(void)
{
	static void *p[1000];

	for (int i = 0; i < 1000; i++)
		p[i] = i & 1 ? malloc(100) : deeper();
	for (int i = 0; i < 1000; i += 2)
		free(p[i]);
}

int
main(int argc, char **argv)
{
	struct sigaction a = { .sa_sigaction = on_step,
			       .sa_flags = SA_SIGINFO | SA_NODEFER };
	long every = argc > 2 ? atol(argv[2]) : 1;

	if (argc > 3)
		of_call = atol(argv[3]);
	if (argc < 2 || !dl_iterate_phdr(find, NULL))
		return 1;
	for (int i = 0; i < 3; i++)
		events(0);
	sigaction(SIGTRAP, &a, NULL);
	act = !strcmp(argv[1], "dump")	 ? dump
	      : !strcmp(argv[1], "jump") ? jump
					 : in_handler;
	if (!strcmp(argv[1], "first"))
		in_threads(every);
	else if (!strcmp(argv[1], "fork"))
		in_children(every);
	else
		in_steps(every);
	after();
	printf("%d\n", done);
	return 0;
}
