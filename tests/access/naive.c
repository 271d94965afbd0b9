/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second recorder of accesses, to compare memmon's with: slow, simple, and
 * without any code of memmon's.  It is linked into a program that was compiled,
 * not linked, with -fsanitize=thread.  It has the functions that the compiler
 * calls at each access, the allocator's, and the string functions as loops.
 * There is one lock; every allocation, free and access goes into one log.  At
 * exit it computes the figures from the log (naive_sums.c) and writes them to
 * $NAIVE_OUT, in children of fork to $NAIVE_OUT.PID.
 *
 * The program is compiled with frame pointers.  Blocks that libraries allocate
 * have a call path without frames.
 */
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/access/naive.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
extern char __executable_start[], etext[];

struct naive_event *naive_events;
size_t naive_nevents, naive_nchains;
struct naive_chain *naive_chains;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready, over, child;
static uint64_t start;
static uint16_t threads;
static __thread uint16_t me;

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void *
naive_room(size_t size)
{
	static char *next, *end;
	size_t chunk = (size_t)16 << 30;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (size > (size_t)(end - next)) {
		if (size > chunk)
			chunk = size;
		p = mmap(NULL, chunk, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			abort();
		next = p;
		end = next + chunk;
	}
	p = next;
	next += size;
	return p;
}

static void
forking(void)
{
	pthread_mutex_lock(&lock);
}

static void
forked(void)
{
	pthread_mutex_unlock(&lock);
}

/* A child counts from the fork on; its parent's blocks aren't its own. */
static void
forked_child(void)
{
	naive_nevents = 0;
	start = now();
	child = true;
	pthread_mutex_unlock(&lock);
}

static void
begin(void)
{
	if (ready)
		return;
	naive_events = naive_room(NAIVE_EVENTS * sizeof(*naive_events));
	naive_chains = naive_room(NAIVE_CHAINS * sizeof(*naive_chains));
	naive_nchains = 1; /* without frames */
	start = now();
	ready = true;
}

__attribute__((constructor)) static void
begin_early(void)
{
	begin();
	pthread_atfork(forking, forked, forked_child);
}

static int
first_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uintptr_t *)bias = info->dlpi_addr;
	return 1;
}

__attribute__((destructor)) static void
finish(void)
{
	const char *name = getenv("NAIVE_OUT");
	uintptr_t bias = 0;
	char path[4096];
	FILE *f;

	pthread_mutex_lock(&lock);
	over = true;
	pthread_mutex_unlock(&lock);
	if (!name)
		return;
	snprintf(path, sizeof(path), child ? "%s.%d" : "%s", name,
		 (int)getpid());
	f = fopen(path, "w");
	if (!f)
		abort();
	dl_iterate_phdr(first_bias, &bias);
	naive_print(f, now() - start, bias);
	if (fclose(f))
		abort();
}

/* ------------------------------------------------------------- the log -- */

