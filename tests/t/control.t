#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A program switches recording off and on, and resets it, while it runs
# (tests/prog/control.c, switch.c).  The figures contain the events from the
# time when recording was on; frees of blocks from the other times are counted
# apart.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/raw.sh"

# off FILE: frees and bytes freed while it was off; frees of unknown blocks.
off()
{
	echo "$(raw "$1" T_OFF_FREES) $(raw "$1" T_OFF_FREED) $(raw "$1" T_OFF_UNSEEN) $(raw "$1" T_UNSEEN)"
}

is "$(key T_ALLOCS) $(key T_OFF_FREES) $(key R_PROGRAM) $(key R_OFF)" \
	"1 $(($(key T_LEAKS) + 1)) 1 21" \
	'the keys are read from the header'

# Each with both libraries: libmemmon, and the one for accesses.
for lib in libmemmon libmemmon-access; do
	run()
	{
		LD_PRELOAD=$MEMMON_BUILD/$lib.so "$PROG/control" "$@"
	}
	run combos
	# On: 100, 200, 2 of 1000; two of 2000 by realloc.  Freed: 100, 1000,
	# 2 of 2000; and while off 200, 1000.
	is "$(totals mon.out)" '6 6300 6 6300' \
		"$lib, F20: what was made while on, and that is freed"
	is "$(off mon.out)" '2 1200 3 0' \
		"$lib, F20: of these while off; of blocks from then"
	is "$(total mon.out reallocations)" 1 "$lib: one was resized while on"
	is "$(raw mon.out R_OFF) $(($(raw mon.out R_OFF_TIME) > 0))" '0 1' \
		"$lib: it is on at the end, and was off"
	run gap
	json mon.out "$PROG/control"
	is "$(sum_life temps) $(sum_life near)" '1 1' \
		"$lib, F20: across an off time nobody knows how near they are"
	run peak
	is "$(raw mon.out T_PEAK)" 5000 \
		"$lib, F20: what goes while it is off isn't live"
	is "$(run reset | tr '\n' ' ')" '0 1 ' "$lib: a reset"
	is "$(totals mon.out)" '3 2010 1 1000' "$lib, F20: counts begin anew"
	is "$(off mon.out)" '0 0 2 0' "$lib: frees of blocks from before it"
	is "$(raw mon.out T_PEAK)" 2000 "$lib: and the peak does"
	is "$(($(raw mon.out R_RESET) > 0)) $(total mon.out inherited)" '1 ' \
		"$lib: the file tells of it"
	is "$("$MEMMON_BUILD/tests/rawdump" mon.out | cut -d' ' -f 1,3-7 |
		grep ^mark)" 'mark 2 2000 0 0 after' \
		"$lib: marks from before it are gone"
	rm mon.out
done

"$PROG/control-mm" marks >out
is "$(cat out)" '77 -1' 'mark leaves errno alone, and needs a name'
"$MEMMON_BUILD/tests/rawdump" mon.out | grep ^mark >got
is "$(cut -d' ' -f 1,3-8 got)" "mark 0 0 0 0 first
mark 2 33 0 0 $(printf 'n%.0s' $(seq 63))
mark 2 33 1 11 third one" 'marks and their totals'
cut -d' ' -f 2 got | sort -nc
ok $? '... by time'
is "$(raw mon.out T_MARKS)" 3 '... counted'
is "$("$PROG/control" marks)" '77 -1' 'the same program without memmon'

is "$(MEMMON_OUT=end.mon "$PROG/control-mm" dumps)" '0 0 -1 -1' \
	'files by name, where they can be written'
is "$(totals one.mon) $(end_of one.mon)" "1 33 0 0 $(end_of two.%p)" \
	'the first one, while the program runs'
is "$(totals two.%p)" '2 66 0 0' 'the second: a percent sign is one'
is "$(totals end.mon)" '3 99 0 0' 'and the last'

# Signals.
rm -f mon.out*
usr2=$(kill -l USR2)
MEMMON_SIGNAL=usr2 "$PROG/control-mm" signals "$usr2" 3 >out &
pid=$!
wait $pid
is "$?" 0 'a signal for a file does no harm'
is "$(cat out)" default '... nor does the program see it'
for i in 1 2 3; do
	is "$(totals "mon.out.$pid.$i")" "$i $((64 * i)) 0 0" "file $i"
done
is "$(echo mon.out*)" "mon.out mon.out.$pid.1 mon.out.$pid.2 mon.out.$pid.3" \
	'so many, and the last'
rm -f mon.out*
"$MEMMON" --signal=SIGRTMIN+3:stop -o %p.s "$PROG/control" signals \
	"$(($(kill -l RTMIN) + 3))" 3 >out
is "$(totals ./*.s) $(raw ./*.s R_OFF)" '1 64 0 0 1' \
	'a signal that switches it off'
