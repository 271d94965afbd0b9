/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process for attach-others.t, which attaches to it as soon as there is FILE
 * "begun".  The first argument says:
 *
 *	rest N		allocates and frees 10 bytes each 10 ms, until FILE
 *			"done" exists, for N seconds at most; status 7
 *	plugs N LIB	opens and closes LIB all the time, for as long; status 7
 *			if that has always worked
 *	leader N	as rest, in a thread; the first one has ended
 *	exec N PROGRAM	as rest, and then executes PROGRAM stay 1
 *	full N		as rest, with all mappings used up until FILE "free"
 *			exists
 *	tls N LIB...	opens each LIB, as many as can be, and then is as rest
 *	vfork N PROGRAM	a child of vfork() waits as rest does, then executes
 *			PROGRAM rest N; this waits for the child; status 7
 *	stay N		as rest, without looking for a file
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u
#define PAGES 140000u

static int seconds;
static const char *end = "done"; /* a file */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
goes_on(double until)
{
	return now() < until && access(end, F_OK) != 0;
}

static void
begun(void)
{
	int fd = open("begun", O_CREAT | O_WRONLY, 0600);

	if (fd >= 0)
		close(fd);
}

static void *
work(void *arg)
{
	double until = now() + seconds;
	void *volatile p;

	begun();
	while (goes_on(until)) {
		p = malloc(10);
		free(p);
		usleep(10000);
		if (arg && access("free", F_OK) == 0) {
			munmap(arg, (size_t)PAGES * PAGE);
			arg = NULL;
		}
	}
	return NULL;
}

static int
plugs(const char *lib)
{
	double until = now() + seconds;
	void *(*f)(void);
	void *h;

	begun();
	while (goes_on(until)) {
		h = dlopen(lib, RTLD_NOW);
		f = h ? (void *(*)(void))dlsym(h, "plug_alloc") : NULL;
		if (!f)
			return 1;
		free(f());
		dlclose(h);
	}
	return 7;
}

static void *
ends(void *arg)
{
	work(arg);
	_exit(7);
}

static void
leader(void)
{
	pthread_t t;

	pthread_create(&t, NULL, ends, NULL);
	pthread_exit(NULL);
}

/* Every other page has other rights: as many mappings as the kernel allows. */
static void *
fill(void)
{
	char *m = mmap(NULL, (size_t)PAGES * PAGE, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	free(malloc(10));
	for (unsigned i = 0; i < PAGES; i += 2)
		if (mprotect(m + (size_t)i * PAGE, PAGE, PROT_READ) != 0)
			break;
	puts("full");
	fflush(stdout);
	return m;
}

static void
child(const char *program, char *time)
{
	double until = now() + seconds;
	pid_t pid = vfork();

	if (pid == 0) {
		begun();
		while (goes_on(until))
			usleep(10000);
		execl(program, program, "rest", time, (char *)NULL);
		_exit(1);
	}
	printf("%ld\n", (long)pid);
	fflush(stdout);
	waitpid(pid, NULL, 0);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	seconds = argc > 2 ? atoi(argv[2]) : 0;
	if (!strcmp(what, "stay"))
		end = "";
	if (!strcmp(what, "plugs"))
		return argc > 3 ? plugs(argv[3]) : 2;
	if (!strcmp(what, "leader"))
		leader();
	if (!strcmp(what, "vfork"))
		child(argv[3], argv[2]);
	for (int i = 3; !strcmp(what, "tls") && i < argc; i++)
		if (!dlopen(argv[i], RTLD_NOW))
			break;
	if (strcmp(what, "vfork") != 0)
		work(!strcmp(what, "full") ? fill() : NULL);
	if (!strcmp(what, "exec"))
		execl(argv[3], argv[3], "stay", "1", (char *)NULL);
	return 7;
}
