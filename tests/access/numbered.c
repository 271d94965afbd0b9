/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded, before libmemmon-access: gives each allocation its own call path,
 * whose innermost frames are the digits of its number, so that the data file
 * accounts for each block.  With $NUMBERED_LOG it also logs when blocks are
 * made and freed, and the accesses of memcpy and its like: see numbered.h.
 *
 * For all other functions that libmemmon-access replaces, it jumps directly to
 * libc's own, so that only the program's own code is counted (numbered_past.S,
 * made of ../../monitor/wrap/exports.list).
 *
 * For programs with one thread.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/access/numbered.h"

#define LOG_RECORDS (1ul << 24)

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static struct numbered_log *log_;
static uint64_t logged, numbered;
static bool started;

static void
note(enum numbered_kind kind, const void *p, size_t size, const void *old,
     uint64_t code)
{
	struct numbered_record *r;

	if (!log_ || logged == log_->room)
		return;
	r = &log_->record[logged++];
	r->kind = kind;
	r->p = (uintptr_t)p;
	r->size = size;
	r->old = (uintptr_t)old;
	r->code = code;
	*(volatile uint64_t *)&log_->bell = logged;
}

/* ------------------------------------------------------ what comes next -- */

static struct {
	void *(*malloc)(size_t), *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t), *(*memalign)(size_t, size_t);
	void (*free)(void *);
	void *(*memcpy)(void *, const void *, size_t);
	void *(*memmove)(void *, const void *, size_t);
	void *(*memset)(void *, int, size_t);
} next;

/* For allocations by the loader and libc before next is known. */
static char early[1 << 16] __attribute__((aligned(16)));
static size_t early_used;

static void *
early_make(size_t size)
{
	void *p = early + early_used;

	early_used += (size + 31) & ~(size_t)15;
	if (early_used > sizeof(early))
		_exit(124);
	return p;
}

static bool
is_early(const void *p)
{
	return (const char *)p >= early &&
	       (const char *)p < early + sizeof(early);
}

static void *libc;

static bool
ready(void)
{
	static bool looking;

	if (next.free)
		return true;
	if (looking)
		return false;
	looking = true;
	/* dlopen() allocates. */
	libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
#define FIND(f) *(void **)&next.f = dlsym(RTLD_NEXT, #f)
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(memalign);
	FIND(memcpy);
	FIND(memmove);
	FIND(memset);
	FIND(free);
	return true;
}

/* libc's own function of a name, for numbered_past.S. */
void *numbered_find(const char *name) __attribute__((visibility("hidden")));
void *
numbered_find(const char *name)
{
	void *f;

	ready();
	f = libc ? dlsym(libc, name) : NULL;
	if (!f)
		_exit(124);
	return f;
}

/* ---------------------------------------------------------- the numbers -- */

struct request {
	uint64_t code;
	int level;
	size_t size, n, align;
	void *old;
	void *(*make)(const struct request *);
};

static void *(*const digits[NUMBERED_RADIX])(struct request *);

static inline __attribute__((always_inline)) void *
descend(struct request *q)
{
	uint64_t digit;

	if (q->level == 0)
		return q->make(q);
	q->level--;
	digit = q->code >> q->level * NUMBERED_BITS & (NUMBERED_RADIX - 1);
	return digits[digit](q);
}