rm -f ./*.s
"$MEMMON" --paused --signal="$usr2":start -o %p.s "$PROG/control" signals \
	"$usr2" 3 >out
is "$(totals ./*.s) $(raw ./*.s R_OFF)" '2 128 0 0 0' \
	'one that switches it on'
MEMMON_SIGNAL=$usr2:Toggle "$PROG/control-mm" signals "$usr2" 5 >out
is "$(totals mon.out)" '3 192 0 0' 'or either'
rm -f mon.out*
MEMMON_SIGNAL=URG "$PROG/control-mm" signals "$(kill -l URG)" 2 >out
is "$(cat out) $(totals mon.out.*.2)" 'default 2 128 0 0' \
	'one that does nothing by default'
rm -f mon.out*
MEMMON_SIGNAL=USR2 "$PROG/control-mm" own "$usr2" >out
is "$(tr '\n' ' ' <out) $(echo mon.out.*.*)" "default own 1  $(echo mon.out.*.1)" \
	"the program's own handler wins, until it is taken away"
is "$(find . -name 'mon.out.*' | wc -l)" 1 '... one file'
for bad in NOSUCH SEGV 11 KILL 9 USR2:jump USR22 :dump 33; do
	MEMMON_SIGNAL=$bad "$PROG/control-mm" marks >/dev/null
	ok $? "MEMMON_SIGNAL=$bad is as if it weren't there"
	"$MEMMON" --signal=$bad true 2>err
	is "$? $(grep -c signal err)" '125 1' "memmon --signal=$bad says so"
done

# The preloaded library does nothing if the program has its own.
rm -f mon.out*
LD_PRELOAD=$MEMMON_BUILD/libmemmon.so:$MEMMON_BUILD/libmemmon-access.so \
	MEMMON_SIGNAL=USR2 "$PROG/control" signals "$usr2" 2 >out
is "$(cat out) $(totals mon.out.*.2)" 'default 2 128 0 0' \
	'of two libraries the one that records takes the signal'

# From the first event.
MEMMON_OFF=1 "$PROG/widgets-mm" >/dev/null
is "$(totals mon.out) $(raw mon.out R_OFF)" '0 0 0 0 1' 'MEMMON_OFF=1: nothing'
MEMMON_OFF=0 "$PROG/widgets-mm" >/dev/null
is "$(raw mon.out R_OFF) $(raw mon.out T_OFF_UNSEEN)" '0 0' 'MEMMON_OFF=0: all'
MEMMON_OFF=1 "$PROG/control-mm" gap
is "$(totals mon.out) $(off mon.out)" '1 70 1 70 0 0 2 0' \
	'F20: until memmon_start()'

# Threads.
rounds=1000
! exhaustive || rounds=2000
bytes=$((48 * 4 * rounds))
for lib in libmemmon libmemmon-access; do
	for way in stop reset both; do
		rm -f end.mon
		out=$(LD_PRELOAD=$MEMMON_BUILD/$lib.so \
			timeout "$HANG" "$PROG/switch" 4 $rounds $way)
		is "$? $out" '0 0' "$lib, $way: the last reset"
		json end.mon "$PROG/switch"
		is "$(self make allocs) $(self make bytes) $(self make frees) $(self make freed)" \
			"$((4 * rounds)) $bytes $((4 * (rounds - 5))) $((48 * 4 * (rounds - 5)))" \
			"$lib, F20: what four threads did since, $way"
		is "$(raw end.mon T_OFF_UNSEEN) $(raw end.mon T_UNSEEN) $(raw end.mon T_LOST) $(raw end.mon T_REUSED)" \
			'80 0 0 0' "$lib: blocks from before, $way"
		is "$(($(raw end.mon T_PEAK) >= bytes - 4 * 32768 &&
			$(raw end.mon T_PEAK) <= bytes))" 1 "$lib: the peak"
		is "$(figures threads allocs | added)" "$(sum allocs)" \
			"$lib: the rows of the threads add up"
	done
	"$MPREDUCE" -i between.mon >/dev/null 2>err
	is "$(cat err)" '' "$lib: a file from the middle of it is whole"
done

# Signals that find other threads in the middle of anything, a file too.
for lib in libmemmon libmemmon-access; do
	rm -rf sig && mkdir sig
	timeout "$HANG" env LD_PRELOAD="$MEMMON_BUILD/$lib.so" MEMMON_SIGNAL=USR2 \
		MEMMON_OUT=sig/s "$PROG/switch" 4 100 signal >/dev/null
	is "$?" 0 "$lib: signals to all threads at work do no harm"
	last=$(find sig -name 's.*' | sed 's/.*[.]//' | sort -n | tail -n 1)
	is "$(find sig -name 's.*' | wc -l)" "$last" "$lib: $last files"
	for f in sig/s.*; do
		"$MPREDUCE" -i "$f" >/dev/null
	done 2>err
	is "$(cat err)" '' "$lib: all of them whole"
	f=$(find sig -name "s.*.$last")
	like "$("$MPREDUCE" --json "$PROG/switch" "$f" 2>/dev/null)" \
		'"name":"make_last"' "$lib: none is lost while another is written"
done
done_testing
