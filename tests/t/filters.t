#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Filters on real programs: recursion, inlined functions, wrappers, templates,
# two libraries, threads.  Every table shows only what the filter keeps, and
# says so.  If a part isn't recorded, its figure is unknown.  A name that
# doesn't exist gets a message.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

mkdir src
cat >src/part.c <<'END'
#include <stdlib.h>
void *part_get(size_t n) { return malloc(n); }
END
# In all 26 blocks of 4574 bytes: red 10 x 100 and blue 10 x 50 (freed), part
# 3 x 1000, inlined 1 x 7, recursive 1 x 64, wrapper 1 x 3 (src/deep/copy.h).
mkdir src/deep
cat >src/deep/copy.h <<'END'
#include <stdlib.h>
static __attribute__((noinline)) void *xmemdup(const void *p, size_t n)
{ char *q = malloc(n); *(volatile char *)q = *(const char *)p; return q; }
static __attribute__((noinline)) void copy(void)
{ keep(xmemdup("ab", 3)); }
END
cat >src/parts.c <<'END'
#include <stdlib.h>
void *part_get(size_t n);
static void *volatile kept;
#define keep(p) (kept = (p))
static __attribute__((noinline)) void *get(size_t n)
{ void *p = malloc(n); keep(p); return kept; }
static __attribute__((noinline)) void red(void)
{ for (int i = 0; i < 10; i++) { get(100); kept = 0; } }
static __attribute__((noinline)) void blue(void)
{ for (int i = 0; i < 10; i++) { void *p = get(50); kept = 0; free(p); } }
static __attribute__((noinline)) void use_part(void)
{ for (int i = 0; i < 3; i++) { keep(part_get(1000)); kept = 0; } }
static inline __attribute__((always_inline)) void inlined(void)
{
	keep(malloc(7));	/* the line of the seven */
	kept = 0;
}
static __attribute__((noinline)) void hold_seven(void) { inlined(); kept = 0; }
static __attribute__((noinline)) void c(void) { keep(malloc(64)); kept = 0; }
static void b(int n);
static __attribute__((noinline)) void a(int n)
{ if (n) b(n - 1); else c(); kept = 0; }
static __attribute__((noinline)) void b(int n) { a(n); kept = 0; }
#include "deep/copy.h"
int main(void)
{ red(); blue(); use_part(); hold_seven(); a(1); copy(); kept = 0; return 0; }
END
opt="-O1 -g -fno-optimize-sibling-calls"
# shellcheck disable=SC2086
"$CC" $opt -fPIC -shared -o libpart.so src/part.c &&
	"$CC" $opt -o parts src/parts.c -L. -lpart -Wl,-rpath,"$T" &&
	"$MEMMON" ./parts
ok $? "the program runs"

# left OPTION...: bytes and allocations that are left, of the rows' sum.
left()
{
	"$MPREDUCE" -b -p "$@" parts mon.out 2>err | awk '
		/^ +[0-9.-]+ +[0-9]+ \|/ {
			n = split($0, f, "|"); split(f[1], x, " ")
			split(f[n], y, " ")
			if (/<TOTAL>/) { bytes = x[2]; calls = y[1] }
			else { sum += x[2]; all += y[1] }
		}
		END { printf "%d %d", bytes, calls
			if (bytes != sum || calls != all)
				printf " but rows are %d %d", sum, all
			print "" }'
}
# chain OPTION...: the paths of the leaks.
chain()
{
	"$MPREDUCE" -b -L --verbose --depth=all "$@" parts mon.out 2>/dev/null |
		sed -n 's/.*|| > //p' | sort
}

is "$(left)" "4574 26" "all of it"
is "$(left --focus=red)" "1000 10" "--focus"
is "$(cat err)" "" "without complaint"
is "$(left --ignore=red)" "3574 16" "--ignore is the rest"
is "$(left --focus=red --focus=blue)" "1500 20" "two of them"
is "$(left --focus=get --ignore=blue)" "1000 10" "both at once"
is "$(left --focus='[rb]*')" "1564 21" "a glob: red, blue and b"
is "$(left --focus=inlined)" "7 1" "an inlined function"
is "$(left --focus=xmemdup)" "3 1" "a wrapper"
is "$(left --focus=copy.h)" "3 1" "a file"
is "$(left --focus=deep/copy.h)" "3 1" "the end of a path"
is "$(left --focus=eep/copy.h)" "0 0" "from a slash on"
is "$(left --focus=deep/copy.h:copy)" "3 1" "a function of a file"
is "$(left --focus=parts.c:copy)" "0 0" "... but not of this one"
is "$(left --focus=part.c)" "3000 3" "a file of the library"
line=$(grep -n 'the line of the seven' src/parts.c | cut -d: -f1)
is "$(left --focus="parts.c:$line")" "7 1" "a line with a call"
is "$(left --focus="parts.c:$((line + 400))")" "0 0" "a line without"
is "$(left --only=library:libpart.so)" "3000 3" "--only=library"
is "$(left --only=library:'parts' --ignore=red)" "574 13" "the program's own"
is "$(left --only=library:"$T/lib*")" "3000 3" "by its path"
is "$(left --only=library:nothing)" "0 0" "none"
like "$(cat err)" '--only=library:nothing: no library has this name' "which is said"
is "$(left --only=library:libpart.so --hide=part_get)" "0 0" \
	"who allocated is who isn't hidden"
