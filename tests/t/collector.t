#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Blocks of the Boehm collector (libgc).  Each is counted once, whichever
# function makes it.  A block that a collection finds unreachable is freed at
# that time.  Blocks that the collector reaches at the end are not freed.
# memmon doesn't change how the collector behaves.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
echo '#include <gc.h>' >try.c
echo 'int main(void) { return GC_malloc(1) == 0; }' >>try.c
$CC try.c -o try -lgc 2>/dev/null || skip_all 'no libgc-dev'

cat >kinds.c <<'C'
#include <gc.h>
#include <gc/gc_typed.h>
#include <stdio.h>
#include <string.h>
#define KEEP __attribute__((noinline))
static void *kept[64];
static int finalized, events;
static void finalizer(void *p, void *data) { finalized++; GC_malloc(3001); }
static void event(GC_EventType type) { events += type == GC_EVENT_RECLAIM_END; }
KEEP static void garbage(int n) { for (int i = 0; i < n; i++) { void **p = GC_malloc(1001); *p = p; } }
KEEP static void keep(int n) { for (int i = 0; i < n; i++) kept[i] = GC_malloc(1002); }
KEEP static void kinds(void)
{
	GC_word bits[1] = { 1 };
	GC_descr d = GC_make_descriptor(bits, 2);
	kept[40] = GC_malloc_atomic(1003);
	kept[41] = GC_malloc_uncollectable(1004);
	kept[42] = GC_malloc_explicitly_typed(1005, d);
	kept[43] = GC_calloc_explicitly_typed(3, 400, d);
	kept[44] = GC_memalign(64, 1006);
	kept[45] = GC_malloc_ignore_off_page(100007);
	kept[46] = GC_strdup("seven b");
	kept[47] = GC_debug_malloc(1008, __FILE__, __LINE__);
	GC_posix_memalign(&kept[48], 64, 1009);
	GC_free(GC_malloc(1010));
}
KEEP static void resized(void) { kept[50] = GC_realloc(GC_realloc(NULL, 1011), 5012); }
KEEP static void large(int n) { for (int i = 0; i < n; i++) GC_malloc(100013); }
KEEP static void final(void) { GC_register_finalizer(GC_malloc(1014), finalizer, 0, 0, 0); }
/* What is left on the stack isn't looked at by us. */
KEEP static void clear(void) { volatile char a[20000]; memset((char *)a, 0, sizeof a); }
int main(void)
{
	GC_INIT();
	GC_set_on_collection_event(event);
	garbage(20000);
	keep(20);
	kinds();
	resized();
	large(50);
	final();
	clear();
	GC_gcollect();
	garbage(10000);
	clear();
	GC_gcollect();
	/* From another thread's view: as many as the program has seen. */
	printf("%d %d %d %zu\n", finalized, events > 0,
	       GC_get_on_collection_event() == event, GC_get_gc_no());
	return 0;
}
C
$CC -w -g -O1 kinds.c -o kinds -lgc || exit 1
# bins SQL: of the sizes above 1000.
sizes()
{
	"$MPREDUCE" --export=csv --sql="SELECT size, allocs, allocs - frees, kept FROM bins
		WHERE size IN (8, 333, 1200, 5012, 100007, 3001) OR
			size BETWEEN 1001 AND 1014 ORDER BY size" "$1" "$2" | tr -d '\r' | tail -n +2
}
./kinds >alone
"$MEMMON" ./kinds >out
is "$(sed 's/ [0-9]*$//' out)" '1 1 1' 'the program runs as it would' || diag "$(cat alone out)"
want=$(sed 's/.* //' alone) got=$(sed 's/.* //' out)
[ $((got * 4)) -ge $((want * 3)) ] && [ $((got * 4)) -le $((want * 5)) ]
ok $? "and collects about as often ($want, $got)"
sizes ./kinds mon.out >got
cat >want <<'W'
8,1,1,8
1001,30000,0,0
1002,20,20,20040
1003,1,1,1003
1004,1,1,1004
1005,1,1,1005
1006,1,1,1006
1008,1,1,1008
1009,1,1,1009
1010,1,0,0
1011,1,0,0
1014,1,0,0
1200,1,1,1200
3001,1,0,0
5012,1,1,5012
100007,1,1,100007
W
is_file got want 'each block is counted once, and each that is collected goes'
got=$(total mon.out 'blocks that it reclaimed')
[ "$got" -ge 30050 ] && [ "$got" -le 30060 ]
ok $? "of these, by the collector: $got"
# With a leak check: nothing of it is lost.
"$MEMMON" -l ./kinds >out
like "$("$MPREDUCE" -b -L ./kinds mon.out)" 'The program has a garbage collector' \
	'the table of leaks says that there is a collector'
