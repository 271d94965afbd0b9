#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# While blocks are sampled, samples of a recorded program lie apart from other
# blocks (monitor/shadow/apart.h).  The program sees an ordinary allocator.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/raw.sh"
access=$MEMMON_SRC/tests/access
cc=$MEMMON_BUILD/memmon-cc

export MEMMON_OUT=a.mon
for n in blocks counts large; do
	"$cc" -g -O1 -pthread -w "$access/apart_$n.c" -o $n || exit
done
$CC -g -O1 -pthread -w "$access/apart_blocks.c" -o plain || exit

# run COMMAND...: prints the last line of its output, and its exit status.
run()
{
	rm -f a.mon
	(timeout "$HANG" "$@" 2>&1; echo $?) 2>/dev/null | tail -n 2 | xargs
}

for rate in 1 4K 512K; do
	export MEMMON_SAMPLE=$rate
	for what in '60000 1' '20000 4' 'grow 100000000' fork; do
		# shellcheck disable=SC2086 # two words
		is "$(run ./blocks $what)" 'ok 0' "$rate: $what"
		is "$(raw a.mon T_LOST_ALLOCS) $(raw a.mon T_UNSEEN)" '0 0' \
			'... and all blocks are known'
	done
done
# 1 if each of 9 blocks has an address below 4 TiB, as no other block has.
is "$(MEMMON_SAMPLE=1 ./blocks where | sort | uniq -c | xargs)" '9 1 1 ok' \
	'samples lie apart'
is "$(MEMMON_SAMPLE=100G ./blocks where | sort | uniq -c | xargs)" '9 0 1 ok' \
	'other blocks do not'

# Errors of the program end it as without memmon.
for what in twice inside; do
	plain=$(run ./plain $what | sed 's/.* //')
	for rate in 1 100G; do
		is "$(MEMMON_SAMPLE=$rate run ./blocks $what | sed 's/.* //')" \
			"$plain" "$rate: a wrong free ($what) ends the program"
	done
done

# A library that was opened with RTLD_DEEPBIND calls libc's functions, which do
# not know samples.
cat >plug.c <<'C'
#include <stdlib.h>
void *plug(void *p) { return realloc(p, 5000); }
void unplug(void *p) { free(p); }
C
cat >host.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *early = malloc(argc * 100);
	void *h = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	void *(*plug)(void *) = h ? (void *(*)(void *))dlsym(h, "plug") : 0;
	void (*unplug)(void *) = h ? (void (*)(void *))dlsym(h, "unplug") : 0;
	if (!plug || !unplug) return 2;
	unplug(early);
	for (int i = 0; i < 1000; i++) {
		unplug(malloc(800));
		unplug(plug(malloc(800)));
		free(plug(0));
	}
	return puts("done") < 0;
}
C
$CC -w -g -fPIC -shared plug.c -o plug.so
MEMMON_CC=$CC "$cc" -w -g host.c -o host -ldl || exit
for rate in 1 512K ''; do
	is "$(MEMMON_SAMPLE=$rate run ./host ./plug.so)" 'done 0' \
		"${rate:-every block}: a library with RTLD_DEEPBIND frees blocks"
	is "$(total a.mon 'frees unseen')" 0 '... which the monitor sees'
done

# If the addresses can't be reserved (19 TiB are enough for the shadow alone),
# samples lie among other blocks, and are recorded there.
counts()
{
	"$MPREDUCE" -i a.mon | grep -E ' (reads|writes)$' | xargs
}
export MEMMON_SAMPLE=1
is "$(run ./counts)" 'ok 0' 'samples apart'
apart=$(counts)
is "$(ulimit -v $((19 << 30)) && run ./counts)" 'ok 0' 'samples among others'
is "$(counts)" "$apart" 'have the same accesses'
is "$(ulimit -v $((19 << 30)) && ./blocks where | sort | uniq -c | xargs)" \
	'9 0 1 ok' '... and their addresses are not apart'
