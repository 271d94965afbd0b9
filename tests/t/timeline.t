#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The heap over time, other times than the end, and massif's format: for a
# program whose phases are known (tests/prog/phases.c), and for files without
# times.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce="$MEMMON_BUILD/mpreduce"
prog="$MEMMON_BUILD/tests/prog/phases-mm"

"$prog" || echo "Bail out! phases"

# of OPTIONS...: mpreduce's output, without stderr
of()
{
	"$mpreduce" -b "$prog" mon.out "$@" 2>/dev/null
}

# kept OPTIONS...: bytes kept in all, by the prolog
kept()
{
	of "$@" | sed -n 's/^\(live at exit\|live then\|kept\) *\([0-9]*\) bytes.*/\2/p'
}

# The plot and its table.
of --timeline >plot
is "$(grep -c '^.\{7\} |' plot)" 25 "twenty rows, and five of RSS, which is much more"
is "$(grep '^.\{7\} |' plot | head -n 20 | grep -c =)" 0 "... on a scale of its own"
is "$(awk 'length > 80' plot)" "" "of 80 columns"
is "$(grep -c 'P' <(grep '^.\{7\} |' plot))" 1 "one mark of the peak"
like "$(cat plot)" " P the peak: 1100640 bytes, " "how much it was"
is "$(sed -n 's/^ \([a-h]\) *\([0-9]*\)   \(.*> [a-z]*\).*/\1 \2 \3/p' plot)" \
	"a 1000000 || > main > big
b 100000 || > main > load
c 640 || > main > cache" "who held most"
awk '/when$/ { on = 1; next } on && NF { live = $2; sub(/.*\|/, "");
	print live, $0 }' plot >table
sed 's/  */ /g' table >rows
is "$(cat rows)" "100000 ** mark 1: load
100640 99 . mark 2: work
1100640 90 9 . the peak
100640 99 . mark 3: big
640 ** mark 4: drop
10384 96 3 mark 5: tail
10384 96 3 the end" "shares at marks, peak and end"
is "$(of --timeline -w 40 | grep '^.\{7\} |' | awk 'length > 40')" "" \
	"a narrow plot"
like "$(of --timeline=thread)" "a +1100640   phases-mm \(main\)" "by thread"
like "$(of --timeline=type)" "most bytes   type" "by type"
like "$(of --timeline='match:nothing,ma*')" ' a +[0-9]+   ma\*' "by the reader's globs"
like "$("$mpreduce" -b --timeline=mat x 2>&1)" 'the values are' "... and by no other word"
"$mpreduce" --timeline "$prog" mon.out | sed -n '/^The memory that/,$p' >legend
is "$(awk 'length > 80' legend)" "" "the legend's width"
like "$(cat legend)" "a b c" "there is one"
is "$(of --timeline)" "$(cat plot)" "the same again"

# At other times.
is "$(kept --at=mark:load) $(kept --at=mark:work) $(kept --at=mark:big) $(
	kept --at=mark:drop) $(kept --at=mark:tail)" \
	"100000 100640 100640 640 10384" "live at marks"
is "$(kept --at=start) $(kept --at=peak) $(kept --at=end) $(kept --at=100%)" \
	"0 1100640 10384 10384" "at the start, peak and end"
like "$(of --at=mark:work)" "allocations   160.*frees +50" "allocations then"
like "$(of --at=mark:work -L)" "^[^
]*
at mark work, 0\.[0-9]+ s
" "which time it is"
for table in "" -L -B --threads --peak --lifetimes --prolog=marks -q -p -T; do
	of $table >whole
	of $table --at=end | sed '/^at the end, /d' >end
	cat -s whole | sed '/./,$!d' >a
	cat -s end | sed '/./,$!d' >b
	cmp -s a b || echo "$table"
done >differ
is "$(cat differ)" "" "--at=end is what there is without"
of --peak -b | sed -n '/TOTAL/,$p' >a
of --peak -b --at=peak | sed -n '/TOTAL/,$p' >b
is_file b a "--peak is the same at the peak"
of -L --at=peak | awk '/main/ { print $1, $NF == "~char" ? $(NF - 1) : $NF }' >got
is "$(cat got)" "1000000 big
100000 load" "and so is what is live then"
like "$(of --at=mark:drop --lifetimes)" \
	"is not known: it is known only for the end of the run" \
	"what isn't known of another time"
like "$(of --at=mark:drop)" "threads +-.*reallocs +-" "nor are these"
like "$(of --at=mark:big --peak)" "1000000 +1   .*big" "the peak, if it was before"
like "$(of --at=mark:work --peak)" "not known" "but not one that was later"
like "$(of --at=0.0001ms -L)" "nothing was allocated then" "before all"
of --at=mark:work --focus=load >got
like "$(cat got)" "keeps 100000 of 120640 bytes .*live then +100000 bytes in 100" \
	"filters are of that time"
