#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The measurements of tests/bench, with very little work and without looking at
# times: the programs behave as they say, no tool changes their output, the
# tables are right for invented runs, and the runner notices when a tool changes
# a program.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
bench=$MEMMON_BUILD/tests/bench
measure=$bench/measure
run=$MEMMON_SRC/tests/bench/run
access=$MEMMON_SRC/tests/bench/access
unset ROUNDS ONLY BENCH FULL SIZE BENCH_SRC BENCH_CFLAGS TOOLS GCC CLANG
[ -x "$measure" ] || {
	echo "Bail out! no $measure: make tests"
	exit 1
}

# program ALLOCATIONS LINE ARGUMENT...: it prints LINE, alone, on the shim and
# under memmon.  memmon counts ALLOCATIONS, and a few of libc's.
program()
{
	local n=$1 line=$2 prog=$bench/$3 name="${*:3}" seen
	shift 3
	is "$("$prog" "$@")" "$line" "$name"
	is "$(LD_PRELOAD=$bench/shim.so "$prog" "$@")" "$line" '  on the shim'
	is "$("$MEMMON" "$prog" "$@")" "$line" '  under memmon'
	seen=$(total mon.out allocations)
	[ "$seen" -ge "$n" ] && [ "$seen" -le $((n + 100)) ]
	ok $? "  $n allocations: $seen"
}
program 8000 'storm 4 8000 01a6e2d380d6b62d' storm 4 8000
program 10000 'insert 10000 6f3a159702d6b55a' insert 10000
program 10001 'sizes 2 5000 1000 6008f30ec2931c1f' sizes 2 5000 1000
program 30080 'storm 16 30080 84bc0a9c99a84c96' storm 16 30000
middle=$(total mon.out 'deepest call path')
program 30080 'storm 64 30080 a8fb7d31a47caa02' storm 64 30000
is $(($(total mon.out 'deepest call path') - middle)) 48 "storm's depths: 64 - 16"
program 6104 'tree 10 6104 1af1918e7f9a2964' tree 10 5000
program 8001 'server 2 3000 2f07934c2498057e' server 2 3000
program 2001 'million 1000 1000 90ef111883afbc5e' million 1000 1000
program 1000 'many 50 20 7c8a389b485dbfb6' many 50 20
program 10000 'chains 8000 10000 7ba079bd7c87ba00' chains 8000 10000
sites=$("$MPREDUCE" -i mon.out | awk '$NF == "sites" { print $2; exit }')
[ "$sites" -ge 8000 ]
ok $? "8000 chains, and the libc's: $sites"
program 21 'dense 3 366e5b8c9b2a2b64' dense 3
is "$("$bench/parser" 3)" 'parser 3 316038 1d91f161ecf66a57' 'parser 3'
is "$("$bench/server" 0 2>&1)" "$bench/server: 0 is not a number" 'no threads'

# measure: the figures of a process tree.  The command itself writes its CPU
# time in the format of `times': user and system, "0m0.12s".
burn='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; times >burnt'
# no_less CPU NAME: than the program said.
no_less()
{
	awk -v cpu="$1" 'NR == 1 { split($1 "m" $2, t, /[ms]+/)
		took = t[1] * 60 + t[2] + t[3] * 60 + t[4] }
		END { exit !(took > 0 && cpu >= took) }' burnt
	ok $? "$2: $1 s" || diag "$(cat burnt)"
	rm -f burnt
}
echo in >in
"$measure" -o out -r result sh -c 'sleep 0.2; cat; echo out; exit 7' <in
is $? 7 "measure: the command's exit status"
is "$(cat out)" out '  its output; it reads nothing'
read -r wall cpu rss status <result
is "$status" 7 '  the status in the result'
like "$wall" '^(0\.[2-9]|[1-9])' '  no less time than it slept'
"$measure" -r result sh -c "(sh -c '$burn'); :"
read -r _ cpu rss _ <result
no_less "$cpu" '  CPU of a grandchild'
"$measure" -w "$HANG" -r result sh -c "sh -c 'sleep 0.1; $burn' & :"
read -r _ cpu rss _ <result
no_less "$cpu" '  CPU of one that outlives the child'
[ "$rss" -lt 20000000 ]
small=$?
"$measure" -r result dd if=/dev/zero of=/dev/null bs=50000000 count=1 2>/dev/null
read -r _ _ rss _ <result
[ $small = 0 ] && [ "$rss" -ge 50000000 ] && [ "$rss" -lt 80000000 ]
ok $? "  the resident set: $rss of 50000000 bytes"
"$measure" -r result sh -c 'kill -9 $$'
is "$? $(cut -d ' ' -f 4 result)" '137 137' '  killed'
"$measure" "$T/nothing" 2>/dev/null
is $? 125 '  no such command'

