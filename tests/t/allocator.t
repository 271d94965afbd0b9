#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon --allocator with allocators whose costs are known, by their own account
# (tests/prog/libprobe.c) or as the program has made them
# (tests/prog/operations.c).  For times the test asks only for the least value.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# Classes of operation, monitor/monout.h.
MALLOC=0 CALLOC=1 REALLOC=2 FREE=4
BIG=8 REUSED=16 SAME=32 PARALLEL=64 FIRST=128

# probe NAME FLAG...
probe()
{
	"$CC" -std=gnu11 -O1 -g -D_GNU_SOURCE -I"$MEMMON_SRC" -fPIC -shared \
		"${@:2}" -o "$1.so" "$MEMMON_SRC/tests/prog/libprobe.c" -pthread
}
probe runs && probe bump -DBUMP && probe own -DOWN && probe sleep -DSLEEP &&
	probe give -DGIVE -fno-plt && probe hold -DHOLD -Wl,-z,now &&
	probe ask -DASK
ok $? 'the allocators are built'

# run WHAT ALLOCATOR [VARIABLE=VALUE...]: `rows' gets the rows of COSTS, read by
# the format alone: NAME OF AT N SUM MOST; `account' gets the allocator's own
# account.
run()
{
	name="$1, $2"
	local library=
	[ -f "$2.so" ] && library=$T/$2.so
	rm -f mon.out
	env MEMMON_ALLOCATOR=1 MEMMON_ALLOCATOR_PROBE=threshold=4097 "${@:3}" ${library:+LD_PRELOAD="$library"} timeout "$HANG" \
		"$MEMMON" "$PROG/operations" "$1" >account
	ok $? "$name: runs as it is" || diag "$(cat account)"
	"$MEMMON_BUILD/tests/rawdump" mon.out | sed -n 's/^cost //p' >rows
}

# row NAME [OF [AT]]: n of such rows, all together.  sum, most: the like.
row()
{
	awk -v name="$1" -v of="${2:-}" -v at="${3:-}" '$1 == name &&
		(of == "" || $2 == of) && (at == "" || $3 == at) { n += $4 }
		END { print n + 0 }' rows
}
sum()
{
	awk -v name="$1" -v of="${2:-}" -v at="${3:-}" '$1 == name &&
		(of == "" || $2 == of) && (at == "" || $3 == at) { n += $5 }
		END { print n + 0 }' rows
}
most()
{
	awk -v name="$1" -v of="${2:-}" '$1 == name && (of == "" || $2 == of) &&
		$6 > n { n = $6 } END { print n + 0 }' rows
}
# said NAME: its value in the account.
said()
{
	awk -v name="$1" '$1 == name { print $2 }' account
}
# at_least A B: as numbers.
at_least()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'
}

dispatched()
{
	awk '$1 == "watched" && $3 == 1 { ok = 1 } END { exit !ok }' rows
}

# one_or_more: merges the classes of one thread and of several together.  When
# the second thread comes, the first thread's current operation may count as
# either.
one_or_more()
{
	awk '$1 !~ /^class/ && int($2 / 64) % 2 { $2 -= 64 }
		{ x = $1 " " $2; n[x] += $3; bytes[x] += $4; of[x] = NF
		  if ($5 > most[x]) most[x] = $5 }
		END { for (x in n) { rest = " " bytes[x] " " most[x]
			print x, n[x] (of[x] < 4 ? "" : rest) } }'
}

# same LINES: the lines of the account equal those of the rows.  The account has
# no class above 4096 bytes; the rows' largest class has the largest number as
# its limit.
same()
{
	local kinds="^($1) "
	grep -E "$kinds" account | one_or_more | sort >want
	awk '
		$1 ~ /^class/ && $3 > 4096 { next }
		$1 ~ /^class/ { $2 = $3 }
		$1 == "lock" { n[$2] += $4; next }
		$1 == "calls" || $1 == "class" { print $1, $2, $4, $5, $6; next }
		/^class-/ { print $1, $2, $4; next }
		$3 == 0 { k[$1 " " $2] = $4 }
		$3 == 1 { bytes[$1 " " $2] = $5 " " $6 }
		END {
			for (x in n)
				print "lock", x, n[x]
			for (x in k)
				print x, k[x], x in bytes ? bytes[x] : "0 0"
		}' rows | grep -E "$kinds" | one_or_more | sort >got
	is_file got want "$name: $2"
}

