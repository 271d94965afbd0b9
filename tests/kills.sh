# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# After monitor.sh: kills a busy program of several threads at random times, and
# checks its data file.

# head_of FILE: "allocations bytes frees freed" as at the head of the report,
# with the blocks that suppressions cover.
head_of()
{
	"$MPREDUCE" --suppressions=none "$PROG/busy" "$1" 2>/dev/null | awk '
		$1 == "allocations" { a = $2 }
		$1 == "frees" { f = $2 }
		$1 == "bytes" { b = $2 }
		/^live at exit/ { l = $4 }
		/^$/ && a != "" { print a, b, f, b - l; exit }'
}

# within FILE GOT: is each of the four in the bounds that the program noted?
within()
{
	"$PROG/busy" "$1" | awk -v got="$2" '
		BEGIN { n = split(got, g, " "); bad = n != 4 }
		g[NR] + 0 < $1 + 0 || g[NR] + 0 > $2 + 0 { bad = 1 }
		END { exit bad }'
}

# kill_one THREADS MICROSECONDS: 0 if the file has all; otherwise prints what is
# wrong.  Sets $begun to 1 if the program had done anything.
kill_one()
{
	local pid got
	rm -f mon.out* counts
	"$MEMMON" "$PROG/busy" counts "$1" &
	pid=$!
	sleep "$(awk -v us="$2" 'BEGIN { print us / 1e6 }')"
	kill -9 $pid
	wait $pid 2>/dev/null
	begun=0
	# Before it ran there was nothing to record.
	[ -s counts ] && [ "$("$PROG/busy" counts | head -n 1)" != '0 0' ] ||
		return 0
	begun=1
	got=$(head_of mon.out)
	within counts "$got" && return 0
	printf '%s; the program: %s; %s\n' "$got" \
		"$("$PROG/busy" counts | tr '\n' ' ')" \
		"$("$MPREDUCE" -i mon.out 2>&1 | grep 'mpreduce:\|missing')"
	return 1
}

# kill_many N THREADS MOST: N kills, each within MOST microseconds from the
# start.  Sets $bad, $kept (the number of files that weren't empty).
kill_many()
{
	local n us
	bad=0 kept=0
	for ((n = 0; n < $1; n++)); do
		us=$((RANDOM * 32768 + RANDOM))
		if ! kill_one "$2" $((us % $3)) >what 2>/dev/null; then
			bad=$((bad + 1))
			diag "$(cat what)"
		fi
		kept=$((kept + begun))
	done
}