is "$(left --only=library:parts --hide=part_get)" "4574 26" "but for its caller"

# Functions that are hidden, and recursion.
like "$(chain --focus=c)" '^main > <cycle 1: a, b, a> > c$' "recursion as it is"
like "$("$MPREDUCE" -L --focus=c parts mon.out 2>/dev/null)" \
	'<cycle 1: f, g, h> is one element of a path' "... which is explained"
like "$(chain --focus=c --paths=frames)" '^main > a > b > a > c$' "frame by frame"
is "$(chain --focus=c --paths=collapsed)" "main > a > c" "taken out"
is "$(chain --focus=c --hide=a)" "main > b > c" "--hide"
is "$(chain --focus=c --hide=main)" "<cycle 1: a, b, a> > c" "of the outermost one"
is "$(chain --focus=c --hide=c)" "main > <cycle 1: a, b, a>" "of the innermost one"
is "$(left --hide='*')" "4574 26" "of all: no chain"
like "$("$MPREDUCE" -b -p --hide='*' parts mon.out 2>/dev/null)" \
	' 4574 .* 26   \(no chain\)' "which is a row"

# Every table names its filter, and shows only what passes it.
"$MPREDUCE" -b -L -B -p -q --peak --lifetimes --threads --prolog=marks --focus=blue \
	parts mon.out >out 2>err
is "$(grep -c '^ *keeps 500 of 4574 bytes (10.9%), 10 of 26 allocations' out)" \
	"$(grep -c '^filter: --focus=blue$' out)" "how much, with each filter"
is "$(grep -c '^filter: --focus=blue$' out)" 8 "under each title"
is "$(grep -cE '100 |4574 [^b]|3574' out)" 0 "nothing of the rest"
like "$(cat out)" 'Nothing leaked' "no leaks"
like "$(cat out)" 'Marks have the figures of the whole program' "no marks"
like "$(cat out)" 'At the peak of the whole program: 0 bytes|None of it' "peak"
"$MPREDUCE" -b --focus=blue parts mon.out >out 2>/dev/null
like "$(cat out)" 'bytes  *500' "prolog: bytes"
like "$(cat out)" 'threads  *-' "not known how many threads"
is "$(grep -c '^recording' out)" 0 "nothing is of the whole program"
"$MPREDUCE" --json --focus=blue parts mon.out >json 2>/dev/null
like "$(grep '^"filter"' json)" \
	'"options":"--focus=blue","allocs":26,"bytes":4574,"less":true' "JSON"
like "$(grep '^"totals"' json)" '"allocs":10,"bytes":500,.*"threads":null' \
	"its totals"
is "$("$MPREDUCE" --json parts mon.out 2>/dev/null | grep -c '^"filter"')" 0 \
	"no filter there without one"
"$MPREDUCE" -b -p --hide=red --paths=collapsed parts mon.out >out 2>/dev/null
like "$(cat out)" 'filter: --hide=red --paths=collapsed' "all options"
like "$(cat out)" 'leaves out none of the 4574 bytes' "which keep all"

# Filters that match nothing: a warning, empty tables, and --fail-if doesn't
# pass.
"$MPREDUCE" -b -q --focus=green parts mon.out >out 2>err
is "$?" 0 "nothing is left: status"
like "$(cat err)" '--focus=green: no function on a call path has this name' \
	"what isn't there"
like "$(cat err)" 'nothing passes the filter' "so that nothing is left"
like "$("$MPREDUCE" -b -p --focus=re parts mon.out 2>&1 >/dev/null)" \
	"--focus=re: no function .* names; is it red\?" "a name that may be meant"
like "$(cat out)" 'Nothing passes the filter' "in the table"
"$MPREDUCE" -b -p --hide=green --ignore=green parts mon.out >out 2>err
is "$(grep -c '=green: no function' err)" 2 "--hide and --ignore of nothing"
is "$(grep -c 'nothing passes' err)" 0 "which keep all"
for limit in 'kept>0' 'bytes>0' 'allocs>0' 'peak>0'; do
	"$MPREDUCE" -L --fail-if="$limit" --focus=green parts mon.out \
		>/dev/null 2>err
	is "$?" 3 "$limit of nothing"
	like "$(cat err)" "is unknown: the filter names something" \
		"isn't known"
