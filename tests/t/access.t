#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs compiled with memmon-cc, in unusual circumstances: they behave as
# before, and the record is true, or the file says why not.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
mmcc=$MEMMON_BUILD/memmon-cc
export MEMMON_CC_QUIET=1
cd "$T" || exit 1

# accesses FILE PROGRAM: the sums of reads and writes.
accesses()
{
	"$MPREDUCE" --json "$2" "$1" | tr ',{' '\n\n' |
		sed -n '/^"uses":/,/^"unfolded"/s/^"\(reads\|writes\)":\([0-9]*\)$/\2/p' |
		tr '\n' ' '
}

cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	volatile long *p[100];
	long sum = 0;
	for (int i = 0; i < 100; i++) {
		p[i] = malloc(64);
		for (int k = 0; k < 8; k++)
			p[i][k] = i;
		sum += p[i][0] + p[i][7];
	}
	for (int i = 0; i < 100; i++)
		free((void *)p[i]);
	printf("%ld\n", sum);
	return 3;
}
C
"$mmcc" -g -O1 prog.c -o prog
ok $? 'a program'
"$mmcc" -g -O1 -fno-pie -no-pie prog.c -o fixed
ok $? 'one at a fixed address'
for p in prog fixed; do
	is "$(MEMMON_OUT=$p.out ./$p; echo $?)" $'9900\n3' "$p does what it does"
	is "$(accesses $p.out ./$p)" '200 800 ' "$p: its accesses"
done

# Without room for the shadow.
is "$(ulimit -v 3000000; MEMMON_OUT=v.out ./prog; echo $?)" $'9900\n3' \
	'ulimit -v: it does what it does'
"$MPREDUCE" -S -b ./prog v.out >v.txt 2>&1
grep -q 'ulimit -v' v.txt
ok $? '... and the report says what was missing' || diag "$(cat v.txt)"
is "$("$MPREDUCE" -i v.out | sed -n 's/^ *\([0-9]*\)  allocations$/\1/p')" 101 \
	'... allocations are counted all the same'
"$MEMMON" -o plain.out ./prog >/dev/null
gcc -g prog.c -o plain 2>/dev/null || cc -g prog.c -o plain
"$MEMMON" -o plain.out ./plain >/dev/null
"$MPREDUCE" -S -b ./plain plain.out 2>&1 | grep -q memmon-cc
ok $? 'of a program that has no accesses, -S says how to record them'

# Under memmon there is one monitor, which has the accesses.
MEMMON_OUT=under.%p.out "$MEMMON" ./prog >/dev/null
is "$(ls under.*.out | wc -l)" 1 'memmon prog: one file'
is "$(accesses under.*.out ./prog)" '200 800 ' '... with the accesses'

# Other allocators, before us and behind us.
for lib in libjemalloc.so.2 libtcmalloc_minimal.so.4 libmimalloc.so.2; do
	so=$(ldconfig -p 2>/dev/null | sed -n "s|.*$lib .*=> ||p" | head -n 1)
	if [ -z "$so" ]; then
		skip 3 "no $lib"
		continue
	fi
	is "$(timeout "$HANG" env LD_PRELOAD="$so" MEMMON_OUT=o.out ./prog; echo $?)" \
		$'9900\n3' "$lib in front: it does what it does"
	so=$MEMMON_BUILD/libmemmon-access.so:$so
	is "$(timeout "$HANG" env LD_PRELOAD="$so" MEMMON_OUT=a.out ./prog; echo $?)" \
		$'9900\n3' "$lib behind"
	is "$(accesses a.out ./prog)" '200 800 ' '... its accesses'
done

# left_out FILE PROGRAM: blocks in no score: memory was short; too close.
left_out()
{
	"$MPREDUCE" --json "$2" "$1" | tr ',{' '\n\n' |
		sed -n 's/^"\(unfolded\|unplaced\)":\([0-9]*\)$/\2/p' | tr '\n' ' '
}

# Blocks made before our constructor: a library's, which is run before.
cat >before.c <<'C'
#include <stdlib.h>
volatile char *before;
static __attribute__((constructor(101))) void make(void)
{
	before = malloc(320);
	for (int i = 0; i < 320; i += 16)
		before[i] = 1;
}
int after(void)
{
	return before[0];
}
C
cat >after.c <<'C'
int after(void);
int main(void)
{
	return after() - 1;
}
C
"$mmcc" -g -O1 -shared -fPIC before.c -o libbefore.so &&
	"$mmcc" -g -O1 after.c -o after -L. -lbefore -Wl,-rpath,"$T" &&
	MEMMON_OUT=after.out ./after
is "$(accesses after.out ./after)" '1 20 ' \
	"a block of a constructor that is run before the monitor's"
is "$(left_out after.out ./after)" '0 0 ' '... which no score lacks'

