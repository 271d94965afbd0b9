/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs of call paths that are hard to distinguish.  At the second allocation
 * the program counter, the stack pointer and most of the stack have not changed
 * since the first, but a frame further out differs.  The call paths are known
 * (oracle.h).  Prints for each kind how many of its 200 allocations had the
 * same innermost frame, but another call path.
 *
 *	same		all kinds
 *	same up [stop]	a stack that goes on at a lower address; with stop,
 *			call paths must stop where it does
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unwind/oracle.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define TIMES 200
#define STACK (256 << 10)

static struct shadow *s;
static unsigned met;	   /* call paths that were hard to distinguish */
static void *last_frame;   /* of inner() */
static uint64_t last_hash; /* of its call path */
static jmp_buf env;
static int jump; /* inner() must jump */
static int odd;	 /* what sized() calls */
static int alt;	 /* signals use another stack */

/* Two calls of one function; the compiler must not merge them. */
#define APART(i, call) \
	if (i) { \
		__asm__ volatile("# one" : : : "memory"); \
		call; \
		__asm__ volatile("# one" : : : "memory"); \
	} else { \
		__asm__ volatile("# two" : : : "memory"); \
		call; \
		__asm__ volatile("# two" : : : "memory"); \
	}

/* The innermost frame of all. */
static ORACLE void
inner(void *arg, void *ra)
{
	void *frame = __builtin_frame_address(0);
	unsigned n = s->n;

	if (ra && ra != __builtin_return_address(0))
		oracle_push(s, ra);
	if (arg)
		s->bottom = s->n;
	ENTER(s);
	met += frame == last_frame && s->h[s->n] != last_hash;
	last_frame = frame;
	last_hash = s->h[s->n];
	oracle_give(oracle_take(s, 40));
	s->n = n;
	s->bottom = 0;
	if (jump)
		longjmp(env, 1);
}

static ORACLE void
deep(int n)
{
	ENTER(s);
	if (n > 0)
		deep(n - 1);
	else
		inner(NULL, NULL);
	LEAVE(s);
}

/* Only one return address differs, 60 frames out. */
static ORACLE void
outer(int i)
{
	ENTER(s);
	APART(i % 2, deep(60));
	LEAVE(s);
}

static ORACLE void
left(int i)
{
	ENTER(s);
	deep(i);
	LEAVE(s);
}

static ORACLE void
right(int i)
{
	ENTER(s);
	deep(i);
	LEAVE(s);
}

/* The same by two functions; inner() jumps out of the first. */
static ORACLE void
jumps(int i)
{
	unsigned n;

	ENTER(s);
	n = s->n;
	jump = i % 2;
	if (!setjmp(env))
		(i % 2 ? left : right)(3);
	s->n = n;
	jump = 0;
	LEAVE(s);
}

/*
 * An old return address is still in its place, in a frame that grew over it:
 * only the frame pointer shows the difference.
 */
static size_t grow;	     /* for sized() */
static void *volatile *slot; /* of the last call's return address */
static void *old;	     /* the return address in it */
static unsigned old_there;   /* how often it was still in it */

static ORACLE void
sized(void)
{
	volatile char *p = (volatile char *)__builtin_alloca(grow);
	void *volatile *mine = (void *volatile *)__builtin_frame_address(0) + 1;

	__asm__ volatile("" : : "r"(p) : "memory");
	old_there += slot && slot != mine && *slot == old;
	slot = mine;
	old = *mine;
	ENTER(s);
	if (odd == 0)
		inner(NULL, NULL);
	else if (odd == 1)
		oracle_via_garbage(inner, NULL);
	else
		oracle_via_pointer(inner, NULL);
	LEAVE(s);
}

static ORACLE void
roomy(void)
{
	volatile char room[512];

	ENTER(s);
	room[0] = 1;
	sized();
	room[0]++;
	LEAVE(s);
}

/* Both calls from one place. */
static ORACLE void
call(void (*fn)(void))
{
	ENTER(s);
	fn();
	LEAVE(s);
}

