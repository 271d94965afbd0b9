#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts by site, thread and size, as the monitor writes them: which thread
# allocated the blocks, and how many of these any thread freed.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
dump=$MEMMON_BUILD/tests/celldump

# rows FILE [FIELDS]: its cells, by default without peak and usable sizes.
rows()
{
	"$dump" "$1" | sed -n 's/^cell //p' | sed 's/baker /baker-/' |
		cut -d' ' -f "${2:-2-7}"
}

for lib in mm preloaded; do
	rm -f mon.out
	if [ $lib = mm ]; then
		"$PROG/relay-mm"
	else
		"$MEMMON" "$PROG/relay"
	fi
	name=$(basename "$PROG/relay-mm")
	[ $lib = mm ] || name=relay
	is "$("$dump" mon.out | head -n 1)" "known 1 1 1" "$lib: all is known"
	is "$("$dump" mon.out | grep -c differ)" 0 \
		"$lib: as the bins and the threads have it"
	is "$(rows mon.out | grep -v ' 288 \|crumb\| 0 0 0 0$')" \
"$name 64 15 960 10 640
baker-1 32 100 3200 30 960
baker-2 32 200 6400 60 1920
baker-3 32 300 9600 90 2880
baker-4 32 400 12800 120 3840
baker-1 200 50 10000 5 1000
baker-2 200 50 10000 5 1000
baker-3 200 50 10000 5 1000
baker-4 200 50 10000 0 0
mover 48 30 1440 30 1440
$name 96 30 2880 0 0" "$lib: by thread and size"
	is "$(rows mon.out | awk '$1 == "crumb" { n++; a += $3; f += $5
		if ($3 < $5) bad++ } END { print (n > 150), a, f, bad + 0 }')" \
		"1 600 300 0" "$lib: threads that share an item"
	is "$("$dump" mon.out | awk '$1 == "cell" { p[$2] += $(NF - 3) }
		END { for (i in p) if (p[i] < 0) n++; print n + 0 }')" 0 \
		"$lib: at the peak no site has less than nothing"
done

"$PROG/relay-mm" sizes
is "$("$dump" mon.out | grep -c 'differ\|known 1 1 1')" 1 "many sizes"
is "$(rows mon.out | awk '$1 == "relay-mm" && $2 < 4000 && $3 == 30 &&
	$5 == 10 && $6 == 10 * $2 { n++ }
	$1 == "relay-mm" && $2 ~ /[a-z]/ { a += $3; b += $4; f += $5 }
	END { print n, a, b, f }')" "1024 59280 119301000 19760" \
	"... the first of them each, all in their classes"
like "$("$MPREDUCE" "$PROG/relay-mm" mon.out 2>/dev/null)" \
	"sizes +59280 .allocations of too many sizes" "... of which the report says"
"$PROG/relay-mm" crowd
is "$("$dump" mon.out | head -n 1)" "known 1 1 1" "more sizes than have room"
is "$(rows mon.out | awk 'NR == 1; $2 == "x" { n++; a = $3 - $5
	b = $4 - $6 } END { print n, a, b }')" "relay-mm 64 100 6400 40 2560
1 60 9004170" "... frees of blocks of one size that were counted with any"
own=$("$MPREDUCE" -i mon.out | awk '/monitor.s bytes/ { print $1 }')
[ "$(stat -c %s mon.out)" -lt 102400 ] && [ "${own:-9999999}" -lt 2000000 ]
ok $? "... file and memory are bounded, whatever the sizes ($own bytes)"
"$PROG/relay-mm" swap
is "$("$dump" mon.out 2>&1 | awk 'NR == 1; $3 == "swapper" && $4 == "x" {
	n++; a += $5 - $7; b += $6 - $8 } END { print n, a, b }')" \
	"known 1 1 1
3 1 200200" "... as many frees by two threads, of blocks of different sizes"

# Blocks that were looked at.
"$PROG/widgets-mm" >/dev/null
is "$("$dump" mon.out | awk '$1 == "cell" && $4 == 204 { n += $11
	s += $12 } END { print (n > 30), s / n }')" "1 12" \
	"usable sizes: 216 bytes for 204, of glibc's"
MEMMON_TIMING=0 "$PROG/widgets-mm" >/dev/null
is "$("$dump" mon.out | awk '{ n += $11 } END { print n + 0 }')" 0 \
	"... not when nothing is timed"
LD_PRELOAD="$MEMMON_BUILD/libmemmon.so $PROG/libbump.so" "$PROG/widgets" \
	>/dev/null
is "$("$dump" mon.out | awk '$1 == "cell" { a += $5; n += $11 }
	END { print a, n }')" "10000 0" \
	"... nor of an allocator that doesn't say, though libc's would"

