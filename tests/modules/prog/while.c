/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list that is walked by while, whose loop is left in its midst. */
/*
 * EXPECT dependence dependences kind=flow source=A sink=A loop=L count=7
 * least=1 most=1
 */
/* EXPECT dependence loops loop=L entered=1 iterations=8 carried=7 */
struct node {
	struct node *next;
	volatile int value;
} all[20];
volatile int sum;
int
main(void)
{
	struct node *n = all;
	for (int i = 0; i < 19; i++)
		all[i].next = &all[i + 1];
	all[7].value = 1;
	while (n) { /*L*/
		sum += 2; /*A*/
		if (n->value)
			break;
		n = n->next;
	}
	return 0;
}
