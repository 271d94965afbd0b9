/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what each block was, to compare a log with it:
 *
 *	logged [MODE]
 *
 * A line "ADDRESS SIZE THREAD FREER FLAGS FUNCTION" for each block of make(),
 * in no order.  THREAD and FREER are names of threads; FREER is - if the block
 * is not freed.  FLAGS: r if it was resized, f if another thread freed it.
 *
 * Without a mode: make() makes 1,000 blocks of i % 50 + 1 bytes.  400 of them
 * are freed, 100 of those by another thread; 100 are resized to 1,000 bytes
 * more. 600 are not freed, among them the 100 from realloc.  churn N: 4 threads
 * make and free N blocks each.  fork, exec, _exit, kill: the first half, and
 * then that call or signal.  dump, reset: memmon_dump(), memmon_reset() between
 * two halves.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 1000 };
static char *block[BLOCKS];
static char line[2 * BLOCKS][80]; /* printf would allocate in between */
static int nlines;

static void *make(size_t size) __attribute__((noinline));
static void *
make(size_t size)
{
	void *volatile p = malloc(size);

	return p;
}

static void *resize(void *p, size_t size) __attribute__((noinline));
static void *
resize(void *p, size_t size)
{
	void *volatile q = realloc(p, size);

	return q;
}

static size_t
size_of(int i)
{
	return (size_t)(i % 50) + 1;
}

static void
say(const void *p, size_t size, const char *freer, const char *flags,
    const char *function)
{
	snprintf(line[nlines++], sizeof line[0], "%p %zu (main) %s %s. %s", p,
		 size, freer, flags, function);
}

static void *
other(void *arg)
{
	prctl(PR_SET_NAME, "other");
	for (int i = 300; i < 400; i++) {
		say(block[i], size_of(i), "other", "f", "make");
		free(block[i]);
	}
	return arg;
}

static void
fill(void)
{
	for (int i = 0; i < BLOCKS; i++)
		block[i] = make(size_of(i));
	for (int i = 0; i < 300; i++) {
		say(block[i], size_of(i), "(main)", "", "make");
		free(block[i]);
	}
}

static void
rest(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	pthread_join(t, NULL);
	for (int i = 400; i < 500; i++) {
		say(block[i], size_of(i), "(main)", "r", "make");
		block[i] = resize(block[i], size_of(i) + 1000);
		say(block[i], size_of(i) + 1000, "-", "", "resize");
	}
	for (int i = 500; i < BLOCKS; i++)
		say(block[i], size_of(i), "-", "", "make");
}

static void *
churn(void *arg)
{
	char *keep[64] = { NULL };
	long n = (long)arg;
	unsigned s = 1;

	for (long i = 0; i < n; i++) {
		s = s * 1103515245 + 12345;
		free(keep[s >> 16 & 63]);
		keep[s >> 16 & 63] = make(s >> 20 & 1023);
	}
	for (int i = 0; i < 64; i++)
		free(keep[i]);
	return NULL;
}

static void
churns(long n)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, churn, (void *)n);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void
call(const char *name)
{
	int (*f)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, name);

	if (f)
		f();
}

static void
print(void)
{
	for (int i = 0; i < nlines; i++)
		puts(line[i]);
	fflush(stdout);
}

static int
child(void)
{
	pid_t pid = fork();

	if (!pid) {
		free(make(77));
		make(78);
		exit(0);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static char buffer[1 << 16];
	const char *mode = argc > 1 ? argv[1] : "";

	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	if (!strcmp(mode, "churn")) {
		churns(atol(argv[2]));
		return 0;
	}
	fill();
	if (!strcmp(mode, "fork") && child())
		return 1;
	if (!strcmp(mode, "dump"))
		call("memmon_dump");
	if (!strcmp(mode, "reset"))
		call("memmon_reset");
	rest();
	print();
	if (!strcmp(mode, "_exit"))
		_exit(0);
	if (!strcmp(mode, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(mode, "exec"))
		execl("/bin/true", "true", NULL);
	return 0;
}
