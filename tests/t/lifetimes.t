#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The lives of blocks: how soon they were freed, which threads freed them, how
# long they lived, how they were resized (tests/prog/temps.c, lives.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# soon FUNCTION: temps, near and by_others.
soon()
{
	echo "$(life "$1" temps) $(life "$1" near) $(life "$1" by_others)"
}

for timing in 64 1 0; do
	MEMMON_TIMING=$timing "$MEMMON" -o m.out "$PROG/temps" gaps
	json m.out "$PROG/temps"
	got='' want=''
	for n in $(seq 0 17); do
		got="$got, $n: $(soon "keep_$n")"
		want="$want, $n: $((n ? 0 : 100)) $((n < 16 ? 100 : 0)) 0"
	done
	is "$got" "$want" "freed after 0 to 17 more allocations, timing $timing"
done
"$MEMMON" -o m.out "$PROG/temps" resize
json m.out "$PROG/temps"
is "$(soon resized)" '100 100 0' 'resized and freed'
is "$(self resized allocs) $(reallocs resized)" '200 100' 'and its reallocs'

for timing in 64 1; do
	MEMMON_TIMING=$timing "$MEMMON" -o m.out "$PROG/temps" pass
	json m.out "$PROG/temps"
	is "$(soon pass)" '1 16 1000' "freed by another thread, timing $timing"
	is "$(self pass allocs) $(self pass frees)" '1500 1500' 'all of them'
	MEMMON_TIMING=$timing "$MEMMON" -o m.out "$PROG/temps" ended
	json m.out "$PROG/temps"
	is "$(soon ended)" '0 0 5000' \
		"freed by a thread after the one that made them, timing $timing"
	is "$(self ended allocs) $(self ended frees)" '5000 5000' 'all of them'
	is "$(sum_life by_others)" 5000 'and no others'
done

# Lifetimes, between the bounds that the program measured.
"$MEMMON" -o m.out "$PROG/lives" sleep >bounds
json m.out "$PROG/lives"
for f in short_lived middle long_lived; do
	n=$(grep -c "^$f " bounds)
	is "$(life $f timed) $(life $f weight)" "$n $n" "$f: all $n timed"
	awk -v f=$f -v sum="$(life $f sum_ns)" -v min="$(life $f min_ns)" \
		-v max="$(life $f max_ns)" '
		$1 == f { lo += $2; hi += $3
			  if (!n++ || $2 < lomin) lomin = $2
			  if (n == 1 || $3 < himin) himin = $3
			  if ($2 > lomax) lomax = $2
			  if ($3 > himax) himax = $3 }
		END { bad = sum < lo || sum > hi || min < lomin || min > himin ||
			    max < lomax || max > himax
		      if (bad) print lo, sum, hi, lomin, min, himin, lomax, max, himax
		      exit bad }' bounds >bad
	ok $? "$f: sum, least and most" || diag "$(cat bad)"
	# Up to each bin: no fewer than must be there, no more than can be.
	histogram $f | awk -v f=$f -v bounds=bounds '
		function bin(ns,  b) { for (b = 0; ns >= 2; b++) ns /= 2; return b }
		BEGIN { while ((getline <bounds) > 0) {
				split($0, v, " ")
				if (v[1] == f) { can[bin(v[2])]++; must[bin(v[3])]++ }
			} }
		{ got += $1; c += can[NR - 1]; m += must[NR - 1]
		  if (got > c || got < m) { print "bin", NR - 1, got, m, c; bad = 1 } }
		END { exit bad || !got }' >bad
	ok $? "$f: the bins" || diag "$(cat bad)"
done

# within NAME GOT WANT PERCENT
within()
{
	awk -v g="$2" -v w="$3" -v p="$4" \
		'BEGIN { d = g - w; if (d < 0) d = -d; exit !(d * 100 <= w * p) }'
	ok $? "$1: $2 is $3 to $4%"
}

# One block in 64 is timed, at intervals that are random but always the same,
# and so are the lives, by the program's clock.
n=100000
sum=$("$MEMMON" -o m.out "$PROG/lives" queue $n)
json m.out "$PROG/lives"
within 'blocks that timed ones stand for' "$(life queued weight)" $n 6
within 'timed' "$(life queued timed)" $((n / 64)) 8
within 'the sum of lifetimes' "$(life queued sum_ns)" "$sum" 6
is "$(histogram queued | awk '{ s += $1 } END { print s }')" \
	"$(life queued weight)" 'the bins add up to the weight'
sum=$(MEMMON_TIMING=1 "$MEMMON" -o m.out "$PROG/lives" queue $n)
json m.out "$PROG/lives"
is "$(life queued timed) $(life queued weight) $(self queued frees)" "$n $n $n" \
	'MEMMON_TIMING=1: all are timed'
is "$(life queued sum_ns)" "$sum" 'the sum of lifetimes'
MEMMON_TIMING=0 "$MEMMON" -o m.out "$PROG/lives" queue $n >/dev/null
json m.out "$PROG/lives"
is "$(life queued timed) $(sum_life timed) $(self queued frees)" "0 0 $n" \
	'MEMMON_TIMING=0: none'
is "$(sum untimed)" 0 'on purpose'

# The record of realloc's results equals what the program saw.
for timing in 64 1; do
	MEMMON_TIMING=$timing "$MEMMON" -o m.out "$PROG/lives" grow >seen
	json m.out "$PROG/lives"
	for want in vector:16:16 list:300:3 same:10:10; do
		IFS=: read -r f n longest <<<"$want"
		is "$f $(life "$f" moved) $(life "$f" copied)" "$(grep "^$f " seen)" \
			"$f: moved and copied, timing $timing"
		is "$(reallocs "$f") $(life "$f" longest)" "$n $longest" \
			"$f: reallocs, and of one block"
	done
	ok $(($(life list moved) < 100)) 'list: some did move'
done
done_testing
