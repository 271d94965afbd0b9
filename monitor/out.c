/* SPDX-License-Identifier: MIT */
/* Writing the data file: the monitor's tables -> records. */
#include "monitor/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "monitor/arena.h"
#include "monitor/bins.h"
#include "monitor/emit.h"
#include "monitor/event.h"
#include "monitor/modules.h"
#include "monitor/name.h"
#include "monitor/process.h"
#include "monitor/thread.h"

/* Guarded by `writing'. */
static struct mmi_emit emit;
static char path[PATH_MAX], temporary[PATH_MAX];
static int writing; /* atomic: tried, never waited for */

/* What the tables add up to, as written. */
struct sums {
	struct mmi_site_count count;
	uint64_t reallocs;
	uint64_t modules, nodes, sites, bins;
	uint32_t site_end; /* sites below this are written */
};

static void
put_string(struct mmi_emit *o, unsigned key, const char *s)
{
	mmi_emit_key_bytes(o, key, s, strlen(s));
}

static void
put_run(struct mmi_emit *o, int end, int sig, uint64_t length)
{
	const struct mmi_process *p = &mmi_process;

	mmi_emit_table(o, MONOUT_RUN, 0);
	put_string(o, MONOUT_R_PROGRAM, p->exe);
	mmi_emit_key_bytes(o, MONOUT_R_COMMAND, p->command, p->command_len);
	mmi_emit_key_number(o, MONOUT_R_PID, (uint64_t)p->pid);
	mmi_emit_key_number(o, MONOUT_R_PPID, (uint64_t)p->ppid);
	mmi_emit_key_number(o, MONOUT_R_START, p->start);
	mmi_emit_key_number(o, MONOUT_R_LENGTH, length);
	mmi_emit_key_number(o, MONOUT_R_END, (uint64_t)end);
	if (end == MONOUT_E_SIGNAL)
		mmi_emit_key_number(o, MONOUT_R_SIGNAL, (uint64_t)sig);
	mmi_emit_key_number(o, MONOUT_R_THREADS, mmi_thread_count());
	mmi_emit_key_number(o, MONOUT_R_DEPTH, mmi_thread_depth());
	put_string(o, MONOUT_R_VERSION, MEMMON_VERSION);
	if (p->forked)
		mmi_emit_key_number(o, MONOUT_R_FORKED, 1);
	put_string(o, MONOUT_R_CWD, p->cwd);
	mmi_emit_flush(o);
}

/* A module that isn't ready keeps its number: nothing refers to it. */
static void
put_module(struct mmi_emit *o, const struct mmi_module *m)
{
	static const struct mmi_module none;
	size_t n;

	if (!m)
		m = &none;
	n = strlen(m->path);
	mmi_emit_item(o, 6 * MMI_EMIT_NUMBER + m->buildid_len + n);
	mmi_emit_number(o, m->start);
	mmi_emit_number(o, m->end);
	mmi_emit_number(o, m->bias);
	mmi_emit_number(o, (m->exe ? MONOUT_M_EXE : 0) |
				   (LOAD(&m->gone) ? MONOUT_M_GONE : 0));
	mmi_emit_bytes(o, m->buildid, m->buildid_len);
	mmi_emit_bytes(o, m->path, n);
}

static void
put_modules(struct mmi_emit *o, struct sums *s)
{
	mmi_emit_table(o, MONOUT_MODULES, 1);
	for (unsigned i = 0; i < s->modules; i++)
		put_module(o, mmi_modules_at(i));
	mmi_emit_flush(o);
}

/* The module of a key, mostly the one of the key before. */
static int
module_of(uint64_t key)
{
	static int last = -1;
	const struct mmi_module *m = last < 0 ? NULL : mmi_modules_at(last);
	uintptr_t pc = MMI_KEY_ADDR(key) - 1;

	if (!m || pc < m->start || pc >= m->end || m->gen != MMI_KEY_GEN(key))
		last = mmi_modules_of_key(key);
	return last;
}

static void
put_node(struct mmi_emit *o, uint32_t i, const struct mmi_node *n)
{
	uint64_t key = n && n->key ? n->key : MONOUT_PC_NONE;
	uint32_t parent = n && n->key ? n->parent : 0;
	int m = key > MONOUT_PC_NONE ? module_of(key) : -1;

	mmi_emit_item(o, 3 * MMI_EMIT_NUMBER);
	mmi_emit_number(o, i - parent);
	mmi_emit_number(o, (uint64_t)(m + 1));
	mmi_emit_number(o, MMI_KEY_ADDR(key) -
				   (m < 0 ? 0 : mmi_modules_at(m)->bias));
}

