#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Memory profiling modules, from memmon-cc --module to the tables.  The programs
# have known dependences, values, lifetimes and pointers: their comments list
# them, and oracle.pl computes them from a list of all events.  Also tests the
# program, its children and the process that consumes the events.
. "${MEMMON_SRC:-.}/tests/tap.sh"

GCC=${MEMMON_GCC:-gcc} modules=$MEMMON_SRC/tests/modules
cc=$MEMMON_BUILD/memmon-cc reduce=$MEMMON_BUILD/mpreduce
export MEMMON_CC=$GCC MEMMON_CXX=${GCC/gcc/g++}
if [ ! -f "$MEMMON_BUILD/plugin/gcc-$("$GCC" -dumpversion |
	sed 's/[.].*//')/memmon.so" ]; then
	echo "1..0 # SKIP no plugin for $GCC"
	exit 0
fi

# One command builds a user's own module.
own()
{
	"$GCC" -O2 -Wall -Wextra -Werror -shared -fPIC \
		-I "$MEMMON_SRC/monitor/module" -I "$MEMMON_SRC" "$@"
}
own "$modules/naive.c" -o naive.so
ok $? "a module is built by one command"
# Modules that do the same as the paper's aren't longer than the paper's.
declare -A as=([value]=constants [dependence]=flow [points_to]=pointees
	[lifetime]=scopes)
declare -A lines=([constants]=60 [flow]=140 [pointees]=250 [scopes]=120)
for m in "${as[@]}"; do
	own "$modules/own/$m.c" -o $m.so
	ok $? "own/$m.c likewise"
	n=$(wc -l <"$modules/own/$m.c")
	ok $((n > lines[$m])) "... in ${lines[$m]} lines ($n)"
done
is "$(sed -n '/^#include/,/^[.]Ed/p' "$MEMMON_SRC/man/memmon_module.3" |
	sed '/^[.]Ed/d')" "$(sed -n '/^#include/,$p' "$modules/own/constants.c")" \
	"memmon_module(3) has one of them"

# build PROGRAM SOURCE MODULE...
build()
{
	local program=$1 source=$2 by=$cc m
	shift 2
	case $source in *.cc) by=$MEMMON_BUILD/memmon-c++ ;; esac
	for m; do set -- "$@" "--module=$m"; shift; done
	"$by" -O1 -no-pie -g -w "$@" "$source" -o "$program" -pthread
}

# With gcc, and with clang if it has a pass; each program uses the next number
# of workers.
turn=0 n=0
for compiler in "$GCC" clang; do
	major=$("$compiler" -dumpversion 2>/dev/null) && major=${major%%.*}
	[[ $compiler != clang ||
		-e $MEMMON_BUILD/plugin/clang-$major/memmon.so ]] || continue
	export MEMMON_CC=$compiler MEMMON_CXX=${compiler/gcc/g++}
	MEMMON_CXX=${MEMMON_CXX/clang/clang++}
	for source in "$modules"/prog/*.c*; do
		# With clang fewer, unless the test is exhaustive.
		each=4
		[ "$compiler" = "$GCC" ] || each=12
		exhaustive || [ $((n++ % each)) = 0 ] || continue
		name=${source##*/} name="${name%.*} by ${compiler##*/}"
		# with: the modules that the comments ask for, with options;
		# plain: the modules alone.
		mapfile -t with < <(sed -n \
			's/.*EXPECT \(not \)*\([a-z_]*[a-z_:,=0-9]*\).*/\2/p' \
			"$source" | sort -u)
		mapfile -t plain < <(printf '%s\n' "${with[@]%%:*}" | sort -u)
		others=("$T/naive.so")
		for m in "${plain[@]}"; do
			[ ! "${as[$m]-}" ] || others+=("$T/${as[$m]}.so")
		done
		rm -f mon.out*
		build program "$source" "${plain[@]}" "${others[@]}" &&
			MEMMON_WORKERS=$((turn++ % 3)) \
			MEMMON_MODULES="${with[*]} ${others[*]}" \
			./program >/dev/null
		# After clang's optimizations only the volatile objects are as
		# the comments say.
		[[ $compiler = clang && $name != @(signed|both|once)* ]] ||
			is "$(PROGRAM=program perl "$modules/expect.pl" \
				"$source" mon.out 2>&1)" "" \
				"$name: as its comment says"
		for m in "${with[@]}"; do
			case $m in
			dependence:* | value | lifetime | points_to)
				is "$(perl "$modules/oracle.pl" "${m%%:*}" \
					mon.out.naive "mon.out.${m%%:*}" \
					2>&1)" "" \
					"$name: as a list of all events has it"
				;;
			esac
		done
		for m in "${plain[@]}"; do
			[ ! "${as[$m]-}" ] ||
				is "$(perl "$modules/alike.pl" ${as[$m]} \
					mon.out 2>&1)" "" \
					"$name: $m as own/${as[$m]}.c"
		done
		# With one of these modules alone, functions that call nothing
		# have no events.
		[[ $compiler = clang ||
			${with[*]} != @(lifetime|points_to) ]] || {
			build program "$source" "${with[@]}" &&
				./program >/dev/null
			is "$(PROGRAM=program perl "$modules/expect.pl" \
				"$source" mon.out 2>&1)" "" "... alone, too"
		}
	done
