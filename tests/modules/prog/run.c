/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes stored by one instruction in different iterations: each counts. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=8 */
unsigned char a[8];
unsigned long sum;
static __attribute__((noinline, noipa)) void *
at(void)
{
	return a;
}
int
main(void)
{
	for (int i = 0; i < 8; i++)
		((unsigned char *)at())[i] = 1; /*S*/
	__builtin_memcpy(&sum, at(), 8); /*U*/
	return 0;
}
