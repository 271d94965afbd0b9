/* SPDX-License-Identifier: MIT */
/* Which process owns the file of a name? */
#include "monitor/store/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/utsname.h>

#include "monitor/base/process.h"
#include "monitor/monimg.h"
#include "monitor/monlog.h"
#include "monitor/store/name.h"

/*
 * Runs that are less than this apart, in ns, belong together, and each keeps
 * its file.  It is the time by which a shell under load may delay the next run.
 */
#define TOGETHER 2000000000u

uint64_t
mmi_owner_pid_space(void)
{
	struct stat st;

	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &st, 0, 0,
		     0) != 0)
		return 0;
	return st.st_ino;
}

/*
 * The process's state (one letter) and start time: fields 3 and 22 of a line
 * whose second field may contain anything.
 */
static bool
process_stat(long pid, char *letter, uint64_t *born)
{
	char line[1024], *p;
	unsigned field = 3;

	if (mmi_process_file("/proc/", pid, "/stat", line, sizeof(line)) <= 0)
		return false;
	p = strrchr(line, ')');
	if (!p || p[1] != ' ')
		return false;
	*letter = p[2];
	for (p += 2; *p && field < 22; p++)
		field += *p == ' ';
	for (*born = 0; *p >= '0' && *p <= '9'; p++)
		*born = *born * 10 + (uint64_t)(*p - '0');
	return *born != 0;
}

uint64_t
mmi_owner_born(long pid)
{
	uint64_t born;
	char letter;

	return process_stat(pid, &letter, &born) ? born : 0;
}

uint64_t
mmi_owner_boot(void)
{
	char text[19] = ""; /* 16 digits, two hyphens */
	uint64_t boot = 0;

	mmi_process_text("/proc/sys/kernel/random/boot_id", text, sizeof(text));
	for (const char *p = text; *p; p++)
		if (*p != '-')
			boot = boot << 4 |
			       (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	return boot;
}

/* Was the image made on this machine?  True if this is unknown. */
static bool
of_this_host(long fd, const struct monimg_header *h)
{
	struct utsname u;
	char host[sizeof(u.nodename)];
	size_t n = h->host.length;

	if (n >= sizeof(host) || ARCH_SYS(SYS_uname, &u, 0, 0, 0, 0, 0) != 0 ||
	    ARCH_SYS(SYS_pread64, fd, host, n, h->host.at, 0, 0) != (long)n)
		return true;
	return strlen(u.nodename) == n && memcmp(u.nodename, host, n) == 0;
}

/* May the image's process be running? */
static bool
in_use(long fd, const struct monimg_header *h)
{
	uint64_t boot, born;
	char letter;

	if (h->pid_space != mmi_owner_pid_space())
		return true;
	boot = mmi_owner_boot();
	if (h->boot != boot)
		return !of_this_host(fd, h);
	/* It was this process, before an exec; or an earlier one with its
	 * number. */
	if (h->pid == mmi_process.pid || h->pid <= 0)
		return false;
	if (ARCH_SYS(SYS_kill, h->pid, 0, 0, 0, 0, 0) == -ESRCH)
		return false;
	if (!process_stat(h->pid, &letter, &born))
		return true;
	return letter != 'Z' && letter != 'X' && (!h->born || h->born == born);
}

/* Reads the image's header.  False: not an image, or another version. */
static bool
read_image(long fd, struct monimg_header *h)
{
	return ARCH_SYS(SYS_pread64, fd, h, sizeof(*h), 0, 0, 0) ==
		       (long)sizeof(*h) &&
	       memcmp(h->magic, MONIMG_MAGIC, sizeof(h->magic)) == 0 &&
	       h->version == MONIMG_VERSION;
}

/* Has this process written a data file, and then executed this program? */
static bool
is_past(const struct monimg_header *h)
{
	return h->end == MONOUT_E_EXEC && h->sig == MONIMG_WRITTEN &&
	       h->pid == mmi_process.pid &&
	       h->pid_space == mmi_owner_pid_space() &&
	       h->boot == mmi_owner_boot() && h->born &&
	       h->born == mmi_owner_born(h->pid);
}

/* A varint at *p, before `end'. */
static uint64_t
varint(const uint8_t **p, const uint8_t *end)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		v |= (uint64_t)(**p & 0x7f) << shift;
		if (!(*(*p)++ & 0x80))
			break;
	}
	return v;
}

