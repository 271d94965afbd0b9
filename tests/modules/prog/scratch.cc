/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A vector for each iteration, and one that grows over all of them. */
/* EXPECT lifetime scopes site=A scope=iteration where=L blocks=12 bytes=480 */
/* EXPECT lifetime scopes scope=function where=F blocks=1 bytes=48 */
#include <vector>
volatile int s;
static __attribute__((noinline, noipa)) int *
make(int n)
{
	return new int[n]; /*A*/
}
int
main() /*F*/
{
	std::vector<int> all;
	all.reserve(12);
	for (int i = 0; i < 12; i++) { /*L*/
		int *v = make(10);
		v[3] = i;
		s = v[3];
		all.push_back(i);
		delete[] v;
	}
	return all.size() != 12;
}
