#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Threads: all counts are exact, whichever thread frees.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# The program's other allocations: the same run without rounds.
"$MEMMON" -o base.out "$PROG/threads" 8 0 >/dev/null
# shellcheck disable=SC2046
set -- $(totals base.out)
b_allocs=$1 b_frees=$3

# 8 threads, 5,000,000 blocks, as many frees: 10^7 operations.
want=$("$PROG/threads" 8 625000)
got=$("$MEMMON" -o t.out "$PROG/threads" 8 625000)
is "$got" "$want" 'the program prints the same'
# shellcheck disable=SC2086
set -- $want
allocs=$1 bytes=$2 kept=$3 kept_bytes=$4

json t.out "$PROG/threads"
is "$(($(self make_block allocs) + $(self make_kept allocs)))" "$allocs" \
	'allocations'
is "$(($(self make_block bytes) + $(self make_kept bytes)))" "$bytes" 'bytes'
is "$(self make_block kept)" 0 'all that was handed on is freed'
is "$(self make_kept allocs)" "$kept" 'blocks kept'
is "$(self make_kept kept)" "$kept_bytes" 'live bytes'
is "$(total t.out allocations)" $((allocs + b_allocs)) 'and no others'
is "$(total t.out frees)" $((allocs - kept + b_frees)) 'F10: frees, by other threads'
is "$(total t.out 'frees unseen')" 0 'none unseen'
is "$(total t.out 'allocations unrecorded')" 0 'none lost'
is "$("$MPREDUCE" -i t.out | sed -n 's/^ *threads  *\([0-9]*\)$/\1/p')" 9 'threads'

# Bins are counted per thread, and add up nevertheless.
is "$(figures bins allocs | added)" "$(total t.out allocations)" \
	'bins add up to the allocations'

# Many threads, one after another and a few at a time: structs are used again.
cat >many.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *f(void *a) { void *volatile p = malloc(40); free(p); return a; }
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 2500; i++) {
		for (int k = 0; k < 4; k++) pthread_create(&t[k], 0, f, 0);
		for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
	}
	return 0;
}
C
$CC -O1 many.c -o many -pthread && "$MEMMON" -o many.out ./many
json many.out ./many
is "$(figures bins size=40 allocs frees)" '10000 10000' 'F08: 10,000 short threads'
own=$(total many.out "monitor's bytes")
ok $((own >= 8 << 20)) "the monitor's memory doesn't grow with them ($own)"
done_testing
