/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pointer to an object on the stack, to a global one, and to nothing. */
/* EXPECT points_to pointers pointer=P kind=stack count=1 */
/* EXPECT points_to pointers pointer=P kind=global count=1 */
/* EXPECT points_to pointers pointer=P kind=null count=1 */
static int g[4];
static int *v[3];
int s;
static __attribute__((noinline, noipa)) int *
get(int i)
{
	return v[i]; /*P*/
}
static __attribute__((noinline, noipa)) void
put(int i, int *p)
{
	v[i] = p;
}
int
main(void)
{
	int on_stack[8] = { 1 };
	put(0, on_stack);
	put(1, g);
	for (int i = 0; i < 3; i++)
		s += get(i) ? 1 : 0;
	return on_stack[1];
}