static ORACLE void
stale(int i)
{
	static uintptr_t at[2];
	int direct = i % 2;

	ENTER(s);
	grow = 64;
	if (i > 1 && direct)
		grow += at[1] - at[0];
	call(direct ? sized : roomy);
	/* The first two only measure. */
	if (i < 2)
		at[direct] = (uintptr_t)last_frame;
	LEAVE(s);
}

/* A realigned frame hides the difference before it; only one slot shows it. */
static ORACLE void
aligned(void)
{
	volatile char room[64] __attribute__((aligned(256)));
	volatile char *p = (volatile char *)__builtin_alloca(grow);

	ENTER(s);
	p[0] = room[0] = 1;
	inner(NULL, NULL);
	p[0] = room[0];
	LEAVE(s);
}

static ORACLE void
shifted(int n)
{
	volatile char *p =
		(volatile char *)__builtin_alloca((size_t)(n & 7) * 16 + 600);

	__asm__ volatile("" : : "r"(p) : "memory");
	ENTER(s);
	APART(n & 8, aligned());
	LEAVE(s);
}

static ORACLE void
realigned(int i)
{
	ENTER(s);
	shifted(i * 7919 % 101);
	LEAVE(s);
}

/* A signal comes at other instructions, or in other functions. */
static void
on_trap(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *u = (const ucontext_t *)context;
	const greg_t *reg = u->uc_mcontext.gregs;
	unsigned n = s->n;

	(void)sig, (void)info;
	oracle_push(s, ((void **)reg[REG_RSP])[1]);
	oracle_push(s, (char *)reg[REG_RIP] + 1);
	ENTER(s);
	inner(NULL, NULL);
	s->n = n;
}

static ORACLE void
traps(int i)
{
	ENTER(s);
	oracle_trap(i % 3);
	LEAVE(s);
}

static ORACLE void
trap_left(int which)
{
	ENTER(s);
	oracle_trap(which);
	LEAVE(s);
}

static ORACLE void
trap_right(int which)
{
	ENTER(s);
	oracle_trap(which);
	LEAVE(s);
}

static ORACLE void
trap_wide(int which)
{
	volatile char room[100];

	ENTER(s);
	room[which] = 1;
	oracle_trap(which);
	room[which]++;
	LEAVE(s);
}

static ORACLE void
trap_callers(int i)
{
	ENTER(s);
	if (alt && i % 3 == 0)
		trap_wide(0);
	else
		(i % 2 ? trap_left : trap_right)(0);
	LEAVE(s);
}

/* Another stack, on which nothing differs; only rbp leads back. */
static char *spare;

static ORACLE void
switch_left(void)
{
	ENTER(s);
	oracle_via_stack(inner, NULL, spare + STACK);
	LEAVE(s);
}

static ORACLE void
switch_right(void)
{
	volatile char room[100];

	ENTER(s);
	room[0] = 1;
	oracle_via_stack(inner, NULL, spare + STACK);
	room[0]++;
	LEAVE(s);
}

static ORACLE void
switches(int i)
{
	ENTER(s);
	if (!spare)
		spare = (char *)oracle_map(STACK);
	(i % 2 ? switch_left : switch_right)();
	LEAVE(s);
}

/* Coroutines: their stack is unmapped and mapped again, or is in main's. */
static ucontext_t home, away;
static struct shadow *main_s, *other_s;

static void
run(int i)
{
	oracle_root(s, __builtin_return_address(0));
	(i % 2 ? left : right)(2);
	__asm__ volatile("" : : : "memory");
}

