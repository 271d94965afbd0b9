/* SPDX-License-Identifier: MIT */
/* Generated code: the files that list it. */
#include "monitor/chain/generated.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "monitor/base/process.h"

/* A file, and how much of it was read. */
struct source {
	char path[PATH_MAX]; /* "" not known */
	uint64_t at;
	bool bad; /* invalid: no more is read */
};

/* Guarded by the callers of mmi_generated_read(). */
static struct source map, dump;
static char buffer[65536];
static long pid; /* of the process that the files belong to */
static uint64_t search_at, search_step;

/* How much is read at one time, unless all is read. */
#define PORTION (1u << 20)

/*
 * Opens the source if it has more than was read; less than 0: it hasn't.
 * Ignores files that another user could have written.
 */
static int
source_open(struct source *s, uint64_t *size)
{
	struct stat st;
	long fd;

	if (s->bad || !s->path[0])
		return -1;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, s->path,
		      O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0, 0);
	if (fd < 0)
		return -1;
	if (ARCH_SYS(SYS_fstat, fd, &st, 0, 0, 0, 0) == 0 &&
	    S_ISREG(st.st_mode) && (uint64_t)st.st_size > s->at &&
	    st.st_uid == (uid_t)ARCH_SYS(SYS_geteuid, 0, 0, 0, 0, 0, 0)) {
		*size = (uint64_t)st.st_size;
		return (int)fd;
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return -1;
}

static size_t
source_read(int fd, uint64_t at, char *to, size_t n)
{
	long r = ARCH_SYS(SYS_pread64, fd, to, n, at, 0, 0);

	return r > 0 ? (size_t)r : 0;
}

/* --------------------------------------------------------------- a map -- */

/* A line: START SIZE NAME; the first two are hexadecimal. */
static bool
map_line(const char *s, const char *end)
{
	uintptr_t start = mmi_process_hex(&s), size;

	if (s >= end || *s != ' ')
		return true;
	size = mmi_process_hex(&s);
	if (s >= end || *s != ' ')
		return true;
	s++;
	return mmi_generated_add(start, size, s, (size_t)(end - s));
}

/* Reads the lines in the buffer; returns the number of their bytes. */
static size_t
map_lines(size_t have)
{
	char *s = buffer, *end;

	while ((end = memchr(s, '\n', (size_t)(buffer + have - s)))) {
		*end = '\0';
		if (end > s && !map_line(s, end)) {
			map.bad = true;
			break;
		}
		s = end + 1;
	}
	/* A longer line is skipped, piece by piece. */
	if (s == buffer && have == sizeof(buffer))
		return have;
	return (size_t)(s - buffer);
}

