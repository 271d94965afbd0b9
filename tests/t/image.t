#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The image of a process that was killed or runs on, as mpreduce reads it.  It
# has the tables of an ordinary file of the same state.  If it is damaged,
# truncated or of another kind, mpreduce says so and doesn't crash.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

monmake=$MEMMON_BUILD/tests/monmake monimage=$MEMMON_BUILD/tests/monimage
mpreduce=$MEMMON_BUILD/mpreduce
[ -x "$MEMMON_BUILD/asan/mpreduce" ] && mpreduce=$MEMMON_BUILD/asan/mpreduce
export ASAN_OPTIONS=detect_leaks=0
exe=$MEMMON_BUILD/mpreduce

# Two libraries, one at the address of another that was unloaded; two threads; a
# free of another thread's block, a realloc, times; cells from before the fork,
# a size with a cell of its own and sizes that share one.
cat >desc <<'EOF1'
text program /nonexistent/prog
text command ./prog one\stwo
text memmon 0.9
header pid 4711
header ppid 4710
header start 1700000000000000000
header mono 5000000000
header depth 1024
header timing 64
header own 99999
global cells_first 20
global live 1030300
global peak 1050000
global peak_at 6500000000
global timed 1050000
global peaks 9
global nthreads 2
module /nonexistent/prog 0x400000 0x402000 0x400000 0 1 0102030405
module /nonexistent/lib.so 0x7f0000 0x7f1000 0x7f0000 0 2 0a0b
module /nonexistent/new.so 0x7f0000 0x7f1000 0x7e0000 3 0 0c0d
node 3 2 0x7f0020 3
node 2 1 0x401200
node 1 0 0x401100
node 4 1 0x401300
node 2 1 0x401200
cell 17 1 4 100 allocs 77 frees 76
cell 20 1 3 204 allocs 5019 epoch 9 held 5000
cell 21 1 4 204 allocs 4981 frees 4971 near 9 temps 9 time 100 time 120
cell 22 2 4 204 frees 10 by_others 10
cell 23 1 4 5000 allocs 2 frees 1 reallocs 1 longest 1
cell 24 1 4 any2 allocs 5 frees 3 bytes 3500 freed 2500
bin 500 3 1
bin 1000 2 2
bin 1500 0 0
pub tid 4711 seq 10007 bytes 2053500 frees 4975 freed 1021584 chains 10007 frames 30012 same 20000 deepest 3 seen 6900000000 name prog
pub tid 4712 frees 10 freed 2040 of_others 10 unseen 1 name worker
EOF1
# The same state as an ordinary file.  A cell for all sizes: 3 of 500, 2 of
# 1000.
cat >same <<'EOF1'
run program /nonexistent/prog
run command ./prog one\stwo
run pid 4711
run end exit
run length 1900000000
run threads 2
run depth 1024
run timing 64
module exe /nonexistent/prog exe id 0102030405 at 0x400000 0x402000 0x400000
module lib /nonexistent/lib.so gone id 0a0b at 0x7f0000 0x7f1000 0x7f0000
module new /nonexistent/new.so id 0c0d at 0x7f0000 0x7f1000 0x7e0000
chain red exe:0x1100 exe:0x1200 new:0x10020
chain blue exe:0x1100 exe:0x1300
alloc red 204 5019
alloc blue 204 4981 4981
alloc blue 5000 2 1 1
alloc blue 500 3 1
alloc blue 1000 2 2
peak red 5000 1020000
peak blue 3 6000
life blue temps 9 near 9 by_others 10 longest 1 time 100:1 time 120:1
thread prog flags 1 allocs 10007 bytes 2053500 frees 4975 freed 1021584
thread worker frees 10 freed 2040 of_others 10
total peak 1050000
total peak_at 1500000000
total peak_slack 24000
total chains 10007
total frames 30012
total same 20000
total deepest 3
total unseen 1
total own 99999
total figures 0
EOF1
"$monimage" image <desc && "$monmake" <same >ordinary
ok $? "an image and an ordinary file are made"

# tables FILE: all tables, without the lines about the end of the run, and
# without the counts by path and size, which the ordinary file lacks.
tables()
{
	"$mpreduce" --json -b "$exe" "$1" 2>/dev/null |
		perl -0pe 's/"conditions":\[.*?\],\n//s;
			s/"marks":null/\n"marks":[]/' |
		sed -e '/^"runs":/,+1d' -e '/^"warnings":/,$d' \
			-e 's/"classed":[05],//' \
			-e 's/\("of_others":[0-9]*\),"kept".*"peak":[^}]*/\1/'
	"$mpreduce" -b --threads --peak --lifetimes "$exe" "$1" 2>&1 |
		grep -v '^sizes  *5 \|^unknown: '
}
tables image >of-image
tables ordinary >of-ordinary
is "$("$mpreduce" --json -b "$exe" image 2>/dev/null |
	grep -o '"classed":[0-9]*')" '"classed":5' "of how many the class is known"
