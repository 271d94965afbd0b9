#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon's account of how blocks were used, compared with that of a recorder
# that logs everything (tests/access/naive.c), for programs that use their heap
# at random: all counts are the same, for every site, and every granule.  Also
# the effect of an arena on the scores (tests/prog/wire.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/access/naive.sh"

naive_build || skip_all 'no gcc, or no perl with JSON::PP'
naive=$NAIVE_SRC/naive.pl

# Each as WAY-OLEVEL.
builds=() wanted=0
for way in $(naive_ways); do
	levels=-O2
	[ "$way" != calls ] || levels=-O0
	! exhaustive || levels='-O0 -O2'
	for level in $levels; do
		wanted=$((wanted + 1))
		naive_compile naive_random "$way" "$level" &&
			mv "naive_random.$way" "random.$way$level" &&
			builds+=("$way$level")
	done
done
naive_compile naive_random naive -O0
ok $? 'built for the naive recorder'
is "${#builds[@]}" "$wanted" \
	"and for memmon: ${builds[*]}"

# random SEED THREADS STEPS: all builds agree with the naive recorder.
random()
{
	local build sites what="seed $1, $2 threads"
	rm -f naive.log
	NAIVE_OUT=naive.log ./naive_random.naive "$@"
	for build in "${builds[@]}"; do
		rm -f mm.log
		MEMMON_OUT=mm.log "./random.$build" "$@"
		"$naive" same naive_random.naive naive:naive.log \
			"random.$build" mon:mm.log >differ 2>compared
		sites=$(cat compared)
		if [ "$build" = "${builds[0]}" ]; then
			"$MPREDUCE" --json "random.$build" mm.log >mm.json 2>messages
			is "$(cat messages)$("$naive" same "random.$build" \
				mon:mm.log "random.$build" json:mm.json timed \
				2>/dev/null)" '' "$what, $build: by mpreduce the same"
		fi
		is "$(cut -c1-200 differ)" '' "$what, $build: $sites sites"
		[ "$sites" -ge 9 ] 2>/dev/null
		ok $? "$what, $build: they are there"
	done
}

for seed in $(exhaustive && echo 1 2 || echo 1); do
	random $seed 1 3000
	random $((seed + 10)) 4 1500
done
random 20 8 500

# An arena: longer lives, less of the memory used, for less of the time.
for way in $(naive_ways); do
	(naive_by "$way" && exec "$MEMMON_BUILD/memmon-cc" -O2 -g -Wall -Wextra \
		-Werror -o wire "$MEMMON_SRC/tests/prog/wire.c")
	ok $? "wire, $way: compiled without warnings"
	MEMMON_OUT=wire.mon ./wire >out
	MEMMON_OUT=arena.mon ./wire arena >arena.out
	is "$(cat out); $(cat arena.out)" '4898112000 from 4000 records, 100000 allocations; 4898112000 from 4000 records, 10 allocations' \
		"wire, $way: the results"
	is "$(total wire.mon allocations) $(total arena.mon allocations)" \
		'100000 10' 'its allocations'
	for run in wire arena; do
		"$MPREDUCE" --json wire $run.mon >$run.json
	done
	"$naive" program wire json:wire.json >scores
	"$naive" program wire json:arena.json >>scores
	# About a half (one site's blocks live short, the other's long) and 1.
	awk 'NR == 1 { l = $1; u = $2; f = $3 }
	     NR == 2 { exit !($1 > l + 0.4 && $2 < u - 0.15 && $3 < f - 0.3) }' \
		scores
	ok $? 'the arena: longer lives, less used, for a shorter time' ||
		diag "$(cat scores)"
done
done_testing
