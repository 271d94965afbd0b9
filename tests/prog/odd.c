/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that leave a monitor little room.  Each works once before it makes
 * its circumstances and once after: 200 allocations of 10100 bytes and 100
 * frees of 5100.  Then it prints the state of its files, and returns 3.
 *
 *	odd plain		works twice
 *	odd closefrom		closes all files but the first three
 *	odd closeall		closes all files, the first three too
 *	odd dupall		makes all numbers from 3 to 255 files of its
 *				own, which at the end are still its own
 *	odd chdir DIR		goes there
 *	odd chroot DIR		has DIR for its root
 *	odd unlink FILE...	removes the files
 *	odd truncate FILE...	empties them
 *	odd umask		sets umask 0777: its files can't be opened
 *	odd secret		can't be dumped: PR_SET_DUMPABLE
 *	odd alarms		has an interval timer of 0.2 ms, no SA_RESTART
 *	odd threads		counts its threads
 *	odd maps		counts its mappings after much more work
 *	odd limit WHICH N	sets RLIMIT_NOFILE or RLIMIT_AS to N
 *	odd many N		works N times more, each at another depth
 *	odd strict		SECCOMP_MODE_STRICT; ends by the system call
 *	odd allow		a filter: SIGSYS for all calls but a few
 *	odd trap		the same, by a signal with its default action
 *	odd nofilter		filters that the kernel refuses
 *	odd syscall		as allow, by syscall(2), and SIGTERM at the end
 *	odd deny E		the same, but the calls fail with errno E
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static void *keep[1001][101];
static int rounds;
static volatile sig_atomic_t alarms;

/* 100 allocations, 5050 bytes; 50 frees, 2550 bytes. */
static void
work(void)
{
	void **k = keep[rounds++];

	for (size_t i = 1; i <= 100; i++)
		k[i] = malloc(i);
	for (size_t i = 2; i <= 100; i += 2)
		free(k[i]);
}

static void
work_at(int depth)
{
	volatile char frame[64];

	frame[0] = 0;
	if (depth > 0)
		work_at(depth - 1);
	else
		work();
	(void)frame[0];
}

/* Without stdio, which allocates. */
static void
say(const char *word, int n)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "%s %d\n", word, n);

	if (write(1, line, (size_t)len) != len)
		_exit(99);
}

static void
on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static void
storm(void)
{
	struct sigaction a = { .sa_handler = on_alarm };
	struct itimerval t = { { 0, 200 }, { 0, 200 } };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
	while (alarms < 50)
		;
}

static void
files(void)
{
	struct stat st;
	int n = 0, same = 0;

	for (int i = 3; i < 256; i++)
		if (fstat(i, &st) == 0) {
			n++;
			same += S_ISCHR(st.st_mode) && st.st_rdev == 0x103;
		}
	say("files", n);
	say("null", same);
}

static void
dupall(void)
{
	int fd = open("/dev/null", O_RDWR);

	for (int i = 3; i < 256; i++)
		if (i != fd)
			dup2(fd, i);
}

/* Entries of a directory, by hand: opendir() allocates. */
static int
entries(const char *path)
{
	char buf[4096];
	int fd = open(path, O_RDONLY | O_DIRECTORY), n = 0;
	long len, at;

	while ((len = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0)
		for (at = 0; at < len;) {
			struct dirent64 *d = (struct dirent64 *)(buf + at);

			n += d->d_name[0] != '.';
			at += d->d_reclen;
		}
	close(fd);
	return n;
}

static int
mappings(void)
{
	char buf[4096];
	int fd = open("/proc/self/maps", O_RDONLY), n = 0;
	long len;

	while ((len = read(fd, buf, sizeof(buf))) > 0)
		for (long i = 0; i < len; i++)
			n += buf[i] == '\n';
	close(fd);
	return n;
}

static void
maps(void)
{
	int before = mappings(), after;

	for (int i = 0; i < 900; i++)
		work_at(i % 300);
	after = mappings();
	if (after > before + 40)
		say("mappings more", after - before);
}

/* Only what this program and malloc do. */
static void
filter(unsigned otherwise, int direct)
{
#define ALLOW(name) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		ALLOW(write),
		ALLOW(brk),
		ALLOW(mmap),
		ALLOW(munmap),
		ALLOW(newfstatat),
		ALLOW(exit_group),
		ALLOW(getpid),
		ALLOW(kill),
		BPF_STMT(BPF_RET | BPF_K, otherwise),
	};
	struct sock_fprog p = { sizeof(f) / sizeof(*f), f };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (direct ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p)
		   : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
		_exit(77);
}