is "$(diff of-image of-ordinary | sed "s/image/ordinary/g" | sort -u)" "" \
	"both have the same tables"
ok $(($(wc -l <of-image) < 40)) "which are many"

# A size without a place among the bins, because some of its blocks were counted
# with other sizes: all 3 and 2 blocks of 9000 are in the row without a bin.
size=9000 windowed=8
place=$(((size * 0x9e3779b97f4a7c15) >> 52 & 4095))
{
	cat desc
	echo "cell 25 1 4 any3 allocs 11 bytes 83028"
	echo "cell 26 1 3 $size allocs 2"
	for ((i = 0; i < windowed; i++)); do
		echo "bin $((7000 + i)) 1 0 $(((place + i) % 4096))"
	done
} | "$monimage" refused
"$mpreduce" --json "$exe" refused 2>/dev/null >json
is "$(grep -o '"size":\(7000\|9000\),"allocs":[0-9]*' json) $(
	grep -o '"big":{"allocs":[0-9]*,"bytes":[0-9]*' json)" \
	'"size":7000,"allocs":1 "big":{"allocs":5,"bytes":45000' \
	"a size that was refused a bin has none, though some of it is known"

# says REGEX NAME: `mpreduce -i' prints such a line for the image.
"$mpreduce" -i image >info
says()
{
	grep -qE -- "$1" info
	ok $? "$2" || diag "$(cat info)"
}
says '^image: image as format 1\.[0-9]+, [0-9]+ bytes, whole$' "what it is"
says '^  process    not known whether it still runs$' "its process"
says '^  parts      [0-9]+ of 192 in use: 1 header, [0-9]+ totals, 1 counts, 1 chains, 1 threads, 1 modules, 1 more counts$' \
	"its parts"
says '^  counts     5$' "its counts, without those before the fork"
says '^  seconds    1\.900000000$' "how long it ran, as far as that is known"

# Summed up, and through a pipe, like an ordinary file.
"$mpreduce" -s -b "$exe" image ordinary
is "$(totals mon.sum)" "20014 4107000 9970 2047248" "an image in a sum"
# shellcheck disable=SC2002
cat image | "$mpreduce" -i "$exe" /dev/stdin >piped
is "$(grep -c ' 10007  allocations$' piped)" 1 "an image through a pipe"

# wrong NAME REGEX FILE: one line, and no tables.
wrong()
{
	"$mpreduce" -b "$exe" "$3" >out 2>err
	is "$? $(wc -l <err) $(wc -c <out)" "1 1 0" "$1: status"
	like "$(cat err)" "^mpreduce: $3: .*$2" "$1: message"
}
# made DIRECTIVE...: the image with more in its description.
made()
{
	{ cat desc; printf '%s\n' "$@"; } | "$monimage" other || echo "no image"
}
made "header version 99"
wrong "another version" "layout 99, this mpreduce reads [0-9]+\)" other
made "header order 0x04030201"
wrong "another machine" "other byte order" other
made "header word 4"
wrong "another width" "another width" other
made "header extra_size 8"
wrong "another build" "another build of memmon" other
made "header nslots 0"
wrong "a damaged header" "header is damaged" other
head -c 65536 /dev/zero >other
wrong "a file not begun" "the file has no data yet.*has just begun" other

# lacks NAME REGEX DIRECTIVE...: a warning, and all tables.
lacks()
{
	local name=$1 regex=$2
	shift 2
	made "$@"
	"$mpreduce" -b "$exe" other >out 2>err
	is $? "$(status_of err)" "$name: status"
	like "$(cat err)" "other: $regex" "$name: warning"
	like "$(cat out)" "<TOTAL>" "$name: tables"
}
bounds="totals are lower bounds"
lacks "a node that isn't there" \
	"4 allocations lack some of their callers" \
	"cell 40 1 99 8 allocs 4"
lacks "counts outside" "7 counts or fewer had no room in the image; $bounds" \
	"header outside_cells 7"
lacks "frees of unknown blocks" "3 frees of blocks that are not in the image" \
	"cell 40 1 4 8 allocs 4 frees 7"
lacks "a size that there isn't" "1 damaged counts or libraries left out" \
	"cell 40 1 4 any4 allocs 4 extra 8"
lacks "a pointer to nowhere" "4 allocations without their bytes" \
	"cell 40 1 4 any1 allocs 4 extra 8"

