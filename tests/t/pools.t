#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Allocators of a program's own, which it announces to memmon
# (tests/prog/pools.c): their blocks count like malloc's, at the call path that
# leads to them, and the blocks that they come from aren't counted twice.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/raw.sh"

# pool FILE: blocks and bytes of annotations, and the blocks behind pools.
pool()
{
	echo "$(raw "$1" T_POOL_ALLOCS) $(raw "$1" T_POOL_BYTES) $(raw "$1" T_POOL_BACKING)"
}

# odd FILE: what must not be.
odd()
{
	echo "$(raw "$1" T_UNSEEN) $(raw "$1" T_REUSED) $(raw "$1" T_LOST)"
}

# at FUNCTION: allocations, bytes, frees and bytes freed.
at()
{
	echo "$(self "$1" allocs) $(self "$1" bytes) $(self "$1" frees) $(self "$1" freed)"
}

all()
{
	local b=$1
	shift
	run plain
	json middle.mon "$b"
	is "$(at take)" "70 $((60 * 32 + 10 * 64)) 21 $((21 * 32))" \
		"$*: blocks of a pool, where they are taken"
	is "$(at chunk)" '2 8000 2 8000' "$*: its chunks count as gone"
	is "$(pool middle.mon)" '71 2600 8000' "$*: but as backing"
	is "$(sum reallocs)" 1 "$*: one was resized"
	json mon.out "$b"
	is "$(at take)" '75 2640 75 2640' "$*: all are gone with the pool"
	is "$(pool mon.out) $(odd mon.out)" '76 2680 0 0 0 0' \
		"$*: and what backed it, which is freed as it should be"
	run nested
	json mon.out "$b"
	is "$(at take)" '4 2300 1 2000' "$*: a pool in a block of a pool"
	is "$(pool mon.out) $(odd mon.out)" '4 2300 10000 0 0 0' \
		"$*: both back what they do"
	# libc may have some blocks of its own, from the start to the end.
	is "$(($(raw mon.out T_PEAK) - $(raw mon.out T_BYTES)))" \
		$((8000 - 10300)) "$*: nothing is live twice"
	run single
	is "$(pool mon.out) $(odd mon.out)" '10 240 0 0 0 1' \
		"$*: blocks without a pool; an odd address is lost"
	json mon.out "$b"
	is "$(at single)" '10 240 4 96' "$*: 4 are given back"
	run same
	json mon.out "$b"
	is "$(at wrapped)" '16 800 14 700' "$*: blocks that malloc knows, too"
	is "$(pool mon.out) $(odd mon.out)" '8 400 100 0 0 0' \
		"$*: those of malloc's are backing"
	run threads
	json mon.out "$b"
	is "$(at take)" "80000 $((80000 * 48)) $((80000 - 280)) $(((80000 - 280) * 48))" \
		"$*: pools of several threads"
	is "$(pool mon.out) $(odd mon.out)" "80000 3840000 20000 0 0 0" \
		"$*: of the last ones there is something"
	run off
	json mon.out "$b"
	is "$(at take)" '10 320 10 320' "$*, F20: a pool, off and on"
	is "$(raw mon.out T_OFF_FREES) $(raw mon.out T_OFF_UNSEEN) $(odd mon.out)" \
		'4 10 0 0 0' "$*, F20: and its frees"
}

run()
{
	"$PROG/pools-mm" "$1"
}
all "$PROG/pools-mm" linked
run()
{
	"$MEMMON" "$PROG/pools" "$1"
}
all "$PROG/pools" preloaded
run()
{
	LD_PRELOAD=$MEMMON_BUILD/libmemmon-access.so "$PROG/pools" "$1"
}
all "$PROG/pools" 'with accesses'

read -ra static <<<"$(sed -n 's/^Libs.private://p' "$MEMMON_BUILD/memmon.pc" |
	sed "s|\${libdir}|$MEMMON_BUILD|g")"
"$CC" -g -static -I"$MEMMON_SRC" "$MEMMON_SRC/tests/prog/pools.c" \
	-o pools-static "${static[@]}" -L"$MEMMON_BUILD" -lmemmon 2>err
if [ -x pools-static ]; then
	run()
	{
		./pools-static "$1"
	}
	all ./pools-static static
else
	skip 15 "no static link: $(head -n 1 err)"
fi

for way in plain nested single same threads off; do
	rm -f mon.out
	"$PROG/pools" "$way" && [ ! -e mon.out ]
	ok $? "without memmon: $way"
done
done_testing