# Ends and starts of all kinds: the cells always equal the sites' counts.
# Below: a file that is written while threads run, as mpreduce reads it.
n=0
for p in "$PROG"/*-mm; do
	p=${p##*/}
	running='' args=
	case $p in
	racing-mm | fresh-mm) running=-r ;;
	server-mm) args=1000 ;; # or it never ends
	esac
	mkdir -p "ends/$p"
	# shellcheck disable=SC2086
	(cd "ends/$p" && timeout "$HANG" "$PROG/$p" $args >/dev/null 2>&1 </dev/null)
	[ $? != 124 ] || echo "$p does not end"
	for f in ends/"$p"/*; do
		[ -f "$f" ] && [ "$(head -c 4 "$f" | tail -c 3)" = mem ] ||
			continue
		n=$((n + 1))
		case $("$dump" $running "$f" 2>&1 | head -n 1) in
		"known 1 "*) ;;
		*) echo "$f" ;;
		esac
		"$dump" $running "$f" 2>&1 | grep differ
	done
done >bad
is "$(cat bad)" "" "every program's cells are its sites' counts"
[ "$n" -gt 25 ]
ok $? "... of all of them ($n files)"

# A fork's child counts for itself; a reset begins again at 0; with threads that
# run.
"$PROG/control-mm" reset >/dev/null
is "$("$dump" mon.out | grep -c 'known 1 1\|differ')" 1 "after a reset"
rm -f mon.out*
"$PROG/family-mm" >/dev/null
is "$(for f in mon.out*; do "$dump" "$f" | grep 'known\|differ'; done |
	sort -u)" "known 1 1 1" "in children, too"
rm -f mon.out*
"$PROG/brood-mm" 2 3>/dev/null >/dev/null
is "$(for f in mon.out*; do "$dump" "$f" | grep 'known\|differ'; done |
	cut -d' ' -f 1,2 | sort -u)" "known 1" "children of all kinds"
"$PROG/racing-mm"
# mpreduce gives the threads what they allocated between the reading of threads
# and the reading of cells.
is "$(for f in racing.[0-7] mon.out; do "$dump" -r "$f" 2>&1 |
	grep -v '^cell\|^vtable'; done | cut -d' ' -f 1,2 | sort -u)" "known 1" \
	"files that are written while threads run: no number is lost"
is "$(for f in racing.[0-7] mon.out; do "$dump" "$f"; done | awk '
	$1 == "cell" && ($7 > $5 || $5 > 100000000) { n++ } END { print n + 0 }')" \
	0 "... none is below 0"

# Cells that are made while a file is written: the free of a block may be in a
# cell that the file has, and the block in a newer cell that it lacks.
rm -f mon.out*
"$PROG/fresh-mm" 30
is "$(for f in fresh.* mon.out; do "$dump" -r "$f" 2>&1 |
	grep -v '^cell\|^vtable'; done | cut -d' ' -f 1,2 | sort -u)" "known 1" \
	"files that are written while cells are made"
# Here each write takes long, and more cells are made than rows were left for.
rm -f mon.out* fresh.*
LD_PRELOAD=$MEMMON_BUILD/fault/libmemmon-fault.so MEMMON_FAULT=write:1+:slow \
	"$PROG/fresh-mm" 3
is "$(for f in fresh.*; do "$dump" -r "$f" 2>&1 |
	grep -v '^cell\|^vtable'; done | cut -d' ' -f 1,2 | sort -u)" "known 1" \
	"... and while many are"
rm -f fresh.*

# A killed process: by site and size, threads not known.
rm -f mon.out*
MEMMON_OUT=k.mon "$PROG/killed-mm" kill >/dev/null 2>&1
is "$("$dump" k.mon | head -n 1)" "known 1 0 0" "an image: by size"
is "$("$dump" k.mon | grep -c 'differ\|^cell [0-9]* [^?]')" 0 \
	"... threads aren't known"

# Accesses, with blocks in the shadow.
LD_PRELOAD=$MEMMON_BUILD/libmemmon-access.so "$PROG/relay"
is "$("$dump" mon.out | grep 'known\|differ')" "known 1 1 1" \
	"with libmemmon-access"
is "$(rows mon.out | grep '^baker-[14] \|^mover')" \
"baker-1 32 100 3200 30 960
baker-4 32 400 12800 120 3840
baker-1 200 50 10000 5 1000
baker-4 200 50 10000 0 0
mover 48 30 1440 30 1440" "... the same"

# A limit on memory: without room for it by class, or not at all; never wrong.
for limit in 2m 3m 4m 6m 12m; do
	MEMMON_MAXMEM=$limit "$PROG/relay-mm" sizes
	"$dump" mon.out 2>&1 | grep -v '^known\|^cell\|^vtable\|^type'
done >bad
is "$(cat bad)" "" "with little memory what is there adds up"
done_testing
