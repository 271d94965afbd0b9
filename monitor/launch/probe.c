/* SPDX-License-Identifier: MIT */
/*
 * Finds out what an allocator does by calling it, like the pre-run of MemPerf,
 * "Collecting Allocator-Specific Information".
 */
#include "monitor/launch/probe.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CLASSES = 20000,      /* more aren't stored */
	ALL_CLASSES = 65536,  /* print all classes up to this, bytes */
	STRIDE_MAX = 4096,    /* measure distances up to this, bytes */
	RUNS_MAX = 1 << 20,   /* largest class in runs, bytes */
	MAPPED_MAX = 32 << 20, /* largest threshold, bytes */
};

static size_t class[CLASSES];
static int nclasses;
static size_t threshold;
static char text[8192];
static size_t length;

static __attribute__((format(printf, 1, 2))) void
add(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text + length, sizeof(text) - length, fmt, ap);
	va_end(ap);
	length += n > 0 ? (size_t)n : 0;
	if (length > sizeof(text))
		length = sizeof(text);
}

static size_t
distance(const void *a, const void *b)
{
	uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;

	return p > q ? p - q : q - p;
}

/* Are most blocks of successive sizes in the same page as the next block? */
static bool
is_sequential(void)
{
	int pairs = 0, near = 0;

	for (int turn = 0; turn < 4; turn++) {
		uintptr_t last = 0;

		for (size_t size = 16; size <= 512; size *= 2) {
			uintptr_t p = (uintptr_t)malloc(size);

			pairs += last != 0;
			near += last && last >> 12 == p >> 12;
			last = p;
		}
	}
	return near > pairs / 2;
}

/* --------------------------------------------------------------- classes -- */

/* Are malloc_usable_size() and malloc() of the same library? */
static bool
has_usable_size(void)
{
	Dl_info a, b;
	void *p = dlsym(RTLD_DEFAULT, "malloc");
	void *q = dlsym(RTLD_DEFAULT, "malloc_usable_size");

	return p && q && dladdr(p, &a) && dladdr(q, &b) &&
	       a.dli_fbase == b.dli_fbase;
}

/* The usable size of a request, the least of three: a left-over may be
 * larger. */
static size_t
usable_size(size_t size)
{
	size_t least = SIZE_MAX, n;
	void *p[3];

	for (int i = 0; i < 3; i++) {
		p[i] = malloc(size);
		n = malloc_usable_size(p[i]);
		least = n < least ? n : least;
	}
	for (int i = 0; i < 3; i++)
		free(p[i]);
	return least;
}

/* The least distance between blocks of a size, of four. */
static size_t
stride(size_t size)
{
	size_t least = SIZE_MAX, n;
	void *p[4];

	for (int i = 0; i < 4; i++) {
		p[i] = malloc(size);
		n = i ? distance(p[i], p[i - 1]) : SIZE_MAX;
		least = n < least ? n : least;
	}
	for (int i = 0; i < 4; i++)
		free(p[i]);
	return least;
}

/* The classes up to `max' bytes, and the next one. */
static void
find_classes(size_t max)
{
	for (size_t s = 1; s <= max && nclasses < CLASSES; s++) {
		class[nclasses] = usable_size(s);
		if (class[nclasses] < s)
			return;
		s = class[nclasses++];
	}
}

/* For allocators without usable sizes: the largest size of each stride. */
static void
find_strides(void)
{
	size_t last = stride(8), now;

	for (size_t s = 16; s <= STRIDE_MAX; s += 8, last = now) {
		now = stride(s);
		if (now != last)
			class[nclasses++] = s - 8;
	}
}

/* ------------------------------------------------------------- threshold -- */

