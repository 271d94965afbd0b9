#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --watch: a program that runs, seen again and again, until it ends: live blocks
# and how they grow, no figure below 0; on a terminal, with keys, and the
# terminal is as before afterwards, however it ends.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# The program obeys each line on its standard input.  N: N blocks of 1000 bytes
# more in more(); =N: one of N * 1000 bytes, which no look sees in part; -N: N
# blocks of 64 allocated and freed in churn().
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct thing { char c[1000]; };
static void *volatile kept;
static __attribute__((noinline)) void more(int n, int things)
{
	while (n-- > 0) {
		struct thing *t = malloc(things * sizeof(*t));
		kept = t;
	}
}
static __attribute__((noinline)) void churn(int n)
{
	while (n-- > 0) {
		kept = malloc(64);
		free(kept);
	}
}
int main(void)
{
	static char line[64];
	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		int one = *line == '=', n = atoi(line + one);
		if (n > 0)
			more(one ? 1 : n, one ? n : 1);
		else
			churn(-n);
		puts("done");
	}
	return 3;
}
END
$CC -g -O1 -o prog prog.c || skip_all "can't compile"

# start NAME: starts the program; tell N: makes it do something.
start()
{
	coproc P { MEMMON_OUT=$T/$1 exec "$MEMMON" ./prog; }
	pid=$P_PID to=${P[1]} from=${P[0]}
}
tell()
{
	echo "$1" >&"$to" && read -r -t "$HANG" _ <&"$from"
}
stop()
{
	eval "exec $to>&-"
	wait "$pid"
}

# wait_for TEXT [FILE]: until it, a basic regular expression, is in `out'.
wait_for()
{
	for _ in $(seq $((10 * HANG))); do
		! grep -q -- "$1" "${2:-out}" 2>/dev/null || return 0
		sleep 0.1
	done
	diag "nothing came of $1"
}

# line N: a line of `out', not counting the line of RSS, which a program of less
# than 20 ms lacks.
line() { sed '/^RSS of .* s ago: /d' out | sed -n "$1p"; }

start a.mon
tell 5
tell -100
timeout "$HANG" "$MPREDUCE" --watch=0.1,1 a.mon >out 2>err
is "$?" 0 "one look"
like "$(line 1)" "^prog, pid $pid, [0-9.]+ s since the start$" "heading"
like "$(line 2)" "^live 5000 bytes in 5 blocks, peak 50(00|64), RSS [0-9]+ [(]anonymous [0-9]+, files [0-9]+, shared [0-9]+[)]$" \
	"what is live, and RSS"
like "$(line 3)" "^a second: - allocations of - bytes; since the start [0-9]+ of [0-9]+ a second" \
	"no rate yet"
is "$(line 4)" "growth: - since the last look, 0 since the watch began, +5000 \
since the start" "growth"
is "$(line 5)" "call paths by live bytes" "what the rows are"
is "$(line 7 | sed 's/  */ /g')" \
	" live blocks +-last +-watch allocs/s bytes/s path, innermost first" "heads"
is "$(line 8 | sed 's/  */ /g')" " 5000 5 - 0 - - more < main" "the largest"
is "$(line 9 | sed 's/  */ /g')" " 0 0 - 0 - - churn < main" "another"
timeout "$HANG" "$MPREDUCE" --watch=0.1,1 "$pid" >out 2>err
is "$?" 0 "by the number of the process"
is "$(line 8 | sed 's/  */ /g')" " 5000 5 - 0 - - more < main" "the same"

# Growth from look to look: the second look sees what was done after the first.
timeout "$HANG" "$MPREDUCE" --watch=0.3,600 --top=1 ./prog a.mon >out 2>err &
watch=$!
wait_for '^growth: - since the last look'
tell =7
tell -1000
wait_for 'growth: 0 since the last look, +7000 since the watch'
stop
is "$?" 3 "the program isn't disturbed"
wait "$watch"
is "$?" 0 "and with it ends the watch"
like "$(cat out)" "live 12000 bytes in 6 blocks" "what came was seen"
like "$(cat out)" "growth: \+7000 since the last look, \+7000 since the watch \
began, \+12000 since the start" "as growth"
like "$(cat out)" "growth: 0 since the last look, \+7000 since the watch" \
	"which is over at the next look"
like "$(grep 'more < main' out | sed 's/  */ /g')" \
	" 12000 6 \+7000 \+7000 [0-9]+ [1-9][0-9]* more < main" \
	"and in its row"
like "$(grep '^prog' out | tail -n 1)" "; it has ended: exit" "it says so at last"
is "$(sed 's/+-[a-z]*//g' out | grep -E '(^| )-[0-9]')" "" "nothing is below 0"
is "$(cat err)" "" "without a word"

