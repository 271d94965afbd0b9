#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The log of blocks: every record is true, together they equal the counts,
# however the process ends, and the log is never too large.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/raw.sh"
DUMP=$MEMMON_BUILD/tests/logdump

# blocks FILE: lines as logged prints them, of the functions make and resize.
blocks()
{
	"$DUMP" "$1" | awk '$8 == "make" || $8 == "resize" {
		print $1, $2, $5, $6, $7, $8 }' | sort
}

# sums FILE: the line of sums, and the folded and missed blocks.
sums()
{
	"$DUMP" -b "$1" | awk '$1 == "log" { f = $3; m = $5; d = $6 }
		$1 == "sum" { print $2, $3, $4, $5, "wrong", $6, "folded", f,
			"missed", m, "damaged", d }'
}

# whole FILE: do the sums of the log equal the counts?
whole()
{
	sums "$1" | awk '$1 == $3 && $2 == $4 && $6 == 0 && $8 == 0 &&
		$10 == 0 && $12 == 0 { print "all" }'
}

# no switch, no log
"$MEMMON" "$PROG/logged" >said
ok $? 'without a log'
is "$(echo mon.out*)" mon.out 'there is no file'
is "$(raw mon.out R_LOG_DUMP)" 0 '... nor a word of it'

for mode in '' _exit exec fork dump; do
	rm -f mon.out*
	"$MEMMON" --log "$PROG/logged" $mode >said 2>err
	ok $? "logged $mode: it ends"
	sort -o said said
	f=$(echo mon.out*.log)
	[ "$mode" != fork ] || f=mon.out.log
	[ "$mode" != exec ] || f=$(echo mon.out.*.logged.log)
	ok "$([ -s "$f" ]; echo $?)" "... and there is a log"
	blocks "${f%.log}" >logged
	is "$(diff said logged | head -n 5)" '' '... of what it did'
	is "$(whole "${f%.log}")" all '... and all that was counted'
done

# dump: the log has exactly the blocks counted until then, although the log goes
# on.
rm -f mon.out*
MEMMON_OUT=one "$MEMMON" --log "$PROG/logged" dump >said
cp one.log keep
MEMMON_OUT=one "$MEMMON" --log "$PROG/logged-mm" dump >said
is "$(whole one)" all 'the end after a dump'
ok "$(cmp -s keep one.log; [ $? = 1 ]; echo $?)" 'an older log is replaced'

# fork: the child has its own log.
rm -f mon.out* one*
"$MEMMON" --log "$PROG/logged" fork >said
f=$(echo mon.out.*.log)
is "$(blocks "${f%.log}" | awk '{ print $2, $4 }' | sort | tr '\n' ' ')" \
	'77 (main) 78 - ' "a child's blocks"
is "$(whole "${f%.log}")" all "... are all that it has"

# reset: the log has no block from before.
rm -f mon.out*
"$MEMMON" --log "$PROG/logged" reset >said
is "$(whole mon.out)" all 'after a reset'
is "$(blocks mon.out | grep -c ' make$')" 0 '... and nothing from before'

# Threads, more blocks than a buffer holds.
rm -f mon.out*
"$MEMMON" --log "$PROG/logged" churn 30000
is "$(whole mon.out)" all '120,000 blocks of four threads'
is "$("$DUMP" mon.out | awk '$8 == "make" && $3 > $4 { bad++ }
	$8 == "make" { n++ } END { print n, bad + 0 }')" '120000 0' \
	'... die after they are born'
size=$(stat -c %s mon.out.log)
ok "$([ "$size" -lt 2000000 ]; echo $?)" \
	"... take little room ($size bytes)"

# The cap: the log drops old blocks, and says so.
rm -f mon.out*
MEMMON_LOG=1M "$MEMMON" "$PROG/logged" churn 200000
size=$(stat -c %s mon.out.log)
ok "$([ "$size" -le 1048576 ]; echo $?)" "a log of 1M has $size bytes"
"$DUMP" mon.out >dump
is "$(awk '$1 == "log" { b = $2; f = $3 } $1 == "sum" { print b + f - $4,
	(f > 0), b - $2 }' dump)" '0 1 0' '... with those folded it has all'
from=$(awk '$1 == "log" { print $4 }' dump)
is "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1 |
	grep -c 'more are only in the counts')" 1 '... which the tables say'

# The log has all blocks that died since then.  Another run would differ, so
# this checks the times of death in the log itself.
is "$(awk -v from="$from" '/^0x/ && $4 != "-" && $4 < from { n++ }
	END { print (n < 20000) }' dump)" 1 '... and few are older than it says'

# A limit of the file's size, and no SIGXFSZ.
rm -f mon.out*
(ulimit -f 2000; exec "$MEMMON" --log "$PROG/logged" churn 200000)
is $? 0 'under ulimit -f: the program ends as ever'
is "$(sums mon.out | awk '{ print $1 + $8 - $3, ($8 > 0) }')" '0 1' \
	'... and says how many blocks are missing'

# kill -9: the file has what was written, and the tables report that the rest is
# missing.
rm -f mon.out*
{ "$MEMMON" --log "$PROG/logged" kill >said; } 2>/dev/null
is $? 137 'killed'
like "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1)" \
	'blocks that were live when the program was killed' '... is said'
cat >many.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 5000; i++) {
		char *volatile p = malloc(i % 100);
		free(p);
	}
	kill(getpid(), SIGKILL);
	return 0;
}
C
"$CC" -g -o many many.c
rm -f mon.out*
{ "$MEMMON" --log ./many; } 2>/dev/null
is "$("$DUMP" mon.out | awk '$1 == "log" { print ($2 >= 4000 && $2 <= 5010),
	$7 }')" '1 0' '... chunks that were written can be read'

