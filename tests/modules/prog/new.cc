/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block by new is its caller's; one by new[] too. */
/* EXPECT lifetime scopes site=A scope=iteration where=L blocks=20 */
/* EXPECT lifetime scopes site=B scope=iteration where=L blocks=20 */
static __attribute__((noinline, noipa)) void
use(void *p)
{
	(void)p;
}
int
main()
{
	for (int i = 0; i < 20; i++) { /*L*/
		long *p = new long; /*A*/
		use(p);
		char *q = new char[100]; /*B*/
		use(q);
		delete[] q;
		delete p;
	}
	return 0;
}
