/* SPDX-License-Identifier: MIT */
/*
 * memmon: run a program with the monitor preloaded.  This process becomes the
 * program, so that pid, exit status, terminal and signals are the program's
 * own.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "monitor/base/duration.h"
#include "monitor/base/signame.h"
#include "monitor/launch/launcher_attach.h"
#include "monitor/launch/calibrate.h"
#include "monitor/launch/launcher_place.h"
#include "monitor/launch/launcher_probe.h"
#include "monitor/launch/launcher_program.h"
#include "monitor/launch/launcher_wait.h"
#include "monitor/launch/launcher_with.h"
#include "monitor/launch/probe.h"

#ifndef MEMMON_LIBDIR
#define MEMMON_LIBDIR "/usr/local/lib"
#endif

static bool quiet, report;
static const char *with; /* allocators to run it with, --with */
static bool calibrates;	 /* --calibrate-allocators=`with' */

static const char usage[] =
	"usage: memmon [options] [--] program [argument ...]\n"
	"       memmon [options] -p pid\n"
	"       memmon --calibrate-allocators[=list]\n";

/* The library beside this program (a build tree), or where it's installed. */
static void
find_library(char *to, size_t n)
{
	static const char name[] = "libmemmon.so.0";
	char exe[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	/* If there is no /proc: the path that it was called by. */
	if (len < 0 && realpath((char *)getauxval(AT_EXECFN), exe))
		len = (ssize_t)strlen(exe);
	if (len > 0) {
		exe[len] = '\0';
		slash = strrchr(exe, '/');
		if (slash) {
			*slash = '\0';
			if (snprintf(to, n, "%s/%s", exe, name) < (int)n &&
			    access(to, R_OK) == 0)
				return;
			/* Installed, and then moved with the whole tree. */
			slash = strrchr(exe, '/');
			if (slash)
				*slash = '\0';
			if (slash &&
			    snprintf(to, n, "%s/lib/%s", exe, name) < (int)n &&
			    access(to, R_OK) == 0)
				return;
		}
	}
	if (snprintf(to, n, "%s/%s", MEMMON_LIBDIR, name) < (int)n &&
	    access(to, R_OK) == 0)
		return;
	launcher_die(EXIT_OURS,
		     "%s is neither beside memmon nor in %s; install memmon "
		     "again",
		     name, MEMMON_LIBDIR);
}

/* The library first, then the user's libraries: maybe the real allocator. */
static void
set_preload(void)
{
	char lib[PATH_MAX + 32];

	find_library(lib, sizeof(lib));
	if (strpbrk(lib, ": "))
		launcher_die(EXIT_OURS,
			     "%s: LD_PRELOAD can't contain a path with a blank "
			     "or a colon; move the library",
			     lib);
	launcher_preload(lib);
}

/* ------------------------------------------------------------- options -- */

/* A number above 0, with K, M or G or without; 0: it isn't one. */
static unsigned long
amount(const char *arg)
{
	static const char letters[] = "kKmMgG";
	const char *letter = NULL;
	unsigned long n;
	unsigned shift;
	char *end;

	errno = 0;
	n = strtoul(arg, &end, 10);
	if (*end)
		letter = strchr(letters, *end);
	if (*arg < '0' || *arg > '9' || errno || (*end && (!letter || end[1])))
		return 0;
	shift = letter ? 10 * ((unsigned)(letter - letters) / 2 + 1) : 0;
	return n <= ULONG_MAX >> shift ? n << shift : 0;
}

static bool
is_depth(const char *arg)
{
	unsigned long n = amount(arg);

	return n && n <= 1048575 && !arg[strspn(arg, "0123456789")];
}

static bool
is_amount(const char *arg)
{
	return amount(arg) != 0;
}

/* 1/N, or N. */
static bool
is_fraction(const char *arg)
{
	return is_amount(!strncmp(arg, "1/", 2) ? arg + 2 : arg);
}

static bool
is_signal(const char *arg)
{
	enum mmi_signame_action action;

	return mmi_signame_parse(arg, &action);
}

static bool
is_duration(const char *arg)
{
	return mmi_duration(arg) != 0;
}

static bool
is_list(const char *arg)
{
	return !strcmp(arg, "list");
}

static bool
is_name(const char *arg)
{
	return *arg;
}

static bool
is_allocators(const char *arg)
{
	return *arg && !strstr(arg, ",,");
}

/* Seconds, and kinds of pointers that count. */
static bool
is_check(const char *arg)
{
	size_t n;

	do {
		n = strcspn(arg, ",");
		if (!(n == 9 && !strncmp(arg, "unaligned", n)) &&
		    !(n == 6 && !strncmp(arg, "tagged", n)) &&
		    !(n && n <= 5 && strspn(arg, "0123456789") == n))
			return false;
		arg += n;
	} while (*arg++);
	return true;
}

/* At least 1M: a smaller log has room for few buffers. */
static bool
is_log(const char *arg)
{
	return amount(arg) >= 1ul << 20;
}

/*
 * An option sets the variable that the monitor reads to its value.  An option
 * without a variable is the launcher's own.
 */
struct launcher_option {
	const char *name;
	char letter;
	const char *arg;      /* "=FILE": it needs a value, "[=SIZE]": may have
			       * one */
	const char *variable; /* "1" without a value */
	bool (*is)(const char *arg);
	const char *takes; /* what is() checks */
	const char *help;
};

static const struct launcher_option rows[] = {
	{ "depth", 'd', "=FRAMES", "MEMMON_DEPTH", is_depth,
	  "a number from 1 to 1048575",
	  "record the innermost FRAMES functions of a call path\n"
	  "(default 1024)" },
	{ "output", 'o', "=FILE", "MEMMON_OUT", is_name, "a file name",
	  "write the data file there (default mon.out); %p is\n"
	  "the process id, %e the executable, %h the host, %t the\n"
	  "time, %r the rank in a parallel job, %j the job" },
	{ "chain-limit", 0, "=CALLS", "MEMMON_CHAIN_LIMIT", is_amount,
	  "a number above 0, as 65536 or 64K",
	  "store at most CALLS calls of call paths; later paths\n"
	  "keep only their innermost calls (default 65536)" },
	{ "full-chains", 0, "[=CALLS]", "MEMMON_FULL_CHAINS", is_amount,
	  "a number above 0, as 65536 or 64K",
	  "don't fold recursion, until CALLS calls of call paths\n"
	  "are stored (default 4096)" },
	{ "allocator", 0, "[=1/N]", "MEMMON_ALLOCATOR", is_fraction,
	  "1/ and a number above 0, as 1/100",
	  "also record what malloc itself costs: the time of each\n"
	  "call, or of one in N, its system calls and locks" },
	{ "with", 0, "=LIST", NULL, is_allocators,
	  "names of allocators, as glibc,jemalloc",
	  "run the program once with each allocator: glibc,\n"
	  "jemalloc, mimalloc, tcmalloc, or the path of a library;\n"
	  "mpreduce --allocator=compare compares them" },
	{ "calibrate-allocators", 0, "[=LIST]", NULL, is_allocators,
	  "names of allocators, as glibc,jemalloc",
	  "measure these allocators on this machine, or all that\n"
	  "are installed; mpreduce predicts costs from it" },
	{ "leak-check", 'l', "[=LIST]", "MEMMON_LEAKCHECK", is_check,
	  "a number of seconds, unaligned, tagged, or a list of these",
	  "find leaks, at the end and in each snapshot; LIST: the\n"
	  "seconds that it may take (60), unaligned (pointers at\n"
	  "any address), tagged (pointers with other bits set)" },
	{ "graph", 0, "", "MEMMON_GRAPH", NULL, NULL,
	  "find leaks, and which blocks, variables and threads hold\n"
	  "the others (mpreduce --retained, --holders, --path-to)" },
	{ "log", 0, "[=SIZE]", "MEMMON_LOG", is_log,
	  "a size of 1M or more, with K, M or G",
	  "also write each block with its times to FILE.log, of\n"
	  "at most SIZE bytes (default 256M; K, M, G)" },
	{ "paused", 0, "", "MEMMON_OFF", NULL, NULL,
	  "record nothing until a signal or the program asks" },
	{ "sample", 0, "=BYTES", "MEMMON_SAMPLE", is_amount,
	  "a number of bytes above 0, as 512K or 1M",
	  "record only a sample: one in BYTES bytes (512K): cheap\n"
	  "enough for production; all figures are estimates" },
	{ "every", 0, "=TIME", "MEMMON_EVERY", is_duration,
	  "a time, as 30s, 10m, 2h or 1d",
	  "also write a snapshot at this interval: FILE.PID.N" },
	{ "keep", 0, "=NUMBER|SIZE", "MEMMON_KEEP", is_amount,
	  "a number of files, or a size with K, M or G",
	  "with --every: keep this many snapshots, or bytes of\n"
	  "them, and remove the oldest" },
	{ "signal", 0, "=SIGNAL[:leaks|graph|start|stop|toggle]",
	  "MEMMON_SIGNAL", is_signal,
	  "the name or number of a signal that can be caught, with or "
	  "without :dump, :leaks, :graph, :start, :stop or :toggle",
	  "write a snapshot when the program gets this signal; with\n"
	  "leaks or graph after a leak check, as -l or --graph; or\n"
	  "start, stop or toggle recording" },
	{ "pid", 'p', "=PID", NULL, launcher_attach_is_pid,
	  "the id of a process",
	  "attach to a running process and record it until ^C;\n"
	  "then write the data file and detach" },
	{ "for", 0, "=TIME", NULL, launcher_attach_is_time,
	  "a time above 0, as 10s, 500ms, 2min or 1h",
	  "with -p: detach after this time (s, ms, min, h)" },
	{ "watch", 0, "[=SECONDS[,COUNT]]", NULL, launcher_attach_is_watch,
	  "a number of seconds above 0, or one and a count, as 1,10",
	  "with -p: show the process live, as mpreduce --watch" },
	{ "no-children", 0, "", "MEMMON_FOLLOW", NULL, NULL,
	  "don't record the programs that the program starts" },
	{ "follow", 0, "=PATTERN", "MEMMON_FOLLOW", is_name,
	  "a pattern of names of programs, as 'cc1*'",
	  "of the programs that the program starts, record only\n"
	  "those whose names fit the pattern, as 'cc1*'" },
	{ "report", 0, "", NULL, NULL, NULL,
	  "at the end, print mpreduce's summary on standard error" },
	{ "quiet", 'q', "", NULL, NULL, NULL,
	  "print no messages of memmon's own" },
	{ "help", 'h', "[=list]", NULL, is_list, "list or nothing",
	  "print these lines; or one line an option, for scripts" },
	{ "version", 'v', "", NULL, NULL, NULL, "print the version" },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]), LONG = 256 };

