/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A preload that takes the chain of every allocation twice, with the monitor's
 * unwinder and with libunwind, and compares.  At exit it appends a line to
 * $UNWCHECK_OUT: "chains N frames N thorough N differ N", and the first few
 * that differ before it.
 *
 * Ours counts as equal when it stops where there is no unwind information and
 * all before is the same: libunwind guesses on from there by the frame pointer.
 */
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <fcntl.h>
#include <libunwind.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So that frames of this library count, as libunwind counts them. */
#define MEMMON_STATIC
#include "monitor/arena.c"
#include "monitor/cfi.c"
#include "monitor/expr.c"
#include "monitor/modules.c"
#undef load
#define ready unwind_ready
#include "monitor/unwind.c"
/* Counted on the way in. */
#define mmi_walk_thorough real_thorough
#include "monitor/walk.c"
#undef mmi_walk_thorough

#define MAX 4096

/* What the monitor's modules.c knows the process by. */
struct mmi_process mmi_process = { .pid = 1 };

static unsigned long chains, frames, thorough, differ, stopped;
static TLS int inside;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);

extern int __cxa_atexit(void (*)(void *), void *, void *);

unsigned
mmi_walk_thorough(struct mmi_thread *t, const struct arch_entry *e,
		  enum mmi_unwind_end *end)
{
	__atomic_fetch_add(&thorough, 1, __ATOMIC_RELAXED);
	return real_thorough(t, e, end);
}

static void
say(const char *s)
{
	const char *name = getenv("UNWCHECK_OUT");
	int fd = open(name ? name : "/dev/null",
		      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd >= 0 && write(fd, s, strlen(s)) < 0)
		abort();
	close(fd);
}

static void
show(const char *who, unw_word_t *pc, unsigned n)
{
	char line[300];
	Dl_info d;

	for (unsigned i = 0; i < n && i < 40; i++) {
		int known = dladdr((void *)(pc[i] - 1), &d) != 0;

		snprintf(line, sizeof(line), "#   %s %2u %#lx %s %s\n", who, i,
			 (unsigned long)pc[i],
			 known && d.dli_sname ? d.dli_sname : "?",
			 known && d.dli_fname ? d.dli_fname : "?");
		say(line);
	}
}

/* libunwind's chain from the frame whose stack pointer is e->sp on. */
static unsigned
reference(const struct arch_entry *e, unw_word_t *pc)
{
	unw_context_t context;
	unw_cursor_t cursor;
	unw_word_t sp;
	unsigned n = 0;
	int outside = 0;

	unw_getcontext(&context);
	unw_init_local(&cursor, &context);
	do {
		unw_get_reg(&cursor, UNW_X86_64_RSP, &sp);
		if (!outside && sp < e->sp)
			continue;
		outside = 1;
		if (n == MAX)
			break;
		unw_get_reg(&cursor, UNW_REG_IP, &pc[n]);
		/* Ours says where a signal struck as a return address does. */
		if (pc[n] == 0)
			break;
		pc[n] += n > 0 && unw_is_signal_frame(&cursor) > 0;
		n++;
	} while (unw_step(&cursor) > 0);
	return n;
}

static void
compare(const struct arch_entry *e)
{
	static uint64_t chain[MAX + 2];
	static unw_word_t pc[MAX + 2];
	struct mmi_thread t;
	enum mmi_unwind_end end;
	unsigned n, m;
	int same;

	if (inside)
		return;
	inside = 1;
	pthread_mutex_lock(&lock);
	memset(&t, 0, sizeof(t));
	t.limit = MAX;
	t.chain = chain;
	n = mmi_unwind(&t, e, &end);
	m = reference(e, pc);
	chains++;
	frames += n;
	same = n == m || (end == UNWIND_STOPPED && n < m) ||
	       (n < m && mmi_walk_bound(&t, e->sp) && end == UNWIND_WHOLE &&
		MMI_KEY_ADDR(chain[n - 1]) - getauxval(AT_BASE) < 1 << 20);
	stopped += end == UNWIND_STOPPED;
	if (end == UNWIND_STOPPED && getenv("UNWCHECK_STOPPED")) {
		unw_word_t ours[40];

		for (unsigned i = 0; i < n && i < 40; i++)
			ours[i] = MMI_KEY_ADDR(chain[i]);
		show("stopped", ours, n);
		show("theirs", pc, m);
	}
	for (unsigned i = 0; same && i < n; i++)
		same = MMI_KEY_ADDR(chain[i]) == pc[i];
	if (!same && differ++ < 3) {
		unw_word_t ours[40];

		for (unsigned i = 0; i < n && i < 40; i++)
			ours[i] = MMI_KEY_ADDR(chain[i]);
		say(end == UNWIND_WHOLE ? "# whole\n" : "# not whole\n");
		show("ours", ours, n);
		show("theirs", pc, m);
	}
	pthread_mutex_unlock(&lock);
	inside = 0;
}

static void
find(void)
{
	if (next_malloc)
		return;
	next_malloc = dlsym(RTLD_NEXT, "malloc");
	next_calloc = dlsym(RTLD_NEXT, "calloc");
	next_realloc = dlsym(RTLD_NEXT, "realloc");
}

void *
malloc(size_t n)
{
	struct arch_entry e = ARCH_ENTRY();

	find();
	compare(&e);
	return next_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	struct arch_entry e = ARCH_ENTRY();

	find();
	compare(&e);
	return next_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	struct arch_entry e = ARCH_ENTRY();

	find();
	compare(&e);
	return next_realloc(p, n);
}

static void
report(void *arg)
{
	char line[200];

	(void)arg;
	inside = 1;
	snprintf(line, sizeof(line),
		 "chains %lu frames %lu thorough %lu stopped %lu differ %lu\n",
		 chains, frames, thorough, stopped, differ);
	say(line);
}

__attribute__((constructor(101))) static void
begin(void)
{
	find();
	__cxa_atexit(report, NULL, NULL);
}
