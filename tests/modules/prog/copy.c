/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A struct is stored by parts and copied as a whole. */
/* EXPECT dependence dependences kind=flow source=A sink=C loop=- count=1 */
/* EXPECT dependence dependences kind=flow source=B sink=C loop=- count=1 */
/* EXPECT dependence dependences kind=flow source=C sink=U loop=- count=1 */
struct s {
	long a, b, c[20];
} x, y;
long sum;
static __attribute__((noinline, noipa)) struct s *
at(struct s *p)
{
	return p;
}
int
main(void)
{
	at(&x)->a = 1; /*A*/
	at(&x)->b = 2; /*B*/
	*at(&y) = *at(&x); /*C*/
	sum = at(&y)->b; /*U*/
	return 0;
}
