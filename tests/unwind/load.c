/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code that comes and goes at the same addresses, in the middle of known call
 * paths (oracle.h).
 *
 *	load libs LIBRARY...	400 times, one of them after another, in no
 *				order: opens it (plug.c), calls it, closes it;
 *				another thread opens and closes
 *	load mixed LIBRARY...	the same, but now and then generated code
 *				replaces a library, and calls from the very
 *				address that the library called from
 *	load code		generated code alone: calls back, and malloc
 *				itself, 200 times each; is written over; moves
 *
 * Generated code has no unwind information: call paths stop there.  Prints how
 * often an address was used again, how often generated code replaced a library,
 * and "done".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unwind/oracle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096ul

static struct shadow *s;
static uintptr_t call_from; /* return address of the last call of hit() */
static unsigned again, stead;

static unsigned
any(unsigned n)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

/* Called from a library, whose own return address is ra. */
static ORACLE void
hit(void *arg, void *ra)
{
	unsigned n = s->n;

	(void)arg;
	oracle_push(s, ra);
	ENTER(s);
	call_from = (uintptr_t)__builtin_return_address(0);
	oracle_give(oracle_take(s, 48));
	s->n = n;
}

/* Called from generated code: call paths stop there. */
static ORACLE void
hit_stopped(void *arg, void *ra)
{
	unsigned n = s->n;

	(void)arg;
	(void)ra;
	s->bottom = n;
	ENTER(s);
	oracle_give(oracle_take(s, 56));
	s->n = n;
	s->bottom = 0;
}

/* Calls a library or generated code: always from one place. */
static ORACLE void
call(void (*plug)(oracle_fn *, void *), oracle_fn *fn)
{
	ENTER(s);
	plug(fn, NULL);
	LEAVE(s);
}

/* Like plug() of plug.c; its call returns to code + CALL. */
#define CALL 20
static const unsigned char code_back[] = {
	0x55,			/* push %rbp */
	0x48, 0x89, 0xe5,	/* mov %rsp, %rbp */
	0x48, 0x89, 0xf8,	/* mov %rdi, %rax */
	0x48, 0x89, 0xf7,	/* mov %rsi, %rdi */
	0x48, 0x8b, 0x75, 0x08, /* mov 8(%rbp), %rsi */
	0x0f, 0x1f, 0x40, 0x00, /* nop */
	0xff, 0xd0,		/* call *%rax */
	0x5d,			/* pop %rbp */
	0xc3,			/* ret */
};

/* void *code(void *malloc(size_t), size_t n); the first has another frame. */
static const unsigned char code_malloc[2][14] = {
	{
		0x48, 0x83, 0xec, 0x28, /* sub $40, %rsp */
		0x48, 0x87, 0xfe,	/* xchg %rdi, %rsi */
		0xff, 0xd6,		/* call *%rsi */
		0x48, 0x83, 0xc4, 0x28, /* add $40, %rsp */
		0xc3,			/* ret */
	},
	{
		0x48, 0x83, 0xec, 0x08, /* sub $8, %rsp */
		0x48, 0x87, 0xfe,	/* xchg %rdi, %rsi */
		0xff, 0xd6,		/* call *%rsi */
		0x48, 0x83, 0xc4, 0x08, /* add $8, %rsp */
		0xc3,			/* ret */
	},
};
#define CALL_MALLOC 9

/* Two pages for code, around address `at', or anywhere (0). */
static char *
code_map(uintptr_t at)
{
	void *want = (void *)(at & ~(PAGE - 1));
	void *p = mmap(want, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		puts("no generated code here");
		exit(0);
	}
	return (char *)p;
}

/* Generated code at the address where a library had its call. */
static ORACLE void
code_instead(void)
{
	uintptr_t start = call_from - CALL;
	char *p = code_map(start), *code;

	ENTER(s);
	code = p + start % PAGE;
	again += code == (char *)start;
	stead++;
	memcpy(code, code_back, sizeof(code_back));
	call((void (*)(oracle_fn *, void *))(void *)code, hit_stopped);
	munmap(p, 2 * PAGE);
	LEAVE(s);
}

/*
 * Opens and closes.  main allocates nothing between two calls of libraries, so
 * its last call path went through the library that was loaded before.
 */
static struct {
	sem_t wanted, done;
	const char *open; /* NULL: close */
	void *handle;
	void (*plug)(oracle_fn *, void *);
} loader;

static void *
loader_main(void *arg)
{
	for (;;) {
		sem_wait(&loader.wanted);
		if (loader.handle)
			dlclose(loader.handle);
		loader.handle = NULL;
		if (loader.open) {
			loader.handle = dlopen(loader.open, RTLD_NOW);
			if (!loader.handle)
				abort();
			loader.plug =
				(void (*)(oracle_fn *,
					  void *))dlsym(loader.handle, "plug");
		}
		sem_post(&loader.done);
	}
	return arg;
}

/* Close the open library, and open that one. */
static void
load(const char *name)
{
	loader.open = name;
	sem_post(&loader.wanted);
	sem_wait(&loader.done);
}

static ORACLE void
libs(int n, char **name, int mixed)
{
	uintptr_t last = 0;
	pthread_t id;

	ENTER(s);
	sem_init(&loader.wanted, 0, 0);
	sem_init(&loader.done, 0, 0);
	if (pthread_create(&id, NULL, loader_main, NULL))
		abort();
	for (int i = 0; i < 400; i++) {
		load(name[any((unsigned)n)]);
		again += !mixed && (uintptr_t)loader.plug == last;
		last = (uintptr_t)loader.plug;
		for (unsigned k = any(2); k < 2; k++)
			call(loader.plug, hit);
		if (mixed && any(3) == 0) {
			load(NULL);
			code_instead();
		}
	}
	load(NULL);
	LEAVE(s);
}

static ORACLE void
code_alone(char *code)
{
	void *p;

	ENTER(s);
	for (int i = 0; i < 200; i++) {
		memcpy(code, code_back, sizeof(code_back));
		call((void (*)(oracle_fn *, void *))(void *)code, hit_stopped);
		memcpy(code, code_malloc[i % 2], sizeof(code_malloc[0]));
		p = ((void *(*)(void *(*)(size_t), size_t))(void *)code)(malloc,
									 64);
		s->bottom = s->n;
		oracle_push(s, code + CALL_MALLOC);
		oracle_give(oracle_count(s, p, 64));
		s->n = s->bottom;
		s->bottom = 0;
		again += i > 0;
	}
	LEAVE(s);
}

int
main(int argc, char **argv)
{
	oracle_begin();
	s = (struct shadow *)oracle_map(sizeof(*s));
	oracle_root(s, __builtin_return_address(0));
	if (argc > 1 && !strcmp(argv[1], "code")) {
		char *code = code_map(0);

		code_alone(code);
		code_alone(code + 100);
	} else if (argc > 2) {
		libs(argc - 2, argv + 2, !strcmp(argv[1], "mixed"));
	}
	oracle_print();
	return printf("%u again, %u stead, done\n", again, stead) < 0;
}
