#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# memmon -p for the first time in a process whose threads open and close
# plug-ins: the library reads the loader's list of objects while other threads
# change the list.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
may_attach || skip_all "nobody may attach"

"$CC" -shared -fPIC -O1 -o plug.so "$MEMMON_SRC/tests/prog/libplug.c"
for n in 1 2 3; do cp plug.so "plug$n.so"; done
exhaustive && times=300 || times=12
for i in $(seq $times); do
	rm -f end m.out
	"$PROG/plugs" ./plug.so ./plug1.so ./plug2.so ./plug3.so &
	pid=$!
	maps $pid plug || echo "$i: it doesn't begin"
	timeout "$HANG" "$MEMMON" -p $pid --for=1ms -o m.out 2>err ||
		echo "$i: $(cat err)"
	touch end
	wait $pid
	[ $? = 7 ] || echo "$i: the program's status"
	[ -s m.out ] || echo "$i: no data file"
done >failed
is "$(cat failed)" "" "$times processes: each is recorded, and goes on"
done_testing
