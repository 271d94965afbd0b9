#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts of programs, eight at a time in one folder; STARTS sets the number.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
starts=${STARTS:-1000}

export MEMMON PROG
seq "$starts" | xargs -P 8 -n 1 bash -c '"$MEMMON" -q "$PROG/store" || exit 255'
ok $? "$starts starts"
is "$(find . -name 'mon.out*' | wc -l)" "$starts" '... no profile is lost'
is "$(find . -name 'mon.out*' -size -100k | wc -l)" "$starts" \
	'... and no image is left'
find . -name 'mon.out*' | shuf -n 100 | while read -r f; do
	totals "$f"
done | sort | uniq -c >got
is "$(tr -s ' ' <got)" " 100 1000 100000 0 0" '... a hundred of them have all'

# One process after another; every second one is killed.
rm -f mon.out*
for ((i = 0; i < 20; i++)); do
	"$PROG/store-mm"
	"$PROG/store-mm" wait never &
	until [ "$(totals mon.out 2>/dev/null)" = '1000 100000 0 0' ] &&
		[ "$(end_of mon.out)" = 'still running' ]; do :; done
	{ kill -9 $!; wait $!; } 2>/dev/null
done
is "$(find . -name 'mon.out*' | wc -l)" 40 'killed and not killed: all are there'
done_testing
