/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop over a vector, whose conditions are those of iterators. */
/* EXPECT dependence loops loop=L entered=1 iterations=10 carried=9 */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L count=9
 * least=1 most=1
 */
#include <vector>
volatile int sum;
static __attribute__((noinline, noipa)) void
add(std::vector<int> &v)
{
	for (int &x : v) /*L*/
		sum += x; /*A*/
}
int
main()
{
	std::vector<int> v(10, 3);
	add(v);
	return sum != 30;
}
