# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests with calls of the monitor that fail (monitor/fault/fault.h), after
# tap.sh and monitor.sh.  A program runs once as it is; then again and again
# with another call failing, until a run has no failure left.  Each time it must
# do what it does alone, and what it leaves must be readable and true.

FAULTS=$MEMMON_BUILD/fault
FAULT_LIB=$FAULTS/libmemmon-fault.so

# alone PROGRAM ARGUMENT...: what it does by itself; for the rest to compare.
alone()
{
	{ timeout "$HANG" "$@" >o0 2>e0; want=$?; } 2>/dev/null
	[ "$want" != 124 ]
}

# what_is_left LEAST MOST: the data files are whole, and each has so many
# allocations, recorded or counted as lost.
what_is_left()
{
	local f n
	for f in mon.out*; do
		case $f in *.part* | *.log | *'*') continue ;; esac
		n=$("$MPREDUCE" -i "$f" 2>i.err | awk '
			$2 == "allocations" && NF == 2 { a = $1 }
			$2 == "allocations" && $3 == "unrecorded" { l = $1 }
			END { print a == "" ? -1 : a + l }')
		if [ ! -s i.err ] && [ "$n" -ge "$1" ] && [ "$n" -le "$2" ]; then
			continue
		fi
		bad="$f: $n allocations of $1 to $2: $(head -n 1 i.err)"
		return 1
	done
}

# seen RULE FILE: the output.  That the clock's thread has failed is logged by that
# thread, which has a file open at that moment.
seen()
{
	case $1 in
	clock_nanosleep*) grep -v '^next ' "$2" ;;
	*) cat "$2" ;;
	esac
}

# faulty RULE LEAST MOST PROGRAM ARGUMENT...: one run.  In $bad what was wrong;
# in $fell the calls that failed.
faulty()
{
	local rule=$1 least=$2 most=$3 got
	shift 3
	rm -f mon.out* log
	bad=
	{
		timeout "$HANG" env LD_PRELOAD="${FAULT_PRELOAD-$FAULT_LIB}" \
			MEMMON_FAULT="$rule" MEMMON_FAULT_LOG="$PWD/log" \
			"$@" >o1 2>e1
		got=$?
	} 2>/dev/null
	fell=
	if [ -s log ]; then
		mapfile -n 4 -t fell <log
		fell=$(IFS=, && echo "${fell[*]}")
	fi
	if [ "$got" != "$want" ]; then
		bad="status $got, not $want"
	elif ! cmp -s <(seen "$rule" o0) <(seen "$rule" o1); then
		bad="output: $(diff o0 o1 | head -n 5)"
	elif ! cmp -s e0 e1; then
		bad="errors: $(diff e0 e1 | head -n 5)"
	else
		what_is_left "$least" "$most"
	fi
	[ -z "$bad" ] || [ ${#problem} -gt 1000 ] || problem="$problem
$rule ($fell): $bad"
	[ -z "$bad" ]
}

# sweep NAME HOW MOST LEAST MOST PROGRAM ARGUMENT...: the rules NAME:1HOW,
# NAME:2HOW and on to MOST, until nothing fails any more.  Adds to $runs.
sweep()
{
	local name=$1 how=$2 last=$3 n
	shift 3
	for ((n = 1; n <= last; n++)); do
		faulty "$name:$n$how" "$@"
		[ -n "$fell" ] || break
		runs=$((runs + 1))
		# A program that hangs would hang hundreds of times.
		[ ${#problem} -lt 1000 ] || break
	done
}

# names PROGRAM ARGUMENT...: the names of all calls that it makes.
names()
{
	rm -f log
	{
		timeout "$HANG" env LD_PRELOAD="${FAULT_PRELOAD-$FAULT_LIB}" \
			MEMMON_FAULT=list MEMMON_FAULT_LOG="$PWD/log" "$@"
	} >/dev/null 2>&1
	awk '{ print $1 }' log | sort -u
}

# check SINGLE ON LEAST MOST PROGRAM ARGUMENT...: of each name the first calls
# fail one at a time, and all from one of the first on.
check()
{
	local single=$1 on=$2 name
	shift 2
	problem='' runs=0
	alone "${@:3}" || problem="it doesn't end"
	for name in all $(names "${@:3}"); do
		sweep "$name" '' "$single" "$@"
		sweep "$name" + "$on" "$@"
	done
	[ "$runs" -gt 60 ] || problem="$problem only $runs failures"
	is "$problem" '' "${*:3}: $runs runs with failures"
}
