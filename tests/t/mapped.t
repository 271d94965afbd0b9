#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Memory that the program maps by itself (mpreduce --memory=mapped): each figure
# equals the program's own account and the kernel's.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
prog=$PROG/arenas

# figures FILE: a line for each function, as the program's.
figures()
{
	"$MPREDUCE" --sql="SELECT site, calls, bytes, mapped, resident, ended
		FROM mappings" "$prog" "$1" 2>&1 |
		awk 'NF > 5 && $(NF - 4) ~ /^[0-9]+$/ { print $(NF - 5), $(NF - 4),
			$(NF - 3), $(NF - 2), $(NF - 1), $NF }' | sort
}
# account FILE: the program's own lines, sorted.
account()
{
	sort "$1"
}

for how in '' '--sample=512K' '-l'; do
	# shellcheck disable=SC2086 # words
	"$MEMMON" -q $how -o a.mon "$prog" account >out 2>err
	is "$? $(cat err)" '0 ' "${how:-usual}: it runs as alone"
	is "$(figures a.mon)" "$(account out)" '... its account, and the kernel'\''s'
done
"$MEMMON" -q -o a.mon "$prog" account >out
is "$("$MPREDUCE" --json "$prog" a.mon | tr -d '\n' | grep -o '"mappings":\[[^]]*' |
	grep -o '"calls":[0-9]*' | tr -dc '0-9\n' | awk '{ n += $1 } END { print n }')" 14 \
	'JSON has them'
"$MPREDUCE" --memory=mapped -b "$prog" a.mon >table
like "$(cat table)" ' 41943040 +- +private +arena_grow [(]arenas\.c:[0-9]+[)] < arenas [(]|[0-9.]+ms +private +arena_grow [(]arenas.c:[0-9]+[)] < arenas' \
	'the table: the line that maps, and who called it'
like "$("$MPREDUCE" --memory -b "$prog" a.mon)" \
	'The program mapped [0-9]+ bytes of it by itself: --memory=mapped' \
	'--memory leads there'
"$MPREDUCE" --summary "$prog" a.mon >first
like "$(cat first)" 'Mapped by the program: [0-9.]+ MB in memory, by 14 calls' \
	'the first screen says how much'
like "$(cat first)" '[0-9.]+ MB +[0-9]+%  10 calls  arena_grow [(]arenas\.c:[0-9]+[)] < ' \
	'... and where'
cat >pools.c <<'C'
#include <sys/mman.h>
static __attribute__((noinline)) void *pool(int n)
{
	char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 1 << 20; i += 4096)
		p[i] = 1;
	return n ? pool(n - 1) : p;
}
static __attribute__((noinline)) void *get(void) { return pool(0); }
static void *one(void) { return get(); }
static void *two(void) { return get(); }
int main(void) { return !one() + !two() + !two(); }
C
$CC -g -O0 -o pools pools.c
"$MEMMON" -q -o pools.mon ./pools
like "$("$MPREDUCE" --summary ./pools pools.mon)" \
	'by 3 calls[^\n]*'$'\n'' *3\.00 MB +100%  3 calls  pool [(]pools\.c:4[)] < get [(]pools\.c:10[)] < \.\.\.'$'\n\n' \
	'... one row for a line that several paths lead to'
is "$("$MPREDUCE" --full "$prog" a.mon | grep -c arena_grow)" 0 \
	'no table of blocks has them'
# Blocks of malloc are as without.
is "$("$MPREDUCE" --sql="SELECT count(*) FROM sites WHERE function = 'arena_grow'" \
	"$prog" a.mon | tail -n 1 | tr -d ' ')" 0 'nor has the table of sites'

# Several files together, and a sum of them.
"$MPREDUCE" -s -o s.mon "$prog" a.mon a.mon
twice=$(account out | awk '{ for (i = 2; i <= NF; i++) $i *= 2; print }')
is "$(figures s.mon)" "$twice" 'a sum of two files has twice as much'
"$MPREDUCE" --diff -b "$prog" a.mon a.mon >diff
is "$(sed -n '/^Memory that the program maps/,$p' diff | sed -n 3p)" 'None.' \
	'--diff: a run does not differ from itself'
"$MEMMON" -q -o c.mon "$prog" forks
"$MEMMON" -q -o d.mon "$prog" threads
"$MPREDUCE" --diff -b "$prog" d.mon c.mon >diff
like "$(sed -n '/^Memory that the program maps/,$p' diff)" \
	' 0 +17825792 +[+]17825792 +arena_grow [(]arenas.c[)]' '... and two runs do'
