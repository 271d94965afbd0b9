#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Longer runs of the tests in recursion.t and unwind.t: walks of 10^7
# allocations, many seeds, signals by the ten thousand.
TAP_LIMIT=${TAP_LIMIT:-7200}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/unwind/oracle.sh"
ORACLE_LIMIT=3600
# Unfolded call paths, as in recursion.t.
export MEMMON_FULL_CHAINS=1

oracle_tools 2>err || { diag "$(cat err)"; echo 'Bail out! oracle.S'; exit 1; }
gcc -g -O2 -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" -fPIC -shared \
	-fno-omit-frame-pointer -fno-builtin "$unwind/check.c" -o check.so \
	-lunwind -lgcc_s 2>err ||
	{ diag "$(cat err)"; echo 'Bail out! check.c'; exit 1; }

# The test knows the call paths.
oracle_build walk walk.c gcc -O2
oracle '10^7 allocations' ./walk 10000000
allocs=$(total mon.out allocations)
ok $((allocs < 10000000)) "$allocs are counted"
oracle '10^7 allocations in 4 threads' ./walk 10000000 3 2
while read -r flags; do
	# shellcheck disable=SC2086
	if ! oracle_can $flags; then
		skip 10 "$flags does not work here"
		continue
	fi
	# shellcheck disable=SC2086
	oracle_build walk walk.c $flags
	for seed in 11 12 13 14 15; do
		oracle "$flags, seed $seed" ./walk 500000 1 $seed
	done
done <<'E2'
gcc -O0
gcc -O3 -fomit-frame-pointer -march=native
gcc -O2 -fno-omit-frame-pointer
clang -O2
g++ -O2 -x c++
E2

# libunwind agrees.
# try NAME CHAINS PROGRAM...
try()
{
	local name=$1 least=$2
	shift 2
	rm -f report
	UNWCHECK_OUT=$T/report timeout 3600 env \
		LD_PRELOAD="$T/check.so:$PROG/libbump.so" "$@" >out
	like "$(cat out)" 'done$' "$name: it runs"
	awk -v least="$least" '$1 == "chains" { n += $2; bad += $NF }
		END { exit bad || n < least }' report
	ok $? "$name: $(tail -n 1 report)" || diag "$(head -n 40 report)"
}
for cc in gcc clang; do
	oracle_can $cc || { skip 8 "no $cc"; continue; }
	for o in -O0 -O2; do
		oracle_build zoo zoo.c $cc $o
		try "$cc $o, 20,000 signals" 100000 ./zoo 20000
		oracle_build walk walk.c $cc $o
		try "$cc $o, a walk" 1000000 ./walk 1000000 1
	done
done
done_testing
