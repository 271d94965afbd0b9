#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sampling (tests/prog/sampled.c, whose totals are known): estimates, the errors
# that are stated, figures that stay exact, and figures that aren't known.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

ALLOCS=32220 BYTES=10950000 KEPT=2000000

# sampled SEED FILE ARGS...: run the program.
sampled()
{
	local seed=$1 file=$2
	shift 2
	MEMMON_SAMPLE_SEED=$seed "$MEMMON" --sample=64K -o "$file" "$@" \
		"$PROG/sampled"
}

# figures FILE: allocs, bytes, kept, peak and their errors in percent.
figures()
{
	"$MPREDUCE" -b "$PROG/sampled" "$@" 2>&1 | awk '
	function error(s) { sub(/.*\+-/, "", s); sub(/%.*/, "", s); return s }
	/^allocations/ { a = $2 " " error($3) }
	/^bytes /      { b = $2 " " error($3) }
	/^live at exit/ { k = $4 " " error($6) }
	/^peak/	       { p = $2 " " error($4) }
	/^counted/     { c = $2 " " $5 }
	/^---.*Leaks/  { print a, b, k, p, c; exit }'
}

for seed in $(seq 1 40); do
	sampled "$seed" m.out || diag "seed $seed: status $?"
	figures m.out
done >all
is "$(wc -l <all)" 40 'every run has all figures'
is "$(cut -d' ' -f 9,10 all | sort -u)" "$ALLOCS $BYTES" \
	'what is counted of all blocks is exact'
# mean COLUMN TRUTH NAME: is the mean near the truth, and are the stated errors
# about as large as the true ones?
mean()
{
	awk -v c="$1" -v truth="$2" '{
		e = ($c - truth) / truth * 100; s += e; q += e * e
		v += $(c + 1) * $(c + 1); n++
	} END {
		sd = sqrt(q / n); z = s / n / sd * sqrt(n)
		r = sqrt(v / n) / sd
		print z, r
		exit !(z > -4 && z < 4 && r > 0.6 && r < 1.5)
	}' all >z
	ok $? "$3: right on average, and as far off as it says" ||
		diag "z and ratio: $(cat z)"
}
mean 1 "$ALLOCS" allocations
mean 3 "$BYTES" bytes
mean 5 "$KEPT" 'what is kept'
mean 7 $((KEPT + 20 * 100000)) 'the peak'

sampled 5 a.out
sampled 5 b.out
"$MPREDUCE" -b "$PROG/sampled" a.out | grep -v '^\(pid\|date\|sec\|peak\|monitor\|resident\)' >1
"$MPREDUCE" -b "$PROG/sampled" b.out | grep -v '^\(pid\|date\|sec\|peak\|monitor\|resident\)' >2
cmp -s 1 2
ok $? 'the same seed gives the same tables' || diag "$(diff 1 2 | head)"
grep -q '^sampled: every 64K bytes on average, ' 1
ok $? 'every table says that it is of samples'
# The graph has no title.
is "$(grep -c '^sampled: ' 1)" "$(($(grep -c '^----*  *[A-Z].*---$' 1) + 1))" \
	'every one' || diag "$(grep -- '^---.*[A-Z]' 1)"
