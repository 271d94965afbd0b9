#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables of scores name their limits: call paths that are not separate,
# granules.  Single blocks have their times of access.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

[ -e "$MEMMON_BUILD/libmemmon-access.so" ] ||
	skip_all 'no libmemmon-access.so'
perl -MJSON::PP -e 1 2>/dev/null || skip_all 'no JSON::PP'

# Two call paths that differ 13 frames from the allocation: useit reads its
# five blocks, wrong doesn't.
{
	cat <<-'C'
	#include <stdlib.h>
	#define NI __attribute__((noinline))
	volatile int sink;
	NI void *g0(void) { return malloc(100); }
	#define G(n, m) NI void *g##n(void) \
		{ void *p = g##m(); __asm__ volatile("" ::: "memory"); return p; }
	G(1, 0) G(2, 1) G(3, 2) G(4, 3) G(5, 4) G(6, 5) G(7, 6) G(8, 7) G(9, 8)
	NI void fill(int read)
	{
		for (int i = 0; i < 5; i++) {
			volatile char *p = g9();
			for (int k = 0; k < 100; k++)
				p[k] = k;
			for (int k = 0; k < 100 && read; k++)
				sink += p[k];
			free((void *)p);
		}
	}
	NI void useit(void) { fill(1); sink++; }
	NI void wrong(void) { fill(0); sink++; }
	int main(void) { useit(); wrong(); return 0; }
	C
} >deep.c
"$MEMMON_BUILD/memmon-cc" -g -O1 -fno-optimize-sibling-calls deep.c -o deep \
	2>err
ok $? 'a program with deep call paths' || diag "$(cat err)"

# joined FILE: the number of call paths that have scores only together with
# others.
joined()
{
	"$MPREDUCE" --json deep "$1" 2>/dev/null |
		perl -MJSON::PP -0777 -ne \
			'print decode_json($_)->{totals}{uses}{joined_paths}'
}

line='^2 call paths share their scores with others'
"$MEMMON" -o short.mon ./deep
is $? 0 'it runs'
is "$(joined short.mon)" 2 'two of its call paths are not told apart'
"$MPREDUCE" -S deep short.mon >out 2>&1
is "$(grep -c "$line" out)" 1 'the table says so'
"$MEMMON" --full-chains -o full.mon ./deep
is "$(joined full.mon)" 0 'with --full-chains they are'
"$MPREDUCE" -S deep full.mon >out 2>&1
is "$(grep -c 'share their scores' out)" 0 'the table says nothing'

# Granules: the legend and the columns say that the figures are upper bounds.
tr -s ' \n' ' ' <out >flat
like "$(cat flat)" 'usage .{,80}accessed, at most: a granule of 16 bytes counts as a whole' \
	'the legend of usage'
like "$(cat flat)" "cover .{,99}bytes accessed cover at most this share" \
	'the legend of cover'
is "$("$MPREDUCE" --sql=list 2>/dev/null | grep -cE \
	'^ *(usage|cover) .*at most: 16 bytes count whole')" 2 \
	'the list of columns'

# Times of access of single blocks: SQL gives the same as --log=blocks.
"$MEMMON" --log -o log.mon ./deep
is "$("$MPREDUCE" --export=csv --sql='SELECT count(*), count(first_access),
	sum(first_access < born - 500000 OR last_access < first_access)
	FROM blocks WHERE size = 100' deep log.mon 2>/dev/null | tr -d '\r' |
	tail -1)" 10,10,0 'SQL has the first and the last access of each block'
"$MPREDUCE" --html=page.html deep log.mon 2>err
is "$(perl -MJSON::PP -0777 -ne '
	my ($n) = /"n":(\d+),"of":\d+,"end"/;
	my ($v) = /"accesses":true,"blocks":\[([^\]]*)\]/;
	print scalar(split /,/, $v) / $n' page.html)" 11 \
	'the page has eleven numbers of each block'
# A clock too coarse for the blocks: no useful score, no verdict from times.
{
	cat <<-'EOF2'
		run program /tmp/prog
		run length 10000000000
		run end exit
		run way 1
		run step 1000000
		module p /tmp/prog exe at 0x400000 0x500000 0
		chain brief p:0x401008 p:0x401018
		chain long p:0x401008 p:0x401028
		chain idle p:0x401008 p:0x401088
		alloc brief 64 30 30
		alloc long 64 30 30
		alloc idle 64 30 30
		use brief blocks 30 bytes 1920 reads 30 writes 30 span 1920 cover 1920 span_used 1920 cover_used 1920 useful 503316480 life 0 late 15:960
		group brief 0 0:1000000:2000000:30:0
		use long blocks 30 bytes 1920 reads 30 writes 30 span 1920 cover 1920 span_used 1920 cover_used 1920 useful 251658240 life 120000000 late 15:960
		group long 0 0:1000000:4000000:30:120000000
		use idle blocks 30 bytes 1920 useful 0 life 0 unused 30:1920
		group idle 0 0:1000000:2000000:1:0 500000000:1000000:100000000:29:0
	EOF2
} | "$MEMMON_BUILD/tests/monmake" >coarse.mon
ok $? 'a file of blocks that live for less than four steps, and others'
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s"
"$MPREDUCE" -S -b prog coarse.mon >out 2>err
is "$(awk '/ \|\| > / { print $3, $4, $5, $NF }' out | sort | tr '\n' ,)" \
	'- 1.00 - make_red_widget,0.00 0.00 0.00 list_add,1.00 1.00 0.50 make_blue_widget,' \
	'the table: - where the clock is too coarse, not where nothing was accessed'
is "$(grep -A9 'make_red_widget$' out | sed '1d;/ || > /,$d' |
	grep -cE 'late|early|turnover')" 0 'no verdict from times'
is "$(grep -A9 'make_blue_widget$' out | sed '1d;/ || > /,$d' |
	grep -c 'late  *50%')" 1 'but where the clock is fine enough'
is "$(grep -E '^sites' out | tr -s ' ')" 'sites 2 3 2' \
	'of how many sites the means are'
is "$("$MPREDUCE" --json prog coarse.mon 2>/dev/null | perl -MJSON::PP -0777 -ne '
	for (@{decode_json($_)->{functions}}) {
		my $u = $_->{use} or next;
		print join(" ", map { $_ // "null" } $_->{name},
			@{$u->{scores}}{qw(lifetime usage useful mean)},
			$u->{flags}{late} && $u->{flags}{late}{blocks}), "," }' |
	tr , '\n' | sort | tr '\n' ,)" \
	'list_add 0 0 0 0.01 0,make_blue_widget 1 1 0.5 0.7937005259841 15,make_red_widget null 1 null 1 null,' \
	'JSON: null'
is "$("$MPREDUCE" --export=csv --sql="SELECT function, lifetime IS NULL,
	useful IS NULL, late IS NULL FROM items ORDER BY 1" prog coarse.mon \
	2>/dev/null | tr -d '\r' | sed 1d | tr '\n' ' ')" \
	'list_add,0,0,0 make_blue_widget,0,0,0 make_red_widget,1,1,1 ' 'SQL: NULL'
done_testing
