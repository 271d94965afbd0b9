/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process executes another program while memmon attaches to it. */
#include <poll.h>
#include <signal.h>

#include "tests/tap.h"

#include "monitor/attach/target.c"
#include "monitor/attach/target_process.c"

/* The child executes sleep(1) when its end of the pipe is closed. */
static pid_t
begin(int *end)
{
	int go[2], n;
	char c;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) != 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		do
			n = (int)read(go[0], &c, 1);
		while (n < 0 && errno == EINTR);
		execlp("sleep", "sleep", "1000", (char *)NULL);
		_exit(127);
	}
	close(go[0]);
	*end = go[1];
	return pid;
}

/* Let the process go on, until it has executed its program. */
static void
execute(pid_t pid, int end)
{
	char file[64], to[4096] = "", was[4096] = "";

	snprintf(file, sizeof(file), "/proc/%ld/exe", (long)pid);
	if (readlink(file, was, sizeof(was) - 1) < 0)
		return;
	close(end);
	do {
		poll(NULL, 0, 1);
		memset(to, 0, sizeof(to));
	} while (readlink(file, to, sizeof(to) - 1) > 0 && !strcmp(to, was));
}

static void
end(struct target *t, pid_t pid)
{
	target_close(t);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int
main(void)
{
	struct target t;
	int go;
	pid_t pid = begin(&go);

	ok(target_open(&t, pid), "a process is opened");
	ok(t.nmodules > 0 && !target_replaced(&t), "... it is the one opened");
	execute(pid, go);
	ok(target_replaced(&t), "... and not after it has executed another");
	end(&t, pid);

	/*
	 * As if it had executed its program between the two steps of
	 * target_open().
	 */
	pid = begin(&go);
	ok(target_open(&t, pid), "another is opened");
	execute(pid, go);
	ok(target_read(&t) && target_replaced(&t),
	   "the mappings of the new program, with the memory of the old one");
	end(&t, pid);

	ok(target_open(&t, getpid()) && !target_replaced(&t),
	   "a process that executes nothing isn't replaced");
	target_close(&t);
	return done_testing();
}
