/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses to the heap of every kind that a compiler treats in its own way,
 * each in its own blocks, for accesses.t.  Prints a sum of the values that were
 * read.
 *
 * CALLS: without accesses that compilers don't report by -fsanitize=thread, or
 * report differently (memmon-cc(1)).  PIECES: without a bit-field that clang
 * reads in pieces, and so more often than it counts.
 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static volatile int zero, one = 1, ten = 10, hundred = 100;
static uint64_t sum;

struct node {
	struct node *next, *prev;
	int key;
	char text[20];
};
struct wide {
	char c[200];
};
struct odd {
	char c[55];
};

/* Before the address in the pointer. */
static APART int
negative(int *end, struct node *n, struct node **field)
{
	struct node *of =
		(struct node *)((char *)field - offsetof(struct node, prev));

	*--end = 3;
	n[-1].key = 4;
	return end[-2] + of->key + n[-1].text[19];
}

static APART long
search(const int *v, int n, int key)
{
	for (int i = 0; i < n; i++)
		if (v[i] == key)
			return i;
	return -1;
}

static APART long
search_both(const short *a, const short *b, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (a[i] == 77)
			break;
		if (b[i] == 88)
			return -i;
	}
	return i;
}

static APART void
fill_down(double *v, int n)
{
	for (int i = n - 1; i >= 0; i--)
		v[i] = i;
}

static APART void
fill_unsigned(unsigned char *v, unsigned from, unsigned n)
{
	for (unsigned i = from; i != from + n; i++)
		v[(unsigned char)i] = 7;
}

static APART void
add_arrays(int *restrict a, const int *b, const int *c, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = b[i] + c[i];
}

static APART void
some_of(int *restrict a, const int *b, const int *mask, int n)
{
	for (int i = 0; i < n; i++)
		if (mask[i])
			a[i] = b[i];
}

static APART int
gathered(const int *a, const int *index, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += a[index[i]];
	return s;
}

static APART void
scattered(int *restrict a, const int *index, int n)
{
	for (int i = 0; i < n; i++)
		a[index[i]] = i;
}

static APART void
every_third(char *v, int n)
{
	for (int i = 0; i < n; i += 3)
		v[i] = 1;
}

static APART void
loops(void)
{
	int *v = malloc(400), *w = malloc(400), *u = calloc(100, 4), i;
	int *some = calloc(100, 4), *from = calloc(100, 4), *mask = malloc(400);
	short *a = malloc(202), *b = malloc(202);
	double *d = malloc(808);
	unsigned char *bytes = malloc(256);
	char *third = malloc(131);

	for (i = 0; i < hundred; i++)
		v[i] = w[i] = i * i % 50;
	sum += (uint64_t)search(v, hundred, 49) + (uint64_t)search(w, zero, 3);
	sum += (uint64_t)search(u, ten, 1);
	for (i = 0; i < 101; i++)
		a[i] = b[i] = (short)i;
	sum += (uint64_t)search_both(a, b, 101);
	b[20] = 88;
	sum += (uint64_t)search_both(a, b + ten, 50);
	fill_down(d, hundred);
	sum += (uint64_t)d[1];
	fill_unsigned(bytes, 250, 17);
	every_third(third, 131);
	add_arrays(u, v, w, hundred - 1);
	add_arrays(w + 50, v, u, zero);
	for (i = 0; i < hundred; i++)
		mask[i] = i > 60 && i < 90;
	some_of(some, from, mask, hundred);
	for (i = 0; i < 32; i++)
		u[i] = i * 3 % 50;
	sum += (uint64_t)gathered(v, u, 31);
	u = realloc(u, 120);
	scattered(w, u, 29);
	for (i = 0; i < 29; i++)
		sum += (uint64_t)w[i] + bytes[250];
	free(v), free(w), free(u), free(a), free(b), free(d), free(bytes);
	free(third), free(some), free(from), free(mask);
}

/* The pointer changes between accesses through it. */
static APART int
moving(struct node *p, struct node *q)
{
	p->next->key = 1;
	p->next = q;
	p->next->key = 2;
	q->next = p;
	p->next->next->text[3] = 9;
	return p->key;
}

