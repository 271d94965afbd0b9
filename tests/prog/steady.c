/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program sees of itself and its process: with the monitor it is the
 * same as without.  Prints by write(2), so that nothing else allocates.
 *
 *	steady			works, then prints
 *	steady child		the same in a child, then in the parent
 *	steady threads		the same in four threads, then in the first
 *	steady signal N		works, prints, and is ended by the signal
 *	steady _exit		works, prints, and ends by _exit(7)
 *
 * Work is 107 allocations of 5492 bytes and 57 frees of 2992, 2 of them by
 * realloc, and 1 allocation that fails; it is all that the first form does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n > 0 && write(1, line, (size_t)n) != n)
		_exit(99);
}

/* errno isn't touched by a call that succeeds; the block is where it may be. */
#define TRY(call, align) \
	({ \
		errno = 77; \
		void *p_ = call; \
		if (errno != 77 || !p_ || (uintptr_t)p_ % (align)) \
			say("%s: errno %d, align %d\n", #call, errno, \
			    (int)((uintptr_t)p_ % (align))); \
		p_; \
	})

static void
try_free(void *p)
{
	errno = 77;
	free(p);
	if (errno != 77)
		say("free: errno %d\n", errno);
}

static void *
aligned(size_t align, size_t n)
{
	void *p = NULL;
	int r = posix_memalign(&p, align, n);

	return r ? NULL : p;
}

static void *
work(void *arg)
{
	static __thread void *keep[101];
	volatile size_t huge = (size_t)1 << 60;
	size_t room = 0;
	void *p;

	for (size_t i = 1; i <= 100; i++) {
		keep[i] = TRY(malloc(i), 16);
		memset(keep[i], 1, i);
		room += malloc_usable_size(keep[i]);
	}
	p = TRY(calloc(3, 7), 16);
	p = TRY(realloc(p, 50), 16);
	p = TRY(reallocarray(p, 10, 10), 16);
	try_free(p);
	try_free(TRY(aligned(64, 100), 64));
	try_free(TRY(aligned_alloc(64, 128), 64));
	try_free(TRY(memalign(32, 33), 32));
	try_free(TRY(valloc(10), 4096));
	errno = 0;
	p = malloc(huge);
	if (p || errno != ENOMEM)
		say("malloc of 2^60 bytes: errno %d\n", errno);
	for (size_t i = 2; i <= 100; i += 2)
		try_free(keep[i]);
	if (!arg)
		say("usable %zu\n", room);
	return NULL;
}

static void
show_signals(void)
{
	struct sigaction a;
	stack_t ss;
	sigset_t set;

	sigprocmask(SIG_BLOCK, NULL, &set);
	say("blocked");
	for (int i = 1; i < 65; i++)
		if (sigismember(&set, i) == 1)
			say(" %d", i);
	sigpending(&set);
	say("\npending");
	for (int i = 1; i < 65; i++)
		if (sigismember(&set, i) == 1)
			say(" %d", i);
	say("\nnot by default");
	for (int i = 1; i < 65; i++)
		if (sigaction(i, NULL, &a) == 0 && a.sa_handler != SIG_DFL)
			say(" %d", i);
	if (sigaltstack(NULL, &ss) == 0)
		say("\nalternate stack %d\n", ss.ss_flags);
}

static void
show(void)
{
	mode_t mask = umask(0);
	char cwd[4096];
	int fd;

	umask(mask);
	say("umask %03o\nfiles", (unsigned)mask);
	for (int i = 0; i < 1024; i++)
		if (fcntl(i, F_GETFD) >= 0)
			say(" %d", i);
	fd = dup(1);
	say("\nnext %d\n", fd);
	close(fd);
	show_signals();
	say("directory %s\n", getcwd(cwd, sizeof(cwd)) ? cwd : "?");
}

/* A checksum of the environment: the monitor must not change it. */
static unsigned long
environment(void)
{
	unsigned long sum = (unsigned long)environ;

	for (char **e = environ; *e; e++)
		for (const char *s = *e; *s; s++)
			sum = sum * 31 + (unsigned char)*s;
	return sum;
}

static void
children(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		work(NULL);
		show();
		exit(5);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		_exit(98);
	say("child %x\n", (unsigned)status);
}

static void
threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, work, t) != 0)
			_exit(97);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long sum = environment();

	work(NULL);
	if (!strcmp(what, "child"))
		children();
	if (!strcmp(what, "threads"))
		threads();
	show();
	if (environment() != sum)
		say("the environment has changed\n");
	if (!strcmp(what, "signal"))
		raise(atoi(argv[2]));
	if (!strcmp(what, "_exit"))
		_exit(7);
	return 3;
}