#define DIGIT(n) \
	static __attribute__((noinline)) void *digit_##n(struct request *q) \
	{ \
		void *p = descend(q); \
\
		__asm__ volatile("" : : "i"(0##n) : "memory"); \
		return p; \
	}
#define NAME(n) digit_##n,
#define EIGHT(f, n) \
	f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7)
#define ALL(f) \
	EIGHT(f, 0) \
	EIGHT(f, 1) \
	EIGHT(f, 2) \
	EIGHT(f, 3) \
	EIGHT(f, 4) \
	EIGHT(f, 5) \
	EIGHT(f, 6) \
	EIGHT(f, 7)
ALL(DIGIT)

static void *(*const digits[NUMBERED_RADIX])(struct request *) = { ALL(NAME) };

static __attribute__((noinline)) void *
make(struct request *q)
{
	uint64_t code = started ? 1 + numbered++ % (NUMBERED_CODES - 1)
				: NUMBERED_EARLY;
	void *p;

	q->code = code;
	q->level = NUMBERED_DIGITS;
	p = descend(q);
	if (p)
		note(NUMBERED_MADE, p, q->size * q->n, q->old, code);
	return p;
}

static void *
make_malloc(const struct request *q)
{
	return next.malloc(q->size);
}

static void *
make_calloc(const struct request *q)
{
	return next.calloc(q->n, q->size);
}

static void *
make_realloc(const struct request *q)
{
	return next.realloc(q->old, q->size);
}

static void *
make_memalign(const struct request *q)
{
	return next.memalign(q->align, q->size);
}

void *
malloc(size_t size)
{
	struct request q = { .size = size, .n = 1, .make = make_malloc };

	return ready() ? make(&q) : early_make(size);
}

void *
calloc(size_t n, size_t size)
{
	struct request q = { .size = size, .n = n, .make = make_calloc };

	return ready() ? make(&q) : early_make(n * size);
}

void
free(void *p)
{
	if (!p || is_early(p) || !ready())
		return;
	note(NUMBERED_FREED, p, 0, NULL, 0);
	next.free(p);
}

void *
realloc(void *p, size_t size)
{
	struct request q = {
		.size = size, .n = 1, .old = p, .make = make_realloc
	};

	if (!p)
		return malloc(size);
	if (is_early(p)) {
		void *to = malloc(size);

		return to ? next.memcpy(to, p, size) : NULL;
	}
	if (!size)
		note(NUMBERED_FREED, p, 0, NULL, 0);
	return make(&q);
}

void *
reallocarray(void *p, size_t n, size_t size)
{
	return realloc(p, n * size);
}

void *
memalign(size_t align, size_t size)
{
	struct request q = {
		.size = size, .n = 1, .align = align, .make = make_memalign
	};

	return ready() ? make(&q) : early_make(size);
}

void *
aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int
posix_memalign(void **p, size_t align, size_t size)
{
	*p = memalign(align, size);
	return 0;
}

/* operator new and delete, of each kind. */
#define NEW(name) \
	void *name(size_t size); \
	void *name(size_t size) \
	{ \
		return malloc(size); \
	}
#define NEW_ALIGNED(name) \
	void *name(size_t size, size_t align); \
	void *name(size_t size, size_t align) \
	{ \
		return memalign(align, size); \
	}
#define DELETE(name) \
	void name(void *p); \
	void name(void *p) \
	{ \
		free(p); \
	}
NEW(_Znwm)
NEW(_Znam)
NEW(_ZnwmRKSt9nothrow_t)
NEW(_ZnamRKSt9nothrow_t)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
NEW_ALIGNED(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW_ALIGNED(_ZnamSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvRKSt9nothrow_t)
DELETE(_ZdaPvRKSt9nothrow_t)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t)

/* ------------------------------------------------------- what is copied -- */

/* The functions of libc whose accesses follow from their arguments. */
static void *
copied(void *(*copy)(void *, const void *, size_t), void *to, const void *from,
       size_t n)
{
	note(NUMBERED_READ, from, n, NULL, 0);
	note(NUMBERED_WRITE, to, n, NULL, 0);
	return copy(to, from, n);
}

static void *
set(void *to, int c, size_t n)
{
	ready();
	note(NUMBERED_WRITE, to, n, NULL, 0);
	return next.memset(to, c, n);
}

void *
memcpy(void *to, const void *from, size_t n)
{
	ready();
	return copied(next.memcpy, to, from, n);
}

void *
memmove(void *to, const void *from, size_t n)
{
	ready();
	return copied(next.memmove, to, from, n);
}

void *
memset(void *to, int c, size_t n)
{
	return set(to, c, n);
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *
__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	(void)room;
	return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
void *
__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	(void)room;
	return memmove(to, from, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t room);
void *
__memset_chk(void *to, int c, size_t n, size_t room)
{
	(void)room;
	return set(to, c, n);
}

void *mempcpy(void *to, const void *from, size_t n);
void *
mempcpy(void *to, const void *from, size_t n)
{
	return (char *)memcpy(to, from, n) + n;
}

/* ------------------------------------------------------------ the start -- */

static int
first_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct numbered_log *l = arg;

	(void)size;
	l->bias = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    info->dlpi_phdr[i].p_flags & PF_X) {
			l->text[0][0] = l->bias + info->dlpi_phdr[i].p_vaddr;
			l->text[0][1] =
				l->text[0][0] + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

/* The atomic functions of libmemmon-access: start and end. */
static uint64_t atomics[2];

static void
find_atomics(void)
{
	static const char *const names[] = {
		"load",
		"store",
		"exchange",
		"fetch_add",
		"fetch_sub",
		"fetch_and",
		"fetch_or",
		"fetch_xor",
		"fetch_nand",
		"compare_exchange_strong",
		"compare_exchange_weak",
		"compare_exchange_val",
	};
	char name[64];
	ElfW(Sym) *symbol;
	Dl_info info;

	atomics[0] = UINT64_MAX;
	for (size_t i = 0; i < 5 * sizeof(names) / sizeof(*names); i++) {
		snprintf(name, sizeof(name), "__tsan_atomic%d_%s", 8 << i % 5,
			 names[i / 5]);
		uint64_t p = (uintptr_t)dlsym(RTLD_DEFAULT, name);

		if (!p)
			_exit(124);
		if (p < atomics[0])
			atomics[0] = p;
		if (p > atomics[1])
			atomics[1] = p;
	}
	/* Only for the last: it looks through all symbols. */
	if (!dladdr1((void *)(uintptr_t)atomics[1], &info, (void **)&symbol,
		     RTLD_DL_SYMENT))
		_exit(124);
	atomics[1] += symbol->st_size;
}

/* Copies of the texts, at the end of the records. */
static void
copy_texts(struct numbered_log *l)
{
	uint64_t size = 0;
	uint8_t *to;

	for (int i = 0; i < 2; i++)
		size += l->text[i][1] - l->text[i][0];
	/* The comparer may see a file that is shorter by a header. */
	l->room = LOG_RECORDS - (size + sizeof(*l)) / sizeof(*l->record) - 2;
	to = (uint8_t *)(uintptr_t)&l->record[l->room];
	for (int i = 0; i < 2; i++) {
		size = l->text[i][1] - l->text[i][0];
		next.memcpy(to, (void *)(uintptr_t)l->text[i][0], size);
		to += size;
	}
}

static void
open_log(const char *name)
{
	size_t size = sizeof(*log_) + LOG_RECORDS * sizeof(*log_->record);
	struct numbered_log *l;
	int fd;

	fd = open(name, O_RDWR);
	if (fd < 0 || ftruncate(fd, (off_t)size))
		_exit(124);
	l = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (l == MAP_FAILED)
		_exit(124);
	unsetenv("NUMBERED_LOG");
	dl_iterate_phdr(first_module, l);
	l->text[1][0] = atomics[0];
	l->text[1][1] = atomics[1];
	copy_texts(l);
	for (int i = 0; i < NUMBERED_RADIX; i++)
		l->digit[i] = (uintptr_t)digits[i] - (uintptr_t)__ehdr_start;
	__atomic_store_n(&l->self, (uintptr_t)l, __ATOMIC_RELEASE);
	log_ = l;
}

__attribute__((constructor)) static void
start(void)
{
	const char *name = getenv("NUMBERED_LOG");

	ready();
	/* Not in valgrind's launcher, into which this is preloaded, too. */
	if (dlsym(RTLD_DEFAULT, "__memmon_touch")) {
		find_atomics(); /* which allocates: in both runs */
		if (name)
			open_log(name);
	}
	started = true;
}

/* Don't wait for the library's own end, which takes long. */
__attribute__((destructor)) static void
end(void)
{
	long number = SYS_exit_group, status = 0;

	if (!log_)
		return;
	fflush(NULL);
	__asm__ volatile("syscall"
			 :
			 : "a"(number), "D"(status)
			 : "rcx", "r11", "memory");
}
