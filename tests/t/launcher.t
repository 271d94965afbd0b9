#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The launcher: which processes it records, and its message at the end, only on
# a terminal; otherwise everything is as if the program had run by itself.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >prog.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static void on(int sig)
{
	got = sig;
}
/* Not pause(): the signal may come before it. */
static void wait_for_signal(void)
{
	while (!got)
		usleep(1000);
}
int main(int argc, char **argv)
{
	static void *volatile p;
	signal(SIGUSR1, on);
	signal(SIGTERM, on);
	p = malloc(3000000);
	free(malloc(5000000));
	if (argc > 1 && !strcmp(argv[1], "wait")) {
		dprintf(3, "%d %d\n", getppid(), getpid());
		wait_for_signal();
		return 40 + got;
	}
	if (argc > 1 && !strcmp(argv[1], "slow")) {
		signal(SIGTSTP, on);
		dprintf(3, "%d %d\n", getppid(), getpid());
		wait_for_signal();
		usleep(500000);
		raise(SIGSTOP);
		return 60;
	}
	if (argc > 1 && !strcmp(argv[1], "abort")) {
		signal(SIGABRT, SIG_DFL);
		raise(SIGABRT);
	}
	if (argc > 1 && !strcmp(argv[1], "fork") && fork())
		return 0;
	return argc > 1 ? atoi(argv[1]) : 0;
}
C
$CC -g -o prog prog.c
cp prog other

"$MEMMON" -- ./prog 2>err
is "$(cat err)" "" "nothing is said where there is no terminal"
rm -f mon.out*
"$MEMMON" --no-children -- sh -c './prog; ./other; (./prog; true)'
is "$(echo mon.out*)" "mon.out" "--no-children"
rm -f mon.out*
# cat ends when the child has ended.
"$MEMMON" --no-children -- ./prog fork | cat
is "$(echo mon.out*)" "mon.out" "... nor what it forks"
rm -f mon.out*
"$MEMMON" --follow='o*e?' -o mon.out -- sh -c './prog; ./other; ./prog; true'
is "$(for f in mon.out*; do "$MPREDUCE" -i "$f" | sed -n 's,^  program .*/,,p'
	done | sort | uniq -c | awk '{ print $1 $2 }' | grep -v 'sh$')" "1other" \
	"--follow: those whose names fit"
[ -s mon.out ]
ok $? "... and the program itself"
rm -f mon.out*
ln -s "$(type -P true)" python3.99
is "$("$MEMMON" ./python3.99 2>&1)" "" "nor of python"

if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	skip 14 'no script(1) that makes terminals'
	done_testing
	exit
fi
# screen COMMAND: `seen' gets its output on a terminal.
screen()
{
	on_terminal "$1; echo status \$?"
}
rm -f mon.out*
screen "'$MEMMON' ./prog 7"
is "$(cat seen)" "memmon: 7.63 MB allocated, 2.86 MB live at the end, peak 7.63 MB; \
mpreduce ./prog
status 7" "the line at the end, and the program's status"
is "$("$MPREDUCE" --prolog --units=human mon.out | awk '/^(bytes|live|peak)/ {
	print $1 == "live" ? $4 : $2 }' | tr '\n' ' ')" "7.63M 2.86M 7.63M " \
	"... as mpreduce has it"
screen "'$MEMMON' -o here.mon ./prog"
like "$(cat seen)" 'peak 7\.63 MB; mpreduce \./prog here\.mon' \
	"a file of another name"
screen "'$MEMMON' -q ./prog 7"
is "$(cat seen)" "status 7" "--quiet"
screen "'$MEMMON' ./nosuch"
is "$(cat seen)" "memmon: ./nosuch: No such file or directory
status 127" "no such program"
screen "'$MEMMON' ./prog abort"
like "$(cat seen)" 'memmon: 7\.63 MB allocated.*status 134' "a signal ends both"
screen "MEMMON_IMAGE=0 '$MEMMON' -o killed.mon sh -c 'kill -9 \$\$'"
like "$(cat seen)" 'killed\.mon: the program has ended, but no data file.*status 137' \
	"no file comes"
screen "'$MEMMON' ./python3.99"
like "$(cat seen)" 'python keeps small objects in pools of its own; set PYTHONMALLOC=malloc to see the objects' \
	"a word on python"
screen "PYTHONMALLOC=malloc '$MEMMON' ./python3.99; '$MEMMON' -q ./python3.99"
is "$(grep -c 'small objects' seen)" 0 "... unless it is known"
# Signals to memmon are the program's.
screen "'$MEMMON' ./prog wait 3>told & until [ -s told ]; do sleep 0.1; done; \
read m p <told; [ \$m = \$! ] && echo child; kill -USR1 \$!; wait \$!"
like "$(cat seen)" 'child' "the program is memmon's child then"
like "$(cat seen)" 'status 50' "it gets the signals"
rm -f told
screen "'$MEMMON' ./prog wait 3>told & until [ -s told ]; do sleep 0.1; done; \
read m p <told; kill -STOP \$p; \
until grep -q '^State:.T' /proc/\$m/status; do sleep 0.1; done; echo stopped; \
kill -CONT \$m; kill -TERM \$m; wait \$m"
like "$(cat seen)" 'stopped.*status 55' "it stops, and goes on, with the program"
# Not before it, which may have something to do first.
rm -f told
screen "'$MEMMON' ./prog slow 3>told & until [ -s told ]; do sleep 0.1; done; \
read m p <told; kill -TSTP \$m; \
until grep -q '^State:.T' /proc/\$m/status; do sleep 0.02; done; \
grep -q '^State:.T' /proc/\$p/status && echo both; kill -CONT \$m; wait \$m"
like "$(cat seen)" 'both.*status 60' "... when that has stopped"

# An option that is none.
"$MEMMON" --leaks true >out 2>err
is "$? $(sed -n 2p err)" "125 memmon: do you mean --leak-check?" "an option that is none"

# --report: the summary, after the program's own output, and on a terminal in
# place of the end line; the program's status.
MEMMON_OUT=r.mon "$MEMMON" --report sh -c 'echo out; echo err >&2; exit 7' >out 2>err
is "$? $(cat out)" "7 out" "--report: output and status are the program's"
like "$(grep -v '^mpreduce: ' err)" \
	"^err"$'\n'"sh -c .*, ended by _?exit"$'\n'".* allocated, .* peak" \
	"... and the summary is on standard error"
MEMMON_OUT=r.mon on_terminal "$MEMMON --report ./prog" || true
is "$(grep -c '^memmon: ' seen) $(grep -c ' in 2 blocks.* allocated' seen)" "0 1" \
	"... on a terminal in place of the end line"
"$MEMMON" --report -o r.mon ./none >out 2>err
is "$? $(cat out err)" "127 memmon: ./none: No such file or directory" \
	"... not of a program that isn't there"
done_testing
