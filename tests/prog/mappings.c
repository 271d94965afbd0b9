/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mappings HOW [now]: 1000 blocks of 64 bytes, unless `now'.  Then the process
 * can have no more mappings: all are used up (maps), or all the memory that it
 * may have (space).  100,000 blocks of 100 bytes from 4096 paths follow.  After
 * that: 1000 blocks of 48 bytes by main, and 1000 by a thread.  In all 2000 or
 * 3000 and 100,000, and what the libc needs for the thread.  Prints how many of
 * all succeeded.  Status 77: the limit can't be reached.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define PAGES 140000ul

static unsigned had;
static char *map;
static size_t page;
static struct rlimit was;

static void
block(size_t size)
{
	void *volatile p = malloc(size);

	had += p != NULL;
	free(p);
}

static __attribute__((noinline)) void
path(unsigned turns, unsigned left)
{
	volatile char here = 0;

	if (!left)
		block(100);
	else if (turns & 1)
		path(turns >> 1, left - 1);
	else
		path(turns >> 1, left - 1);
	here++;
}

static void *
later(void *arg)
{
	for (int i = 0; i < 1000; i++)
		block(48);
	return arg;
}

static void
no_more_maps(void)
{
	size_t i;

	map = mmap(NULL, PAGES * page, PROT_NONE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		exit(77);
	for (i = 0; i < PAGES; i += 2)
		if (mprotect(map + i * page, page, PROT_READ | PROT_WRITE))
			break;
	if (i >= PAGES)
		exit(77);
}

/* The process may have no more memory than now. */
static void
no_more_space(void)
{
	struct rlimit r;
	unsigned long n = 0;
	FILE *f;
	char buf[64];

	f = fopen("/proc/self/statm", "r");
	if (!f || !fgets(buf, sizeof(buf), f))
		exit(77);
	n = strtoul(buf, NULL, 10);
	fclose(f);
	getrlimit(RLIMIT_AS, &was);
	r = was;
	r.rlim_cur = n * page;
	if (setrlimit(RLIMIT_AS, &r))
		exit(77);
}

int
main(int argc, char **argv)
{
	int space = argc > 1 && !strcmp(argv[1], "space");
	pthread_t t;

	page = (size_t)sysconf(_SC_PAGESIZE);
	for (int i = 0; argc < 3 && i < 1000; i++)
		block(64);
	if (space)
		no_more_space();
	else
		no_more_maps();
	for (unsigned i = 0; i < 100000; i++)
		path(i, 12);
	if (space)
		setrlimit(RLIMIT_AS, &was);
	else
		munmap(map, PAGES * page);
	usleep(50000);
	later(NULL);
	if (pthread_create(&t, NULL, later, NULL) == 0)
		pthread_join(t, NULL);
	printf("%u\n", had);
	return 0;
}