# The table: ratios round by round.  The plain run takes 2, 4 and 3 s, and the
# shim 1, 1 and 2 times as long; memmon adds 1 s, heaptrack 10.
cat >runs <<'R'
run plain 1 2 2 1000000
run shim 1 2 2 1000000
run memmon 1 3 2.5 2000000
run heaptrack 1 12 22 4000000
run plain 2 4 4 1000000
run shim 2 4 4 1000000
run memmon 2 5 4.5 2000000
run heaptrack 2 14 24 4000000
run plain 3 3 3 1000000
run shim 3 6 6 3000000
run memmon 3 4 3.5 2000000
run heaptrack 3 13 23 4000000
data memmon 1234
report memmon 0.126
note one note
R
cat >want <<'R'

name: 1000000000 allocations; plain 3.000 s wall (2.000 to 4.000), 3.000 s CPU, 1.0 MB
             wall    min    max     CPU    min    max ns wall  ns CPU memory       bytes report
shim         1.00   1.00   2.00    1.00   1.00   2.00     0.0     0.0   1.00           -      -
memmon       1.33   1.25   1.50    1.17   1.12   1.25     1.0     0.5   2.00        1234   0.13
heaptrack    4.33   3.50   6.00    7.67   6.00  11.00    10.0    20.0   4.00           -      -
one note
bounds: memory 1.0 of 5.0 MB; file 0.00 of 1.00 MB; report 0.13 of 1.00 s; CPU 2% of 25% of heaptrack's
memmon adds 10% of the wall time and 2% of the CPU that heaptrack adds
(10% and 2% by the quickest runs)
R
table()
{
	awk -v name=name -v allocs="$1" -v heap=4000000 -v bars=bars \
		-f "$MEMMON_SRC/tests/bench/ratios.awk" \
		-f "$MEMMON_SRC/tests/bench/table.awk" "${runs:-runs}"
}
table 1000000000 >got
is_file got want 'the table of runs that are known'
is "$(cat bars)" "$(printf 'name\t10%%\t2%%\t10%%\t2%%\t-')" '  and its last line'
sed 's/^data memmon .*/data memmon 1234567/; s/0.126/1.5/' runs >large
like "$(runs=large table 1000000000)" 'file 1\.23 of 1\.00 MB OVER; report' \
	'  what is over its bound'
is "$(tail -n 1 bars | cut -f 6)" 'file report' '  ... in the last line, too'
sed -i '/^run plain 2/s/ 4 4 / 9 40 /; /^run memmon 2/s/ 5 / 10 /
	/^run heaptrack 2/s/ 14 / 19 /; /^run memmon/s/ [0-9.]* 2000000/ 1 2000000/
	/^note/d' runs
table '' >got
like "$(tail -n 2 got | head -n 1)" 'adds 10%\? of the wall time and - of the CPU' \
	'  what drowns in the noise is marked, or left out'
like "$(grep ^shim got)" ' - +- +1\.00 ' '  nothing per allocation without them'

# The runner: all tools that are installed, with our programs and one other
# program.
tools='shim memmon'
! command -v heaptrack >/dev/null || tools+=' heaptrack'
mkdir tmp
export TMPDIR=$T/tmp
ONLY='storm-4 server-2 chains many perl' SIZE=1 ROUNDS=1 bash "$run" >out 2>err
ok $? 'run: no tool changes a program' || diag "$(cat out err)"
is "$(grep -c 'changed what' out)" 0 '  nor says that one does'
command -v perl >/dev/null && perl=perl || perl=
for name in 'storm 4' 'server 2' many chains $perl; do
	is "$(sed -n "/^$name: [0-9]/,/^\$/p" out | awk -v ORS=' ' '
		$1 ~ /^(shim|memmon|heaptrack)$/ && NF == 12 { print $1 }')" \
		"$tools " "  $name: figures of each tool"
