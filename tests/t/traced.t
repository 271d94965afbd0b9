#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Call paths by hooks (-finstrument-functions, memmon-cc --stacks=hooks): the
# same as the unwinder's where it can see all; whole where it can't, however a
# function leaves frames or changes stacks; one call path of parts with hooks
# and without.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# No table describes how to leave such a frame.
blind='-fno-asynchronous-unwind-tables -fno-unwind-tables -fomit-frame-pointer'

# folded FILE PROGRAM: each call path with its allocations, and those not freed.
folded()
{
	for metric in allocs bytes kept; do
		"$MPREDUCE" --export=folded:$metric -o - "$2" "$1" 2>/dev/null
	done
}

# tables FILE PROGRAM: mpreduce's tables without times.
tables()
{
	"$MPREDUCE" -b --leaks --bins --direct --graph "$2" "$1" 2>/dev/null
}

# Both for the same program, twice: by hooks and by the unwinder.
both()
{
	local name=$1
	shift
	rm -f hooks.out unwind.out
	"$MEMMON" -o hooks.out "$@" >out.hooks 2>&1 </dev/null
	MEMMON_STACKS=unwind "$MEMMON" -o unwind.out "$@" >out 2>&1 </dev/null
	folded unwind.out "$1" >want
	folded hooks.out "$1" >got
	ok $(($(wc -l <want) < 3)) "$name: it has chains" || diag "$(cat out)"
	is_file got want "$name: each chain"
	tables unwind.out "$1" >want
	tables hooks.out "$1" >got
	is_file got want "$name: the tables"
}

while read -r prog; do
	while read -r cc; do
		file=$MEMMON_SRC/tests/prog/$prog
		[[ $prog != *.cc ]] || cc=${cc/gcc/g++} cc=${cc/clang/clang++}
		command -v "${cc%% *}" >/dev/null || continue
		# shellcheck disable=SC2086
		$cc -g -w -I"$MEMMON_SRC" -finstrument-functions "$file" -o prog \
			-pthread -ldl 2>err || { ok 1 "$cc $prog"; diag "$(cat err)"; continue; }
		both "$cc $prog" ./prog
	done < <(some <<-'E2'
	+ gcc -O0
	gcc -O2
	+ clang -O0
	+ clang -O2
	E2
	)
done <<'E2'
widgets.c
sizes.c
temps.c
relay.c
paths.c
peaks.c
steady.c
events.c
shapes.cc
mill.cc
E2

# ------------------------------------------------- whole without tables --

