/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that are lost, or reachable, in a known way: the argument names the
 * shape. Each is allocated by the function whose name says the block's state at
 * the end: want_lost(), want_indirect(), want_interior(), want_reachable().
 * Prints the blocks and bytes of each of these functions that was called.
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "tests/prog/leakthreads.h"

extern long memmon_leak_check(void) __attribute__((weak));
extern int memmon_leak_ignore(const void *) __attribute__((weak));

static ucontext_t here, there;

static void
lost(void)
{
	want_lost(24);
}

static void
several(void)
{
	global[0] = want_reachable(24);
	for (int i = 0; i < 100; i++)
		want_lost(40);
	global[1] = malloc(100);
	*(void **)global[1] = want_reachable(16);
	*((void **)global[1] + 1) = want_reachable(0);
	want_lost(0);
}

static void
in_static(void)
{
	static void *held;

	held = want_reachable(24);
	how = held ? how : NULL;
}

static NOINLINE void
frame(void)
{
	void *volatile held = want_reachable(24);

	report();
	exit(held ? 0 : 1);
}

static void
interior(void)
{
	char **p = want_interior(48);

	*p = want_interior(32);
	global[0] = (char *)p + 8;
}

static void
both_ways(void)
{
	char *p = want_reachable(48);

	global[0] = p + 8;
	global[1] = p;
}

static void
end(void)
{
	global[0] = (char *)want_lost(48) + 48;
}

static void
self(void)
{
	void **p = want_lost(48);

	p[3] = p;
}

/* The one with the lower address is the ring's. */
static void
ring(void)
{
	void **a = want_lost(48), **b = want_indirect(48);

	a[0] = b;
	b[5] = a;
}

/* Another leads to the ring: it is lost, and the ring hangs on it. */
static void
ring_held(void)
{
	void **a = want_indirect(48), **b = want_indirect(48);
	void **c = want_lost(48);

	a[0] = b;
	b[5] = a;
	c[2] = b;
}

static void
tree_of(void **top, int depth, void *(*want)(size_t))
{
	for (int i = 0; depth && i < 2; i++) {
		top[i] = want(48);
		tree_of(top[i], depth - 1, want);
	}
}

static void
tree(void)
{
	tree_of(want_lost(48), 4, want_indirect);
}

static void
tree_kept(void)
{
	global[3] = want_reachable(48);
	tree_of(global[3], 6, want_reachable);
}

static void
list(void)
{
	void **p;

	for (int i = 0; i < 100000; i++) {
		p = want_reachable(16);
		p[0] = global[0];
		global[0] = p;
	}
}

static void
mapped(void)
{
	int flags = !strcmp(how, "shared") ? MAP_SHARED : MAP_PRIVATE;
	void **p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
			MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		exit(3);
	p[100000] = want_reachable(24);
	if (!strcmp(how, "readonly"))
		mprotect(p, 1 << 20, PROT_READ);
}

/* The program's own memory among malloc's, which has stale pointers. */
static void
by_sbrk(void)
{
	void **p = sbrk(8192), **q;

	p[700] = want_reachable(24);
	for (int i = 0; i < 300; i++) {
		q = malloc(1000);
		q[50] = i % 100 ? NULL : want_lost(40);
		q[60] = global[15];
		global[15] = q;
	}
	p = sbrk(5000);
	p[600] = want_reachable(48);
	while ((q = global[15]) != NULL) {
		global[15] = q[60];
		free(q);
	}
	for (int i = 0; i < 300; i++) {
		q = calloc(1, 2000);
		q[70] = global[15];
		global[15] = q;
	}
	q[80] = want_reachable(32);
}

static void
freed(void)
{
	void **p = malloc(200), **q = malloc(3000), *r = malloc(10);

	p[10] = want_lost(24);
	q[100] = want_lost(32);
	free(p);
	free(q);
	global[0] = r;
}

static void
tagged(void)
{
	global[0] = (char *)want_interior(24) + 1;
}

static void
xored(void)
{
	global[0] = (void *)((uintptr_t)want_lost(24) ^ HIDE);
}

static void
large(void)
{
	char **p = want_reachable(5 << 20);

	global[0] = p;
	p[(5 << 17) - 1] = want_reachable(24);
	global[1] = (char *)want_interior(3 << 20) + (2 << 20);
	p = want_lost(2 << 20);
	p[1 << 17] = want_indirect(200);
}

static void
on_signal(int sig)
{
	void *volatile held = want_reachable(24);

	(void)sig;
	report();
	exit(held ? 0 : 1);
}