# Each class has been timed as often as it was called, and its histogram counts
# the same operations.  An operation that took less time than the clock itself
# counts as 0 in the histogram, and as less in the sum, so that the mean is
# right.
times()
{
	awk '
		function low(b)
		{
			return b < 8 ? b : (8 + b % 8) * 2 ^ (int(b / 8) - 1)
		}
		$1 == "calls" { calls[$2] = $4 }
		$1 == "time" { n[$2] = $4; all[$2] = $5; most[$2] = $6 }
		$1 == "cycles" { bins[$2] += $4; least[$2] += $4 * low($3)
			less[$2] += $4 * low($3 + 1)
			if (!$3) none[$2] = 1
			if (!($2 in top) || $3 > top[$2]) top[$2] = $3 }
		END { for (of in calls)
			if (calls[of] != n[of] || bins[of] != n[of] ||
			    (!none[of] && all[of] < least[of]) || all[of] >= less[of] ||
			    most[of] < low(top[of]) ||
			    most[of] >= low(top[of] + 1)) {
				print of, calls[of], n[of], all[of], most[of],
					bins[of], least[of], less[of], top[of]
			} }' rows >wrong
	is "$(cat wrong)" '' "$name: times and bins are of the same operations"
}

# ticks NS: in cycles of the run's clock.
ticks()
{
	awk -v ns="$1" '$1 == "hz" { hz = $5 > $6 ? $5 : $6
		printf "%d\n", ns * hz / 1e9 }' rows
}

# ------------------------------------------------------------ operations --
kernel='mmap|munmap|madvise|other'
# kept: the checks for each run under one of our allocators.
kept()
{
	same calls 'operations of each class, and their bytes'
	same class 'allocations of each size'
	same lock 'acquisitions'
	times
	if dispatched; then
		same "$kernel" 'system calls, and their bytes'
		is "$(row watched)" "$(row calls)" "$name: all are watched"
	else
		skip 2 'no system call dispatch'
	fi
}

run kinds runs
kept
is "$(row calls $((REALLOC | SAME))) $(row calls $((REALLOC | SAME | BIG)))" \
	'100 10' "$name: blocks that stay where they are"
is "$(row calls $((CALLOC | REUSED))) $(row calls $CALLOC)" '70 100' \
	"$name: memory that was used before, and new"
is "$(row calls $((MALLOC | BIG))) $(row calls $((FREE | BIG)))" '32 36' \
	"$name: big blocks"
is "$(row calls $FIRST)" 1 "$name: the first call is apart"
run kinds bump MEMMON_ALLOCATOR_PROBE=threshold=1073741824
kept
is "$(awk '$1 == "calls" && int($2 / 16) % 2' rows)$(row lock)" 0 \
	"$name: no memory is used again, there is no lock"

# Of N operations about one is timed: all are counted.
run kinds runs MEMMON_ALLOCATOR=10
same calls 'one in 10 is timed: operations of each class'
is "$(most one-in)" 10 "$name: one in 10 says so"
timed=$(row time)
[ "$timed" -gt $(($(row calls) / 20)) ] && [ "$timed" -lt $(($(row calls) / 5)) ]
ok $? "$name: $timed of $(row calls) are timed"
is "$(row cycles)" "$timed" "$name: the histogram has no others"

run threads runs
kept
# Either thread may come first, and so be alone for an operation.
two=$(row calls $((MALLOC | REUSED | PARALLEL)))
[ "$two" -ge 1990 ] && [ "$two" -le 2000 ]
ok $? "$name: $two of them while there are two"
is "$(row calls $FIRST)" 2 "$name: the first call of each is apart"
run many runs
kept
is "$(row calls $FIRST)" 101 "$name: the first call of each is apart"
run forked runs
kept
"$MEMMON_BUILD/tests/rawdump" mon.out.* | sed -n 's/^cost //p' >rows
is "$(row calls) $(row calls $FREE) $(row lock)" '100 50 100' \
	"$name: the child's own"

