/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What unrecorded code gets by calls that aren't plain ones.  PART 0: a library
 * that isn't recorded; 1: such a function of the program's; 2: the program; 3:
 * what it opens and closes, with a function at a fixed place.  Blocks, and how
 * many of them were handed over:
 *
 *	by_pointer	1 1	a function of the library's
 *	by_static	1 1	one of the program's
 *	by_own		6 0	recorded ones: global, static, libc's, opened
 *	by_opened	3 3	opened at the same place, not recorded
 *	result		2 1	a struct that the library returns; our own
 *	result_by	1 1	the same by a pointer
 *	jumped		2 2	setjmp, sigsetjmp
 *	switched	1 1	getcontext
 *	holder held	1 1	void * that is known to be something
 *	any in_any	1 1	that isn't
 *	ahead		1 0	behind what is looked at then
 *	several		3 3	pointers of an array in a struct by value
 *	message		1 1	a function that doesn't return
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "tests/access/handed.h"

struct large {
	char text[64];
};
typedef void (*fill_fn)(char *p);
struct table {
	fill_fn fill;
	struct large (*make)(void);
	void (*use)(void *p);
};
struct holder {
	long n;
	char *held;
};
struct several {
	long n;
	char *none[0];
	char *p[3];
};

const struct table *lib_table(void);
struct large lib_make(void);
void lib_use_it(void *p);
void lib_use_all(struct several s);
_Noreturn void lib_die(const char *text);
void static_fill1(char *p);

#if PART == 0
static void
fill(char *p)
{
	((volatile char *)p)[1] = 'x';
}

struct large
lib_make(void)
{
	return (struct large){ "some text" };
}

void
lib_use_it(void *p)
{
	fill(((struct holder *)p)->held);
}

void
lib_use_all(struct several s)
{
	for (long i = 0; i < s.n; i++)
		fill(s.p[i]);
}

const struct table *
lib_table(void)
{
	static const struct table t = { fill, lib_make, lib_use_it };

	return &t;
}

void
lib_die(const char *text)
{
	exit(*(const volatile char *)text != 'm');
}
#elif PART == 1
void
static_fill1(char *p)
{
	((volatile char *)p)[1] = 'x';
}
#elif PART == 3
void opened_fill(char *p);
__attribute__((section(".fixed"))) void
opened_fill(char *p)
{
	((volatile char *)p)[1] = 'x';
}
#else
#define BLOCK(name, size) \
	NOINLINE void *name(void) \
	{ \
		return calloc(1, size); \
	}
BLOCK(by_pointer, 64)
BLOCK(by_static, 64)
BLOCK(by_own, 64)
BLOCK(by_opened, 64)
BLOCK(result, 64)
BLOCK(result_by, 64)
BLOCK(jumped, sizeof(sigjmp_buf))
BLOCK(switched, sizeof(ucontext_t))
BLOCK(holder, sizeof(struct holder))
BLOCK(held, 48)
BLOCK(any, 50 * sizeof(void *))
BLOCK(in_any, 48)
BLOCK(ahead, 48)
BLOCK(several, 48)
BLOCK(message, 32)

void
own_fill(char *p)
{
	((volatile char *)p)[1] = 'x';
}

static void
own_static(char *p)
{
	((volatile char *)p)[1] = 'y';
}

static NOINLINE struct large
own_make(void)
{
	return (struct large){ "other text" };
}

NOINLINE void
call(fill_fn f, char *p)
{
	f(p);
}

NOINLINE void
pass_on(void *p)
{
	lib_use_it(p);
}

static fill_fn
zero_by(void *(*f)(void *, int, size_t), char *p)
{
	f(p, 0, 16);
	return own_static;
}

static int
open_two(const char *const *path)
{
	void *file, *at[2];

	for (int i = 0; i < 2; i++) {
		file = dlopen(path[i], RTLD_NOW);
		at[i] = file ? dlsym(file, "opened_fill") : NULL;
		if (!at[i])
			return 2;
		for (int k = 0; k < 3; k++)
			call((fill_fn)at[i], i ? by_opened() : by_own());
		dlclose(file);
	}
	if (at[0] != at[1])
		puts("elsewhere");
	return 0;
}

static NOINLINE int
jump(void)
{
	jmp_buf *volatile b = jumped();
	sigjmp_buf *volatile s = jumped();
	volatile int n = 0;

	if (setjmp(*b) < 3)
		longjmp(*b, ++n);
	if (sigsetjmp(*s, n == 3) < 6)
		siglongjmp(*s, ++n);
	getcontext(switched());
	return n != 6;
}

static void
opaque(void)
{
	struct holder *h = holder();
	void **p = any();

	h->n = 1;
	h->held = held();
	lib_use_it(h);
	p[1] = in_any();
	p[40] = ahead();
	pass_on(p);
	lib_use_all(
		(struct several){ 3, {}, { several(), several(), several() } });
	((volatile char *)p[40])[0] = 1;
}

int
main(int argc, char **argv)
{
	const struct table *t = lib_table();
	void *(*volatile set)(void *, int, size_t) = memset;
	struct large *l;
	char *text;

	call(t->fill, by_pointer());
	call(static_fill1, by_static());
	call(own_fill, by_own());
	call(zero_by(set, by_own()), by_own());
	l = result();
	*l = lib_make();
	l = result();
	*l = own_make();
	l = result_by();
	*l = t->make();
	opaque();
	if (jump() || (argc > 2 && open_two((const char **)argv + 1)))
		return 1;
	text = message();
	memcpy(text, "message", 8);
	lib_die(text);
}
#endif
