#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Queries of real programs: random queries equal a plain calculation from the
# items; rows add up to the totals for every grouping.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
command -v perl >/dev/null || skip_all "no perl"

cat >kinds.cc <<'END'
#include <map>
#include <string>
#include <thread>
#include <vector>
#include <pthread.h>
struct base { virtual ~base() {} int a; };
struct large : base { char b[100]; };
struct small : base { char c[20]; };
static base *kept[100];
__attribute__((noinline)) static base *make(int i)
{
	if (i % 3)
		return new large;
	return new small;
}
static void count(const char *name, int n)
{
	pthread_setname_np(pthread_self(), name);
	std::vector<int> v;
	std::map<int, std::string> m;
	for (int i = 0; i < n; i++) {
		v.push_back(i);
		m[i % 20] = std::string((size_t)(20 + i % 50), 'x');
	}
}
int main()
{
	for (int i = 0; i < 90; i++)
		kept[i] = make(i);
	for (int i = 0; i < 20; i++)
		delete kept[i];
	std::thread a(count, "first", 300), b(count, "second", 70);
	a.join();
	b.join();
	count("main", 30);
	return 0;
}
END
CXX=${CXX:-g++}
command -v "$CXX" >/dev/null || skip_all "no C++ compiler"
"$CXX" -g -O1 -o kinds kinds.cc -pthread || echo "Bail out! kinds"
MEMMON_OUT=kinds.mon "$MEMMON_BUILD/memmon" ./kinds
ok $? "the program runs"

many=15
! exhaustive || many=30
perl "$MEMMON_SRC/tests/query.pl" "$MPREDUCE" kinds kinds.mon "$many" >out 2>err
ok $? "random queries" || diag "$(head -n 5 err)"
read -r _ bad _ some _ all _ items <<<"$(tail -n 1 out)"
is "$bad" 0 "each is what the items say" || diag "$(head -n 30 out)"
[ "${some:-0}" -gt $((many / 3)) ] && [ "${all:-0}" -lt "${some:-0}" ]
ok $? "$some of them have rows, $all of all items"
[ "${items:-0}" -gt 30 ]
ok $? "of $items items"

# totals: allocs bytes kept of the whole, and of all rows of a query.
json kinds.mon kinds
totals=$(figures totals allocs bytes kept)
for by in type site function file module thread size lifetime \
	type,thread site,size thread,size,lifetime; do
	is "$("$MPREDUCE" --export=csv --group-by=$by \
		--columns=allocs,bytes,kept kinds kinds.mon 2>/dev/null |
		awk -F, 'NR > 1 { a += $1; b += $2; k += $3 }
			END { print a, b, k }')" "$totals" "by $by: the totals"
done

# Figures that are known by site equal those of the sites.
sites=$(figures sites life.temps life.near | tr ' ' , | grep -v '^0,0$' | sort)
is "$("$MPREDUCE" --export=csv --group-by=site --columns=temps,near kinds \
	kinds.mon 2>/dev/null | sed 1d | cut -d , -f 1,2 | grep -v '^0,0$' |
	sort)" "$sites" "temps and near of each site"
[ -n "$sites" ]
ok $? "there are some"
done_testing