grep -q 'kept bytes (%) *+- *allocs *+- *bytes (%) *+-' 1
ok $? 'and has columns of errors'
"$MPREDUCE" --json "$PROG/sampled" a.out >a.json
grep -q '"sample": *{"rate": *65536,' a.json
ok $? 'JSON says so, too' || diag "$(grep -i sample a.json | head -3)"
grep -q '"errors": *{"allocs": *[1-9]' a.json
ok $? 'with errors'
jsonrows=$MEMMON_BUILD/tests/jsonrows
# Rows with whole numbers, in one order.
whole()
{
	awk '{ for (i = 1; i <= NF; i++) $i = $i == "-" ? "-" : int($i + 0.5)
		print }' | sort
}
# plain N: N columns of CSV without the head.
plain()
{
	tr -d '\r' | sed 1d | cut -d, -f "1-$1" |
		sed 's/^,/-,/; s/,,/,-,/g; s/,,/,-,/g; s/,$/,-/; s/,/ /g'
}
errors()
{
	local table=$1
	shift
	"$MPREDUCE" --export=csv --sql="SELECT $(IFS=,; echo "$*") FROM $table" \
		"$PROG/sampled" a.out | plain $# | whole
}
# same TABLE PREFIX MEMBER NAME...: the errors of these figures.
same()
{
	local table=$1 prefix=$2 member=$3 columns=() members=()
	shift 3
	for name; do
		columns+=("$prefix${name}_error")
		members+=("$member.$name")
	done
	errors "$table" "${columns[@]}" >sql
	"$jsonrows" "$table" "${members[@]}" <a.json | whole >json
	is_file sql json "SQL has the errors of $table"
	[ -s json ] && grep -q '[1-9]' json
	ok $? "... $(wc -l <json) rows"
}
same sites '' count.errors allocs bytes kept kept_blocks peak
same functions self_ self.errors allocs bytes kept kept_blocks peak
same functions '' total.errors allocs bytes kept kept_blocks peak
same types '' errors allocs bytes kept peak
same bins '' errors allocs bytes kept
same threads '' errors allocs bytes kept peak
"$MPREDUCE" --export=csv --group-by=size --sort=size \
	--columns=allocs_error,bytes_error,kept_error "$PROG/sampled" a.out |
	plain 3 | whole >sql
errors 'bins ORDER BY size' allocs_error bytes_error kept_error >json
is_file sql json "--columns has them, also of parts of call paths"
"$MPREDUCE" --export=sqlite -o a.db "$PROG/sampled" a.out
"$MPREDUCE" --sql='SELECT * FROM sites' --export=csv "$PROG/sampled" a.out >star
is "$(head -n 1 star | grep -c _error)" 0 "SELECT * omits them"

# Sums.
cp a.out c.out
"$MPREDUCE" -b "$PROG/sampled" a.out c.out | grep '^\(alloc\|bytes\|live\)' >1
(cd "$T" && "$MPREDUCE" -s "$PROG/sampled" a.out c.out) >/dev/null 2>err
"$MPREDUCE" -b "$PROG/sampled" mon.sum | grep '^\(alloc\|bytes\|live\)' >2
cmp -s 1 2
ok $? 'a sum keeps estimates and errors' ||
	diag "$(cat err; diff 1 2; ls)"
"$MEMMON" -o full.out "$PROG/sampled"
"$MPREDUCE" -b "$PROG/sampled" a.out full.out >both
grep -q '^sampled: every 64K bytes on average at most, or in some runs' both
ok $? 'with a run of which all is known'
grep -q "^counted *$((2 * ALLOCS)) allocations of $((2 * BYTES)) bytes" both
ok $? 'exact totals add up' || diag "$(grep counted both)"
"$MPREDUCE" -b "$PROG/sampled" full.out >plain
! grep -q -e '+-' -e sampled: plain
ok $? 'alone, it has nothing of all that'
is "$("$MPREDUCE" --export=csv --columns=bytes_error,peak_error --group-by=module \
	"$PROG/sampled" full.out | plain 2 | sort -u)" '0 0' \
	'... and no errors'
if command -v sqlite3 >/dev/null; then
	"$MPREDUCE" --export=sqlite -o full.db "$PROG/sampled" full.out
	for file in a full; do
		sqlite3 $file.db .schema | grep -c '"kept_error"'
	done >schema
	is "$(tr '\n' ' ' <schema)" '7 0 ' 'a database has errors only of samples'
	is "$(sqlite3 a.db 'SELECT sum(bytes_error) > 0 FROM sites')" 1 '... with values'
else
	skip 2 'no sqlite3'
fi

# Tables that need all blocks.
sampled 1 m.out -l
"$MPREDUCE" -b "$PROG/sampled" m.out >table
grep -q 'no leak check: blocks are sampled' table
ok $? 'no leak check of samples' || diag "$(sed -n 20,40p table)"