like "$("$MPREDUCE" --diff --json "$prog" d.mon c.mon | sed -n '/^"mapped"/,$p')" \
	'"name":"arena_grow [(]arenas.c[)]","old_bytes":0,"new_bytes":17825792' '... in JSON'
"$MPREDUCE" --html=page.html "$prog" a.mon
like "$(grep -o '"memory":{.*' page.html | head -c 4000)" \
	'"mapped":[{].*17825792' 'the page has them'
# Figures that are not known are marked as unknown.
like "$("$MPREDUCE" --memory=mapped -b --at=50% "$prog" a.mon 2>&1)" \
	'What the program maps is not known: it is known only for the end' \
	'--at: not known'
"$MEMMON" -q -o k.mon "$PROG/killed" kill 10 2>/dev/null
like "$("$MPREDUCE" --memory=mapped -b "$PROG/killed" k.mon 2>&1)" \
	'What the program maps is not known' 'killed: not known'
"$MEMMON" -q -o n.mon "$PROG/store"
like "$("$MPREDUCE" --memory=mapped -b "$PROG/store" n.mon)" \
	'The program mapped no memory by itself' 'a program that maps nothing'

# Threads at once, and forks.
"$MEMMON" -q -o t.mon "$prog" threads
is "$("$MPREDUCE" --sql='SELECT calls, ended, mapped, bytes FROM mappings' "$prog" t.mon |
	tail -n 1 | tr -s ' ')" " 8000 8000 0 $((4 * 400 * 15 * 4096))" \
	'four threads: each call is counted once'
"$MEMMON" -q -o f.mon "$prog" forks
child=$(ls f.mon.* | head -n 1)
is "$(figures f.mon | awk '$1 == "arena_grow" { print $2 }')" 10 "the parent's are its own"
is "$(figures "$child")" 'arena_grow 1 2097152 2097152 1048576 0' \
	"a child has its own, and not its parent's"