of --at=mark:drop --prolog=marks | awk '$NF == "(then)" { print $2, $3 }' >got
is "$(cat got)" "640 10" "marks up to then"

# Between times.
is "$(kept --between=0,end) $(kept --between=mark:load,mark:work) $(
	kept --between=mark:drop,end)" "10384 384 10000" "what is left of a span"
of >a
of --between=0,end | sed '/^allocated between/,/^kept:/d' | grep -v '^$' >b
is "$(cat b)" "$(grep -v '^$' a)" "the span from start to end is the whole"
like "$(of --between=mark:load,mark:work)" \
	"allocations   60.*bytes         20640" "what it allocated"
like "$(of --between=mark:load,mark:work)" \
	"kept: 384 bytes in 6 blocks of it are live at the run's end" \
	"for sure, as all others of the kind are gone"
like "$(of --between=mark:drop,end --units=human)" \
	"kept: 9\.77K bytes in" "... with units, as all other bytes"
like "$(of --between=mark:load,mark:work --peak)" "not known" "no peak of it"

# Questions that the file can't answer, and the advice in the message.
# says OPTION TEXT
says()
{
	like "$("$mpreduce" -b -L "$1" "$prog" ${3:-mon.out} 2>&1 >out)" "$2" "$1"
	is "$(cat out)" "" "  and nothing else"
}
says --at=mark:none "the marks are: load, work, big, drop, tail"
says --at=mark:load#2 "this name has 1 mark$"
says --at=1h "the run lasted 0\.[0-9]+ s; give an earlier time"
says --at=1x "not a time; give 3s"
says --between=end,start "the second time is before the first"
says --at=50% "several runs have no common time; give one" \
	"mon.out mon.out"
like "$("$mpreduce" -b --timeline "$prog" mon.out mon.out)" \
	"The timeline is unknown: several runs have no common time" "several, a plot"
"$mpreduce" -s mon.out mon.out
says --at=50% "a sum has no times" mon.sum
MEMMON_TIMELINE=0 MEMMON_OUT=none.mon "$prog"
says --at=50% "the data file has no times.*run the program again" none.mon
like "$("$mpreduce" -b --at=peak "$prog" none.mon)" \
	"live then +1100640 bytes" "the peak is known without times"
like "$("$mpreduce" -b --timeline "$prog" none.mon)" "The timeline is unknown: the data" \
	"no times, a plot"

# massif.out.
of --export=massif -o massif.out
awk -F= '/^mem_heap_B/ { if ($2 > most) most = $2; last = $2 }
	END { print most, last }' massif.out >got
is "$(cat got)" "1100640 10384" "massif: the peak and the end"
is "$(grep -c heap_tree=peak massif.out)" 1 "one is the peak"
if command -v ms_print >/dev/null; then
	ms_print massif.out >printed 2>err
	ok $? "ms_print reads it" || diag "$(head -5 err)"
	like "$(cat printed)" "90.86% \(1,000,000B\) 0x[0-9A-F]+: big \(phases\.c:[0-9]+\)
\| ->90\.86% \(1,000,000B\) 0x[0-9A-F]+: main" "who held the peak, and its caller"
	like "$(tail -n 8 printed)" "96\.30% \(10,000B\) .*load \(phases" \
		"and the end"
else
	skip 3 "no ms_print (valgrind)"
fi
"$mpreduce" -b --export=massif "$prog" none.mon -o none.massif 2>err
like "$(cat err)" "has no times" "massif: without times"
is "$(ls none.massif* 2>/dev/null)" "" "leaves no file"

# Threads of one name, which count as one, allocate the same at one site.
cat >same.c <<'E'
#include <pthread.h>
#include <stdlib.h>
static void *
work(void *arg)
{
	for (int i = 0; i < 10; i++)
		arg = malloc(1000);
	return arg;
}
int
main(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, work, NULL);
		pthread_join(t, NULL);
	}
	return 0;
}
E
$CC -g -pthread same.c -o same 2>cc.err
MEMMON_OUT=same.mon "$MEMMON_BUILD/memmon" ./same
"$mpreduce" -b --timeline=thread ./same same.mon >same.out 2>&1
like "$(cat same.out)" " 30000 +same
" "threads of one name: their sum over time"

# JSON: the rows add up to the totals at each snapshot.
if command -v python3 >/dev/null; then
	"$mpreduce" --json --timeline "$prog" mon.out >json 2>/dev/null
	python3 - >got 2>&1 <<'EOF1'
