/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pager: see options.h.  git(1) chooses its pager in the same way. */
#include "display/cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Is the program in PATH?  If it failed later, the output would be lost. */
static bool
screen_pager_is_there(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char *file;
	bool found = false;

	for (; path && *path && !found; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		if (asprintf(&file, "%.*s/%s", (int)(end - path), path, name) <
		    0)
			return false;
		found = access(file, X_OK) == 0;
		free(file);
	}
	return found;
}

/* The command of the pager, or NULL: none is wanted, or none was found. */
static const char *
command(const struct options *o)
{
	const char *pager = getenv("MPREDUCE_PAGER");

	if (o->no_pager || o->watch > 0 || o->format ||
	    (o->output && strcmp(o->output, "-") != 0) ||
	    !isatty(STDOUT_FILENO) || screen_is_plain())
		return NULL;
	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = screen_pager_is_there("less") ? "less" : "";
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

static __attribute__((noreturn)) void
become(const char *pager, int in)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(in, STDIN_FILENO) >= 0) {
		/*
		 * less: end if all fits, pass colours through, leave the text
		 * on the screen.
		 */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	}
	_exit(127);
}

static struct screen_pager *running; /* what exit() waits for */

static void
screen_pager_exit(void)
{
	if (running)
		screen_pager_end(running);
}

void
screen_pager_begin(struct screen_pager *s, const struct options *o)
{
	const char *pager = command(o);
	int fd[2];

	s->pid = 0;
	if (!pager || pipe2(fd, O_CLOEXEC))
		return;
	s->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	s->pid = fork();
	if (s->pid == 0)
		become(pager, fd[0]);
	close(fd[0]);
	if (s->pid > 0) {
		/* The pager handles an interrupt, and may end early. */
		signal(SIGINT, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
		dup2(fd[1], STDOUT_FILENO);
		running = s;
		atexit(screen_pager_exit);
	} else {
		s->pid = 0;
	}
	close(fd[1]);
}

void
screen_pager_end(struct screen_pager *s)
{
	int status = 0;

	if (!s->pid)
		return;
	/* Unread output is not an error if the user left the pager early. */
	if ((fflush(stdout) || ferror(stdout)) && errno == EPIPE) {
		__fpurge(stdout);
		clearerr(stdout);
	}
	if (dup2(s->terminal, STDOUT_FILENO) < 0)
		close(STDOUT_FILENO);
	close(s->terminal);
	while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) >= 126)
		fprintf(stderr, "mpreduce: the pager can't be run; name "
				"another one in MPREDUCE_PAGER, or give "
				"--no-pager\n");
	s->pid = 0;
	running = NULL;
}
