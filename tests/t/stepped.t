#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs hooks one instruction at a time.  At some of these instructions a handler
# does all that it may do; with make check-all at many.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
dump=$MEMMON_BUILD/tests/celldump

# steps NAME EVERY [CALL]
steps()
{
	rm -f mon.out* step.*
	"$PROG/stepped-mm" "$@" >out
	[ $? != 77 ] || skip_all "this processor has no trap flag"
	n=$(cat out)
	[ "$n" -gt 0 ] || ok 1 "$*: it did something"
}

# The wrong lines in the files FILE..., as mpreduce reads them.
differs()
{
	local f
	for f; do
		"$dump" -r "$f" 2>&1 | grep -v '^cell\|^vtable\|^known 1 '
	done
}

# The same for the files without mpreduce's corrections: a thread's cell counts
# a block one instruction before the thread does.  So the thread may be one
# event behind, for a block of at most 2,900 bytes.
behind()
{
	local f
	for f; do
		"$dump" "$f" 2>&1 | awk '$1 == "differ" {
			n = $5 - $4; if ($2 == "thread" && (n == 0 || n == 1) ||
			    $2 == "bytes" && n >= 0 && n <= 2900) next }
			$1 != "cell" && $1 != "vtable" && !/^known 1 /'
	done
}

# blocks SIZE FILE: allocated and freed, of a size.
blocks()
{
	"$dump" "$2" | awk -v n="$1" '$1 == "cell" && $4 == n { a += $5
		f += $7 } END { print a + 0, f + 0 }'
}

exhaustive && each=67 || each=9001
steps dump $each
is "$(differs step.* mon.out)" "" \
	"a data file in the midst of an event, $n times"
is "$(behind step.*; differs mon.out)" "" "... as it stands there"
is "$(blocks 100 mon.out)" "1000 500" "... which goes on"

exhaustive && each=61 || each=20011
steps jump $each
is "$(differs mon.out)" "" "a jump out of an event, $n times"
is "$(blocks 100 mon.out) $(total mon.out 'allocations unrecorded')" \
	"1000 500 0" "... all is recorded afterwards"

# first STEP [CALL]: a handler in a thread's first event, then.
first()
{
	steps first "$@"
	is "$(differs mon.out)" "" "a handler in a thread's first event, $n times"
	is "$(blocks 40 mon.out) $(blocks 100 mon.out)" "$n $n 1000 500" \
		"... its blocks are there"
	is "$("$MPREDUCE" -i mon.out | awk '/^threads / { on = 1; next }
		on && !/^ *[0-9]/ { exit } on { n += $1 } END { print n }')" \
		$((n + 2)) "... and no thread twice"
}
first 1 186 # gettid
! exhaustive || first 97

# In the child of a fork the monitor blocks signals until the last instructions.
steps fork 1
is "$(blocks 48 mon.out) $(blocks 100 mon.out)" "0 0 1000 500" \
	"a handler in the child of a fork, $n times: no block is the parent's"
is "$(differs mon.out*)" "" "... all files add up"
done_testing
