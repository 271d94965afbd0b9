/* SPDX-License-Identifier: MIT */
/* Whose the data file is. */
#include "monitor/image/reservation.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "monitor/base/process.h"
#include "monitor/image/name.h"
#include "monitor/monimg.h"

/* Names that are tried. */
#define TRIES 1000u

/* What stands under a name. */
enum there { NOTHING, LEFT, USED, SPECIAL };

uint64_t
mmi_reservation_pid_space(void)
{
	struct stat st;

	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &st, 0, 0,
		     0) != 0)
		return 0;
	return st.st_ino;
}

/*
 * Its state (one letter) and the time of its start, fields 3 and 22 of a line
 * whose second one may hold anything.
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
mmi_reservation_born(long pid)
{
	uint64_t born;
	char letter;

	return process_stat(pid, &letter, &born) ? born : 0;
}

/* Is the process whose image it is there, as far as can be told? */
static bool
in_use(const struct monimg_header *h)
{
	uint64_t space = mmi_reservation_pid_space(), born;
	char letter;

	if (memcmp(h->magic, MONIMG_MAGIC, sizeof(h->magic)) != 0 || h->end)
		return false;
	if (space && h->pid_space && h->pid_space != space)
		return true;
	/* It was this process, before an exec; or one that had its number. */
	if (h->pid == mmi_process.pid || h->pid <= 0)
		return false;
	if (ARCH_SYS(SYS_kill, h->pid, 0, 0, 0, 0, 0) == -ESRCH)
		return false;
	if (!process_stat(h->pid, &letter, &born))
		return true;
	return letter != 'Z' && letter != 'X' && (!h->born || h->born == born);
}

static enum there
look(const char *name)
{
	struct monimg_header h;
	struct stat st;
	long fd, n;

	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, name, &st, 0, 0, 0) != 0) {
		/* A link to nowhere is replaced. */
		return ARCH_SYS(SYS_newfstatat, AT_FDCWD, name, &st,
				AT_SYMLINK_NOFOLLOW, 0, 0) == 0
			       ? LEFT
			       : NOTHING;
	}
	if (!S_ISREG(st.st_mode))
		return SPECIAL;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, name,
		      O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0, 0);
	if (fd < 0)
		return LEFT;
	n = ARCH_SYS(SYS_read, fd, &h, sizeof(h), 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return n == (long)sizeof(h) && in_use(&h) ? USED : LEFT;
}

/*
 * The next name to try, after `tried' others: the plain one is in `to', *end is
 * its length.
 */
static bool
next_name(char *to, size_t n, size_t *end, bool has_pid, unsigned tried)
{
	if (*end + 24 > n)
		return false;
	if (tried == 1 && !has_pid) {
		to[*end] = '.';
		*end = (size_t)(mmi_process_decimal(to + *end + 1,
						    (uint64_t)mmi_process.pid) -
				to);
	} else if (tried) {
		to[*end] = '.';
		mmi_process_decimal(to + *end + 1, tried - !has_pid);
	}
	return true;
}

static long
open_new(const char *name)
{
	return ARCH_SYS(SYS_openat, AT_FDCWD, name,
			O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			0666, 0, 0);
}

long
mmi_reservation_new(char *to, size_t n)
{
	bool has_pid;
	size_t end;
	long fd = -ENAMETOOLONG;

	if (!mmi_name_expand(to, n, false, &has_pid))
		return fd;
	end = strlen(to);
	for (unsigned i = 0; i < TRIES; i++) {
		if (!next_name(to, n, &end, has_pid, i))
			return -ENAMETOOLONG;
		fd = open_new(to);
		if (fd != -EEXIST)
			return fd;
		switch (look(to)) {
		case SPECIAL:
			return fd;
		case LEFT:
			if (has_pid || i > 0)
				break;
			ARCH_SYS(SYS_unlinkat, AT_FDCWD, to, 0, 0, 0, 0);
			fd = open_new(to);
			if (fd != -EEXIST)
				return fd;
			break;
		default:
			break;
		}
	}
	return fd;
}

void
mmi_reservation_clear(void)
{
	static char path[PATH_MAX];
	bool has_pid;

	if (mmi_name_expand(path, sizeof(path), false, &has_pid) && !has_pid &&
	    look(path) == LEFT)
		ARCH_SYS(SYS_unlinkat, AT_FDCWD, path, 0, 0, 0, 0);
}

bool
mmi_reservation_name(char *to, size_t n, bool exec, bool *special)
{
	bool has_pid;
	size_t end;

	*special = false;
	if (!mmi_name_expand(to, n, exec, &has_pid))
		return false;
	end = strlen(to);
	for (unsigned i = 0; i < TRIES; i++) {
		if (!next_name(to, n, &end, has_pid, i))
			return false;
		switch (look(to)) {
		case SPECIAL:
			*special = true;
			return true;
		case NOTHING:
			return true;
		case LEFT:
			if (!has_pid && i == 0)
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}
