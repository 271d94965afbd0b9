/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sum in memory, which might be one of the elements. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L count=99
 * least=1 most=1
 */
int v[100], s;
static __attribute__((noinline)) void
add(int *to, const int *from, int n)
{
	for (int i = 0; i < n; i++) /*L*/
		*to += from[i]; /*A*/
}
int
main(void)
{
	add(&s, v, 100);
	return 0;
}
