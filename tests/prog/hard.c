/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that a monitor could harm by its own needs.
 *
 *	hard smallstack	ends by SIGTERM with an alternate signal stack of 8 KiB
 *			and a page below it that can't be touched
 *	hard bighandler	a handler with SA_ONSTACK, and no such stack, that uses
 *			300 KB; prints "fine"
 *	hard coroutine	in a thread, a coroutine on a stack 64 MiB below the
 *			thread's, with nothing readable around it, whose
 *			outermost frame seems to have a caller; prints "fine"
 *	hard nothrow	one malloc that must fail; 1 allocation refused
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static void
smallstack(void)
{
	char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t ss = { .ss_sp = p + 4096, .ss_size = 8192 };

	mprotect(p, 4096, PROT_NONE);
	sigaltstack(&ss, NULL);
	raise(SIGTERM);
}

static void
handler(int sig)
{
	volatile char space[300000];

	memset((char *)space, sig, sizeof(space));
}

static void
bighandler(void)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	puts("fine");
}

static ucontext_t home, away;

/* Two pages deep in its stack of three, the stack seems to go on beyond. */
static void
body(void)
{
	void *volatile p = malloc(5);

	free(p);
	swapcontext(&away, &home);
}

static void *
thread(void *arg)
{
	uintptr_t at = ((uintptr_t)&arg & ~0xffful) - (64ul << 20);
	char *p;

	free(malloc(1));
	p = mmap((void *)at, 3 * 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	mprotect(p + 65536, 65536, PROT_READ | PROT_WRITE);
	getcontext(&away);
	away.uc_stack.ss_sp = p + 65536;
	away.uc_stack.ss_size = 65536;
	makecontext(&away, body, 0);
	/* Replace the address by which makecontext() ends the stack. */
	*(void **)away.uc_mcontext.gregs[REG_RSP] = (char *)thread + 100;
	swapcontext(&home, &away);
	return arg;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	void *volatile p;
	pthread_t t;

	if (!strcmp(what, "smallstack"))
		smallstack();
	if (!strcmp(what, "bighandler"))
		bighandler();
	if (!strcmp(what, "coroutine")) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		puts("fine");
	}
	if (!strcmp(what, "nothrow")) {
		p = malloc((size_t)1 << 60);
		return p != NULL;
	}
	return 0;
}