# The counts of the samples' accesses, if accesses are recorded.
accesses()
{
	"$MPREDUCE" -b "$PROG/sampled" "$@" 2>&1 | awk '
	function part(s) { sub(/.*\+-/, "", s); sub(/%.*/, "", s); return s }
	/^accesses/ && /\+-/ { print $2, part($4), $5, part($7); exit }
	/^accesses/ { print $2, $4; exit }'
}
export MEMMON_CC=${MEMMON_GCC:-gcc}
if MEMMON_WAY=plugin "$MEMMON_BUILD/memmon-cc" -O2 -g -o used \
	"$MEMMON_SRC/tests/prog/sampled.c" 2>err; then
	MEMMON_OUT=full.out ./used
	is "$(accesses full.out)" '264099 59600' 'all accesses, exactly'
	for seed in $(seq 1 40); do
		MEMMON_SAMPLE_SEED=$seed MEMMON_SAMPLE=64K MEMMON_OUT=u.out ./used
		# Only few blocks are reallocated, so their unknown uses matter
		# little.
		echo "$(accesses u.out) $("$MPREDUCE" u.out --columns=unused |
			awk '/TOTAL/ { print $1 }') 9"
	done >all
	mean 1 264099 reads
	mean 3 59600 writes
	awk '{ s += $5 } END { exit !(s / NR > 1150 && s / NR < 1350) }' all
	ok $? 'blocks that were never touched, on average' ||
		diag "$(cut -d' ' -f5 all | tr '\n' ' ')"
	MEMMON_SAMPLE=1 MEMMON_OUT=one.out ./used
	is "$(accesses one.out | awk '{ print $2 + $4 }')" 0 \
		'at a rate of 1 nothing is uncertain'
	cp u.out v.out
	want=$(accesses u.out v.out)
	(cd "$T" && "$MPREDUCE" -s used u.out v.out) >/dev/null 2>err
	is "$(accesses mon.sum)" "$want" 'a sum keeps estimates and errors'
	like "$want" '^[0-9]+ [0-9.]+ [0-9]+ [0-9.]+$' 'and has them'
	"$MPREDUCE" -b --scores used u.out >table 2>err
	is "$(awk '/^geometric mean/ { print $3 }' table)$(cat err)" - \
		'of samples the lifetime score is not known'
	like "$(awk '/> main$/ { print $4; exit }' table)" '^0.03$' \
		'the others are' || diag "$(head -30 table)"
	"$MPREDUCE" --json used u.out >u.json
	grep -q '"errors": *{"blocks": *[1-9][^}]*"writes": *[1-9]' u.json
	ok $? 'JSON has errors of accesses' ||
		diag "$(grep -o '"use": *{"blocks.\{400\}' u.json | head -3)"
	grep -q '"growing": *null' u.json
	ok $? 'and says that none is known to grow'
	# Each way, with the same samples.
	want=$(accesses u.out)
	for way in gcc,calls clang,plugin clang,calls; do
		MEMMON_CC=${way%,*} MEMMON_WAY=${way#*,} "$MEMMON_BUILD/memmon-cc" \
			-O2 -g -o way "$MEMMON_SRC/tests/prog/sampled.c" 2>err ||
			continue
		MEMMON_SAMPLE_SEED=40 MEMMON_SAMPLE=64K MEMMON_OUT=way.out ./way
		is "$("$MPREDUCE" -b way way.out | awk '/^accesses/ {
			print $2, $5; exit }')" "$(cut -d' ' -f 1,3 <<<"$want")" \
			"$way: the same estimates"
	done
	# Where in a sample something is, is known wherever it is.
	cat >inside.c <<-'EOF'
	#include <stdlib.h>
	extern char sink(char *);
	static char *volatile kept[40];
	int
	main(void)
	{
		char *p = malloc(1 << 20), s = 0;
		for (int i = 0; i < 40; i++)
			kept[i] = malloc(3000);
		s += sink(p + 777777);
		for (int i = 0; i < 40; i++)
			s += sink(kept[i] + 2999);
		s += sink(p + (1 << 20));
		return s;
	}
	EOF
	echo 'char sink(char *p) { return p != 0 && 0; }' >sink.c
	"$MEMMON_CC" -O1 -c sink.c
	"$MEMMON_BUILD/memmon-cc" -O1 -g -o inside inside.c sink.o 2>err
	MEMMON_SAMPLE=1 MEMMON_OUT=inside.out ./inside
	is "$("$MPREDUCE" inside inside.out --columns=handed,bytes |
		awk '/TOTAL/ { print $1, $2 }')" '41 1168576' \
		'samples are known by any of their bytes'
	# Samples that represent little more than themselves, each of another
	# size.
	cat >sizes.c <<-'E'
	#include <stdlib.h>
	int main(void)
	{
		for (int i = 0; i < 2000; i++) {
			volatile char *p = malloc(20000 + i % 500 * 37);
			for (int k = 0; i % 4 && k < 5; k++)
				p[0] = 1;
			free((char *)p);
		}
	}
	E
	"$MEMMON_BUILD/memmon-cc" -O1 -g -o sizes sizes.c
	for seed in $(seq 1 20); do
		MEMMON_SAMPLE_SEED=$seed MEMMON_SAMPLE=64K MEMMON_OUT=s.out ./sizes
		"$MPREDUCE" s.out --columns=unused,writes |
			awk '/TOTAL/ { print $1, $2 }'
	done >all
	awk '{ u += $1; w += $2 } END {
		u /= NR; w /= NR; print u, w
		exit !(u > 475 && u < 525 && w > 7250 && w < 7750)
	}' all >means
	ok $? 'parts of blocks are neither lost nor made' "$(cat means)"
	# A block's counts from before its realloc failed, and from then on.
	cat >refused.c <<-'E'
	#include <stdlib.h>
	int main(void)
	{
		for (int i = 0; i < 100; i++) {
			volatile char *p = malloc(64), *volatile q;
			p[0] = 1;
			q = realloc((char *)p, (size_t)1 << 60);
			for (int k = 0; !q && k < 4; k++)
				p[0] = 1;
			free((char *)p);
		}
	}
	E
	"$MEMMON_BUILD/memmon-cc" -O1 -w -g -o refused refused.c
	for lib in '' libjemalloc.so.2; do
		MEMMON_SAMPLE=1 MEMMON_OUT=r.out \
			LD_PRELOAD=${lib:+"$MEMMON_BUILD/libmemmon-access.so.0 $lib"} \
			./refused 2>/dev/null
		is "$("$MPREDUCE" -b r.out | awk '/^accesses/ { w = $4 }
			/^frees/ { f = $2 } /^unplaced/ { f = "" }
			END { print w, f }')" '500 100' \
			"all accesses to blocks that stay${lib:+, $lib}"
	done
	# Also for pools: the state of a sample before isn't known.
	cat >resized.c <<-'E'
	#include <stdlib.h>
	#include <memmon.h>
	int main(void)
	{
		char *pool = malloc(1 << 20);
		memmon_pool_create(pool);
		memmon_pool_add(pool, pool);
		for (volatile char *p = pool; p < pool + 400000; p += 80) {
			memmon_pool_alloc(pool, (char *)p, 64);
			p[0] = 1;
			memmon_pool_realloc(pool, (char *)p, (char *)p, 48);
		}
		memmon_pool_destroy(pool);
	}
	E
	"$MEMMON_BUILD/memmon-cc" -I"$MEMMON_SRC/monitor" -O1 -w -g -o resized \
		resized.c
	MEMMON_SAMPLE=2K MEMMON_SAMPLE_SEED=1 MEMMON_OUT=r.out ./resized
	is "$("$MPREDUCE" -b r.out --columns=handed,unused |
		awk '/TOTAL/ { print ($1 > 7000), ($2 < 2) }')" '1 1' \
		'blocks of pools that were resized are not unused'
	# Call paths that are the same except far outside have one sum of uses,
	# also where a sum of files lists them in another order.
	cat >outer.c <<-'E'
	#include <stdlib.h>
	#define CALL(f, g) \
		__attribute__((noinline)) void f(void) { g(); __asm__(""); }
	__attribute__((noinline)) void f0(void)
	{
		volatile char *p = malloc(64);
		p[0] = 1;
		free((char *)p);
	}
	CALL(f1, f0) CALL(f2, f1) CALL(f3, f2) CALL(f4, f3) CALL(f5, f4)
	CALL(f6, f5) CALL(f7, f6) CALL(f8, f7) CALL(f9, f8)
	CALL(a, f9) CALL(b, f9) CALL(c, f9)
	int main(void)
	{
		for (volatile int i = 6; i >= 0; i--) {
			if (i == 0)
				a();
			else if (i == 1)
				b();
			else
				c();
		}
	}
	E
	"$MEMMON_BUILD/memmon-cc" -O1 -w -g -fno-toplevel-reorder -o outer outer.c
	for rate in 0 1; do
		MEMMON_SAMPLE=$rate MEMMON_OUT=o.out ./outer
		rm -f mon.sum
		(cd "$T" && "$MPREDUCE" -s outer o.out) 2>err
		is "$(cat err; "$MPREDUCE" --columns=allocs,writes mon.sum 2>&1 |
			awk '/TOTAL/ { print $1, $2 } /^mpreduce:/')" '7 7' \
			"sampled every $rate: a sum has all that was used"
	done
	"$MEMMON_BUILD/memmon-cc" --module=lifetime -O1 -w -o mod \
		"$MEMMON_SRC/tests/prog/sampled.c"
	MEMMON_SAMPLE=64K MEMMON_OUT=mod.out ./mod
	is "$?" 0 'a program with a module runs'
	grep -q 'run without --sample' mod.out*
	ok $? 'and the module says why it did not' || diag "$(ls; head -5 mod.out.*)"
