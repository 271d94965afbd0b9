#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of threads (tests/prog/crew.c): each thread's figures are its own,
# in the name it has at its end; many threads take no more memory than a few.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# crew ARGS...: run it, read the figures.
crew()
{
	"$MEMMON" -o m.out "$PROG/crew" "$@" || return 1
	json m.out "$PROG/crew"
}

# Rows: threads, allocations, bytes, frees, freed bytes, frees of others'
# blocks.
crew names
for n in 1 2 3 4 5 6; do
	is "$(thread "hand $n")" \
		"1 $((n * 1000)) $((n * n * 10000)) $((n * 500)) $((n * n * 5000)) 0" \
		"hand $n"
done
# 500 n blocks of 10 n bytes.
is "$(thread sweeper)" "1 0 0 7500 $((5000 * (1 + 4 + 9 + 16 + 25))) 7500" sweeper
read -r n allocs _ frees _ of_others <<<"$(thread crew)"
is "$n $of_others" '1 100' 'main: of others'
# The blocks that starting threads takes are main's.
is "$allocs $frees" "$(($(sum allocs) - 21000)) $(($(sum frees) - 18000))" \
	'main: all else'
is "$(figures threads name=crew main)" true 'main is marked'
is "$(sum threads)" 8 'eight threads'
# All rows together equal the program.
for key in allocs bytes frees freed; do
	is "$(figures threads $key | added)" "$(sum $key)" "the rows add up: $key"
done
is "$(life make by_others) $(sum_life by_others)" '7600 7600' 'frees by others, by chain'
"$MPREDUCE" -b --threads "$PROG/crew" m.out >table
grep -Eq ' 1 +6000 +360000 +3000 +0 +180000 +hand 6$' table
ok $? 'the table as text' || diag "$(cat table)"

crew alike
is "$(figures threads name=alike threads allocs main | sed 's/ false$//' | added)" \
	'20 200' \
	'twenty threads of one name'
is "$(thread other)" '1 10 70 10 70 0' 'a thread that changes its name'

crew running
is "$(thread 'runs 1'), $(thread 'runs 2')" '1 30 270 0 0 0, 1 40 360 0 0 0' \
	'threads that are still running'

# A file written while threads run.  The monitor reads each thread before it
# reads the sites; nevertheless the threads' allocations add up to the sites'.
# Also the last file of a run.
rows=
for end in dump exit signal; do
	"$MEMMON_BUILD/tests/monmake" >snap.out <<-E
		run program /nonexistent/app
		run end $end
		module app /nonexistent/app exe id 0102
		chain a app:0x10 app:0x20
		alloc a 16 10 4
		thread one flags 1 threads 1 allocs 7 bytes 112 frees 4 freed 64
		thread two threads 1
		cell a 1 16 8 3
		cell a 2 16 2 1
	E
	json snap.out "$PROG/crew" 2>/dev/null
	rows+="$(thread one), $(thread two); "
done
is "$rows" "$(printf '1 8 128 4 64 0, 1 2 32 0 0 0; %.0s' 1 2 3)" \
	'threads that ran on add up to the sites'

# 20,000 threads, one after another, four at a time, need as much as 2,000.  The
# record of the time grows with it, to a bound (growth.t).
export MEMMON_TIMELINE=0
"$MEMMON" -o few.out "$PROG/crew" many 2000
crew many 20000
is "$(self make allocs) $(self make frees) $(life make by_others)" \
	'60000 60000 20000' '20,000 short threads: all counts'
is "$(sum threads)" 20001 'all of them counted'
is "$(figures threads threads | added)" 20001 'and in the table'
few=$(total few.out "monitor's bytes") many=$(total m.out "monitor's bytes")
# This allows for five threads at the same time; the small run may have had
# fewer.
ok $((many > few + (512 << 10))) \
	"the monitor's memory doesn't grow with them ($few, $many)"
ok $(($(wc -c <m.out) > 65536)) "nor does the file ($(wc -c <m.out) bytes)"

