#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Allocation at unusual times: before any constructor, during the search for the
# next allocator, in signal handlers that interrupt malloc, in constructors and
# destructors of libraries, in thread-local destructors of C++.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# A dlsym() that allocates, as older loaders' do: the blocks come from the
# monitor itself, and stay after the search.
cat >sym.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
static char *kept;
void *dlsym(void *restrict handle, const char *restrict name)
{
	static void *(*real)(void *, const char *);
	char *p = calloc(300, 300), *q = malloc(10), *r = realloc(q, 100);
	if (!p || !r || p[89999]) __builtin_trap();
	memset(p, 1, 90000);
	free(p);
	memset(r, 2, 100);
	if (!kept) kept = r;
	if (!real) real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	return real(handle, name);
}
__attribute__((destructor)) static void end(void)
{
	if (!kept) return;
	kept = realloc(kept, 5000);
	if (!kept || kept[99] != 2) __builtin_trap();
	free(kept);
}
C
if $CC -g -O1 -fno-builtin -fPIC -shared sym.c -o sym.so 2>err; then
	out=$(LD_PRELOAD=$T/sym.so timeout "$HANG" "$MEMMON" "$PROG/widgets" half; echo $?)
	is "$out" 0 'F01: allocation while the next allocator is looked for'
	is "$(total mon.out 'frees unseen')" 0 'its blocks are told from others'
else
	skip 2 'no dlvsym'
fi

cat >ctor.c <<'C'
#include <stdlib.h>
static void *p[20];
static void preinit(void) { for (int i = 0; i < 10; i++) p[i] = malloc(33); }
__attribute__((section(".preinit_array"), used)) static void (*pre)(void) = preinit;
__attribute__((constructor(102))) static void ctor(void)
{ for (int i = 10; i < 20; i++) p[i] = malloc(33); }
__attribute__((destructor(102))) static void dtor(void)
{ for (int i = 0; i < 20; i++) free(p[i]); }
int main(void) { return 0; }
C
$CC -g -O1 ctor.c -o ctor
"$MEMMON" ./ctor
is "$(totals mon.out)" '20 660 20 660' 'F01: preinit_array, constructor, destructor'
"$MPREDUCE" -b -p ./ctor mon.out >direct
grep -q '330 .* preinit$' direct && grep -q '330 .* ctor$' direct
ok $? 'each has its own blocks' || diag "$(cat direct)"

cat >lib.c <<'C'
#include <stdlib.h>
static void *p;
__attribute__((constructor)) static void lib_in(void) { p = malloc(1000); }
__attribute__((destructor)) static void lib_out(void) { free(p); }
void lib_use(void) {}
C
echo 'void lib_use(void); int main(void) { lib_use(); return 0; }' >uselib.c
$CC -g -fPIC -shared lib.c -o libuse.so &&
	$CC -g uselib.c -o uselib -L. -luse -Wl,-rpath,"$T"
"$MEMMON" ./uselib
is "$(totals mon.out)" '1 1000 1 1000' "a library's constructor and destructor"
$CC -g uselib.c -o uselib2 -L. -luse -Wl,-rpath,"$T" -L"$MEMMON_BUILD" \
	-Wl,-rpath,"$MEMMON_BUILD" -Wl,--no-as-needed -lmemmon
./uselib2
is "$(totals mon.out)" '1 1000 1 1000' 'the same, linked behind it'

# If the monitor looks for a symbol and doesn't find it, the program doesn't
# notice.
cat >dlerr.c <<'C'
#include <dlfcn.h>
#include <unistd.h>
int main(void) { return dlerror() ? 1 : 0; }
C
$CC dlerr.c -o dlerr -ldl && "$MEMMON" ./dlerr
ok $? 'dlerror() has nothing to say at the start of main'
is "$(totals mon.out)" '0 0 0 0' 'and nothing of it is in the heap'

# The search takes no locks of libc, which the program may hold: here
# setlocale() makes the very first allocation.
cat >locale.c <<'C'
#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
static void first(void) { setlocale(LC_ALL, "C.UTF-8"); }
__attribute__((section(".preinit_array"), used)) static void (*p)(void) = first;
int main(void)
{
	puts(setlocale(LC_ALL, "C.UTF-8") ? "set" : "not set");
	return dlerror() != NULL;
}
C
$CC locale.c -o locale -ldl
is "$(timeout "$HANG" "$MEMMON" ./locale)" "$(./locale)" \
	'F01: the first allocation is made with a lock held'

# On an allocator that stands it: glibc's may not be interrupted like that.
made=$(LD_PRELOAD=$PROG/libbump.so "$MEMMON" "$PROG/sigs" storm)
is "$(totals mon.out)" "$((made + 20000)) $((made * 32 + 960000)) $((made + 20000)) $((made * 32 + 960000))" \
	'F07: 2,000 signals that strike in malloc: all counts exact'
is "$("$PROG/sigs" show)" "$("$PROG/sigs-mm" show)" \
	'the program sees its own signal actions only'

if command -v g++ >/dev/null 2>&1; then
	cat >tls.cc <<'C'
#include <cstdlib>
#include <thread>
static void *made[3];
struct Local {
	void *p = std::malloc(500);
	~Local() { std::free(p); std::free(std::malloc(600)); }
};
static thread_local Local l;
struct Global {
	void *p = std::malloc(700);
	~Global() { std::free(p); }
} g;
int main()
{
	made[0] = l.p;
	std::thread t([] { made[1] = l.p; });
	t.join();
	return 0;
}
C
	g++ -g tls.cc -o tls -pthread && "$MEMMON" ./tls
	"$MPREDUCE" --json ./tls mon.out >json 2>/dev/null
	for size in 500:2:2 600:2:2 700:1:1; do
		IFS=: read -r s a f <<<"$size"
		grep -q "^{\"size\":$s,\"allocs\":$a,\"bytes\":[0-9]*,\"frees\":$f," json
		ok $? "F08: C++: blocks of $s bytes: $a made, $f freed in destructors"
	done
fi

# Fork in a threaded program, while the other threads allocate.
cat >fork.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int stop;
static void *f(void *a)
{ while (!stop) { void *volatile p = malloc(50); free(p); } return a; }
int main(void)
{
	pthread_t t[3];
	int st, bad = 0;
	for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			for (int k = 0; k < 10; k++) { void *volatile p = malloc(60); free(p); }
			_exit(0);
		}
		waitpid(pid, &st, 0);
		bad += st != 0;
	}
	stop = 1;
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return bad;
}
C
rm -f mon.out*
$CC -O1 fork.c -o fork -pthread && timeout "$HANG" "$MEMMON" ./fork
ok $? 'F02: fork among threads: no child hangs or dies'
bad=0
for f in mon.out.*; do
	[ "$(totals "$f")" = '10 600 10 600' ] || bad=$((bad + 1))
done
is "$(ls mon.out.* | wc -l) $bad" '40 0' "40 children's files, each with its own counts"
is "$(total mon.out allocations)" "$(total mon.out frees | awk '{ print $1 + 3 }')" \
	"the parent's (three threads' blocks of the libc are kept)" ||
	diag "$(totals mon.out)"
done_testing