# Each allocates its own number of bytes, which identifies the caller.
cat >blind.c <<'C'
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define KEEP __attribute__((noinline, noclone))
void *volatile sink;
static jmp_buf up;
static ucontext_t home, co[2];
static char stack[2][65536];
KEEP static void leaf(size_t n) { sink = malloc(n); }
/* Left by longjmp, at several depths; then its caller allocates. */
KEEP static void thrower(int n) { leaf(1001); if (!n) longjmp(up, 1); thrower(n - 1); leaf(1); }
KEEP static void catcher(void)
{
	for (volatile int i = 0; i < 3; i++)
		if (!setjmp(up)) thrower(i); else leaf(1002);
	sink = malloc(1003);
}
/* A frame that grows. */
KEEP static void grower(size_t n) { char *p = alloca(n); memset(p, 1, n); leaf(1004); sink = malloc(1005); sink = p; }
/* Called back by libc, which has tables. */
KEEP static int compare(const void *a, const void *b) { leaf(1006); return *(char *)a - *(char *)b; }
KEEP static void sorter(void) { char c[] = "ba"; qsort(c, 2, 1, compare); sink = malloc(1007); }
/* Two coroutines by turns. */
KEEP static void inner(int i) { leaf(1008); swapcontext(&co[i], &co[!i]); leaf(1009); }
KEEP static void outer(int i) { inner(i); sink = malloc(1010); if (i) swapcontext(&co[i], &co[!i]); setcontext(&home); }
KEEP static void turns(void)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&co[i]);
		co[i].uc_stack.ss_sp = stack[i];
		co[i].uc_stack.ss_size = sizeof stack[i];
		makecontext(&co[i], (void (*)(void))outer, 1, i);
	}
	swapcontext(&home, &co[0]);
	sink = malloc(1011);
}
/* Threads that end in the midst. */
KEEP static void ender(int n) { if (!n) pthread_exit(NULL); ender(n - 1); leaf(1); }
KEEP static void *thread(void *arg) { leaf(1012); ender(5); return arg; }
KEEP static void threads(void)
{
	pthread_t t;
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
	}
	sink = malloc(1013);
}
/* A handler on a stack of its own, which is left once. */
static sigjmp_buf out;
static volatile int jump;
KEEP static void handled(int sig) { leaf(1014); if (jump) siglongjmp(out, sig); }
KEEP static void raiser(void)
{
	static char alt[65536];
	stack_t ss = { .ss_sp = alt, .ss_size = sizeof alt };
	struct sigaction a = { .sa_handler = handled, .sa_flags = SA_ONSTACK };
	sigaltstack(&ss, NULL);
	sigaction(SIGUSR1, &a, NULL);
	for (jump = 0; jump < 2; jump++)
		if (!sigsetjmp(out, 1)) raise(SIGUSR1);
	sink = malloc(1015);
}
/* Calls at the end. */
KEEP static void tail2(size_t n) { sink = malloc(n); }
KEEP static void tail1(void) { tail2(1016); }
KEEP static void deep(int n) { if (n) deep(n - 1); else leaf(1017); sink = &n; }
int main(void)
{
	catcher(); grower(10); grower(5000); sorter(); turns(); threads();
	raiser(); tail1(); deep(50);
	leaf(1018);
	return 0;
}
C
# chains PROGRAM: for the sizes above 1000, how often each call path allocated
# them.
chains()
{
	"$MPREDUCE" --export=csv --sql="SELECT size AS n, sum(allocs), site
		FROM items WHERE size > 1000 AND size < 1100
		GROUP BY size, site ORDER BY n, site" "$1" mon.out 2>err
}

# whole NAME COMPILER...: the same call paths as when it is compiled with tables
# and unwound.
whole()
{
	local name=$1
	shift
	"$@" -w -g -O1 blind.c -o prog -pthread 2>err ||
		{ ok 1 "$name"; diag "$(cat err)"; return; }
	"$MEMMON" ./prog >out 2>&1
	is "$?" 0 "$name: it runs" || diag "$(cat out)"
	chains ./prog >got
	is_file got want "$name: each chain is whole"
	is "$(total mon.out 'call paths stopped')" "$stopped" '... and no more stop'
}
gcc -w -g -O1 blind.c -o prog -pthread
"$MEMMON" ./prog
chains ./prog >want
stopped=$(total mon.out 'call paths stopped')
is "$(wc -l <want)" 21 'chains of all kinds, with tables' || diag "$(cat want)"
hooks=-finstrument-functions
# shellcheck disable=SC2086
{
	whole 'hooks and tables' gcc $hooks
	whole 'hooks, no tables' gcc $hooks $blind
	whole '... with frame pointers' gcc $hooks $blind -fno-omit-frame-pointer
	! command -v clang >/dev/null || whole 'clang, no tables' clang $hooks $blind
	MEMMON_CC=gcc MEMMON_CC_QUIET=1 whole 'memmon-cc --stacks=hooks' \
		"$MEMMON_BUILD/memmon-cc" --stacks=hooks $blind
}