static void
print_help(void)
{
	printf("%s\nRuns a program and records its heap allocations in "
	       "mon.out.  "
	       "mpreduce prints\nthem.  man memmon explains everything.\n\n",
	       usage);
	for (int i = 0; i < ROWS; i++) {
		const struct launcher_option *r = &rows[i];
		int n = printf(r->letter ? "  -%c, " : "      ", r->letter);
		size_t len;

		n += printf("--%s%s", r->name, r->arg);
		if (n >= 22) {
			putchar('\n');
			n = 0;
		}
		for (const char *h = r->help; *h; h += len + (h[len] != '\0')) {
			len = strcspn(h, "\n");
			printf("%*s%.*s\n", 22 - n, "", (int)len, h);
			n = 0;
		}
	}
	printf("\nEach child process writes its own file, FILE.PID, unless "
	       "FILE "
	       "contains %%p.\nThe exit status is the program's.\n");
}

/* --help=list, in mpreduce's format: shell completion is made from it. */
static void
print_list(void)
{
	for (int i = 0; i < ROWS; i++) {
		const struct launcher_option *r = &rows[i];

		const char letter[] = { r->letter, '\0' };

		printf("%s\t\t%s\t%s\t\t", r->name, letter, r->arg);
		for (const char *h = r->help; *h; h++)
			putchar(*h == '\n' ? ' ' : *h);
		putchar('\n');
	}
}

