/* SPDX-License-Identifier: MIT */
/* The properties of the process. */
#include "monitor/base/process.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "monitor/base/arena.h"
#include "monitor/base/rank.h"
#include "monitor/base/real.h"
#include "monitor/base/thread.h"
#include "monitor/base/vdso.h"

#define COMMAND_MAX 16384u

struct mmi_process mmi_process = {
	.exe = "",
	.cwd = "",
	.pattern = "mon.out",
	.follow = "",
	.command = "",
};

static long
process_pid(void)
{
	return ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static mmi_vdso_clock *vdso_clock; /* NULL: not found (yet) */
static uint64_t still; /* ns; not 0: the clock must not be read any more */

void
mmi_process_clock_stop(bool stop)
{
	STORE(&still, stop ? mmi_process_clock(CLOCK_MONOTONIC) : 0);
	STORE(&mmi_arch_no_ticks, stop);
}

uint64_t
mmi_process_clock(clockid_t id)
{
	mmi_vdso_clock *clock = LOAD(&vdso_clock);
	struct timespec ts = { 0, 0 };

	if (UNLIKELY(LOAD(&still)))
		return LOAD(&still);
	if (UNLIKELY(!clock || clock(id, &ts) != 0))
		ARCH_SYS(SYS_clock_gettime, id, &ts, 0, 0, 0, 0);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uintptr_t
mmi_process_hex(const char **s)
{
	uintptr_t v = 0;

	while (**s == ' ')
		++*s;
	if ((*s)[0] == '0' && (*s)[1] == 'x')
		*s += 2;
	for (;; ++*s) {
		if (**s >= '0' && **s <= '9')
			v = v << 4 | (uintptr_t)(**s - '0');
		else if (**s >= 'a' && **s <= 'f')
			v = v << 4 | (uintptr_t)(**s - 'a' + 10);
		else
			return v;
	}
}

long
mmi_process_text(const char *path, char *to, size_t n)
{
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0,
			   0, 0);
	long got;

	if (fd < 0)
		return fd;
	got = ARCH_SYS(SYS_read, fd, to, n - 1, 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	to[got > 0 ? got : 0] = '\0';
	return got;
}

long
mmi_process_file(const char *directory, long id, const char *name, char *to,
		 size_t n)
{
	size_t len = strlen(directory);
	char path[64], *end;

	memcpy(path, directory, len);
	end = mmi_process_decimal(path + len, (uint64_t)id);
	memcpy(end, name, strlen(name) + 1);
	return mmi_process_text(path, to, n);
}

bool
mmi_process_lines(const char *file, char *buffer, size_t n,
		  bool (*line)(void *arg, const char *text), void *arg)
{
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0,
			   0, 0);
	bool goes_on = fd >= 0;
	long got = goes_on;
	char text[MMI_PROCESS_LINE + 1];
	size_t used = 0;

	while (goes_on &&
	       (got = ARCH_SYS(SYS_read, fd, buffer, n, 0, 0, 0)) > 0)
		for (long i = 0; i < got && goes_on; i++) {
			if (buffer[i] != '\n') {
				/* The rest of a long line is a file's name. */
				if (used < sizeof(text) - 1)
					text[used++] = buffer[i];
				continue;
			}
			text[used] = '\0';
			used = 0;
			goes_on = line(arg, text);
		}
	if (fd >= 0)
		ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return goes_on && got == 0;
}

bool
mmi_process_maps(char *buffer, size_t n,
		 bool (*line)(void *arg, const char *text), void *arg)
{
	return mmi_process_lines("/proc/self/maps", buffer, n, line, arg);
}

void
mmi_process_begin(void)
{
	if (!vdso_clock)
		STORE(&vdso_clock, mmi_vdso_find());
	mmi_process.pid = process_pid();
	mmi_process.ppid = ARCH_SYS(SYS_getppid, 0, 0, 0, 0, 0, 0);
	mmi_process.start = mmi_process_clock(CLOCK_REALTIME);
	mmi_process.mono = mmi_process_clock(CLOCK_MONOTONIC);
}

/* Reads a number at *s, and moves *s after it; at most ULONG_MAX. */
static unsigned long
decimal(const char **s)
{
	unsigned long n = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		if (__builtin_mul_overflow(n, 10ul, &n) ||
		    __builtin_add_overflow(n, (unsigned)(**s - '0'), &n))
			n = ULONG_MAX;
	return n;
}

/* Copies the arguments: the program may overwrite them. */
static void
command_copy(int argc, char **argv)
{
	char *to = mmi_arena_map(COMMAND_MAX);
	size_t used = 0, n;

	if (!to)
		return;
	for (int i = 0; i < argc && argv[i]; i++) {
		n = strlen(argv[i]) + 1;
		if (n > COMMAND_MAX - used)
			break;
		memcpy(to + used, argv[i], n);
		used += n;
	}
	mmi_process.command = to;
	mmi_process.command_len = used;
}

/* Like getenv(), which another library may replace. */
const char *
mmi_process_environment(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environ; e && *e; e++)
		if (memcmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* Does one of these tools of valgrind run the program? */
static bool
is_tool(const char *const tools[], size_t n)
{
	const char *v = mmi_process_environment("LD_PRELOAD");

	for (; v && (v = strstr(v, "vgpreload_")); v++)
		for (size_t i = 0; i < n; i++)
			if (strncmp(v + sizeof("vgpreload_") - 1, tools[i],
				    strlen(tools[i])) == 0)
				return true;
	return false;
}

/* With a malloc of their own; the first three search all memory. */
static const char *const replacing[] = { "memcheck", "helgrind", "drd",
					 "massif", "dhat" };

bool
mmi_process_searched(void)
{
	return is_tool(replacing, 3);
}

bool
mmi_process_replaced(void)
{
	return is_tool(replacing, 5);
}

bool
mmi_process_valgrind(void)
{
	static const char *const any[] = { "" };

	return is_tool(any, 1);
}

const char *
mmi_process_variable(const char *name)
{
	size_t n = strlen(name);

	if (!mmi_process.attached)
		return mmi_process_environment(name);
	for (const char *s = mmi_process.settings; s && *s; s += strlen(s) + 1)
		if (memcmp(s, name, n) == 0 && s[n] == '=')
			return s + n + 1;
	return NULL;
}

/* Copies a value: the program may change its environment. */
static const char *
value_copy(const char *v, const char *otherwise)
{
	size_t n;
	char *to;

	if (!v || !*v)
		return otherwise;
	if (mmi_process.attached)
		return v;
	n = strlen(v) + 1;
	to = mmi_arena_map(n);
	return to ? memcpy(to, v, n) : otherwise;
}

static const char *
variable_copy(const char *name, const char *otherwise)
{
	return value_copy(mmi_process_variable(name), otherwise);
}

void
mmi_process_name(void)
{
	mmi_process.pattern = variable_copy("MEMMON_OUT", mmi_process.pattern);
}

/* Ends a path that a system call has returned without NUL: "" if it failed. */
static const char *
path_ended(char *to, long n)
{
	to[n > 0 ? n : 0] = '\0';
	return to;
}

static const char *
cwd_copy(void)
{
	char *to = mmi_arena_map(PATH_MAX);

	return to ? path_ended(to,
			       ARCH_SYS(SYS_getcwd, to, PATH_MAX, 0, 0, 0, 0))
		  : "";
}

#ifndef MEMMON_STATIC
uintptr_t
mmi_process_loader(void)
{
	uintptr_t base = mmi_real_auxval(AT_BASE);

#ifndef MEMMON_MUSL
	/* The kernel started the loader itself. */
	if (!base)
		base = _r_debug.r_ldbase;
#endif
	return base;
}

/* The file that is mapped at an address; see main_map(). */
struct mapped {
	uintptr_t address;
	char *path; /* of PATH_MAX bytes, "" until it is known */
};

#define MAP_FILES "/proc/self/map_files/"

static bool
mapped_find(void *arg, const char *text)
{
	struct mapped *m = arg;
	const char *s = text, *path = strchr(text, '/');
	uintptr_t start = mmi_process_hex(&s), end;
	char name[sizeof(MAP_FILES) + 40] = MAP_FILES;
	size_t n;

	s += *s == '-';
	end = mmi_process_hex(&s);
	if (m->address < start || m->address >= end)
		return true;
	n = strlen(text);
	if (path && n < MMI_PROCESS_LINE) {
		memcpy(m->path, path, n - (size_t)(path - text) + 1);
		return false;
	}
	n = (size_t)(s - text);
	memcpy(name + sizeof(MAP_FILES) - 1, text, n);
	path_ended(m->path, ARCH_SYS(SYS_readlinkat, AT_FDCWD, name, m->path,
				     PATH_MAX - 1, 0, 0));
	return false;
}

/*
 * The program that the user told a loader to run: the kernel only knows the
 * loader's name.
 */
static void
main_map(char *to)
{
	struct mapped m = { mmi_real_auxval(AT_PHDR), to };
	char buffer[1024];

	if (!mmi_real_auxval(AT_BASE))
		mmi_process_maps(buffer, sizeof(buffer), mapped_find, &m);
}
#endif

/* Removes the kernel's mark on the path of a file that was deleted. */
static void
forget_deleted(char *path)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(path), k = sizeof(mark) - 1;

	if (n > k && !memcmp(path + n - k, mark, k) &&
	    ARCH_SYS(SYS_faccessat, AT_FDCWD, path, F_OK, 0, 0, 0) != 0)
		path[n - k] = '\0';
}

/* Has the file of this name the headers of the program? */
static bool
is_program(const char *path)
{
	const Elf64_Phdr *all = (const void *)mmi_real_auxval(AT_PHDR);
	size_t n = mmi_real_auxval(AT_PHNUM), same = 0;
	long fd = !all ? -1
		       : ARCH_SYS(SYS_openat, AT_FDCWD, path,
				  O_RDONLY | O_CLOEXEC, 0, 0, 0);
	Elf64_Ehdr e = { .e_phnum = 0 };
	Elf64_Phdr ph;

	if (fd < 0)
		return false;
	ARCH_SYS(SYS_pread64, fd, &e, sizeof(e), 0, 0, 0);
	while (e.e_phnum == n && same < n &&
	       ARCH_SYS(SYS_pread64, fd, &ph, sizeof(ph),
			e.e_phoff + same * sizeof(ph), 0, 0) == sizeof(ph) &&
	       !memcmp(&ph, &all[same], sizeof(ph)))
		same++;
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return n && same == n;
}

/*
 * The path that started the program, for processes without /proc.  It may be
 * that of a script, or of the loader: then *to stays empty.
 */
static void
exe_started(char *to)
{
	const char *path = (const void *)mmi_real_auxval(AT_EXECFN);
	size_t n = path && *path != '/' ? strlen(mmi_process.cwd) : 0;

	if (!path || !is_program(path))
		return;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	if (n + strlen(path) + 2 > PATH_MAX || (*path != '/' && !n))
		return;
	memcpy(to, mmi_process.cwd, n);
	if (n > 1)
		to[n++] = '/';
	memcpy(to + n, path, strlen(path) + 1);
}

static const char *
exe_copy(void)
{
	char *to = mmi_arena_map(PATH_MAX);

	if (!to)
		return "";
#ifndef MEMMON_STATIC
	main_map(to);
	if (to[0])
		mmi_thread_names(to);
#endif
	if (!to[0])
		path_ended(to,
			   ARCH_SYS(SYS_readlinkat, AT_FDCWD, "/proc/self/exe",
				    to, PATH_MAX - 1, 0, 0));
	/* The first thread may have ended while the process continues. */
	if (!to[0])
		path_ended(to, ARCH_SYS(SYS_readlinkat, AT_FDCWD,
					"/proc/thread-self/exe", to,
					PATH_MAX - 1, 0, 0));
	if (!to[0])
		exe_started(to);
	forget_deleted(to);
	return to;
}

void
mmi_process_look(int argc, char **argv)
{
	const char *root = mmi_process_variable("MEMMON_ROOT");

	mmi_process.cwd = cwd_copy();
	mmi_process.exe = exe_copy();
	command_copy(argc, argv);
	mmi_process_name();
	mmi_process.follow = variable_copy("MEMMON_FOLLOW", "");
	mmi_process.rank =
		value_copy(mmi_rank_variable(mmi_process_variable), NULL);
	mmi_process.job =
		value_copy(mmi_job_variable(mmi_process_variable), NULL);
	mmi_process.child =
		root && *root && (long)decimal(&root) != mmi_process.pid;
}

/* Does a name fit a pattern with * and ?? */
static bool
fits(const char *pattern, const char *name)
{
	const char *star = NULL, *from = name;

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			from = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool
mmi_process_followed(void)
{
	const char *name = mmi_process.exe;

	if (!mmi_process.child || !*mmi_process.follow)
		return true;
	for (const char *c = name; *c; c++)
		if (*c == '/')
			name = c + 1;
	return fits(mmi_process.follow, name);
}

bool
mmi_process_number(const char *name, unsigned long *n)
{
	const char *v = mmi_process_variable(name);

	if (!v || *v < '0' || *v > '9')
		return false;
	*n = decimal(&v);
	switch (*v) {
	case 'k':
	case 'K':
		*n <<= 10;
		v++;
		break;
	case 'm':
	case 'M':
		*n <<= 20;
		v++;
		break;
	case 'g':
	case 'G':
		*n <<= 30;
		v++;
		break;
	}
	return !*v;
}

bool
mmi_process_writes(void)
{
	/* A child of vfork runs on its parent's memory. */
	if (process_pid() != mmi_process.pid || mmi_thread_stopped() ||
	    mmi_process.idle)
		return false;
	/* The caller of a set-user-ID program must not make it write files. */
	return !mmi_process.secure;
}