/* Bytes in mappings, except the heap of brk(2); 0: unknown. */
static size_t
mapped(void)
{
	static size_t first;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char line[128] = "";
	size_t brk = (size_t)syscall(SYS_brk, 0L), n = 0;

	if (fd >= 0 && read(fd, line, sizeof(line) - 1) > 0)
		n = strtoul(line, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
	if (fd >= 0)
		close(fd);
	first = first ? first : brk;
	return n ? n - (brk - first) : 0;
}

/* Does each request of that size get a new mapping, after left-over memory is
 * used up? */
static bool
is_mapped(size_t size)
{
	enum { TURNS = 6, LEFT = 2 };
	static void *volatile kept; /* the last one */

	for (int i = 0; i < TURNS; i++) {
		size_t before = mapped();

		kept = malloc(size);
		if (!kept || !before || (i >= LEFT && mapped() < before + size))
			return false;
	}
	return true;
}

static void
find_mapped(void)
{
	size_t low, high = 1024;
	void *volatile larger; /* volatile, so that gcc keeps the call */

	while (high <= MAPPED_MAX && !is_mapped(high))
		high *= 2;
	if (high > MAPPED_MAX)
		return;
	for (low = high / 2; high - low > 1;) {
		size_t middle = low + (high - low) / 2;

		if (is_mapped(middle))
			high = middle;
		else
			low = middle;
	}
	threshold = high;
	add(" threshold=%zu threshold-by=mmap", threshold);
	larger = malloc(2 * threshold);
	free(larger);
	if (!is_mapped(threshold))
		add(" rises=1");
}

/*
 * Allocates blocks of a class and of the next in turns.  Are blocks of the
 * class adjacent, more often than by chance?
 */
static bool
in_runs(int i)
{
	enum { TURNS = 9 };
	void *p[TURNS], *q[TURNS];
	int near = 0;

	for (int t = 0; t < TURNS; t++) {
		p[t] = malloc(class[i]);
		q[t] = malloc(class[i + 1]);
		near += t && distance(p[t], p[t - 1]) == class[i];
	}
	for (int t = 0; t < TURNS; t++) {
		free(p[t]);
		free(q[t]);
	}
	return near > 1;
}

static void
find_runs(void)
{
	int last = -1;

	for (int i = 0; i < nclasses - 1; i++)
		if (in_runs(i))
			last = i;
	if (last < 0 || last == nclasses - 2) {
		find_mapped();
		return;
	}
	threshold = class[last] + 1;
	add(" threshold=%zu threshold-by=runs", threshold);
}

/* ----------------------------------------------------------------- cache -- */

enum { FREED = 4, ASKED = 64, ASKED_AGAIN = 4096, SIZE = 720 };

static void *freed[FREED];
static sem_t ask, answered;

/* Does one of n new blocks have the address of a freed one? */
static bool
comes_back(int n)
{
	for (; n > 0; n--) {
		void *p = malloc(SIZE);

		for (int i = 0; i < FREED; i++)
			if (p == freed[i])
				return true;
	}
	return false;
}

static void *
other_thread(void *result)
{
	free(malloc(SIZE));
	sem_wait(&ask);
	*(bool *)result = comes_back(ASKED);
	sem_post(&answered);
	return NULL;
}

static void
find_cache(void)
{
	bool elsewhere = false;
	pthread_t thread;

	sem_init(&ask, 0, 0);
	sem_init(&answered, 0, 0);
	if (pthread_create(&thread, NULL, other_thread, &elsewhere) != 0)
		return;
	for (int i = 0; i < FREED; i++)
		freed[i] = malloc(SIZE);
	for (int i = 0; i < FREED; i++)
		free(freed[i]);
	sem_post(&ask);
	sem_wait(&answered);
	if (elsewhere)
		add(" cache=shared");
	else if (comes_back(ASKED_AGAIN))
		add(" cache=thread");
}

/* ------------------------------------------------------------------ text -- */

/* Is the distance to the next class the same as between the two before? */
static bool
goes_on(int i, int n)
{
	size_t step = i > 1 && i < n - 1 ? class[i + 1] - class[i] : 0;

	return step && class[i] - class[i - 1] == step &&
	       class[i - 1] - class[i - 2] == step;
}

static void
add_classes(void)
{
	size_t max = threshold > ALL_CLASSES ? threshold - 1 : ALL_CLASSES;
	int n = 0;

	while (n < nclasses && (!n || class[n - 1] < max))
		n++;
	for (int i = 0; i < n; i++)
		if (!goes_on(i, n))
			add("%s%zu", i ? "," : " classes=", class[i]);
		else if (!goes_on(i - 1, n))
			add(",..");
	add("\n");
}

int
probe_run(void)
{
	bool sequential = is_sequential(), usable = has_usable_size();

	add("style=%s", sequential ? "sequential" : "runs");
	if (sequential)
		find_mapped();
	if (!usable)
		find_strides();
	else if (sequential)
		find_classes(threshold > ALL_CLASSES ? threshold - 1
						     : ALL_CLASSES);
	else
		find_classes(RUNS_MAX);
	if (!sequential)
		find_runs();
	find_cache();
	add_classes();
	return length < sizeof(text) &&
			       write(PROBE_FD, text, length) == (ssize_t)length
		       ? 0
		       : 1;
}
