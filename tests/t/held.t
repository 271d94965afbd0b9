#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon --graph and mpreduce's tables of it: a cache in a variable, a ring of
# std::shared_ptr and std::function, a queue that only a stack holds.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v "${CXX:-g++}" >/dev/null || skip_all "there is no C++ compiler"

cat >app.cc <<'C'
#include <functional>
#include <map>
#include <memory>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <vector>
#include <sys/wait.h>

struct Asset { char data[4000]; int id; };
static std::map<int, std::shared_ptr<Asset>> cache;

struct Node { std::function<void()> on_evict; char big[1000]; };

static std::map<int, std::shared_ptr<Asset>> &late()
{
	static std::map<int, std::shared_ptr<Asset>> held_late;
	return held_late;
}

__attribute__((noinline)) static void fill()
{
	for (int i = 0; i < 100; i++)
		cache[i] = std::make_shared<Asset>();
	late()[1] = std::make_shared<Asset>();
}
__attribute__((noinline)) static void ring()
{
	for (int i = 0; i < 30; i++) {
		auto n = std::make_shared<Node>();
		n->on_evict = [n] { n->big[0]++; };
	}
}
static int ready[2];
static void *idle(void *unused)
{
	std::vector<std::string *> queue;
	for (int i = 0; i < 50; i++)
		queue.push_back(new std::string(2000, 'x'));
	volatile void *keep = &queue;
	(void)keep;
	if (write(ready[1], "x", 1) == 1)
		pause();
	return unused;
}
int main(int argc, char **argv)
{
	char c;
	pthread_t t;
	fill();
	ring();
	if (pipe(ready) != 0)
		return 1;
	pthread_create(&t, NULL, idle, NULL);
	if (read(ready[0], &c, 1) != 1)
		return 1;
	switch (argc > 1 ? *argv[1] : 0) {
	case '_':
		_exit(0);
	case 'u':
		kill(getpid(), SIGUSR1);
		cache.clear();
		break;
	case 'f':
		if (fork() == 0)
			return 7;
		wait(NULL);
	}
	return 0;
}
C
"$CXX" -std=c++14 -g -O0 -o app app.cc -lpthread || exit 1

# query FILE SQL: rows of the answer, with blanks between.
query()
{
	"$MPREDUCE" --export=csv --sql="$2" ./app "$1" 2>>err | sed 1d |
		tr -d '\r"'
}
ROOTS="select root, blocks from roots where blocks > 1 order by blocks desc"

for way in '' _; do
	"$MEMMON" -q --graph -o run.mon ./app $way
	is "$?" 0 "it ends as usual${way:+, by _exit()}"
	is "$(query run.mon "$ROOTS" | sed 's/thread [0-9]*/thread N/')" \
		"cache,200
stack of thread N,101
late()::held_late,2" 'variables, and the stack, retain their blocks'
done
is "$(query run.mon "select bytes - 100 * 4000 > 0 from roots where root = 'cache'")" \
	1 '... with their bytes'

"$MPREDUCE" --retained ./app run.mon >out 2>>err
like "$(cat out)" "cache \(app.cc:11\)" '--retained'
like "$(cat out)" "std::make_shared<Asset>" '... and call paths'
"$MPREDUCE" --holders=Asset ./app run.mon >out 2>>err
like "$(cat out)" 'node \.second -> .std::make_shared<Asset>' '--holders: the member'
is "$(grep -c 'functor' out)" 0 '... only of that type'
"$MPREDUCE" --holders ./app run.mon >out 2>>err
like "$(cat out)" 'std::string\* \[\] -> .std::string' '... elements of arrays'
like "$(cat out)" 'make_shared<Node> \.on_evict -> .std::function' \
	'... members of what is shared'
"$MPREDUCE" --path-to=Asset --top=1 --brief ./app run.mon >out 2>>err
like "$(tr '\n' '|' <out)" 'node, from fill|make_shared<Asset>' '--path-to'
"$MPREDUCE" --path-to='std::make_shared<Asset>' --brief ./app run.mon >out 2>>err
like "$(tr '\n' '|' <out)" '\|    cache [^|]*\|    -> .std::map[^|]* \.second\|    -> .std::make_shared<Asset>' \
	'... from the root, by the members'
"$MPREDUCE" -L ./app run.mon >out 2>>err
like "$(cat out)" '60 blocks, 30 groups; each has such a ring:' '-L: rings'
like "$(sed -n '/30 groups/,$p' out | tr '\n' '|')" \
	'make_shared<Node>[^|]*\.on_evict\|    -> .std::function[^|]*functor\|    -> \(the first block\)' \
	'... block by block'
"$MPREDUCE" --summary ./app run.mon >out 2>>err
like "$(cat out)" 'Held by cache \(app.cc:11\): [0-9.]+ KB in 200 blocks, [0-9]+% of what was live' \
	'the first screen: the variable'
like "$(tr '\n' ' ' <out)" 'node \.second -> .std::make_shared<Asset>' '... and the path'
like "$(cat out)" 'Lost in rings: [0-9.]+ KB in 60 blocks' '... and rings'
is "$("$MPREDUCE" --json ./app run.mon 2>>err | grep -c '^"\(roots\|retained\|edges\|steps\)":\[')" \
	4 'JSON has the tables'

