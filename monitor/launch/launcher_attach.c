/* SPDX-License-Identifier: MIT */
/* memmon -p: the options, and the kind of program. */
#include "monitor/launch/launcher_attach.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/attach/attach.h"
#include "monitor/launch/launcher_elf.h"
#include "monitor/launch/launcher_program.h"
#include "monitor/launch/launcher_wait.h"

/* The longest value of --watch. */
enum { WATCH_LENGTH = 40 };

/* The options' values. */
static struct attach wish;

bool
launcher_attach_is_pid(const char *arg)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(arg, &end, 10);
	return *arg >= '1' && *arg <= '9' && !*end && !errno && n <= INT_MAX;
}

/* A time in seconds; 0 if the text isn't a time. */
static double
seconds_of(const char *arg)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = { { "", 1 },     { "s", 1 },  { "ms", 0.001 },
		      { "min", 60 }, { "m", 60 }, { "h", 3600 } };
	char *end;
	double n;

	if (*arg < '0' || *arg > '9')
		return 0;
	n = strtod(arg, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].unit))
			return n * units[i].seconds;
	return 0;
}

bool
launcher_attach_is_time(const char *arg)
{
	double n = seconds_of(arg);

	return n > 0 && n < 1e8;
}

bool
launcher_attach_is_watch(const char *arg)
{
	size_t digits = 0;
	char *end;

	if (*arg < '0' || *arg > '9' || strlen(arg) > WATCH_LENGTH ||
	    strtod(arg, &end) <= 0)
		return false;
	if (*end == ',')
		digits = strspn(++end, "0123456789");
	return (end[-1] != ',' || digits) && !end[digits];
}

void
launcher_attach_option(const char *name, const char *value)
{
	static char watch[sizeof("--watch=") + WATCH_LENGTH];

	if (!strcmp(name, "pid"))
		wish.pid = (pid_t)strtol(value, NULL, 10);
	else if (!strcmp(name, "for"))
		wish.seconds = seconds_of(value);
	else if (!value)
		wish.watch = "--watch";
	else if (snprintf(watch, sizeof(watch), "--watch=%s", value) > 0)
		wish.watch = watch;
}

bool
launcher_attach_wanted(int others, char *why, size_t n)
{
	static const char *const not [] = { "MEMMON_OFF", "MEMMON_SIGNAL",
					    "MEMMON_LOG", "MEMMON_ALLOCATOR" };
	static const char *const option[] = { "--paused", "--signal", "--log",
					      "--allocator" };

	why[0] = '\0';
	if (!wish.pid && (wish.seconds > 0 || wish.watch))
		snprintf(why, n, "--%s needs -p", wish.watch ? "watch" : "for");
	if (!wish.pid)
		return false;
	if (others)
		snprintf(why, n,
			 "-p attaches to a process and takes no program");
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]) && !why[0]; i++)
		if (getenv(not [i]))
			snprintf(why, n, "%s (%s) can't be used with -p",
				 option[i], not [i]);
	return !why[0];
}

/* The data file's name, for a process with another working directory. */
static bool
set_output(void)
{
	const char *name = getenv("MEMMON_OUT");
	char cwd[PATH_MAX], path[3 * PATH_MAX];
	size_t n = 0;

	if (!name || !*name)
		name = "mon.out";
	if (*name != '/') {
		if (!getcwd(cwd, sizeof(cwd)))
			return false;
		/* A percent sign in the directory's name stays one. */
		for (const char *p = cwd; *p; p++) {
			path[n++] = *p;
			if (*p == '%')
				path[n++] = '%';
		}
		path[n++] = '/';
	}
	return snprintf(path + n, sizeof(path) - n, "%s", name) <
		       (int)(sizeof(path) - n) &&
	       setenv("MEMMON_OUT", path, 1) == 0;
}

/* Is the program of the process one that can't be recorded?  See attach.h. */
static bool
refuses(int fd, char *why, size_t n)
{
	return launcher_elf_refuses(fd, "its loader", false, why, n);
}

/* Defined only in builds with libunwind. */
#pragma weak attach_run

bool
launcher_attach(const char *library, bool report)
{
	static char watcher[PATH_MAX], program[PATH_MAX];
	const char *file;

	if (!attach_run) {
		fprintf(stderr,
			"memmon: -p isn't available: memmon was built without "
			"libunwind-ptrace; start the program by memmon\n");
		return false;
	}
	if (!set_output()) {
		fprintf(stderr,
			"memmon: the name of the data file is too long\n");
		return false;
	}
	unsetenv("MEMMON_ROOT");
	wish.library = library;
	launcher_reducer(watcher, sizeof(watcher));
	wish.watcher = watcher;
	wish.refuses = refuses;
	wish.looks = launcher_program_own;
	wish.program = program;
	wish.program_size = sizeof(program);
	file = attach_run(&wish);
	if (file && report)
		launcher_report(program, file);
	else if (file && isatty(2))
		launcher_say(program, file, false);
	else if (file)
		fprintf(stderr, "memmon: wrote %s\n", file);
	return file != NULL;
}