done
export MEMMON_CC=$GCC MEMMON_CXX=${GCC/gcc/g++}

# A module writes the same results with any other modules compiled in, except
# for addresses and what depends on them.
#
# said MODULE PROGRAM: to PROGRAM.MODULE.
said()
{
	"$reduce" --module="$1" --export=csv "$2" 2>&1 |
		sed -E 's/(0x[0-9a-f]+|,[0-9]{7,})( [+-] [0-9]+)?/ADDRESS/g' \
			>"$2.$1"
	# Lines of 64 bytes have other neighbours.
	[ "$1" != locality ] || {
		sed -E 's/^([0-9]+),([^,]*,){3}("[^"]*"|[^,]*),/\1,/' "$2.$1" |
			sort >sorted
		mv sorted "$2.$1"
	}
}

all=(dependence dependence_context value lifetime points_to fields locality)
for compiler in "$GCC" clang; do
	major=$("$compiler" -dumpversion 2>/dev/null) && major=${major%%.*}
	[ -e "$MEMMON_BUILD/plugin/${compiler%%-*}-$major/memmon.so" ] ||
		continue
	[ "$compiler" = "$GCC" ] || exhaustive || continue
	export MEMMON_CC=$compiler MEMMON_CXX=${compiler/gcc/g++}
	MEMMON_CXX=${MEMMON_CXX/clang/clang++}
	rm -f mon.out*
	build beside "$modules/everything.cc" "${all[@]}" &&
		MEMMON_MODULES=${all[*]/%locality/locality:every=1} ./beside
	for m in "${all[@]}"; do
		said $m beside
	done
	! exhaustive && all=(dependence value points_to)
	for m in "${all[@]}"; do
		rm -f mon.out*
		build alone "$modules/everything.cc" $m &&
			MEMMON_MODULES=${m/%locality/locality:every=1} ./alone
		said $m alone
		[ "$(wc -l <alone.$m)" -gt 5 ] && cmp -s alone.$m beside.$m
		ok $? "${compiler##*/}: $m alone says what it says beside others" ||
			diag "$(diff alone.$m beside.$m | cut -c 1-300 | head -20)"
	done
done
export MEMMON_CC=$GCC MEMMON_CXX=${GCC/gcc/g++}

# The results are the same with any number of workers.
build program "$modules/prog/wavefront.c" dependence
for workers in 0 1 2 4 8; do
	rm -f mon.out*
	MEMMON_MODULES=dependence:anti,output MEMMON_WORKERS=$workers ./program
	grep -v '^run\|^end' mon.out.dependence | sort >"by$workers"
done
is "$(cat by[01248] | sort | uniq -c | awk '$1 != 5')" "" \
	"0, 1, 2, 4 and 8 workers find the same"

# Memory is bounded if a program stores bytes one by one, or several at once,
# and reads them.
cat >fill.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N (24l << 20)
int main(void)
{
	unsigned char *v = malloc(N);
	unsigned long s = 0, peak = 0;
	char line[200];
	FILE *f;
	for (long i = 0; i < N; i++)
		v[i] = (unsigned char)i;
	for (long i = 0; i + 3 <= N; i += 3) {
		v[i] ^= 1;
		v[i + 1] ^= 2;
		v[i + 2] ^= 3;
	}
	for (long i = 0; i < N; i++)
		s += v[i];
	f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "VmHWM: %lu", &peak);
	printf("%lu %lu\n", peak, s);
	return 0;
}
C
"$GCC" -O1 -w fill.c -o fill
build filled fill.c dependence
rm -f mon.out*
read -r plain sum < <(./fill)
read -r peak same < <(MEMMON_WORKERS=0 ./filled)
is "$same" "$sum" "bytes by one: the same sum"
ok $((peak > 4 * plain + 65536)) \
	"... in at most 4 times the memory and 64 MB ($peak, $plain KB)"

