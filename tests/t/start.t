#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where chains begin: at main, at a thread's start routine, at a constructor; also
# when the program has no symbols.
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
done_testing
