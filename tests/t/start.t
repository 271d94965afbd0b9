#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where call paths begin: at main, at a thread's start routine, at a
# constructor; also when the program has no symbols.  The cost of a program's
# start.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >starts.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *volatile keep[4];
__attribute__((noinline)) static void *make(size_t n)
{ void *p = malloc(n); __asm__ volatile("" : : "r"(p) : "memory"); return p; }
static void *routine(void *a) { keep[0] = make(301); return a; }
__attribute__((constructor)) static void ctor(void) { keep[1] = make(302); }
static void handler(void) { keep[3] = make(303); }
int main(void)
{
	pthread_t t;
	atexit(handler);
	pthread_create(&t, 0, routine, 0);
	pthread_join(t, 0);
	keep[2] = make(304);
	return 0;
}
C
$CC -g -O1 -fno-optimize-sibling-calls starts.c -o starts -pthread
cp starts bare && strip bare
leaks()
{
	"$MEMMON" -o m.out "./$1"
	"$MPREDUCE" -b -L --verbose --depth=all "./$1" m.out 2>/dev/null
}
leaks starts >l
grep -q '304 .*|| > main > make$' l
ok $? 'main'
grep -q '301 .*|| > routine > make$' l
ok $? 'a thread begins at its start routine'
grep -q '302 .*|| > .*ctor > make$' l
ok $? 'a constructor'
grep -q '303 .*> exit > .*handler > make$' l
ok $? 'an exit handler is called by exit' || diag "$(cat l)"

leaks bare >l
f='\[bare+0x[0-9a-f]*\]'
grep -q "304 .*|| > $f > $f\$" l
ok $? 'main without a name'
grep -q "301 .*|| > $f > $f\$" l
ok $? 'a thread without names'
grep -q "303 .*> exit > .*$f > $f\$" l
ok $? "an exit handler isn't taken for main" || diag "$(cat l)"

# gcc splits the rare part of f off, and f calls it: one call, not a recursion.
cat >part.c <<'C'
#include <stdlib.h>
static void *keep[300];
static int n;
__attribute__((noinline)) static void *mk(size_t size)
{ void *p = malloc(size); keep[n++] = p; return p; }
void *f(int x, int y)
{
	if (__builtin_expect(x == 0, 1)) return 0;
	char *p = mk(y), *q;
	for (int i = 0; i < y; i++) p[i] = x * i;
	q = mk(y + 1);
	for (int i = 0; i < y; i++) q[i] = p[i] ^ x;
	return q;
}
void *g(int x) { return f(x & 1, 10 + x); }
void *h(int x) { return f(x & 2, 20 + x); }
int main(void) { for (int i = 0; i < 60; i++) { g(i); h(i); } return 0; }
C
if gcc -O2 -g -fno-optimize-sibling-calls part.c -o part 2>/dev/null &&
	nm part | grep -q ' f\.part\.'; then
	leaks part | sed 's/ (inlined)//g; s/\(> mk\)  .*/\1/' >l
	grep -q '|| > main > g > f > mk$' l && grep -q '|| > main > h > f > mk$' l &&
		! grep -q 'f > f' l
	ok $? 'a part that was split off is its function' || diag "$(cat l)"
else
	skip 1 'the compiler does not split it'
fi

# No code is searched: 0.7 million instructions.
if command -v valgrind >/dev/null; then
	echo 'int main(void) { return 0; }' >idle.c
	$CC -o idle idle.c
	n=$(LD_PRELOAD=$LIBMEMMON valgrind --tool=callgrind \
		--callgrind-out-file=/dev/null ./idle 2>&1 |
		sed -n 's/.*refs: *//p' | tr -d ,)
	ok $((n > 3000000)) "the start of a program takes $n instructions"
else
	skip 1 'no valgrind'
fi

# Tables are read where something was written: a scan of all of them takes 570
# page faults more.
cat >faults.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct rusage u;
	if (argc > 1) {
		if (fork() == 0) {
			setenv("LD_PRELOAD", argv[2], 1);
			execl(argv[1], argv[1], (char *)NULL);
		}
		wait(NULL);
		getrusage(RUSAGE_CHILDREN, &u);
		printf("%ld\n", u.ru_minflt);
		return 0;
	}
	for (int i = 0; i < 10; i++)
		free(malloc(100 + i));
	return malloc(10) == NULL;
}
C
$CC faults.c -o faults
n=$(./faults ./faults "$LIBMEMMON")
p=$(./faults ./faults '')
ok $((n - p > 450)) "a process of 11 allocations: $((n - p)) page faults more" ||
	diag "$p and $n"
done_testing
