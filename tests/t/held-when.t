#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# When the graph is made: by a signal, by the program, with each snapshot.  Also
# the blocks on stacks, the blocks that several call paths and types retain, and
# two runs.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v "${CXX:-g++}" >/dev/null || skip_all "there is no C++ compiler"

cat >run.cc <<'C'
#include <fcntl.h>
#include <map>
#include <memory>
#include <signal.h>
#include <stdlib.h>
#include <string>
#include <string.h>
#include <unistd.h>
#include <vector>
#include "memmon.h"
struct Asset { std::string name; char data[1000]; };
static std::map<int, std::shared_ptr<Asset>> cache;
static std::vector<int> plain;
struct Link { Link *next; char pad[100]; };
static Link *list;
__attribute__((noinline)) static Link *link_of(Link *next)
{
	Link *l = new Link;
	l->next = next;
	return l;
}
__attribute__((noinline)) static Link *first() { return link_of(list); }
__attribute__((noinline)) static Link *second() { return link_of(list); }
__attribute__((noinline)) static void serve(int what)
{
	std::vector<std::string> queue(50, std::string(500, 'x'));
	if (what == 's')
		raise(SIGUSR1);
	if (what == 'g' && memmon_graph() != 0)
		_exit(9);
	if (what == 'e')
		close(open("ready", O_CREAT | O_WRONLY, 0600));
	/* Snapshots are made when it allocates. */
	while (what == 'e' && access("seen", F_OK) != 0) {
		void *volatile p = malloc(1);
		free(p);
		usleep(1000);
	}
}
int main(int argc, char **argv)
{
	int assets = argc > 2 ? atoi(argv[2]) : 100;
	for (int i = 0; i < assets; i++)
		cache[i] = std::make_shared<Asset>();
	for (int i = 0; i < 20; i++)
		list = i % 2 ? first() : second();
	char *volatile lost = new char[100];
	lost = NULL;
	plain.resize(500);
	serve(argv[1][0]);
	if (argv[1][0] != 'x')
		cache.clear();
	exit(lost != NULL);
}
C
"$CXX" -std=c++14 -g -O1 -fno-inline -I"$MEMMON_SRC/monitor" -DMEMMON_WEAK -o run \
	run.cc || exit 1

# query FILE SQL: rows of the answer.
query()
{
	"$MPREDUCE" --export=csv --sql="$2" ./run "$1" 2>>err | sed 1d | tr -d '\r"'
}
CACHE="select blocks from roots where root = 'cache'"
QUEUE="select root || ' ' || member from edges where root like 'stack%'
	and member like 'in serve(%variable queue' limit 1"
WHERE='stack of the first thread in serve(int) (run.cc:NN), variable queue'
numbers() { sed 's/:[0-9]*)/:NN)/'; }

# A signal makes a graph without a further option.
"$MEMMON" -q --signal=USR1:graph -o sig.mon ./run s
is "$?" 0 'with --signal=USR1:graph the program ends as usual'
is "$(query sig.mon.*.1 "$CACHE")" 200 'a signal makes a graph'
is "$(query sig.mon.*.1 "$QUEUE" | numbers)" "$WHERE" \
	'... names the function of what it interrupted, and the variable'
is "$(query sig.mon.*.1 "select count(*) from roots where kind = 'mapping'")" 0 \
	'... the stack is no mapping'
is "$(query sig.mon "$CACHE")" 200 'the end has the same one'
"$MPREDUCE" --retained --brief ./run sig.mon >out 2>>err
like "$(cat out)" 'As of [0-9.]+ s after the start' '... and says when it was made'
"$MEMMON" -q --signal=USR1:leaks -o leaks.mon ./run s
is "$(query leaks.mon.*.1 'select lost_blocks from totals')" 1 'a signal checks for leaks'
is "$(query leaks.mon.*.1 "select count(*) from roots")" 0 '... without a graph'
"$MEMMON" --signal=USR1:graphs true >out 2>&1
is "$? $(grep -c ':graph' out)" '125 1' 'another word is an error'

