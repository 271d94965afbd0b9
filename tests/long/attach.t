#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs memmon -p a thousand times on a program of busy threads.  The program
# goes on, no thread stays stopped and no file open, its memory doesn't grow.
# The recorded events are never more than the program counted meanwhile; and
# equal, where it paused before and after.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/raw.sh"
. "$MEMMON_SRC/tests/attach.sh"

may_attach || skip_all 'ptrace is not allowed here'
CYCLES=1000
EXACT=25 # one cycle of so many is compared exactly

start account 4
ok $? 'a program of threads runs'

# account WHAT: its own account after that.
account()
{
	"$PROG/attach" account "$1"
}

# resident: KiB of the program.
resident()
{
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$victim/status
}

# One cycle, while the threads go on.  Prints the failures.
about()
{
	local before got most
	before=$(account read)
	timeout "$HANG" "$MEMMON" -p $victim --for=1ms -o m.out 2>err ||
		{ echo "status $?: $(cat err)"; return; }
	most=$(less "$(account read)" "$before")
	got=$(totals m.out)
	# Each thread counts a block after malloc() has returned.
	[ "${got%% *}" -le $((${most%% *} + 4)) ] ||
		echo "$got allocations and so on recorded, of $most"
}

# The same, but the program pauses while memmon attaches and detaches.
exact()
{
	local before after got n bytes rest
	before=$(account pause)
	attach -o m.out || { echo "not attached: $(cat attach.err)"; return; }
	account go >go
	moves
	after=$(account pause)
	detach || { echo "not detached: $(cat attach.err)"; return; }
	read -r n bytes rest <<<"$(less "$after" "$before")"
	got=$(totals m.out)
	[ "$got" != "${got#"$n $bytes "}" ] ||
		echo "recorded $got, of $n $bytes $rest"
	account go >go
}

fds=$(ls /proc/$victim/fd | wc -l)
for ((i = 1; i <= CYCLES; i++)); do
	if ((i % EXACT)); then about; else exact; fi
	if [ $i = 100 ]; then first=$(resident); fi
	stays_stopped $victim | sed "s/^/cycle $i: /"
	kill -0 $victim 2>/dev/null || { echo "cycle $i: it has ended"; break; }
done >failed
is "$(head -n 5 failed)" '' "$CYCLES cycles"
moves
ok $? 'the program goes on'
is "$(ls /proc/$victim/fd | wc -l)" "$fds" 'no descriptor stays open'
last=$(resident)
diag "resident: $first KiB after 100, $last after $CYCLES"
ok $((last > first + 4096)) 'its memory does not grow'
kill $victim
wait $victim
is "$(cat victim.out)" '' 'nor did it see anything'
done_testing