# ----------------------------------------------------- time, kernel, locks --
run frees sleep
kept
at_least "$(most time $FREE)" "$(ticks 200000)"
ok $? "$name: the longest free sleeps"
slow=$(awk -v of=$FREE -v least="$(ticks 175000)" '$1 == "cycles" && $2 == of &&
	(8 + $3 % 8) * 2 ^ (int($3 / 8) - 1) >= least { n += $4 }
	END { print n + 0 }' rows)
at_least "$slow" 10
ok $? "$name: and so does each 100th"
if dispatched; then
	at_least "$(sum other $FREE 0)" "$(ticks 2000000)"
	ok $? "$name: in the kernel"
else
	skip 1 'no system call dispatch'
fi

run page_blocks give
kept
if dispatched; then
	is "$(row madvise $FREE) $(sum madvise $FREE 1)" "100 409600" \
		"$name: each 10th free gives a page back"
	is "$(row munmap $((FREE | BIG)))" 20 "$name: each big one a mapping"
else
	skip 2 'no system call dispatch'
fi

run waits hold
kept
is "$(row wait)" 20 "$name: one thread waits for the other"
is "$(awk '$1 == "lock" || $1 == "wait" { print $3 }' rows | sort -u | wc -l)" 1 \
	"$name: for one lock"
at_least "$(sum wait)" "$(ticks 4000000)" &&
	at_least "$(most wait)" "$(ticks 200000)"
ok $? "$name: as long as it sleeps"
at_least "$(sum lock)" "$(ticks 4000000)" &&
	at_least "$(most lock)" "$(ticks 200000)"
ok $? "$name: with the lock"
if dispatched; then
	at_least "$(row futex '' 0)" 40
	ok $? "$name: by futex"
else
	skip 1 'no system call dispatch'
fi

# ---------------------------------------------------------------- memory --
# samples: "USABLE REQUESTED UNUSED BLOWUP MAPPED RESIDENT" of each, as they
# came.
samples()
{
	awk '$1 ~ /^(usable|requested|unused|blowup|mapped|resident)$/ {
			v[$3, $1] = $5
			if ($1 == "usable") at[++n] = $3 }
		END { for (i = 1; i <= n; i++) print v[at[i], "usable"],
			v[at[i], "requested"], v[at[i], "unused"],
			v[at[i], "blowup"], v[at[i], "mapped"],
			v[at[i], "resident"] }' rows
}

run grow runs
kept
samples >seen
is "$(awk '$1 == "peak" { print $2, $3 }' account)" \
	"$(said usable) $(said requested)" "$name: the program has the same peak"
most=$(said usable)
is "$(awk '$1 > n { n = $1 } END { print n }' seen)" \
	"$(awk '$1 == "peak" { print $5 }' rows)" "$name: the peak is a sample"
awk -v most="$most" '$1 > n { n = $1 }
	END { exit !(n <= most && n >= most - most / 256 - 131072) }' seen
ok $? "$name: and near the true one" || diag "$(tail -n 3 seen)"
# Blocks of 1024 that aren't written; later blocks of 2048 that are; blocks of
# 48.  The allocator touches 8 bytes for each 16, and a list of free blocks.
is "$(awk -v room=$((6 << 30)) '
	function wrong(what) { print what ": " $0 }
	{
		u = $1; later = $3 > 0; full = later && u > 2 ^ 23 ? 2 ^ 23 : u
		if ($2 != full + (u - full) * 48 / 64)
			wrong("requested")
		if ($3 != later * 2 ^ 22 || $4 != $3)
			wrong("unused")
		if ($5 != room + later * 2 ^ 20)
			wrong("mapped")
		want = u / 2 + later * (full + 2 ^ 21 + 16384)
		if ($6 && $6 != int((want + 4095) / 4096) * 4096)
			wrong("resident")
		if (NR > 1 && u - last > 2 ^ 20)
			wrong("a gap")
		last = u
	}' seen)" '' "$name: each sample is as it was then"
