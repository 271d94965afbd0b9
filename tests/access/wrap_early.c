/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls at times when nothing is initialized yet.  Compiled three times:
 *
 *	PART=1	a library that is relocated and started before libmemmon-access:
 *		its function's resolver (STT_GNU_IFUNC), its constructor
 *	PART=2	a dlsym(), to be preloaded, that calls the function it looks up,
 *		and is interrupted by a handler that does, too
 *	PART=3	the program, with its own resolver
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Do some functions work?  Sets a bit for each that doesn't. */
static unsigned
wrong(void)
{
	char p[100], q[100];
	unsigned bad = 0, bit = 1;

#define CHECK(condition) (bad |= (condition) ? 0 : bit, bit <<= 1)
	CHECK(memset(p, 'x', sizeof(p)) == p && p[99] == 'x');
	CHECK(memcpy(q, p, sizeof(p)) == q && q[99] == 'x');
	CHECK(mempcpy(q, "abc", 4) == q + 4);
	CHECK(memmove(q + 1, q, 4) == q + 1 && !memcmp(q, "aabc", 5));
	CHECK(memmove(q, q + 1, 4) == q && !memcmp(q, "abc", 4));
	CHECK(memcmp(p, q, sizeof(p)) > 0);
	CHECK(memchr(q, 'c', 9) == q + 2 && !memchr(q, 'd', 3));
	CHECK(memrchr(q, 'a', 3) == q && rawmemchr(q, 0) == q + 3);
	CHECK(strlen(q) == 3 && strnlen(q, 2) == 2);
	CHECK(strcpy(p, q) == p && stpcpy(p, q) == p + 3);
	CHECK(strncpy(p, "ab", 5) == p && !memcmp(p, "ab\0\0\0", 5));
	CHECK(stpncpy(p, "ab", 5) == p + 2);
	CHECK(strcat(p, q) == p && strncat(p, q, 2) == p);
	CHECK(strcmp(p, "ababcab") == 0 && strncmp(p, "abx", 2) == 0);
	CHECK(strcmp(p, "abb") < 0 && strncmp(p, "abb", 3) < 0);
	CHECK(strchr(q, 'b') == q + 1 && !strchr(q, 'x') && strchr(q, 0));
	CHECK(strrchr(p, 'b') == p + 6 && strchrnul(q, 'x') == q + 3);
	CHECK(strstr(p, "bca") == p + 3 && !strstr(p, "bb"));
	return bad;
}

#if PART == 1

static unsigned at_resolver, at_constructor;

static int
yes(void)
{
	return 1;
}

static __attribute__((used)) int (*resolve(void))(void)
{
	at_resolver = wrong();
	return yes;
}

int early_function(void) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void
start(void)
{
	char p[40];

	at_constructor = wrong();
	if (snprintf(p, sizeof(p), "%d", 42) != 2 || strtol(p, NULL, 10) != 42)
		at_constructor |= 1u << 31;
}

unsigned
early_library(void)
{
	return at_resolver | at_constructor;
}

#elif PART == 2

static unsigned bad;
static volatile int inside;

static void
handle(int sig)
{
	char p[40];

	bad |= wrong();
	if (snprintf(p, sizeof(p), "%d", sig) < 0 || write(1, "h", 1) != 1)
		bad |= 1u << 30;
}

/* The first search: if it fails in here, a later one must succeed. */
static __attribute__((noinline)) void
disturb(const char *name)
{
	char p[40];

	signal(SIGUSR1, handle);
	bad |= wrong();
	snprintf(p, sizeof(p), "%s", name);
	raise(SIGUSR1);
}

/* By a jump, so that the real dlsym() sees the original caller. */
void *
dlsym(void *restrict handle_, const char *restrict name)
{
	static void *(*real)(void *, const char *);

	if (!real)
		real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	if (!inside++)
		disturb(name);
	return real(handle_, name);
}

__attribute__((destructor)) static void
end(void)
{
	if (bad)
		printf("dlsym: %x\n", bad);
}

#else

int early_function(void);
unsigned early_library(void);

static unsigned at_resolver;

static int
yes(void)
{
	return 1;
}

static __attribute__((used)) int (*resolve(void))(void)
{
	at_resolver = wrong();
	return yes;
}

int own_function(void) __attribute__((ifunc("resolve")));

int
main(void)
{
	if (dlerror())
		puts("dlerror has something to say");
	printf("%x %x %x %d\n", at_resolver, early_library(), wrong(),
	       own_function() + early_function());
	return 0;
}
#endif
