/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memmon.hpp: blocks of types, in C++11.  In main:
 *
 *	ns::thing		7 by new_, 2 deleted; 3 by malloc and typed
 *	{anonymous}::own	1
 *	long unsigned int	a vector's 16, then 32; the 16 are freed
 *	ns::pair<char*, 3>	4 by new and typed
 *
 * and nodes of a list of ns::thing, five of them.  Prints how often a name
 * isn't as expected.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "monitor/memmon.hpp"

namespace ns
{
struct thing {
	long v[5];
	explicit thing(long i = 0) : v{ i, 0, 0, 0, 0 } {}
};

template <typename A, int N>
struct pair {
	A a[N];
};
} // namespace ns

namespace
{
struct own {
	char c[100];
};
} // namespace

static int bad;

static void
is(const char *name, const char *want)
{
	if (!strcmp(name, want))
		return;
	bad++;
	fprintf(stderr, "%s isn't %s\n", name, want);
}

static void
names()
{
	is(memmon::name<ns::thing>(), "ns::thing");
	is(memmon::name<own>(), "{anonymous}::own");
	is(memmon::name<unsigned long>(), "long unsigned int");
	is(memmon::name<long>(), "long int");
	is(memmon::name<short>(), "short int");
	is(memmon::name<unsigned>(), "unsigned int");
	is(memmon::name<unsigned long long>(), "long long unsigned int");
	is(memmon::name<long double>(), "long double");
	is(memmon::name<char *>(), "char*");
	is(memmon::name<void>(), "void");
	is(memmon::name<ns::pair<char *, 3>>(), "ns::pair<char*, 3>");
	is(memmon::name<std::map<int, unsigned short>>(),
	   "std::map<int, short unsigned int>");
}

int
main()
{
	static ns::thing *things[10];
	static ns::pair<char *, 3> *pairs[4];
	static std::vector<unsigned long, memmon::allocator<unsigned long>> *v;
	static std::list<ns::thing, memmon::allocator<ns::thing>> *l;
	static own *o;
	int i;

	names();
	for (i = 0; i < 7; i++)
		things[i] = memmon::new_<ns::thing>(i);
	delete things[0];
	delete things[1];
	for (; i < 10; i++)
		things[i] =
			memmon::typed<ns::thing>(malloc(sizeof(ns::thing)));
	o = memmon::new_<own>();
	for (auto &p : pairs)
		p = memmon::typed(new ns::pair<char *, 3>);
	v = new std::vector<unsigned long, memmon::allocator<unsigned long>>(16);
	v->reserve(32);
	l = new std::list<ns::thing, memmon::allocator<ns::thing>>(5);
	if (!(l->get_allocator() == v->get_allocator()))
		bad++;
	printf("%d %d\n", bad, memmon::typed<int>(nullptr) != nullptr);
	return o->c[0] & 0;
}
