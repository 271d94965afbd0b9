#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The call paths that freed the blocks of a call path: exact counts, in each
# output; for sums, for threads, after a reset and a fork; with more pairs than
# are recorded; for runs without this data.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# a() is freed by drop() 6 times and by clear() 3 times, one is kept; b() by
# drop() 3 times and by main's realloc once, whose block clear() frees.
cat >few.c <<'E'
#include <stdlib.h>
static void *a(void) { return malloc(24); }
static void *b(void) { return malloc(100); }
static void drop(void *p) { free(p); }
static void clear(void *p) { free(p); }
int main(void)
{
	void *v[10];
	for (int i = 0; i < 10; i++)
		v[i] = a();
	for (int i = 0; i < 6; i++)
		drop(v[i]);
	for (int i = 6; i < 9; i++)
		clear(v[i]);
	for (int i = 0; i < 4; i++) {
		void *p = b();
		if (i < 3)
			drop(p);
		else
			clear(realloc(p, 200));
	}
	return 0;
}
E
$CC -O0 -g few.c -o few && "$MEMMON" -o few.mon -- ./few
ok $? 'a program is recorded'

# answer SQL FILE...: its rows
answer()
{
	local sql=$1
	shift
	"$MPREDUCE" --export=csv --sql="$sql" "$@" | tail -n +2 | tr -d '\r'
}

# pairs FILE...: site, site that freed, blocks, bytes.
pairs()
{
	answer "SELECT replace(site, 'main > ', ''),
		replace(freed_by, 'main > ', ''), timed, blocks, bytes
		FROM freed_by ORDER BY 1, 2" "$@" | tr '\n' ' '
}
is "$(pairs few few.mon)" \
	'a,clear,3,3,72 a,drop,6,6,144 b,drop,3,3,300 b,main,1,1,100 main,clear,1,1,200 ' \
	'each pair'
is "$(answer 'SELECT sum(blocks) FROM freed_by' few few.mon)" \
	"$(total few.mon frees)" \
	'they add up to all frees'
"$MPREDUCE" --lifetimes few few.mon >out
is "$(sed -n 's/^ *\([0-9]* ([0-9*]*)\) .*|| main > \(.*[ab]\) *freed by *|| main > \(.*\)/\1 \2 \3/p; s/^ *\([0-9]* ([0-9*]*)\) .*|| > main > \([ab]\) *freed by *|| > main > \(.*[a-z]\) *$/\1 \2 \3/p' out |
	tr '\n' ';')" '6 (66) a drop;3 (33) a clear;3 (75) b drop;' \
	'the last section of --lifetimes'
is "$("$MPREDUCE" --json few few.mon | tr -d '\n' |
	grep -o '"freed_by":\[[^]]*' | grep -o '"timed":[0-9]*' | sort | tr '\n' ' ')" \
	'"timed":1 "timed":1 "timed":3 "timed":3 "timed":6 ' 'JSON'
cp few.mon more.mon
is "$(pairs few few.mon more.mon)" \
	'a,clear,6,6,144 a,drop,12,12,288 b,drop,6,6,600 b,main,2,2,200 main,clear,2,2,400 ' \
	'two files'
"$MPREDUCE" -s few few.mon more.mon
is "$(pairs few mon.sum)" "$(pairs few few.mon more.mon)" 'their sum'
is "$(pairs --only=size:24 few few.mon)" '' 'nothing is known behind a filter'
! "$MPREDUCE" --lifetimes --only=size:24 few few.mon | grep -q 'Freed By'
ok $? '  nor printed'

# Blocks of one thread that another thread frees; an odd number of them is
# timed.
cat >threads.c <<'E'
#include <pthread.h>
#include <stdlib.h>
static void *v[1000];
static void *get(void) { return malloc(40); }
static void *drop(void *p) { for (int i = 0; i < 1000; i++) free(v[i]); return p; }
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 1000; i++)
		v[i] = get();
	pthread_create(&t, NULL, drop, NULL);
	pthread_join(t, NULL);
	return 0;
}
E
$CC -O0 -g threads.c -o threads -pthread &&
	MEMMON_TIMING=1 "$MEMMON" -o threads.mon -- ./threads
is "$(pairs threads threads.mon)" 'get,drop,1000,1000,40000 ' \
	"another thread's frees"
"$MEMMON" -o threads.mon -- ./threads
is "$(answer 'SELECT sum(timed) FROM freed_by' threads threads.mon)" \
	"$("$MPREDUCE" --json threads threads.mon | tr -d '\n' | grep -o '"life":{[^}]*' |
		grep -o '"timed":[1-9][0-9]*' | head -n 1 | tr -dc 0-9)" \
	'of the timed blocks, where not all are'

# 64 call paths that allocate, 64 that free: 4096 pairs; 3072 of them are kept.
{
	echo '#include <stdlib.h>'
	for ((i = 0; i < 64; i++)); do
		echo "static void *a$i(void) { return malloc(16); }"
		echo "static void f$i(void *p) { free(p); }"
	done
	echo 'static void *(*const a[])(void) = {'
	printf 'a%d,' {0..63}
	echo '}; static void (*const f[])(void *) = {'
	printf 'f%d,' {0..63}
	echo '}; int main(void) { for (int i = 0; i < 64; i++)'
	echo 'for (int k = 0; k < 64; k++) f[k](a[i]()); return 0; }'
} >many.c
$CC -O0 -g many.c -o many && MEMMON_TIMING=1 "$MEMMON" -o many.mon -- ./many
is "$(answer 'SELECT count(*), sum(timed), min(timed), max(timed) FROM freed_by' \
	many many.mon)" 3072,3072,1,1 'as many pairs as are recorded'
is "$("$MPREDUCE" -i many.mon | awk '/pairs of call paths/ { print $1 }')" 1024 \
	'the others are counted'
ok "$("$MPREDUCE" --lifetimes many many.mon | grep -q '^1,024 freed blocks are missing'
	echo $?)" '  and that is said'

# A reset forgets them, and a child of a fork has its own.
cat >again.c <<'E'
#include <memmon.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *a(void) { return malloc(24); }
static void drop(void *p) { free(p); }
static void clear(void *p) { free(p); }
int main(int argc, char **argv)
{
	(void)argv;
	drop(a());
	if (argc > 1)
		memmon_reset();
	else if (fork())
		return wait(NULL) < 0;
	clear(a());
	clear(a());
	return 0;
}
E
$CC -O0 -g -I"$MEMMON_SRC/monitor" again.c -o again "$LIBMEMMON"
rm -f mon.out*
"$MEMMON" -o reset.mon -- ./again x
is "$(pairs again reset.mon)" 'a,clear,2,2,48 ' 'after a reset'
"$MEMMON" -o fork.mon -- ./again
is "$(pairs again fork.mon)" 'a,drop,1,1,24 ' 'a process that forks'
is "$(pairs again fork.mon.*)" 'a,clear,2,2,48 ' '  and its child'

# An image lacks these counts.
cat >kill.c <<'E'
#include <signal.h>
#include <stdlib.h>
int main(void) { free(malloc(3)); raise(SIGKILL); return 0; }
E
$CC -O0 -g kill.c -o kill
"$MEMMON" -o kill.mon -- ./kill 2>/dev/null
is "$(pairs kill kill.mon)" '' 'a killed run: unknown'
! "$MPREDUCE" --lifetimes kill kill.mon | grep -q 'Freed By'
ok $? '  and not printed'
done_testing
