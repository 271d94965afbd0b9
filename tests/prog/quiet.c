/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which system calls hooks make: eight threads make, resize, free and pass on
 * 20,000 blocks each.  Their allocator makes no system calls (libbump.c), and a
 * filter reports every futex() call of theirs.
 *
 *	quiet		prints "futex N"
 *	quiet loud	each thread calls it once: 8
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 8

static atomic_int futexes, ready, done;
static _Atomic(void *) place[16];
static int loud;

static void
told(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (info->si_syscall == SYS_futex)
		futexes++;
}

static void
filter(void)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { sizeof(f) / sizeof(f[0]), f };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) != 0)
		_exit(77);
}

static void *
run(void *arg)
{
	unsigned seed = (unsigned)(size_t)arg;
	void *own[64] = { NULL };

	filter();
	ready++;
	while (ready < THREADS)
		;
	for (int i = 0; i < 20000; i++) {
		unsigned r = (unsigned)rand_r(&seed);
		void **p = &own[r % 64];

		if (!*p)
			*p = malloc(r % 700);
		else if (r & 64)
			*p = realloc(*p, r % 900 + 1);
		else if (r & 128)
			*p = atomic_exchange(&place[r >> 8 & 15], *p);
		else
			free(*p), *p = NULL;
	}
	if (loud)
		syscall(SYS_futex, &ready, 1, 0, NULL, NULL, 0);
	/* The futex() calls of the libc at the thread's end don't count. */
	done++;
	for (;;)
		pause();
	return NULL;
}

int
main(int argc, char **argv)
{
	struct sigaction a = { .sa_sigaction = told, .sa_flags = SA_SIGINFO };
	pthread_t id;

	(void)argv;
	loud = argc > 1;
	sigaction(SIGSYS, &a, NULL);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&id, NULL, run, (void *)i);
	while (done < THREADS)
		usleep(1000);
	printf("futex %d\n", futexes);
	fflush(stdout);
	_exit(0);
}
