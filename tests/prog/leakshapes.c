/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that are lost, or kept, in a known way: the argument names the shape.
 * Each is allocated by the function that says what it is when the program
 * ends: want_lost(), want_indirect(), want_interior(), want_reachable().
 * Printed: for each of these that was called, its blocks and bytes.
 */
#include <dlfcn.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define HIDE 0x5a5a5a5a5a5a5a5aull

static struct {
	const char *name;
	size_t blocks, bytes;
} wanted[4] = { { "want_lost", 0, 0 },
		{ "want_indirect", 0, 0 },
		{ "want_interior", 0, 0 },
		{ "want_reachable", 0, 0 } };

static void *
count(void *p, int i, size_t size)
{
	wanted[i].blocks++;
	wanted[i].bytes += size;
	memset(p, 0, size);
	return p;
}

#define WANT(i, name) \
	static NOINLINE void *want_##name(size_t size) \
	{ \
		return count(malloc(size), i, size); \
	}
WANT(0, lost)
WANT(1, indirect)
WANT(2, interior)
WANT(3, reachable)

static void *global[16];
static __thread void *local[4];
static uintptr_t hidden;
static const char *how; /* a shape has variants */
static int parked;	/* threads that are about to park */
static int pipes[2];
static pthread_key_t key;
static ucontext_t here, there;

/* What f leaves on the stack is far from what comes later. */
static NOINLINE void
deep(void (*f)(void))
{
	volatile char pad[60000];

	pad[0] = pad[sizeof(pad) - 1] = 0;
	f();
	pad[0]++;
}

static void
report(void)
{
	for (int i = 0; i < 4; i++)
		if (wanted[i].blocks)
			printf("%s %zu %zu\n", wanted[i].name,
			       wanted[i].blocks, wanted[i].bytes);
	fflush(stdout);
}

/* Wait for ever, as `how' says. */
static NOINLINE void
park(void)
{
	struct pollfd p = { .fd = pipes[0], .events = POLLIN };
	struct timespec t = { 1000, 0 };
	uint32_t word = 0;
	sigset_t set;
	char c;
	int sig;

	__atomic_fetch_add(&parked, 1, __ATOMIC_SEQ_CST);
	if (!strcmp(how, "poll"))
		poll(&p, 1, -1);
	else if (!strcmp(how, "futex"))
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
	else if (!strcmp(how, "nanosleep"))
		nanosleep(&t, NULL);
	else if (!strcmp(how, "sigwait")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		sigwait(&set, &sig);
	} else if (!strcmp(how, "spin")) {
		for (;;)
			__asm__ volatile("pause");
	} else {
		while (read(pipes[0], &c, 1) != 1)
			continue;
	}
	puts("parked no more");
	fflush(stdout);
	for (;;)
		pause();
}

/* Registers that calls may leave as they like hold nothing. */
static void
forget(void)
{
	__asm__ volatile("xorl %%eax, %%eax\n\t"
			 "xorl %%ecx, %%ecx\n\t"
			 "xorl %%edx, %%edx\n\t"
			 "xorl %%esi, %%esi\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "xorl %%r8d, %%r8d\n\t"
			 "xorl %%r9d, %%r9d\n\t"
			 "xorl %%r10d, %%r10d\n\t"
			 "xorl %%r11d, %%r11d"
			 :
			 :
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
			   "r11", "memory");
}

/* Until n threads have parked, and stay so. */
static void
await(int n)
{
	struct timespec t = { 0, 20000000 };

	while (__atomic_load_n(&parked, __ATOMIC_SEQ_CST) < n)
		nanosleep(&t, NULL);
	nanosleep(&t, NULL);
}

static pthread_t
start(void *(*f)(void *))
{
	pthread_t t;

	if (pipe(pipes) != 0 || pthread_create(&t, NULL, f, NULL) != 0)
		exit(3);
	return t;
}

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
tls(void)
{
	local[1] = want_reachable(24);
}

static void *
tls_thread(void *arg)
{
	(void)arg;
	deep(tls);
	park();
	return NULL;
}

static void
thread_tls(void)
{
	start(tls_thread);
	await(1);
}

static void (*hold)(void *);

static void
dynamic(void)
{
	hold(want_reachable(24));
}

static void *
dynamic_thread(void *arg)
{
	(void)arg;
	deep(dynamic);
	park();
	return NULL;
}

static void
dynamic_tls(void)
{
	void *h = dlopen(how, RTLD_NOW);

	hold = h ? (void (*)(void *))dlsym(h, "leak_hold") : NULL;
	if (!hold)
		exit(3);
	how = "read";
	dynamic();
	start(dynamic_thread);
	await(1);
}

static void
specific(void)
{
	pthread_setspecific(key, want_reachable(24));
}

static void *
specific_thread(void *arg)
{
	(void)arg;
	deep(specific);
	park();
	return NULL;
}