# Calls that fail change nothing; mappings that the kernel joins stay apart in
# the tables; also mappings of a constructor, before the first malloc().
cat >odd.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
static void *get(size_t n)
{
	return mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
__attribute__((noinline, noclone)) static void *fails(void)
{
	char *p = get(65536);
	int bad = munmap(p, (size_t)1 << 60) == 0 || munmap(p + 1, 4096) == 0 ||
		shmdt(p) == 0 || mremap(p, 65536, (size_t)1 << 60, 0) != MAP_FAILED;
	return bad ? NULL : p;
}
__attribute__((noinline, noclone)) static char *beside(void)
{
	char *volatile keep;
	for (int i = 0; i < 10; i++) {
		keep = memset(malloc(200000), 1, 200000);
		memset(get(1 << 20), 1, 1 << 20);
	}
	return keep;
}
__attribute__((noinline, noclone)) static int hint(void)
{
	char *there = get(1 << 20), *p = get(8192);
	munmap(there, 1 << 20);
	return mremap(p, 8192, 8192, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, there) == there;
}
int main(void)
{
	printf("%d %d %d\n", fails() != NULL, beside() != NULL, hint());
	return 0;
}
C
cat >early.c <<'C'
#include <sys/mman.h>
__attribute__((constructor)) void early(void)
{
	mmap(0, 28672, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
void *_Znwm(unsigned long n) { return (void *)n; }
C
$CC -g -O1 -w -o odd odd.c
$CC -g -O1 -w -fPIC -shared -o libearly.so early.c
./odd >plain
LD_PRELOAD=$T/libearly.so "$MEMMON" -q -o odd.mon ./odd >out
is "$(cat out)" "$(cat plain)" 'calls that fail, and a hint: as alone'
is "$("$MPREDUCE" --sql="SELECT mapped, ended FROM mappings WHERE site LIKE '%fails%'" \
	./odd odd.mon | tail -n 1 | tr -s ' ')" ' 65536 0' 'what failed changes nothing'
is "$("$MPREDUCE" --sql="SELECT bytes >= 10485760 FROM memory WHERE name = 'mapped'" \
	./odd odd.mon | tail -n 1 | tr -d ' ')" 1 '--memory: beside blocks that the kernel joins it with'
is "$("$MPREDUCE" --sql="SELECT calls, bytes FROM mappings WHERE site LIKE '%early%'" \
	./odd odd.mon | tail -n 1 | tr -s ' ')" ' 1 28672' \
	'a constructor, of a library with an operator new of its own'

# Mappings of an allocator are not the program's: an allocator that is
# preloaded, and one that isn't.
cat >own.c <<'C'
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <string.h>
#include <errno.h>
static char *at, *end;
void *malloc(size_t n)
{
	n = (n + 31) & ~15ul;
	if (!at || (size_t)(end - at) < n) {
		at = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		end = at + (1 << 20);
	}
	*(size_t *)at = n;
	return (at += n) - n + 16;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t m) { return malloc(n * m); }
void *realloc(void *p, size_t n)
{
	void *new = malloc(n);
	size_t was = p ? ((size_t *)p)[-2] - 16 : 0;
	return p ? memcpy(new, p, was < n ? was : n) : new;
}
void *memalign(size_t a, size_t n)
{
	return (void *)(((size_t)malloc(n + a) + a - 1) & -a);
}
void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { return *p = memalign(a, n), 0; }
C
$CC -O1 -g -fno-builtin -fPIC -shared -o libown.so own.c
LD_PRELOAD=$T/libown.so "$MEMMON" -q -o o.mon "$prog" account >out 2>err
is "$(figures o.mon | grep -c malloc)" 0 'what an allocator maps is left out'
is "$(figures o.mon)" "$(account out)" "... and the program's is there"
cat >new.cc <<'C'
#include <cstdlib>
#include <new>
#include <sys/mman.h>
__attribute__((noinline)) void *operator new(std::size_t n)
{
	static char *at, *end;
	n = (n + 15) & ~std::size_t(15);
	if (std::size_t(end - at) < n) {
		at = (char *)mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		end = at + (1 << 20);
	}
	return at += n, at - n;
}
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}
struct node { char text[400]; };
node *volatile keep;
static void *volatile block;
int main()
{
	for (int i = 0; i < 50000; i++)
		(keep = new node)->text[0] = 1;
	block = std::malloc(100);
}
C
$CXX -g -O1 -o new new.cc
"$MEMMON" -q -o new.mon ./new 2>/dev/null
like "$("$MPREDUCE" --summary ./new new.mon)" \
	'MB 100%  20 calls  main [(]new\.cc:23[)]' \
	"an operator new of the program's: the first screen says where its memory is"

# Linked, statically, attached; by an instrumented program.
$CC -g -O1 -o linked "$MEMMON_SRC/tests/prog/arenas.c" -pthread \
	-L"$MEMMON_BUILD" -Wl,--no-as-needed -lmemmon -Wl,-rpath,"$MEMMON_BUILD"
MEMMON_OUT=l.mon ./linked account >out
is "$(prog=./linked figures l.mon)" "$(account out)" 'linked with -lmemmon'
if [ -e "$MEMMON_BUILD/libmemmon.a" ]; then
	$CC -g -O1 -static -o static "$MEMMON_SRC/tests/prog/arenas.c" -pthread \
		$(sed 's/[#].*//; s/^\([a-z_].*\)/-Wl,--wrap=\1/' \
			"$MEMMON_SRC/monitor/wrap.list") \
		-L"$MEMMON_BUILD" -lmemmon 2>err && MEMMON_OUT=st.mon ./static account >out
	is "$(prog=./static figures st.mon)" "$(account out)" 'linked statically'
else
	skip 1 'no static library'
fi
# With accesses recorded, alone and under memmon: there are two libraries then.
if MEMMON_CC_QUIET=1 "$MEMMON_BUILD/memmon-cc" -g -O1 -w -o acc \
	"$MEMMON_SRC/tests/prog/arenas.c" -pthread 2>err; then
	MEMMON_OUT=acc.mon ./acc account >out
	is "$(prog=./acc figures acc.mon)" "$(account out)" 'by memmon-cc'
	"$MEMMON" -q -o acc2.mon ./acc account >out
	is "$(prog=./acc figures acc2.mon)" "$(account out)" '... under memmon'
else
	skip 2 'no memmon-cc here'
fi
if may_attach; then
	rm -f go
	"$prog" wait >out &
	victim=$!
	until_said out ready
	attach -o at.mon
	touch go
	wait $victim
	is "$? $(figures at.mon)" '0 arena_grow 1 2097152 2097152 1048576 0' \
		'attached: what is mapped since'
	wait $attached
else
	skip 1 'ptrace is not allowed here'
fi

# A program that allocates nothing has snapshots, files in between, and a record
# of its memory over time.
cat >only.c <<'C'
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 800; i++) {
		void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		usleep(500);
		munmap(p, 4096);
	}
	return 0;
}
C
"$CC" -g -O1 -o only only.c
rm -f run*
"$MEMMON" -q --every=50ms -o run ./only
ok $(($(ls run.*.* | wc -l) < 2)) "a program that only maps: files as time goes by"
ok $(($("$MPREDUCE" --export=csv --sql='select count(*) from memory_snapshots' ./only \
	run 2>/dev/null | tr -d '\r' | sed 1d) < 3)) "... and snapshots of its memory"
done_testing
