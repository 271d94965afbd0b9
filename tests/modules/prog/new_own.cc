/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block by the program's own new is its caller's. */
/* EXPECT lifetime scopes site=A scope=iteration where=L blocks=20 */
/* EXPECT lifetime scopes site=B scope=iteration where=L blocks=20 */
#include <cstdlib>
#include <new>
__attribute__((noinline)) void *
operator new(size_t n)
{
	return malloc(n);
}
void
operator delete(void *p) noexcept
{
	free(p);
}
void
operator delete(void *p, size_t) noexcept
{
	free(p);
}
static __attribute__((noinline, noipa)) void
use(void *p)
{
	*(volatile char *)p = 1;
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
