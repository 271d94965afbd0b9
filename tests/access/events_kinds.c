/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kind of event; events.t has the expected events of each function. */
#include <alloca.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN __attribute__((noinline, noclone, noipa))

struct s {
	volatile int a;
	volatile char c;
	volatile short h;
	volatile double d;
	volatile float f;
	volatile unsigned long long u;
};
volatile int global = 7;
static volatile int table[8];
static int words[100];
int *volatile pointer = words;

PLAIN void
scalars(struct s *p)
{
	p->a = -5;
	(void)p->a;
	p->c = 'x';
	p->h = -2;
	(void)p->h;
	p->d = 1.5;
	(void)p->d;
	p->f = 0.5f;
	p->u = 0x0123456789abcdef;
	global = table[2];
}

PLAIN void
loops(int n, int m)
{
	int i = 0;

	do {
		int j = 0;

		do
			table[j] = i;
		while (++j < m);
		if (i == 5)
			break;
	} while (++i < n);
}

PLAIN void
copies(char *to, const char *from, size_t n)
{
	memmove(to, from, n);
	memset(to + 1, 3, n + 1);
}

PLAIN int
atomics(int *p)
{
	__atomic_store_n(p, 4, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(p, 3, __ATOMIC_SEQ_CST);
	return __sync_val_compare_and_swap(p, 7, 9) +
	       __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

PLAIN int
stack(int n)
{
	volatile char *dynamic = alloca((size_t)n);
	volatile int own[5];

	own[n & 3] = 1;
	dynamic[1] = 2;
	return own[n & 3];
}

PLAIN int *
pointers(void *q, uintptr_t number)
{
	int *p = pointer;

	table[0] = q != NULL;
	p = (int *)number;
	table[1] = p != NULL;
	return p;
}

PLAIN int
recursive(int n)
{
	if (n == 0)
		return 0;
	n = recursive(n - 1);
	global = n;
	return n + 1;
}

int
main(void)
{
	struct s *s = calloc(1, sizeof(*s));
	char from[32] = "abc", to[40] = "";
	int cell = 0;

	if (!s)
		return 1;
	scalars(s);
	loops(2, 3);
	loops(9, 1);
	copies(to, from, 20);
	atomics(&cell);
	stack(9);
	pointers(s, (uintptr_t)&cell);
	recursive(2);
	free(s);
	return 0;
}