/* The process id in a data file; 0: unknown. */
static long
profile_pid(long fd)
{
	uint64_t at = sizeof(struct monout_header), end, key, length;
	uint8_t item[32];
	const uint8_t *p;
	struct monout_record r;

	if (ARCH_SYS(SYS_pread64, fd, &r, sizeof(r), at, 0, 0) !=
		    (long)sizeof(r) ||
	    r.tag != MONOUT_RUN)
		return 0;
	at += sizeof(r);
	for (end = at + r.length; at < end; at += length) {
		memset(item, 0, sizeof(item));
		if (ARCH_SYS(SYS_pread64, fd, item, sizeof(item), at, 0, 0) <=
		    0)
			return 0;
		p = item;
		key = varint(&p, item + sizeof(item));
		length = varint(&p, item + sizeof(item));
		if (key == MONOUT_R_PID)
			return (long)varint(&p, item + sizeof(item));
		at += (uint64_t)(p - item);
	}
	return 0;
}

/* Is the image still beside the data file, and does its process run? */
static bool
goes_on(const char *path, long pid)
{
	static char live[PATH_MAX];
	struct monimg_header h;
	bool used;
	long fd;

	if (!mmi_name_beside(live, sizeof(live), path, ".", pid, 0, ".live"))
		return false;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, live,
		      O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0, 0);
	if (fd < 0)
		return false;
	used = read_image(fd, &h) && h.pid == pid && in_use(fd, &h);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return used;
}

/* When the file was last written, ns since 1970. */
static uint64_t
written(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000u +
	       (uint64_t)st->st_mtim.tv_nsec;
}

enum mmi_owner
mmi_owner_of(long fd, const char *path, const struct stat *st, long *pid)
{
	struct monimg_header h;
	char magic[8];
	long n = ARCH_SYS(SYS_pread64, fd, magic, sizeof(magic), 0, 0, 0);

	*pid = 0;
	if (n < 0)
		return MMI_OWNER_USED;
	/* As a last resort, an empty file reserves a name. */
	if (n != (long)sizeof(magic))
		return !st->st_size && written(st) >= mmi_process.start
			       ? MMI_OWNER_USED
			       : MMI_OWNER_LEFT;
	if (memcmp(magic, MONIMG_MAGIC, sizeof(magic)) == 0) {
		if (!read_image(fd, &h))
			return MMI_OWNER_KEPT;
		*pid = h.pid;
		if (is_past(&h))
			return MMI_OWNER_PAST;
		if (in_use(fd, &h))
			return MMI_OWNER_USED;
		if (!h.data_size)
			return MMI_OWNER_KEPT;
	} else if (memcmp(magic, MONOUT_MAGIC, sizeof(magic)) != 0) {
		return MMI_OWNER_LEFT;
	} else {
		*pid = profile_pid(fd);
		if (goes_on(path, *pid))
			return MMI_OWNER_USED;
	}
	return written(st) + TOGETHER > mmi_process.start ? MMI_OWNER_KEPT
							  : MMI_OWNER_LEFT;
}

enum mmi_owner
mmi_owner_look(const char *path, long *pid)
{
	enum mmi_owner owner;
	struct stat st;
	long fd;

	*pid = 0;
	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, path, &st, 0, 0, 0) != 0) {
		/* A dangling link is replaced. */
		return ARCH_SYS(SYS_newfstatat, AT_FDCWD, path, &st,
				AT_SYMLINK_NOFOLLOW, 0, 0) == 0
			       ? MMI_OWNER_LEFT
			       : MMI_OWNER_NONE;
	}
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? MMI_OWNER_USED : MMI_OWNER_SPECIAL;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, path,
		      O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0, 0);
	if (fd < 0)
		return MMI_OWNER_USED;
	owner = mmi_owner_of(fd, path, &st, pid);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return owner;
}

bool
mmi_owner_log_left(const char *path)
{
	struct monlog_header h = { .pid = 0 };
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, path,
			   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0, 0,
			   0),
	     n;

	if (fd < 0)
		return false;
	n = ARCH_SYS(SYS_pread64, fd, &h, sizeof(h), 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return n == (long)sizeof(h) &&
	       memcmp(h.magic, MONLOG_MAGIC, sizeof(h.magic)) == 0 &&
	       ARCH_SYS(SYS_kill, h.pid, 0, 0, 0, 0, 0) == -ESRCH;
}