static void
set_specific(void)
{
	/* The first ones stand elsewhere. */
	for (int i = 0; i < 100; i++)
		pthread_key_create(&key, NULL);
	specific();
	start(specific_thread);
	await(1);
}

static void *
stack_thread(void *arg)
{
	void *volatile held = want_reachable(24);

	(void)arg;
	park();
	return held;
}

static void
on_stack(void)
{
	start(stack_thread);
	await(1);
}

static void
detached(void)
{
	pthread_detach(start(stack_thread));
	await(1);
}

static void *
blocking_thread(void *arg)
{
	uint64_t all = ~0ull;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	return stack_thread(arg);
}

static void
blocking(void)
{
	start(blocking_thread);
	await(1);
}

static void
hide(void)
{
	hidden = (uintptr_t)want_reachable(24) ^ HIDE;
}

/* Nowhere but in r12, which the kernel keeps. */
static void *
register_thread(void *arg)
{
	(void)arg;
	deep(hide);
	__atomic_fetch_add(&parked, 1, __ATOMIC_SEQ_CST);
	__asm__ volatile("movq %0, %%r12\n\t"
			 "xorq %1, %%r12\n"
			 "1:\tmovl $34, %%eax\n\t" /* pause */
			 "syscall\n\t"
			 "jmp 1b"
			 :
			 : "r"(hidden), "r"(HIDE)
			 : "rax", "rcx", "r11", "r12", "memory");
	return NULL;
}

static void
in_register(void)
{
	start(register_thread);
	await(1);
}

/* The same in a vector register of a thread that runs. */
static void *
vector_thread(void *arg)
{
	uint64_t mask = HIDE;

	(void)arg;
	deep(hide);
	__atomic_fetch_add(&parked, 1, __ATOMIC_SEQ_CST);
	__asm__ volatile("movq %0, %%xmm9\n\t"
			 "movq %1, %%xmm8\n\t"
			 "pxor %%xmm8, %%xmm9\n"
			 "1:\tpause\n\t"
			 "jmp 1b"
			 :
			 : "m"(hidden), "m"(mask)
			 : "xmm8", "xmm9", "memory");
	return NULL;
}

static void
in_vector(void)
{
	start(vector_thread);
	await(1);
}

static void
stale(void)
{
	void *volatile held = want_lost(24);

	if (!held)
		exit(3);
}

static void *
stale_thread(void *arg)
{
	(void)arg;
	deep(stale);
	forget();
	park();
	return NULL;
}

static void
below(void)
{
	start(stale_thread);
	await(1);
	deep(stale);
}

static void *
ending_thread(void *arg)
{
	void *volatile held = want_lost(24);

	(void)arg;
	return held ? NULL : arg;
}

static void
ended(void)
{
	pthread_join(start(ending_thread), NULL);
}

static void *
last_thread(void *arg)
{
	struct timespec t = { 0, 100000000 };

	(void)arg;
	nanosleep(&t, NULL);
	report();
	exit(0);
}

static void
main_ended(void)
{
	void *volatile held = want_lost(24);

	start(last_thread);
	if (held)
		pthread_exit(NULL);
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
		there.uc_stack.ss_sp =
			mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		there.uc_stack.ss_sp = malloc(65536);
	makecontext(&there, coroutine, 0);
	swapcontext(&here, &there);
}

/* What the parent made isn't in the child's file, but leads to what is. */
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

/* A block for a stack of a thread. */
static void
own_stack(void)
{
	pthread_attr_t a;
	pthread_t t;
	void *stack;

	if (pipe(pipes) != 0 || posix_memalign(&stack, 4096, 1 << 17) != 0)
		exit(3);
	pthread_attr_init(&a);
	pthread_attr_setstack(&a, stack, 1 << 17);
	stack = NULL;
	if (pthread_create(&t, &a, stack_thread, NULL) != 0)
		exit(3);
	await(1);
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
	{ "main-ended", main_ended },
	{ "mapped", mapped },
	{ "freed", freed },
	{ "tagged", tagged },
	{ "xor", xored },
	{ "large", large },
	{ "sigaltstack", other_stack },
	{ "context", context },
	{ "fork", forked },
};

extern long memmon_leak_check(void) __attribute__((weak));

int
main(int argc, char **argv)
{
	how = argc > 2 ? argv[2] : "read";
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (argc > 1 && !strcmp(argv[1], shapes[i].name))
			deep(shapes[i].f);
	report();
	if (argc > 3 && !strcmp(argv[3], "call"))
		printf("%ld\n", memmon_leak_check ? memmon_leak_check() : -2);
	fflush(stdout);
	if (argc > 3 && !strcmp(argv[3], "_exit"))
		_exit(0);
	if (argc > 3 && !strcmp(argv[3], "quick_exit"))
		quick_exit(0);
	if (argc > 3 && !strcmp(argv[3], "signal"))
		kill(getpid(), SIGTERM);
	return 0;
}
