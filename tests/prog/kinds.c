/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N of one kind of thing that memmon keeps something for.
 *
 *	kinds threads N		threads, one after the other, of one name
 *	kinds names N		the same, each with a name of its own
 *	kinds crowd N		threads that all run at a time
 *	kinds forks N		children, one after the other, which exit
 *	kinds marks N		memmon_mark()
 *	kinds dumps N		memmon_dump()
 *	kinds checks N		memmon_leak_check()
 *	kinds types N		memmon_type(), each time of a new type
 *	kinds tables N		blocks that begin with addresses of different
 *				data, as objects of N classes do
 *	kinds lost N		blocks that nothing points to
 *	kinds stops N		memmon_stop() and memmon_start()
 *	kinds resets N		memmon_reset(), while a block is live
 *	kinds pools N		pools that divide a block, and hand out of it
 *	kinds ignores N		memmon_leak_ignore()
 *	kinds code N		pieces of code that the program makes, each of
 *				which calls malloc itself
 *	kinds modules FILE N	libraries: FILE by N names, each opened, its
 *				plug() called, and closed
 *
 * thing() makes a block of 32 bytes for each, in the new thread or process
 * itself if there is one; plug() makes one of 24, and so does the code.  The
 * blocks of `tables' and `lost' stay, all others are freed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMMON_WEAK
#include "monitor/memmon.h"

#define MOST 400000
static const char *data[MOST];
static const char **volatile object[MOST];
static pthread_barrier_t all;

static __attribute__((noinline)) void *
thing(void)
{
	void *p = malloc(32);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void *
thread(void *name)
{
	if (name)
		pthread_setname_np(pthread_self(), name);
	free(thing());
	return NULL;
}

static void
threads(unsigned n, int named)
{
	char name[16];
	pthread_t id;

	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "no. %u", i);
		if (pthread_create(&id, NULL, thread, named ? name : NULL))
			abort();
		pthread_join(id, NULL);
	}
}

static void *
one_of_all(void *arg)
{
	void *p = thing();

	pthread_barrier_wait(&all);
	free(p);
	return arg;
}

static void
crowd(unsigned n)
{
	pthread_t *id = calloc(n, sizeof(*id));

	pthread_barrier_init(&all, NULL, n);
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&id[i], NULL, one_of_all, NULL))
			abort();
	for (unsigned i = 0; i < n; i++)
		pthread_join(id[i], NULL);
	free(id);
}

static void
forks(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		pid_t pid = fork();

		free(thing());
		if (!pid)
			exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void
pool(char *block)
{
	memmon_pool_create(block);
	memmon_pool_add(block, block);
	memmon_pool_alloc(block, block + 16, 8);
	memmon_pool_destroy(block);
}

static void
blocks(unsigned n, const char *of)
{
	char name[32];

	for (unsigned i = 0; i < n; i++) {
		void *p = thing();

		snprintf(name, sizeof(name), "number %u", i);
		if (!strcmp(of, "marks"))
			memmon_mark(name);
		if (!strcmp(of, "dumps"))
			memmon_dump();
		if (!strcmp(of, "checks"))
			memmon_leak_check();
		if (!strcmp(of, "types"))
			memmon_type(p, name, 32);
		if (!strcmp(of, "resets"))
			memmon_reset();
		if (!strcmp(of, "ignores"))
			memmon_leak_ignore(p);
		if (!strcmp(of, "stops")) {
			memmon_stop();
			memmon_start();
		}
		if (!strcmp(of, "pools"))
			pool(p);
		free(p);
	}
}

static void
tables(unsigned n)
{
	for (unsigned i = 0; i < n && i < MOST; i++) {
		object[i] = thing();
		*object[i] = (const char *)&data[i];
	}
}

static void
lost(unsigned n)
{
	while (n-- > 0)
		*(void **)thing() = NULL;
}

static void
modules(unsigned n, const char *file)
{
	char name[40];

	for (unsigned i = 0; i < n; i++) {
		void *(*plug)(void), *h;

		snprintf(name, sizeof(name), "./number-%u.so", i);
		if (symlink(file, name) != 0 || !(h = dlopen(name, RTLD_NOW)))
			abort();
		plug = (void *(*)(void))dlsym(h, "plug");
		free(plug());
		dlclose(h);
		unlink(name);
	}
}

static void
code(unsigned n)
{
	static const unsigned char piece[] = {
		0x48, 0x83, 0xec, 8,	/* sub $8, %rsp */
		0xbf, 24, 0, 0, 0,	/* mov $24, %edi */
		0x48, 0xb8		/* mov $..., %rax */
	}, rest[] = {
		0xff, 0xd0,		/* call *%rax */
		0x48, 0x83, 0xc4, 8,	/* add $8, %rsp */
		0xc3			/* ret */
	};
	void *(*call)(size_t) = malloc;
	char *at = mmap(NULL, 32ul * n, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	for (; n-- > 0; at += 32) {
		memcpy(at, piece, sizeof(piece));
		memcpy(at + sizeof(piece), &call, 8);
		memcpy(at + sizeof(piece) + 8, rest, sizeof(rest));
		free(((void *(*)(void))at)());
	}
}

int
main(int argc, char **argv)
{
	const char *way = argc > 2 ? argv[1] : "";
	unsigned n = argc > 2 ? (unsigned)strtoul(argv[argc - 1], NULL, 10) : 0;

	if (!strcmp(way, "threads") || !strcmp(way, "names"))
		threads(n, way[0] == 'n');
	else if (!strcmp(way, "crowd"))
		crowd(n);
	else if (!strcmp(way, "forks"))
		forks(n);
	else if (!strcmp(way, "tables"))
		tables(n);
	else if (!strcmp(way, "lost"))
		lost(n);
	else if (!strcmp(way, "code"))
		code(n);
	else if (!strcmp(way, "modules") && argc > 3)
		modules(n, argv[2]);
	else
		blocks(n, way);
	return 0;
}
