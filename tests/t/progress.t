#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The line with mpreduce's progress: on a terminal, once it takes longer than a
# second, and removed at the end; never anywhere else.  Here a second passes at
# each look at the clock, or none at all.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >clock.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t c, struct timespec *t)
{
	static long now = 1000;
	(void)c;
	t->tv_sec = getenv("STILL") ? now : now++;
	t->tv_nsec = 0;
	return 0;
}
C
cat >prog.c <<'C'
#include <stdlib.h>
struct a { int v[10]; };
int main(void)
{
	free(malloc(sizeof(struct a)));
}
C
$CC -shared -fPIC -o clock.so clock.c
$CC -g -o prog prog.c
"$MEMMON" -o mon.out -- ./prog
"$MPREDUCE" mon.out >want 2>err
is "$(cat err)" '' 'nothing of the kind elsewhere'
LD_PRELOAD=./clock.so "$MPREDUCE" mon.out >out 2>err
is "$(cat err)" '' '  nor when it takes long'
is_file out want '  and the tables are there'

if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	skip 8 'no script(1) that makes terminals'
	done_testing
	exit
fi

# terminal COMMAND: standard error is a terminal, and is copied to `seen'.
terminal()
{
	script -qec "$1" typescript </dev/null >/dev/null
	sed '1{/^Script started/d}; ${/^Script done/d}' typescript >seen
	tr -d '\n' <seen >lines
	tr '\r' '\n' <lines >parts
}

terminal "STILL=1 LD_PRELOAD=./clock.so '$MPREDUCE' mon.out >out"
is "$(tr -d '[:space:]' <seen)" '' 'nothing on a terminal when it is quick'
is_file out want '  and the tables are there'
terminal "LD_PRELOAD=./clock.so '$MPREDUCE' mon.out >out"
like "$(cat parts)" 'mpreduce: looking up functions: [0-9]+%' \
	'a line when it takes long'
like "$(cat parts)" 'mpreduce: reading the types of prog: [0-9]+%' \
	'  which says what is being done'
is "$(tail -n 1 parts | tr -d ' ')" '' '  blanks at the end'
longest=$(awk 'length > n { n = length } END { print n }' parts)
[ "$longest" -gt 20 ] && [ "$longest" -lt 80 ]
ok $? "  no longer than a line: $longest"
is_file out want '  and the tables are there'

# The line is removed before a warning: here the program is missing.
rm prog
terminal "LD_PRELOAD=./clock.so '$MPREDUCE' mon.out >out"
like "$(cat parts)" $'\n *\nmpreduce: [^\n]*prog: can.t be opened' \
	'it goes before a warning'
done_testing