is "$(run ./large mixed)" 'ok 0' 'samples apart, and later among others'
mixed=$(counts)
unset MEMMON_SAMPLE
is "$(run ./large mixed)" 'ok 0' 'without samples'
is "$(counts)" "$mixed" '... the blocks have the same accesses'
faults=$(MEMMON_SAMPLE=1 run ./large | cut -d' ' -f 1)
ok $((faults > 30)) "8 MB, 3 KB used: $faults page faults for each block"
is "$(run ./counts)" 'ok 0' 'without samples'
is "$(counts)" "$apart" '... all blocks have the same accesses'
"$cc" --sample -g -O1 -pthread -w "$access/apart_counts.c" -o laid || exit
is "$(run ./laid)" 'ok 0' 'compiled for samples'
is "$(counts)" "$apart" '... all blocks have the same accesses'
is "$(MEMMON_SAMPLE=1 run ./laid)" 'ok 0' 'compiled for samples, with samples'
is "$(counts)" "$apart" '... they have the same accesses'

# Two figures are unknown, as only the next allocator could tell them: which
# blocks realloc would move, and by how much sizes are rounded up.
is "$(MEMMON_SAMPLE=1 run ./blocks grow 1000000)" 'ok 0' 'a block grows'
is "$("$MPREDUCE" --lifetimes ./blocks a.mon 2>/dev/null |
	sed -nE 's/.*\|(.*) <TOTAL>.*/\1/p' | head -n 1 | xargs | cut -d' ' -f 2-)" '- - -' \
	'it is unknown which blocks would have moved'
# totals_of FILE: of realloc: copied, enlarged, its error, factor, moved.
totals_of()
{
	"$MPREDUCE" --lifetimes=reallocs --units=bytes ./blocks "$1" 2>/dev/null |
		grep '<TOTAL>' | xargs | cut -d' ' -f 1-5
}
like "$(totals_of a.mon)" '^- [0-9]+ \+-[0-9.]+% - -$' \
	'... but what realloc added is known'
"$MPREDUCE" -s ./blocks a.mon a.mon
like "$(totals_of mon.sum)" '^- [0-9]+ \+-[0-9.]+% - -$' '... also in a sum'
is "$("$MPREDUCE" -i a.mon | grep 'usable size known' | xargs)" \
	'0 blocks with usable size known' '... and what rounding up costs'

# The instructions that recording adds to a round of each kind of code, for
# blocks that aren't samples.
cat >bounds <<'K'
nodes	450	100 nodes of a list, three members each
rows	60	a loop over 100 elements
copies	16	memcpy() of 40 bytes
compares	40	memcmp()
strings	32	strcmp()
calls	250	a call of an unrecorded function
blocks	75	a block is made and freed
K
$CC -I"$MEMMON_SRC" -O2 -c "$access/apart_steps.c" -o steps.o || exit
for c in gcc clang; do
	if ! command -v $c >/dev/null; then
		skip 14 "no $c"
		continue
	fi
	$c -I"$MEMMON_SRC" -O2 "$access/apart_cost.c" steps.o -o cost || exit
	./cost >plain
	for way in '' --sample; do
		MEMMON_CC=$c "$cc" $way -I"$MEMMON_SRC" -O2 \
			"$access/apart_cost.c" steps.o -o recorded || exit
		MEMMON_SAMPLE=100G ./recorded >now
		if grep -q -- '-1' plain; then
			skip 7 'this processor has no trap flag'
			continue
		fi
		while read -r kind most what; do
			case $way$kind in --samplenodes) most=320 ;; esac
			ok "$(paste -d' ' plain now | awk -v k="$kind" -v most="$most" '
				$1 == k { print !($4 - $2 <= most) }')" \
				"$c $way: $kind adds at most $most: $what"
		done <bounds
	done
done
done_testing
