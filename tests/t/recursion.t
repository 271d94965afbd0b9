#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Recursion, from the program to the table: cycles are merged, inclusive bytes
# are exact, deep call paths are shortened at the right place, and the file says
# so.  Also long walks whose call paths are known by construction: the file has
# each of them, with its exact count.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/unwind/oracle.sh"
# Unfolded call paths; fold.t tests the folded ones.
export MEMMON_FULL_CHAINS=1

reduce()
{
	"$MPREDUCE" -b "$@" "$PROG/recurse-mm" mon.out 2>err
}

"$PROG/recurse-mm" fg
reduce -q >graph
like "$(cat graph)" 'F \[[0-9]\] in <cycle 1>' 'F12: F and G are a cycle'
# One block of 10 bytes; its call path has F and G twice each.
like "$(cat graph)" '<cycle 1> \[[0-9]\] as a whole' 'it has an entry'
like "$(grep 'as a whole' graph)" ' 1\+3 ' 'called once, three calls within'
reduce --json >json
is "$(grep -c '"name":"[FG]".*"total":{"allocs":\[1,0,0,0\],"bytes":\[10,0,0,0\]' json)" \
	2 'F and G: 10 bytes each, counted once'

"$PROG/recurse-mm" parse '(1+2)*(3+(4*5))'
reduce --json >json
like "$(grep '"name":"parse_sum"' json)" \
	'"total":\{"allocs":\[0,9,0,0\],"bytes":\[0,360,0,0\]' \
	'parser: all 9 nodes, 360 bytes, at parse_sum'
like "$(cat json)" '"cycles":\[[^]]*"members"' 'parser: one cycle'
reduce -q | grep -q 'parse_factor \[[0-9]*\] in <cycle 1>'
ok $? 'parser: members are named as such'
is "$("$MPREDUCE" -i mon.out | awk '/ allocations$/ && NF == 2 { print $1 }')" 9 \
	'parser: nothing else allocated'

"$PROG/recurse-mm" self 900
like "$(reduce -q | grep '^\[.* count \[' | head -n 1)" ' 1\+899 ' \
	'self-recursion: 1 call and 899 from itself'
is "$(total mon.out 'call paths too deep')" 0 'not cut at 900 frames'

"$PROG/recurse-mm" self 5000
is "$(total mon.out 'call paths too deep')" 1 'cut at 5,000'
is "$(total mon.out 'deepest call path')" 1024 'to the 1,024 innermost frames'
like "$(reduce -L)" '\.\.\.> <cycle: count>' 'and shown as cut'
MEMMON_DEPTH=8000 "$PROG/recurse-mm" self 5000
is "$(total mon.out 'call paths too deep')" 0 'MEMMON_DEPTH=8000: not cut'
is "$(total mon.out 'deepest call path')" 5004 'all frames, with those of the start'
like "$(reduce -q | grep '^\[.* count \[' | head -n 1)" ' 1\+4999 ' 'and calls'

# The frames outside main: two of libc's and _start.
outside=3

# 100,000 frames.  The file states the limit, which is exact from both sides.
for n in 100000 60000; do
	MEMMON_DEPTH=200000 "$PROG/recurse-mm" self $n
	is "$(total mon.out 'call paths too deep')" 0 "F12: $n frames: not cut"
	is "$(total mon.out 'deepest call path')" $((n + 1 + outside)) 'all are there'
	is "$(totals mon.out)" '1 24 0 0' 'exact totals'
	like "$(reduce -q | grep '^\[.* count \[' | head -n 1)" \
		" 1\+$((n - 1)) " 'and calls'
	like "$(reduce -L --paths=frames)" '\.\.\.> count > count > count > count > count$' \
		'the leak is shown with its five innermost'
	like "$(reduce -L)" '\|\| > main > <cycle: count>$' 'and as a cycle'
done
MEMMON_DEPTH=60003 "$PROG/recurse-mm" self 60000
is "$(total mon.out 'call paths too deep') $(total mon.out 'deepest call path')" '1 60003' \
	'one frame too many: cut'
MEMMON_DEPTH=60004 "$PROG/recurse-mm" self 60000
is "$(total mon.out 'call paths too deep') $(total mon.out 'deepest call path')" '0 60004' \
	'as many as there may be: not cut'
"$PROG/recurse-mm" self 100000
is "$(total mon.out 'call paths too deep') $(total mon.out 'deepest call path')" '1 1024' \
	'100,000 frames, by default: cut, counted'
is "$(totals mon.out)" '1 24 0 0' 'and exact'