done
"$MPREDUCE" -L --fail-if='kept>0' --focus=blue parts mon.out >/dev/null 2>&1
is "$?" 0 "limits are on what is left"
"$MPREDUCE" -L --fail-if='kept>999' --focus=red parts mon.out >/dev/null 2>&1
is "$?" 3 "and passed by it"
"$MPREDUCE" -L --fail-if='kept>1000' --focus=red parts mon.out >/dev/null 2>&1
is "$?" 0 "or not"

# Rows and entries are chosen by symspecs, too.
rows()
{
	"$MPREDUCE" -b "$@" parts mon.out 2>err |
		sed -n 's/ (inlined)$//; s/^ *[0-9.]* *[0-9]* |.* //p' |
		grep -v TOTAL | sort | tr '\n' ' '
}
is "$(rows -pinlined)" "inlined " "-p FUNC"
is "$(rows -p'[ci]*')" "c copy inlined " "-p GLOB"
is "$(rows -pdeep/copy.h)" "copy " "-p FILE"
is "$(rows -pcopy.h:copy)" "copy " "-p FILE:FUNC"
start=$(grep -n 'void c(void)' src/parts.c | cut -d: -f1)
is "$(rows -p"parts.c:$start")" "c " "-p FILE:LINE"
rows -pgreen >/dev/null
like "$(cat err)" 'no function green is in the tables' "-p of nothing"

# Several files, and their sum, which knows all.
cp mon.out again.out
is "$("$MPREDUCE" -b -p --focus=red mon.out again.out 2>/dev/null |
	awk '/<TOTAL>/ { print $2 }')" 2000 "of two files"
"$MPREDUCE" -s --focus=red mon.out again.out 2>err
is "$("$MPREDUCE" -b -p mon.sum 2>/dev/null | awk '/<TOTAL>/ { print $2 }')" \
	9148 "-s writes all"

# By size.  Files that don't know the sizes of a site's blocks:
"$CC" -nostdlib -static -no-pie -Wl,-Ttext=0x401000,-e,main,--build-id=none \
	-o widgets "$MEMMON_SRC/tests/golden/prog.s"
"$MEMMON_BUILD/tests/monmake" <"$MEMMON_SRC/tests/golden/widgets.in" >old.mon
"$MPREDUCE" -p --only=size:1..8 widgets old.mon >out 2>err
is "$?" 1 "--size of an old file"
like "$(cat err)" '--only=size: .*run the program again' "what to do"
is "$(cat out)" "" "no figures"
"$MPREDUCE" -p --only=thread:x widgets old.mon >out 2>err
is "$?" 1 "--thread of it"
like "$(cat err)" '--only=thread: .*run the program again' "what to do"
"$MPREDUCE" -b -B --focus=make_red_widget widgets old.mon >out 2>/dev/null
like "$(cat out)" '<= 256, any +5019 +1023876' "bins by class"
like "$(cat out)" 'For these filters, the data only have size' "which is said"
like "$(cat out)" '<TOTAL> +5019 +1023876 ' "they add up"
"$MPREDUCE" -b --threads --focus=make_red_widget widgets old.mon >out 2>/dev/null
like "$(cat out)" 'The data don.t say which threads allocated' \
	"no threads"

# Files that do know sizes, and threads.
if "$MPREDUCE" -p --only=size:1..8 parts mon.out >/dev/null 2>&1; then
	is "$(left --only=size:..8)" "10 2" "--only=size:..B"
	is "$(left --only=size:9..64)" "564 11" "--only=size:A..B"
	is "$(left --only=size:65..)" "4000 13" "--only=size:A..: the rest"
	is "$(left --only=size:50)" "500 10" "--only=size:A"
	is "$(left --only=size:50..64 --focus=a)" "64 1" "with a function"
	is "$(left --only=size:1K..)" "0 0" "none is so large"
	is "$(left --only=thread:main)" "4574 26" "--thread"
	is "$(left --only=thread:'[!p]*')" "0 0" "another"
	like "$(cat err)" 'no thread has this name' "which isn't there"
	"$MPREDUCE" -b -B --verbose --focus=blue parts mon.out >out 2>/dev/null
	like "$(cat out)" ' 50 +10 +500 ' "bins by size"
	like "$(cat out)" '<TOTAL> +10 +500 ' "of what is left"
	"$MPREDUCE" -b --threads --focus=blue parts mon.out >out 2>/dev/null
	like "$(cat out)" '100\.0 +1 +10 +500 +- +- +- +parts' \
		"threads: who freed isn't known"
else
	skip 12 "the files don't say what sizes call paths had"
fi

