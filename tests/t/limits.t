#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Limits of memory: a program that runs alone runs with the monitor; what can't
# be recorded is said to be unrecorded, or there is no file.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >p.c <<'C'
#include <stdlib.h>
int main(void) { void *volatile p = malloc(100); exit(p ? 7 : 1); }
C
$CC -g p.c -o p
if readelf -SW "$MEMMON_BUILD/libmemmon.so" | grep -q '[.]mmi_tables'; then
	# 4 MB and 0.3 MB: what the loader and the libraries have besides.
	for kb in 5000 8000 16000 20000 22000 24000; do
		rm -f mon.out*
		(ulimit -d $kb && exec timeout "$HANG" "$MEMMON" -q ./p) \
			>out 2>&1
		is "$?" 7 "ulimit -d $kb: the program runs"
		[ ! -e mon.out ] || is "$(($(total mon.out allocations) +
			$(total mon.out 'allocations unrecorded')))" 1 \
			"ulimit -d $kb: its block is recorded, or counted as not"
	done
else
	skip 6 'this library has its tables in .bss'
fi
for limit in 'd 100000' 'v 400000'; do
	rm -f mon.out*
	(ulimit "-${limit% *}" "${limit#* }" && exec timeout "$HANG" "$MEMMON" \
		-q ./p) >out 2>&1
	is "$? $(total mon.out allocations)" '7 1' "ulimit -$limit: complete"
done
(ulimit -d 60000 && exec timeout "$HANG" "$MEMMON" -q -l ./p) >out 2>&1
is "$?" 7 'a leak check under ulimit -d: the program ends as it does'
is "$("$MPREDUCE" --prolog -b p mon.out | grep -c "maps can't be read")" 0 \
	'... and memory is what it lacks, if anything'
done_testing