# The events of a killed program until its end are recorded.
cat >killed.c <<'C'
#include <signal.h>
int a[1000];
int main(void)
{
	for (int i = 1; i < 1000; i++)
		a[i] = a[i - 1] + 1;
	raise(SIGKILL);
}
C
build killed killed.c dependence
rm -f mon.out*
{ ./killed; } 2>/dev/null
for ((i = 0; i < 10 * HANG && ! $(test -e mon.out.dependence; echo $?) == 0; i++)); do
	sleep 0.1
	[ ! -e mon.out.dependence ] || break
done
like "$(cat mon.out.dependence)" $'\t998\t1\t1\t' \
	"after SIGKILL all is there that was written"
is "$("$reduce" --module=dependence killed 2>&1 |
	grep -c 'DEPENDENCES\|another run')" 1 "... and is this run's"

# A child has results of its own; a child that becomes another program has no
# results.
cat >family.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int a[1000];
static void __attribute__((noinline)) fill(int n)
{
	for (int i = 1; i < n; i++)
		a[i] = a[i - 1] + 1;
}
int main(void)
{
	fill(11);
	if (fork() == 0) {
		fill(101);
		return 0;
	}
	wait(NULL);
	if (fork() == 0) {
		fill(3);
		execl("/bin/true", "true", NULL);
	}
	wait(NULL);
	fill(21);
	return 0;
}
C
build family family.c dependence
rm -f mon.out*
./family
is "$(grep -ah '^row.flow' mon.out*.dependence | cut -f6 | sort -n)" \
	$'28\n99' "parent and child have results of their own"
is "$(echo mon.out*.dependence | wc -w)" 2 "... and the third process none"

# The program doesn't notice.
cat >notice.c <<'C'
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int children, a[100000];
static void child(int s) { children += s == SIGCHLD; }
__attribute__((constructor(102))) static void early(void)
{
	signal(SIGCHLD, child);
}
int main(void)
{
	struct dirent *e;
	DIR *d = opendir("/proc/self/fd");
	int n = 0;
	while ((e = readdir(d)))
		n += e->d_name[0] != '.';
	closedir(d);
	for (int k = 0; k < 20; k++)
		for (int i = 1; i < 100000; i++)
			a[i] = a[i - 1] + 1;
	printf("%d children, wait %d %s, files %d\n", children,
		waitpid(-1, NULL, WNOHANG), errno == ECHILD ? "none" : "some",
		n);
	return 0;
}
C
build notice notice.c dependence
"$GCC" -w notice.c -o plain
is "$(MEMMON_WORKERS=2 ./notice </dev/null)" "$(./plain </dev/null)" \
	"no child, no signal, no file descriptor"

# The process that consumes is slow, or dies, or is missing.
cat >slow.c <<'C'
#include "monitor/module/memmon_module.h"
#include <signal.h>
#include <unistd.h>
MEMMON_EVENTS("load:address store:address");
static void events(void *state, const struct memmon_batch *b)
{
	uint64_t *n = state;
	memmon_each (e, b)
		++*n;
	usleep(2000);
#ifdef DIES
	if (*n > 300000)
		raise(SIGKILL);
#endif
}
static const struct memmon_column columns[] = { { "n", MEMMON_COUNT, "" } };
static const struct memmon_table tables[] = { { "all", "ALL", columns, 1 } };
static void finish(void *state, struct memmon_host *h)
{
	h->row(h, 0, (union memmon_cell[]){ { .n = *(uint64_t *)state } });
}
const struct memmon_module memmon_module = { MEMMON_MODULE_VERSION,
	MEMMON_ALONE, "slow", "", tables, 1, 8, NULL, events, NULL, finish };
C
own slow.c -o slow.so
own -DDIES slow.c -o dies.so
build waits notice.c "$T/slow.so"
rm -f mon.out*
./waits >/dev/null
n=$(sed -n 's/^row.//p' mon.out.slow)
ok "$((n < 3999960))" "a slow module gets all events ($n)"
build loses notice.c "$T/dies.so"
rm -f mon.out*
timeout "$HANG" ./loses >/dev/null
is $? 0 "the program goes on when the process that consumes is killed"
like "$(cat mon.out.dies)" $'failed\tmemmon-consume, which runs the modules' \
	"... which the results say"
