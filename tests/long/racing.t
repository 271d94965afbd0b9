#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are written while threads run, under a load of four: each is whole,
# its cells add up to its sites, bins and threads.  RACING_FILES (2000) of them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
dump=$MEMMON_BUILD/tests/celldump
files=${RACING_FILES:-2000}
with=()

load=
for _ in 1 2 3 4; do
	while :; do :; done &
	load="$load $!"
done
# shellcheck disable=SC2064,SC2086
trap "kill $load" EXIT

# The number of wrong files, with the first lines of why.
racing()
{
	local name=$1 n=0 f
	shift
	while [ "$n" -lt "$files" ]; do
		rm -f mon.out "$name".*
		env "${with[@]}" "$PROG/$name-mm" "$@" || echo "status $?"
		for f in "$name".* mon.out; do
			n=$((n + 1))
			"$dump" -r "$f" 2>&1 | grep -v '^cell\|^vtable' |
				grep -v '^known 1 [01] [01]$'
		done
	done | head -n 20
}

is "$(racing racing)" "" "$files files of threads that free each other's blocks"
is "$(racing fresh)" "" "... that make ever new cells"
# Where threads stand still between any two counts (tests/fault/fault.h).
files=$((files / 10 + 1))
with=(LD_PRELOAD="$MEMMON_BUILD/fault/libmemmon-fault.so" MEMMON_RACE=1000)
is "$(racing racing)" "" "... whatever two threads do at the same time"
is "$(racing fresh 20)" "" "... also of new cells"
done_testing
