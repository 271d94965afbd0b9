#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F01: allocation before anything is ready: in constructors of preloaded
# libraries and in thread-local ones, in resolvers of indirect functions, by
# dlerror(), in libraries that are opened, across static constructors of C++.
# See early.t for .preinit_array and a dlsym() that allocates.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# exact NAME PROGRAM: runs as alone; totals as counted by tests/prog/liboracle.c
# in the same run; with $preload in front, behind, or not at all.
preload=
exact()
{
	local name=$1 want before
	shift
	want=$(LD_PRELOAD=$preload timeout "$HANG" "$@" 2>&1; echo " $?")
	for before in '' "$preload"; do
		rm -f o.* mon.out
		is "$(timeout "$HANG" env ORACLE_OUT="$T/o" \
			LD_PRELOAD="$before:$LIBMEMMON:$preload:$PROG/liboracle.so" \
			"$@" 2>&1; echo " $?")" "$want" "F01: $name${before:+, first}"
		is "$(totals mon.out)" "$(awk '{ print $1, $2, $3, $4 }' o.*[0-9])" \
			"F01: $name: exact${before:+, first}"
		[ -n "$preload" ] || break
	done
}

# A preloaded library with 64 KB from its constructor and for each thread.
cat >pre.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static __thread char *mine;
static pthread_key_t key;
static char *all;
static void gone(void *p) { free(p); free(calloc(1, 65536)); }
static char *get(void)
{
	if (!mine) {
		mine = calloc(1, 65536);
		if (!mine || mine[0] || mine[65535]) abort();
		memset(mine, 1, 65536);
		pthread_setspecific(key, mine);
	}
	return mine;
}
__attribute__((constructor(101))) static void in(void)
{
	pthread_key_create(&key, gone);
	all = calloc(64, 1024);
	if (!all || all[65535]) abort();
	get();
}
__attribute__((destructor(101))) static void out(void) { free(all); get(); }
/* Each thread begins here. */
int pthread_setname_np(pthread_t t, const char *name) { return get()[0] - 1; }
C
cat >threads.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
static void *run(void *arg)
{
	int r = pthread_setname_np(pthread_self(), "x");
	free(malloc(10));
	return r ? arg : arg;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < 4; k++) pthread_create(&t[k], 0, run, 0);
		for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
	}
	return 0;
}
C
$CC -w -g -O1 -fno-builtin -fPIC -shared pre.c -o pre.so -pthread &&
	$CC -w -g -O1 -fno-builtin threads.c -o threads -pthread
preload=$T/pre.so
exact 'a preloaded library that allocates 64 KB at its start and per thread' ./threads
preload=

# Indirect functions whose resolvers allocate: of the program, of a library that
# it needs, and of one that it opens.
cat >indirect.c <<'C'
#include <stdlib.h>
static void *kept[3];
static int one(void) { return kept[0] && kept[1] && kept[2] ? 1 : 0; }
static int (*resolve(void))(void)
{
	kept[0] = malloc(3000);
	kept[1] = calloc(10, 10);
	kept[2] = realloc(malloc(5), 500);
	free(malloc(70));
	return one;
}
int NAME(void) __attribute__((ifunc("resolve")));
C
cat >useindirect.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int own(void);
int needed(void);
int main(int argc, char **argv)
{
	void *h = dlopen(argv[1], RTLD_NOW);
	int (*opened)(void) = h ? (int (*)(void))dlsym(h, "opened") : 0;
	printf("%d %d %d\n", own(), needed(), opened ? opened() : -1);
	return 0;
}
C
$CC -g -O1 -fno-builtin -fPIC -shared -DNAME=opened indirect.c -o opened.so &&
	$CC -g -O1 -fno-builtin -fPIC -shared -DNAME=needed indirect.c -o libneeded.so &&
	$CC -g -O1 -fno-builtin -DNAME=own -c indirect.c -o own.o &&
	$CC -g -O1 useindirect.c own.o -o indirect -L. -lneeded -Wl,-rpath,"$T" -ldl
ok $? 'F01: a program with indirect functions'
for bind in 0 1; do
	[ $bind = 1 ] && export LD_BIND_NOW=1
	is "$(timeout "$HANG" "$MEMMON" ./indirect ./opened.so; echo $?)" \
		"$(./indirect ./opened.so; echo $?)" \
		"F01: resolvers of indirect functions allocate (now: $bind)"
	"$MPREDUCE" --json ./indirect mon.out 2>/dev/null >json
	is "$("$MEMMON_BUILD/tests/jsonrows" bins size=3000 allocs <json)" 3 \
		'F01: all are counted'
	is "$(total mon.out 'frees unseen')" 0 'F01: no free is of an unknown block'