static void
put_nodes(struct mmi_emit *o, struct sums *s)
{
	mmi_emit_table(o, MONOUT_NODES, 1);
	for (uint32_t i = 1; i <= s->nodes; i++)
		put_node(o, i, mmi_sites_node(i));
	mmi_emit_flush(o);
}

/* One class's counts: a free is counted after its allocation, so read first. */
static struct mmi_site_count
count_read(const struct mmi_site_count *c)
{
	struct mmi_site_count r;

	r.freed = LOAD_ACQ(&c->freed);
	r.frees = LOAD_ACQ(&c->frees);
	r.bytes = LOAD_ACQ(&c->bytes);
	r.allocs = LOAD_ACQ(&c->allocs);
	return r;
}

static void
count_sum(struct mmi_site_count *sum, const struct mmi_site_count *c)
{
	sum->allocs += c->allocs;
	sum->bytes += c->bytes;
	sum->frees += c->frees;
	sum->freed += c->freed;
}

void
mmi_out_site_sum(const struct mmi_site *s, struct mmi_site_count *sum,
		 uint64_t *reallocs)
{
	struct mmi_site_count c;

	for (unsigned i = 0; i < MONOUT_NCLASS; i++) {
		c = count_read(&s->count[i]);
		count_sum(sum, &c);
	}
	*reallocs += LOAD(&s->reallocs);
}

static void
put_site(struct mmi_emit *o, struct sums *s, const struct mmi_site *site,
	 uint32_t node)
{
	struct mmi_site_count c[MONOUT_NCLASS];
	uint64_t reallocs = LOAD_ACQ(&site->reallocs);
	unsigned mask = 0;

	for (unsigned i = 0; i < MONOUT_NCLASS; i++) {
		c[i] = count_read(&site->count[i]);
		if (c[i].allocs)
			mask |= 1u << i;
	}
	if (!mask)
		return;
	mmi_emit_item(o, (3 + 4 * MONOUT_NCLASS) * MMI_EMIT_NUMBER);
	mmi_emit_number(o, node);
	mmi_emit_number(o, reallocs);
	mmi_emit_number(o, mask);
	for (unsigned i = 0; i < MONOUT_NCLASS; i++) {
		if (!(mask & 1u << i))
			continue;
		mmi_emit_number(o, c[i].allocs);
		mmi_emit_number(o, c[i].bytes);
		mmi_emit_number(o, c[i].frees);
		mmi_emit_number(o, c[i].freed);
		count_sum(&s->count, &c[i]);
	}
	s->reallocs += reallocs;
	s->sites++;
}

static void
put_sites(struct mmi_emit *o, struct sums *s)
{
	mmi_emit_table(o, MONOUT_SITES, 0);
	for (uint32_t i = 1; i < s->site_end; i++) {
		const struct mmi_site *site = mmi_sites_at(i);
		uint32_t node = site ? LOAD_ACQ(&site->node) : 0;

		if (node && node <= s->nodes)
			put_site(o, s, site, node);
	}
	mmi_emit_flush(o);
}

static void
put_bin(struct mmi_emit *o, struct sums *s, uint64_t size, uint64_t allocs,
	uint64_t frees)
{
	if (!allocs)
		return;
	mmi_emit_item(o, 3 * MMI_EMIT_NUMBER);
	mmi_emit_number(o, size);
	mmi_emit_number(o, allocs);
	mmi_emit_number(o, frees);
	s->bins++;
}

static void
put_bins(struct mmi_emit *o, struct sums *s)
{
	const struct mmi_thread *t;
	uint64_t allocs, frees;

	mmi_emit_table(o, MONOUT_BINS, 0);
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++) {
		allocs = frees = 0;
		/* All frees first: each was counted after its allocation. */
		for (t = mmi_thread_next(NULL); t; t = mmi_thread_next(t))
			frees += LOAD_ACQ(&t->frees[i]);
		for (t = mmi_thread_next(NULL); t; t = mmi_thread_next(t))
			allocs += LOAD_ACQ(&t->allocs[i]);
		put_bin(o, s, i, allocs, frees);
	}
	for (unsigned i = 0; i < MMI_BINS; i++) {
		const struct mmi_bin *b = mmi_bins_at(i);

		frees = LOAD_ACQ(&b->frees);
		put_bin(o, s, LOAD(&b->size), LOAD_ACQ(&b->allocs), frees);
	}
	mmi_emit_flush(o);
}