# Accesses, by code that counts them: exact numbers, and times within the life.
cat >counted.c <<'C'
#include <stdlib.h>
#include "tests/access/ticks.h"
static long use(int n, int reads, int writes)
{
	volatile long *p = malloc(n * sizeof(*p));
	long sum = 0;

	tick();
	for (int i = 0; i < writes; i++)
		p[i % n] = i;
	tick();
	for (int i = 0; i < reads; i++)
		sum += p[i % n];
	tick();
	free((void *)p);
	return sum;
}
int main(void)
{
	volatile long *kept = malloc(80);

	use(2, 0, 3);
	use(8, 5, 8);
	use(100, 1000, 300);
	void *volatile idle = malloc(33);
	kept[0] = 1;
	kept = realloc((void *)kept, 800);
	kept[50] = 2;
	return kept[0] + kept[50] == 3 ? 0 : 1;
}
C
$CC -O1 -I"$MEMMON_SRC" -c "$MEMMON_SRC/tests/access/ticks.c" -o ticks.o
if "$MEMMON_BUILD/memmon-cc" -g -w -O1 -I"$MEMMON_SRC" counted.c ticks.o \
	-o counted 2>err; then
	rm -f mon.out*
	LD_LIBRARY_PATH=$MEMMON_BUILD MEMMON_LOG=1 MEMMON_TIMING=1 ./counted
	is $? 0 'a program that counts its accesses'
	"$DUMP" mon.out >dump
	is "$(whole mon.out)" all '... has all of its blocks logged'
	is "$(awk '$8 == "use" || $8 == "main" { print $2, $7, $9, $10 }' dump |
		sort | tr '\n' ',')" \
		'16 u. 0 3,33 u. 0 0,64 u. 5 8,80 r. 0 0,800 u. 1000 300,800 u. 2 2,' \
		'... with what was read and written; realloc hands it on'
	is "$(awk '$8 == "use" { n++
		if ($11 < $3 + 39e6 || $12 > $4 - 39e6 || $12 < $11) bad++ }
		END { print n, bad + 0 }' dump)" '3 0' \
		'... and when, first and last'
	like "$("$MPREDUCE" -b --log=blocks:use counted mon.out 2>&1)" \
		'reads    writes' 'the table has columns for it'
else
	ok 1 'memmon-cc' || diag "$(cat err)"
fi

# A log that is damaged, truncated, another process's, or missing.
rm -f mon.out*
"$MEMMON" --log "$PROG/logged" churn 20000
cp mon.out.log good
is "$(whole mon.out)" all 'a good log'
size=$(stat -c %s good)
head -c $((size / 2)) good >mon.out.log
is "$(sums mon.out | awk '{ print ($1 < $3), $1 + $12 - $3 }')" '1 0' \
	'cut in half: what is left, and how many are missing'
cp good mon.out.log
printf 'xxxx' | dd of=mon.out.log bs=1 seek=9000 conv=notrunc 2>/dev/null
is "$(sums mon.out | awk '{ print ($1 < $3), $1 + $12 - $3, ($12 < 5000) }')" \
	'1 0 1' 'four bytes damaged: one chunk is missing'
head -c 30 good >mon.out.log
like "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1)" 'no log of blocks' \
	'of 30 bytes nothing is left'
rm -f mon.out.log
like "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1)" \
	"the log is missing" 'not there'
mkdir other
(cd other && "$MEMMON" --log "$PROG/logged" >said)
cp other/mon.out.log mon.out.log
like "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1)" \
	'is of another run' "another run's"
rm -f mon.out*
"$MEMMON" "$PROG/logged" >said
like "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1)" \
	'run the program with memmon --log' 'never made: what to do'

# The log's name follows the data file's, also if both are moved.
rm -f mon.out*
"$MEMMON" --log -o a.mon "$PROG/logged" >said
mkdir moved && mv a.mon a.mon.log moved/
is "$(whole moved/a.mon)" all 'both moved elsewhere'
is "$("$MPREDUCE" --file-info=list moved 2>&1 | grep -c a.mon)" 1 \
	'in a directory the log is no data file'

# Another file has the log's name, or no log can be written.
rm -f mon.out*
mkdir mon.out.log
"$MEMMON" --log "$PROG/logged" >said
is "$? $(whole mon.out)" '0 all' 'a directory has its name: it has another'
rm -rf mon.out*
MEMMON_IMAGE=0 MEMMON_LOG=1 LD_PRELOAD=$MEMMON_BUILD/fault/libmemmon-fault.so \
	MEMMON_FAULT=pwrite64:1+:EIO "$PROG/logged" >said
like "$("$MPREDUCE" -b --log=blocks "$PROG/logged" mon.out 2>&1)" \
	"could not be written: " '... and that is said'
for arg in 12 0 1x -1 1MM ''; do
	"$MEMMON" --log="$arg" true 2>err
	is "$? $(grep -c 'takes a size of 1M or more' err)" '125 1' "--log=$arg"
done

# A snapshot by a signal while the thread writes a full buffer doesn't wait for
# the interrupted thread: the program ends.
cat >signals.c <<'C'
#include <stdlib.h>
int main(void)
{
	for (int i = 0; i < 2000000; i++)
		free(malloc((size_t)i % 100));
	return 0;
}
C
"$CC" -O0 -o signals signals.c
rm -f signals.mon*
timeout "$HANG" "$MEMMON" -q --signal=USR1 --log=1M --keep=2 -o signals.mon ./signals &
pid=$!
until [ -e signals.mon ]; do sleep .02; done
child=$(processes signals "$pid")
while kill -USR1 "$child" 2>/dev/null; do sleep .02; done
wait "$pid"
is "$?" 0 'fifty snapshots a second with a log: the program ends'
rm -f signals.mon*
done_testing
