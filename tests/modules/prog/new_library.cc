/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block by new is its caller's where libstdc++, which has new, is loaded. */
/* EXPECT lifetime scopes site=A scope=iteration where=L blocks=20 */
/* EXPECT lifetime scopes site=B scope=iteration where=L blocks=20 */
#include <set>

static __attribute__((noinline, noipa)) void
use(void *p)
{
	(void)p;
}
int
main()
{
	std::set<int> kept;

	for (int i = 0; i < 20; i++) { /*L*/
		long *p = new long; /*A*/
		use(p);
		char *q = new char[100]; /*B*/
		use(q);
		kept.insert(i);
		delete[] q;
		delete p;
	}
	return kept.size() != 20;
}