ok "$(awk '$1 == "run" { print !($5 > 0) }' mon.out.dies)" \
	"... with how much is lost"
"$reduce" --module=dies loses >out 2>err
like "$(cat out)" "The results are unknown" "... and the table"
like "$(cat err)" "events are missing" "... and a warning"

# Options, or values of options, that a module doesn't know.
build program "$modules/prog/reduction.c" dependence locality
# options OPTIONS: the program's output and mpreduce's messages, for modules
# with these options.
options()
{
	rm -f mon.out*
	MEMMON_MODULES=$1 ./program 2>&1
	"$reduce" --module=dependence --module=locality program 2>&1 |
		grep -E "^(unknown options|the option) "
}
is "$(MEMMON_WORKERS=0 options 'dependence:anti,bogus,x=3,output locality')" \
	"unknown options without effect: bogus, x=3" \
	"options that a module doesn't know are named"
for every in abc 0 8x ''; do
	is "$(options "dependence locality:every=$every")" \
		"the option every isn't a number from 1 on: one line in 64 is looked at" \
		"... and every=$every is no number"
done
is "$(options 'dependence:anti,output,anti locality:every=8')" "" \
	"... but none that are right"

# The most used parts of blocks come first, then by offset.
cat >parts.c <<'C'
#include <stdlib.h>
int main(void)
{
	volatile long *v = malloc(40);
	v[3] = v[0] = v[1] = v[4] = 1;
	v[3]++;
}
C
build program parts.c fields
rm -f mon.out*
./program
is "$("$reduce" --module=fields -b program |
	awk '/^PARTS/ { on = 1 } on && $NF == "(main)" { print $1, $2 }')" \
	$'3 24\n1 0\n1 8\n1 32' "parts of blocks by use, then offset"

# Results that are missing or damaged.
build program "$modules/prog/reduction.c" dependence
rm -f mon.out*
./program
"$reduce" --module=value program 2>err
like "$(cat err)" "no results of module value; build the program with" \
	"no results: what to do"
is "$("$reduce" --module=dependence -b program 2>&1 |
	grep -c "^flow reduction.c:.* reduction.c:.* 99 .* 0,99")" 1 "the table"
like "$("$reduce" --module=dependence program)" \
	"distances +how often 0, 1, 2-3, 4-7" "... and what distances begin with"
is "$("$reduce" --sql="select \"count\", least, most from
	dependence_dependences where loop is not null" program |
	tail -n 1 | tr -s ' ')" " 99 1 1" "SQL"
like "$("$reduce" --json program)" '"dependence_loops"' "JSON"
like "$("$reduce" --export=csv:dependence_loops program)" \
	'^loop,entered,iterations,carried' "CSV"
"$reduce" --html=page.html program
like "$(cat page.html)" 'DEPENDENCES' "the page"
# Exports all tables of a module and no others; then formats without tables.
"$reduce" --module=dependence --export=csv program >out
is "$(grep -a '^dependence' out | tr -d '\r' | xargs)" \
	"dependence_dependences dependence_loops" "... all of a module"
is "$(grep -c '^sites' out)" 0 "... and nothing else"
"$reduce" --module=dependence --export=folded program >out 2>err
is "$? $(cat err)" "1 mpreduce: --export=folded: this format can't hold results of \
modules (--module); use csv, json or sqlite" "... a format without them"
is "$("$reduce" --sql="select loop, carried, verdict from dependence_loops
	where carried > 0 order by carried desc limit 1" program |
	tail -n 1 | tr -s ' ' | sed 's/^ *//')" \
	"$("$reduce" --sql='select loop from dependence_loops
		where carried = 99' program | tail -n 1 |
		sed 's/^ *//') 99 depends on earlier iterations" "SQL of loops"
# Options that don't apply to results of modules.
for option in --diff --diff=common -s --watch --file-info=list --file-info --where='bytes>1' \
	--group-by=type --focus=main --only=thread:1 --at=peak --between=0,1s; do
	"$reduce" --module=dependence "$option" program mon.out >out 2>err
	is "$? $(wc -l <err) $(grep -c "doesn't apply to results of modules" \
		err)" "2 1 1" "$option: one line"