else
	skip 19 'no plugin'
fi

# Marks are estimates while the sums aren't yet.
MEMMON_SAMPLE=1K MEMMON_OUT=ph.out "$PROG/phases-mm" >/dev/null
"$MPREDUCE" -b "$PROG/phases-mm" ph.out >table 2>err
is "$(cat err)$(grep -c ^incomplete table)" 0 'marks of samples are all there'

# Blocks that other threads free: the frees count for the right threads.
for p in crew threads; do
	MEMMON_SAMPLE=4K MEMMON_SAMPLE_SEED=3 MEMMON_OUT=$p.out \
		"$PROG/$p-mm" >/dev/null
	"$MPREDUCE" -b --at=50% "$PROG/$p-mm" $p.out >table 2>err
	is "$? $(cat err)" '0 ' "$p: a snapshot of samples of several threads"
	"$MPREDUCE" -b --at=100% "$PROG/$p-mm" $p.out >table 2>err
	"$MPREDUCE" -b "$PROG/$p-mm" $p.out >end
	is "$(awk '/^(allocations|bytes) / { print $1, $2 }' table)" \
		"$(awk '/^(allocations|bytes) / { print $1, $2 }' end)" \
		"$p: its last one is the end"
done

# Threads that run one after the other: each has a row of its own, and parts of
# earlier threads' rows.
cat >turns.c <<'E'
#include <pthread.h>
#include <stdlib.h>
static void *blocks[2000];
static void *work(void *arg)
{
	long n = (long)arg;

	for (long i = 0; i < 40; i++) {
		void *volatile p = n % 2 ? blocks[n / 2 * 40 + i]
					 : malloc(300 + (n + i) % 50);
		free(p);
	}
	return NULL;
}
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 2000; i++)
		blocks[i] = malloc(300 + i % 50);
	for (long i = 0; i < 100; i++) {
		pthread_create(&t, NULL, work, (void *)i);
		pthread_join(t, NULL);
	}
}
E
"$CC" -g -O1 -o turns turns.c -pthread
MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=1K -o t.out ./turns
"$MPREDUCE" -b turns t.out >table 2>err
is "$(cat err)$(grep -c ^incomplete table)" 0 \
	'no thread frees more of other threads than it frees'

