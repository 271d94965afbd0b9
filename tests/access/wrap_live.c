/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that read and are cancelled or interrupted, or all read at once; and,
 * with an argument, calls before anything is initialized.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/access/wrap_rt.h"
#include "tests/tap.h"

static int pipes[2], sockets[2];
static char buffer[64] __attribute__((aligned(64)));
static volatile int cleaned, handled;

static void
clean(void *arg)
{
	cleaned += *(int *)arg;
}

static void *
wait_in(void *arg)
{
	int one = 1;

	pthread_cleanup_push(clean, &one);
	if (arg == (void *)1)
		read(pipes[0], buffer, sizeof(buffer));
	else if (arg == (void *)2)
		recv(sockets[0], buffer, sizeof(buffer), 0);
	else if (arg == (void *)3)
		recvmsg(sockets[0], &(struct msghdr){ 0 }, 0);
	else
		fgetc(stdin);
	pthread_cleanup_pop(0);
	return NULL;
}

static void
cancel(uintptr_t where, const char *name)
{
	pthread_t t;
	void *result;
	unsigned w;

	cleaned = 0;
	pthread_create(&t, NULL, wait_in, (void *)where);
	usleep(20000);
	pthread_cancel(t);
	pthread_join(t, &result);
	ok(result == PTHREAD_CANCELED && cleaned == 1, "%s is cancelled", name);
	rt_take(buffer, &w);
	is_int(w, 0, "and wrote nothing");
}

static void
on_signal(int sig)
{
	char to[40];

	(void)sig;
	memset(to, 'x', sizeof(to));
	memcpy(buffer + 32, to, 32);
	handled += snprintf(to, sizeof(to), "%d", 7);
}

static void *
interrupted(void *arg)
{
	errno = 0;
	*(ssize_t *)arg = read(pipes[0], buffer, 16);
	return (void *)(intptr_t)errno;
}

/* A handler that copies; it interrupts and ends a read. */
static void
interrupt(void)
{
	struct sigaction act = { .sa_handler = on_signal };
	pthread_t t;
	ssize_t r = 0;
	void *e;
	unsigned w;

	sigaction(SIGUSR1, &act, NULL);
	rt_take(buffer + 32, &w);
	pthread_create(&t, NULL, interrupted, &r);
	/* A signal before the read has no effect. */
	do {
		pthread_kill(t, SIGUSR1);
		usleep(20000);
	} while (pthread_tryjoin_np(t, &e) != 0);
	is_int(r, -1, "a read is interrupted");
	is_int((intptr_t)e, EINTR, "and says so");
	ok(handled >= 1, "by a handler that copies and prints");
	rt_take(buffer, &w);
	is_int(w, 0, "the read isn't counted");
	rt_take(buffer + 32, &w);
	is_int(w, (unsigned)handled, "each copy is");
}

/* Each thread has its own block: all counts are exact. */
#define TIMES 20000
static char blocks[4][256] __attribute__((aligned(64)));

static void *
copy_often(void *arg)
{
	char *p = arg;

	for (int i = 0; i < TIMES; i++) {
		memset(p, i, 16);
		memcpy(p + 64, p, 32);
		if (strnlen(p + 64, 16) > 16)
			abort();
	}
	return NULL;
}

static void
threads(void)
{
	pthread_t t[4];
	unsigned r, w;
	int wrong = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, copy_often, blocks[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], NULL);
		r = rt_take(blocks[i], &w);
		wrong += r != TIMES || w != TIMES;
		r = rt_take(blocks[i] + 16, &w);
		wrong += r != TIMES || w != 0;
		r = rt_take(blocks[i] + 64, &w);
		wrong += r != TIMES || w != TIMES;
		r = rt_take(blocks[i] + 80, &w);
		wrong += r != 0 || w != TIMES;
	}
	is_int(wrong, 0, "4 threads: all counts exact");
}

/* longjmp leaves qsort. */
static jmp_buf out;
static int
leave(const void *x, const void *y)
{
	(void)x;
	(void)y;
	longjmp(out, 1);
}

static void
jump(void)
{
	unsigned r, w;

	r = rt_take(blocks[0], &w);
	if (!setjmp(out))
		qsort(blocks[0], 16, 1, leave);
	r = rt_take(blocks[0], &w);
	is_int(r + w, 0, "a qsort that is left early isn't counted");
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets))
		return 1;
	cancel(1, "read");
	cancel(2, "recv");
	cancel(3, "recvmsg");
	interrupt();
	threads();
	jump();
	return done_testing();
}
