/* SPDX-License-Identifier: MIT */
/* What memmon prints at the end: see launcher_wait.h. */
#include "monitor/launch/launcher_wait.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monitor/launch/launcher_image.h"
#include "monitor/launch/launcher_place.h"

static pid_t child;
static bool wait_says, wait_reports;

/* Passes a signal on, unless the terminal has already sent it to the
 * program. */
static void
pass_on(int sig, siginfo_t *info, void *context)
{
	int e = errno;

	(void)context;
	if (info->si_code <= 0)
		kill(child, sig);
	errno = e;
}

static void
pass_signals_on(void)
{
	static const int left[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGSEGV,
				    SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP };
	struct sigaction a = { .sa_sigaction = pass_on,
			       .sa_flags = SA_SIGINFO | SA_RESTART };

	sigfillset(&a.sa_mask);
	for (int s = 1; s <= SIGRTMAX; s++) {
		size_t i = 0;

		while (i < sizeof(left) / sizeof(*left) && left[i] != s)
			i++;
		if (i == sizeof(left) / sizeof(*left))
			sigaction(s, &a, NULL);
	}
}

/* Stop as the program did, maybe some time later. */
static void
stop_as(int sig)
{
	struct sigaction was, now = { .sa_handler = SIG_DFL };

	if (sig == SIGSTOP || sigaction(sig, &now, &was) != 0) {
		raise(SIGSTOP);
		return;
	}
	raise(sig);
	sigaction(sig, &was, NULL);
}

/* How the program ended, as waitpid() returns it. */
static int
wait_for_it(void)
{
	int status;

	for (;;) {
		if (waitpid(child, &status, WUNTRACED) < 0) {
			if (errno != EINTR)
				return 0;
		} else if (!WIFSTOPPED(status)) {
			return status;
		} else {
			stop_as(WSTOPSIG(status));
			kill(child, SIGCONT);
		}
	}
}