# Cut at each 64 bytes of the header, and within each slot.
size=$(stat -c %s image)
cut_at()
{
	head -c "$1" image >short
	"$mpreduce" -b "$exe" short >out 2>err
	status=$?
	case $status in
	4) grep -q "short: truncated after $1 bytes.*$bounds" err || echo "$1: silent" ;;
	1) [ "$(wc -l <err)" = 1 ] || echo "$1: not one line" ;;
	*) echo "$1: status $status" ;;
	esac
	! grep -q 'Sanitizer\|runtime error' err || echo "$1: $(head -n 3 err)"
}
rare=3
! exhaustive || rare=1
bad=$(for ((i = 1; i < 1024; i += 64 * rare)); do cut_at "$i"; done
	for ((i = 4000; i < size; i += 16000 * rare)); do cut_at "$i"; done)
is "$bad" "" "cut anywhere, it says so"

# Bytes changed in some places, the same ones each time.
damaged=15
! exhaustive || damaged=150
awk -v size="$size" -v n=$damaged 'BEGIN {
	srand(7)
	for (i = 0; i < n; i++) {
		line = ""
		for (k = 0; k <= i % 6; k++) {
			at = rand() < .3 ? rand() * 600 : rand() * size
			# In the part that has data: the last slots.
			if (rand() < .6)
				at = size - rand() * 5 * 16384
			line = line sprintf("patch %d %02x;", at, rand() * 256)
		}
		print line
	}
}' >patches
bad=$(while read -r line; do
	made "${line//;/$'\n'}"
	"$mpreduce" -b "$exe" other >out 2>err
	status=$?
	[ $status = 1 ] || [ $status = "$(status_of err)" ] || echo "$line"
	! grep -q 'Sanitizer\|runtime error' err || head -n 3 err
done <patches)
is "$bad" "" "$damaged damaged ones: no crash"

# Holes of a TiB, and a header that claims them used: no time, no memory.
made "header nslots 0x4000000" "header used 0x4000000" "length 0x10000000000"
if [ "$(stat -c %s other)" = $((1 << 40)) ]; then
	(ulimit -v 400000; timeout "$HANG" "$exe" -b "$exe" other) >out 2>err
	is $? 0 "a TiB of holes: status"
	like "$(cat out)" "5019 .*5019" "a TiB of holes: tables"
else
	skip 2 "no such large files here"
fi

# Beside a file that memmon_dump wrote, and in place of one that is missing.
{ sed 's/^run end .*/run end dump/' same
	echo "run start 1700000000000000000"; } | "$monmake" >dumped
cp image dumped.4711.live
"$mpreduce" -b "$exe" dumped >out 2>err
like "$(cat err)" "dumped: .*the newer counts are in dumped.4711.live" \
	"a newer image beside a file"
cp image dumped.4712.live
rm dumped.4711.live
"$mpreduce" -b "$exe" dumped >out 2>err
is "$(grep -c '\.live' err)" 0 "another's isn't told of"
cp image none.4711.live
wrong "a file that isn't there" "no such file; give none.4711.live" none
rm none.4711.live
: >none.x.live
wrong "nor an image" "no such file; give the data file" none

# The image of a process that runs, that is dead but not waited for, and that is
# gone.
space=$(stat -Lc %i /proc/self/ns/pid 2>/dev/null)
if [ -n "$space" ]; then
	sleep 1000 &
	pid=$!
	born=$(sed 's/.*) //' /proc/$pid/stat | cut -d ' ' -f 20)
	process=("header pid $pid" "header pid_space $space" "header born $born")
	made "${process[@]}"
	"$mpreduce" -i other >info
	says '^  process    still runs$' "a process that runs"
	kill -9 $pid
	wait $pid 2>/dev/null
	"$mpreduce" -i other >info
	says '^  process    has ended$' "one that is gone"
	# Its parent doesn't wait: cat never does.
	(sleep 1000 & echo $! >child; exec sleep 1000) &
	parent=$!
	until [ -s child ] && [ "$(cat /proc/$parent/comm)" = sleep ]; do
		sleep 0.05
	done
	pid=$(cat child)
	born=$(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 20)
	made "header pid $pid" "header pid_space $space" "header born $born"
	kill -9 "$pid"
	until grep -q ') Z' "/proc/$pid/stat"; do sleep 0.05; done
	"$mpreduce" -i other >info
	says '^  process    has ended$' "one that nobody has waited for"
	kill -9 $parent
	wait $parent 2>/dev/null
else
	skip 3 "no /proc"
fi

if [ ! -e "$MEMMON_SRC/monitor/image/image.c" ]; then
	done_testing
	exit
