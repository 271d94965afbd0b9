/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load and a store of one place in the source. */
/* EXPECT value values instruction=A kind=load count=50 value=0_+_1 */
/* EXPECT value values instruction=A kind=store count=50 value=1_+_1 */
/* EXPECT locality:every=1 reuse place=A kind=load accesses=50 cold=1 */
/* EXPECT locality:every=1 reuse place=A kind=store accesses=50 cold=0 */
volatile int n;
int
main(void)
{
	for (int i = 0; i < 50; i++)
		n++; /*A*/
	return 0;
}