# calls NAME: "called+recursive" of a function.
calls()
{
	reduce -q"$1" | sed -n "s/^\\[.* \\([0-9]*+[0-9]*\\)  *$1 .*/\\1/p"
}
# An allocation on each stair, down and up.
# stairs N: frames of all call paths, and those that are also in the previous
# path: all of its frames except the innermost one, or the two innermost on the
# way up.
stairs()
{
	local n=$1 b=$((1 + outside))
	echo $((n * (n + 1) + 2 * n * b)) \
		$(((n - 1) * (2 * b - 3) + n * n - 1 + b + n - 1))
}
for n in 1000 9000; do
	MEMMON_DEPTH=10000 "$PROG/recurse-mm" stairs $n
	is "$(totals mon.out)" "$((2 * n)) $((32 * n)) $((2 * n)) $((32 * n))" \
		"stairs, $n deep: exact totals"
	is "$(calls stair)" "$((2 * n))+$((n * (n - 1)))" \
		'each chain as deep as it was'
done
"$PROG/recurse-mm" stairs 1000
is "$(total mon.out 'call paths counted') $(total mon.out frames) $(total mon.out \
	'frames repeated')" "2000 $(stairs 1000)" 'frames, and repeated frames'
"$PROG/recurse-mm" stairs 3000
few=$(total mon.out "monitor's bytes")
is "$(total mon.out 'call paths too deep')" $((2 * (3000 + 1 + outside - 1024))) \
	'stairs, cut: below the limit only'
"$PROG/recurse-mm" stairs 30000
is "$(totals mon.out)" '60000 960000 60000 960000' 'exact totals'
is "$(total mon.out 'call paths too deep')" $((2 * (30000 + 1 + outside - 1024))) \
	'ten times as deep: cut as often as it must be'
many=$(total mon.out "monitor's bytes")
ok $((many > few + 65536)) "and no more memory ($few, $many)"

# Back and forth over the limit: 1,000 to 1,040 frames of tooth.
"$PROG/recurse-mm" teeth 1000 40 10000
# The deepest 1,024 are left; main is among them up to 1,023 frames of tooth.
want=$(seq 0 9999 | awk -v outside=$outside '
	{ d = 1000 + $1 % 41; all = d + 1 + outside; cut += all > 1024
	  called += d < 1024; calls += (d < 1024 ? d : 1024) - 1 }
	END { print called "+" calls, cut }')
is "$(calls tooth) $(total mon.out 'call paths too deep')" "$want" \
	'teeth: each chain is whole, or cut and counted'
is "$(totals mon.out)" '10000 320000 10000 320000' 'exact totals'

# Two paths that differ only in one return address, far out.
"$PROG/recurse-mm" twins 200 500
"$MPREDUCE" -b -L --paths=offsets --depth=all "$PROG/recurse-mm" mon.out >leaks 2>err
is "$(grep -c ' 12000 (50)  *500 .* main[^>]*> twins[^>]*>' leaks)" 2 \
	'twins: two paths, half of the blocks each'
is "$(sed -n 's/.* twins+\(0x[0-9a-f]*\) .*/\1/p' leaks | sort -u | wc -l)" 2 \
	'from two places'

oracle_tools 2>err || { diag "$(cat err)"; echo 'Bail out! oracle.S'; exit 1; }
# at_least N FILE: every line "name number" but `large' has N or more.
at_least()
{
	awk -v n="$1" 'NF == 2 && $1 != "large" { k++; bad += $2 < n }
		END { exit !k || bad }' "$2"
}
steps=30000
! exhaustive || steps=100000
while read -r flags; do
	# shellcheck disable=SC2086
	if ! oracle_can $flags; then
		skip 9 "$flags does not work here"
		continue
	fi
	# shellcheck disable=SC2086
	oracle_build prog walk.c $flags
	oracle "$flags, a walk" ./prog $steps
	# shellcheck disable=SC2046
	set -- $(cat out)
	ok $(($1 < 10 || $4 < 1000)) \
		"$1 stacks lay where others had, $4 frames ended where others did"
	oracle 'four threads' ./prog $steps 3 7
	# shellcheck disable=SC2086
	oracle_build prog same.c $flags
	oracle 'pairs that are hard to tell apart' ./prog
	at_least 90 out
	ok $? 'so they are' || diag "$(cat out)"
	is "$(total mon.out 'allocations unrecorded')" 0 'none lost'
done < <(some <<'E2'
gcc -O2
clang -O0
+ gcc -O0
+ gcc -O2 -fno-omit-frame-pointer
+ gcc -O2 -flto
+ clang -O2
+ g++ -O2 -x c++
E2
)
oracle_build prog walk.c "$CC" -O2
for depth in 1 16 70; do
	MEMMON_DEPTH=$depth oracle "MEMMON_DEPTH=$depth" ./prog $steps 1 3
	cut=$(total mon.out 'call paths too deep')
	ok $((cut < 500)) "$cut chains cut"
done
# A stack that goes on at a lower address: the call path is whole, or stops
# there and is counted.
oracle_build prog same.c "$CC" -O2
stop=
"$MEMMON" ./prog up >out
[ "$(total mon.out 'call paths stopped')" -gt 0 ] && stop=stop
oracle 'a stack that goes on lower down' ./prog up $stop
is "$(total mon.out 'call paths stopped')" "${stop:+20}0" 'stops are counted'
done_testing