static void
no_filter(void)
{
	struct sock_filter kill = BPF_STMT(BPF_RET | BPF_K, 0), bad = { 0 };
	struct sock_fprog p[] = {
		{ 1, NULL }, { 0, &kill }, { 1, &bad }, { 1, (void *)8 }
	};

	for (int i = 0; i < 4; i++)
		say("refused",
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p[i]));
	say("refused", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 16));
	say("refused", prctl(PR_SET_SECCOMP, 77, &p[1]));
	say("refused", (int)syscall(SYS_seccomp, 99, 0, NULL));
	say("refused", (int)syscall(SYS_seccomp, 1, 1 << 30, &p[0]));
	say("errno", errno);
	say("no such call", (int)syscall(499, 1, 2, 3, 4, 5, 6));
	say("errno", errno);
	say("pid", syscall(SYS_getpid) == getpid());
	say("name", prctl(PR_SET_NAME, "odd-one", 0, 0, 0));
	say("name", (int)syscall(SYS_prctl, PR_SET_NAME, "odd-two", 0, 0, 0));
}

static void
strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		_exit(77);
	work();
	say("strict", 0);
	syscall(SYS_exit, 3);
}

static void
with_files(const char *what, char **names)
{
	int fd;

	for (; *names; names++) {
		if (!strcmp(what, "unlink"))
			unlink(*names);
		fd = !strcmp(what, "truncate")
			     ? open(*names, O_WRONLY | O_TRUNC)
			     : -1;
		if (fd >= 0)
			close(fd);
	}
}

static void
limit(const char *which, int n)
{
	int what = !strcmp(which, "as") ? RLIMIT_AS : RLIMIT_NOFILE;
	struct rlimit r;

	getrlimit(what, &r);
	r.rlim_cur = (rlim_t)n;
	setrlimit(what, &r);
}

static void
change(const char *what, char **arg)
{
	if (!strcmp(what, "closefrom"))
		closefrom(3);
	if (!strcmp(what, "closeall"))
		closefrom(0);
	if (!strcmp(what, "dupall"))
		dupall();
	if (!strcmp(what, "chdir") && chdir(arg[0]) != 0)
		_exit(98);
	if (!strcmp(what, "chroot") && (chroot(arg[0]) || chdir("/")))
		_exit(77);
	if (!strcmp(what, "umask"))
		umask(0777);
	if (!strcmp(what, "secret"))
		prctl(PR_SET_DUMPABLE, 0);
	if (!strcmp(what, "alarms"))
		storm();
	if (!strcmp(what, "threads"))
		say("threads", entries("/proc/self/task"));
	if (!strcmp(what, "maps"))
		maps();
	for (int i = 0; !strcmp(what, "many") && i < atoi(arg[0]); i++)
		work_at(i % 300);
	if (!strcmp(what, "limit"))
		limit(arg[0], atoi(arg[1]));
	if (!strcmp(what, "strict"))
		strict();
	if (!strcmp(what, "allow"))
		filter(SECCOMP_RET_KILL_PROCESS, 0);
	if (!strcmp(what, "syscall"))
		filter(SECCOMP_RET_KILL_PROCESS, 1);
	if (!strcmp(what, "nofilter"))
		no_filter();
	if (!strcmp(what, "trap"))
		filter(SECCOMP_RET_TRAP, 0);
	if (!strcmp(what, "deny"))
		filter(SECCOMP_RET_ERRNO | (unsigned)atoi(arg[0]), 0);
	with_files(what, arg);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	work();
	change(what, argv + 2);
	work();
	if (!strcmp(what, "closeall"))
		return 3;
	/* The filters let nothing else through. */
	if (strcmp(what, "allow") && strcmp(what, "trap") &&
	    strcmp(what, "syscall"))
		files();
	say("rounds", rounds);
	if (!strcmp(what, "syscall"))
		kill(getpid(), SIGTERM);
	return 3;
}
