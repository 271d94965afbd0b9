/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterators of a map and of a list, and a loop of the library's. */
/* EXPECT dependence loops loop=M entered=1 iterations=7 */
/* EXPECT dependence loops loop=L entered=1 iterations=5 */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=M count=6
 * least=1 most=1
 */
/*
 * EXPECT dependence dependences kind=flow source=B sink=B loop=L count=4
 * least=1 most=1
 */
#include <list>
#include <map>
volatile int keys, values;
static __attribute__((noinline, noipa)) void
of_map(const std::map<int, int> &m)
{
	for (std::map<int, int>::const_iterator i = m.begin();
	     i != m.end(); ++i) /*M*/
		keys += i->first; /*A*/
}
static __attribute__((noinline, noipa)) void
of_list(const std::list<int> &l)
{
	for (auto i = l.begin(); i != l.end(); i++) /*L*/
		values += *i; /*B*/
}
int
main()
{
	std::map<int, int> m;
	std::list<int> l;
	for (int i = 0; i < 7; i++)
		m[i] = i;
	for (int i = 0; i < 5; i++)
		l.push_back(i);
	of_map(m);
	of_list(l);
	return keys != 21 || values != 10;
}