static ORACLE void
coroutine(int i)
{
	static void *where;
	char mine[STACK];
	void *p = alt ? mine
		      : mmap(where, STACK, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ENTER(s);
	if (p == MAP_FAILED)
		abort();
	where = p;
	getcontext(&away);
	away.uc_stack.ss_sp = p;
	away.uc_stack.ss_size = STACK;
	away.uc_link = &home;
	makecontext(&away, (void (*)(void))run, 1, i);
	s = other_s;
	swapcontext(&home, &away);
	s = main_s;
	if (!alt)
		munmap(p, STACK);
	LEAVE(s);
}

static ORACLE void
coroutines(int i)
{
	void *frame;
	uint64_t hash;

	ENTER(s);
	coroutine(i);
	/* With its stack gone; not counted. */
	frame = last_frame;
	hash = last_hash;
	last_frame = NULL;
	inner(NULL, NULL);
	last_frame = frame;
	last_hash = hash;
	LEAVE(s);
}

/* Threads, one after another, on one stack. */
static void *
thread(void *arg)
{
	oracle_root(s, __builtin_return_address(0));
	(arg ? left : right)(2);
	return arg;
}

static ORACLE void
threads(int i)
{
	static char stack[STACK] __attribute__((aligned(4096)));
	pthread_attr_t a;
	pthread_t id;

	ENTER(s);
	pthread_attr_init(&a);
	pthread_attr_setstack(&a, stack, STACK);
	s = other_s;
	if (pthread_create(&id, &a, thread, i % 2 ? &a : NULL))
		abort();
	pthread_join(id, NULL);
	s = main_s;
	pthread_attr_destroy(&a);
	LEAVE(s);
}

/* Half a megabyte of frame. */
static ORACLE void
large(int i)
{
	ENTER(s);
	oracle_via_large(inner, NULL);
	if (i % 2)
		inner(NULL, NULL);
	LEAVE(s);
}

/* From a stack to one above it. */
static ORACLE void
upper(void *arg, void *ra)
{
	unsigned n = s->n;

	oracle_push(s, ra);
	ENTER(s);
	oracle_via_stack(inner, arg, spare + 2 * STACK);
	s->n = n;
}

static const struct kind {
	const char *name;
	void (*once)(int i);
	int odd;
	int alt;
} kinds[] = {
	{ "outer", outer, 0, 0 },
	{ "jumps", jumps, 0, 0 },
	{ "stale", stale, 0, 0 },
	{ "stale-garbage", stale, 1, 0 },
	{ "stale-pointer", stale, 2, 0 },
	{ "realigned", realigned, 0, 0 },
	{ "traps", traps, 0, 0 },
	{ "trap-callers", trap_callers, 0, 0 },
	{ "alt-traps", traps, 0, 1 },
	{ "alt-callers", trap_callers, 0, 1 },
	{ "switches", switches, 0, 0 },
	{ "coroutines", coroutines, 0, 0 },
	{ "on-main's-stack", coroutines, 0, 1 },
	{ "threads", threads, 0, 0 },
	{ "large", large, 0, 0 },
};

static void
signal_stack(void)
{
	static char stack[STACK];
	stack_t ss;

	memset(&ss, 0, sizeof(ss));
	ss.ss_sp = stack;
	ss.ss_size = STACK;
	ss.ss_flags = alt ? 0 : SS_DISABLE;
	sigaltstack(&ss, NULL);
}

int
main(int argc, char **argv)
{
	struct sigaction a;

	oracle_begin();
	main_s = (struct shadow *)oracle_map(sizeof(*s));
	other_s = (struct shadow *)oracle_map(sizeof(*s));
	s = main_s;
	oracle_root(s, __builtin_return_address(0));
	memset(&a, 0, sizeof(a));
	a.sa_sigaction = on_trap;
	a.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGTRAP, &a, NULL);
	if (argc > 1) {
		spare = (char *)oracle_map(2 * STACK);
		for (int i = 0; i < TIMES; i++)
			oracle_via_stack(upper, argc > 2 ? argv : NULL,
					 spare + STACK);
		oracle_print();
		return puts("done") < 0;
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		odd = kinds[k].odd;
		alt = kinds[k].alt;
		signal_stack();
		met = 0;
		last_frame = NULL;
		for (int i = 0; i < TIMES; i++)
			kinds[k].once(i);
		printf("%s %u\n", kinds[k].name, met);
	}
	oracle_print();
	return printf("old %u\ndone\n", old_there) < 0;
}