/* When the peak was, ns after the start: the tick rate is that of the run. */
static uint64_t
peak_time(uint64_t ticks, uint64_t length)
{
	uint64_t all = arch_ticks() - mmi_process.ticks;

	if (ticks <= mmi_process.ticks || !all)
		return 0;
	ticks -= mmi_process.ticks;
	if (ticks >= all)
		return length;
	return (uint64_t)((unsigned __int128)ticks * length / all);
}

static void
put_thread_totals(struct mmi_emit *o, const struct mmi_event_state *s)
{
	struct mmi_counters c = { .lost = s->lost,
				  .lost_bytes = s->lost_bytes };
	const struct mmi_thread *t = NULL;

	while ((t = mmi_thread_next(t))) {
		const struct mmi_counters *n = &t->count;

		c.frames += LOAD(&n->frames);
		c.same += LOAD(&n->same);
		if (LOAD(&n->deepest) > c.deepest)
			c.deepest = LOAD(&n->deepest);
		c.cut += LOAD(&n->cut);
		c.stopped += LOAD(&n->stopped);
		c.lost += LOAD(&n->lost);
		c.lost_bytes += LOAD(&n->lost_bytes);
		c.unseen += LOAD(&n->unseen);
		c.inherited += LOAD(&n->inherited);
		c.reused += LOAD(&n->reused);
		c.failed += LOAD(&n->failed);
		c.big_frees += LOAD(&n->big_frees);
		c.big_freed += LOAD(&n->big_freed);
		c.big_allocs += LOAD(&n->big_allocs);
		c.big_bytes += LOAD(&n->big_bytes);
	}
	mmi_emit_key_number(o, MONOUT_T_FRAMES, c.frames);
	mmi_emit_key_number(o, MONOUT_T_SAME, c.same);
	mmi_emit_key_number(o, MONOUT_T_DEEPEST, c.deepest);
	mmi_emit_key_number(o, MONOUT_T_CUT, c.cut);
	mmi_emit_key_number(o, MONOUT_T_STOPPED, c.stopped);
	mmi_emit_key_number(o, MONOUT_T_LOST, c.lost);
	mmi_emit_key_number(o, MONOUT_T_LOST_BYTES, c.lost_bytes);
	mmi_emit_key_number(o, MONOUT_T_UNSEEN, c.unseen);
	mmi_emit_key_number(o, MONOUT_T_INHERITED, c.inherited);
	mmi_emit_key_number(o, MONOUT_T_REUSED, c.reused);
	mmi_emit_key_number(o, MONOUT_T_FAILED, c.failed);
	mmi_emit_key_number(o, MONOUT_T_BIG_ALLOCS, c.big_allocs);
	mmi_emit_key_number(o, MONOUT_T_BIG_BYTES, c.big_bytes);
	mmi_emit_key_number(o, MONOUT_T_BIG_FREES, c.big_frees);
	mmi_emit_key_number(o, MONOUT_T_BIG_FREED, c.big_freed);
}

static void
put_totals(struct mmi_emit *o, const struct sums *s, uint64_t length)
{
	struct mmi_event_state e;

	mmi_event_read(&e);
	mmi_emit_table(o, MONOUT_TOTALS, 0);
	mmi_emit_key_number(o, MONOUT_T_ALLOCS, s->count.allocs);
	mmi_emit_key_number(o, MONOUT_T_BYTES, s->count.bytes);
	mmi_emit_key_number(o, MONOUT_T_FREES, s->count.frees);
	mmi_emit_key_number(o, MONOUT_T_FREED, s->count.freed);
	mmi_emit_key_number(o, MONOUT_T_REALLOCS, s->reallocs);
	mmi_emit_key_number(o, MONOUT_T_MODULES, s->modules);
	mmi_emit_key_number(o, MONOUT_T_NODES, s->nodes);
	mmi_emit_key_number(o, MONOUT_T_SITES, s->sites);
	mmi_emit_key_number(o, MONOUT_T_BINS, s->bins);
	mmi_emit_key_number(o, MONOUT_T_PEAK, e.peak);
	mmi_emit_key_number(o, MONOUT_T_PEAK_AT,
			    peak_time(e.peak_ticks, length));
	put_thread_totals(o, &e);
	mmi_emit_key_number(o, MONOUT_T_OWN, mmi_arena_mapped());
	mmi_emit_flush(o);
}