done
unset LD_BIND_NOW

# A malloc that only its own library knows: the loader relocates that library
# before the monitor, so the monitor serves it from its own memory, and counts
# nothing.
cat >within.c <<'C'
#define NAME first(void) { return 0; } static int inner
#include "indirect.c"
int within(void)
{
	int r = inner();
	kept[0] = realloc(kept[0], 100000);
	for (int i = 0; i < 3; i++) free(kept[i]);
	return r;
}
C
echo 'int within(void); int main(void) { return within(); }' >usewithin.c
$CC -w -g -O1 -fno-builtin -fPIC -shared within.c -o libwithin.so &&
	$CC -g -O1 usewithin.c -o within -L. -lwithin -Wl,-rpath,"$T"
for lib in "$LIBMEMMON" "$MEMMON_BUILD/libmemmon-access.so"; do
	for bind in '' 1; do
		rm -f mon.out
		timeout "$HANG" env LD_BIND_NOW=$bind LD_PRELOAD="$lib" ./within
		is $? 1 "F01: a resolver before ${lib##*/} is relocated (now: $bind)"
		is "$(totals mon.out) $(total mon.out 'frees unseen')" \
			'1 100000 1 100000 0' 'F01: what comes later is counted'
	done
done

# dlerror()'s text is allocated, by thread.
cat >dlerr.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *run(void *arg)
{
	for (int i = 0; i < 200; i++) {
		if (dlsym(RTLD_DEFAULT, "there is none") || !dlerror()) abort();
		if (dlopen("./there is none.so", RTLD_NOW)) abort();
		if (i % 3) free(strdup(dlerror()));
	}
	return arg;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, run, 0);
	run(0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	return write(1, "done\n", 5) != 5;
}
C
$CC -w -g -O1 dlerr.c -o dlerr -pthread -ldl
exact "dlerror()'s buffers" ./dlerr

# Libraries whose constructors allocate, start threads and open others.
cat >nest.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
static void *p, *h;
static void *run(void *arg) { free(malloc(33)); return arg; }
__attribute__((constructor)) static void in(void)
{
	pthread_t t;
	p = malloc(1234);
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
#ifdef NEXT
	h = dlopen(NEXT, RTLD_NOW);
	if (!h) abort();
#endif
}
__attribute__((destructor)) static void out(void) { free(p); if (h) dlclose(h); }
C
cat >opens.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	for (int i = 0; i < 30; i++) {
		void *h = dlopen("./nest1.so", RTLD_NOW);
		if (!h) abort();
		if (i < 29) dlclose(h);
	}
	return 0;
}
C
$CC -w -g -fPIC -shared nest.c -o nest2.so -pthread &&
	$CC -w -g -fPIC -shared -DNEXT='"./nest2.so"' nest.c -o nest1.so -pthread -ldl &&
	$CC -w -g opens.c -o opens -ldl
exact 'constructors of opened libraries' ./opens

# Static constructors of C++ in an order of their own, in files and libraries;
# thread-local objects that go after all else of their thread.
if command -v g++ >/dev/null; then
	cat >order.cc <<'C'
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>
struct Reg {
	std::vector<std::string> names;
	~Reg() { for (auto &n : names) n += std::string(50, 'z'); }
};
Reg &reg() { static Reg r; return r; }
struct Early { int *p; Early(int n) : p(new int[n]) { reg().names.push_back(std::string(n, 'e')); } ~Early() { delete[] p; } };
Early late __attribute__((init_priority(60000))) (60);
Early first __attribute__((init_priority(101))) (101);
static std::map<int, std::string> table = { { 1, std::string(40, 'a') }, { 2, std::string(50, 'b') } };
struct Local {
	std::string s = std::string(70, 'l');
	~Local() { std::string t(s + s); free(malloc(t.size())); delete new int[9]; }
};
static thread_local Local local;
extern std::string other;
int main()
{
	std::vector<std::thread> v;
	for (int i = 0; i < 50; i++) v.emplace_back([] { local.s += "x"; });
	for (auto &t : v) t.join();
	local.s += "main";
	std::printf("%zu %zu %zu %s\n", reg().names.size(), table.size(), local.s.size(), other.c_str());
	std::atexit([] { free(malloc(88)); });
}
C
	cat >lib.cc <<'C'
#include <string>
std::string other(90, 'o');
static struct Last { int *p = new int[5]; ~Last() { delete[] p; delete new int[77]; } } last;
C
	g++ -g -O1 -fPIC -shared lib.cc -o libother.so &&
		g++ -g -O1 order.cc -o order -L. -lother -Wl,-rpath,"$T" -pthread
	exact 'static and thread-local objects of C++' ./order
else
	skip 2 'no g++'
fi
done_testing
