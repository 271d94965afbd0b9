/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One word is stored again and again, then by another store. */
/*
 * EXPECT dependence:output dependences kind=output source=S sink=S loop=L
 * count=24 least=1 most=1
 */
/*
 * EXPECT dependence:output dependences kind=output source=S sink=T loop=-
 * count=1
 */
int x;
static __attribute__((noinline, noipa)) int *
at(void)
{
	return &x;
}
int
main(void)
{
	for (int i = 0; i < 25; i++) /*L*/
		*at() = i; /*S*/
	*at() = 0; /*T*/
	return 0;
}
