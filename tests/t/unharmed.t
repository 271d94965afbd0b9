#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Events that end or block a program only if it is recorded: a data file that
# was emptied, a fork within dlclose(), more threads than the stream of events
# has room for, a thread whose memory goes away, arguments that can't be read.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# The data file is emptied; then code that blocks signals writes to the memory
# that was its mapping.
cat >emptied.c <<'C'
#include "monitor/memmon.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *thread(void *a) { free(malloc(100)); return a; }
int main(int c, char **v)
{
	void *volatile p;
	for (int i = 0; i < 3000; i++) { p = malloc(10 + i); if (i % 3) free(p); }
	if (c < 3 || truncate(v[2], 0)) return 2;
	if (!strcmp(v[1], "reset")) memmon_reset();
	else if (!strcmp(v[1], "leak")) memmon_leak_check();
	else if (!strcmp(v[1], "dump")) memmon_dump_to("other.out");
	else if (!strcmp(v[1], "thread")) {
		pthread_t t[40];
		for (int i = 0; i < 40; i++) pthread_create(&t[i], NULL, thread, NULL);
		for (int i = 0; i < 40; i++) pthread_join(t[i], NULL);
	} else for (int i = 0; i < 3000; i++) free(malloc(20000 + 16 * i));
	return 7;
}
C
$CC -g -O1 -pthread -I"$MEMMON_SRC" emptied.c -o emptied -L"$MEMMON_BUILD" \
	-lmemmon -Wl,-rpath,"$MEMMON_BUILD"
for what in reset leak dump thread grow; do
	rm -f mon.out*
	MEMMON_LEAKCHECK=1 timeout "$HANG" ./emptied $what mon.out
	is $? 7 "an emptied data file, and $what: the program goes on"
done

# A library's destructor, which dlclose() runs, forks; in the child no library
# is being unloaded any more.  While a library is being unloaded, the monitor
# remembers no call path: it walks each thoroughly, and a file waits until the
# unloading ends.
cat >plug.c <<'C'
#include <unistd.h>
pid_t plug_child = -1;
extern pid_t *child;
__attribute__((destructor)) static void end(void) { *child = fork(); }
C
cat >host.c <<'C'
#include "monitor/memmon.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
pid_t own = -1, *child = &own;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static __attribute__((noinline)) void *deep(int n)
{
	void *volatile p = n ? deep(n - 1) : malloc(10);
	return p;
}
/* The shortest of ten: another process may have been in the way of some. */
static double run(void)
{
	double best = 1e9;
	for (int k = 0; k < 10; k++) {
		double t = now();
		for (int i = 0; i < 1000; i++) free(deep(60));
		t = now() - t;
		best = t < best ? t : best;
	}
	return best;
}
int main(int c, char **v)
{
	void *h = dlopen(v[1], RTLD_NOW);
	double before;
	int status;
	if (c < 2 || !h) return 1;
	run();
	before = run();
	dlclose(h);
	if (own == 0) {
		run();
		_exit(run() > 10 * before); /* else it is 90 */
	}
	return own < 0 || waitpid(own, &status, 0) != own || status;
}
C
$CC -g -O1 -I"$MEMMON_SRC" -rdynamic host.c -o host -ldl
$CC -g -O1 -fPIC -shared plug.c -o plug.so
timeout "$HANG" "$MEMMON" -q ./host ./plug.so
is $? 0 "a fork within dlclose(): the child's chains are remembered"

# More threads than buffers: events that can't be kept are counted, and no event
# waits for a buffer.
plugin=$(with_plugin "$CC")
if [ -n "$plugin" ]; then
	cat >many.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#define MOST 600
