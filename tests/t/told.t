#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables themselves mention what their figures leave out: memory of the
# process that isn't in a block, events that were not recorded, how a process
# ended that wrote no file, the data that an image lacks, functions that are on
# no call path.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >prog.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void memmon_mark(const char *name) __attribute__((weak));
void *volatile sink[1100];

static void
ms(int n)
{
	nanosleep(&(struct timespec){ 0, n * 1000000 }, NULL);
}

/* 48 MB of its own, 20 kB of malloc(); and how it ends. */
int
main(int argc, char **argv)
{
	int own = !strcmp(argv[1], "own") || !strcmp(argv[1], "once");
	size_t size = (size_t)(own ? 48 : 1) << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc < 2 || p == MAP_FAILED)
		return 2;
	memset(p, 1, size);
	for (int i = 0; i < 200; i++) {
		sink[i] = malloc(100);
		if (own && i % 10 == 0)
			ms(5);
	}
	if (memmon_mark)
		memmon_mark("half");
	if (!strcmp(argv[1], "once"))
		munmap(p, size);
	for (int i = 0; i < 1000 && !strcmp(argv[1], "once"); i++) {
		sink[i] = malloc(1);
		if (i % 100 == 0)
			ms(5);
	}
	if (!strcmp(argv[1], "raw"))
		syscall(SYS_exit_group, 3);
	if (!strcmp(argv[1], "kill"))
		kill(getpid(), SIGKILL);
	return 3;
}
C
"$CC" -g -O0 -o prog prog.c || echo "Bail out! prog"
first()
{
	"$MPREDUCE" --summary ./prog mon.out 2>/dev/null
}

# ------------------------------------------------- memory of the process --

"$MEMMON" ./prog own
like "$(first | sed -n 3p)" \
	'^RSS at the end: [45][0-9]\.[0-9] MB, live blocks 19\.5 KB, mapped [45][0-9]\.[0-9] MB; --memory$' \
	'memory that is in no block is on the first screen'
is "$(first | awk 'length > 80')" '' '... in 80 columns'
like "$("$MPREDUCE" --prolog ./prog mon.out)" \
	'resident +[45][0-9]{7} bytes \(RSS\) at the end, highest seen [45][0-9]{7}, ' \
	'... in the prolog'
like "$("$MPREDUCE" --json ./prog mon.out)" \
	'"resident":\{"end":true,"rss":[45][0-9]{7},"live":20000,' '... in JSON'
"$MPREDUCE" --html=page ./prog mon.out
like "$(cat page)" '"name":"resident","text":"the process had [0-9]+ bytes' \
	'... on the page'
# Memory that the program gave back appears at an earlier time.
"$MEMMON" ./prog once
like "$(first | sed -n 3p)" \
	'^RSS at [0-9.]+m?s: [45][0-9]\.[0-9] MB, live blocks ' \
	'memory that is gone at the end, and the time when it was there'
"$MEMMON" ./prog exit
is "$(first | grep -c RSS)" 0 'where there is little the screen has no such line'
like "$("$MPREDUCE" --prolog ./prog mon.out)" 'resident +[0-9]+ bytes' \
	'... but the prolog has'

# ------------------------------------------- processes without a last word --

"$MEMMON" ./prog raw
is "$? $(end_of mon.out)" '3 SIGKILL or exit_group' \
	'exit_group, of which nobody knows'
like "$(first | head -n 1)" ': at least .*, ended by SIGKILL or exit_group$' \
	'... is not called killed'
like "$("$MPREDUCE" -L ./prog mon.out)" \
	'killed: the process ended without writing its data file \(SIGKILL, exit_group\)' \
	'... in a table either'
like "$("$MPREDUCE" --prolog=marks ./prog mon.out)" \
	'Which marks the program set is not known: the process has ended without' \
	'which marks were set isn'"'"'t in an image'
is "$("$MPREDUCE" --json ./prog mon.out | grep -o '"marks":[^,]*')" \
	'"marks":null' '... in JSON'
