/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk that stores a value for the next step. */
/*
 * EXPECT dependence dependences kind=flow source=S sink=U loop=L count=8
 * least=1 most=1
 */
struct node {
	struct node *next;
	int sum, v;
};
static struct node n[10];
static __attribute__((noinline, noipa)) void
walk(struct node *x)
{
	for (; x->next; x = x->next) { /*L*/
		int v = x->sum + x->v; /*U*/
		x->next->sum = v; /*S*/
	}
}
int
main(void)
{
	for (int i = 0; i < 10; i++)
		n[i].next = i < 9 ? &n[i + 1] : 0;
	walk(n);
	return 0;
}