static int *volatile data;
static pthread_barrier_t begin, end;
static int rounds;
static void *thread(void *a)
{
	long sum = 0;
	pthread_barrier_wait(&begin);
	for (int i = 0; i < rounds; i++) sum += data[i % 16];
	pthread_barrier_wait(&end);
	return (char *)a + sum;
}
int main(int c, char **v)
{
	static pthread_t t[MOST];
	pthread_attr_t small;
	int n = atoi(v[c - 2]);
	rounds = atoi(v[c - 1]);
	data = calloc(16, sizeof(int));
	pthread_barrier_init(&begin, NULL, n);
	pthread_barrier_init(&end, NULL, n);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 17);
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &small, thread, NULL)) abort();
	for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
	return 0;
}
C
	"$MEMMON_BUILD/memmon-cc" --module=value -g -O1 -w many.c -o many -pthread
	rm -f mon.out*
	# With 0.1 s at each it would take 400 s.
	timeout "$HANG" ./many 600 4000
	is $? 0 '600 threads with events: none waits for a buffer at each'
	cp mon.out.value many.value 2>/dev/null
	lost=$("$MPREDUCE" --module=value mon.out 2>&1 | grep -c 'events are missing')
	ok $((lost == 0)) '... and the file says that some are lost'

	# The first events of all are of eight threads at once.
	cat >work.c <<'C'
int work(const int *data)
{
	int sum = 0;
	for (int i = 0; i < 1000; i++) sum += data[i % 16];
	return sum;
}
C
	cat >first.c <<'C'
#include <pthread.h>
#include <stdlib.h>
extern int work(const int *data);
static pthread_barrier_t begin;
static int data[16];
static void *thread(void *a)
{
	pthread_barrier_wait(&begin);
	return work(data) ? NULL : a;
}
int main(void)
{
	pthread_t t[8];
	pthread_barrier_init(&begin, NULL, 8);
	for (int i = 0; i < 8; i++) pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
	return 0;
}
C
	"$MEMMON_BUILD/memmon-cc" --module=value -g -O1 -w -c work.c
	$CC -g -O1 -c first.c
	"$MEMMON_BUILD/memmon-cc" --module=value first.o work.o -o first -pthread
	for _ in 1 2 3 4 5; do
		rm -f mon.out*
		timeout "$HANG" ./first
		"$MPREDUCE" --module=value --export=csv mon.out |
			awk -F, '/work.c/ && $2 == "load" { print $3 }'
	done | sort | uniq -c | sed 's/^ *//' >counts
	is "$(cat counts)" '5 8000' \
		'none is lost while a thread begins the stream'
else
	skip 3 'no plugin for the compiler'
fi

# The thread that moves the clock of accesses outlives the thread that started
# it, and that thread's stack and control block; also where a compiler looks for
# a canary there.
cat >plug2.c <<'C'
int data[64];
int plug(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) s += data[i % 64]++;
	return s;
}
C
cat >outlived.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define SIZE (8 << 20)
static void *thread(void *a)
{
	void *h = dlopen("./plug2.so", RTLD_NOW);
	int (*plug)(int) = h ? (int (*)(int))dlsym(h, "plug") : NULL;
	if (!plug) exit(3);
	free(malloc(10));
	plug(1000);
	return a;
}
int main(void)
{
	char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t a;
	pthread_t t;
	pthread_attr_init(&a);
	pthread_attr_setstack(&a, p, SIZE);
	if (pthread_create(&t, &a, thread, NULL)) return 2;
	pthread_join(t, NULL);
	munmap(p, SIZE);
	usleep(300000);
	return 7;
}
C
if [ -n "$plugin" ] && [ "$(uname -m)" = x86_64 ] && [ "$CC" = gcc ]; then
	"$MEMMON_BUILD/memmon-cc" -g -O1 -fPIC -shared plug2.c -o plug2.so
	$CC -g -O1 outlived.c -o outlived -ldl -pthread
	for file in "$MEMMON_SRC"/monitor/*/*.c; do
		object=$MEMMON_BUILD/obj/access/${file#"$MEMMON_SRC"/}
		object=${object%.c}.o
		[ "${object##*/}" = clock.o ] || [ ! -e "$object" ] ||
			echo "$object"
	done >objects
	sed 's/#.*//; /^$/d; s/^/-Wl,--wrap=/' "$MEMMON_SRC/monitor/base/libc.list" \
		"$MEMMON_SRC/monitor/wrap/plain.list" >>objects
	$CC -std=gnu11 -O2 -I"$MEMMON_SRC" -D_GNU_SOURCE= -DMEMMON_ACCESS -fPIC \
		-fvisibility=hidden -ftls-model=initial-exec \
		-mgeneral-regs-only -fstack-protector-all -shared -o \
		libmemmon-access.so.0 -Wl,-soname,libmemmon-access.so.0,-z,now \
		-Wl,--version-script="$MEMMON_BUILD/versions.map" \
		"$MEMMON_SRC/monitor/shadow/clock.c" @objects \
		"$MEMMON_BUILD/obj/zip/zip.o" -ldl -pthread 2>err
	is "$? $(cat err)" '0 ' 'the library with canaries in its clock'
	LD_LIBRARY_PATH=$T timeout "$HANG" ./outlived
	is $? 7 'the clock goes on when the thread that started it is gone'