done
is "$(grep -c 'allocations; plain' out)" $((4 + ${#perl} / 4)) '  no other ones'
is "$(find tmp -mindepth 1)" '' '  nothing stays'
if command -v valgrind >/dev/null; then
	FULL=1 ROUNDS=2 bash "$run" "$bench/storm" 4 800 >out 2>err
	like "$(grep '^massif' out)" ' [1-9][0-9]* +[0-9.]+$' '  massif, when asked'
else
	skip 1 'no valgrind'
fi

cat >tells.c <<'C'
/* tells: exits with 3 when something is preloaded; tells x: says so instead;
 * tells x y: says something else each time. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	(void)argv;
	free(malloc(10));
	if (argc > 2)
		printf("%d\n", (int)getpid());
	if (argc == 2)
		puts(getenv("LD_PRELOAD") ? "preloaded" : "alone");
	return argc == 1 && getenv("LD_PRELOAD") ? 3 : 0;
}
C
$CC -o tells tells.c
BENCH=tells ROUNDS=1 bash "$run" >out 2>err
is $? 1 'a program that ends otherwise under a tool'
like "$(cat out)" 'memmon changed what the program does: exit status 3, not 0' \
	'  is told'
is "$(grep -c '^memmon  ' out)" 0 '  and has no figures'
BENCH='./tells "x"' ROUNDS=1 bash "$run" >out 2>err
is $? 1 'a program that says something else under a tool'
like "$(cat out)" 'memmon changed what the program does: other output' '  is told'
ROUNDS=1 bash "$run" ./tells x y >out 2>err
is $? 0 'a program that never says the same'
like "$(cat out)" 'its output changes by itself: not checked' '  is not checked'
ROUNDS=0 bash "$run" >out 2>&1
is $? 2 'no rounds'

# The table of access: each tool is compared with the plain runs of its own
# compiler, of 2, 4 and 3 s by gcc and twice that by clang.
cat >runs <<'R'
base memmon plain
base calls-clang plain-clang
base dhat plain
run plain 1 2 2 1000000
run plain-clang 1 4 4 2000000
run memmon 1 3 2.5 2000000
run calls-clang 1 12 6 4000000
run dhat 1 100 90 9000000
run plain 2 4 4 1000000
run plain-clang 2 8 8 2000000
run memmon 2 5 4.5 2000000
run calls-clang 2 24 16 4000000
run plain 3 3 3 1000000
run plain-clang 3 6 6 2000000
run memmon 3 4 3.5 2000000
run calls-clang 3 18 10.5 6000000
count calls-clang 12345678901
file memmon 1234567
note one note
R
cat >want <<'R'

name: 1000 allocations
plain by gcc: 3.000 s wall (2.000 to 4.000), 3.000 s CPU, 1.0 MB
plain by clang: 6.000 s wall (4.000 to 8.000), 6.000 s CPU, 2.0 MB
               wall    min    max     CPU    min    max  memory    min    max MB more  file runs      accesses
memmon         1.33   1.25   1.50    1.17   1.12   1.25    2.00   2.00   2.00     1.0  1235    3             -
calls-clang    3.00   3.00   3.00    1.75   1.50   2.00    2.00   2.00   3.00     2.0     -    3   12345678901
dhat          50.00  50.00  50.00   45.00  45.00  45.00    9.00   9.00   9.00     8.0     -    1             -
one note
R
awk -v name=name -v tuned=no -v allocs=1000 -v means=means \
	-f "$MEMMON_SRC/tests/bench/ratios.awk" \
	-f "$MEMMON_SRC/tests/bench/access.awk" runs >got
is_file got want 'access: the table of runs that are known'
is "$(cat means)" 'memmon 1.33333 1.16667 2 1235 no name
calls-clang 3 1.75 2 - no name
dhat 50 45 9 - no name' '  and what goes into the means'
cat >means <<'R'
memmon 2 1 4 9 yes storm 16
asan 8 - 3 - yes storm 16
memmon 4.5 1 9 100 no xml
asan 2 - 3 - no xml
memmon 3 4 6 - no json
R
cat >want <<'R'

geometric means over 3 programs
               wall      CPU   memory  programs     file
memmon         3.00     1.59     6.00         3      100
asan           4.00?       -     3.00?        2        -

CPU time       tuned       memmon         asan
storm 16         yes         1.00            -
xml               no         1.00            -
json              no         4.00            -
mean             yes         1.00            -
mean              no         2.00            -
R
awk -f "$MEMMON_SRC/tests/bench/means.awk" means >got
is_file got want '  and the means'

# access: every tool that is here has figures, every other one is named.
mkdir src
cat >src/walk.c <<'C'
/* walk FILE: 20,000 blocks of 100 ints that are added up; the length of FILE's
 * name is the only thing it looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	long sum = argc > 1 ? strchr(argv[1], '/') != NULL : 0;
	for (int i = 0; i < 20000; i++) {
		int *volatile p = malloc(100 * sizeof(int));
		for (int j = 0; j < 100; j++)
			p[j] = j;
		for (int j = 0; j < 100; j++)
			sum += p[j];
		free(p);
	}
	printf("%ld\n", sum);
#ifdef OTHER
	return OTHER;
#endif
#if defined(TELLS) && defined(__SANITIZE_ADDRESS__)
	puts("and more");
#endif
#if defined(FAILS) && defined(__SANITIZE_ADDRESS__)
#error "not so"
#endif
}
C
all='memmon plugin calls-gcc calls-clang asan'
! exhaustive || all='memmon plugin calls-gcc calls-clang memprof asan tsan dhat'
TOOLS=$all ROUNDS=1 bash "$access" 'walk me|src|*.c|a b' \
	'again|src|$CC $CFLAGS -c *.c && $CC -o "$OUT" walk.o|$SRC/x' \
	>out 2>err
ok $? 'access: no tool changes a program' || diag "$(cat out err)"
lacks=$(sed -n 's/^\([a-z-]*\): left out:.*/\1/p' err)
here=
for tool in $all; do
	[[ " ${lacks//$'\n'/ } " == *" $tool "* ]] || here+="$tool "
done
diag "measured: $here"
for name in 'walk me' again 'geometric means over 2 programs'; do
	is "$(sed -n "/^$name/,/^\$/p" out | awk -v ORS=' ' '
		{ figures = NF >= 5 }
		{ for (i = 2; i < NF && i <= 10; i++)
			if ($i !~ /^[0-9]+([.][0-9][0-9])?$/) figures = 0 }
		figures { print $1 }')" "$here" "  $name: ratios of each tool"
done
plugin=$(gcc -dumpversion)
plugin=$MEMMON_BUILD/plugin/gcc-${plugin%%.*}/memmon.so
[ -e "$plugin" ] && plugin=plugin || plugin=
for tool in memmon calls-gcc $plugin; do
	like " $here" " $tool " "  $tool is there"
done
counts=$(awk '/^(plugin|calls-)/ && NF == 14 && $14 < 400000 { bad++ }
	/^(plugin|calls-)/ && NF == 14 { n++ } END { print (n > 0) bad }' out)
is "$counts" 1 '  memmon counts accesses in each way'
is "$(find tmp -mindepth 1; find src -mindepth 1)" src/walk.c '  nothing stays'
TOOLS='memmon asan' ROUNDS=1 bash "$access" 'tells|src|-DTELLS walk.c|' \
	'fails|src|-DFAILS walk.c|' 'other|src|-DOTHER=3 walk.c|' \
	'broken|src|nothing.c|' 'none|nowhere|walk.c|' '' >out 2>err
is $? 1 'access: programs that do otherwise under a tool'
like "$(cat out)" 'asan changed what the program does: other output' '  are told'
like "$(cat out)" "asan: the program couldn't be compiled" \
	"  one that can't be compiled in one way"
like "$(sed -n '/^other/,/^$/p' out)" $'\nasan  .*[0-9]' \
	'  another exit status is as good as 0'
is "$(sed -n '/^tells/,/^$/p; /^fails/,/^$/p' out | grep -c '^asan  ')" 0 \
	'  and have no figures'
like "$(cat err)" 'broken: plain: .*nothing.c' "  one that can't at all"
like "$(cat err)" 'none\|nowhere.*no directory' "  one that isn't there"

TOOLS=nothing bash "$access" 'walk|src|walk.c|' >out 2>err
is $? 2 'access: no tools'

# A memmon-cc that forgets to record.
mkdir fake
ln -s "$MEMMON_BUILD"/* fake
rm -f fake/memmon-cc
cat >fake/memmon-cc <<E
#!/bin/sh
case "\$*" in
*walk.c*) exec gcc "\$@" ;;
esac
exec "$MEMMON_BUILD/memmon-cc" "\$@"
E
chmod +x fake/memmon-cc
MEMMON_BUILD=$T/fake TOOLS=calls-gcc ROUNDS=1 bash "$access" 'w|src|walk.c|' \
	>out 2>err
is $? 1 'access: nothing recorded'
like "$(cat out)" 'calls-gcc has left no file' '  is told'
is "$(grep -c '^calls-gcc  ' out)" 0 '  and has no figures'
done_testing
