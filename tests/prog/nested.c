/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A victim of allocators whose functions call one another (nested.t).  It
 * allocates 100 times in each of four ways: malloc(10), calloc(1, 20),
 * realloc(p, 30) of malloc's block, memalign(64, 40): 400 allocations, 10,000
 * bytes, 100 of them resized, and frees all.  With "handler" a handler of
 * SIGUSR1 allocates 1 block of 50 bytes by strdup(), in the midst of malloc(),
 * and frees it.  With "jump" it leaves malloc() by siglongjmp() in its midst: 1
 * block of 7 bytes is lost on the way.  With "stack" it does as with "handler",
 * on a stack of its own.  "wait" first writes "ready" and waits for a
 * file "go".
 */
#include <dlfcn.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf env;
static int jumps;
static void *volatile keep;

static void
handler(int sig)
{
	char *p = strdup("a text of fifty bytes with its end, which is here");

	(void)sig;
	keep = p;
	free(p);
	if (jumps)
		siglongjmp(env, 1);
}

static void
raises(const char *how)
{
	static char stack[65536];
	struct sigaction a = { .sa_handler = handler };
	stack_t s = { .ss_sp = stack, .ss_size = sizeof(stack) };
	volatile int *p = dlsym(RTLD_DEFAULT, "nest_raise");

	jumps = !strcmp(how, "jump");
	if (!strcmp(how, "stack")) {
		sigaltstack(&s, NULL);
		a.sa_flags = SA_ONSTACK;
	}
	sigaction(SIGUSR1, &a, NULL);
	if (p)
		*p = 1;
	if (!p || sigsetjmp(env, 1))
		return;
	keep = malloc(7);
	free(keep);
}

__attribute__((noinline)) static void
work(void)
{
	void *p;

	for (int i = 0; i < 100; i++) {
		p = malloc(10);
		keep = p;
		p = realloc(p, 30);
		keep = p;
		free(p);
		p = calloc(1, 20);
		keep = p;
		free(p);
		p = memalign(64, 40);
		keep = p;
		free(p);
	}
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "wait") && write(1, "ready\n", 6) != 6)
		return 1;
	while (!strcmp(how, "wait") && access("go", F_OK) != 0)
		usleep(10000);
	if (*how && strcmp(how, "wait") != 0)
		raises(how);
	work();
	/* Attached, it waits until it may go on. */
	while (!strcmp(how, "wait") && access("gone", F_OK) != 0)
		usleep(10000);
	return 0;
}
