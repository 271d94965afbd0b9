#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Accesses against a simulator's account of the same code, which shares nothing
# with memmon: each granule of each block is read and written in the file if it
# was, and where the compiler leaves accesses as they are written, as often.
# More programs: long/accesses.t.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/access/naive.sh"
. "$MEMMON_SRC/tests/access/accesses.sh"

accesses_build || skip_all 'no gcc, or no valgrind, or not x86-64'
# Few, as each takes seconds; C++, which takes most, is in the long test.
for way in $(naive_ways); do
	accesses_shape "$way" -O0 shapes_heap.c
done
first=$(naive_ways | head -n 1)
accesses_shape "$first" '-O3 -mavx2' shapes_heap.c
accesses_differ

CSMITH_LIMIT=$HANG
for seed in ${ACCESSES_SEEDS:-43 49 56 132}; do
	csmith_include >include || { skip 1 'no csmith'; continue; }
	csmith_choose "$seed"
	csmith_seed "$seed" "$kind" "$way" "$level"
	ok $? "csmith: $said" || diag "$(cat differ)"
done
done_testing
