#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Recording accesses adds few instructions.  A single access adds at most 15.  A
# range of any length adds at most 250.  A call of a function that isn't recorded
# adds at most 400, no matter how much memory its arguments lead to.  Callgrind
# counts each kind of code in tests/access/cost.cc twice: recorded, and under memmon
# without accesses.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v valgrind >/dev/null || skip_all 'no valgrind'
[ "$(uname -m)" = x86_64 ] || skip_all 'the bounds are for x86-64'
access=$MEMMON_SRC/tests/access
rounds=1000

# The kinds, and the number of single accesses (*: as recorded), of ranges and of
# calls in a round of each.
cat >kinds <<'K'
appends		0	0	10
blocks		0	0	1
bytes		101	0	0
columns		100	0	0
copies		0	2	0
far_insides	0	0	1
fills		0	1	0
futures		*	0	6
insides		0	0	1
lists		100	0	0
maps		*	0	10
members		*	0	1
patterns	*	0	3
products	0	3	0
reached_changes	*	0	1
reached_rings	*	0	1
reached_trees	0	0	1
reads		0	1	0
rows		0	1	0
shared		*	0	0
sharing		40	0	4
streams		*	0	3
strings		200	0	0
trees		381	0	0
variants	*	0	16
K

# counts COMMAND...: prints the instructions of each kind.  The instructions of a
# second thread belong to the kind that starts the thread.
counts()
{
	valgrind --tool=callgrind --callgrind-out-file=counted "$@" >out 2>err ||
		return
	callgrind_annotate --inclusive=yes --threshold=100 counted |
		tr -d , | sed -nE 's/^ *([0-9]+) .*[: ](measured_[a-z_]*|other_thread) \[.*/\2 \1/p' |
		sed 's/^measured_//; s/^other_thread/sharing/' |
		awk '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' |
		LC_ALL=C sort
}

# accesses KIND: prints the number of accesses of a round, from two data files.
accesses()
{
	local n
	for n in $rounds $((2 * rounds)); do
		MEMMON_OUT=$1.mon ./recorded "$n" "$1" >/dev/null
		echo $(($(total "$1.mon" reads) + $(total "$1.mon" writes)))
	done | awk -v rounds=$rounds 'NR == 1 { n = $1 }
		END { printf "%.0f\n", ($1 - n) / rounds }'
}

# compiler CC CXX: counts all kinds as CC and CXX compile them.
compiler()
{
	local name single ranges calls added most
	$1 -O2 -gdwarf-4 -c "$access/cost_plain.c" -o plain.o &&
		$2 -O2 -gdwarf-4 -std=gnu++17 "$access/cost.cc" plain.o -pthread -o plain &&
		MEMMON_CXX=$2 "$MEMMON_BUILD/memmon-c++" -O2 -gdwarf-4 -std=gnu++17 \
			"$access/cost.cc" plain.o -pthread -o recorded
	ok $? "$1: compiled" || return
	MEMMON_OUT=plain.mon LD_PRELOAD=$LIBMEMMON counts ./plain $rounds >before
	MEMMON_OUT=recorded.mon counts ./recorded $rounds >after
	is "$(cut -d' ' -f1 before)" "$(cut -f1 kinds)" "$1: each kind is counted" ||
		diag "$(head -n 20 err)"
	is "$(cut -d' ' -f1 after)" "$(cut -f1 kinds)" '  ... recorded, too'
	[ "$(total recorded.mon reads)" -gt 0 ]
	ok $? "  accesses are recorded under valgrind"
	while read -r name single ranges calls; do
		[ "$single" != '*' ] || single=$(accesses "$name")
		most=$((15 * single + 250 * ranges + 400 * calls))
		added=$(LC_ALL=C join before after | awk -v name="$name" \
			-v rounds=$rounds '$1 == name {
				printf "%.0f\n", ($3 - $2) / rounds }')
		[ -n "$added" ] && [ "$added" -le $most ]
		ok $? "$1: $name: $added instructions added by a round, of at most $most:\
 $single accesses, $ranges ranges, $calls calls"
	done < <(tr -s '\t' ' ' <kinds)
}

compilers=$(with_plugin gcc clang)
[ "$compilers" ] || skip_all 'no plugin'
for cc in $compilers; do
	if [ "$cc" = gcc ]; then
		compiler gcc g++
	elif exhaustive; then
		compiler clang clang++
	fi
done
done_testing