static APART void
pointers(void)
{
	struct node *n = malloc(3 * sizeof(*n)), *m = calloc(1, sizeof(*m));
	struct node *lone = malloc(sizeof(*lone));
	int *end = calloc(25, sizeof(*end)), local[8] = { 0 }, *some;

	n[0].next = m;
	n[0].key = n[1].key = n[2].key = 5;
	n[1].text[19] = 6;
	sum += (uint64_t)negative(end + 25, n + 2, &n[0].prev);
	sum += (uint64_t)moving(n, lone);
	some = zero ? local : end + 12;
	some[3] = some[2] + 1;
	some = one ? local : end;
	some[3] = some[2] + 1;
	sum += (uint64_t)local[3];
	free(n), free(m), free(end), free(lone);
}

#ifndef CALLS
static APART struct wide
make_wide(int c)
{
	struct wide w;

	memset(&w, c, sizeof(w));
	return w;
}

static APART struct odd
change_odd(struct odd o)
{
	o.c[54]++;
	return o;
}
#endif

static APART void
copy_some(char *to, const char *from, size_t n)
{
	memcpy(to, from, n);
	memmove(to + n / 2, to, n);
}

static APART void
structs(void)
{
	struct wide *w = malloc(2 * sizeof(*w)), *v = malloc(sizeof(*v));
	struct odd *o = calloc(3, sizeof(*o)), *only = malloc(sizeof(*only));
	char *b = malloc(333), *small = malloc(17), *c = calloc(1, 90);
	uint32_t x = 5;

#ifdef CALLS
	memset(v, one, sizeof(*v));
	memset(w, 0, sizeof(*w));
#else
	*v = make_wide(one);
	w[0] = (struct wide){ { 0 } };
#endif
	w[1] = *v;
	w[0].c[3] = w[1].c[199];
	o[1] = o[0];
#ifdef CALLS
	o[2] = o[1];
#else
	o[2] = change_odd(o[1]);
#endif
	*only = o[2];
	memset(b, 3, 333);
	copy_some(b + 1, v->c, 100);
	copy_some(b + 230, v->c + 17, (size_t)zero);
	small[16] = 4;
	memcpy(small + 3, &x, sizeof(x));
	memcpy(c + 14, small + 3, 4);
	memcpy(c + 30, b + 5, 50);
	memcpy(&x, c + 62, sizeof(x));
	sum += x + (uint64_t)w[0].c[3] + (uint64_t)small[16];
	free(w), free(v), free(o), free(only), free(b), free(small), free(c);
}

struct flags {
	unsigned a : 3, b : 9, c : 20;
	uint64_t d : 40, e : 24;
	char pad[16];
	signed f : 7;
};
struct packed_flags {
	unsigned a : 5;
	uint64_t b : 43;
	char pad[7];
	unsigned c : 20, d : 30;
} __attribute__((packed));

static APART void
bits(void)
{
#ifndef CALLS
	struct flags *read = calloc(2, sizeof(*read));
	struct flags *both = calloc(2, sizeof(*both));
	struct packed_flags *packed = calloc(3, sizeof(*packed));

	sum += packed[one].b + packed->c;
#ifndef PIECES
	sum += packed[2].d;
#endif
	sum += read[one].b + read[1].e + (uint64_t)read->f;
	both->c = read->a;
	both[1].f -= 3;
	both[one].e++;
	sum += both->c + both[1].e;
	free(read), free(both), free(packed);
#endif
}

static APART void
atomics(void)
{
	uint32_t *p = calloc(12, sizeof(*p));
	/* A failed one isn't a write; a simulator takes it for one. */
	uint32_t expected = 0;
	uint64_t *q = calloc(6, sizeof(*q));
	char *flag = calloc(1, 33);

	__atomic_fetch_add(&p[1], 5, __ATOMIC_SEQ_CST);
#if !defined __clang__ || defined __OPTIMIZE__ /* it loads it again */
	sum += __atomic_load_n(&p[5], __ATOMIC_ACQUIRE);
#endif
	__atomic_store_n(&p[9], 4, __ATOMIC_RELEASE);
	sum += __sync_bool_compare_and_swap(&q[1], 0, 9);
	sum += __atomic_exchange_n(&q[5], 8, __ATOMIC_SEQ_CST);
	sum += __atomic_compare_exchange_n(&p[10], &expected, 1, 0,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	__atomic_or_fetch(&q[3], 64, __ATOMIC_RELAXED);
	sum += __atomic_test_and_set(&flag[32], __ATOMIC_SEQ_CST);
	__atomic_clear(&flag[17], __ATOMIC_RELEASE);
	sum += p[10] + q[1];
	__atomic_store_n(&q[4], 3, __ATOMIC_SEQ_CST);
	free(p), free(q), free(flag);
}

typedef int four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));