static bool
of_program(uintptr_t pc)
{
	return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

/* memcmp is one of the functions below. */
static bool
same_chain(const struct naive_chain *a, const struct naive_chain *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (a->pc[i] != b->pc[i])
			return false;
	return a->n == b->n;
}

/* The call path from the hook's frame on.  Call it with the lock. */
static uint32_t
chain_of(const uintptr_t *frame)
{
	struct naive_chain *c = &naive_chains[naive_nchains];
	size_t i;

	for (c->n = 0; c->n < NAIVE_DEPTH && of_program(frame[1]); c->n++) {
		c->pc[c->n] = frame[1];
		frame = (const uintptr_t *)frame[0];
	}
	for (i = 0; i < naive_nchains; i++)
		if (same_chain(&naive_chains[i], c))
			return (uint32_t)i;
	if (++naive_nchains == NAIVE_CHAINS)
		abort();
	return (uint32_t)i;
}

/* Call it with the lock. */
static struct naive_event *
event(enum naive_kind kind, const void *p, size_t size)
{
	struct naive_event *e;

	if (naive_nevents == NAIVE_EVENTS)
		abort();
	if (!me)
		me = ++threads;
	e = &naive_events[naive_nevents++];
	*e = (struct naive_event){ .at = now() - start,
				   .p = (uintptr_t)p,
				   .size = size,
				   .thread = me,
				   .kind = kind };
	return e;
}

void
naive_access(enum naive_kind kind, const void *p, size_t size)
{
	if (!size)
		return;
	pthread_mutex_lock(&lock);
	if (!over)
		event(kind, p, size);
	pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------------- the allocator -- */

#define FRAME ((const uintptr_t *)__builtin_frame_address(0))

static void *
made(void *p, size_t size, const uintptr_t *frame)
{
	int saved = errno;

	pthread_mutex_lock(&lock);
	begin();
	if (p && !over)
		event(NAIVE_ALLOC, p, size)->chain = chain_of(frame);
	pthread_mutex_unlock(&lock);
	errno = saved;
	return p;
}

void *
malloc(size_t size)
{
	return made(__libc_malloc(size), size, FRAME);
}

void *
calloc(size_t n, size_t size)
{
	return made(__libc_calloc(n, size), n * size, FRAME);
}

void *
memalign(size_t align, size_t size)
{
	return made(__libc_memalign(align, size), size, FRAME);
}

void *
aligned_alloc(size_t align, size_t size)
{
	return made(__libc_memalign(align, size), size, FRAME);
}

int
posix_memalign(void **p, size_t align, size_t size)
{
	void *made_at = made(__libc_memalign(align, size), size, FRAME);

	if (!made_at)
		return ENOMEM;
	*p = made_at;
	return 0;
}

/* Under the lock: no thread may get the old place before the log says so. */
static void *
resized(void *old, size_t size, const uintptr_t *frame)
{
	struct naive_event *e;
	void *p;

	if (!old)
		return made(__libc_malloc(size), size, frame);
	pthread_mutex_lock(&lock);
	if (!size && !over)
		event(NAIVE_FREE, old, 0);
	p = __libc_realloc(old, size);
	if (p && !over) {
		e = event(NAIVE_ALLOC, p, size);
		e->old = (uintptr_t)old;
		e->chain = chain_of(frame);
	}
	pthread_mutex_unlock(&lock);
	return p;
}

void *
realloc(void *old, size_t size)
{
	return resized(old, size, FRAME);
}

void *
reallocarray(void *old, size_t n, size_t size)
{
	return resized(old, n * size, FRAME);
}

void
free(void *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&lock);
	if (!over)
		event(NAIVE_FREE, p, 0);
	pthread_mutex_unlock(&lock);
	__libc_free(p);
}

/* ------------------------------------------------ the string functions -- */

void *
memmove(void *to, const void *from, size_t n)
{
	volatile char *t = to;
	const char *f = from;
	size_t i;

	naive_access(NAIVE_READ, from, n);
	naive_access(NAIVE_WRITE, to, n);
	if ((uintptr_t)t - (uintptr_t)f >= n)
		for (i = 0; i < n; i++)
			t[i] = f[i];
	else
		for (i = n; i-- > 0;)
			t[i] = f[i];
	return to;
}

void *
memcpy(void *to, const void *from, size_t n)
{
	return memmove(to, from, n);
}

void *
memset(void *to, int c, size_t n)
{
	volatile char *t = to;
	size_t i;

	naive_access(NAIVE_WRITE, to, n);
	for (i = 0; i < n; i++)
		t[i] = (char)c;
	return to;
}

static size_t
length(const char *s)
{
	const volatile char *p = s;
	size_t n = 0;

	while (p[n])
		n++;
	return n;
}

size_t
strlen(const char *s)
{
	size_t n = length(s);

	naive_access(NAIVE_READ, s, n + 1);
	return n;
}

char *
strcpy(char *to, const char *from)
{
	return memmove(to, from, length(from) + 1);
}

char *
strcat(char *to, const char *from)
{
	size_t n = length(to);

	naive_access(NAIVE_READ, to, n + 1);
	memmove(to + n, from, length(from) + 1);
	return to;
}

int
memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;
	size_t i = 0;

	while (i < n && p[i] == q[i])
		i++;
	naive_access(NAIVE_READ, a, n);
	naive_access(NAIVE_READ, b, n);
	return i < n ? p[i] - q[i] : 0;
}

int
strcmp(const char *a, const char *b)
{
	const unsigned char *p = (const void *)a, *q = (const void *)b;
	size_t i = 0;

	while (p[i] && p[i] == q[i])
		i++;
	naive_access(NAIVE_READ, a, i + 1);
	naive_access(NAIVE_READ, b, i + 1);
	return p[i] - q[i];
}
