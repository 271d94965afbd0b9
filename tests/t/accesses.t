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
accesses_shapes -O0
accesses_differ

for seed in ${ACCESSES_SEEDS:-36 43 49 54 56 69}; do
	csmith_include >include || { skip 1 'no csmith'; continue; }
	csmith_choose "$seed"
	csmith_seed "$seed" "$kind" "$way" "$level"
	ok $? "csmith: $said" || diag "$(cat differ)"
done
done_testing
