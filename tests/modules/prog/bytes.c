/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four stores of a byte each, one load of all: four dependences. */
/* EXPECT dependence dependences kind=flow source=A sink=U loop=- count=5 */
/* EXPECT dependence dependences kind=flow source=B sink=U loop=- count=5 */
/* EXPECT dependence dependences kind=flow source=C sink=U loop=- count=5 */
/* EXPECT dependence dependences kind=flow source=D sink=U loop=- count=5 */
static union {
	unsigned whole;
	unsigned char b[4];
} v;
unsigned sum;
static __attribute__((noinline, noipa)) void *
at(void)
{
	return &v;
}
int
main(void)
{
	for (int i = 0; i < 5; i++) {
		((unsigned char *)at())[0] = 1; /*A*/
		((unsigned char *)at())[1] = 2; /*B*/
		((unsigned char *)at())[2] = 3; /*C*/
		((unsigned char *)at())[3] = 4; /*D*/
		sum = *(unsigned *)at(); /*U*/
	}
	return 0;
}
