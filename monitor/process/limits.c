/* SPDX-License-Identifier: MIT */
/* Limits that the program sets for itself: setrlimit(2). */
#include "monitor/process/limits.h"
#include "monitor/base/internal.h"

#include <errno.h>
#include <sys/resource.h>

#include "monitor/access/handed.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"

#define UNLIMITED UINT64_MAX

struct limit {
	int number;
	bool data;	     /* only private writable memory */
	bool set;	     /* atomic */
	struct rlimit asked; /* by the program */
	uint64_t hard;	     /* the kernel's: others can't raise it again */
	uint64_t soft;	     /* atomic: the kernel's, as last set here */
};
static struct limit limits[] = { { .number = RLIMIT_AS },
				 { .number = RLIMIT_DATA, .data = true } };
enum { LIMITS = sizeof(limits) / sizeof(*limits) };

static long
ask(int number, const struct rlimit *new, struct rlimit *old)
{
	return ARCH_SYS(SYS_prlimit64, 0, number, new, old, 0, 0);
}

/* Bytes that the monitor has mapped; UNLIMITED: unknown. */
static uint64_t
own_bytes(bool data)
{
	uint64_t sum = mmi_own_module().size;
	uint32_t n = mmi_own_count();

	if (!n)
		return UNLIMITED;
	for (uint32_t i = 0; i < n; i++) {
		struct mmi_own_mapping o = mmi_own_at(i);

		if (!data || o.data)
			sum += o.size;
	}
	return sum;
}

/*
 * Does this process own the limits?  A child of vfork() shares the memory, but
 * has its own limits.
 */
static bool
is_ours(void)
{
	return ARCH_ASKED(SYS_getpid, 0, 0, 0, 0, 0, 0) == mmi_process.pid;
}

/* Sets the kernel's limit, with room for `wanted' bytes more. */
static long
follow(struct limit *l, size_t wanted)
{
	struct rlimit to = { UNLIMITED, l->hard };
	uint64_t own = own_bytes(l->data), before;
	long r = 0;

	/* Another thread may map memory meanwhile. */
	for (int i = 0; i < 4; i++) {
		to.rlim_cur = l->asked.rlim_cur + own + wanted;
		if (own == UNLIMITED || to.rlim_cur < own ||
		    to.rlim_cur > to.rlim_max)
			to.rlim_cur = to.rlim_max;
		r = ask(l->number, &to, NULL);
		if (r == 0)
			STORE(&l->soft, to.rlim_cur);
		before = own;
		own = own_bytes(l->data);
		if (own == before)
			break;
	}
	return r;
}

static void
moved(size_t wanted)
{
	if (!is_ours())
		return;
	for (int i = 0; i < LIMITS; i++)
		if (LOAD_ACQ(&limits[i].set) &&
		    limits[i].asked.rlim_cur != UNLIMITED)
			follow(&limits[i], wanted);
}

/* Changes the kernel's limit, if it still is `from'. */
static void
change(struct limit *l, uint64_t from, const struct rlimit *to)
{
	struct rlimit now;

	if (LOAD_ACQ(&l->set) && ask(l->number, NULL, &now) == 0 &&
	    now.rlim_cur == from)
		ask(l->number, to, NULL);
}

uint64_t
mmi_limits_space(bool spawned)
{
	struct limit *l = &limits[0];
	struct rlimit now;

	if (ask(l->number, NULL, &now) != 0)
		return UNLIMITED;
	return !spawned && LOAD_ACQ(&l->set) && now.rlim_cur == LOAD(&l->soft)
		       ? l->asked.rlim_cur
		       : now.rlim_cur;
}

void
mmi_limits_exec(void)
{
	for (int i = 0; i < LIMITS; i++)
		change(&limits[i], LOAD(&limits[i].soft), &limits[i].asked);
}

