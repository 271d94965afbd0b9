#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A data file that is written while threads run agrees with itself: after a
# fatal signal, after _exit(), each dump by a signal or by memmon_dump_to().
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# disagrees FILE [N]: mpreduce's warnings about it.  With N also a line if the
# sum of the threads' allocations and the sum of the sites' differ by more than
# N.  Give N only where the threads stood still; a signal may have interrupted N
# of them.
disagrees()
{
	"$MPREDUCE" -i "$1" 2>&1 >info | sed 's/^/warning: /'
	[ -z "${2:-}" ] || awk '
		$1 ~ /^[0-9]+$/ && $2 == "allocations" && NF == 2 { all = $1 }
		/^threads / { on = 1; next }
		/^$/ { on = 0 }
		on { n += $2 }
		END { if (all == 0 || n - all > '"$2"' || all - n > '"$2"')
			print "threads: " n ", sites: " all }' info
}

# ends HOW COMMAND N WHAT MIDST: N files after the end of 2 to 8 threads; MIDST
# of the threads may be in an allocation at that time.
ends()
{
	local k bad=0
	for ((k = 0; k < $3; k++)); do
		rm -f mon.out*
		{ timeout "$HANG" $2 "$1" $((2 + k % 7)) \
			$((1000 + k * 197)); } 2>/dev/null
		disagrees mon.out "$5" >said
		[ -s said ] && bad=$((bad + 1)) && diag "$k: $(cat said)"
	done
	is "$bad" 0 "$4: $3 files of 2 to 8 threads agree with themselves"
}

# dumps HOW COMMAND PATTERN WHAT [SIZES]
dumps()
{
	local f bad=0 n=0
	rm -f mon.out* dump.*
	{ MEMMON_SIGNAL=USR1 timeout "$HANG" $2 "$1" 2 2000 \
		${5:-}; } 2>/dev/null
	for f in $3; do
		[ -e "$f" ] || continue
		n=$((n + 1))
		disagrees "$f" >said
		[ -s said ] && bad=$((bad + 1)) && diag "$f: $(cat said)"
	done
	is "$n $bad" "$AGREE_TIMES 0" "$4: $n files agree with themselves"
}

# Files of 2 to 8 threads, for each number once or more often.
times=7 AGREE_TIMES=10
! exhaustive || times=28 AGREE_TIMES=30
export AGREE_TIMES
ends term "$MEMMON $PROG/agree" $times SIGTERM 1
ends exit "$MEMMON $PROG/agree" $times '_exit()' 0
dumps usr1 "$MEMMON $PROG/agree" 'mon.out.*' 'dumps by a signal'
dumps dump "$MEMMON $PROG/agree" 'dump.*' 'memmon_dump_to()'
# With enough sizes that a cell then has blocks of several.
if exhaustive; then
	dumps usr1 "$MEMMON $PROG/agree" 'mon.out.*' \
		'dumps with cells of many sizes' 200000
fi
if "$MEMMON_BUILD/memmon-cc" -g -O1 -pthread -o agree \
	"$MEMMON_SRC/tests/prog/agree.c" -ldl 2>said; then
	! exhaustive ||
		dumps usr1 ./agree 'mon.out.*' 'dumps with accesses'
	ends term ./agree $times 'SIGTERM, with accesses' 1
else
	skip 1 "memmon-cc doesn't compile here: $(head -n 1 said)"
fi
done_testing