static void
write_file(int fd, int end, int sig)
{
	uint64_t length = mmi_process_clock(CLOCK_MONOTONIC) - mmi_process.mono;
	struct sums s = { 0 };

	/* In this order: what is counted later holds all that refers to it. */
	s.site_end = mmi_sites_count() + 1;
	s.nodes = mmi_sites_nodes();
	s.modules = mmi_modules_count();
	mmi_emit_begin(&emit, fd);
	put_run(&emit, end, sig, length);
	put_modules(&emit, &s);
	put_nodes(&emit, &s);
	put_sites(&emit, &s);
	put_bins(&emit, &s);
	put_totals(&emit, &s, length);
}

static int
open_new(const char *name)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	long fd = ARCH_SYS(SYS_open, name, flags, 0666, 0, 0, 0);

	if (fd == -EEXIST) {
		/* Left by a process of this pid that was killed meanwhile. */
		ARCH_SYS(SYS_unlink, name, 0, 0, 0, 0, 0);
		fd = ARCH_SYS(SYS_open, name, flags, 0666, 0, 0, 0);
	}
	return (int)fd;
}

/* path + ".part" + pid, so that two processes don't share one. */
static bool
temporary_name(char *to, size_t n, const char *path)
{
	size_t len = strlen(path), digits = 1;
	unsigned long pid = (unsigned long)mmi_process.pid;

	for (unsigned long p = pid; p /= 10;)
		digits++;
	if (len + 5 + digits >= n)
		return false;
	memcpy(to, path, len);
	memcpy(to + len, ".part", 5);
	len += 5 + digits;
	to[len] = '\0';
	do
		to[--len] = (char)('0' + pid % 10);
	while (pid /= 10);
	return true;
}

/* Both names, expanded into static memory: a signal stack may be small. */
static bool
file_names(bool exec)
{
	return mmi_name_expand(path, sizeof(path), exec) &&
	       temporary_name(temporary, sizeof(temporary), path);
}

static int
write_whole(int end, int sig)
{
	int fd = open_new(temporary);

	if (fd < 0)
		return -1;
	write_file(fd, end, sig);
	if (ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0) == 0 && !emit.failed &&
	    ARCH_SYS(SYS_rename, temporary, path, 0, 0, 0, 0) == 0)
		return 0;
	ARCH_SYS(SYS_unlink, temporary, 0, 0, 0, 0, 0);
	return -1;
}

#define BIT(sig) (1ull << ((sig)-1))

/*
 * With all signals blocked: one that ends the process must not strike before
 * the file is whole, and the one for a file that grows too large is our own
 * doing.
 */
static int
write_masked(int end, int sig)
{
	static const struct timespec now;
	uint64_t all = ~0ull, xfsz = BIT(SIGXFSZ), was, before, after;
	int r;

	ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &all, &was, 8, 0, 0);
	ARCH_SYS(SYS_rt_sigpending, &before, 8, 0, 0, 0, 0);
	r = write_whole(end, sig);
	ARCH_SYS(SYS_rt_sigpending, &after, 8, 0, 0, 0, 0);
	if (after & ~before & xfsz)
		ARCH_SYS(SYS_rt_sigtimedwait, &xfsz, 0, &now, 8, 0, 0);
	ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &was, 0, 8, 0, 0);
	return r;
}

int
mmi_out_write(bool exec, int end, int sig)
{
	int none = 0, r;

	if (!CAS(&writing, &none, 1))
		return -1;
	r = file_names(exec) ? write_masked(end, sig) : -1;
	STORE_REL(&writing, 0);
	return r;
}

bool
mmi_out_busy(void)
{
	return LOAD_ACQ(&writing) != 0;
}

void
mmi_out_remove(void)
{
	int none = 0;

	if (!CAS(&writing, &none, 1))
		return;
	if (mmi_name_expand(path, sizeof(path), true))
		ARCH_SYS(SYS_unlink, path, 0, 0, 0, 0, 0);
	STORE_REL(&writing, 0);
}

void
mmi_out_fork(void)
{
	STORE(&writing, 0);
}
