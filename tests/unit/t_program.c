/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs as files: a damaged program never makes the monitor read outside it
 * or search for long; and the arguments of a loader.
 */
#include "monitor/base/program.c"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/tap.h"

struct mmi_process mmi_process;

/* These bytes hold the ELF header and the program headers. */
#define HEADERS 800u

static unsigned char bytes[1 << 20];
static size_t size;

static unsigned
next(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (unsigned)(x >> 32);
}

static void
put(int fd)
{
	if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) < 0)
		_exit(9);
}

/* Eight random bytes of the headers or the dynamic section change. */
static void
damage(void)
{
	static const uint64_t odd[] = { 0,	   1,	       8,
					~0ull,	   1ull << 63, 0x7fffffff,
					0xfffffff, 5,	       0x6ffffef5 };
	size_t at = next() % HEADERS & ~3u;

	if (next() % 4 == 0)
		at = next() % (size - 8);
	memcpy(bytes + at, &odd[next() % (sizeof(odd) / sizeof(*odd))], 8);
}

static int
argument(const char *a, const char *b, const char *c, const char *d)
{
	char *argv[] = { "ld.so",   (char *)a, (char *)b,
			 (char *)c, (char *)d, NULL };

	return mmi_program_argument(argv);
}

int
main(int argc, char **argv)
{
	int self = (int)mmi_program_open(AT_FDCWD, argv[0]), fd, kinds = 0;
	struct mmi_program p;
	ssize_t n;

	(void)argc;
	mmi_program_look(self, &p);
	ok(p.kind == MMI_PROGRAM_FITS || p.kind == MMI_PROGRAM_SANITIZER ||
		   p.kind == MMI_PROGRAM_STATIC,
	   "this program has a kind");
	n = pread(self, bytes, sizeof(bytes), 0);
	size = n > 0 ? (size_t)n : 0;
	fd = memfd_create("program", 0);
	for (int i = 0; i < 600; i++) {
		if (pread(self, bytes, size, 0) != n)
			_exit(9);
		for (unsigned k = next() % 4; k-- > 0;)
			damage();
		put(fd);
		if (i % 3 == 0 && ftruncate(fd, next() % size) != 0)
			_exit(9);
		mmi_program_look(fd, &p);
		kinds |= 1 << p.kind;
		if (strlen(p.loader) >= sizeof(p.loader) ||
		    strlen(p.sanitizer) >= sizeof(p.sanitizer))
			kinds = 0;
	}
	ok(kinds & 1 << MMI_PROGRAM_UNKNOWN, "damaged ones were looked at");
	ok(mmi_program_open(AT_FDCWD, "/dev/null") < 0 &&
		   mmi_program_open(AT_FDCWD, "/") < 0 &&
		   mmi_program_open(AT_FDCWD, "/not/there") < 0,
	   "what is no regular file isn't opened");
	fd = (int)mmi_program_open(fd, "");
	ok(fd >= 0, "a file that has a descriptor alone is opened");
	is_int(argument("./a", "--list", NULL, NULL), 1, "a program");
	is_int(argument("--argv0", "x", "./a", NULL), 3, "behind an option");
	is_int(argument("--inhibit-cache", "--", "./a", NULL), 3, "behind --");
	is_int(argument("--list", "./a", NULL, NULL), 0, "--list runs none");
	is_int(argument("--unknown", "./a", NULL, NULL), 0, "nor what is new");
	is_int(argument("--preload", NULL, NULL, NULL), 0, "nor half of one");
	is_int(argument(NULL, NULL, NULL, NULL), 0, "nor no arguments");
	return done_testing();
}
