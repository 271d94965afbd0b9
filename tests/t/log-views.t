#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Exact results of the log of blocks: the blocks of a span that are not freed,
# the live blocks at any moment, and their addresses (tests/prog/spans.c and
# phases.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# run NAME: with a log; see FILE OPTION...: tables of it
run()
{
	rm -f mon.out*
	MEMMON_LOG=1 "$PROG/$1-mm" || echo "Bail out! $1"
	name=$1
}
see()
{
	"$MPREDUCE" -b "$@" "$PROG/$name-mm" mon.out 2>&1
}
# kept OPTION...: the figures after "kept:" for a span
kept()
{
	see -L "$@" | sed -n 's/^kept: \(.*\) of it are live.*/\1/p'
}

run spans
is "$(kept --between=mark:a,mark:b)" '2040 bytes in 24 blocks' \
	'what is kept of a span'
like "$(see --between=mark:a,mark:b)" 'from the log of blocks: exact' \
	'... is said to be exact'
is "$(kept --between=mark:b,mark:c), $(kept --between=mark:c,mark:d)" \
	'0 bytes in 0 blocks, 2000 bytes in 20 blocks' 'of others'
like "$(see --between=mark:a,mark:b -L --focus=make)" \
	' 1020 \(42\) +15 +1200 \(50\) +3 +180 .* > make' 'all of the path'
by()
{
	see --between=mark:a,mark:b --focus=make --group-by="$1" \
		--columns="$1,allocs,kept" |
		sed '1,/TOTAL/d' | sed 's/  */ /g; s/^ //; /^$/d' | sort
}
is "$(by size | tr '\n' ,)" '100 20 1800,40 10 240,' 'by size'
is "$(by thread | tr '\n' ,)" 'helper 15 1020,spans-mm (main) 15 1020,' 'by thread'

# Exactly that time, not that of the last snapshot before it.
is "$(see --at=mark:c -L --focus=make | sed -n 's/^Total bytes not freed: //p')" \
	3240 'at a mark'
like "$(see --at=mark:c)" 'from the log of blocks: exact' '... is said'
like "$(see --log=addresses --at=mark:c --focus=make)" \
	'Live [0-9.]+ s after the start: 3240 bytes in 36 blocks' \
	'where they stand then'
like "$(see --log=addresses --at=mark:a --focus=make)" ': 2000 bytes in 20 blocks' \
	'and earlier'
like "$(MPREDUCE=$MEMMON_BUILD/asan/mpreduce see --log=addresses --at=start)" \
	': 0 bytes in 0 blocks' 'at the start'

# Single blocks equal those of the tables: allocated in a span, or live at a
# time.
alone()
{
	see "$@" --focus=make --sql="select count(*) || ' of ' || sum(size)
		from blocks where died is null" | tail -n 1 | tr -d ' '
}
is "$(alone --between=mark:a,mark:b), $(alone --at=mark:c)" \
	'24of2040, 36of3240' 'single blocks: by SQL'
is "$(see --log=blocks --between=mark:a,mark:b --focus=make --top=99 |
	grep -c '^ *0x')" 30 '... of a span'
is "$(see --log=blocks --at=mark:c --focus=make --top=99 |
	grep '^ *0x' | grep -c '[0-9] *- .*>|')" 36 '... at a time'
is "$(see --log=quantiles --between=mark:a,mark:b --focus=make |
	awk '$1 == "size" { print $2, $3, $NF; exit }')" '30 40 100' '... and their sizes'

# Without the log the tables have only bounds; the true value is between them.
mv mon.out.log log
is "$(kept --between=mark:a,mark:b)" 'at least 1240 bytes in 16 blocks' \
	'without a log: at least'
like "$(see --between=mark:a,mark:b)" \
	'at most 2240 bytes in 26: which blocks' '... and at most'
is "$(see --between=mark:a,mark:b | grep -c 'from the log')" 0 \
	'... and no word of a log'