done
# Names that exist, as globs or not, and names that don't.
is "$("$reduce" --module='dep*' -b program | grep -c 'Module dependence')" 1 \
	"a glob of modules"
like "$("$reduce" --module=dependance program 2>&1)" \
	"has no results of this module; it has those of dependence" \
	"... of none: which there are"
like "$("$reduce" --module=value program 2>&1)" \
	"there are results of dependence" "... of none that is known"

# A program with modules only has no shadow of its blocks, and no sums of their
# uses.  It counts no accesses, except those of code that is loaded later and
# counts accesses itself.
cat >nobody.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
char *volatile p, text[99];
static void *nothing(void *a) { return a; }
int main(int n, char **v)
{
	unsigned long from, to;
	int shadow = 0;
	pthread_t t;
	char line[999];
	FILE *f;
	for (int i = 0; i < 20000; i++) {
		p = malloc(40);
		memcpy(p, text, 40);
		free(p);
	}
	if (n > 2)
		pthread_create(&t, NULL, nothing, NULL);
	if (n > 1)
		((void (*)(void))dlsym(dlopen(v[1], RTLD_NOW), "counted"))();
	f = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), f))
		shadow |= sscanf(line, "%lx-%lx", &from, &to) == 2 &&
			  (to - from) >> 42;
	printf("%d\n", shadow);
	return 0;
}
C
cat >counted.c <<'C'
#include <stdlib.h>
long *volatile q;
void counted(void)
{
	q = malloc(80);
	for (int i = 0; i < 10; i++)
		q[i] = i;
}
C
build nobody nobody.c lifetime
"$cc" -O1 -shared -fPIC counted.c -o counted.so
"$cc" -O1 -c counted.c -o counted.o
"$cc" -O1 -no-pie -g -w --module=lifetime nobody.c counted.o -o both -pthread
# counts ARGUMENT...: is there a shadow, and how many writes of blocks.
counts()
{
	rm -f mon.out*
	"$@"
	"$reduce" --json "$1" mon.out 2>/dev/null | tr ',{' '\n\n' |
		awk -F: '/^"uses":/, /^"unfolded"/ {
			n += $1 == "\"writes\"" ? $2 : 0 } END { print +n }'
}
is "$(counts ./nobody | xargs)" "0 0" "modules only: no shadow"
is "$(counts ./nobody "$T/counted.so" | xargs)" "1 10" \
	"... until code that counts is loaded"
is "$(counts ./nobody "$T/counted.so" thread | xargs)" "0 0" \
	"... unless there are several threads"
like "$("$reduce" --file-info nobody mon.out 2>&1)" \
	"loaded while several threads ran" "... which is said"
is "$(counts ./both | xargs)" "1 0" "with code that counts there is one"
# instructions PROGRAM: the number of instructions that it executes.
instructions()
{
	MEMMON_TIMELINE=0 valgrind --tool=callgrind \
		--callgrind-out-file=/dev/null "./$1" 2>&1 |
		sed -n 's/.*refs: *//p' | tr -d , | sort -n | tail -n 1
}
if exhaustive && command -v valgrind >/dev/null; then
	less=$(instructions nobody) more=$(instructions both)
	ok $((less > more * 19 / 20)) \
		"without it takes fewer instructions ($less, $more)"
fi

# --only and --loop with names that don't exist.
rm -f mon.out*
for only in --only=mian --loop=reduction.c:2; do
	"$cc" -O1 -no-pie -g -w --module=dependence $only \
		"$modules/prog/reduction.c" -o restricted && ./restricted
	like "$("$reduce" --module=dependence restricted)" \
		"${only}: no .*, so its events aren't in the tables; is .* meant" \
		"$only: it isn't there"
done
build program "$modules/prog/reduction.c" dependence
rm -f mon.out*
./program
# The example of the manual page, about a loop in line 120 of prog.c.
{ yes '' | head -n 109; cat "$modules/prog/reduction.c"; } >prog.c
build prog prog.c dependence
sed -n '/^mpreduce --sql=/,/prog$/p' "$MEMMON_SRC/man/memmon-modules.7" |
	sed "s,^mpreduce,\"$reduce\"," >example
mkdir example.d
(cd example.d && ../prog && cp ../prog . && . ../example) >out 2>&1
like "$(cat out)" "prog.c:121:7.* prog.c:121:3.* 1" \
	"the example of memmon-modules(7)"
