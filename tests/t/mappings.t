#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# While a process can't get more mappings, the monitor gets none either.  It
# counts the events that it can't record; that costs little, and ends when the
# process can map again.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
dump=$MEMMON_BUILD/tests/celldump

# blocks SIZE: the number of recorded blocks of SIZE.
blocks()
{
	"$dump" mon.out | awk -v n="$1" '$1 == "cell" && $4 == n { a += $5 }
		END { print a + 0 }'
}

# check NAME HAD LIBRARY ARGUMENT...
check()
{
	local name=$1 had=$2 lib=$3 got
	shift 3
	rm -f mon.out*
	got=$(LD_PRELOAD=$lib "$PROG/mappings" "$@")
	[ $? != 77 ] || { ok 0 "$name # SKIP no limit can be reached"; return; }
	is "$got $(blocks 48) $(($(blocks 100) + $(total mon.out \
		'allocations unrecorded') >= 100000))" "$had 2000 1" \
		"$name: nothing is uncounted, all is recorded afterwards"
	own=$(total mon.out "monitor's bytes")
	[ "${own:-99999999}" -lt "${most:-4000000}" ]
	ok $? "... and its own memory is what it has ($own bytes)"
}

check "all mappings used up" 103000 "$MEMMON_BUILD/libmemmon.so" maps
! exhaustive || check "... before the first block" 102000 \
	"$MEMMON_BUILD/libmemmon.so" maps now
check "all memory used up" 103000 "$MEMMON_BUILD/libmemmon.so" space
! exhaustive || check "... before the first block" 102000 \
	"$MEMMON_BUILD/libmemmon.so" space now
most=60000000
! exhaustive || check "with accesses" 103000 \
	"$MEMMON_BUILD/libmemmon-access.so" maps
! exhaustive || MEMMON_ALLOCATOR=1 check "--allocator" 103000 \
	"$MEMMON_BUILD/libmemmon.so" maps
done_testing