static void
map_read(bool all)
{
	uint64_t size, until;
	size_t have, n = 1;
	int fd = source_open(&map, &size);

	if (fd < 0)
		return;
	for (until = map.at + PORTION; n && (all || map.at < until);
	     map.at += n) {
		have = source_read(fd, map.at, buffer, sizeof(buffer));
		n = map_lines(have);
		if (map.bad)
			break;
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* ------------------------------------------------------------- a jitdump -- */

/* tools/perf/Documentation/jitdump-specification.txt of Linux. */
#define DUMP_MAGIC 0x4a695444u
struct dump_header {
	uint32_t magic, version, size, machine, unused, pid;
	uint64_t time, flags;
};
enum { DUMP_LOAD, DUMP_MOVE };
struct dump_record {
	uint32_t id, size;
	uint64_t time;
};
struct dump_load {
	uint32_t pid, tid;
	uint64_t vma, start, size, number;
};
struct dump_move {
	uint32_t pid, tid;
	uint64_t vma, from, start, size, number;
};

/* How much is read of a record: its name follows a struct dump_load. */
#define DUMP_HEAD (sizeof(struct dump_record) + sizeof(struct dump_load) + 1024)

static bool
dump_one(const struct dump_record *r, const char *p, size_t n)
{
	const struct mmi_generated *c;
	struct dump_load l;
	struct dump_move m;

	if (r->id == DUMP_LOAD && n > sizeof(l)) {
		memcpy(&l, p, sizeof(l));
		p += sizeof(l);
		return mmi_generated_add(l.start, l.size, p,
					 strnlen(p, n - sizeof(l)));
	}
	if (r->id == DUMP_MOVE && n >= sizeof(m)) {
		memcpy(&m, p, sizeof(m));
		c = mmi_generated_find(m.from);
		return !c ||
		       mmi_generated_add(m.start, m.size, c->name, c->length);
	}
	return true;
}

/*
 * Reads the records at dump.at, in a file of `size' bytes.  False: no more yet.
 */
static bool
dump_records(int fd, uint64_t size)
{
	size_t have = source_read(fd, dump.at, buffer, sizeof(buffer)), at = 0;
	struct dump_record r;
	size_t n;

	while (have > at && have - at >= sizeof(r)) {
		memcpy(&r, buffer + at, sizeof(r));
		n = r.size < DUMP_HEAD ? r.size : DUMP_HEAD;
		if (r.size < sizeof(r)) {
			dump.bad = true;
			return false;
		}
		if (r.size > size - dump.at)
			return false;
		if (n > have - at)
			break;
		if (!dump_one(&r, buffer + at + sizeof(r), n - sizeof(r))) {
			dump.bad = true;
			return false;
		}
		dump.at += r.size;
		at += r.size;
	}
	return at > 0;
}

static void
dump_read(bool all)
{
	struct dump_header h;
	uint64_t size, until;
	int fd = source_open(&dump, &size);

	if (fd < 0)
		return;
	until = dump.at + PORTION;
	if (!dump.at &&
	    source_read(fd, 0, (char *)&h, sizeof(h)) == sizeof(h)) {
		dump.bad = h.magic != DUMP_MAGIC || h.size < sizeof(h);
		dump.at = h.size;
	}
	while (!dump.bad && dump.at && dump.at < size &&
	       (all || dump.at < until) && dump_records(fd, size))
		;
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* ------------------------------------------------------- where they are -- */

/* to = before + pid + after. */
static void
name_of(char *to, const char *before, const char *after)
{
	size_t n = strlen(before);

	memcpy(to, before, n);
	to = mmi_process_decimal(to + n, (uint64_t)pid);
	memcpy(to, after, strlen(after) + 1);
}

/* Is this the mapping of the dump?  Then its path goes to `dump'. */
static bool
dump_line(const char *s, const char *end, const char *name)
{
	size_t n = strlen(name);
	const char *path;

	if ((size_t)(end - s) <= n || memcmp(end - n, name, n) != 0)
		return false;
	path = memchr(s, '/', (size_t)(end - s));
	if (!path || (size_t)(end - path) >= sizeof(dump.path))
		return false;
	memcpy(dump.path, path, (size_t)(end - path));
	dump.path[end - path] = '\0';
	return true;
}

/* A program that writes a dump maps it, to show perf(1) its place. */
static void
dump_search(void)
{
	char name[64], *s, *end;
	size_t have = 0;
	long r, fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/maps",
			      O_RDONLY | O_CLOEXEC, 0, 0, 0);

	if (fd < 0)
		return;
	name_of(name, "/jit-", ".dump");
	while ((r = ARCH_SYS(SYS_read, fd, buffer + have, sizeof(buffer) - have,
			     0, 0, 0)) > 0) {
		have += (size_t)r;
		for (s = buffer;
		     (end = memchr(s, '\n', (size_t)(buffer + have - s)));
		     s = end + 1)
			if (dump_line(s, end, name))
				goto found;
		have = (size_t)(buffer + have - s);
		memmove(buffer, s, have);
		if (have == sizeof(buffer))
			break;
	}
found:
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
}

void
mmi_generated_read(bool all)
{
	uint64_t now = arch_ticks();

	if (pid != mmi_process.pid) {
		pid = mmi_process.pid;
		map = dump = (struct source){ 0 };
		name_of(map.path, "/tmp/perf-", ".map");
		search_at = 0;
		search_step = 1u << 26;
	}
	if (!dump.path[0] && (all || now >= search_at)) {
		dump_search();
		search_step *= search_step < 1u << 31 ? 2 : 1;
		search_at = now + search_step;
	}
	map_read(all);
	dump_read(all);
}
