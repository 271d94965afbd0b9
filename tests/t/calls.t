#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Accesses recorded by calls, without a part of memmon in the compiler: exact
# counts of each kind, with and without optimization; and atomic operations are
# carried out.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
from=$MEMMON_SRC/tests/access
mm=$MEMMON_BUILD/memmon-cc

"$CC" -O2 -g -I"$MEMMON_SRC" -c -o word.o "$from/calls_word.c"
ok $? "what reads the counts"

wide=-O3
! grep -qw avx2 /proc/cpuinfo || wide="-O3 -mavx2"

# Figures: 8 of each of 16 kinds of accesses and of a loop, and of two more for
# which clang makes no calls.  Results: 36 of each of five sizes, and two sums.
for cc in gcc clang; do
	levels=("$wide")
	[ $cc != clang ] || levels=(-O0)
	! exhaustive || levels=(-O0 -O2 "$wide")
	if ! command -v $cc >/dev/null; then
		skip $((6 * ${#levels[@]})) "no $cc"
		continue
	fi
	export MEMMON_CC=$cc MEMMON_WAY=calls
	for o in "${levels[@]}"; do
		how="$cc $o"
		# shellcheck disable=SC2086 # several words
		"$mm" $o -g -pthread -w -I"$MEMMON_SRC" -o count word.o \
			"$from/calls_count.c"
		ok $? "$how: compiles"
		if [ "$cc" = gcc ]; then
			out=$(./count) want="152 figures, 0 wrong"
		else
			out=$(./count some) want="136 figures, 0 wrong"
		fi
		is "$out" "$want" "F24: $how: each access is counted where it is"
		# shellcheck disable=SC2086
		"$mm" $o -g -pthread -w -I"$MEMMON_SRC" -o atomic word.o \
			"$from/calls_atomic.c"
		ok $? "$how: atomic operations compile"
		is "$(./atomic)" "182 results, 0 wrong" \
			"F24: $how: atomic operations are carried out and counted"
		# shellcheck disable=SC2086
		"$mm" $o -g -o sum "$from/calls_sum.c" && ./sum
		ok $? "$how: the sums run"
		like "$("$MPREDUCE" ./sum mon.out 2>&1)" \
			'accesses +100000 reads, 200000 writes recorded \(calls\)' \
			"F24: $how: large counts, and how they were recorded"
	done
done
done_testing
