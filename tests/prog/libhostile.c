/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To be preloaded: replaces functions of libc, as libraries do that fake the
 * time or log calls.  Each function allocates, prints to a stream, frees, and
 * then calls libc's.  If malloc() or free() called such a function, it would
 * come back to itself without end, or wait for a lock of this library.  At the
 * end the library prints the names of functions that were called from within
 * malloc() or free() after the first block.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NAMES 64
static const char *volatile names[NAMES];
static volatile int armed;
static __thread int allocating;

static void
note(const char *name)
{
	for (int i = 0; i < NAMES; i++) {
		if (!names[i])
			names[i] = name;
		if (names[i] == name)
			return;
	}
}

/* A call by the program itself.  A call within that is noted. */
static void
enter(const char *name)
{
	FILE *f;

	if (allocating) {
		if (armed)
			note(name);
		return;
	}
	allocating++;
	free(malloc(100));
	if (armed && (f = fopen("/dev/null", "we"))) {
		fputs(name, f);
		fclose(f);
	}
	allocating--;
}

static void *
next(const char *name)
{
	static void *(*real)(void *, const char *);

	if (!real)
		real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT,
							       "dlsym",
							       "GLIBC_2.34");
	return real ? real(RTLD_NEXT, name) : NULL;
}

#define STAND_IN(type, name, parameters, arguments) \
	type name parameters \
	{ \
		static type(*real) parameters; \
		enter(#name); \
		if (!real) \
			real = (type(*) parameters)next(#name); \
		return real arguments; \
	}

STAND_IN(int, clock_gettime, (clockid_t id, struct timespec *t), (id, t))
STAND_IN(int, gettimeofday, (struct timeval *restrict t, void *restrict z),
	 (t, z))
STAND_IN(time_t, time, (time_t * t), (t))
STAND_IN(char *, getenv, (const char *name), (name))
STAND_IN(char *, secure_getenv, (const char *name), (name))
STAND_IN(unsigned long, getauxval, (unsigned long type), (type))
STAND_IN(int, sched_yield, (void), ())
STAND_IN(int, nanosleep, (const struct timespec *t, struct timespec *left),
	 (t, left))
STAND_IN(int, close, (int fd), (fd))
STAND_IN(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n))
STAND_IN(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))
STAND_IN(int, fstat, (int fd, struct stat *s), (fd, s))
STAND_IN(pid_t, getpid, (void), ())
STAND_IN(pid_t, gettid, (void), ())
STAND_IN(int, munmap, (void *p, size_t n), (p, n))
STAND_IN(int, madvise, (void *p, size_t n, int how), (p, n, how))
STAND_IN(int, mprotect, (void *p, size_t n, int how), (p, n, how))
STAND_IN(void *, mmap,
	 (void *p, size_t n, int how, int flags, int fd, off_t at),
	 (p, n, how, flags, fd, at))
STAND_IN(int, pthread_mutex_lock, (pthread_mutex_t * m), (m))
STAND_IN(int, pthread_mutex_unlock, (pthread_mutex_t * m), (m))
STAND_IN(int, pthread_setspecific, (pthread_key_t key, const void *p), (key, p))
STAND_IN(void *, pthread_getspecific, (pthread_key_t key), (key))
STAND_IN(int, pthread_key_create, (pthread_key_t * key, void (*f)(void *)),
	 (key, f))
STAND_IN(pthread_t, pthread_self, (void), ())
STAND_IN(int, sigfillset, (sigset_t * s), (s))
STAND_IN(int, sigdelset, (sigset_t * s, int sig), (s, sig))
STAND_IN(int, _dl_find_object, (void *pc, struct dl_find_object *o), (pc, o))
STAND_IN(int, dl_iterate_phdr,
	 (int (*f)(struct dl_phdr_info *, size_t, void *), void *arg), (f, arg))
STAND_IN(int, dladdr, (const void *p, Dl_info *i), (p, i))
STAND_IN(long, strtol, (const char *s, char **end, int base), (s, end, base))
STAND_IN(unsigned long, strtoul, (const char *s, char **end, int base),
	 (s, end, base))
STAND_IN(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n))
STAND_IN(void *, memmove, (void *to, const void *from, size_t n), (to, from, n))
STAND_IN(void *, memset, (void *to, int c, size_t n), (to, c, n))
STAND_IN(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n))
STAND_IN(void *, memchr, (const void *p, int c, size_t n), (p, c, n))
STAND_IN(size_t, strlen, (const char *s), (s))
STAND_IN(size_t, strnlen, (const char *s, size_t n), (s, n))
STAND_IN(int, strcmp, (const char *a, const char *b), (a, b))
STAND_IN(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n))
STAND_IN(char *, strchr, (const char *s, int c), (s, c))
STAND_IN(char *, strrchr, (const char *s, int c), (s, c))
STAND_IN(char *, strstr, (const char *a, const char *b), (a, b))

#ifndef NOT_FIRST
/* The program's own allocations, if this library comes before the monitor. */
void *
malloc(size_t n)
{
	static void *(*real)(size_t);
	void *p;

	if (!real)
		real = (void *(*)(size_t))next("malloc");
	allocating++;
	p = real(n);
	allocating--;
	return p;
}

void
free(void *p)
{
	static void (*real)(void *);

	if (!real)
		real = (void (*)(void *))next("free");
	allocating++;
	real(p);
	allocating--;
}

#endif

__attribute__((constructor)) static void
begin(void)
{
	/* The monitor starts, if it has not. */
	free(malloc(1));
	armed = 1;
}

__attribute__((destructor)) static void
end(void)
{
	armed = 0;
	for (int i = 0; i < NAMES && names[i]; i++)
		fprintf(stderr, "%s is called within malloc or free\n",
			names[i]);
}
