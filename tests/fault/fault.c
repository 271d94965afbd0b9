/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that fail as MEMMON_FAULT says. */
#include "tests/fault/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "monitor/base/arch.h"
#include "tests/fault/libc.h"

/*
 * The calls that can fail.  calls.h has system calls' names from the sources.
 */
enum { ALL, SHARED, CLONE, FIRST_LIBC };
#define CALL(name) { #name, SYS_##name },
static const struct call {
	const char *name;
	long n;
} calls[] = {
#include <calls.h> /* in $(O)/fault */
};
#undef CALL
#define CALLS (sizeof(calls) / sizeof(*calls))
static const char *const others[] = {
	"all",
	"mmap-shared",
	"clone",
	"pthread_atfork",
	"pthread_key_create",
	"pthread_setspecific",
	"__cxa_atexit",
	"__cxa_at_quick_exit",
	"_dl_find_object",
	"getauxval",
	"dlsym",
	"sigaction",
};
#define OTHERS (sizeof(others) / sizeof(*others))

/* The thread waits SLOW_NS before it makes the call. */
#define SLOW (-3)
#define SLOW_NS 30000000
#define RACE_NS 50000

static const struct error {
	const char *name;
	int e;
} errors[] = { { "short", -1 },
	       { "slow", SLOW },
#define ERROR(name) { #name, name },
	       ERROR(EACCES) ERROR(EAGAIN) ERROR(EBADF) ERROR(EDQUOT) ERROR(
		       EEXIST) ERROR(EFAULT) ERROR(EFBIG) ERROR(EINTR)
		       ERROR(EINVAL) ERROR(EIO) ERROR(EMFILE) ERROR(ENFILE)
			       ERROR(ENODEV) ERROR(ENOENT) ERROR(ENOMEM)
				       ERROR(ENOSPC) ERROR(ENOSYS) ERROR(EPERM)
					       ERROR(EROFS) ERROR(ETXTBSY) };
#define ERRORS (sizeof(errors) / sizeof(*errors))

static struct rule {
	const char *name;
	size_t len;
	uint64_t from, to; /* which of its calls */
	int e;		   /* 0: the call's usual one */
} rules[8];
static unsigned nrules;
static const char *log_path;
static bool list;
static int parsed;
static uint64_t made[OTHERS + CALLS]; /* calls so far */
unsigned mmi_fault_races;	      /* 0: none */

static const char *
name_of(unsigned which)
{
	return which < OTHERS ? others[which] : calls[which - OTHERS].name;
}

