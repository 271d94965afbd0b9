/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that maps most of its memory by itself, in every possible way, and
 * keeps its own account: a line "name calls bytes live resident ended" for each
 * function; resident is the number that /proc/self/pagemap has for these
 * addresses.
 *
 *	arenas [account]	account: prints it
 *	arenas threads		four threads map and unmap 2,000 times each
 *	arenas forks		a child maps, too
 *	arenas wait		prints "ready", waits for a file "go", and maps
 *				once more
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))
#define MB ((size_t)1 << 20)

struct account {
	const char *name;
	size_t calls, bytes, live, resident, ended;
};

/* Bytes of [p, p + n) in memory. */
static size_t
kernel_says(void *p, size_t n)
{
	size_t pages = 0;
	uint64_t entry;
	int fd = open("/proc/self/pagemap", O_RDONLY);

	for (size_t at = (size_t)p; at < (size_t)p + n; at += 4096)
		if (pread(fd, &entry, sizeof(entry), (off_t)(at / 4096 * 8)) ==
		    (ssize_t)sizeof(entry))
			pages += entry >> 63;
	close(fd);
	return pages * 4096;
}

/* An arena: each step is a mapping of its own, and half of it is touched. */
static KEEP void *
arena_grow(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	memset(p, 1, n / 2);
	return p;
}

static void
say(const struct account *a)
{
	printf("%s %zu %zu %zu %zu %zu\n", a->name, a->calls, a->bytes, a->live,
	       a->resident, a->ended);
}

static KEEP void
arenas(int account)
{
	struct account a = { .name = "arena_grow" };
	char *p[10];

	for (int i = 0; i < 10; i++)
		p[i] = arena_grow(4 * MB);
	/* All of one, and the middle of another. */
	munmap(p[3], 4 * MB);
	munmap(p[5] + MB, 2 * MB);
	a.calls = 10;
	a.bytes = 40 * MB;
	a.live = 34 * MB;
	a.ended = 1;
	for (int i = 0; i < 10; i++)
		a.resident += i == 3 ? 0 : kernel_says(p[i], 4 * MB);
	if (account)
		say(&a);
}

/* Grows to four times its size, and may move. */
static KEEP void
table_grow(int account)
{
	struct account a = { "table_grow", 1, 16 * MB, 16 * MB, 0, 0 };
	char *p = mmap(NULL, 4 * MB, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 1, 4 * MB);
	p = mremap(p, 4 * MB, 16 * MB, MREMAP_MAYMOVE);
	if (p == MAP_FAILED)
		exit(2);
	a.resident = kernel_says(p, 16 * MB);
	if (account)
		say(&a);
}

static KEEP void
shared_cache(int account)
{
	struct account a = { "shared_cache", 1, 3 * MB, 3 * MB, MB, 0 };
	int id = shmget(IPC_PRIVATE, 3 * MB, IPC_CREAT | 0600);
	char *p = id < 0 ? NULL : shmat(id, NULL, 0);

	if (!p || p == (char *)-1) {
		p = mmap(NULL, 3 * MB, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			exit(2);
	}
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	memset(p, 1, MB);
	if (account)
		say(&a);
}

static KEEP void
break_grow(int account)
{
	struct account a = { "break_grow", 2, 3 * MB, 2 * MB, 2 * MB, 0 };
	char *p = sbrk((intptr_t)(2 * MB));

	if (p == (char *)-1)
		exit(2);
	memset(p, 1, 2 * MB);
	sbrk((intptr_t)MB);
	sbrk(-(intptr_t)MB);
	a.ended = 1;
	if (account)
		say(&a);
}

static KEEP void *
churn(void *arg)
{
	for (size_t i = 0; i < 2000; i++) {
		size_t n = (1 + i % 5) << 12;
		void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || munmap(p, n))
			exit(2);
	}
	return arg;
}

static void
threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, churn, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int account = !strcmp(mode, "account");

	if (!strcmp(mode, "threads")) {
		threads();
		return 0;
	}
	break_grow(account);
	arenas(account);
	table_grow(account);
	shared_cache(account);
	if (!strcmp(mode, "forks")) {
		pid_t child = fork();

		if (child == 0) {
			arena_grow(2 * MB);
			return 0;
		}
		waitpid(child, NULL, 0);
	}
	if (!strcmp(mode, "wait")) {
		puts("ready");
		fflush(stdout);
		while (access("go", F_OK) != 0)
			usleep(2000);
		arena_grow(2 * MB);
	}
	return 0;
}