# Templates: with their arguments, or without.
case $CC in
*clang*) CXX=${CXX:-clang++} ;;
*) CXX=${CXX:-g++} ;;
esac
if command -v "$CXX" >/dev/null; then
	cat >src/box.cc <<'END'
#include <cstdlib>
namespace ns {
template <class T> struct box {
	void *p;
	template <int N> __attribute__((noinline)) void *fill(T)
	{ p = malloc(N); return p; }
	__attribute__((noinline)) void *operator<<(T) { p = malloc(5); return p; }
};
}
void *volatile kept;
int main()
{
	ns::box<int> i;
	ns::box<char> c;
	kept = i.fill<10>(1);
	kept = i.fill<20>(1);
	kept = c.fill<40>('c');
	kept = i << 1;
	kept = nullptr;
}
END
	"$CXX" -O0 -g -o box src/box.cc && MEMMON_OUT=box.out "$MEMMON" ./box
	ok $? "C++ runs"
	box()
	{
		"$MPREDUCE" -b -p --ignore='_GLOBAL*' "$@" box box.out 2>/dev/null |
			awk '/<TOTAL>/ { print $2 }'
	}
	is "$(box --focus='ns::box::fill')" 70 "no template arguments"
	is "$(box --focus='ns::box<int>::fill<10>')" 10 "all of them"
	is "$(box --focus='ns::box<int>::*')" 35 "a glob"
	is "$(box --focus='ns::box<int>::fill*')" 30 "another"
	is "$(box --focus='void* ns::box<char>::fill<40>(char)')" 40 "in full"
	is "$(box --focus='_ZN2ns3boxIcE4fillILi40EEEPvc')" 40 "mangled"
	is "$(box --focus='ns::box::fill' --names=mangled)" 70 "--names=mangled"
	is "$(box --focus='ns::box::operator<<')" 5 "an operator"
	is "$(box --focus='box.cc:ns::box::operator<<')" 5 "with its file"
	is "$(box --focus='fill')" 0 "not by a part"
else
	skip 11 "no C++ compiler"
fi
# A thread's share of the peak, if no other thread has blocks of its sizes: the
# same by a filter and by a query.  With blocks of other threads it is unknown.
cp "$MEMMON_BUILD/tests/prog/crew" crew
"$MEMMON_BUILD/memmon" -o crew.mon ./crew names >/dev/null 2>&1
"$MPREDUCE" -b --peak --only=thread:'hand 6' crew crew.mon >out 2>/dev/null
like "$(cat out)" '-----       180000       3000   <TOTAL>' \
	"the peak of a thread with sizes of its own"
"$MPREDUCE" --where='thread == "hand 6"' --columns=peak crew crew.mon \
	>out 2>/dev/null
like "$(cat out)" '180000   <TOTAL>' "as a query has it"
"$MPREDUCE" -b --peak --only=thread:'hand 5' --only=thread:sweeper crew crew.mon \
	>out 2>/dev/null
like "$(cat out)" '-----       125000       2500   <TOTAL>' \
	"and with one that only frees"

# If paths were shortened, some callers are unknown.  The blocks that a filter
# keeps, plus the blocks about which it reports that it can't tell, are no fewer
# than in the same run with whole paths; without the latter they are no more.
cp "$MEMMON_BUILD/tests/prog/chains" chains
"$MEMMON_BUILD/memmon" --chain-limit=1000 -o short.mon ./chains 3000 >/dev/null
"$MEMMON_BUILD/memmon" --full-chains -o whole.mon ./chains 3000 >/dev/null
# left FILE OPTION: the allocations that the filter keeps, and those about which
# it can't tell.
left()
{
	"$MPREDUCE" --json "$2" chains "$1" 2>err >json
	sed -n 's/^"totals":{"allocs":\([0-9]*\),.*/\1/p' json
	sed -n 's/.*"outer_allocs":\([0-9]*\),.*/\1/p' json
}
for option in --focus=at3 --ignore=at3; do
	read -r n unknown < <(left short.mon $option | tr '\n' ' ')
	read -r is none < <(left whole.mon $option | tr '\n' ' ')
	if [ $option = --focus=at3 ]; then
		ok $((!(n < is && is <= n + unknown))) \
			"$option: of paths cut short $n and $unknown, of $is"
	else
		ok $((!(n > is && is >= n - unknown))) \
			"$option: of paths cut short $n, $unknown unsure, of $is"
	fi
	is "$none" 0 "... of whole ones all is known"
done
left short.mon --focus=at3 >/dev/null
like "$(cat err)" "$unknown allocations of $((24 * unknown)) bytes have unknown outer" \
	"... which a message says"
is "$(left short.mon --focus=leaf | tr '\n' ' ')$(wc -l <err)" '3000 0 0' \
	"a function of all paths: nothing is in doubt"
done_testing