# Ten blocks too close to others: six are freed, four live at the end.
cat >close.c <<'C'
#include <stdlib.h>
int main(void)
{
	volatile char *p[10];
	for (int i = 0; i < 10; i++) {
		p[i] = malloc(16);
		p[i][0] = 1;
	}
	for (int i = 0; i < 6; i++)
		free((void *)p[i]);
	return 0;
}
C
"$mmcc" -g -O1 close.c -o close
LD_PRELOAD=$MEMMON_BUILD/libmemmon-access.so:$MEMMON_BUILD/tests/prog/libbump.so \
	MEMMON_OUT=close.out ./close
is "$(left_out close.out ./close)" '0 10 ' 'blocks too close to others'
"$MPREDUCE" -S -b ./close close.out >close.txt
like "$(cat close.txt)" \
	'10 blocks are left out, because their allocator puts other blocks within' \
	'... it is said'
"$MPREDUCE" ./close close.out >close.txt
like "$(cat close.txt)" 'unplaced +10 \(blocks missing from the scores, because' \
	'... in the prolog, too'

cat >odd.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *other(void *p)
{
	volatile char *c = malloc(100);
	(void)p;
	usleep(20000);
	c[0] = 1;
	free((void *)c);
	return NULL;
}
static long high(void)
{
	char line[256];
	long kb = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %ld", &kb) == 1)
			break;
	return kb;
}
int main(int argc, char **argv)
{
	pthread_t t;
	(void)argc;
	if (!strcmp(argv[1], "lock")) {
		int r = mlockall(MCL_CURRENT | MCL_FUTURE);
		volatile char *p = malloc(1 << 20);
		p[12345] = 1;
		return r;
	}
	if (!strcmp(argv[1], "memory")) {
		for (int i = 0; i < 500000; i++)
			memset(malloc(64), 1, 64);
		printf("%ld\n", high());
		return 0;
	}
	if (!strcmp(argv[1], "map")) {
		for (int i = 0; i < 12; i++) {
			volatile char *p = mmap(NULL, 32 << 20,
				PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			for (int k = 0; k < 32 << 20; k += 64)
				p[k] = 1;
			munmap((void *)p, 32 << 20);
		}
		printf("%ld\n", high());
		return 0;
	}
	pthread_create(&t, NULL, other, NULL);
	if (!strcmp(argv[1], "raw"))
		syscall(SYS_exit, 0);
	pthread_exit(NULL);
}
C
"$mmcc" -g -O1 odd.c -o odd -pthread && gcc -O1 odd.c -o oddplain -pthread
ok $? 'another program'
export MEMMON_OUT=odd.out
timeout "$HANG" ./odd lock
ok $? 'mlockall() takes no memory and succeeds'
timeout "$HANG" ./odd pthread
ok $? 'the first thread ends before the others: so does the process'
timeout "$HANG" ./odd raw
ok $? '... the same by exit(2)'
with=$(./odd memory) without=$(./oddplain memory)
[ "$with" -le "$((without * 22 / 10 + 8192))" ]
ok $? "memory: $with KB with $without KB of heap: at most 2.2 times"
with=$(./odd map) without=$(./oddplain map)
[ "$with" -le "$((without * 16 / 10 + 8192))" ]
ok $? "what is unmapped has no shadow: $with KB, without $without KB"

# No table calls libc's own blocks unused.
cat >own.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	FILE *f = fopen("/dev/null", "w");
	for (int i = 0; i < 10; i++) {
		char *s = strdup("copied by libc for the program");
		fputc(s[i], f);
		free(s);
	}
	fclose(f);
	return 0;
}
C
"$mmcc" -g -O1 own.c -o own && MEMMON_OUT=own.out ./own
all=$("$MPREDUCE" -i own.out | sed -n 's/^ *\([0-9]*\)  allocations$/\1/p')
for wrappers in '' --wrapper=none; do
	is "$("$MPREDUCE" --json $wrappers ./own own.out | tr ',{' '\n\n' |
		sed -n 's/^"unobserved_blocks":\([0-9]*\)$/\1/p')" "$((all - 10))" \
		"libc's own blocks are left out ($((all - 10)) of $all) $wrappers"
done
[ "$all" -gt 10 ]
ok $? '... there are some'
"$MPREDUCE" -S -b ./own own.out >own.txt
like "$(cat own.txt)" "code whose accesses aren't recorded are left out" \
	'... which the scores say'
like "$(cat own.txt)" 'program, 1 site;' '... and what strdup() copied is not'
"$MPREDUCE" --fields -b --verbose --units=bytes ./own own.out >own.txt
is "$(grep -c '^[0-9]* blocks*, ' own.txt) $(grep -c '^10 blocks' own.txt)" \
	'2 2' '... nor do the fields have others'

