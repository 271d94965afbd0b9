/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same in C: longjmp(), computed goto, loops of two entries, handlers. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

static jmp_buf env;
static volatile int seen;
static unsigned cells[64];

static void
dive(int n)
{
	volatile char own[40];

	memset((char *)own, n, sizeof(own));
	if (n > 6)
		longjmp(env, n);
	for (int i = 0; i < 3; i++)
		if (own[i] == n)
			dive(n + 1);
}

static int
interpret(const char *code)
{
	static void *const labels[] = { &&add, &&sub, &&end };
	int x = 0;

	goto *labels[code[0] - 'a'];
add:
	cells[x & 63]++;
	x += 3;
	goto *labels[*++code - 'a'];
sub:
	x -= (int)cells[x & 63];
	goto *labels[*++code - 'a'];
end:
	return x;
}

/* A loop with two entries isn't counted as a loop. */
static int
irreducible(int n)
{
	int i = 0;

	if (n & 1)
		goto middle;
top:
	i += 2;
middle:
	i++;
	cells[i & 63] += (unsigned)n;
	if (i < n)
		goto top;
	return i;
}

static void
handler(int signal)
{
	(void)signal;
	for (int i = 0; i < 10; i++)
		cells[i]++;
	seen++;
}

int
main(void)
{
	struct itimerval tick = { { 0, 200 }, { 0, 200 } };
	volatile int rounds = 0, sum = 0;

	while (rounds++ < 4)
		if (setjmp(env) == 0)
			dive(0);
	for (int i = 0; i < 9; i++)
		sum += interpret("abababc") + irreducible(i * 3);
	printf("%d %d\n", rounds, sum);
	fflush(stdout);
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &tick, NULL);
	for (long i = 0; seen < 50; i++)
		cells[i & 63] += (unsigned)i;
	return 0;
}
