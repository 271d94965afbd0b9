#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F23: no hook sleeps until another thread wakes it: a filter sees each futex()
# of eight threads (tests/prog/quiet.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

quiet()
{
	LD_PRELOAD=$PROG/libbump.so timeout "$HANG" "$@"
}
quiet "$PROG/quiet" >alone
[ $? -ne 77 ] || skip_all 'no seccomp filters here'
is "$(cat alone)" 'futex 0' 'F23: alone: the program makes no such calls'
is "$(quiet "$PROG/quiet" loud)" 'futex 8' 'F23: the filter sees them'
for lib in memmon memmon-access; do
	for i in 1 2 3; do
		is "$(timeout "$HANG" env LD_PRELOAD="$MEMMON_BUILD/lib$lib.so:$PROG/libbump.so" \
			"$PROG/quiet")" 'futex 0' "F23: lib$lib: no futex() ($i)"
	done
done
done_testing
