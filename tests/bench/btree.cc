/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A B-tree of strings and numbers: filled in random order, looked up, walked.
 *
 *	btree [keys]				(450000)
 */
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "bench.h"

namespace {

constexpr unsigned most = 31; /* keys of a node */

struct node {
	unsigned n = 0;
	bool leaf = true;
	std::array<std::string, most> keys;
	std::array<uint64_t, most> values{};
	std::array<std::unique_ptr<node>, most + 1> children;

	unsigned find(const std::string &key) const
	{
		unsigned low = 0, high = n;

		while (low < high) {
			unsigned at = (low + high) / 2;
			if (keys[at] < key)
				low = at + 1;
			else
				high = at;
		}
		return low;
	}

	void open(unsigned at)
	{
		for (unsigned i = n; i > at; i--) {
			keys[i] = std::move(keys[i - 1]);
			values[i] = values[i - 1];
			children[i + 1] = std::move(children[i]);
		}
		n++;
	}

	/* The child at this place is full: splits it into two. */
	void split(unsigned at)
	{
		auto right = std::make_unique<node>();
		node &left = *children[at];
		const unsigned half = most / 2;

		right->leaf = left.leaf;
		right->n = most - half - 1;
		for (unsigned i = 0; i < right->n; i++) {
			right->keys[i] = std::move(left.keys[half + 1 + i]);
			right->values[i] = left.values[half + 1 + i];
		}
		for (unsigned i = 0; i <= right->n; i++)
			right->children[i] = std::move(left.children[half + 1 + i]);
		open(at);
		keys[at] = std::move(left.keys[half]);
		values[at] = left.values[half];
		left.n = half;
		children[at + 1] = std::move(right);
	}
};

class tree {
public:
	uint64_t &operator[](const std::string &key)
	{
		if (root->n == most) {
			auto top = std::make_unique<node>();
			top->leaf = false;
			top->children[0] = std::move(root);
			root = std::move(top);
			root->split(0);
		}
		for (node *x = root.get();;) {
			unsigned at = x->find(key);

			if (at < x->n && x->keys[at] == key)
				return x->values[at];
			if (x->leaf) {
				x->open(at);
				x->keys[at] = key;
				return x->values[at] = 0;
			}
			if (x->children[at]->n == most) {
				x->split(at);
				continue;
			}
			x = x->children[at].get();
		}
	}

	template <typename F> void each(F f) const { each(*root, f); }

private:
	std::unique_ptr<node> root = std::make_unique<node>();

	template <typename F> static void each(const node &x, F &f)
	{
		for (unsigned i = 0; i <= x.n; i++) {
			if (!x.leaf)
				each(*x.children[i], f);
			if (i < x.n)
				f(x.keys[i], x.values[i]);
		}
	}
};

} // namespace

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 450000);
	uint64_t seed = 1, sum = 0;
	tree t;

	for (unsigned long i = 0; i < 2 * n; i++)
		t["key " + std::to_string(rnd(&seed) % n)] += i;
	for (unsigned k = 0; k < 4; k++)
		t.each([&sum](const std::string &key, uint64_t value) {
			sum = mix(sum, key.size() + value);
		});
	printf("btree %lu %016" PRIx64 "\n", n, sum);
	return 0;
}