static APART void
numbers(void)
{
	__int128 *i = malloc(2 * sizeof(*i));
	four *v = malloc(3 * sizeof(*v));
	float *f = calloc(5, sizeof(*f));
	unsigned char *b = calloc(1, 24);
	volatile short *s = calloc(1, 40);

#ifndef CALLS
	long double *l = malloc(3 * sizeof(*l));
	double complex *z = malloc(2 * sizeof(*z));

	l[1] = one;
	z[0] = one + 2 * I;
	z[1] = z[0] * z[0];
	sum += (uint64_t)l[1] + (uint64_t)creal(z[1]);
	free(l), free(z);
#endif
	i[1] = (__int128)one << 70;
	v[2] = (four){ one, 2, 3, 4 };
	v[0] = v[2] + v[2];
	f[4] = (float)one;
	sum += (uint64_t)(i[1] >> 70) + (uint64_t)v[0][2] + (uint64_t)f[4];
	b[14] = 1, b[15] = 2, b[16] = 3, b[17] = 4;
	sum += b[6] | b[7] << 8 | b[8] << 16 | (unsigned)b[9] << 24;
	s[1] = s[9];
	s[18]++;
	free(i), free(v), free(f), free(b);
	free((void *)s);
}

/* va_start() is one access of several stores: no counts at -O0 are compared. */
#if !defined CALLS && defined __OPTIMIZE__
#define LISTS
/* A list of arguments on the heap. */
static APART void
arguments(int n, ...)
{
	va_list *list = malloc(sizeof(*list));

	va_start(*list, n);
	va_end(*list);
	free(list);
}
#endif

static jmp_buf back;

static APART void
leave(int *p, int *q)
{
	p[0] = 1;
	if (q[0] == 0)
		longjmp(back, 1);
	p[20] = 1;
	q[20] = p[0];
}

static APART void
jumps(void)
{
	int *volatile p = calloc(24, sizeof(*p)), *volatile q = calloc(24, 4);

	if (setjmp(back) == 0) {
		leave(p, q);
		p[12] = 1;
	} else {
		p[8] = 2;
	}
	sum += (uint64_t)q[10];
	free(p), free(q);
}

static APART int
last_call(int *p, int n)
{
	if (n == 0)
		return p[0];
	p[n] = n;
	return last_call(p, n - 1);
}

static APART void
sizes(void)
{
	char *p = malloc(40), *q;
	int *r = malloc(100);
#ifndef __clang__
	int n = ten;
	struct {
		int a;
		char c[n];
	} *v = malloc(sizeof(*v) * 2);

	memset(v, 0, sizeof(*v) * 2);
	v[1] = v[0];
	sum += (uint64_t)v[1].c[3];
	free(v);
#endif

	p[39] = 1;
	p[1] = 2;
	p = realloc(p, 4200);
	p[4199] = p[39];
	p = realloc(p, 20);
	sum += (uint64_t)p[1];
	q = malloc(9000);
	q[5] = 1;
	q[8999] = q[5];
	r[0] = 1;
	sum += (uint64_t)last_call(r, 24);
	free(p), free(q), free(r);
	p = malloc(1);
	*p = 1;
	p = realloc(p, 33);
	q = malloc(1);
	free(malloc(0));
	free(p), free(q);
}

int
main(void)
{
	loops();
	pointers();
	structs();
	bits();
	atomics();
	numbers();
	jumps();
	sizes();
#ifdef LISTS
	arguments(one, 2, 3);
#endif
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