import json
d = json.load(open("json"))
t = d["timeline"]
for m in range(len(t["at_ns"])):
    for by in "sites", "threads":
        sum = [0] * 4
        for row in t[by]:
            now = [0] * 4
            for c in row:
                if c[0] <= m:
                    now = c[1:]
            sum = [a + b for a, b in zip(sum, now)]
        if sum != t["total"][m]:
            print("snapshot", m, by, sum, t["total"][m])
print(t["total"][-1], [m["live"] for m in t["marks"]])
EOF1
	is "$(cat got)" \
		"[166, 1130640, 155, 1120256] [100000, 100640, 100640, 640, 10384]" \
		"JSON: rows are the totals, at every snapshot"
else
	skip 1 "no python3"
fi

# Growth from one time to another.  grown A,B: bytes and blocks by path
grown()
{
	of --growth="$1" |
		sed -n 's/^ *\(-*[0-9]*\) *\(-*[0-9]*\) .*   \([|<]\)/\1 \2 \3/p' |
		sed 's/|| > main > //' | tr '\n' ';'
}
is "$(grown start,end)" "10384 11 <TOTAL>;10000 5 load;384 6 cache;" \
	"--growth: since the start all that is live"
is "$(grown mark:load,mark:work)" "640 10 <TOTAL>;640 10 cache;" \
	"... between two marks"
is "$(grown mark:load,end)" \
	"-89616 -89 <TOTAL>;384 6 cache;-90000 -95 load;" "... or less"
of --growth=start,end --top=1 >out
is "$(grep -cE '\|\| > main > load' out) $(grep -cE ' 384 .*\(1 other\)$' out)" "1 1" \
	"... only the first, with --top"
# A snapshot is before the peak's end, when one block less was live.
like "$(of --growth=mark:load,peak)" \
	"to the peak, [0-9.]* s \(as of [0-9.]* s, the last known snapshot before" \
	"... the peak, if it isn't one of the snapshots, says so"
like "$("$mpreduce" --growth=end,mark:load "$prog" mon.out 2>&1)" \
	'^mpreduce: --growth=end,mark:load: the first time isn.t before the second; give the earlier time first$' \
	"the first comes first"
like "$("$mpreduce" --growth=1ns,2ns "$prog" mon.out 2>&1)" \
	'^mpreduce: --growth=1ns,2ns: no snapshot lies between these times; the nearest are at 0 s and [0-9.]* s$' \
	"... and where the snapshots are, if there is none between the times"
like "$("$mpreduce" --growth=end "$prog" mon.out 2>&1)" \
	'^mpreduce: --growth=end: not two times' "... of two"

# The peak of each call path: big()'s is the program's peak; those of load() and
# cache() came before it.
of --sql="SELECT function || ' ' || own_peak || ' ' || ifnull((SELECT name
	FROM marks m WHERE m.time >= own_peak_at ORDER BY m.time), '-') AS own
	FROM sites WHERE allocs ORDER BY own_peak DESC" | grep ' [0-9]' |
	sed 's/^ *//' >own
is "$(paste -sd, own)" "big 1000000 big,load 100000 load,cache 640 work,work 0 -" \
	"the peaks of call paths, and the next marks"
of --sql='SELECT own_peak, own_peak_at FROM sites' --export=csv | tail -n +2 >own
is "$(of --json | grep -o '"own_peak":.*,"own_peak_at":[0-9nul]*' |
	sed 's/"[a-z_]*"://g; s/null//g' | cmp - <(tr -d '\r' <own) && wc -l <own)" \
	"$(wc -l <own)" "... the same in JSON"
is "$(of --json | grep -c '"timeline"')" 0 "... without all snapshots"

# Nothing happens for nearly all of the run: the graph shows the live bytes of
# that time, also if nothing happens until the end.
cat >quiet.c <<'C'
#include <stdlib.h>
#include "tests/clock_pass.h"
static char *volatile p;
int main(int argc, char **argv)
{
	clock_pass(0);
	free(malloc(10));
	p = malloc(16000000);
	clock_pass(4000000000);
	if (argc == 1)
		free(p);
	return 0;
}
C
"$CC" -g -O0 -I"$MEMMON_SRC" -o quiet quiet.c
for end in "" stays; do
	# shellcheck disable=SC2086
	"$MEMMON_BUILD/memmon" -q -o quiet.mon ./quiet $end
	full=$("$mpreduce" -b --timeline ./quiet quiet.mon | grep -m 1 '| *[aP]*$' |
		sed 's/.*| *//')
	[ ${#full} -gt 60 ]
	ok $? "a quiet span is as what was live then ${end:+to the end }(${#full} of 71)"
done
done_testing
