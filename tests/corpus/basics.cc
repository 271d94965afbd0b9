// SPDX-License-Identifier: GPL-3.0-or-later
// Plain classes: with and without constructors, derived, in arrays.
#include <map>
#include <memory>
#include <string>
#include <vector>

struct node {
	int a, b;
	node *next;
	node(int x) : a(x), b(0), next(nullptr)
	{
	}
};
struct triv {
	long a[6];
};
node *n;
triv *tv;

int
main(int argc, char **)
{
	n = new node(argc); //= node
	tv = new triv(); //= triv
	return n->a - argc + (int)tv->a[3];
}
