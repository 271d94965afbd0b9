#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Accesses against a simulator's account of the same code, which shares no code
# with memmon.  The file says that a granule of a block was read or written if
# it was; and also how often, where the compiler leaves accesses as they are
# written.  More programs: long/accesses.t.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/access/naive.sh"
. "$MEMMON_SRC/tests/access/accesses.sh"

accesses_build || skip_all 'no gcc, or no valgrind, or not x86-64'
# Only few, because each takes seconds; C++, which takes most, is in the long
# test.
ways=$(naive_ways)
first=$(head -n 1 <<<"$ways")
if exhaustive; then
	for way in $ways; do
		accesses_shape "$way" -O0 shapes_heap.c
	done
	accesses_shape "$first" '-O3 -mavx2' shapes_heap.c
else
	accesses_shape "$(tail -n 1 <<<"$ways")" -O0 shapes_heap.c
fi
accesses_differ

CSMITH_LIMIT=$HANG
seeds=43
! exhaustive || seeds='43 49 56 132'
for seed in ${ACCESSES_SEEDS:-$seeds}; do
	csmith_include >include || { skip 1 'no csmith'; continue; }
	csmith_choose "$seed"
	csmith_seed "$seed" "$kind" "$way" "$level"
	ok $? "csmith: $said" || diag "$(cat differ)"
done
done_testing