# mpreduce doesn't use a log that is incomplete.
head -c 4200 log >mon.out.log
is "$(kept --between=mark:a,mark:b)" 'at least 1240 bytes in 16 blocks' \
	'a log that is cut'
mv log mon.out.log

# Samples are not a log of all.
rm -f mon.out*
MEMMON_SAMPLE=200 MEMMON_LOG=1 "$PROG/spans-mm"
is "$(see --between=mark:a,mark:b | grep -c 'from the log of blocks')" 0 \
	'of samples nothing is said to be exact'

# Both ends of phases, with and without.
run phases
for span in load,work work,big big,drop drop,tail; do
	s=mark:${span%,*},mark:${span#*,}
	see --between=$s -L --lifetimes | grep -v 'from the log' >with-$span
	mv mon.out.log log
	see --between=$s -L --lifetimes >without
	mv log mon.out.log
	is "$(diff "with-$span" without)" '' "phases: $span, as by its counts"
done
is "$(kept --between=0,end)" '10384 bytes in 11 blocks' 'all of it'
for at in load work big drop tail; do
	see --at=mark:$at -L | sed -n 's/^Total bytes not freed: //p'
done >then
is "$(echo $(cat then))" '100000 100640 100640 640 10384' 'live at marks'
like "$(see --log=addresses)" 'Live at the peak: 1100640 bytes in 111 blocks' \
	'the peak itself'
like "$(see --log=addresses --at=peak)" 'Live at the peak: 1100640 bytes in 111' \
	'... when it is asked for'
is "$(see --log=blocks --top=1 | grep -c '^ *0x.* 1000000 ')" 1 'the largest, of --log=blocks'
like "$(see --log=quantiles)" \
	'size +166 +64 +64 +400 +400 +1000 +1000 +1000 +2000 +1000000' \
	'quantiles of sizes'

# Where each block was accessed, by one thread or several, its type, and how
# many objects it has.
cat >where.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct item { int v[8]; };
static char *p;
static void *work(void *x) { p[70] = 1; return x; }
static struct item *items(int n) { struct item *a = malloc(n * sizeof *a); return a; }
int main(void)
{
	pthread_t t;
	struct item *a = items(3);

	p = malloc(100);
	p[40] = 1;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	a[1].v[0] = 2;
	free(p);
	free(a);
	return 0;
}
END
"$MEMMON_BUILD/memmon-cc" -g -pthread where.c -o where 2>err &&
	MEMMON_LOG=1M MEMMON_OUT=where.mon ./where
"$MPREDUCE" -b --sql="select size, low, high, shared, type, count from blocks
	where function in ('main', 'items') order by size" ./where where.mon |
	awk 'NF && $1 != "size" { $1 = $1; print }' >got
is "$(sed 's/struct //; s/ char 100$/ - -/' got)" "96 32 48 0 item 3
100 32 80 1 - -" 'blocks: bytes accessed, by whom, types, objects'
like "$("$MPREDUCE" -b --log=blocks ./where where.mon)" ' 32-79\* .* 32-47 |\
 32-47 .* 32-79\* ' '... in the view of blocks'

# At an earlier time, the counts of a block are known if it has no later access.
cat >later.c <<'END'
#include <stdlib.h>
#include <unistd.h>
#include "memmon.h"
static volatile char *before, *after;
int main(void)
{
	before = malloc(100);
	after = malloc(200);
	*before = *after = 1;
	usleep(100000);
	memmon_mark("now");
	usleep(100000);
	after[1] = 1;
	free((void *)before);
	free((void *)after);
	return 0;
}
END
"$MEMMON_BUILD/memmon-cc" -g -I"$MEMMON_SRC/monitor" later.c -o later 2>err &&
	MEMMON_LOG=1M MEMMON_OUT=later.mon ./later
counts="select size, writes, last_access is null, low from blocks where size < 300"
is "$("$MPREDUCE" --sql="$counts" --export=csv ./later later.mon |
	tr '\r\n' ' ;')" 'size,writes,last_access is null,low ;100,1,0,0 ;200,2,0,0 ;' \
	'accesses of blocks, of the whole run'
