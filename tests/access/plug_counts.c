/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses of every kind, with their expected counts, at all optimization
 * levels: "reads/writes" of each granule of a block of 64 or 128 bytes.
 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/access/plug_runtime.h"

/* gcc has an attribute for its plugin; for clang it is an annotation. */
#ifdef __clang__
#define LEFT_OUT __attribute__((annotate("memmon_no_access")))
#define LEFT_OUT_TOO __attribute__((disable_sanitizer_instrumentation))
#else
#define LEFT_OUT __attribute__((memmon_no_access))
#define LEFT_OUT_TOO __attribute__((no_instrument_function))
#endif
#define KEEP(p) __asm__ volatile("" : "+r"(p) : : "memory")
#define NOINLINE __attribute__((noinline, noclone))

struct mixed {
	volatile char c;
	volatile short s;
	volatile int i;
	volatile long l;
	volatile double d;
	volatile long double ld;
	volatile unsigned f : 3, g : 13, h : 16;
};
struct __attribute__((packed)) odd {
	char pad[13];
	volatile int i;	 /* 13 to 16: two granules */
	volatile long l; /* 17 to 24: one */
};
struct big {
	char c[96];
};
struct small {
	long a[3];
};
struct node {
	volatile long v, w;
	struct node *volatile next;
};

static char *block;
static volatile long sink; /* the compiler must compute results */

static void
show(const char *what)
{
	plug_show(what, block, 128);
}

NOINLINE static void
scalars(struct mixed *m)
{
	m->c = 1;		/* granule 0 */
	m->s = m->c;
	m->i += m->s;
	m->l = m->i;
	m->d = m->l;		/* 1 */
	m->ld = m->d;		/* 2 */
	m->ld = m->ld + m->ld;
	m->g = 5;		/* 3 */
	m->h = m->g;
}

NOINLINE static void
unaligned(struct odd *o)
{
	o->i = 1;
	o->l = o->i;
	o[1].i = 2; /* 38 to 41 */
}

/* With a pointer that is a multiple of 8, but not of 16. */
NOINLINE static void
members(struct node *n)
{
	n->v = n->w;
	n->next = NULL;
	n->w++;
}

/* Both branches follow accesses to the same granules. */
NOINLINE static void
branches(struct node *n, int which)
{
	n->v = which;
	if (which & 1)
		n->v = n->w;
	if (which & 2) {
		n->w = 0;
		n->next = NULL;
	}
	n->v++;
	while (which-- > 0)
		n->w++;
	n->v = 0;
}

NOINLINE static long
locals(long *p)
{
	volatile long a[4] = { 1, 2, 3, 4 };
	static volatile long s[4];
	long *q = (long *)&a[1], *r;

	s[1] = a[2];
	KEEP(p);
	r = p ? q : p;
	return *r + s[2] + *p;
}

NOINLINE static void
copies(struct big *b, struct small *s)
{
	struct big local = *b;
	struct small few;

	__asm__ volatile("" : : "r"(&few) : "memory");
	few = *s;
	__asm__ volatile("" : : "r"(&few) : "memory");
	*s = few;
	__asm__ volatile("" : : "r"(&local) : "memory");
	*b = local;
}

NOINLINE static long
functions(char *p, size_t n)
{
	long len;

	for (int i = 0; i < 128; i++)
		p[i] = (char)('a' + i % 16);
	plug_forget(p, 128);
	memset(p, 'x', 48);
	KEEP(p);
	memcpy(p + 16, p + 64, 16);
	KEEP(p);
	memcpy(p, p + 64, 24);
	KEEP(p);
	memmove(p + 1, p, n);
	KEEP(p);
	memset(p + 32, 0, 32);
	KEEP(p);
	p[95] = 0;
	KEEP(p);
	len = strlen(p);
	KEEP(p);
	__builtin___memcpy_chk(p + 96, p + 64, n, 32);
	KEEP(p);
	return len + memcmp(p, p + 64, n) + (memcmp(p, p + 32, 8) == 0);
}