looked=$(awk '$1 == "class-live" { n += $3 * $4 } END { print n + 0 }' rows)
grep -q "^$looked " seen && at_least "$looked" $((most * 7 / 8))
ok $? "$name: blocks by size are those of one of them, $looked"
is "$(row class-free 0 1024)" 4096 "$name: as is what is free"

run pair own
kept
at_least "$(samples | awk '$3 > n { n = $3 } END { print n + 0 }')" 5000000
ok $? "$name: what is freed elsewhere is never used again" || diag "$(samples)"
is "$(row remote)" 100000 "$name: frees of another thread's blocks"
like "$("$MPREDUCE" --allocator "$PROG/operations" mon.out)" \
	'[*] Freed memory.* of the frees are by another thread' \
	"$name: and the verdict says so"
is "$(samples | awk '$1 > 8192')$(awk '$1 == "peak" && $5 > 8192' rows)" '' \
	"$name: little is live"

for what in 'shared 4096 0' 'again 4096 0' 'passed 0 4096'; do
	set -- $what
	run "$1" runs
	kept
	is "$(row shared-active) $(row shared-passive)" "$2 $3" \
		"$name: lines of two threads, active and passive" ||
		diag "$(grep -E '^(shared|lines|look)' rows)"
	like "$("$MPREDUCE" --allocator "$PROG/operations" mon.out)" \
		'[*] Threads share cache lines: 4096' \
		"$name: the verdict says so"
	# Each of the two threads has a block in each of them.
	is "$("$MPREDUCE" --export=csv --sql="SELECT count(*), sum(active),
		sum(passive) FROM allocator_shares" "$PROG/operations" mon.out |
		tr -d '\r' | tail -n 1)" "2,$((2 * $2)),$((2 * $3))" \
		"$name: and by whom" || diag "$("$MPREDUCE" --sql='SELECT * FROM
		allocator_shares' "$PROG/operations" mon.out)"
done
run shared own
kept
is "$(row shared-active) $(row shared-passive)" '0 0' "$name: no line is shared"

# Writes to such blocks, where accesses are recorded, and libc has one arena.
cat >writes.c <<'C'
#include <pthread.h>
#include <stdlib.h>
enum { N = 2000 };
static volatile int *mine[N], *yours[N];
static pthread_barrier_t turn;
static void *other(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_barrier_wait(&turn);
		yours[i] = malloc(24);
		*yours[i] = 1;
		if (SHARE)
			*mine[i] += 1;
		pthread_barrier_wait(&turn);
	}
	return arg;
}
int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&thread, NULL, other, NULL);
	for (int i = 0; i < N; i++) {
		mine[i] = malloc(24);
		*mine[i] = 1;
		*mine[i] = 2;
		pthread_barrier_wait(&turn);
		pthread_barrier_wait(&turn);
	}
	pthread_join(thread, NULL);
	return 0;
}
C
# With SHARE, the other thread accesses each block of the first.
for share in 0 1; do
	MEMMON_CC_QUIET=1 MEMMON_CC=$CC "$MEMMON_BUILD/memmon-cc" -g -O1 \
		-DSHARE=$share -o writes writes.c -pthread
	rm -f mon.out
	GLIBC_TUNABLES=glibc.malloc.tcache_count=0 MALLOC_ARENA_MAX=1 \
		timeout "$HANG" "$MEMMON" -q --allocator ./writes
	is "$? $("$MPREDUCE" --export=csv --sql='SELECT active > 1900, writes,
		handed FROM allocator_shares ORDER BY writes' ./writes mon.out |
		tr -d '\r' | sed 1d | tr '\n' ' ')" \
		"0 1,2000,0 1,$((4000 + 2000 * share)),$((2000 * share)) " \
		"writes to blocks in lines that threads share, and blocks of both ($share)"
done