# Files that are written while threads run on, with all blocks timed: all timed
# blocks were freed, too.
cat >racing.c <<'E'
#include <memmon.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int stop;
static void *work(void *arg)
{
	for (unsigned s = (unsigned)(size_t)arg; !stop;) {
		void *volatile p = malloc(16 + (s >> 16) % 300);
		s = s * 1103515245 + 12345;
		free(p);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[3];
	char name[20];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 30; i++) {
		sprintf(name, "racing.%d.out", i);
		memmon_dump_to(name);
	}
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}
E
"$CC" -g -O1 -I"$MEMMON_SRC/monitor" -o racing racing.c -pthread \
	-L"$MEMMON_BUILD" -lmemmon -Wl,-rpath,"$MEMMON_BUILD"
MEMMON_TIMING=1 MEMMON_OUT=racing.out ./racing
"$MPREDUCE" -b racing racing.*.out 2>err >table
is "$(cat err)$(grep -c ^incomplete table)" 0 \
	'all that is known of lives goes together in each file'
rm -f racing.*
# The same, with threads that pause between any two counts
# (tests/fault/fault.h).
LD_PRELOAD=$MEMMON_BUILD/fault/libmemmon-fault.so MEMMON_RACE=100 \
	MEMMON_TIMING=1 MEMMON_OUT=racing.out ./racing