/* The argument is an unknown option: print the one with the most similar
 * start. */
static void
suggest(const char *argument)
{
	const char *name = argument + 2;
	size_t best = 0, n, k = 0;

	for (size_t i = 0; *argument == '-' && i < ROWS; i++) {
		n = 0;
		while (name[n] && name[n] == rows[i].name[n])
			n++;
		if (n > best) {
			best = n;
			k = i;
		}
	}
	if (best >= 3)
		fprintf(stderr, "memmon: do you mean --%s?\n", rows[k].name);
}

static void
take(const struct launcher_option *r, const char *arg)
{
	if (arg && !r->is(arg))
		launcher_die(EXIT_OURS, "--%s takes %s, not '%s'", r->name,
			     r->takes, arg);
	if (r->letter == 'h') {
		if (arg)
			print_list();
		else
			print_help();
		exit(0);
	}
	if (r->letter == 'v') {
		puts("memmon " MEMMON_VERSION);
		exit(0);
	}
	if (r->letter == 'q') {
		quiet = true;
		return;
	}
	if (!strcmp(r->name, "report")) {
		report = true;
		return;
	}
	if (arg && r->is == is_fraction && !strncmp(arg, "1/", 2))
		arg += 2;
	if (r->is == is_allocators) {
		with = arg;
		calibrates = *r->arg == '[';
		return;
	}
	/* A name without a file matches no program. */
	if (r->variable)
		launcher_set(r->variable, arg			  ? arg
					  : !strcmp(r->name, "no-children")
						  ? "/"
						  : "1");
	else
		launcher_attach_option(r->name, arg);
}