# A snapshot, and the differences at the end.
"$MEMMON" -q --graph --signal=USR1 -o snap.mon ./app u
is "$(query snap.mon.*1 "$ROOTS" | head -n 1)" cache,200 'a snapshot has a graph'
is "$(query snap.mon "select count(*) from roots where root = 'cache' and blocks > 0")" \
	0 '... the end its own'
"$MEMMON" -q --graph -o fork.mon ./app f
is "$(query fork.mon "$ROOTS" | head -n 1)" cache,200 'a parent'
is "$(query "$(ls fork.mon.* | head -n 1)" "select count(*) from roots where root = 'cache' and blocks > 0")" \
	0 '... the child has none of its blocks'

# Two runs together.
cp run.mon run2.mon
is "$(query 'run.mon run2.mon' "select 1" >/dev/null; "$MPREDUCE" --export=csv \
	--sql="select blocks from roots where root = 'cache'" ./app run.mon run2.mon \
	2>>err | sed 1d | tr -d '\r')" 400 'two files add up'

# Questions for which the graph is missing.
"$MPREDUCE" --retained --only=thread:main ./app run.mon >out 2>&1
like "$(cat out)" 'leave out the filter' 'with a filter it says so'
"$MEMMON" -q -o none.mon ./app
"$MPREDUCE" --holders ./app none.mon >out 2>&1
is "$? $(grep -c 'memmon --graph' out)" '0 1' 'without a graph, too'
"$MPREDUCE" --path-to=Nothing ./app run.mon >out 2>&1
is "$? $(grep -c 'no blocks of a type Nothing' out)" '1 1' 'a type that is not there'
"$MEMMON" -q --graph --sample=64 -o sample.mon ./app
"$MPREDUCE" --retained ./app sample.mon >out 2>&1
is "$? $(grep -c 'a recording of samples has none' out)" '0 1' 'samples have none'
is "$(query none.mon 'select count(*) from edges')" 0 'then the tables are empty'

# Call paths that hold each other's blocks again and again: X -> A -> X -> A,
# with the As from two functions.  Also an iterator in a local variable, and a
# pointer to blocks that a global holds, too.
cat >chain.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
struct a { struct x *x; };
struct x { struct a *a; char more[2000]; };
struct at { struct x *at; };
static struct x *global;
static struct x *mkx(void) { return calloc(1, sizeof(struct x)); }
static struct a *mka1(void) { return calloc(1, sizeof(struct a)); }
static struct a *mka2(void) { return calloc(1, sizeof(struct a)); }
int main(int argc, char **argv)
{
	struct at *volatile it = calloc(1, sizeof(struct at));
	struct x *volatile direct;

	(void)argv;

	for (int i = 0; i < 1000; i++) {
		struct x *x = mkx();
		x->a = i % 2 ? mka1() : mka2();
		x->a->x = global;
		global = x;
	}
	direct = global;
	if (argc > 1)
		it->at = global;
	exit(!it || !direct);
}
C
"$CC" -g -O0 -o chain chain.c
"$MEMMON" -q --graph -o chain.mon ./chain
# retained ROW: bytes of the first row with that name.
retained()
{
	"$MPREDUCE" --retained -b --verbose ./chain chain.mon 2>>err |
		awk -v row="$1" 'index($0, row) { print $1; exit }'
}
all=$((1000 * (2008 + 8)))
is "$(retained '> mkx ')" $all 'a call path that comes again below others'
is "$(retained '> mka1 ') $(retained '> mka2 ')" "$((all - 2008)) $((all - 2 * 2008 - 8))" \
	'... and those between'
is "$(retained '  struct a')" $((all - 2008)) '... and a type of several paths'
is "$("$MPREDUCE" --retained -b --verbose ./chain chain.mon 2>>err |
	grep -c 'stack of the first thread in main (chain.c:[0-9]*), variable it')" 1 \
	'a stack is named by what it alone holds'
"$MEMMON" -q --graph -o it.mon ./chain it
is "$("$MPREDUCE" --sql="SELECT bytes FROM roots WHERE root = 'global'" ./chain it.mon |
	tail -n 1 | tr -d ' ')" $all 'an iterator takes nothing away from who holds it'
"$MPREDUCE" --diff ./chain chain.mon chain.mon >out 2>&1
is "$(sed -n '/^Changes in what types/,/None/p' out | tail -n 1)" 'None.' 'a run does not differ from itself'

# More variables than the file has room for.
{
	echo '#include <stdlib.h>'
	seq -f 'void *v%.0f;' 17000
	echo 'static void **const all[] = {'
	seq -f '&v%.0f,' 17000
	echo '}; int main(void) { for (int i = 0; i < 17000; i++)'
	echo '*all[i] = calloc(1, 16); return 0; }'
} >many.c
"$CC" -O0 -o many many.c
"$MEMMON" -q --graph -o many.mon ./many
like "$("$MPREDUCE" --retained -b ./many many.mon 2>>err)" \
	'[^0-9]6[12][0-9] more roots, which retain less, are not in the file' \
	'roots that are left out are counted'
done_testing