NOINLINE static long
atomics(long *p, int *q, _Atomic char *c)
{
	long old = 0;

	__atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
	old += __atomic_load_n(p, __ATOMIC_RELAXED);
	old += __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
	old += __sync_lock_test_and_set(q, 3);
	__sync_lock_release(q);
	__atomic_compare_exchange_n(p, &old, 5, 0, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	*c += 1;
	return old + __atomic_test_and_set(q, __ATOMIC_SEQ_CST);
}

NOINLINE static void
complexes(volatile double _Complex *z, volatile float *v)
{
	*z = *z * 2;
	v[0] = v[1];
}

NOINLINE static void
back(jmp_buf env, volatile int *p)
{
	p[0]++;
	longjmp(env, 1);
}

NOINLINE static void
jumps(volatile int *p)
{
	static void *const labels[] = { &&one, &&two };
	jmp_buf env;

	if (setjmp(env) == 0)
		back(env, p);
	goto *labels[p[0] & 1]; /* 1 */
two:
	p[4]++;
one:
	__asm__ goto("jmp %l0" : : : : out);
	p[8]++;
out:
	p[12]++;
}

LEFT_OUT NOINLINE static void
left_out(volatile long *p)
{
	p[0]++;
}

LEFT_OUT_TOO NOINLINE static void
left_out_too(volatile long *p)
{
	p[0]++;
}

NOINLINE static struct big
returned(struct big *b)
{
	return *b;
}

/* With a pointer to granule 4. */
NOINLINE static void
below(volatile int *p, struct node *n, struct small *s)
{
	p[-1] = p[-2];			/* 3 */
	n[-1].w = n[-2].v;		/* 3, 1 */
	s[-2].a[0]++;			/* 1 */
	*((volatile char *)p - 64) += 1; /* 0 */
	KEEP(p);
	while (p[0] == 0)		/* 4, 3 */
		if (*--p != 0)
			break;
	((volatile int *)(((uintptr_t)p & -16ul) - 16))[1]++; /* 2 */
}

/* Parts of an array, at a constant place. */
NOINLINE static void
parts(char *p, int n)
{
	char local[200];

	memset(local, n, sizeof(local));
	KEEP(p);
	memcpy(p, &local[2], 10);
	memcpy(&local[100], p + 16, 16);
	memset(&local[3], 0, 8);
	memcpy(p + 32, &"0123456789abcdef"[3], 8);
	__asm__ volatile("" : : "r"(local) : "memory");
}

/* Of the swaps at *p the first and the last succeed, at *q the first. */
NOINLINE static void
more_swaps(long *p, short *q)
{
	long at = *p;

	KEEP(p);
	__sync_bool_compare_and_swap(p, at, 7);
	KEEP(p);
	__sync_bool_compare_and_swap(p, at, 8);
	KEEP(p);
	*q = (short)__sync_val_compare_and_swap(p, 8, 9);
	KEEP(p);
	at = __sync_val_compare_and_swap(q, 7, 9);
	KEEP(p);
	__sync_val_compare_and_swap(q, (short)(at + 1), 9);
	at = 7;
	KEEP(p);
	__atomic_compare_exchange_n(p, &at, 7, 0, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

/* The first one fails, and writes *old. */
NOINLINE static int
swaps(long *p, long *old)
{
	__atomic_compare_exchange_n(p, old, 5, 0, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	KEEP(p);
	return __atomic_compare_exchange_n(p, old, 5, 0, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

struct lists {
	va_list a, b; /* of 24 bytes */
};

NOINLINE static void
lists(struct lists *l, ...)
{
	va_start(l->a, l);
	KEEP(l);
	va_copy(l->b, l->a);
	KEEP(l);
	va_end(l->b);
	va_end(l->a);
}

int
main(void)
{
	long n = 32;

	block = aligned_alloc(64, 256);
	KEEP(n);
	scalars((struct mixed *)block);
	show("scalars");
	unaligned((struct odd *)block);
	show("packed");
	members((struct node *)block);
	show("members");
	members((struct node *)(block + 8));
	show("members, odd");
	branches((struct node *)block, 3);
	show("branches");
	branches((struct node *)(block + 8), 2);
	show("branches, odd");
	sink = locals((long *)block);
	show("locals");
	copies((struct big *)block, (struct small *)(block + 96));
	show("copies");
	sink = functions(block, n);
	show("functions");
	sink = atomics((long *)block, (int *)(block + 16),
		       (_Atomic char *)(block + 32));
	show("atomics");
	complexes((volatile double _Complex *)block,
		  (volatile float *)(block + 32));
	show("complex");
	((volatile int *)block)[0] = 0;
	show("int");
	jumps((volatile int *)block);
	show("jumps");
	left_out((volatile long *)block);
	left_out_too((volatile long *)block);
	show("left out");
	*(struct big *)(block + 16) = returned((struct big *)(block + 32));
	show("returned");
	memset(block, 0, 128);
	((int *)block)[14] = 1;
	plug_forget(block, 128);
	below((int *)(block + 64), (struct node *)(block + 64),
	      (struct small *)(block + 64));
	show("below");
	parts(block, n);
	show("parts");
	*(long *)block = 7;
	plug_forget(block, 128);
	if (!swaps((long *)block, (long *)(block + 32)))
		printf("swaps: not done\n");
	more_swaps((long *)(block + 64), (short *)(block + 96));
	show("swaps");
	lists((struct lists *)block, 1, 2.0);
	show("lists");
	return 0;
}