static void
options(int argc, char **argv)
{
	struct option longs[ROWS + 1] = { { NULL, 0, NULL, 0 } };
	/* "+": arguments behind the program belong to the program. */
	char letters[2 * ROWS + 2] = "+", *at = letters + 1;
	int c, i;

	for (i = 0; i < ROWS; i++) {
		int args = !*rows[i].arg	   ? no_argument
			   : *rows[i].arg == '[' ? optional_argument
						 : required_argument;

		longs[i] =
			(struct option){ rows[i].name, args, NULL, LONG + i };
		if (rows[i].letter)
			*at++ = rows[i].letter;
		if (rows[i].letter && args == required_argument)
			*at++ = ':';
	}
	for (i = 1; i < argc && argv[i][0] == '-'; i++)
		if (!strcmp(argv[i], "--off"))
			launcher_die(EXIT_OURS,
				     "--off: the option is now --paused");
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		for (i = 0; i < ROWS && c != LONG + i && c != rows[i].letter;
		     i++)
			;
		if (i == ROWS) {
			if (!optopt)
				suggest(argv[optind - 1]);
			fputs(usage, stderr);
			exit(EXIT_OURS);
		}
		take(&rows[i], optarg);
	}
}

/* Report before the program runs if its data file can't be written. */
static void
check_place(const char *program)
{
	char what[PATH_MAX + 128];

	if (!launcher_place_check(program, what, sizeof(what)))
		launcher_die(EXIT_OURS,
			     "%s: the data file can't be written; name another "
			     "place with -o",
			     what);
}

/* Python has its own allocator; memmon sees only the large pieces. */
static void
python(const char *program)
{
	const char *slash = strrchr(program, '/');

	if (quiet || !isatty(2) || getenv("PYTHONMALLOC") ||
	    strncmp(slash ? slash + 1 : program, "python", 6) != 0)
		return;
	fprintf(stderr, "memmon: python keeps small objects in pools of its "
			"own; set PYTHONMALLOC=malloc to see the objects\n");
}

/*
 * Become the program of that name, with the library in it; or return the status
 * to exit with.  `recorded' is the recorded file, if `file' is a loader that
 * runs it.
 */
static int
run(const char *file, const char *recorded, char *const *argv)
{
	int e, watcher, waiter = launcher_wait(recorded, !quiet, report);
	char pid[24];

	set_preload();
	/* Always 10 digits: so the environment has the same size in each
	 * run. */
	snprintf(pid, sizeof(pid), "%010ld", (long)getpid());
	launcher_set("MEMMON_ROOT", pid);
	watcher = waiter < 0 ? launcher_place_watch() : -1;
	execvp(file, argv);
	e = errno;
	launcher_place_forget(watcher);
	launcher_wait_failed(waiter);
	fprintf(stderr, "memmon: %s: %s\n", file, strerror(e));
	return e == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT;
}

/* --calibrate-allocators. */
static int
calibrate(int operands)
{
	char *const argv[] = { (char *)CALIBRATE_NAME, NULL };
	int status;

	if (operands)
		launcher_die(EXIT_OURS, "--calibrate-allocators takes no "
					"program; use --with to run a program");
	status = launcher_with_calibrate(with);
	if (status >= 0)
		return status;
	quiet = true;
	check_place(CALIBRATE_NAME);
	launcher_probe("/proc/self/exe");
	return run("/proc/self/exe", "/proc/self/exe", argv);
}

int
main(int argc, char **argv)
{
	char buffer[PATH_MAX], why[160];
	const char *path, *recorded;
	int status;

	if (argc > 0 && !strcmp(argv[0], PROBE_NAME))
		return probe_run();
	if (argc > 0 && !strcmp(argv[0], CALIBRATE_NAME))
		return calibrate_run();
	options(argc, argv);
	if (launcher_attach_wanted(argc - optind, why, sizeof(why))) {
		if (with || calibrates)
			launcher_die(EXIT_OURS,
				     "--with and --calibrate-allocators can't "
				     "be used with -p");
		find_library(buffer, sizeof(buffer));
		return launcher_attach(buffer, report) ? 0 : EXIT_OURS;
	}
	if (why[0])
		launcher_die(EXIT_OURS, "%s", why);
	if (calibrates)
		return calibrate(argc - optind);
	if (optind == argc) {
		fputs(usage, stderr);
		return EXIT_OURS;
	}
	path = launcher_program_find(argv[optind], buffer, sizeof(buffer));
	recorded = path ? launcher_program_check(path, argv + optind) : NULL;
	if (with && (status = launcher_with(with, quiet)) >= 0)
		return status;
	check_place(recorded);
	python(argv[optind]);
	launcher_probe(launcher_program_elf());
	return run(argv[optind], recorded == path ? argv[optind] : recorded,
		   argv + optind);
}