# Tools that keep a state of all memory: no shadow for them to fill and search.
for tool in memcheck helgrind; do
	if ! valgrind --tool=$tool true >/dev/null 2>&1; then
		skip 2 "no $tool"
		continue
	fi
	check=''
	[ $tool != memcheck ] || check=--leak-check=full
	is "$(MEMMON_OUT=vg.out timeout "$HANG" valgrind -q --tool=$tool $check \
		--error-exitcode=9 ./prog 2>&1; echo $?)" $'9900\n3' \
		"$tool: it does what it does"
	like "$("$MPREDUCE" -i vg.out)" 'accesses  *this valgrind tool' \
		'... and the file says why it has no accesses'
done

# For leaks, memcheck searches the mapped image, too: its pages behind the end of
# the file would be a SIGBUS for each word.
cat >behind.c <<'EOS'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
int main(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to, at, end = 0;
	char line[8192], name[4096];
	struct stat st = { 0 };

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095s", &from, &to,
			   &at, name) == 4 && strstr(name, "behind.out") &&
		    at + to - from > end && stat(name, &st) == 0)
			end = at + to - from;
	printf("%d %ld\n", end > 0, (long)end - (long)st.st_size);
	return 0;
}
EOS
$CC -o behind behind.c
cat >short.c <<'EOS'
#include <string.h>
#include <stdio.h>
int main(void)
{
	char *a = strdup("four"), *b = strdup("five");

	return printf("%d\n", strcmp(a + 1, b + 1) > 0) < 0;
}
EOS
"$mmcc" -O0 -fno-builtin -o short short.c
if valgrind true >/dev/null 2>&1; then
	is "$(MEMMON_OUT=short.out valgrind -q ./short 2>&1)" 1 \
		'memcheck: strings are read to their ends, not further'
	is "$("$MEMMON" -q -o behind.out valgrind -q ./behind)" '1 0' \
		'memcheck: no mapped page of the image is behind its end'
else
	skip 2 'no memcheck'
fi

# What a large block costs when it is freed depends on the pages that were used.
cat >large.c <<'EOS'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
int main(void)
{
	struct rusage u;

	for (int i = 0; i < 2000; i++) {
		volatile char *p = malloc(500000);

		p[100000] = 1;
		free((void *)p);
	}
	getrusage(RUSAGE_SELF, &u);
	printf("%ld\n", u.ru_minflt / 2000);
	return 0;
}
EOS
"$mmcc" -O1 -o large large.c
faults=$(MEMMON_OUT=large.out ./large)
ok $((faults > 8)) "500,000 bytes, 1 used: $faults page faults for each block"

# More sites than fit into one record.
{
	echo '#include <stdlib.h>'
	for i in $(seq 700); do
		echo "static void f$i(void) { volatile char *p = malloc($((i % 90 * 16 + 400))); p[16] = 1; p[399] = p[16]; }"
	done
	echo 'int main(void) {'
	for i in $(seq 700); do echo "f$i();"; done
	echo 'return 0; }'
} >sites.c
"$mmcc" -g -O0 sites.c -o sites && MEMMON_OUT=sites.out ./sites
"$MPREDUCE" --json ./sites sites.out >sites.json 2>sites.err
is "$?:$(cat sites.err)" 0: '700 sites: the file is whole'
is "$(accesses sites.out ./sites)" '700 1400 ' '... and has all accesses'

# The clock goes in steps of up to 1/1024 of the run.  If each step would renew
# many words, the steps are up to 8 times as long, and the file says how long.
# All accesses are counted in either case.
cat >steps.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	size_t n = atoi(argv[1]), i = 0, all = 0;
	volatile unsigned char *p = calloc(n, 64);
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	do {
		for (int k = 0; k < 100000; k++, i++)
			all += p[64 * (i * 7919 % n)];
		clock_gettime(CLOCK_MONOTONIC, &b);
	} while ((b.tv_sec - a.tv_sec) * 1e9 + b.tv_nsec - a.tv_nsec < 7e8);
	fprintf(stderr, "%zu\n", i);
	return all != 0;
}
C
"$mmcc" -g -O1 steps.c -o steps
# steps N: the parts of such a run; how it ended, and what it said, in $status
# and `said'.
steps()
{
	MEMMON_OUT=steps.out ./steps "$1" 2>said
	status=$?
	parts=$("$MPREDUCE" -i steps.out | awk '/step \(ns\)/ { step = $NF }
		/^ *seconds/ { all = $2 * 1e9 } END { printf "%d", all / step }')
}
for n in 20 100000; do
	# If the machine stops the run for a long time, the figures differ: try
	# again.
	for _ in 1 2 3 4 5; do
		steps $n
		[ $n = 20 ] && far=$((parts < 900)) || far=$((parts > 600))
		[ $far = 1 ] || break
	done
	is $status 0 "$n words: it does what it does"
	case $n in
	20) ok $far "a step is at most 1/900 of the run ($parts)" ;;
	*) ok $far "... more, where words are many ($parts)" ;;
	esac
	is "$(accesses steps.out ./steps)" "$(cat said) 0 " 'each read is counted'
done
done_testing
