/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop of computed jumps. */
/* EXPECT dependence dependences kind=flow source=S sink=U count=4 */
/* EXPECT value values instruction=V count=4 pattern=linear value=0_+_2 */
volatile int a[8], at;
static const char code[] = { 0, 1, 0, 1, 0, 1, 0, 1, 2 };
int
main(void)
{
	static void *const to[] = { &&store, &&load, &&end };
	const char *pc = code;
	int i = 0, s = 0;
	goto *to[(int)*pc++];
store:
	a[i] = i; /*S*/
	at = i; /*V*/
	goto *to[(int)*pc++];
load:
	s += a[i]; /*U*/
	i += 2;
	goto *to[(int)*pc++];
end:
	return s != 12;
}