/* The value of an environment variable, by code without calls that may fail. */
static const char *
variable(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environ; *e; e++)
		if (!memcmp(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

static int
error_find(const char *s, size_t n)
{
	for (size_t i = 0; i < ERRORS; i++)
		if (strlen(errors[i].name) == n &&
		    !memcmp(errors[i].name, s, n))
			return errors[i].e;
	/* An unknown word makes nothing fail. */
	return -2;
}

/* One rule, which ends at a comma or at the string's end. */
static const char *
rule_parse(const char *s)
{
	struct rule r = { .name = s };

	r.len = strcspn(s, ":,");
	s += r.len;
	if (*s == ':')
		for (s++; *s >= '0' && *s <= '9'; s++)
			r.from = r.from * 10 + (uint64_t)(*s - '0');
	r.to = *s == '+' ? UINT64_MAX : r.from;
	s += *s == '+';
	if (*s == ':') {
		size_t n = strcspn(++s, ",");

		r.e = error_find(s, n);
		s += n;
	}
	if (r.from && r.e != -2 && nrules < sizeof(rules) / sizeof(*rules))
		rules[nrules++] = r;
	return *s == ',' ? s + 1 : s + strlen(s);
}

/* The first call of a process is made before it has threads. */
static bool
ready(void)
{
	const char *s, *r;

	if (parsed || !environ)
		return parsed;
	parsed = 1;
	log_path = variable("MEMMON_FAULT_LOG");
	s = variable("MEMMON_FAULT");
	list = s && !strcmp(s, "list");
	for (r = variable("MEMMON_RACE"); r && *r >= '0' && *r <= '9'; r++)
		mmi_fault_races = mmi_fault_races * 10 + (unsigned)(*r - '0');
	while (s && *s && !list)
		s = rule_parse(s);
	return true;
}

/*
 * Another process writes it, without a signal at its end: a file opened here
 * would be visible to the program's other threads for a moment.
 */
static void
log_line(const char *line, size_t len)
{
	long pid = arch_syscall(SYS_clone, 0, 0, 0, 0, 0, 0), fd;

	while (pid > 0 &&
	       arch_syscall(SYS_wait4, pid, 0, __WCLONE, 0, 0, 0) == -EINTR)
		;
	if (pid != 0)
		return;
	fd = arch_syscall(SYS_openat, AT_FDCWD, (long)log_path,
			  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666, 0,
			  0);
	if (fd >= 0)
		arch_syscall(SYS_write, fd, (long)line, (long)len, 0, 0, 0);
	for (;;)
		arch_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

static void
log_call(unsigned which, uint64_t n)
{
	char line[64], digit[20];
	size_t len = strlen(name_of(which)), k = 0;

	if (!log_path)
		return;
	memcpy(line, name_of(which), len);
	line[len++] = ' ';
	do
		digit[k++] = (char)('0' + n % 10);
	while (n /= 10);
	while (k > 0)
		line[len++] = digit[--k];
	line[len++] = '\n';
	log_line(line, len);
}

/* The call's errno if the rule has none. */
static int
usual(const char *name)
{
	static const struct error most[] = {
		{ "openat", EACCES },	{ "write", ENOSPC },
		{ "mmap", ENOMEM },	{ "mmap-shared", ENODEV },
		{ "mprotect", ENOMEM }, { "mremap", ENOMEM },
		{ "madvise", EINVAL },	{ "ftruncate", ENOSPC },
		{ "renameat", EACCES }, { "readlinkat", ENOENT },
		{ "clone", EAGAIN },	{ "pthread_key_create", EAGAIN },
		{ "munmap", ENOMEM },	{ "pthread_setspecific", ENOMEM },
	};

	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++)
		if (!strcmp(most[i].name, name))
			return most[i].e;
	return EPERM;
}

/*
 * The result of a rule for `name', for the n-th such call, which is a `call':
 * an errno, -1: short, 0: no rule.
 */
static int
rule_of(const char *name, uint64_t n, const char *call)
{
	for (unsigned i = 0; i < nrules; i++) {
		const struct rule *r = &rules[i];

		if (n >= r->from && n <= r->to && strlen(name) == r->len &&
		    !memcmp(name, r->name, r->len))
			return r->e ? r->e : usual(call);
	}
	return 0;
}

/* Waits; other threads go on. */
static void
stand_still(long ns)
{
	struct timespec t = { .tv_nsec = ns };

	while (arch_syscall(SYS_nanosleep, (long)&t, (long)&t, 0, 0, 0, 0) ==
	       -EINTR)
		;
}

void
mmi_fault_race(void)
{
	static __thread unsigned random
		__attribute__((tls_model("initial-exec")));

	/* Each thread starts with another number. */
	if (!random)
		random = (unsigned)(uintptr_t)&random;
	random = random * 1664525 + 1013904223;
	if ((random >> 8) % mmi_fault_races == 0)
		stand_still(RACE_NS);
}

/* A call is about to be made: returns as rule_of(). */
static int
due(unsigned which)
{
	uint64_t n, k;
	int e;

	if (!ready())
		return 0;
	n = __atomic_add_fetch(&made[which], 1, __ATOMIC_RELAXED);
	k = __atomic_add_fetch(&made[ALL], 1, __ATOMIC_RELAXED);
	if (list) {
		log_call(which, n);
		return 0;
	}
	e = rule_of(name_of(which), n, name_of(which));
	if (!e)
		e = rule_of("all", k, name_of(which));
	if (e != SLOW)
		return e;
	stand_still(SLOW_NS);
	return 0;
}

/* Logs that the call fails. */
static void
told(unsigned which)
{
	log_call(which, made[which]);
}

static bool
fails(unsigned which, int *e)
{
	*e = due(which);
	if (*e <= 0)
		return false;
	told(which);
	return true;
}

static bool
is_transfer(long n)
{
	return n == SYS_write || n == SYS_pwrite64 || n == SYS_read ||
	       n == SYS_pread64;
}

long
mmi_fault_sys(long n, long a, long b, long c, long d, long e, long f)
{
	unsigned which = 0;
	int err = 0;

	while (which < CALLS && calls[which].n != n)
		which++;
	/* The kernel let a signal mask be set: it lets it be set back. */
	if (which == CALLS || (n == SYS_rt_sigprocmask && b && !c))
		return arch_syscall(n, a, b, c, d, e, f);
	if (n == SYS_mmap && (d & MAP_SHARED) && fails(SHARED, &err))
		return -err;
	err = due((unsigned)OTHERS + which);
	if (err > 0) {
		told((unsigned)OTHERS + which);
		/* It fails, but the descriptor is closed. */
		if (n == SYS_close)
			arch_syscall(n, a, b, c, d, e, f);
		return -err;
	}
	if (err < 0 && n == SYS_mincore) {
		told((unsigned)OTHERS + which);
		memset((void *)c, 0, (size_t)b / ARCH_PAGE_NOW);
		return 0;
	}
	if (err < 0 && is_transfer(n) && c > 1) {
		told((unsigned)OTHERS + which);
		c /= 2;
	}
	return arch_syscall(n, a, b, c, d, e, f);
}

long
mmi_fault_clone(void)
{
	int e;

	return fails(CLONE, &e) ? -e : 0;
}

/* Calls a function of libc.h by its name. */
bool
mmi_fault_libc(const char *name, int *e)
{
	for (unsigned i = FIRST_LIBC; i < OTHERS; i++)
		if (!strcmp(others[i], name))
			return fails(i, e);
	return false;
}
