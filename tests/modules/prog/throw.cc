/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exception leaves two loops of a function that is called in a third. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=O count=4
 * least=1 most=1
 */
/* EXPECT not dependence dependences kind=flow source=S sink=U loop=I */
static int a[10];
int x;
static __attribute__((noinline, noipa)) void
fill(int n)
{
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 10; i++) { /*I*/
			a[i] = i; /*S*/
			if (i == n)
				throw i;
		}
}
static __attribute__((noinline, noipa)) int
get(int i)
{
	return a[i]; /*U*/
}
int
main()
{
	for (int i = 0; i < 5; i++) { /*O*/
		x += get(3);
		try {
			fill(5);
		} catch (int) {
			x++;
		}
	}
	return 0;
}