void
mmi_limits_exec_failed(void)
{
	for (int i = 0; i < LIMITS; i++) {
		struct limit *l = &limits[i];
		struct rlimit to = { LOAD(&l->soft), l->hard };

		if (!is_ours()) {
			change(l, l->asked.rlim_cur, &to);
			continue;
		}
		if (!LOAD_ACQ(&l->set) || follow(l, 0) == 0)
			continue;
		l->hard = l->asked.rlim_max;
		follow(l, 0);
	}
}

/* May the process raise its limits? */
static bool
privileged(void)
{
	return ARCH_SYS(SYS_geteuid, 0, 0, 0, 0, 0, 0) == 0;
}

/* Sets the program's limit; `now': the kernel's.  Returns 0, or -errno. */
static long
set(struct limit *l, const struct rlimit *now, const struct rlimit *to)
{
	struct limit was = *l;
	uint64_t most = l->set ? l->asked.rlim_max : now->rlim_max;
	long r;

	if (to->rlim_cur > to->rlim_max)
		return -EINVAL;
	if (to->rlim_max > most && !privileged())
		return -EPERM;
	l->asked = *to;
	l->hard = to->rlim_max > now->rlim_max ? to->rlim_max : now->rlim_max;
	STORE_REL(&l->set, true);
	r = follow(l, 0);
	if (r == 0)
		STORE_REL(&mmi_own_moved, moved);
	else
		*l = was;
	return r;
}

static long
limit(struct limit *l, const struct rlimit *new, struct rlimit *old)
{
	struct rlimit now, shown;
	/* -1 is no limit: the kernel only checks that it can read the new
	 * one. */
	long r = new ? ARCH_ASKED(SYS_prlimit64, 0, -1, new, NULL, 0, 0) : 0;

	if (r == 0 || r == -EINVAL)
		r = ARCH_ASKED(SYS_prlimit64, 0, l->number, NULL, &now, 0, 0);
	if (r != 0)
		return r;
	shown = l->set ? l->asked : now;
	if (new && (r = set(l, &now, new)) != 0)
		return r;
	/* The kernel checks that it can write the old one. */
	if (old)
		r = ARCH_ASKED(SYS_prlimit64, 0, l->number, NULL, old, 0, 0);
	if (old && r == 0)
		*old = shown;
	return r;
}

/* prlimit(2). */
static int
limited(pid_t pid, int number, const struct rlimit *new, struct rlimit *old)
{
	struct limit *l = NULL;
	long r;

	for (int i = 0; i < LIMITS; i++)
		if (limits[i].number == number)
			l = &limits[i];
	if (l && (!pid || pid == mmi_process.pid) && (!new || is_ours()))
		r = limit(l, new, old);
	else
		r = ARCH_ASKED(SYS_prlimit64, pid, number, new, old, 0, 0);
	if (r == 0)
		return 0;
	errno = (int)-r;
	return -1;
}

/*
 * If a word has 64 bits, the functions for all sizes are the same.  Only the
 * linker sees their names here: headers declare them with several types.
 */
#ifdef MEMMON_STATIC
#define NAMED(name) __asm__("__wrap_" #name)
#else
#define NAMED(name) __asm__(#name)
#endif
#define HOOKS(bits) \
	EXPORT int p##bits(pid_t pid, int number, const struct rlimit *new, \
			   struct rlimit *old) NAMED(prlimit##bits); \
	EXPORT int s##bits(int number, const struct rlimit *new) \
		NAMED(setrlimit##bits); \
	EXPORT int g##bits(int number, struct rlimit *old) \
		NAMED(getrlimit##bits); \
	int p##bits(pid_t pid, int number, const struct rlimit *new, \
		    struct rlimit *old) \
	{ \
		mmi_handed_given(new, old, NULL); \
		return limited(pid, number, new, old); \
	} \
	int s##bits(int number, const struct rlimit *new) \
	{ \
		mmi_handed_given(new, NULL, NULL); \
		return limited(0, number, new, NULL); \
	} \
	int g##bits(int number, struct rlimit *old) \
	{ \
		mmi_handed_given(old, NULL, NULL); \
		return limited(0, number, NULL, old); \
	}
HOOKS()
HOOKS(64)
