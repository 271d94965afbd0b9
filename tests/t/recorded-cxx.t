#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The parts of libstdc++ that programs of memmon-c++ contain themselves
# (monitor/recorded/): they do the same as libstdc++, and the use of the blocks
# of strings, trees and lists is known.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

[ -e "$MEMMON_BUILD/plugin/libmemmon-c++.a" ] ||
	skip_all 'no plugin for g++, so no libmemmon-c++.a'
export MEMMON_CXX=g++
cxx=$MEMMON_BUILD/memmon-c++

cat >same.cc <<'C'
#include <cstdio>
#include <list>
#include <map>
#include <string>
#include <vector>
typedef std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>> tree;
static unsigned seed = 1;
static unsigned some(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % n;
}
static void print(const char *what, const std::list<int> &l)
{
	printf("%s", what);
	for (int i : l)
		printf(" %d", i);
	for (auto i = l.rbegin(); i != l.rend(); ++i)
		printf(" %d", *i);
	printf("\n");
}
int main()
{
	unsigned bad = 0, rounds = 0;
	for (unsigned range : { 1, 2, 3, 7, 50, 1000 }) {
		tree t;
		std::vector<bool> in(range);
		size_t n = 0;
		for (unsigned i = 0; i < 4000; i++) {
			unsigned x = some(range);
			if (some(2)) {
				t._M_insert_unique((int)x);
				n += !in[x];
				in[x] = true;
			} else {
				t.erase((int)x);
				n -= in[x];
				in[x] = false;
			}
			if (i % 64 && range > 50)
				continue;
			rounds++;
			bad += !t.__rb_verify() || t.size() != n;
			size_t up = 0, down = 0;
			for (auto k = t.begin(); k != t.end(); ++k)
				up += in[*k];
			for (auto k = t.end(); k != t.begin();)
				down += in[*--k];
			bad += up != n || down != n;
		}
	}
	printf("trees: %u of %u wrong\n", bad, rounds);
	std::list<int> a, b, none;
	for (int i = 0; i < 9; i++)
		(i % 3 ? a : b).insert(i % 2 ? a.begin() : a.end(), i);
	print("a", a);
	a.reverse();
	print("reversed", a);
	a.sort();
	a.splice(a.begin(), a, --a.end());
	a.splice(++a.begin(), b);
	print("spliced", a);
	a.swap(b);
	print("swapped", b);
	b.swap(none);
	none.swap(b);
	a.swap(none);
	print("none", a);
	b.remove_if([](int i) { return i % 2; });
	print("removed", b);
	std::string s;
	for (int i = 0; i < 300; i++) {
		s += (char)('a' + i % 26);
		if (i % 7 == 0)
			s.insert(s.size() / 2, "some text");
		if (i % 11 == 0)
			s.erase(s.size() / 3, 5);
		if (i % 13 == 0)
			s.replace(1, 3, 4, 'x');
	}
	std::string t(s), u = s.substr(10, 40);
	t.swap(u);
	u.resize(60, '-');
	printf("%s %s %zu %zu %d\n", s.c_str(), u.c_str(), s.find("text", 9),
	       s.rfind('x'), t.compare(u) < 0);
	return 0;
}
C
for std in c++11 c++17 c++20; do
	g++ -std=$std -O1 -o plain same.cc && ./plain >want &&
		"$cxx" -std=$std -g -O1 -o same same.cc && ./same >got
	ok $? "$std: both run"
	is_file got want "$std: the output is the same"
done
grep -q '^trees: 0 of [0-9]' got
ok $? 'trees are red and black' || diag "$(head -1 got)"

# Both ways of having libstdc++; a library that is recorded, too.
"$cxx" -g -O1 -static-libstdc++ -o static same.cc && ./static >got
is_file got want '-static-libstdc++: the same'
cat >lib.cc <<'C'
#include <string>
std::string twice(const std::string &s) { return s + s; }
C
cat >with.cc <<'C'
#include <cstdio>
#include <string>
std::string twice(const std::string &s);
int main() { puts(twice(std::string(30, 'x')).c_str()); }
C
"$cxx" -g -shared -fPIC -o libtwice.so lib.cc &&
	"$cxx" -g -o with with.cc -L. -ltwice -Wl,-rpath,"$T"
ok $? 'a library of recorded code is linked'
is "$(./with)" "$(printf %060d 0 | tr 0 x)" '... and runs'

# The use of blocks: each is written and read, none was passed on.
cat >used.cc <<'C'
#include <list>
#include <map>
#include <string>
#include <vector>
__attribute__((noinline)) void strings(std::vector<std::string> &v)
{
	for (int i = 0; i < 100; i++) {
		std::string s;
		for (int k = 0; k < 100; k++)
			s += (char)k;
		v.push_back(s);
	}
}
__attribute__((noinline)) long lists()
{
	std::list<long> l;
	long sum = 0;
	for (long i = 0; i < 100; i++)
		l.push_back(i);
	l.reverse();
	for (long i : l)
		sum += i;
	return sum;
}
__attribute__((noinline)) long trees()
{
	std::map<long, long> m;
	long sum = 0;
	for (long i = 0; i < 100; i++)
		m[i * 37 % 101] = i;
	for (auto &p : m)
		sum += p.second;
	return sum;
}
int main()
{
	std::vector<std::string> v;
	strings(v);
	return (int)(lists() + trees() + v[7][7]) == 0;
}
C
"$cxx" -std=c++17 -g -O1 -fno-optimize-sibling-calls -o used used.cc && ./used
ok $? 'a program of strings, a list and a map'
"$MPREDUCE" --sql="SELECT sum(handed), sum(reads) > 2000, sum(writes) > 2000,
	sum(unused) FROM sites" used mon.out >table 2>err ||
	diag "$(cat err)"
is "$(tail -n 1 table | tr -s ' ' | sed 's/^ //;s/ $//')" '0 1 1 0' \
	'all of their blocks are known in full' || diag "$(cat table err)"
done_testing
