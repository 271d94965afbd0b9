#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Events for modules in random programs of csmith: recording all events doesn't
# change a program's results, and functions and loops nest.  EVENTS_SEEDS="1 2
# 3".
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

command -v csmith >/dev/null || skip_all 'no csmith'
include=$(find /usr/include/csmith* -name csmith.h | head -n 1)
[ "$include" ] || skip_all 'no csmith.h'
include=${include%/*}
gcc -O1 -fno-builtin -I"$MEMMON_SRC" -c -o runtime.o \
	"$MEMMON_SRC/tests/access/events_runtime.c" ||
	{ echo 'Bail out! no runtime'; exit 1; }
echo 'const char memmon_module_events[] = "MEMMON-EVENTS:' \
	'load:address,value,size store:address,value,size pointer:address' \
	'stack_alloc:address,size stack_free:address global:address' \
	'entry:address exit:address loop:address iteration loop_exit";' |
	gcc -shared -fPIC -x c -o m.so -

compilers=$(with_plugin gcc clang)
for seed in ${EVENTS_SEEDS:-$(seq 1 25)}; do
	csmith --seed "$seed" --max-funcs 6 >random.c 2>/dev/null
	gcc -w -O1 -I"$include" -o plain random.c 2>/dev/null
	want=$(timeout 10 ./plain) || continue
	for cc in $compilers; do
		for level in -O0 -O1 -O2 -O3; do
			MEMMON_CC=$cc "$MEMMON_BUILD/memmon-cc" --module=./m.so \
				-w "$level" -I"$include" -c -o random.o \
				random.c >said 2>&1 && $cc -o random random.o \
				runtime.o && got=$(timeout "$HANG" ./random)
			is "$got$(cat said)" "$want" "$cc $level: seed $seed"
			EVENTS_LOG=log timeout "$HANG" ./random >/dev/null
			perl "$MEMMON_SRC/tests/access/events_nest.pl" log >bad
			is "$?:$(head -n 3 bad)" 0: "... functions and loops nest"
		done
	done
done
done_testing