# A program that has ended; one that doesn't exist yet; a reader that reads no
# more.
timeout "$HANG" "$MPREDUCE" --watch a.mon >out 2>err
is "$?" 0 "a program that has ended"
like "$(line 1)" "; it has ended: exit" "is seen once"
timeout "$HANG" "$MPREDUCE" --watch=0.1 late.mon >out 2>err &
watch=$!
wait_for 'does not exist yet' err
MEMMON_OUT=$T/late.mon "$MEMMON" ./prog </dev/null
wait "$watch"
is "$?" 0 "one that comes later"
is "$(cat err)" "mpreduce: late.mon does not exist yet; waiting" \
	"is waited for, which is said once"
start b.mon
tell 5
timeout "$HANG" "$MPREDUCE" --watch=0.1 b.mon 2>err | head -n 2 >out
is "$(wc -l <out)" 2 "head has what it wants"
like "${PIPESTATUS[*]}" "^0" "and nothing hangs"
timeout "$HANG" "$MPREDUCE" --watch=0.1,2 --sort=rate --units=human b.mon >out 2>err
like "$(cat out)" "call paths by bytes allocated a second" "--sort"
like "$(cat out)" "live 4.88K bytes" "--units=human"
for bad in "--sort=size b.mon" "b.mon b.mon b.mon" "1" "--json b.mon" \
	"-o x b.mon"; do
	# shellcheck disable=SC2086
	timeout "$HANG" "$MPREDUCE" --watch=0.1 $bad >out 2>err
	is "$? $(wc -l <err) $(wc -c <out)" "1 1 0" "refused: $bad"
done
for bad in 0 x -1 1e99; do
	timeout "$HANG" "$MPREDUCE" --watch=$bad b.mon >out 2>err
	is "$? $(grep -c "^mpreduce: --watch=$bad: not a number" err)" "2 1" \
		"no interval: $bad"
done

# On a terminal.
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	skip 14 "no script that makes terminals"
	stop
	done_testing
	exit
fi

# on_terminal KEYS COMMAND: copies its output to `out', with stty's settings
# before and after.  KEYS is a command that writes the typed keys.
on_terminal()
{
	printf '%s\n' "stty rows 20 cols 70; stty -g >before" "$2" \
		'echo "status $?" >status' "stty -g >after" >run.sh
	$1 | TERM=xterm timeout "$HANG" script -qec "bash run.sh" /dev/null \
		>out 2>err
}
esc=$(printf '\033')
# Sends each key once the screen that the last key asked for has come.
keys()
{
	wait_for 'call paths by live bytes'
	printf s
	wait_for 'growth since the last look; keys'
	printf s
	wait_for 'growth since the watch began; keys'
	printf t
	wait_for 'functions by growth'
	printf t
	wait_for 'types by growth'
	wait_for 'struct thing'
	printf q
}
on_terminal keys "$MPREDUCE --watch=0.2 b.mon"
is "$(cat status)" "status 0" "q ends it"
is "$(cat after)" "$(cat before)" "the terminal is as before"
like "$(tr -d '\n' <out)" "$esc\[\?1049h$esc\[\?25l.*$esc\[\?25h$esc\[\?1049l" \
	"in a screen of its own"
like "$(cat out)" "growth since the last look; keys" "s: another order"
like "$(cat out)" "growth since the watch began; keys" "and another"
like "$(cat out)" "functions by growth" "t: functions"
like "$(cat out)" "types by growth" "t: types"
like "$(cat out)" "struct thing" "which are there"
like "$(cat out)" 'more \(prog\.c:[0-9]' \
	"call paths by the program's lines"
is "$(tr -d '\r' <out | sed "s/$esc\[[?0-9]*[A-Za-z]//g" |
	awk 'length($0) > 70 && !/^.?prog, pid.*prog, pid/' |
	grep -c 'innermost first.*innermost')" 0 "no line is too long"

for signal in TERM INT; do
	# Signals the process by its number, to hit no other process.
	printf '%s\n' "stty rows 20 cols 70; stty -g >before" \
		"$MPREDUCE --watch=0.2 b.mon & echo \$! >number; fg" \
		"stty -g >after" >inner.sh
	rm -f after number out
	(
		wait_for 'call paths by'
		wait_for . number
		kill -"$signal" "$(cat number)"
		wait_for . after
	) | TERM=xterm timeout "$HANG" script -qec "bash -m inner.sh" /dev/null \
		>out 2>err
	is "$(cat after)" "$(cat before)" "SIG$signal: the terminal is as before"
	like "$(tr -d '\n' <out)" "$esc\[\?1049h.*$esc\[\?1049l" \
		"SIG$signal: and so is the screen"
done
stop
done_testing