for change in 's/row/rov/' '$d' '3d' 's/flow/f\x00ow/' '1s/1/2/'; do
	cp mon.out.dependence saved
	sed -i "$change" mon.out.dependence
	"$reduce" --module=dependence program >out 2>err
	is "$? $(grep -cE 'damaged|newer version|not a file' err)" "1 1" \
		"damaged by $change: one line"
	mv saved mon.out.dependence
done

# Results of another run, or of another program.
cp mon.out.dependence saved
cp mon.out.dependence mon.out.other
MEMMON_MODULES=value ./program
for name in dependence other; do
	[ $name = other ] || cp saved mon.out.dependence
	"$reduce" --module=$name program >out 2>err
	is "$? $(wc -l <err) $(grep -c 'module dependence are from another run' \
		err)" "1 1 1" "results of another run: one line"
done
is "$("$reduce" --module=dependence --module=value program 2>err |
	grep -c '^-.* Module [dv]')" 1 "... they are left out"
like "$(cat err)" "dependence are from another run" "... which it says"
"$reduce" --json program >out 2>err
is "$(grep -c '"dependence' out) $(grep -c '"value_' out) $(
	grep -c 'another run' err)" "0 1 2" "... of JSON, too"
rm mon.out.other
./program
"$reduce" --module=dependence program >out 2>err
is "$? $(cat err)" "0 " "the same run's are shown"

# Names of C++, of functions, in contexts, of types.
cat >names.cc <<'C'
namespace shop {
struct item { item *next; long price; };
item *first;
__attribute__((noinline, noipa)) item *make(int n)
{
	item *i = new item;
	i->price = n;
	i->next = first;
	return first = i;
}
}
int main()
{
	long sum = 0;
	for (int i = 0; i < 9; i++)
		shop::make(i);
	for (shop::item *i = shop::first; i; i = i->next)
		sum += i->price;
	return sum != 36;
}
C
for compiler in "$GCC" clang; do
	major=$("$compiler" -dumpversion 2>/dev/null) && major=${major%%.*}
	[ -e "$MEMMON_BUILD/plugin/${compiler%%-*}-$major/memmon.so" ] ||
		continue
	MEMMON_CXX=${compiler/gcc/g++}
	MEMMON_CXX=${MEMMON_CXX/clang/clang++}
	rm -f mon.out*
	build names names.cc points_to fields && ./names
	"$reduce" --module=points_to --module=fields -b names >text
	"$reduce" --json names >json
	"$reduce" --export=csv:points_to_pointers names >csv
	"$reduce" --sql='select context, pointer from points_to_pointers' \
		names >sql
	for form in text json csv sql; do
		is "$(grep -c '_Z' $form) $(grep -c \
			'main > .*shop::make(int)' $form | sed 's/[1-9].*/+/')" \
			"0 +" "${compiler##*/}: plain names in $form"
	done
	ok "$(grep -q '_ZN4shop4makeEi' <("$reduce" --module=points_to \
		--names=mangled names); echo $?)" "... or not, as asked for"
done

# The program's own new, inlined in main.
cat >own.cc <<'C'
#include <stdlib.h>
void *operator new(size_t n) { return malloc(n); }
void operator delete(void *p, size_t) noexcept { free(p); }
void operator delete(void *p) noexcept { free(p); }
long *volatile kept;
int main()
{
	kept = new long;
	delete kept;
}
C
build own own.cc lifetime
rm -f mon.out*
./own
is "$("$reduce" --module=lifetime -b own | grep -c '^own.cc:8 (main)')" 2 \
	"its own operator new isn't a site, inlined or not"
# Sites in a function that was inlined stay apart.
cat >inlined.c <<'C'
#include <stdlib.h>
static inline __attribute__((always_inline)) void *get(int n)
{
	return malloc(n);
}
int main(void)
{
	void *volatile p = get(1), *volatile q;
	q = get(2);
	free(p);
	free(q);
}
C
build inlined inlined.c lifetime
rm -f mon.out*
./inlined
is "$("$reduce" --module=lifetime -b inlined |
	grep -o '^inlined.c:.*)  ' | sort -u | xargs -n 4)" \
	$'inlined.c:4 (get in main:8)\ninlined.c:4 (get in main:9)' \
	"places of a function that was inlined"
is "$("$reduce" . 2>&1 | grep -c dependence)" 0 \
	"results aren't data files of a directory"
done_testing