# ----------------------------------------------------------------- glibc --
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null)
if [ "$glibc" ] && dispatched; then
	threshold=MEMMON_ALLOCATOR_PROBE=threshold=131072
	run mapped default $threshold MALLOC_MMAP_THRESHOLD_=131072
	is "$(row mmap '' 0) $(sum mmap '' 1)" "100 $((100 * 1052672))" \
		"$name: each block is mapped"
	is "$(row munmap $((FREE | BIG)) 0) $(sum munmap '' 1)" \
		"100 $((100 * 1052672))" "$name: and unmapped"
	run trimmed default $threshold MALLOC_TRIM_THRESHOLD_=0 MALLOC_TOP_PAD_=0
	is "$(row brk $FREE 0) $(sum brk $FREE 1)" "100 $((100 * 98304))" \
		"$name: each free gives the heap's end back"
	is "$(row brk $((MALLOC | REUSED)) 0)" 99 "$name: each malloc gets it"
	run trimmed default $threshold
	is "$(row brk $FREE 0)" 0 "$name: not otherwise"
	# They may miss each other once, on a busy machine.
	for _ in 1 2 3 4 5; do
		run storm default MALLOC_ARENA_MAX=1
		[ "$(row futex '' 0)" -gt 0 ] && break
	done
	[ "$(row futex '' 0)" -gt 0 ]
	ok $? "$name: threads wait for the only arena" ||
		diag "$(grep ^futex rows)"
else
	skip 8 'no glibc, or no system call dispatch'
fi
# The function that returns a block's size may itself allocate.
run kinds ask
run kinds ask MEMMON_ALLOCATOR=0
# A program that blocks all signals runs as it would without memmon.
run masked runs
kept

# ---------------------------------------------------------------- report --
run again own
is "$("$MPREDUCE" --allocator "$PROG/operations" mon.out | grep '^[*] ')" '' \
	"$name: nothing is said where nothing is wrong"
run kinds runs
is "$(row remote)" 0 "$name: a single thread frees its own"
is "$(row faults)" "$(row switches)" "$name: events are looked at together"
[ "$(row counters)" -eq 1 ] || [ "$(row instructions)" -gt 0 ]
ok $? "$name: the CPU counts, or it is said why not"
"$MPREDUCE" --allocator --brief --units=bytes "$PROG/operations" mon.out >report
# Operations and the mean of cycles, rounded; a class without a name has no
# mean.
awk '$1 == "calls" { calls[$2] = $4 }
	$1 == "time" { mean[$2] = int(($5 + $4 / 2) / $4) }
	END { for (of in calls) print calls[of], mean[of] }' rows | sort >want
awk '/^ +% time +calls +time +mean +median/ { on = 1; next }
	on && NF == 0 && n { exit }
	on && NF { n++; print $2, $8 }' report | sort >got
is_file got want "$name: the report has these classes, calls and means"
awk '$1 == "madvise" || $1 == "mmap" || $1 == "munmap" || $1 == "other" {
		if ($3 == 0) n[$1] += $4 }
	END { for (x in n) print (x == "other" ? "others" : x), n[x] }' rows |
	sort >want
awk '/^ +% time +calls +time +mean +max/ { on = 1; next }
	on && NF == 0 && k { exit }
	on && NF { k++; for (i = 1; i < NF; i++)
		if ($(i + 1) == "in") n[$i] += $2 }
	END { for (x in n) print x, n[x] }' report | sort >got
dispatched || : >want
is_file got want "$name: and these system calls"
is "$(awk '$2 == "asked" && $3 == "for" || $3 == "asked" && $4 == "for" {
	print $1; exit }' report)" "$(samples | sort -n | tail -n 1 | cut -d ' ' -f 2)" \
	"$name: and this at the peak"
# sheet NAME: a table of the CSV, without its head and the ends of its lines.
sheet()
{
	"$MPREDUCE" --export=csv:allocator_"$1" "$PROG/operations" mon.out |
		tr -d '\r' | sed 1d
}
# Times of each class, computed from the histogram as mon.out(5) says.
perl -ne '
	($name, $of, $at, $n, $sum, $most) = split;
	$hz = $most if $name eq "hz";
	$v{$of} = [$n, $sum] if $name eq "calls";
	$time{$of} = [$n, $sum, $most] if $name eq "time";
	push @{$bin{$of}}, [$at, $n] if $name eq "cycles";
	sub from { my $b = shift;
		$b < 8 ? $b : int((8 + $b % 8) * 2 ** (int($b / 8) - 1)) }
	sub ns { int($_[0] * 1e9 / $hz) }
	sub below { my ($of, $part) = @_; my $sum = 0;
		my ($n, undef, $most) = @{$time{$of}};
		for (sort { $a->[0] <=> $b->[0] } @{$bin{$of}}) {
			$sum += $_->[1];
			next if $sum < $part * $n;
			my ($x, $y) = (from($_->[0]), from($_->[0] + 1) - 1);
			my $middle = $x + int(($y - $x) / 2);
			return ns($middle < $most ? $middle : $most);
		} }
	END { for (sort { $a <=> $b } keys %v) {
		my ($n, $sum, $most) = @{$time{$_}};
		print join(",", @{$v{$_}}, $n, ns($sum),
			int((ns($sum) + int($n / 2)) / $n), below($_, 0.5),
			below($_, 0.99), ns($most),
			int(($sum + int($n / 2)) / $n)), "\n" } }' rows >want