# Frames that exceptions leave: gcc calls their hooks on the way out, clang
# doesn't.
cat >thrown.cc <<'C'
#include <coroutine>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#define KEEP __attribute__((noinline))
void *volatile sink;
KEEP static void leaf(size_t n) { sink = malloc(n); }
struct guard {
	size_t n;
	KEEP guard(size_t n) : n(n) { leaf(1101); }
	KEEP ~guard() { leaf(n); }
};
KEEP static void thrower(int n) { leaf(1102); if (!n) throw n; thrower(n - 1); leaf(1); }
KEEP static void guarded(int n)
{
	guard g(1103);
	if (!n) throw std::runtime_error("deep");
	guarded(n - 1);
	leaf(1);
}
KEEP static void again(int n)
{
	try { thrower(n); } catch (int) { leaf(1104); throw; }
	leaf(1);
}
/* From a destructor's own try, while another is on its way. */
struct nested {
	KEEP ~nested() { try { thrower(2); } catch (int) { leaf(1105); } }
};
KEEP static void within(int n) { nested x; if (n) within(n - 1); else guarded(1); leaf(1); }
/* Over frames of C, and out of a constructor. */
KEEP static int compare(const void *, const void *) { again(1); return 0; }
KEEP static void sorter() { char c[] = "ba"; qsort(c, 2, 1, compare); leaf(1); }
struct half { guard g; int *p; KEEP half() : g(1106), p(new int[277]) { delete[] p; thrower(1); } };
KEEP static void maker() { sink = new half; leaf(1); }
KEEP static void deep(int n) { if (n) deep(n - 1); else leaf(1107); sink = &n; }
template <class F> KEEP static void catcher(F f, size_t n)
{
	for (int i = 0; i < 3; i++) {
		try { f(i); } catch (int) { leaf(n); } catch (std::exception &) { leaf(n + 1); }
		deep(2);
	}
	sink = malloc(n + 2);
}
KEEP static void *thread(void *p) { catcher(again, 1110); return p; }
/* A coroutine, which is resumed from different places. */
struct steps {
	struct promise_type {
		steps get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_never initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() { leaf(1109); throw; }
	};
	std::coroutine_handle<promise_type> h;
};
KEEP static steps walk(int n)
{
	for (int i = 0; i < n; i++) { deep(i); co_await std::suspend_always(); }
	thrower(1);
}
KEEP static void resumer(steps &s) { s.h.resume(); leaf(1108); }
KEEP static void resumed(int n) { steps s = walk(3); resumer(s); s.h.resume(); leaf(1108); resumer(s); leaf(n); }
int main()
{
	pthread_t t;
	catcher(thrower, 1120); catcher(guarded, 1130); catcher(again, 1140);
	catcher(within, 1150); catcher([](int) { sorter(); }, 1160);
	catcher([](int) { maker(); }, 1170); catcher(resumed, 1180);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	leaf(1190);
	return 0;
}
C
while read -r cc; do
	command -v "${cc%% *}" >/dev/null || continue
	# shellcheck disable=SC2086
	$cc -std=c++20 -g -w -finstrument-functions thrown.cc -o thrown -pthread 2>err ||
		{ ok 1 "$cc thrown.cc"; diag "$(cat err)"; continue; }
	both "$cc thrown.cc" ./thrown
done <<'E2'
g++ -O0
g++ -O2
clang++ -O0
clang++ -O2
E2

# Parts with hooks, with tables, and with neither, which call each other.
cat >hooked.c <<'C'
#include <stdlib.h>
void tabled(void), blind(void);
void *volatile sink;
__attribute__((noinline)) void leaf(int n) { sink = malloc(n); }
__attribute__((noinline)) void inner(int n) { leaf(n); sink = &n; }
int main(void) { tabled(); blind(); sink = malloc(1003); return 0; }
C
cat >tabled.c <<'C'
#include <stdlib.h>
extern void *volatile sink;
void inner(int n);
__attribute__((noinline)) void middle(void) { inner(1001); sink = malloc(1004); }
__attribute__((noinline)) void tabled(void) { middle(); sink = &sink; }
C
cat >blind.c <<'C'
#include <stdlib.h>
extern void *volatile sink;
void inner(int n);
__attribute__((noinline)) void blind(void) { inner(1002); sink = malloc(1005); }
C
# shellcheck disable=SC2086
gcc -w -g -O1 -c $hooks $blind hooked.c && gcc -w -g -O1 -c tabled.c &&
	gcc -w -g -O1 -c $blind blind.c && gcc hooked.o tabled.o blind.o -o mixed
"$MEMMON" ./mixed
is "$(chains ./mixed | tail -n +2 | tr -d '\r')" '1001,1,main > tabled > middle > inner > leaf
1002,1,main > blind > inner > leaf
1003,1,main
1004,1,main > tabled > middle
1005,1,main > blind' 'parts of all kinds make one chain'
is "$(total mon.out 'call paths stopped')" 0 '... none stops'
done_testing