else
	skip 2 'another compiler or CPU'
fi

# Calls whose arguments are NULL, or that nobody can read, fail with EFAULT or
# EINVAL: no hook reads such an argument itself.
cat >fault.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libintl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#define T(call) \
	do { \
		int sig = sigsetjmp(back, 1); \
		long r; \
		errno = 0; \
		if (sig) printf("%s: signal %d\n", #call, sig); \
		else r = (long)(call), printf("%s: %ld %d\n", #call, r, errno); \
		fflush(stdout); \
	} while (0)
static sigjmp_buf back;
static void handler(int sig) { siglongjmp(back, sig); }
int main(int c, char **v)
{
	extern char **environ;
	char room[4096], *half[] = { "x", (char *)8, NULL };
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char **edge = (char **)(page + 4096) - 1;
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_NODEFER };
	int s = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct statvfs sv;
	struct stat st;
	pid_t pid;

	sigaction(SIGSEGV, &sa, NULL);
	*edge = "x";
	munmap(page + 4096, 4096);
	/* Once with NULL, then with an address that can't be read. */
	for (char *volatile p = NULL; p < (char *)9; p += 8) {
		void *volatile q = p, *volatile l = p ? p : (char *)edge;
		T(execve(p, v, environ));
		T(execve("/bin/true", l, environ));
		T(execve("/bin/true", v, l));
		T(execve("/bin/true", half, environ));
		T(execve("/bin/true", v, half));
		T(execve("/nonexistent", l, l));
		T(execvpe("true", v, l));
		T(execveat(AT_FDCWD, p, v, environ, 0));
		T(fexecve(0, q, environ));
		T(posix_spawn(&pid, p, NULL, NULL, v, environ));
		T(posix_spawn(&pid, "/bin/true", NULL, NULL, v, l));
		T(stat(p, &st)); T(lstat(p, &st)); T(statvfs(p, &sv));
		T(fstatat(AT_FDCWD, p, &st, 0)); T(access(p, 0));
		T(open(p, 0)); T(openat(AT_FDCWD, p, 0)); T(creat(p, 0));
		T(fopen(p, "r")); T(unlink(p)); T(rename("x", p));
		T(symlink("x", p)); T(mkdir(p, 0)); T(truncate(p, 0));
		T(readlink(p, room, 9)); T(chmod(p, 0));
		T(recvfrom(s, room, 1, MSG_DONTWAIT, q, q));
		T(recvmsg(s, q, MSG_DONTWAIT)); T(sendmsg(s, q, 0));
		T(prlimit(0, RLIMIT_AS, q, NULL));
	}
	for (void *volatile p = NULL; !p; p = p + 8) {
		T(realpath(p, room)); T(setenv(p, "x", 1)); T(unsetenv(p));
		T(gettext(p));
	}
	T(sigaltstack((void *)8, NULL)); T(sigaltstack(NULL, (void *)8));
	T(prctl(PR_SET_SECCOMP, 2, 8)); T(munmap((void *)4096, -1ul));
	return 0;
}
C
$CC -g -O1 -fno-builtin -w fault.c -o fault
timeout "$HANG" ./fault >want
is "$? $(grep -c ': signal' want)" '0 0' 'calls with bad arguments fail'
timeout "$HANG" "$MEMMON" -q ./fault >got
is "$? $(diff want got)" '0 ' '... in the same way if the program is recorded'
for way in ${plugin:+plugin} calls; do
	MEMMON_WAY=$way "$MEMMON_BUILD/memmon-cc" -g -O1 -fno-builtin -w \
		fault.c -o fault-mm 2>/dev/null
	timeout "$HANG" ./fault-mm >got
	is "$? $(diff want got)" '0 ' "... or its accesses are, by $way"
done
done_testing
