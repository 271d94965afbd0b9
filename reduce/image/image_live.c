/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the process of an image run?  Is an image beside a file? */
#define _GNU_SOURCE
#include "reduce/monout/load_check.h"
#include "reduce/image/image_reader.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------- the process -- */

/*
 * Is this the kernel on which the process ran?  True also if that is unknown.
 */
static bool
live_same_boot(uint64_t boot)
{
	char text[48] = "", hex[17];
	size_t i, n = 0;
	FILE *f;

	f = boot ? fopen("/proc/sys/kernel/random/boot_id", "re") : NULL;
	if (!f)
		return true;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	for (i = 0; text[i] && n < 16; i++) {
		if (isxdigit((unsigned char)text[i]))
			hex[n++] = text[i];
	}
	hex[n] = '\0';
	return n < 16 || strtoull(hex, NULL, 16) == boot;
}

/*
 * Read a process's start and state from text as in /proc/PID/stat.  False if
 * the text has another form.
 */
static bool
live_stat(char *text, uint64_t *born, bool *dead)
{
	/* The name, in (), may contain any characters. */
	char *p = strrchr(text, ')'), *word, *rest = NULL;
	unsigned long threads = 0;
	char state = 0;
	int field = 3;

	if (!p)
		return false;
	for (word = strtok_r(p + 1, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest), field++) {
		if (field == 3)
			state = *word;
		if (field == 20)
			threads = strtoul(word, NULL, 10);
		if (field == 22)
			break;
	}
	if (!word)
		return false;
	*born = strtoull(word, NULL, 10);
	/*
	 * The process ended and its parent hasn't waited for it; other threads
	 * may still run.
	 */
	*dead = state == 'X' || (state == 'Z' && threads <= 1);
	return true;
}

int
image_running(const struct monimg_header *h)
{
	struct stat st;
	char text[4096];
	uint64_t born;
	size_t n;
	bool dead;
	FILE *f;

	if (!h->born || !h->pid_space || h->pid <= 0 || h->pid > INT32_MAX ||
	    stat("/proc/self/ns/pid", &st) || st.st_ino != h->pid_space ||
	    !live_same_boot(h->boot))
		return -1;
	snprintf(text, sizeof(text), "/proc/%d/stat", (int)h->pid);
	f = fopen(text, "re");
	/* The process may exist but be hidden. */
	if (!f)
		return kill((pid_t)h->pid, 0) && errno == ESRCH ? 0 : -1;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	if (!n)
		return kill((pid_t)h->pid, 0) && errno == ESRCH ? 0 : -1;
	if (!live_stat(text, &born, &dead))
		return -1;
	return born == h->born && !dead;
}

/* --------------------------------------------- files beside a data file -- */

/* Is the file an image of this process? */
static bool
live_is_of(const char *path, uint64_t pid, uint64_t start)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct monimg_header h;
	bool is;

	if (fd < 0)
		return false;
	is = pread(fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) &&
	     image_is(h.magic, sizeof(h.magic)) &&
	     h.version == MONIMG_VERSION && (uint64_t)h.pid == pid &&
	     h.start == start;
	close(fd);
	return is;
}

void
image_warn_newer(struct mon *m)
{
	const struct mon_value *pid = &m->run[MONOUT_R_PID];
	const struct mon_value *start = &m->run[MONOUT_R_START];
	char *name;

	if (m->run[MONOUT_R_END].number != MONOUT_E_DUMP || !pid->set ||
	    !start->set)
		return;
	name = heap_print("%s.%llu.live", m->path,
			  (unsigned long long)pid->number);
	if (live_is_of(name, pid->number, start->number))
		load_warn(m,
			  "written by memmon_dump() while the program "
			  "ran; the newer counts are in %s",
			  name);
	free(name);
}

/* Is the name BASE.DIGITS.live? */
static bool
live_is_name(const char *name, const char *base)
{
	size_t n = strlen(base), digits;

	if (strncmp(name, base, n) || name[n] != '.')
		return false;
	digits = strspn(name + n + 1, "0123456789");
	return digits && !strcmp(name + n + 1 + digits, ".live");
}

/* Is `name' in `dir' newer than *when?  If so, set *when. */
static bool
live_is_newer(int dir, const char *name, struct timespec *when)
{
	struct stat st;

	if (fstatat(dir, name, &st, 0) || !S_ISREG(st.st_mode) ||
	    st.st_mtim.tv_sec < when->tv_sec ||
	    (st.st_mtim.tv_sec == when->tv_sec &&
	     st.st_mtim.tv_nsec < when->tv_nsec))
		return false;
	*when = st.st_mtim;
	return true;
}

char *
image_beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	int length = (int)(base - path);
	struct timespec when = { 0, 0 };
	const struct dirent *d;
	char *found = NULL, *folder;
	DIR *dir;

	if (!*base)
		return NULL;
	folder = heap_print("%.*s", length ? length : 1, length ? path : ".");
	dir = opendir(folder);
	while (dir && (d = readdir(dir))) {
		if (!live_is_name(d->d_name, base) ||
		    !live_is_newer(dirfd(dir), d->d_name, &when))
			continue;
		free(found);
		found = heap_print("%.*s%s", length, path, d->d_name);
	}
	if (dir)
		closedir(dir);
	free(folder);
	return found;
}