is "$("$MPREDUCE" --export=csv --sql='SELECT leaked FROM totals' ./kinds mon.out |
	tr -d '\r' | tail -n 1)" 0 '... and nothing is lost'

# Frees have the time of the collection: one that comes late.
cat >late.c <<'C'
#include <gc.h>
#include <stdio.h>
#include <unistd.h>
#include <string.h>
__attribute__((noinline)) static void garbage(void) { for (int i = 0; i < 1000; i++) GC_malloc(100); }
__attribute__((noinline)) static void clear(void) { volatile char a[20000]; memset((char *)a, 0, sizeof a); }
int main(void)
{
	GC_INIT();
	garbage();
	usleep(300000);
	clear();
	GC_gcollect();
	return 0;
}
C
$CC -w -g -O1 late.c -o late -lgc
MEMMON_TIMING=1 "$MEMMON" ./late
# The collector keeps a block if a word on a stack looks like a pointer to it.
# It does so without memmon, too.
like "$("$MPREDUCE" --json ./late mon.out | grep -o '"name":"garbage".*"life":{[^}]*}')" \
	'"timed":(1000|99[0-9]),.*"min_ns":([3-9][0-9]{8}|[1-9][0-9]{9})' 'a block lives until the collection' ||
	diag "$("$MPREDUCE" --json ./late mon.out | grep -o '"name":"garbage".*"life":{[^}]*}')"

# Threads, and a fork.
cat >threads.c <<'C'
#define GC_THREADS
#include <gc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void *kept[4];
static void *work(void *arg)
{
	for (int i = 0; i < 20000; i++) { void **p = GC_malloc(101); *p = p; if (i % 5000 == 0) { p = GC_malloc(1000); *p = kept[(long)arg]; kept[(long)arg] = p; } }
	return NULL;
}
int main(void)
{
	pthread_t t[4];
	GC_set_handle_fork(1);
	GC_INIT();
	GC_allow_register_threads();
	for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
	if (fork() == 0) { work((void *)0); return 0; }
	wait(NULL);
	return 0;
}
C
$CC -w -g -O1 threads.c -o threads -lgc -pthread
MEMMON_OUT=m.%p "$MEMMON" ./threads
ok $? 'threads and a fork: it runs'
for file in m.*[0-9]; do
	"$MPREDUCE" --export=csv --sql='SELECT size, allocs, allocs - frees < 40 FROM bins
		WHERE size = 101 OR size = 1000 ORDER BY size' ./threads "$file" |
		tr -d '\r' | tail -n +2 | tr '\n' ' '
done >got
like "$(cat got)" '101,80000,1 1000,16,1' 'threads: all are counted, and go'
like "$(cat got)" '101,20000,1 1000,4,1' 'the child: its own are'

# Sampled: estimates of the same figures.
MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=4K -o s.out ./kinds >out
got=$("$MPREDUCE" --export=csv --sql='SELECT allocs FROM totals' ./kinds s.out |
	tr -d '\r' | tail -n 1)
[ "${got%.*}" -gt 25000 ] && [ "${got%.*}" -lt 35000 ]
ok $? "sampled: about as many ($got)"
# A program without the collector doesn't find it in us.
cat >weak.c <<'C'
#pragma weak GC_malloc
void *GC_malloc(unsigned long);
int main(void) { void *p = GC_malloc ? GC_malloc(10) : (void *)1; return p == 0; }
C
$CC -w weak.c -o weak && "$MEMMON" -o w.out ./weak
ok $? 'a program that has no collector, but asks for one'
done_testing
