# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests in which calls of the monitor fail (tests/fault/fault.h), after
# tap.sh and monitor.sh.  A program runs once without failures; then again and
# again with another call failing, until a run doesn't reach the failing call.
# Each time it must behave as it does alone, and its files must be readable and
# true.

FAULTS=$MEMMON_BUILD/fault
FAULT_LIB=$FAULTS/libmemmon-fault.so
later=

# alone PROGRAM ARGUMENT...: the output and status without memmon, to compare
# with.
alone()
{
	{ timeout "$HANG" "$@" >o0 2>e0; want=$?; } 2>/dev/null
	[ "$want" != 124 ]
}

# what_is_left LEAST MOST FILE...: the data files among them are whole, and each
# has LEAST to MOST allocations, recorded or counted as lost.
what_is_left()
{
	local f least=$1 most=$2 files=()
	shift 2
	for f; do
		case $f in
		*.part* | *.log | *'*') ;;
		# Made under this name, and it couldn't be removed.
		*.live) [ ! -s "$f" ] || files+=("$f") ;;
		*) files+=("$f") ;;
		esac
	done
	[ ${#files[@]} -gt 0 ] || return 0
	# If there are many, the first bad one ends the loop.
	are_whole "$least" "$most" "${files[@]}" && return
	for f in "${files[@]}"; do
		are_whole "$least" "$most" "$f" || break
	done
	bad="$f: $(head -n 1 wrong) of $least to $most: $(head -n 1 i.err)"
	return 1
}

# are_whole LEAST MOST FILE...: if not, the reason is in `wrong' and `i.err'.
are_whole()
{
	local least=$1 most=$2
	shift 2
	"$MPREDUCE" -i "$@" 2>i.err | awk -v least="$least" -v most="$most" \
		-v files=$# '
		function end() {
			if (n && (a == "" || a + l < least || a + l > most))
				print a + l " allocations"
			n++; a = ""; l = 0
		}
		/^[^ ].*: (image as )?format [0-9]/ { end() }
		$2 == "allocations" && NF == 2 { a = $1 }
		$2 == "allocations" && $3 == "unrecorded" { l = $1 }
		END { end(); if (n - 1 != files) print n - 1 " files" }' >wrong
	[ ! -s i.err ] && [ ! -s wrong ]
}

# same RULE FILE FILE: is it the same output?  If the clock's thread fails, it
# logs that itself, and has a file open at that moment.
same()
{
	local a b
	case $1 in
	clock_nanosleep*)
		cmp -s <(grep -v '^next ' "$2") <(grep -v '^next ' "$3")
		return ;;
	esac
	# No process for each of two thousand runs.
	IFS= read -r -d '' a <"$2"
	IFS= read -r -d '' b <"$3"
	[ "$a" = "$b" ]
}

# faulty RULE LEAST MOST PROGRAM ARGUMENT...: one run. $bad gets what was wrong;
# $fell the calls that failed.  The files of the run are checked at once; or, if
# the caller has made a directory $later, they go there and the caller checks
# them.
faulty()
{
	local rule=$1 least=$2 most=$3 got
	shift 3
	# No process more than it takes: there are thousands of runs.
	[ -n "$later" ] || rm -f mon.out*
	: >log
	bad=
	{
		timeout "$HANG" env LD_PRELOAD="${FAULT_PRELOAD-$FAULT_LIB}" \
			MEMMON_FAULT="$rule" MEMMON_FAULT_LOG="$PWD/log" \
			MEMMON_OUT="${later:+$later/$rule.}mon.out" \
			"$@" >o1 2>e1
		got=$?
	} 2>/dev/null
	fell=
	if [ -s log ]; then
		mapfile -n 4 -t fell <log
		printf -v fell '%s,' "${fell[@]}"
		fell=${fell%,}
	fi
	if [ "$got" != "$want" ]; then
		bad="status $got, not $want"
	elif ! same "$rule" o0 o1; then
		bad="output: $(diff o0 o1 | head -n 5)"
	elif ! same '' e0 e1; then
		bad="errors: $(diff e0 e1 | head -n 5)"
	elif [ -z "$later" ]; then
		what_is_left "$least" "$most" mon.out*
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

# check SINGLE ON LEAST MOST PROGRAM ARGUMENT...: for each name of a call, the
# first calls fail one at a time, and then all calls from one of the first on.
check()
{
	local single=$1 on=$2 name
	shift 2
	problem='' runs=0 later=left
	rm -rf left && mkdir left
	alone "${@:3}" || problem="it doesn't end"
	for name in all $(names "${@:3}"); do
		sweep "$name" '' "$single" "$@"
		sweep "$name" + "$on" "$@"
	done
	later=
	what_is_left "$1" "$2" left/*mon.out* || problem="$problem $bad"
	[ "$runs" -gt 60 ] || problem="$problem only $runs failures"
	is "$problem" '' "${*:3}: $runs runs with failures"
}