fi
# Real programs: a program that is killed leaves the same figures as the same
# program that ends by itself, except for times.
# differ.pl KILLED ENDED: prints the tables of --json that differ, except those
# that change from run to run.  A process has room for fewer sizes in the file
# than mpreduce: sizes that only the first file lists are in the second file's
# row without a bin.
cat >differ.pl <<'END'
use JSON::PP;
my ($k, $e) = map {
	open my $f, "<", $_ or die;
	local $/;
	decode_json(<$f>);
} @ARGV;
my %has = map { $_->{size} => 1 } @{ $e->{bins} };
for my $bin (grep { !$has{ $_->{size} } } @{ $k->{bins} }) {
	$bin->{freed} = $bin->{frees} * $bin->{size};
	$k->{big}{$_} += $bin->{$_} for qw(allocs bytes frees freed kept);
}
$k->{bins} = [ grep { $has{ $_->{size} } } @{ $k->{bins} } ];
my $json = JSON::PP->new->canonical;
my %text;
for my $all ($k, $e) {
	delete $all->{runs};
	for (sort keys %$all) {
		my $text = $json->encode([ $all->{$_} ]);
		$text =~ s/"(peak_at_ns|own_peak_at|monitor)":\d+//g;
		# Who holds what is in the live map alone.
		$text =~ s/"(kept|peak)":(\d+|null)//g if $_ eq "threads";
		push @{ $text{$_} }, $text;
	}
}
print join " ", grep { $text{$_}[0] ne $text{$_}[1] }
	grep { !/^(conditions|marks|memory|memory_snapshots|pins|resident|system)$/ } sort keys %text;
END
export MEMMON_TIMING=0
for sizes in '' sizes; do
	name="killed${sizes:+, cells for all sizes}"
	# shellcheck disable=SC2086
	"$MEMMON" -o k.mon "$PROG/killed" kill $sizes 2>/dev/null
	is $? 137 "$name: by SIGKILL"
	# shellcheck disable=SC2086
	"$MEMMON" -o e.mon "$PROG/killed" exit $sizes
	for i in k e; do
		"$mpreduce" --json "$PROG/killed" $i.mon >$i.json
	done
	if perl -MJSON::PP -e 1 2>/dev/null; then
		is "$(perl differ.pl k.json e.json 2>&1)" "" \
			"$name: the same tables"
	else
		skip 1 "no perl with JSON::PP"
	fi
	is "$(totals k.mon)" "$(totals e.mon)" "$name: the same totals"
done
"$MEMMON" -o r.mon "$PROG/killed" busy sizes >ready &
pid=$!
until [ -s ready ] || ! kill -0 $pid; do sleep 0.05; done
looks=2
! exhaustive || looks=20
# Blocks of at most 20,000 bytes are allocated and freed, at most three live in
# each thread.
most=$((6 * 20000))
kept=$(totals e.mon | awk '{ print $2 - $4 }')
bad=$(for ((i = 0; i < looks; i++)); do
	"$mpreduce" "$PROG/killed" r.mon 2>&1 >out | head -n 3
	grep -q 'TOTAL' out || echo "no tables"
	totals r.mon | awk -v k="$kept" -v most=$most '{ n = $2 - $4 }
		n > k + most || n < k - most { print n, "kept, not", k }'
done)
is "$bad" "" "a program that runs on: what isn't freed, and nothing amiss"
"$mpreduce" -i r.mon >info
says '^  process    still runs$' "and it does run"
kill -9 $pid
wait $pid 2>/dev/null
"$mpreduce" -i r.mon >info
says '^  process    has ended$' "until it is killed"

# Threads free each other's blocks, of more sizes than have cells of their own.
cat >other.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
enum { THREADS = 4, EACH = 20000 };
static void *p[THREADS][EACH];
static pthread_barrier_t all;
static void *work(void *arg)
{
	long n = (long)arg;
	for (unsigned i = 0; i < EACH; i++)
		p[n][i] = malloc(16 + (n * 977 + i * 31) % 5000);
	pthread_barrier_wait(&all);
	for (int i = 0; i < EACH - 10; i++)
		free(p[(n + 1) % THREADS][i]);
	pthread_barrier_wait(&all);
	if (n == 0)
		raise(SIGKILL);
	for (;;)
		;
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&all, NULL, THREADS);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&t, NULL, work, (void *)i);
	work(NULL);
}
C
"$CC" -g -O0 -pthread -o other other.c
"$MEMMON" -q -o o.mon ./other 2>/dev/null
is "$("$mpreduce" --sql="SELECT count(*) || ' ' || sum(allocs) || ' ' || sum(frees)
	FROM sites WHERE function LIKE 'work%'" ./other o.mon 2>err |
	grep '[0-9] ' | sed 's/^ *//')" "2 80000 79960" "each free is counted"
is "$(cat err)" "" "... and nothing is amiss"
like "$("$mpreduce" --growth=0,end ./other o.mon 2>&1)" " 43 .*<TOTAL>" \
	"... nor over time"
done_testing
