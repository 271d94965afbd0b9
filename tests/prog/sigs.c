/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program can see of its signals' actions, and malloc in a handler that
 * interrupts malloc.
 *
 *	sigs show	prints the actions, sets some, prints again: the output
 *			must not depend on memmon
 *	sigs storm	a handler of SIGALRM allocates and frees 10 blocks of 48
 *			bytes while main allocates and frees blocks of 32
 *			without a pause; after 2,000 signals main prints how
 *			many blocks it made: allocations of 48 bytes are 20,000
 *			exactly
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t signals;

static void
handler(int sig)
{
	void *volatile p[10];

	(void)sig;
	if (signals >= 2000)
		return;
	for (int i = 0; i < 10; i++)
		p[i] = malloc(48);
	for (int i = 0; i < 10; i++)
		free(p[i]);
	signals++;
}

static void
nothing(int sig)
{
	(void)sig;
}

static const char *
name(sighandler_t h)
{
	return h == SIG_DFL   ? "default"
	       : h == SIG_IGN ? "ignore"
	       : h == nothing ? "nothing"
	       : h == handler ? "handler"
			      : "other";
}

static void
show(int sig)
{
	struct sigaction a;
	stack_t ss;

	memset(&a, 0x55, sizeof(a));
	sigaction(sig, NULL, &a);
	printf("%d %s flags %x", sig, name(a.sa_handler), (unsigned)a.sa_flags);
	sigaltstack(NULL, &ss);
	printf(" stack %s\n", ss.ss_flags & SS_DISABLE ? "none" : "some");
}

static void
show_all(void)
{
	static char stack[65536];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	stack_t none = { .ss_flags = SS_DISABLE }, old;
	struct sigaction a = { .sa_handler = nothing, .sa_flags = SA_NODEFER };
	struct sigaction was;

	show(SIGTERM);
	show(SIGCHLD);
	printf("%s\n", name(signal(SIGTERM, nothing)));
	show(SIGTERM);
	printf("%s\n", name(signal(SIGTERM, SIG_DFL)));
	printf("%s\n", name(signal(SIGTERM, SIG_IGN)));
	printf("%s\n", name(signal(SIGTERM, SIG_DFL)));
	show(SIGTERM);
	sigaction(SIGSEGV, &a, &was);
	printf("%s\n", name(was.sa_handler));
	show(SIGSEGV);
	was.sa_flags |= SA_RESETHAND;
	sigaction(SIGSEGV, &was, NULL);
	show(SIGSEGV);
	sigaltstack(&ss, &old);
	printf("old stack %d\n", old.ss_flags);
	show(SIGSEGV);
	sigaltstack(&none, &old);
	printf("old stack %d %d\n", old.ss_flags, old.ss_sp == stack);
	show(SIGSEGV);
}

static void
storm(void)
{
	struct itimerval it = { { 0, 200 }, { 0, 200 } };
	unsigned long made = 0;

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &it, NULL);
	while (signals < 2000) {
		void *volatile p = malloc(32);

		free(p);
		made++;
	}
	memset(&it, 0, sizeof(it));
	setitimer(ITIMER_REAL, &it, NULL);
	printf("%lu\n", made);
}

int
main(int argc, char **argv)
{
	static char buffer[65536];

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (argc > 1 && !strcmp(argv[1], "storm"))
		storm();
	else
		show_all();
	return 0;
}
