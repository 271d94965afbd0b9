/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that /proc/self/maps describes wrongly, or that a fork leaves out; the
 * argument says how.  It has a pointer to a block of 1000 bytes; one of 2000
 * bytes is lost: always 1 block lost and 1 reachable.  "packed" and "tagged"
 * have 80 blocks of 100 bytes more: 7 of 8, or all, are found only by other
 * forms of pointers.  77: the kernel hasn't such memory.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#define GUARD_INSTALL 102

enum { SIZE = 1 << 20, PAGE = 4096 };

extern long memmon_leak_check(void) __attribute__((weak));

static char *m;
static int fd = -1;
static struct __attribute__((packed)) {
	char tag;
	void *p;
} table[80];
static uintptr_t tagged[80];
static int idling; /* threads */

static void *
idle(void *arg)
{
	__atomic_fetch_add(&idling, 1, __ATOMIC_SEQ_CST);
	pause();
	return arg;
}

/* Until n threads are at it. */
static void
await_idle(int n)
{
	while (__atomic_load_n(&idling, __ATOMIC_SEQ_CST) < n)
		usleep(1000);
}

static char *
map(size_t size, int flags, int fd)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (p == MAP_FAILED)
		exit(77);
	return p;
}

static void
need(int failed)
{
	if (failed)
		exit(77);
}

static char *
new_memory(const char *how)
{
	void *p;

	if (!strcmp(how, "secret"))
		fd = (int)syscall(447 /* memfd_secret */, 0);
	else if (!strcmp(how, "truncated"))
		fd = (int)syscall(SYS_memfd_create, "m", 0);
	else if (!strncmp(how, "block", 5))
		return posix_memalign(&p, PAGE, 16384) ? NULL : p;
	else if (!strcmp(how, "sparse"))
		return map((size_t)1 << 40,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	else
		return map(SIZE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	need(fd < 0 || ftruncate(fd, SIZE));
	return map(SIZE, MAP_SHARED, fd);
}

static void
register_waits(uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };
	struct uffdio_register r = { .range = { (uintptr_t)m, SIZE },
				     .mode = UFFDIO_REGISTER_MODE_MISSING };
	int u = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	need(u < 0 || ioctl(u, UFFDIO_API, &api) ||
	     ioctl(u, UFFDIO_REGISTER, &r));
}

static void
on_stack(void)
{
	pthread_attr_t a;
	pthread_t t;

	pthread_attr_init(&a);
	pthread_attr_setstack(&a, m, SIZE);
	need(pthread_create(&t, &a, idle, NULL));
	await_idle(1);
}

/* Stacks as a libc of 2025 makes them, on Linux 6.13: no mapping is a guard. */
static void *
guarded_thread(void *arg)
{
	pthread_attr_t a;
	void *base;
	size_t size, guard;

	pthread_getattr_np(pthread_self(), &a);
	pthread_attr_getstack(&a, &base, &size);
	pthread_attr_getguardsize(&a, &guard);
	base = (char *)base - guard;
	need(mprotect(base, guard, PROT_READ | PROT_WRITE) ||
	     madvise(base, guard, GUARD_INSTALL));
	return idle(arg);
}

static void
change(const char *how)
{
	const struct rlimit none = { 0, 0 };
	pthread_t t;

	if (!strncmp(how, "guard", 5) || !strcmp(how, "block-guard"))
		need(madvise(m, PAGE, GUARD_INSTALL));
	if (!strcmp(how, "guard-stack"))
		on_stack();
	if (!strcmp(how, "threads")) {
		for (int i = 0; i < 50; i++)
			need(pthread_create(&t, NULL, guarded_thread, NULL));
		await_idle(50);
	}
	if (!strcmp(how, "truncated"))
		need(ftruncate(fd, 4 * PAGE));
	if (!strcmp(how, "keyed")) {
		int key = pkey_alloc(0, 0);

		need(key < 0 ||
		     pkey_mprotect(m, SIZE, PROT_READ | PROT_WRITE, key) ||
		     pkey_set(key, PKEY_DISABLE_ACCESS));
	}
	if (!strcmp(how, "protected") || !strcmp(how, "block-protected"))
		need(mprotect(m, *how == 'b' ? 16384 : SIZE, PROT_NONE));
	if (!strcmp(how, "dontfork") || !strcmp(how, "block-dontfork"))
		need(madvise(m, *how == 'b' ? 16384 : SIZE, MADV_DONTFORK));
	if (!strcmp(how, "wiped"))
		need(madvise(m, SIZE, MADV_WIPEONFORK));
	if (!strcmp(how, "waits"))
		register_waits(0);
	if (!strcmp(how, "waits-fork"))
		register_waits(UFFD_FEATURE_EVENT_FORK);
	if (!strcmp(how, "no-fork"))
		need(setrlimit(RLIMIT_NPROC, &none));
}

static void
forms(const char *how)
{
	for (size_t i = 0; i < 80; i++)
		if (!strcmp(how, "packed"))
			table[i].p = malloc(100);
		else if (!strcmp(how, "tagged"))
			tagged[i] = (uintptr_t)malloc(100) | 0xabull << 56;
}

static __attribute__((noinline)) void
lose(void)
{
	void *volatile p = malloc(2000);

	(void)p;
}

/* Leave no pointers of earlier functions on the stack. */
static __attribute__((noinline)) void
wipe(void)
{
	volatile char a[8192];

	for (size_t i = 0; i < sizeof a; i++)
		a[i] = 0;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	/* No pointer left on the stack leads to them. */
	m = new_memory(how);
	if (!strcmp(how, "sparse"))
		m += (size_t)1 << 39;
	*(void **)(m + 2 * PAGE) = malloc(1000);
	change(how);
	forms(how);
	lose();
	wipe();
	if (argc > 2 && !strcmp(argv[2], "call") && memmon_leak_check)
		printf("%ld\n", memmon_leak_check());
	if (argc > 2 && !strcmp(argv[2], "wait")) {
		fflush(stdout);
		puts("ready");
		fflush(stdout);
		pause();
	}
	if (argc > 2 && atoi(argv[2]))
		raise(atoi(argv[2]));
	if (argc > 2 && !strcmp(argv[2], "raw"))
		syscall(SYS_exit_group, 0);
	return 0;
}