static __attribute__((noreturn)) void
end_as(int status)
{
	struct rlimit none = { 0, 0 };
	sigset_t set;

	if (WIFSIGNALED(status)) {
		/* The program has already written its core file. */
		setrlimit(RLIMIT_CORE, &none);
		signal(WTERMSIG(status), SIG_DFL);
		sigemptyset(&set);
		sigaddset(&set, WTERMSIG(status));
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		raise(WTERMSIG(status));
		_exit(128 + WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

/* --------------------------------------------------------------- figures -- */

/* The output of mpreduce -i; the first figure is present if any is. */
enum figure {
	F_BYTES,
	F_FREED,
	F_PEAK,
	F_LOST,
	F_LOST_BYTES,
	F_OWN,
	F_RESIDENT,
	F_LIVE_THEN,
	F_CHILDREN,
	FIGURES
};
static const char *const figures[FIGURES] = {
	"bytes",
	"bytes freed",
	"peak as counted",
	"allocations unrecorded",
	"bytes unrecorded",
	"monitor's bytes",
	"bytes resident at the last snapshot",
	"bytes live then",
	"data files of children",
};

/* Print resident memory beyond blocks and the monitor from this size on. */
#define RESIDENT_MUCH ((uint64_t)16 << 20)

void
launcher_reducer(char *to, size_t n)
{
	ssize_t len = readlink("/proc/self/exe", to, n - 1);
	char *slash;

	to[len < 0 ? 0 : len] = '\0';
	slash = strrchr(to, '/');
	if (slash && (size_t)(slash - to) + sizeof("/mpreduce") <= n) {
		memcpy(slash, "/mpreduce", sizeof("/mpreduce"));
		if (access(to, X_OK) == 0)
			return;
	}
	snprintf(to, n, "mpreduce");
}

/* Asks mpreduce, which knows the format.  false: no answer. */
static bool
read_figures(const char *file, uint64_t v[FIGURES])
{
	bool known = false;
	char program[PATH_MAX], line[256], *what;
	uint64_t n;
	int fd[2], null;
	pid_t pid;
	FILE *in;

	launcher_reducer(program, sizeof(program));
	if (pipe2(fd, O_CLOEXEC) != 0)
		return false;
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(fd[1], 1);
		dup2(null, 2);
		unsetenv("MPREDUCE_OPTS");
		execlp(program, program, "-i", "--", file, (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	in = fdopen(fd[0], "r");
	while (in && fgets(line, sizeof(line), in)) {
		n = strtoull(line, &what, 10);
		if (what == line || *what != ' ')
			continue;
		what += strspn(what, " ");
		what[strcspn(what, "\n")] = '\0';
		for (int i = 0; i < FIGURES; i++) {
			if (strcmp(what, figures[i]) != 0)
				continue;
			v[i] = n;
			known |= i == F_BYTES;
		}
	}
	if (in)
		fclose(in);
	waitpid(pid, NULL, 0);
	return known;
}

/* The format of mpreduce: three digits, and powers of 1024. */
static const char *
units(char *to, size_t size, uint64_t n)
{
	static const char unit[] = "KMGTPE";
	double v = (double)n;
	int i = -1;

	for (; v >= (i < 0 ? 1024 : 1023.5) && i < 5; i++)
		v /= 1024;
	if (i < 0)
		snprintf(to, size, "%" PRIu64 " B", n);
	else
		snprintf(to, size, "%.*f %cB",
			 v < 9.995   ? 2
			 : v < 99.95 ? 1
				     : 0,
			 v, unit[i]);
	return to;
}

/* What was counted; what wasn't; and memory outside of blocks. */
static void
say_figures(const char *file, const uint64_t v[FIGURES])
{
	uint64_t kept = v[F_BYTES] - v[F_FREED], much = v[F_RESIDENT];
	uint64_t known = v[F_LIVE_THEN] + v[F_OWN];
	char to[3][24];

	fprintf(stderr, "%s allocated, %s live at the end, peak %s",
		units(to[0], sizeof(to[0]), v[F_BYTES]),
		units(to[1], sizeof(to[1]), kept),
		units(to[2], sizeof(to[2]), v[F_PEAK]));
	if (v[F_LOST])
		fprintf(stderr, ", %s more not recorded",
			units(to[0], sizeof(to[0]), v[F_LOST_BYTES]));
	if (v[F_LIVE_THEN] < much / 2 && known < much &&
	    much - known >= RESIDENT_MUCH)
		fprintf(stderr, ", RSS %s", units(to[0], sizeof(to[0]), much));
	if (v[F_CHILDREN])
		fprintf(stderr, ", +%" PRIu64 " file%s: %s.*", v[F_CHILDREN],
			v[F_CHILDREN] == 1 ? " of a child" : "s of children",
			file);
	fputs("; ", stderr);
}

void
launcher_say(const char *name, const char *file, bool begun)
{
	uint64_t v[FIGURES] = { 0 };
	bool sampled = getenv("MEMMON_SAMPLE") != NULL;
	/* Samples need more than the file's own figures. */
	bool known = !sampled && read_figures(file, v);

	fputs(begun ? "\nmemmon: " : "memmon: ", stderr);
	if (known)
		say_figures(file, v);
	else
		fprintf(stderr, "%s is written; ",
			sampled ? "a file of samples" : "the data file");
	fputs("mpreduce", stderr);
	if (strchr(name, '/'))
		fprintf(stderr, " %s", name);
	if (!strchr(name, '/') || strcmp(file, "mon.out") != 0)
		fprintf(stderr, " %s", file);
	fputc('\n', stderr);
}

void
launcher_report(const char *name, const char *file)
{
	char program[PATH_MAX];
	pid_t pid;

	launcher_reducer(program, sizeof(program));
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDONLY);

		dup2(null, 0);
		dup2(2, 1);
		unsetenv("MPREDUCE_OPTS");
		setenv("MPREDUCE_PAGER", "cat", 1);
		if (strchr(name, '/'))
			execlp(program, program, "--summary", "--", name, file,
			       (char *)NULL);
		else
			execlp(program, program, "--summary", "--", file,
			       (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* ----------------------------------------------------------------- both -- */

static __attribute__((noreturn)) void
stay(const char *name, int fd, const sigset_t *was)
{
	const char *file;
	int status;
	char c;

	pass_signals_on();
	sigprocmask(SIG_SETMASK, was, NULL);
	/* When the program starts, exec(3) closes the other end. */
	while ((status = (int)read(fd, &c, 1)) < 0 && errno == EINTR)
		;
	if (status > 0)
		end_as(wait_for_it());
	launcher_place_of(child);
	status = wait_for_it();
	/* The program has ended: these signals stop memmon itself now. */
	signal(SIGTSTP, SIG_DFL);
	signal(SIGTTOU, SIG_DFL);
	file = launcher_place_came();
	if (file)
		launcher_image_ended(file, child, status);
	if (file && wait_says)
		launcher_say(name, file,
			     WIFSIGNALED(status) &&
				     (WTERMSIG(status) == SIGINT ||
				      WTERMSIG(status) == SIGQUIT));
	else if (!file)
		launcher_place_complain();
	if (file && wait_reports)
		launcher_report(name, file);
	end_as(status);
}

int
launcher_wait(const char *name, bool says, bool reports)
{
	sigset_t all, was;
	int fd[2];

	wait_says = says && !reports && isatty(2);
	wait_reports = reports;
	if ((!wait_says && !reports) || pipe2(fd, O_CLOEXEC) != 0)
		return -1;
	launcher_place_begin();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &was);
	child = fork();
	if (child > 0) {
		close(fd[1]);
		stay(name, fd[0], &was);
	}
	sigprocmask(SIG_SETMASK, &was, NULL);
	close(fd[0]);
	if (child == 0)
		return fd[1];
	close(fd[1]);
	return -1;
}

void
launcher_wait_failed(int fd)
{
	if (fd >= 0 && write(fd, "", 1) < 0)
		close(fd);
}