"$MPREDUCE" -b racing racing.*.out 2>err >table
is "$(cat err)$(grep -c ^incomplete table)" 0 \
	'... whatever two threads do at the same time'
rm -f racing.*

# All allocations are counted, recorded or not.
counted()
{
	"$MPREDUCE" -b "$@" 2>err | awk '/^counted/ { print $2, $5; exit }'
}
plain()
{
	"$MPREDUCE" -b "$@" 2>err |
		awk '/^allocations/ { a = $2 } /^bytes / { print a, $2; exit }'
}
# Threads, resized blocks, types, C++, blocks passed between threads, forks.
for p in crew temps typed typedxx relay widgets family; do
	MEMMON_OUT=p.out "$PROG/$p-mm" >/dev/null 2>&1
	MEMMON_SAMPLE=16K MEMMON_OUT=s.out "$PROG/$p-mm" >/dev/null 2>&1
	want=$(plain "$PROG/$p-mm" p.out)
	like "$want" '^[1-9][0-9]* [1-9]' "$p: known without sampling"
	is "$(counted "$PROG/$p-mm" s.out)" "$want" \
		"$p: as many are counted where they are sampled"
	rm -f p.out s.out
done

# Killed.
# shellcheck disable=SC2016
"$MEMMON" --sample=4K -o k.out bash -c 'x=$(seq 9999); kill -9 $$' 2>/dev/null
"$MPREDUCE" -b k.out >table 2>&1
grep -q '^sampled: every 4K bytes' table
ok $? 'after SIGKILL the image knows it' || diag "$(head -20 table)"

# The whole blocks that were live are no more than were allocated.
"$MEMMON_BUILD/tests/monmake" >held <<'EOF1'
run program /bin/x
run sample 4096
run threads 1
module w /bin/x exe at 0x400000 0x500000 0
chain a w:0x401008
chain b w:0x401088
alloc a 24 1 1
alloc b 24 1
peak a 1 24
peak b 1 24
thread main threads 1 flags 1 allocs 2 bytes 48 frees 1 freed 24
cell a 1 24 1 1 peak 1
cell b 1 24 1 0 peak 1
total peak 48
EOF1
is "$("$MPREDUCE" --sql='SELECT sum(peak_blocks > allocs) AS n FROM sites' \
	held 2>/dev/null | tail -n 1 | tr -d ' ')" 0 \
	'no path held more at the peak than it allocated'

"$MEMMON" --sample=x true 2>err
is "$?" 125 'no number of bytes'
grep -q -- '--sample takes a number of bytes' err
ok $? 'is refused'
done_testing
