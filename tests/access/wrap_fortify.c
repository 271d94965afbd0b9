/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiled with -O2 -D_FORTIFY_SOURCE=2: the compiler knows how large `small'
 * is, but not how much is written to it.  A write that fits is counted; one
 * that is too large ends the program, as it does without memmon.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "tests/access/wrap_rt.h"
#include "tests/tap.h"

#define ROOM 64

static char small[ROOM] __attribute__((aligned(64)));
static wchar_t wide[ROOM / 4] __attribute__((aligned(64)));
static char from[4 * ROOM], text[4 * ROOM];
static wchar_t wfrom[ROOM], wtext[ROOM];
static volatile size_t n; /* bytes, 4 in each wide character */
static int fd[2], file;
static FILE *stream;

/* Ends the program if the condition is false: a call should have returned. */
#define MUST(condition) ((condition) ? (void)0 : _exit(9))

static void
by_list(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsprintf(small, format, ap);
	va_end(ap);
}

/* Targets of appending are emptied first: that write isn't counted. */
#define CALLS(X) \
	X(memcpy, memcpy(small, from, n)) \
	X(memmove, memmove(small, from, n)) \
	X(mempcpy, mempcpy(small, from, n)) \
	X(memset, memset(small, 1, n)) \
	X(explicit_bzero, explicit_bzero(small, n)) \
	X(strcpy, strcpy(small, text)) \
	X(stpcpy, stpcpy(small, text)) \
	X(strncpy, strncpy(small, from, n)) \
	X(stpncpy, stpncpy(small, from, n)) \
	X(strcat, (*small = 0, strcat(small, text))) \
	X(strncat, (*small = 0, strncat(small, from, n - 1))) \
	X(wmemcpy, wmemcpy(wide, wfrom, n / 4)) \
	X(wmemmove, wmemmove(wide, wfrom, n / 4)) \
	X(wmempcpy, wmempcpy(wide, wfrom, n / 4)) \
	X(wmemset, wmemset(wide, 1, n / 4)) \
	X(wcscpy, wcscpy(wide, wtext)) \
	X(wcsncpy, wcsncpy(wide, wfrom, n / 4)) \
	X(wcscat, (*wide = 0, wcscat(wide, wtext))) \
	X(wcsncat, (*wide = 0, wcsncat(wide, wfrom, n / 4 - 1))) \
	X(sprintf, sprintf(small, "%s", text)) \
	X(vsprintf, by_list("%s", text)) \
	X(snprintf, snprintf(small, n, "%s", from)) \
	X(fgets, MUST(fgets(small, (int)n, stream))) \
	X(fgets_unlocked, MUST(fgets_unlocked(small, (int)n, stream))) \
	X(fread, MUST(fread(small, 1, n, stream) == n)) \
	X(fread_unlocked, MUST(fread_unlocked(small, 1, n, stream) == n)) \
	X(read, MUST(read(file, small, n) == (ssize_t)n)) \
	X(pread, MUST(pread(file, small, n, 0) == (ssize_t)n)) \
	X(recv, MUST(recv(fd[1], small, n, MSG_PEEK) == (ssize_t)n)) \
	X(recvfrom, MUST(recvfrom(fd[1], small, n, MSG_PEEK, NULL, NULL))) \
	X(readlink, MUST(readlink("/proc/self/exe", small, n) > 0)) \
	X(getcwd, MUST(getcwd(small, n)))

#define FUNCTION(name, call) \
	static void do_##name(void) \
	{ \
		call; \
	}
CALLS(FUNCTION)

static const struct call {
	const char *name;
	void (*f)(void);
} calls[] = {
#define CALL(name, call) { #name, do_##name },
	CALLS(CALL)
};

/* Prepares sources of `bytes' bytes; strings have them with the NUL. */
static void
prepare(size_t bytes)
{
	n = bytes;
	for (size_t i = 0; i < sizeof(from); i++) {
		from[i] = 'f';
		text[i] = i + 1 < bytes ? 't' : 0;
	}
	for (size_t i = 0; i < ROOM; i++) {
		wfrom[i] = L'f';
		wtext[i] = i + 1 < bytes / 4 ? L't' : 0;
	}
}

/* The writes counted in the 64 bytes at p, as "1 1 0 0". */
static const char *
written(const char *p)
{
	static char s[64];
	unsigned w[4];

	for (int i = 0; i < 4; i++)
		rt_take(p + 16 * i, &w[i]);
	snprintf(s, sizeof(s), "%u %u %u %u", w[0], w[1], w[2], w[3]);
	return s;
}

static void
fits(const struct call *c)
{
	const char *p = c->name[0] == 'w' ? (char *)wide : small;

	prepare(32);
	written(p);
	rewind(stream);
	lseek(file, 0, SEEK_SET);
	c->f();
	is_str(written(p), c->f == do_getcwd ? "1 0 0 0" : "1 1 0 0",
	       "%s of 32 bytes", c->name);
}

static void
overflows(const struct call *c)
{
	struct rlimit none = { 0, 0 };
	int status;
	pid_t pid;

	fflush(stdout);
	prepare(ROOM + 8);
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		dup2(open("/dev/null", O_WRONLY), 2);
		c->f();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
	   "%s of more than there is room for (%x)", c->name, status);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	if (chdir("/usr/lib"))
		return 1;
	stream = tmpfile();
	file = fileno(stream);
	for (int i = 0; i < 1000; i++)
		putc('x', stream);
	fflush(stream);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) ||
	    send(fd[0], from, sizeof(from), 0) < 0)
		return 1;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		fits(&calls[i]);
		overflows(&calls[i]);
	}
	return done_testing();
}
