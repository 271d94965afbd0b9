/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Something for each module: its result is the same alone and with other
 * modules.  Variables are written only, or read only, or both; one function is
 * inlined, one is recursive, one is left by an exception.
 */
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

struct node {
	node *left, *right;
	int key;
	char name[12];
};

static node *root;
static int written[64];
static const int squares[8] = { 0, 1, 4, 9, 16, 25, 36, 49 };
static char text[256];
static double sums[4];
int seen;
static int unused_but_taken;
int *taken = &unused_but_taken;

static node **
place_of(int key)
{
	node **at = &root;

	while (*at && (*at)->key != key)
		at = key < (*at)->key ? &(*at)->left : &(*at)->right;
	return at;
}

static int
depth(const node *n)
{
	int left, right;

	if (!n)
		return 0;
	left = depth(n->left);
	right = depth(n->right);
	return 1 + (left > right ? left : right);
}

static void __attribute__((noinline))
check(int i)
{
	int local[4] = { i, i + 1, i + 2, i + 3 };
	int *p = &local[i % 4];

	taken = i % 3 ? p : &seen;
	seen += *taken;
	taken = &unused_but_taken;
	if (i % 5 == 4)
		throw i;
}

static void
build()
{
	for (int i = 0; i < 40; i++) {
		int key = i * 17 % 41;
		node **at = place_of(key);

		if (!*at) {
			*at = static_cast<node *>(calloc(1, sizeof(node)));
			(*at)->key = key;
			strcpy((*at)->name, "node");
		}
		written[i % 64] = key;
		sums[i % 4] += squares[i % 8] * 0.5;
	}
}

static void
drop(node *n)
{
	if (!n)
		return;
	drop(n->left);
	drop(n->right);
	free(n);
}

int
main()
{
	std::map<std::string, std::vector<int>> words;

	build();
	for (int i = 0; i < 20; i++)
		try {
			check(i);
		} catch (int n) {
			seen += n;
		}
	for (int i = 0; i < 30; i++)
		words["word" + std::to_string(i % 7)].push_back(i);
	for (auto &w : words) {
		memcpy(text, w.first.data(), w.first.size() + 1);
		for (int x : w.second)
			seen += x;
	}
	seen += depth(root);
	drop(root);
	return seen == 12345;
}
