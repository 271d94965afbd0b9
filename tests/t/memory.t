#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# MEMMON_MAXMEM: with little memory the program behaves the same as without a
# limit, the counts are exact as long as there is room for blocks, and the
# tables report what is missing.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# run LIMIT TIMING PROGRAM ARGS...: the program's output must be as without.
run()
{
	local most=$1 timing=$2 p=$3 want got
	shift 3
	want=$("$PROG/$p" "$@" 2>/dev/null; echo "status $?")
	got=$(MEMMON_MAXMEM=$most MEMMON_TIMING=$timing \
		"$MEMMON" -o m.out "$PROG/$p" "$@" 2>/dev/null; echo "status $?")
	is "$got" "$want" "$p $* with $most: output and status"
	json m.out "$PROG/$p"
	own=$(sum monitor) limit=$(sum maxmem)
	# The monitor copies 24 KiB before it has read the limit.
	ok $((own > (limit > 32768 ? limit : 32768))) "no more than $limit bytes of its own ($own)"
	# shellcheck disable=SC2086
	set -- $want
	allocs=$1 bytes=$2 frees=$3 freed=$4
}

# told WORD: the number after WORD in the prolog.
told()
{
	"$MPREDUCE" -b m.out 2>/dev/null | sed -n "s/^$1  *\([0-9]*\) .*/\1/p"
}

# Many call paths, none of them folded: the totals are exact, and call paths are
# shortened.
export MEMMON_FULL_CHAINS=1
limits="1M 4M"
! exhaustive || limits="1M 2M 4M"
for most in $limits; do
	run $most 64 paths 100000 100
	is "$(totals m.out)" "$allocs $bytes $frees $freed" 'totals are exact'
	is "$(sum unrecorded) $(sum unseen)" '0 0' 'none lost'
	is "$(self leaf allocs) $(self leaf kept)" "$allocs $((bytes - freed))" \
		'the function is the right one'
	short=$(sum shortened)
	ok $((short < 1000 || short > 99999)) "$short chains are shortened"
	# All other call paths are whole, each with its one block.
	is "$(figures sites start | grep -c '^main$')" $((allocs - short)) 'the rest are whole'
	is "$(told shortened) $(told maxmem)" "$short $limit" 'the tables say so'
done

# Many live blocks: those that find no room are lost, and counted as lost.
limits="300k 1M"
! exhaustive || limits="300k 512k 1M 2M"
for most in $limits; do
	run $most 64 paths 200000 1 4
	is "$(sum allocs) $(sum bytes)" \
		"$((allocs - $(sum unrecorded))) $((bytes - $(sum unrecorded_bytes)))" \
		'recorded and lost are all'
	ok $(($(sum unrecorded) == 0)) "$(sum unrecorded) lost"
	"$MPREDUCE" -b -L m.out 2>/dev/null |
		grep -q "^unrecorded: $(sum unrecorded) allocations of $(sum unrecorded_bytes) bytes"
	ok $? 'the tables say so'
done
run 4M 64 paths 200000 1 4
is "$(totals m.out) $(sum unrecorded)" "$allocs $bytes $frees $freed 0" \
	'with 4M, none is'

# Frees of lost blocks, by several threads.
run 400k 64 threads 4 100000
lost=$(sum unrecorded)
"$MEMMON" -o all.out "$PROG/threads" 4 100000 >/dev/null
is "$(($(sum allocs) + lost)) $(($(sum bytes) + $(sum unrecorded_bytes)))" \
	"$(total all.out allocations) $(total all.out bytes)" \
	'threads: recorded and lost are all'
ok $(($(sum frees) + $(sum unseen) > $(total all.out frees))) \
	'threads: no more frees than there were'

# Too little for times.
run 2500k 1 paths 100000 2 4
is "$(totals m.out) $(sum unrecorded)" "$allocs $bytes $frees $freed 0" \
	'no room for times: totals are exact'
untimed=$(sum untimed)
ok $((untimed < 1000)) "$untimed blocks aren't timed"
is "$(told untimed)" "$untimed" 'the tables say so'
timed=$(sum_life timed)
ok $((timed == 0 || timed > frees || frees - timed > untimed)) \
	"all others are, of those that were freed ($timed of $frees)"

# Hardly any at all, or not even for one thread.
for most in 1 4096 65536 100k 150k 200k; do
	run $most 64 paths 3000 2
	is "$(($(sum allocs) + $(sum unrecorded))) $(($(sum bytes) + $(sum unrecorded_bytes)))" \
		"$allocs $bytes" 'recorded and lost are all'
done

# The number may have a suffix; any other text sets no limit.
for want in 1048576:1024k 1048576:1M 2147483648:2g 0:no 0:; do
	MEMMON_MAXMEM=${want#*:} "$MEMMON" -o m.out "$PROG/widgets"
	json m.out
	is "$(sum maxmem)" "${want%:*}" "MEMMON_MAXMEM=${want#*:}"
	is "$(totals m.out)" '10000 2040000 4981 1016124' 'and all is there'
done
done_testing