sheet operations | sed 's/^"[^"]*",//' | cut -d , -f 7-15 >got
is_file got want "$name: CSV has calls, bytes, times and quantiles"
awk '$1 == "class" { n[$3] = $4 "," $5 "," $6; all[$3] }
	$1 == "class-live" { live[$3] = $4; all[$3] }
	$1 == "class-free" { free[$3] = $4; all[$3] }
	END { for (x in all) print x "," (x in n ? n[x] : "0,0,0") "," live[x] + 0 \
		"," free[x] + 0 }' rows | sort -n >want
sheet sizes >got
is_file got want "$name: ... and the sizes"
awk '$1 == "lock" { n[$3] += $4 } $1 == "wait" { c[$3] += $4 }
	END { for (x in n) print x "," n[x] "," c[x] + 0 }' rows | sort >want
sheet locks | cut -d , -f 1,2,5 | sort >got
is_file got want "$name: ... and the locks"
[ -s want ]
ok $? "$name: there are locks to compare"
samples | sort -n | awk '{ print $2 "," $1 }' >want
sheet memory | cut -d , -f 2,3 >got
is_file got want "$name: ... and the memory over time"
is "$("$MPREDUCE" --sql='SELECT sum(calls), sum(time) FROM allocator_operations' \
	--export=csv "$PROG/operations" mon.out | tr -d '\r' | tail -n 1)" \
	"$(sheet operations | sed 's/^"[^"]*",//' |
		awk -F , '{ n += $7; t += $10 } END { print n "," t }')" \
	"$name: SQL has the same"
# The clock doesn't run before and after an operation, and doesn't stand still
# during it.
run storm default
"$MPREDUCE" --json "$PROG/operations" mon.out |
	tr -d '\n' | sed 's/.*"allocator_operations"//; s/\].*//; s/{/\n/g' |
	sed -n 's/.*"malloc, small, reused.*"calls":\([0-9]*\).*"cycles":\([0-9]*\).*/\1 \2/p' |
	awk '$1 > 1000 && $2 < 5 { bad = 1 } $1 > 1000 { n++ }
		END { exit bad || !n }'
ok $? "$name: a malloc takes more than an instruction" ||
	diag "$(sheet operations)"
"$MPREDUCE" --html=page.html "$PROG/operations" mon.out
like "$(grep -o '"allocator":{[^[]*\["[^"]*"\|"allocator":{.*"verdicts"' page.html |
	head -c 300)" '"operations":' "$name: the page has it"
[ "$("$MPREDUCE" -i mon.out | grep -c '^  cost ')" -le 65 ]
ok $? "-i isn't drowned in it"
like "$("$MPREDUCE" --allocator "$PROG/operations" "$T/none.out" 2>&1)" \
	'none.out' "a file that isn't there"
rm -f mon.out
"$MEMMON" -q "$PROG/operations" kinds >/dev/null
like "$("$MPREDUCE" --allocator "$PROG/operations" mon.out)" \
	'run memmon --allocator' "a run without it says so"
is "$("$MEMMON" --allocator -p $$ 2>&1)" \
	"memmon: --allocator (MEMMON_ALLOCATOR) can't be used with -p" "nor -p"
is "$("$MEMMON" --allocator=2/3 true 2>&1)" \
	"memmon: --allocator takes 1/ and a number above 0, as 1/100, not '2/3'" \
	"2/3 is no share of operations that could be timed"
done_testing
