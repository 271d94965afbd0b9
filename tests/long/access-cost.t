#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The number of instructions that recording accesses adds to a round of each
# kind of code in tests/access/cost.cc.  callgrind counts the recorded program
# and the plain one under memmon.  A kind that adds more than its bound has
# become slower.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v valgrind >/dev/null || skip_all 'no valgrind'
[ "$(uname -m)" = x86_64 ] || skip_all 'the bounds are for x86-64'
access=$MEMMON_SRC/tests/access
rounds=1000

# Each kind, its bounds for gcc and for clang, and what a round is.
cat >kinds <<'K'
appends	1500	1600	10 strings grow by append()
blocks	350	1150	a call that isn't recorded, of a block
bytes	1000	1100	100 bytes, one by one
columns	1300	1150	100 accesses, each in another row
copies	850	900	2 copies of varying length
far_insides	380	1050	a call, of a pointer far into a large block
fills	1400	480	one memset() of varying length
futures	3400	5000	a future that another thread fulfils
insides	380	1050	a call, of a pointer into a block
lists	1150	1400	100 nodes of a list
maps	3900	3900	a name in a map takes another one's place
members	650	650	a string in a vector grows
patterns	7000	7300	a regular expression is searched for
products	1300	1800	a row of a matrix product
reached_changes	1200	1150	a call, of a changing list of 1000 nodes
reached_rings	1000	1200	a call, of a ring of 1000 nodes
reached_trees	1100	1200	a call, of a tree of 127 nodes
reads	560	560	one read() of varying length
rows	850	750	a loop over a row of varying length
shared	100	100	a shared_ptr is copied
sharing	2100	1100	two threads count in one line
streams	4100	5100	a number and a string go to a stream
strings	2100	2450	100 characters are added to a string
trees	3600	4300	a tree of 127 nodes is walked
variants	9000	8600	16 values of a variant tree
K

# counts COMMAND...: prints the instructions of each kind.  The instructions of
# a second thread belong to the kind that starts the thread.
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

# costs: what recording adds to a round of each kind, from the files before and
# after.
costs()
{
	LC_ALL=C join before after | awk -v rounds=$rounds '{
		printf "%s %.0f\n", $1, ($3 - $2) / rounds }'
}

# dear COLUMN: a kind in costs is above its bound.
dear()
{
	cut -f"1,$1" kinds | tr '\t' ' ' | LC_ALL=C join - costs |
		awk '$3 > $2 { dear = 1 } END { exit !dear }'
}

# compiler CC CXX COLUMN: counts all kinds as CC and CXX compile them.
compiler()
{
	local name most added what again
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
	costs >costs
	# Threads and the recording's clock add some that vary: the least of
	# three.
	for again in 2 3; do
		dear $3 || break
		MEMMON_OUT=recorded.mon counts ./recorded $rounds >after
		costs >more
		LC_ALL=C join costs more |
			awk '{ print $1, $2 < $3 ? $2 : $3 }' >least
		mv least costs
	done
	while IFS='	' read -r name most what; do
		added=$(awk -v name="$name" '$1 == name { print $2 }' costs)
		[ -n "$added" ] && [ "$added" -le "$most" ]
		ok $? "$1: $name: $added instructions more, of at most $most: $what"
	done < <(cut -f"1,$3,4" kinds)
}

compilers=$(with_plugin gcc clang)
[ "$compilers" ] || skip_all 'no plugin'
for cc in $compilers; do
	if [ "$cc" = gcc ]; then
		compiler gcc g++ 2
	else
		compiler clang clang++ 3
	fi
done
done_testing
