/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects by a pointer to their base. */
/* EXPECT points_to pointers pointer=P object=A kind=heap count=3 */
/* EXPECT points_to pointers pointer=P object=B kind=heap count=2 */
struct shape {
	virtual ~shape() {}
	virtual int area() = 0;
};
struct square : shape {
	volatile int side = 2;
	int area() override;
};
struct round : shape {
	int area() override { return 3; }
};
int square::area() { return side * side; }
static shape *volatile all[5];
static __attribute__((noinline, noipa)) int
area(int i)
{
	shape *s = all[i]; /*P*/
	return s->area();
}
int
main()
{
	int sum = 0;
	for (int i = 0; i < 5; i++)
		if (i % 2)
			all[i] = new round; /*B*/
		else
			all[i] = new square; /*A*/
	for (int i = 0; i < 5; i++)
		sum += area(i);
	return sum != 18;
}
