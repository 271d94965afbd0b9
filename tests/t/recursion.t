#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Recursion, from the program to the table: cycles are merged, inclusive bytes
# are exact, deep chains are cut where they should be, and it is said.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

reduce()
{
	"$MPREDUCE" -b "$@" "$PROG/recurse-mm" mon.out 2>err
}

"$PROG/recurse-mm" fg
reduce -q >graph
like "$(cat graph)" 'F \[[0-9]\] in <cycle 1>' 'F and G are a cycle'
# One block of 10 bytes; F and G are each twice on its chain.
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
is "$(total mon.out 'chains cut')" 0 'not cut at 900 frames'

"$PROG/recurse-mm" self 5000
is "$(total mon.out 'chains cut')" 1 'cut at 5,000'
is "$(total mon.out 'deepest chain')" 1024 'to the 1,024 innermost frames'
like "$(reduce -L)" '\.\.\.> count > count' 'and shown as cut'
MEMMON_DEPTH=8000 "$PROG/recurse-mm" self 5000
is "$(total mon.out 'chains cut')" 0 'MEMMON_DEPTH=8000: not cut'
is "$(total mon.out 'deepest chain')" 5004 'all frames, with those of the start'
like "$(reduce -q | grep '^\[.* count \[' | head -n 1)" ' 1\+4999 ' 'and calls'
done_testing