"$MPREDUCE" --sql='SELECT * FROM marks' ./prog mon.out >out 2>err
is "$?" 1 '... in SQL'
like "$(cat out err)" 'without writing its data file' '... and why'
like "$("$MPREDUCE" --growth=0,end ./prog mon.out 2>&1)" \
	"to the end, " 'whose memory it was over time is known'
like "$("$MPREDUCE" --allocator ./prog mon.out)" \
	'The cost of the allocator is not known: the process has ended without' \
	'nor what the allocator took'
cp mon.out raw.mon
"$MEMMON_BUILD/memmon-cc" -w -g -O0 -o cc prog.c 2>err &&
	./cc raw
"$MPREDUCE" -S ./cc mon.out >out
like "$(cat out)" 'No accesses were recorded: a program writes them at its own end' \
	'nor accesses, though the program records them'
is "$(grep -c 'To record accesses, compile' out)" 0 '... as it says'
like "$("$MPREDUCE" --summary ./cc mon.out)" 'accesses: none were recorded' \
	'... on the first screen'

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	on_terminal "stty cols 80; '$MPREDUCE' --no-pager --color=never \
		-L ./prog raw.mon"
	is "$(grep -c '^killed: ' seen) $(sed '/^$/q' seen | awk '
		length > 80')" '1 ' 'on a terminal of 80 columns: it is told there'
	on_terminal "'$MEMMON' ./prog raw; echo status \$?"
	like "$(cat seen)" 'status 3' 'on a terminal: the status'
	is "$(end_of mon.out)" '_exit' '... is known to be one'
	on_terminal "'$MEMMON' ./prog kill"
	is "$(end_of mon.out)" 'signal 9 (Killed)' '... and SIGKILL'
	is "$("$MPREDUCE" --json ./prog mon.out | grep -o '"killed":[a-z]*')" \
		'"killed":false' '... by which JSON has more than a guess'
	on_terminal "'$MEMMON' ./prog own"
	like "$(cat seen)" 'peak 19\.5 KB, RSS [45][0-9]\.[0-9] MB; mpreduce ./prog' \
		'the line at the end has memory that is in no block'
	on_terminal "MEMMON_MAXMEM=100k '$MEMMON' ./prog exit"
	like "$(cat seen)" ', 19\.5 KB more not recorded; mpreduce ./prog' \
		'... and what was not recorded'
else
	skip 7 'no script(1) that makes terminals'
fi

# ------------------------------------------------------------ tail calls --

cat >tail.c <<'C'
#include <stdlib.h>
__attribute__((noinline)) void *make(void) { return malloc(100); }
__attribute__((noinline)) int other(int n) { return n + 1; }
void *volatile keep[400];
int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 300; i++)
		keep[i] = make();
	return other(argc) - 2;
}
C
sed 's/^.*\*make(void).*/namespace space { & }/; s/= make/= space::make/' \
	tail.c >tail.cc
for how in "$CC tail.c make" "$CXX tail.cc space::make" "$CXX tail.cc make"; do
	read -r cc src name <<<"$how"
	rm -f tail
	"$cc" -g -O2 -o tail "$src" && "$MEMMON" ./tail
	is "$("$MPREDUCE" "-p$name" ./tail mon.out 2>&1)" \
"mpreduce: $name is in the program, but on no call path: it ends in a tail call \
(a jump to another function), so it was no longer active when memory was allocated; \
-fno-optimize-sibling-calls keeps it" "$src: -p$name"
done
like "$("$MPREDUCE" -pother ./tail mon.out 2>&1)" \
	'other is in the program, but on no call path: it allocated nothing' \
	'one that allocates nothing'
like "$("$MPREDUCE" -pnosuch ./tail mon.out 2>&1)" \
	'no function nosuch is in the tables' 'one that is nowhere'
strip -g tail
like "$("$MPREDUCE" -pspace::make ./tail mon.out 2>&1)" \
	'space::make is in the program, but on no call path: .* or made a tail call' \
	'without debug information it is not known that it is one'
like "$("$MPREDUCE" -pother::make ./tail mon.out 2>&1)" \
	'no function other::make is' 'another one of its name'
done_testing