static void
other_stack(void)
{
	stack_t s = { .ss_size = 100000 };
	struct sigaction a = { .sa_handler = on_signal,
			       .sa_flags = SA_ONSTACK };

	if (!strcmp(how, "none"))
		s.ss_size = 0;
	else if (!strcmp(how, "mapped"))
		s.ss_sp = mmap(NULL, s.ss_size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		s.ss_sp = malloc(s.ss_size);
	if (s.ss_size)
		sigaltstack(&s, NULL);
	s.ss_sp = NULL;
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
}

static void
coroutine(void)
{
	void *volatile held = want_reachable(24);

	swapcontext(&there, &here);
	exit(held ? 0 : 1);
}

static void
context(void)
{
	getcontext(&there);
	there.uc_stack.ss_size = 65536;
	if (!strcmp(how, "mapped"))
		there.uc_stack.ss_sp = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		there.uc_stack.ss_sp = malloc(65536);
	makecontext(&there, coroutine, 0);
	swapcontext(&here, &there);
}

/* The parent's block isn't in the child's file, but points to one that is. */
static void
forked(void)
{
	void **p = malloc(24);
	int status;
	pid_t pid;

	global[0] = p;
	pid = fork();
	if (pid > 0) {
		waitpid(pid, &status, 0);
		return;
	}
	p[1] = want_reachable(24);
	want_lost(32);
}

/* memmon_leak_ignore() covers the block and what it points to; no later one. */
static void
ignored(void)
{
	void **p = want_reachable(48), *q = malloc(1000);

	*p = want_reachable(24);
	if (!memmon_leak_ignore || memmon_leak_ignore(p) != 0 ||
	    memmon_leak_ignore(q) != 0 || memmon_leak_ignore(p + 1) != -1 ||
	    memmon_leak_ignore(p) != 0 || memmon_leak_ignore(&p) != -1)
		exit(3);
	free(q);
	if (want_lost(1000) != q)
		exit(3);
}

static const struct {
	const char *name;
	void (*f)(void);
} shapes[] = {
	{ "lost", lost },
	{ "several", several },
	{ "static", in_static },
	{ "frame", frame },
	{ "interior", interior },
	{ "both", both_ways },
	{ "end", end },
	{ "self", self },
	{ "ring", ring },
	{ "ring-held", ring_held },
	{ "tree", tree },
	{ "tree-kept", tree_kept },
	{ "list", list },
	{ "tls", tls },
	{ "thread-tls", thread_tls },
	{ "dynamic-tls", dynamic_tls },
	{ "specific", set_specific },
	{ "on-stack", on_stack },
	{ "own-stack", own_stack },
	{ "detached", detached },
	{ "blocking", blocking },
	{ "register", in_register },
	{ "vector", in_vector },
	{ "below", below },
	{ "ended", ended },
	{ "unjoined", unjoined },
	{ "dropped", dropped },
	{ "thousand", thousand },
	{ "big-stacks", big_stacks },
	{ "reused", reused },
	{ "dynamic-ended", dynamic_ended },
	{ "main-ended", main_ended },
	{ "mapped", mapped },
	{ "sbrk", by_sbrk },
	{ "freed", freed },
	{ "tagged", tagged },
	{ "xor", xored },
	{ "large", large },
	{ "sigaltstack", other_stack },
	{ "context", context },
	{ "fork", forked },
	{ "ignored", ignored },
};

/* Is this process, whose number is given, stopped? */
static int
is_stopped(const char *pid)
{
	char name[64], line[512] = "";
	const char *s;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%s/stat", pid);
	f = fopen(name, "r");
	if (!f)
		return 1;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	s = strrchr(line, ')');
	return s && s[1] && s[2] == 'T';
}

/* Stops the whole process, as Ctrl-Z does, until a child continues it. */
static void
stop_and_continue(void)
{
	char pid[16];
	pid_t child;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	child = fork();
	if (child == 0) {
		while (!is_stopped(pid))
			usleep(1000);
		kill(getppid(), SIGCONT);
		_exit(0);
	}
	kill(getpid(), SIGSTOP);
	waitpid(child, NULL, 0);
}

int
main(int argc, char **argv)
{
	how = argc > 2 ? argv[2] : "read";
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (argc > 1 && !strcmp(argv[1], shapes[i].name))
			deep(shapes[i].f);
	report();
	if (argc > 3 && !strcmp(argv[3], "stopped"))
		stop_and_continue();
	if (argc > 3 &&
	    (!strcmp(argv[3], "call") || !strcmp(argv[3], "stopped")))
		printf("%ld\n", memmon_leak_check ? memmon_leak_check() : -2);
	fflush(stdout);
	if (argc > 3 && !strcmp(argv[3], "_exit"))
		_exit(0);
	if (argc > 3 && !strcmp(argv[3], "quick_exit"))
		quick_exit(0);
	if (argc > 3 && !strcmp(argv[3], "signal"))
		kill(getpid(), SIGABRT);
	return 0;
}