# By the program.
"$MEMMON" -q -o api.mon ./run g
is "$?" 0 'memmon_graph() succeeds'
is "$(query api.mon "$CACHE")" 200 '... the file at the end has that graph'
is "$(query api.mon "$QUEUE" | numbers)" "$WHERE" '... with the place on the stack'
./run g 2>/dev/null
is "$?" 9 'without memmon it fails'

# With each snapshot: in `snapshot' one that began when the program had all
# blocks.
# every OPTION...
every()
{
	local pid last='' n
	rm -f ready seen every.mon*
	"$MEMMON" -q "$@" --every=100ms -o every.mon ./run e &
	pid=$!
	until [ -e ready ]; do
		kill -0 $pid || return
		sleep 0.05
	done
	for _ in $(seq $((HANG * 20))); do
		n=$(ls every.mon.*.[0-9]* 2>/dev/null | sed -n 's/.*[.]\([0-9]*\)$/\1/p' |
			sort -n | tail -n 1)
		: "${last:=${n:-0}}"
		[ "${n:-0}" -lt $((last + 2)) ] || break
		sleep 0.05
	done
	touch seen
	wait $pid
	snapshot=$(ls every.mon.*."$n")
}
every --graph
is "$(query "$snapshot" "$CACHE")" 200 '--every: a snapshot has a graph'
every -l
is "$(query "$snapshot" 'select lost_blocks from totals')" 1 \
	'... and, with -l, a leak check'

# At the end.
"$MEMMON" -q --graph -o end.mon ./run x
is "$(query end.mon "select bytes from roots where root = 'plain'")" 2000 \
	'what exit() has left on the stack is not in the way'
is "$(query end.mon "select file, line > 0 from roots where root = 'cache'")" run.cc,1 \
	'a variable has its place in the source'
if command -v setarch >/dev/null && setarch -R true 2>/dev/null; then
	setarch -R "$MEMMON" -q -l -o fixed.mon ./run x
	is "$(query fixed.mon 'select lost_blocks from totals')" 1 \
		'a leak is found if addresses are not random'
else
	skip 1 'no setarch -R'
fi

# Call paths that hold each other's blocks; types.
is "$(query end.mon "select sum(retained_blocks) from holdings where root = 'list'")" 20 \
	'the tree: a list of two paths'
"$MPREDUCE" --retained --depth=1 --brief ./run end.mon >out 2>>err
is "$(grep -c ' 2240 .* 20 .*link_of' out)" 1 'together they retain each block once' ||
	diag "$(cat out)"
"$MPREDUCE" --retained --brief ./run end.mon >out 2>>err
like "$(cat out)" '200 +[0-9]+ +(std::map<int, std::shared_ptr<Asset>> node)' \
	'--retained: types'
is "$("$MPREDUCE" --json ./run end.mon 2>>err | tr -d '\n' |
	grep -o '"retained":\[[^]]*' | grep -c '"id":0.*"id":1,')" 1 \
	'JSON numbers the rows'

# Two runs.
"$MEMMON" -q --graph -o more.mon ./run x 150
"$MPREDUCE" --diff end.mon more.mon >out 2>>err
like "$(sed -n '/what roots retain/,/what types/p' out)" \
	'[0-9]+ +[0-9]+ +\+[0-9]+ +cache' '--diff: roots'
like "$(sed -n '/what types retain/,$p' out)" '\+[0-9]+ +std::map<int' '... and types'
is "$("$MPREDUCE" --json --diff end.mon more.mon 2>>err | tr -d '\n' |
	grep -c '"name":"cache","old_retained":[0-9]*,"new_retained":[0-9]*')" 1 '... in JSON'
"$MPREDUCE" --diff end.mon api.mon >out 2>>err
is "$?" 0 '... of different ends'
done_testing