is "$("$MPREDUCE" --at=mark:now --sql="$counts" --export=csv ./later later.mon |
	tr '\r\n' ' ;')" 'size,writes,last_access is null,low ;100,1,0,0 ;200,,1, ;' \
	'... at an earlier time'
like "$("$MPREDUCE" -b --at=mark:now --log=blocks ./later later.mon)" \
	' 200 .* - +- +- +- +- +\|' '... in the view of blocks'

# How many objects a block has isn't known if it isn't a multiple of the type, or
# if the type ends in an array without a length.
cat >objects.c <<'END'
#include <stdlib.h>
struct open { int n; int v[]; };
struct pair { int a, b; };
struct open *o;
struct pair *p;
static void get(size_t n) { p = malloc(n); }
int main(void)
{
	o = malloc(sizeof *o + 10 * sizeof(int));
	get(3 * sizeof *p);
	get(3 * sizeof *p + 4);
	return 0;
}
END
"$CC" -g objects.c -o objects && "$MEMMON" -q --log -o objects.mon ./objects
is "$("$MPREDUCE" --sql='select size, type, count from blocks' --export=csv \
	./objects objects.mon | tail -n +2 | tr -d '\r' | paste -sd' ')" \
	'44,struct open, 24,struct pair,3 28,struct pair,' 'objects of a block'

# Memory byte by byte, in which neighbours have different signs.
cat >beside.c <<'END'
#include <stdlib.h>
static void *kept[40];
int main(void)
{
	for (int i = 0; i < 40; i++)
		kept[i] = malloc(120);
	free(kept[3]);
	return 0;
}
END
"$CC" -g beside.c -o beside && "$MEMMON" -q --log -o beside.mon ./beside
"$MPREDUCE" -b --log=addresses:16 ./beside beside.mon | sed '1,/at the end/d' >got
like "$(sed -n 's/^[^|]*|\([^|]*\)|.*/\1/p' got | tr -d '\n')" \
	'#######5=======5#######5 {8}=======5#######5=======5' \
	'addresses: a sign for 16 bytes, neighbours differ, a gap' || diag "$(cat got)"
like "$(cat got)" 'Each row is 256 bytes' '... whose size is said'
# A small disk: the log goes on in the space that it has, or doesn't begin, and
# the data file is whole.
on_disk()
{
	mkdir -p disk
	unshare -m sh -c "mount -t tmpfs -o size=$1 tmpfs disk && cd disk &&
		MEMMON_LOG=1G '$MEMMON' '$PROG/logged' churn 400000 &&
		cp mon.out ../small.mon && { cp mon.out.log ../small.mon.log ||
		true; }" 2>err
}
if unshare -m mount -t tmpfs -o size=1m tmpfs . 2>/dev/null; then
	rm -f mon.out*
	on_disk 24m
	is "$? $("$MPREDUCE" -i small.mon | awk '$1 == "killed"')" '0 ' \
		'a disk of 24 MiB: the data file is whole'
	"$MPREDUCE" -b --log=blocks "$PROG/logged" small.mon >said 2>err
	like "$(cat said)" \
		"could not be written: No space left on device" '... is said'
	is "$(awk '/^The log has/ { n = $4 } / more are only/ { n += $1 }
		END { print n }' said)" 1600004 '... with how many are missing'
	rm small.mon.log
	on_disk 8m
	like "$? $("$MPREDUCE" -b --log=blocks "$PROG/logged" small.mon 2>&1)" \
		"^0 .*no log of blocks: the log could not be written: No space left" \
		'one of 8 MiB: there is none'
else
	skip 4 'no file systems can be mounted here'
fi
done_testing
