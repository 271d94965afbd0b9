/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds and walks a list; the walk carries values only in registers. */
/* EXPECT dependence dependences kind=flow source=N sink=W loop=- count=40 */
/* EXPECT dependence loops loop=L iterations=40 carried=0 */
#include <stdlib.h>
struct node {
	struct node *next;
	int v;
};
int
main(void)
{
	struct node *head = NULL;
	int s = 0;
	for (int i = 0; i < 40; i++) {
		struct node *n = malloc(sizeof(*n));
		n->next = head; /*N*/
		n->v = i;
		head = n;
	}
	for (; head; s++) /*L*/
		head = head->next; /*W*/
	return s == 1;
}
