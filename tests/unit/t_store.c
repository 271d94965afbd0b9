/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which process a file with a data file's name belongs to. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/store/name.c"
#include "monitor/store/owner.c"
#include "tests/tap.h"

struct mmi_process mmi_process;

long
mmi_process_text(const char *path, char *to, size_t n)
{
	FILE *f = fopen(path, "r");
	size_t got;

	if (!f)
		return -1;
	got = fread(to, 1, n - 1, f);
	to[got] = '\0';
	fclose(f);
	return (long)got;
}

long
mmi_process_file(const char *directory, long id, const char *name, char *to,
		 size_t n)
{
	char path[64];

	snprintf(path, sizeof(path), "%s%ld%s", directory, id, name);
	return mmi_process_text(path, to, n);
}

#define SECOND 1000000000ull
#define NOW 1700000000ull /* seconds: when this process started */

/* Writes these bytes to the file, `age' seconds before this process started. */
static void
put(const char *name, const void *p, size_t n, int64_t age)
{
	struct timespec t[2] = { { (time_t)((int64_t)NOW - age), 0 },
				 { (time_t)((int64_t)NOW - age), 0 } };
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n || futimens(fd, t))
		perror(name);
	close(fd);
}

/* The owner of an image with this header, followed by `host'. */
static enum mmi_owner
image(const struct monimg_header *h, const char *host, const char *name)
{
	struct {
		struct monimg_header h;
		char host[65];
	} f = { .h = *h };
	long pid;

	f.h.host.at = sizeof(f.h);
	f.h.host.length = (uint32_t)strlen(host);
	memcpy(f.host, host, strlen(host));
	put(name, &f, sizeof(f), 1000000);
	return mmi_owner_look(name, &pid);
}

static void
images(void)
{
	struct monimg_header h = { .magic = "" }, x;
	char host[65] = "";
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	gethostname(host, sizeof(host) - 1);
	memcpy(h.magic, MONIMG_MAGIC, 8);
	h.version = MONIMG_VERSION;
	h.pid = getppid();
	h.born = mmi_owner_born(h.pid);
	h.pid_space = mmi_owner_pid_space();
	h.boot = mmi_owner_boot();
	ok(h.born && h.pid_space && h.boot, "what tells processes apart");
	is_int(image(&h, host, "x"), MMI_OWNER_USED, "of one that runs");
	x = h;
	x.end = 1;
	is_int(image(&x, host, "x"), MMI_OWNER_USED, "of one that ends");
	x = h;
	x.born++;
	is_int(image(&x, host, "x"), MMI_OWNER_KEPT, "of an earlier one");
	x = h;
	x.pid = pid;
	is_int(image(&x, host, "x"), MMI_OWNER_KEPT, "of one that was killed");
	x = h;
	x.pid_space++;
	is_int(image(&x, host, "x"), MMI_OWNER_USED, "of another container");
	x = h;
	x.boot++;
	is_int(image(&x, host, "x"), MMI_OWNER_KEPT,
	       "of before the machine's "
	       "last start");
	is_int(image(&x, "other", "x"), MMI_OWNER_USED, "of another machine");
	is_int(image(&h, "other", "x"), MMI_OWNER_USED, "renamed meanwhile");
	x = h;
	x.version++;
	is_int(image(&x, host, "x"), MMI_OWNER_KEPT, "of another version");
}

/* The start of a data file of process `id', whose command has n bytes. */
static void
profile(const char *name, unsigned id, size_t n, int64_t age)
{
	static uint8_t f[40000];
	struct monout_record r = { .tag = MONOUT_RUN };
	uint8_t *p = f + sizeof(struct monout_header) + sizeof(r);

	memset(f, 0, sizeof(f));
	memcpy(f, MONOUT_MAGIC, 8);
	*p++ = MONOUT_R_COMMAND;
	*p++ = (uint8_t)(n | 0x80);
	*p++ = (uint8_t)(n >> 7 | 0x80);
	*p++ = (uint8_t)(n >> 14);
	p += n;
	*p++ = MONOUT_R_PID;
	*p++ = 2;
	*p++ = (uint8_t)(id | 0x80);
	*p++ = (uint8_t)(id >> 7);
	r.length = (uint32_t)(p - f - sizeof(struct monout_header) - sizeof(r));
	memcpy(f + sizeof(struct monout_header), &r, sizeof(r));
	put(name, f, (size_t)(p - f), age);
}

static void
profiles(void)
{
	struct monimg_header h = { .magic = "" };
	long pid = -1;

	profile("p", 4711, 20000, 60);
	is_int(mmi_owner_look("p", &pid), MMI_OWNER_LEFT, "a minute old");
	is_int(pid, 4711, "whose it is stands behind a long command");
	profile("p", 4712, 3, 1);
	is_int(mmi_owner_look("p", &pid), MMI_OWNER_KEPT, "a second old");
	is_int(pid, 4712, "... and whose it is");
	profile("p", 4712, 3, -5);
	is_int(mmi_owner_look("p", &pid), MMI_OWNER_KEPT, "a later one");
	profile("q", (unsigned)getppid() & 0x3fff, 3, 60);
	memcpy(h.magic, MONIMG_MAGIC, 8);
	h.version = MONIMG_VERSION;
	h.pid = getppid() & 0x3fff;
	h.pid_space = 1;
	mmi_owner_look("q", &pid);
	is_int(pid, h.pid, "a process that goes on");
	{
		char name[64];

		snprintf(name, sizeof(name), "q.%ld.live", pid);
		is_int(image(&h, "other", name), MMI_OWNER_USED, "its image");
	}
	is_int(mmi_owner_look("q", &pid), MMI_OWNER_USED, "... has its file");
}

static void
others(void)
{
	struct monlog_header l = { .version = MONLOG_VERSION };
	long pid;

	put("f", "text, no data", 13, 0);
	is_int(mmi_owner_look("f", &pid), MMI_OWNER_LEFT, "a text");
	ok(!mmi_owner_log_left("f"), "which is no log");
	put("f", "", 0, 1);
	is_int(mmi_owner_look("f", &pid), MMI_OWNER_LEFT, "an empty file");
	put("f", "", 0, -1);
	is_int(mmi_owner_look("f", &pid), MMI_OWNER_USED,
	       "made since the start: a name that is taken");
	is_int(mmi_owner_look("none", &pid), MMI_OWNER_NONE, "nothing");
	is_int(mmi_owner_look(".", &pid), MMI_OWNER_USED, "a directory");
	is_int(mmi_owner_look("/dev/null", &pid), MMI_OWNER_SPECIAL,
	       "a device");
	is_int(symlink("none", "s"), 0, "a link to nowhere");
	is_int(mmi_owner_look("s", &pid), MMI_OWNER_LEFT, "... goes");
	memcpy(l.magic, MONLOG_MAGIC, 8);
	l.pid = (uint64_t)getpid();
	put("l", &l, sizeof(l), 9);
	ok(!mmi_owner_log_left("l"), "a log that is written");
	l.pid = 0x7ffffffe;
	put("l", &l, sizeof(l), 9);
	ok(mmi_owner_log_left("l"), "one that was left");
}

int
main(void)
{
	char dir[] = "/tmp/t_store.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	mmi_process.pid = getpid();
	mmi_process.start = NOW * SECOND;
	images();
	profiles();
	others();
	for (const char *const *f = (const char *const[]){ "x", "p", "q", "f",
							   "l", "s", NULL };
	     *f; f++)
		unlink(*f);
	if (system("rm -f q.*.live") || chdir("/") || rmdir(dir))
		return 1;
	return done_testing();
}
