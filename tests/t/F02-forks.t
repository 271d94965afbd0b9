#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F02: children of all kinds while eight threads allocate (tests/prog/brood.c).
# The parent's file is exact, each child's is its own and true, no process
# hangs, and there are no extra files.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
ulimit -c 0

# own FILE KIND: allocations and so on, and the frees inherited.  Where threads
# are made, of the program's functions only.
own()
{
	local key f s
	case $2 in
	parent | threads) ;;
	*)
		echo "$(totals "$1") $(total "$1" 'frees inherited')"
		return
		;;
	esac
	json "$1" "$PROG/brood"
	for key in allocs bytes frees freed; do
		s=0
		for f in make kid leaf; do
			s=$((s + $(self $f $key)))
		done
		printf '%s ' "$s"
	done
	sum inherited
}

# brood NAME PRELOAD ARGUMENT...
brood()
{
	local name=$1 preload=$2 status pid kind want bad='' n=0 of
	shift 2
	rm -f mon.out* told alone
	timeout "$HANG" env LD_PRELOAD="$preload" "$PROG/brood" "$@" 3>alone | cat
	status=${PIPESTATUS[0]}
	# A child that outlives the parent holds the pipe open.
	LD_PRELOAD=$preload timeout "$HANG" "$MEMMON" "$PROG/brood" "$@" 3>told | cat
	is "${PIPESTATUS[0]}" "$status" "F02: $name: ends as without memmon ($status)"
	is "$(awk '{ print $2 }' told | sort | uniq -c)" \
		"$(awk '{ print $2 }' alone | sort | uniq -c)" \
		"F02: $name: as many children of each kind"
	while read -r pid kind want; do
		of=mon.out.$pid
		[ "$kind" = parent ] && of=mon.out
		n=$((n + 1))
		[ "$(own "$of" "$kind")" = "$want" ] ||
			bad="$bad$of $kind: $(own "$of" "$kind"), not $want;"
		rm -f "$of"
	done <told
	is "$bad" '' "F02: $name: $n files with the figures of each process"
	is "$(ls mon.out* 2>/dev/null)" '' "F02: $name: and no other files"
}

brood 'glibc' '' 5
brood 'an allocator without locks, raw clones too' "$PROG/libbump.so" 5 raw
done_testing