# The bytes of each allocating thread that were never freed, and those that were
# live at the peak.
cat >own.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void *block[3][1000];
static pthread_barrier_t all;

/* Each frees some of the next one's. */
static void *
run(void *arg)
{
	static const char *const name[] = { "alpha", "beta", "gamma" };
	long k = (long)arg;

	pthread_setname_np(pthread_self(), name[k]);
	for (int i = 0; i < 1000; i++)
		block[k][i] = malloc(100 * (k + 1));
	pthread_barrier_wait(&all);
	for (int i = 0; i < 1000; i++)
		if (i % (k + 2))
			free(block[(k + 1) % 3][i]);
	return NULL;
}

int
main(void)
{
	pthread_t t[3];

	pthread_barrier_init(&all, NULL, 3);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (long i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
"$CC" -g -o own own.c -pthread
"$MEMMON" -o m.out ./own
# sql QUERY: its rows, without blanks around.
sql() { "$MPREDUCE" --export=csv --sql="$1" ./own m.out 2>/dev/null | tr -d '\r' | sed 1d; }
is "$(sql "SELECT name, kept FROM threads WHERE bytes > 9999 ORDER BY name")" \
	"alpha,25000
beta,100000
gamma,100200" 'not freed, by whom it was allocated'
is "$(sql 'SELECT sum(kept), sum(peak) FROM threads')" \
	"$(sql 'SELECT sum(kept), sum(peak) FROM sites')" '... adds up'
slack=$(total m.out "peak's slack")
is "$(sql "SELECT count(*) FROM threads WHERE peak >= bytes - $slack AND
	peak <= bytes")" 4 "live at the peak, to within its slack of $slack"

# Many sizes, each of every thread: of threads that end, counts join.
cells() { "$MPREDUCE" -i m.out | awk '$NF == "cells" && NF == 4 { print $2 }'; }
"$MEMMON" -o m.out "$PROG/crew" sizes 40
few=$(cells)
crew sizes 240
ok $(($(cells) > few || few > 8192)) "nor do cells by threads and sizes ($few, $(cells))"
is "$(thread sizes)" "$(echo 240 $((240 * 300)) $((240 * 45150)) \
	$((239 * 300)) $((239 * 45150)) $((239 * 300)))" \
	'all of one name that ended, and one that runs'
is "$("$MPREDUCE" --where='function = "make"' --group-by=thread \
	--columns=thread,allocs,frees "$PROG/crew" m.out |
	awk 'NF == 3 && $2 ~ /^[0-9]+$/ { print $1, $2, $3 }')" \
	"$(printf '%s 72000 71700\n' '<TOTAL>' sizes)" '... is known by path, too'
is "$(total m.out 'unbinned allocations')" 0 '... each size exactly'

# An option keeps threads of one name apart, in all output.
cat >alike.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *p)
{
	for (long i = 0; i < (long)p; i++)
		free(malloc(100));
	return NULL;
}
int main(void)
{
	pthread_t thread;

	for (long i = 1; i < 4; i++) {
		pthread_create(&thread, NULL, work, (void *)(10 * i));
		pthread_join(thread, NULL);
	}
	return 0;
}
END
"$CC" -g -pthread alike.c -o alike
"$MEMMON" -q --log -o alike.mon ./alike
"$MPREDUCE" --threads=each -b ./alike alike.mon >got
is "$(awk '/alike #/ { print $2, $3, $4, $NF }' got | sort)" "1 10 1000 #1
1 20 2000 #2
1 30 3000 #3" "--threads=each: a row for each thread" || diag "$(cat got)"
is "$("$MPREDUCE" -b --threads=each --sql="select thread, count(*) from blocks
	where thread like '%#%' group by thread" ./alike alike.mon | awk '/#/ { print $2, $3 }')" \
	"#1 10
#2 20
#3 30" "... in SQL"
"$MPREDUCE" --threads=each -L -b --verbose --only='thread:alike #2' ./alike \
	alike.mon >got
like "$(cat got)" 'keeps 2000 of ' "... and in filters" || diag "$(cat got)"
done_testing
