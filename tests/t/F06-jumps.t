#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Control flow that jumps: F06 exceptions, longjmp, coroutines, alternate
# stacks, cancellation; F07 signal handlers that allocate, take a backtrace and
# leave by siglongjmp (tests/prog/leaps.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# leaps NAME WAY N: at most one event for each of N is in doubt.
leaps()
{
	local name=$1 way=$2 n=$3 out got
	out=$(LD_PRELOAD=$PROG/libbump.so timeout "$HANG" "$MEMMON" -o m.out \
		"$PROG/leaps" "$way" "$n")
	is "$?" 0 "$name: it comes to its end" || return
	json m.out "$PROG/leaps"
	# shellcheck disable=SC2086
	set -- $out
	got=$(self plain allocs)
	[ "$got" -ge "$1" ] && [ "$got" -le $(($1 + n)) ]
	ok $? "$name: $got blocks counted of $1, or up to one more for each"
	got=$((got - $(self plain frees)))
	[ "$got" -ge 0 ] && [ "$got" -le "$n" ]
	ok $? "$name: $got frees fewer"
	is "$(self struck allocs) $(self struck frees)" "$2 $2" \
		"$name: all of the handlers' own"
	is "$(self after allocs) $(self after frees)" "$3 $3" \
		"$name: afterwards all is exact again"
	is "$(sum unrecorded)" 0 "$name: nothing is lost"
}
leaps 'F07: handlers that leave by siglongjmp' jump 3000
leaps 'F07: the same on a stack of their own' stack 3000
leaps 'F06: threads cancelled asynchronously' cancel 1500
own=$(total m.out "monitor's bytes")
ok $((own > 48 << 20)) "F06: ... and leave nothing behind ($own bytes)"

# The rest is exact, libc's own allocations included: as counted in the same run
# by tests/prog/liboracle.c.
# exact NAME PROGRAM...
exact()
{
	local name=$1 want
	shift
	want=$("$@"; echo " $?")
	rm -f o.*
	is "$(timeout "$HANG" env ORACLE_OUT="$T/o" LD_PRELOAD="$PROG/liboracle.so" \
		"$MEMMON" -o m.out "$@"; echo " $?")" "$want" "$name: runs as alone"
	is "$(totals m.out)" "$(awk '{ print $1, $2, $3, $4 }' o.*[0-9])" \
		"$name: exact"
}

# Coroutines that switch between an allocation and its free, each on a stack of
# its own; and a handler that allocates on a stack of its own.
cat >co.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
#define N 8
static __thread ucontext_t at[N], home;
static __thread int turn, left;
static __thread jmp_buf up;
__attribute__((noinline)) static void *mk(size_t n) { void *volatile p = malloc(n); return p; }
static void deep(int n)
{
	void *p = mk(n + 1);
	free(p);
	if (n == 0) longjmp(up, 1);
	deep(n - 1);
}
static void next(void)
{
	int from = turn;
	turn = (turn + 1) % N;
	swapcontext(&at[from], &at[turn]);
}
static void body(void)
{
	while (left > 0) {
		void *p = mk(64), *q;
		left--;
		next();
		q = mk(32);
		free(p);
		next();
		free(q);
	}
	setcontext(&home);
}
static void *run(void *arg)
{
	char *stack[N];
	volatile int i;
	for (i = 0; i < N; i++) {
		getcontext(&at[i]);
		stack[i] = malloc(65536);
		at[i].uc_stack.ss_sp = stack[i];
		at[i].uc_stack.ss_size = 65536;
		makecontext(&at[i], body, 0);
	}
	left = 20000;
	turn = 0;
	swapcontext(&home, &at[0]);
	for (i = 0; i < N; i++) free(stack[i]);
	for (i = 0; i < 2000; i++)
		if (setjmp(up) == 0) deep(i % 50);
	return arg;
}
static void handler(int sig) { free(mk(sig)); }
int main(void)
{
	static char alt[65536];
	stack_t ss = { .ss_sp = alt, .ss_size = sizeof alt };
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	pthread_t t[2];
	for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
	run(0);
	for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
	sigaltstack(&ss, 0);
	sigaction(SIGUSR1, &a, 0);
	for (int i = 0; i < 10000; i++) raise(SIGUSR1);
	return write(1, "done\n", 5) != 5;
}
C
$CC -w -g -O1 co.c -o co -pthread
exact 'F06: coroutines, longjmp, an alternate stack' ./co

# Threads cancelled where they wait, with handlers that free.
cat >cancel.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *body(void *arg)
{
	void *p = malloc(100), *q = malloc(200);
	pthread_cleanup_push(free, p);
	pthread_cleanup_push(free, q);
	for (;;) { free(malloc(50)); pause(); }
	pthread_cleanup_pop(1);
	pthread_cleanup_pop(1);
	return arg;
}
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 1000; i++) {
		if (pthread_create(&t, 0, body, 0)) return 2;
		pthread_cancel(t);
		pthread_join(t, 0);
	}
	return 0;
}
C
$CC -w -g -O1 cancel.c -o cancel -pthread
exact 'F06: 1,000 threads cancelled' ./cancel

if command -v g++ >/dev/null; then
	cat >throws.cc <<'C'
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Held { std::string s; explicit Held(int n) : s(n + 40, 'x') {} };
static int deep(int n)
{
	Held h(n);
	if (n == 0) throw std::runtime_error(std::string(100, 'e'));
	try { return deep(n - 1) + 1; }
	catch (std::logic_error &) { return 1; }
}
static void run()
{
	for (int i = 0; i < 300; i++)
		try { deep(i % 60); }
		catch (std::exception &e) {
			try { std::throw_with_nested(std::runtime_error(e.what())); }
			catch (...) { auto p = std::current_exception(); }
		}
}
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++) t.emplace_back(run);
	run();
	for (auto &x : t) x.join();
	std::puts("done");
}
C
	g++ -g -O1 throws.cc -o throws -pthread
	exact 'F06: exceptions through up to 60 frames' ./throws
else
	skip 2 'no g++'
fi
done_testing
