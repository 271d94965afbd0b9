/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run a command and measure the resources it takes, with its helper processes.
 *
 *	measure [-o output] [-r result] [-w seconds] command [argument...]
 *
 * Standard output goes to the file `output' (/dev/null), standard input is
 * empty.  The file `result' gets one line:
 *
 *	seconds, by the clock
 *	seconds of CPU, user and system, of the process and all descendants
 *	largest resident set of any one of these processes, in bytes
 *	exit status; 128 + the signal when it was killed by one
 *
 * measure waits for helpers that outlive the command for as long as -w says, a
 * second by default.  The exit status is the command's, 125 when it couldn't be
 * run or measured.  Linked statically: if a tool runs measure, and measure runs
 * the program, a preloaded library affects the program only.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu;
static long peak;	/* KB */

static _Noreturn void
die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	_exit(125);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
open_as(int fd, const char *file, int flags)
{
	int from = open(file, flags, 0666);

	if (from < 0 || dup2(from, fd) < 0)
		die(file);
	close(from);
}

/* Adds a process that has ended, with those that it has waited for itself. */
static void
add(const struct rusage *u)
{
	cpu += (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
	if (u->ru_maxrss > peak)
		peak = u->ru_maxrss;
}

/* Helpers that outlive the command become children of this process.  Waits
 * `seconds' for them; one that stays longer (a daemon?) isn't counted. */
static void
add_orphans(int seconds)
{
	struct timespec pause = { 0, 10000000 };
	struct rusage u;
	pid_t pid;

	for (int i = 0; i < 100 * seconds; i++) {
		while ((pid = wait4(-1, NULL, WNOHANG, &u)) > 0)
			add(&u);
		if (pid < 0)
			return;
		nanosleep(&pause, NULL);
	}
}

int
main(int argc, char **argv)
{
	const char *output = "/dev/null", *result = NULL;
	struct rusage u;
	double start, wall;
	int o, status, wait_for = 1;
	pid_t pid;

	while ((o = getopt(argc, argv, "+o:r:w:")) != -1) {
		if (o == '?')
			return 125;
		if (o == 'w')
			wait_for = atoi(optarg);
		else
			*(o == 'o' ? &output : &result) = optarg;
	}
	if (optind == argc) {
		fputs("measure: no command\n", stderr);
		return 125;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	start = now();
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		open_as(0, "/dev/null", O_RDONLY);
		open_as(1, output, O_WRONLY | O_CREAT | O_TRUNC);
		execvp(argv[optind], argv + optind);
		die(argv[optind]);
	}
	while (wait4(pid, &status, 0, &u) < 0)
		if (errno != EINTR)
			die("wait");
	wall = now() - start;
	add(&u);
	add_orphans(wait_for);
	status = WIFEXITED(status) ? WEXITSTATUS(status)
				   : 128 + WTERMSIG(status);
	if (result) {
		FILE *f = fopen(result, "w");

		if (!f ||
		    fprintf(f, "%.6f %.6f %ld %d\n", wall, cpu, peak * 1024,
			    status) < 0 ||
		    fclose(f) != 0)
			die(result);
	}
	return status;
}
