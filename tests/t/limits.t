#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Limits of memory: a program that runs without the monitor also runs with it.
# The file says what couldn't be recorded, or no file is written.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >p.c <<'C'
#include <stdlib.h>
int main(void) { void *volatile p = malloc(100); exit(p ? 7 : 1); }
C
$CC -g p.c -o p
if readelf -SW "$MEMMON_BUILD/libmemmon.so" | grep -q '[.]mmi_tables'; then
	# 4 MB and 0.3 MB: the memory of the loader and the libraries.
	for kb in 5000 8000 16000 20000 22000 24000; do
		rm -f mon.out*
		(ulimit -d $kb && exec timeout "$HANG" "$MEMMON" -q ./p) \
			>out 2>&1
		is "$?" 7 "ulimit -d $kb: the program runs"
		[ ! -e mon.out ] || is "$(($(total mon.out allocations) +
			$(total mon.out 'allocations unrecorded')))" 1 \
			"ulimit -d $kb: its block is recorded, or counted as not"
	done
	# The library that records accesses is linked: the loader must take it.
	"$MEMMON_BUILD/memmon-cc" -o recorded p.c 2>/dev/null
	for kb in 16000 20000; do
		(ulimit -d $kb && exec timeout "$HANG" ./recorded) >out 2>&1
		is "$?" 7 "ulimit -d $kb: a recorded program runs"
	done
else
	skip 8 'this library has its tables in .bss'
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

# The image stays in memory, or at a container's limit a process hangs.
cat >locked.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char line[200];
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "VmLck:", 6)) printf("%d\n", atoi(line + 6));
	return 0;
}
C
$CC -g locked.c -o locked
if (ulimit -l 8192) 2>/dev/null; then
	n=$(ulimit -l 8192; "$MEMMON" -q ./locked)
	ok $((n < 1000 || n > 4096)) "the image is locked: $n kB"
else
	skip 1 'no process may lock 8 MB'
fi
is "$(ulimit -l 1024; "$MEMMON" -q ./locked)" 0 \
	'not where that is much of what the program may lock'

# A limit that a program sets itself is for its own memory.  It can allocate as
# much as without the monitor, within a megabyte, and behaves the same; so do
# the programs that it executes.
for how in as:16:exec as:16:vfork as:8:fork as:32:later data:8:exec data:4:fork \
	data:16:later; do
	IFS=: read -r which most what <<<"$how"
	"$PROG/limited" "$which" "$most" "$what" >alone 2>&1
	for kind in limited limited-mm; do
		env=(MEMMON_QUIET=1)
		[ $kind = limited-mm ] || env=(LD_PRELOAD="$LIBMEMMON")
		# The executed program would need the library, for which the
		# limit has no room.
		case $kind,$what in limited-mm,exec | limited-mm,vfork) continue ;; esac
		env "${env[@]}" MEMMON_OUT=own.mon "$PROG/$kind" "$which" \
			"$most" "$what" >monitored 2>&1
		differ=$(paste -d= alone monitored | awk -F= '
			{ a = $1; b = $2 }
			/ MB$/ { d = a; sub(/.*: /, "", d); e = b
				sub(/.*: /, "", e)
				if (e - d > 1 || d - e > 1) print
				sub(/[0-9]+ MB/, "", a); sub(/[0-9]+ MB/, "", b) }
			a != b')
		is "$differ" '' "$kind under a limit of its own: $how"
	done
done
cg=/sys/fs/cgroup/memory/memmon-test.$$
if mkdir $cg 2>/dev/null && echo 50M >$cg/memory.limit_in_bytes; then
	cat >fill.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) memset(malloc(200), 1, 200); }
C
	$CC -g -O1 fill.c -o fill
	# shellcheck disable=SC2016
	(exec sh -c 'echo $$ >"$1/cgroup.procs"
		exec "$2" -q -o full.mon ./fill' sh $cg "$MEMMON") 2>/dev/null
	is $? 137 'at the limit of a container the program is killed, as alone'
	again=$(awk '$1 == "pgmajfault" { print $2 }' $cg/memory.stat)
	ok $((again > 1000)) "... and the image isn't read again and again ($again)"
	ok "$([ "$(total full.mon allocations)" -gt 100000 ]; echo $?)" \
		'its file has what was counted'
else
	skip 3 'no memory cgroup of version 1'
fi
rmdir $cg 2>/dev/null
done_testing
